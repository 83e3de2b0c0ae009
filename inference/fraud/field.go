package fraud

import (
	"math"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// stroke is how a piece of a printed line looks: levels of paper and ink, how steep the strokes' edges are, and noise.
type stroke struct{ noise, paper, ink, edge float64 }

const (
	// A line is looked at in pieces of about pieceHeights of its height, pieceRows samples high, at most maxPieces of them.
	pieceHeights = 1.5
	pieceRows    = 24
	maxPieces    = 12
	leastHeight  = 7 // pixels: print smaller than that shows nothing of how it was made
)

// strokesOf looks at the pieces of a line along its quad; nil where it is too small or empty.
func strokesOf(p *appliance.Picture, q appliance.Quad) []stroke {
	length := (vision.Distance(q[0], q[1]) + vision.Distance(q[3], q[2])) / 2
	height := (vision.Distance(q[0], q[3]) + vision.Distance(q[1], q[2])) / 2
	if height < leastHeight || length < height {
		return nil
	}
	pieces := min(maxPieces, max(1, int(length/height/pieceHeights)))
	width := pieceRows * 3 / 2
	view := make([]byte, width*pieceRows)
	var out []stroke
	for i := range pieces {
		h, ok := vision.RectToQuad(float64(width), pieceRows, part(q, float64(i)/float64(pieces), -0.15, float64(i+1)/float64(pieces), 1.15))
		if !ok || !vision.Warp(vision.Luma(p), h, width, pieceRows, view) {
			return nil
		}
		if s, ok := strokeOf(p, view, width, h); ok {
			out = append(out, s)
		}
	}
	return out
}

// strokeOf measures one piece; ok is false where it holds no print.
func strokeOf(p *appliance.Picture, view []byte, width int, h vision.Homography) (s stroke, ok bool) {
	levels := make([]float64, len(view))
	var steps []float64
	for i, v := range view {
		levels[i] = float64(v)
		if i%width > 0 {
			steps = append(steps, math.Abs(float64(v)-float64(view[i-1])))
		}
	}
	s.paper, s.ink = quantile(levels, 0.9), quantile(levels, 0.05)
	if s.paper-s.ink < 25 {
		return s, false
	}
	s.edge = math.Log((quantile(steps, 0.97) + 1) / (s.paper - s.ink))
	// Noise is looked for in the picture's own pixels.
	var rough []float64
	for i := range 6 {
		c := h.Apply(appliance.Point{X: (float64(i%3) + 0.5) / 3 * float64(width), Y: (float64(i/3) + 0.5) / 2 * pieceRows})
		x, y := int(c.X)-grainSide/2, int(c.Y)-grainSide/2
		if x >= 1 && y >= 1 && x+grainSide < p.Width-1 && y+grainSide < p.Height-1 {
			rough = append(rough, roughness(vision.Luma(p), x, y))
		}
	}
	s.noise = quantile(rough, 0)
	return s, len(rough) > 0
}

// fieldMeasures compares the pieces of each printed field with one another, and the fields with one another: the largest
// deviation from the median of noise, of paper and ink in shares of the contrast, and of the edges' steepness, first
// within a field, then between fields. It is for kinds all of whose fields are printed alike: on
// licences labels, numbers and boxes differ from the start, so that of 100 genuine backs of vehicle licences five would be called
// altered (24 November 2026). ok is false with fewer than two fields that can be looked at.
func fieldMeasures(p *appliance.Picture, doc appliance.Document) ([]float64, bool) {
	out := make([]float64, 8)
	var fields []stroke
	seen := map[appliance.Quad]bool{{}: true}
	for _, f := range doc.Fields {
		if seen[f.Quad] || len(f.DerivedFrom) > 0 {
			continue
		}
		seen[f.Quad] = true
		pieces := strokesOf(p, f.Quad)
		if len(pieces) == 0 {
			continue
		}
		fields = append(fields, medianOf(pieces))
		if len(pieces) >= 3 {
			raise(out[:4], pieces)
		}
	}
	if len(fields) < 2 {
		return nil, false
	}
	raise(out[4:], fields)
	return out, true
}

// medianOf is the median of each measure.
func medianOf(s []stroke) stroke {
	var v [4][]float64
	for _, x := range s {
		for i, m := range [4]float64{x.noise, x.paper, x.ink, x.edge} {
			v[i] = append(v[i], m)
		}
	}
	return stroke{quantile(v[0], 0.5), quantile(v[1], 0.5), quantile(v[2], 0.5), quantile(v[3], 0.5)}
}

// raise lifts the four measures to the largest deviations of strokes from their medians.
func raise(out []float64, s []stroke) {
	m := medianOf(s)
	contrast := max(m.paper-m.ink, 25)
	for _, x := range s {
		for i, v := range [4]float64{math.Abs(apart(x.noise, m.noise)), math.Abs(x.paper-m.paper) / contrast, math.Abs(x.ink-m.ink) / contrast, math.Abs(x.edge - m.edge)} {
			out[i] = max(out[i], v)
		}
	}
}
