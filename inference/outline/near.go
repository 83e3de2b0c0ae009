package outline

import (
	"context"
	"math"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/sheet"
	"github.com/bawab/bawab/inference/vision"
)

// nearDocuments is how many of the largest documents are looked at from near, each at most nearLooks times, until its
// outline stays within settled of its size. The reader of plates finds its way in a rough outline: settledPlate will do.
const (
	nearDocuments = 9 // one more than are read of one picture
	nearLooks     = 3
	settled       = 0.03
	settledPlate  = 0.12
	// strayed is how far looks from near may lead a corner, in sizes of the document, before their outline is compared with the first.
	strayed = 0.2
)

// nearSide is the length in input pixels of the longer side of a document at the second look.
const nearSide = 208

// approach looks at one document from near.
func (f *Finder) approach(ctx context.Context, s *finderScratch, p *appliance.Picture, c *candidate) error {
	c.quad = sheet.Sidewise(p, c.quad, shapesOf(c.class()))
	far := *c
	if err := f.near(ctx, s, p, c); err != nil {
		return err
	}
	if astray(p, far, *c) {
		*c = far
	}
	return nil
}

// astray reports whether looks from near have lost their way: they lead far from the first outline, and the picture shows clearly less
// of the sides there.
func astray(p *appliance.Picture, far, near candidate) bool {
	if sheet.Farthest(far.quad, near.quad) < strayed*math.Sqrt(sheet.Area(far.quad)) {
		return false
	}
	after, _ := sheet.Visible(p, near.quad, shapesOf(near.class()))
	before, _ := sheet.VisibleAbove(p, far.quad, shapesOf(far.class()), after+sheet.MoreSides, nil)
	return before > after+sheet.MoreSides
}

// near looks at a candidate from near. The outline of a first look may be rough, so that it takes another to see the document whole
// and upright.
func (f *Finder) near(ctx context.Context, s *finderScratch, p *appliance.Picture, c *candidate) error {
	far := *c
	for range nearLooks {
		before := c.quad
		near, h, ok, err := f.closeLook(ctx, s, p, c.quad)
		if err != nil || !ok {
			return err
		}
		c.confirmed = true
		c.merge(far, near)
		c.quad = sheet.Best(p, shapesOf(c.class()), nil, before, h.ApplyQuad(near.quad), h.ApplyQuad(near.fitted), h.ApplyQuad(near.pointed))
		enough := settled
		if classKind(c.class()) == appliance.LicensePlate {
			enough = settledPlate
		}
		if sheet.Farthest(before, c.quad) < enough*math.Sqrt(sheet.Area(before)) {
			return nil
		}
	}
	return nil
}

// closeLook looks at one document cut out by its corners, where it is larger and upright if they are right. It returns
// what lies there and the map of its quad to the picture; ok is false when nothing does.
func (f *Finder) closeLook(ctx context.Context, s *finderScratch, p *appliance.Picture, q appliance.Quad) (
	near candidate, h vision.Homography, ok bool, err error,
) {
	h, target, ok := closeView(q)
	if !ok || !vision.Warp(vision.Luma(p), h, finderSide, finderSide, s.planes[0]) {
		return near, h, false, nil
	}
	if cb, cr, ok := vision.Chroma(p); ok {
		small := vision.ToChroma(p).Mul(h).Mul(vision.Homography{2, 0, 0, 0, 2, 0, 0, 0, 1})
		if !s.coarse(cb, small, s.planes[1]) || !s.coarse(cr, small, s.planes[2]) {
			return near, h, false, nil
		}
	} else {
		colourless(s, finderSide, finderSide)
	}
	if err := f.look(ctx, s); err != nil {
		return near, h, false, err
	}
	const farthestMiddle = 0.25 * nearSide
	least := math.Inf(1)
	for _, c := range s.candidates(h, float64(p.Width), float64(p.Height)) {
		ratio, off := sheet.Area(c.quad)/sheet.Area(target), cornersApart(c.quad, target)
		if !c.known() {
			off += sameQuad // where cells of a known kind point to the same, these know better
		}
		if off < least && sheet.Span(vision.Middle(c.quad), vision.Middle(target)) < farthestMiddle && ratio > 0.5 && ratio < 1.8 {
			near, least = c, off
		}
	}
	return near, h, !math.IsInf(least, 1), nil
}

// coarse cuts a chroma plane out at half the side of the input, since that is as fine as photographs hold it, and writes each
// sample four times; false where h makes no sense.
func (s *finderScratch) coarse(plane vision.Plane, h vision.Homography, out []byte) bool {
	const half = finderSide / 2
	if !vision.Warp(plane, h, half, half, s.half) {
		return false
	}
	for y := range finderSide {
		row, from := out[y*finderSide:][:finderSide], s.half[y/2*half:][:half]
		for x, v := range from {
			row[2*x], row[2*x+1] = v, v
		}
	}
	return true
}

// closeView returns the map from the input square of the second look to the picture, and where it puts the document.
func closeView(q appliance.Quad) (h vision.Homography, target appliance.Quad, ok bool) {
	w := sheet.Span(q[0], q[1]) + sheet.Span(q[3], q[2])
	hgt := sheet.Span(q[0], q[3]) + sheet.Span(q[1], q[2])
	scale := nearSide / max(w, hgt)
	// A document seen from the side looks flatter than it is; none of the contract's is flatter than a plate.
	w, hgt = max(w*scale, nearSide/2.5), max(hgt*scale, nearSide/2.5)
	h, ok = vision.RectToQuad(w, hgt, q)
	if !ok {
		return h, target, false
	}
	x, y := (finderSide-w)/2, (finderSide-hgt)/2
	target = appliance.Quad{{X: x, Y: y}, {X: x + w, Y: y}, {X: x + w, Y: y + hgt}, {X: x, Y: y + hgt}}
	return h.Mul(vision.Homography{1, 0, -x, 0, 1, -y, 0, 0, 1}), target, true
}
