package card

import (
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

const (
	// leastOverlap is the share of a document that another must lie on: below it their outlines are only a little off.
	leastOverlap = 0.006
	// plainlyAbove is by how much the outline of the upper of two documents must stand out more, on the scale of
	// edgeWithin, for the order to be plain.
	plainlyAbove = 0.15
	// hiddenRows is the share of a card from which on rows of its print may be hidden altogether, so that those left are
	// taken for each other.
	hiddenRows = 0.02
	// coveredReach is how far beyond its place, in its heights, a field may go on under another document: over a gap
	// between words.
	coveredReach = 2.5
)

// covers returns the outlines of the documents that lie on the i-th one. Where the picture does not tell which of two
// lies above, each covers the other: what lies on both is read for neither.
func (s *scene) covers(i int) []appliance.Quad {
	own := s.found[i].Quad
	var out []appliance.Quad
	for j, f := range s.found {
		if j == i || !f.outlined() || max(overlap(own, f.Quad), overlap(f.Quad, own)) < leastOverlap {
			continue
		}
		above, crosses := edgeWithin(s.luma, f.Quad, own)
		below, crossed := edgeWithin(s.luma, own, f.Quad)
		if crosses && (!crossed || above > below-plainlyAbove) {
			out = append(out, f.Quad)
		}
	}
	return out
}

// outlined tells whether the picture shows at least two sides of the document.
func (f *Found) outlined() bool {
	sides := 0
	for _, e := range f.Edges {
		if e >= sideWeakest {
			sides++
		}
	}
	return sides >= 2
}

// overlap is the share of a that lies on b.
func overlap(a, b appliance.Quad) float64 {
	const steps = 32
	h, ok := vision.RectToQuad(steps, steps, a)
	if !ok {
		return 0
	}
	count := 0
	for y := range steps {
		for x := range steps {
			if contains(b, h.Apply(appliance.Point{X: float64(x) + 0.5, Y: float64(y) + 0.5})) {
				count++
			}
		}
	}
	return float64(count) / (steps * steps)
}

// edgeWithin says from 0 to 1 how well the outline of q stands out where it runs through another document: the grey
// levels' steps across it that go the same way all along. runs is false where it does not run through it.
func edgeWithin(p vision.Plane, q, other appliance.Quad) (sure float64, runs bool) {
	const samples, half, apart = 96, 3, 1.5
	strength, count := 0.0, 0
	for i := range q {
		side := straight{q[i], q[(i+1)%4]}
		var steps [2*half + 1]float64
		n := 0
		for k := range samples {
			t := (float64(k) + 0.5) / samples
			if !contains(other, side.at(t, 0)) {
				continue
			}
			n++
			for d := range steps {
				outer, inner := side.at(t, float64(d-half)+apart), side.at(t, float64(d-half)-apart)
				a, _ := lumaAt(p, outer.X, outer.Y)
				b, _ := lumaAt(p, inner.X, inner.Y)
				g := float64(a - b)
				steps[d] += g / (math.Abs(g) + sideSoftness)
			}
		}
		best := 0.0
		for _, s := range steps {
			best = max(best, math.Abs(s))
		}
		strength, count = strength+best, count+n
	}
	return strength / max(float64(count), 1), count > 0
}

// uncovered leaves out the lines that have their middle on a document that lies above; toPicture maps the
// lines to the picture.
func uncovered(lines []text.Line, toPicture vision.Homography, covers []appliance.Quad) []text.Line {
	if len(covers) == 0 {
		return lines
	}
	return slices.DeleteFunc(lines, func(l text.Line) bool {
		middle := toPicture.Apply(between(l.Start, l.End, 0.5))
		return slices.ContainsFunc(covers, func(q appliance.Quad) bool { return contains(q, middle) })
	})
}

// doubtCovered flags the fields of a document that touch what lies on it, and those that follow from them: part of their
// print may be hidden, and what is left may make sense all the same. Where much is hidden it flags all printed fields that
// no check speaks for, because their rows tell them apart.
func doubtCovered(d *appliance.Document, covers []appliance.Quad) {
	if len(covers) == 0 {
		return
	}
	much := slices.ContainsFunc(covers, func(q appliance.Quad) bool { return overlap(d.Quad, q) > hiddenRows })
	doubted := map[string]bool{}
	for _, f := range d.Fields {
		if f.Value != "" && f.Quad != (appliance.Quad{}) && (much && len(f.Checks) == 0 || touches(f.Quad, covers)) {
			doubted[f.Name] = true
		}
	}
	for range d.Fields { // what follows from a field may lead to further ones
		before := len(doubted)
		for _, f := range d.Fields {
			if slices.ContainsFunc(f.DerivedFrom, func(name string) bool { return doubted[name] }) {
				doubted[f.Name] = true
			}
		}
		if len(doubted) == before {
			break
		}
	}
	for _, f := range d.Fields {
		if doubted[f.Name] && f.Value != "" {
			d.Flag(f.Name, f.Value, appliance.CodeLowConfidence)
		}
	}
}

// touches tells whether a line of print, drawn out by coveredReach at both ends, runs onto one of the quads.
func touches(line appliance.Quad, quads []appliance.Quad) bool {
	const steps = 24
	left, right := between(line[0], line[3], 0.5), between(line[1], line[2], 0.5)
	reach := coveredReach * (span(line[0], line[3]) + span(line[1], line[2])) / 2 / max(span(left, right), 1)
	for k := range steps + 1 {
		t := -reach + (1+2*reach)*float64(k)/steps
		for _, edge := range [3]float64{0, 0.5, 1} {
			p := between(between(line[0], line[3], edge), between(line[1], line[2], edge), t)
			if slices.ContainsFunc(quads, func(q appliance.Quad) bool { return contains(q, p) }) {
				return true
			}
		}
	}
	return false
}
