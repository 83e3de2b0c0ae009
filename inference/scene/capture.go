package scene

import (
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/doubt"
	"github.com/bawab/bawab/inference/sheet"
	"github.com/bawab/bawab/inference/vision"
)

// What a picture must offer for its text to be read reliably, at the scale of the view, which is about that of the
// recognisers' strips.
const (
	// sharpPrint is the sharpness of a card's text in focus; blurredPrint is where names begin to fail.
	sharpPrint   = 0.5
	blurredPrint = 0.12
	// glared is the share of burnt-out card from which on a field is likely to be hit.
	glared = 0.02
	// smallCard is the width in pixels under which the dots of letters run together.
	smallCard = 330
	// edgeMargin is how close, in pixels, a corner may come to the picture's edge before the card counts as cut off.
	edgeMargin = 1
)

// Capture judges how well a picture shows a card, or the page of a passport.
func Capture(p *appliance.Picture, c Card) appliance.Capture {
	view := vision.Plane{Pix: make([]byte, viewWidth*viewHeight), Width: viewWidth, Height: viewHeight, Stride: viewWidth}
	toPicture, _ := FromView(c.Quad)
	vision.Warp(vision.Luma(p), toPicture, viewWidth, viewHeight, view.Pix)
	sharpness := vision.Sharpness(view)
	hides := func(q appliance.Quad) bool { return sheet.Overlap(c.Quad, q) > doubt.Rows }
	out := appliance.Capture{
		Sharpness: min(1, sharpness/sharpPrint),
		Glare:     vision.GlareFraction(view),
		CutOff:    !c.CutOut && (c.CutOff() || cutOff(p, c.Quad)),
		Covered:   c.Covered() || slices.ContainsFunc(c.Covers, hides),
		TooSmall:  max(length(c.Quad, Top), length(c.Quad, Bottom)) < smallCard,
	}
	out.Glared = out.Glare > glared
	out.Blurred = sharpness < blurredPrint && !out.TooSmall
	out.Advice = advice(out)
	return out
}

// cutOff reports whether a corner lies outside the picture or on its edge.
func cutOff(p *appliance.Picture, q appliance.Quad) bool {
	for _, c := range q {
		if c.X < edgeMargin || c.Y < edgeMargin || c.X > float64(p.Width)-edgeMargin || c.Y > float64(p.Height)-edgeMargin {
			return true
		}
	}
	return false
}

// advice says what to change first: what hides most comes first, and of a thumbnail nothing can be read however it lies.
func advice(c appliance.Capture) string {
	switch {
	case c.TooSmall:
		return "The document is too small in the picture: move closer until it fills most of it."
	case c.CutOff:
		return "Part of the document lies outside the picture: move back until all four corners can be seen."
	case c.Covered:
		return "Something lies on part of the document: show each document by itself."
	case c.Glared:
		return "A reflection hides part of the document: tilt it or turn off the flash until the bright spot is gone."
	case c.Blurred:
		return "The picture is blurred: hold the camera still, let it focus and take the picture again."
	}
	return ""
}
