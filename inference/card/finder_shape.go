package card

import (
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

const (
	// sameOutline is the distance between the corners of two outlines, as a share of their size, up to which the search
	// for the sides leads from both to the same.
	sameOutline = 0.012
	// By how much more, of four sides in all, another outline must be seen to be believed. Other sheets than cards have
	// straight frames in their print that look like sides, and no known shape.
	clearlyBetterCard, clearlyBetterSheet = 0.15, 0.45
	// oddShape is how far, as a logarithm, the shape of a card may seem to be off, since the lens is not known, and
	// shapeWeight how many visible sides each further unit counts against.
	oddShape    = 0.09
	shapeWeight = 6
)

// bestOutline returns the outline of which the picture shows the sides best, of those that differ from the first
// sensible one and of those that a card of the format ID-1 would have in their place; without one it returns otherwise.
// The first is believed unless another is clearly better.
func bestOutline(p *appliance.Picture, card bool, otherwise appliance.Quad, all ...appliance.Quad) appliance.Quad {
	all = slices.DeleteFunc(all, func(q appliance.Quad) bool { return !convexQuad(q) })
	if len(all) == 0 {
		return otherwise
	}
	lead := clearlyBetterSheet
	if card {
		lead = clearlyBetterCard
		for _, q := range slices.Clone(all) {
			all = append(all, reshaped(p, q)...)
		}
	}
	best, most := all[0], math.Inf(-1)
	for i, q := range all[1:] {
		if slices.ContainsFunc(all[:i+1], func(o appliance.Quad) bool { return farthest(q, o) < sameOutline*math.Sqrt(quadArea(o)) }) {
			continue
		}
		if math.IsInf(most, -1) {
			most = visibleSides(p, all[0], card) + lead
		}
		if sides := visibleSides(p, q, card); sides > most {
			best, most = q, sides
		}
	}
	return best
}

// visibleSides sums up the evidence for the sides of an outline, where one beyond the picture counts half; what cannot be
// a card of the format ID-1, if one is looked for, counts less.
func visibleSides(p *appliance.Picture, q appliance.Quad, card bool) (sum float64) {
	if !convexQuad(q) {
		return 0
	}
	q, edges := refine(vision.Luma(p), q)
	for _, e := range edges {
		if e == OutOfPicture {
			e = 0.5
		}
		sum += e
	}
	if card {
		sum -= shapeWeight * max(0, math.Abs(oddness(p, q))-oddShape)
	}
	return sum
}

// idOne tells whether documents of a class have the format ID-1 of ISO/IEC 7810.
func idOne(class int) bool {
	kind := classKind(class)
	return kind == appliance.NationalIDFront || kind == appliance.NationalIDBack || kind == appliance.DrivingLicense
}

// idOneShape is the width of such a card by its height.
const idOneShape = 85.60 / 53.98

// oddness is the logarithm of how much wider for its height than a card of the format ID-1 an outline is on the plane
// that it lies in, as a lens of usual focal length shows it.
func oddness(p *appliance.Picture, q appliance.Quad) float64 {
	h, ok := vision.RectToQuad(1, 1, q)
	if !ok {
		return 0
	}
	focal := float64(max(p.Width, p.Height))
	length := func(column int) float64 {
		// A column of the homography with the lens taken off.
		z := h[6+column]
		x := (h[column] - z*float64(p.Width)/2) / focal
		y := (h[3+column] - z*float64(p.Height)/2) / focal
		return math.Sqrt(x*x + y*y + z*z)
	}
	return math.Log(length(0) / (length(1) * idOneShape))
}

// reshaped returns what a card would be if one side of an odd outline were wrong, for each of its sides. All of them lie
// in the picture: of a card that was cut off too little is seen to tell its shape.
func reshaped(p *appliance.Picture, q appliance.Quad) []appliance.Quad {
	const oddest = 0.5
	odd := oddness(p, q)
	h, ok := vision.RectToQuad(1, 1, q)
	if !ok || math.Abs(odd) < oddShape || math.Abs(odd) > oddest {
		return nil
	}
	w, hgt := math.Exp(-odd), math.Exp(odd) // what each alone would have to be
	var all []appliance.Quad
	for _, r := range [...][4]float64{{0, 0, w, 1}, {1 - w, 0, 1, 1}, {0, 0, 1, hgt}, {0, 1 - hgt, 1, 1}} {
		all = append(all, h.ApplyQuad(appliance.Quad{{X: r[0], Y: r[1]}, {X: r[2], Y: r[1]}, {X: r[2], Y: r[3]}, {X: r[0], Y: r[3]}}))
	}
	return slices.DeleteFunc(all, func(q appliance.Quad) bool {
		return !convexQuad(q) || seenArea(q, float64(p.Width), float64(p.Height)) < 0.995*quadArea(q)
	})
}
