package scene

import (
	"context"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/block"
	"github.com/bawab/bawab/inference/sheet"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// Side is a side of an outline, by its place in outline.Found.Edges.
type Side int

// The sides, clockwise.
const (
	Top Side = iota
	Right
	Bottom
	Left
)

// length is how long a side of a quad is.
func length(q appliance.Quad, s Side) float64 { return vision.Distance(q[s], q[(s+1)%4]) }

// hardlySeen is the evidence for a side of an outline under which the picture does not show it, and clearSide that from which on it surely
// does: a row of text may look like a side, too.
const (
	hardlySeen = 0.3
	clearSide  = 0.6
)

// OpenSides tells beyond which sides of an outline a document may go on: where the picture hardly shows one of them, those of which it is
// not sure.
func (s *Scene) OpenSides(q appliance.Quad) (open [4]bool) {
	edges := sheet.Sides(s.Luma, q)
	unseen := slices.ContainsFunc(edges[:], func(seen float64) bool { return seen >= 0 && seen < hardlySeen })
	for side, seen := range edges {
		open[side] = unseen && seen >= 0 && seen < clearSide
	}
	return open
}

// WithoutPage leaves the other page of a booklet out of the outlines of other documents: one that has a side, left or right, in common with
// that whose outline q is.
func WithoutPage(others []appliance.Quad, q appliance.Quad, common Side) []appliance.Quad {
	const near = 0.15 // of the height
	tall := (length(q, Left) + length(q, Right)) / 2
	return slices.DeleteFunc(slices.Clone(others), func(o appliance.Quad) bool {
		for turn := range 4 { // it may have been outlined in any way
			a, b := o[turn], o[(turn+1)%4]
			top, bottom := q[1], q[2]
			if common == Left {
				top, bottom, a, b = q[0], q[3], b, a
			}
			if max(vision.Distance(b, top), vision.Distance(a, bottom)) < near*tall {
				return true
			}
		}
		return false
	})
}

// Wider returns a card with an outline that also holds the text beyond a side of the one that was found, as far as reach, a share of the
// card's extent. found is false where there is none.
func (e *Viewer) Wider(ctx context.Context, s *Scene, c Card, side Side, reach float64) (wider Card, found bool, err error) {
	v, ok := LayFlat(c)
	if !ok {
		return c, false, nil
	}
	shift := v.shift(side, reach)
	moved := v
	moved.ToPicture = v.ToPicture.Mul(vision.Homography{1, 0, shift.X, 0, 1, shift.Y, 0, 0, 1})
	lines, err := e.linesOf(ctx, s, moved)
	if err != nil {
		return c, false, err
	}
	for i, l := range lines {
		lines[i] = text.Line{Start: plus(l.Start, shift), End: plus(l.End, shift), Height: l.Height}
	}
	box, beyond := v.beyond(side, lines)
	if len(beyond) == 0 {
		return c, false, nil
	}
	about := v.ToPicture.ApplyQuad(box)
	wider = c
	if wider.Found, err = e.Finder.Again(ctx, s.Picture, c.Found, about); err != nil {
		return c, false, err
	}
	if !beyond.Within(wider.Quad, v.ToPicture) {
		wider = c
		wider.Quad, wider.Edges = about, [4]float64{}
	}
	return wider, true, nil
}

// shift is where a view lies that shows what is beyond a side, as far as reach.
func (v Flat) shift(side Side, reach float64) appliance.Point {
	switch side {
	case Top:
		return appliance.Point{Y: -reach * viewHeight}
	case Bottom:
		return appliance.Point{Y: reach * viewHeight}
	case Left:
		return appliance.Point{X: reach * (v.left - viewWidth)}
	}
	return appliance.Point{X: reach * (viewWidth - v.left)}
}

// beyond are those of the lines that lie beyond a side of the view, and what holds the view and them.
func (v Flat) beyond(side Side, lines []text.Line) (box appliance.Quad, beyond block.Lines) {
	left, top, right, bottom := v.left, 0.0, float64(viewWidth), float64(viewHeight)
	for _, l := range lines {
		if !v.liesBeyond(side, l) {
			continue
		}
		y, room := (l.Start.Y+l.End.Y)/2, 1.5*l.Height
		switch side {
		case Top:
			top = min(top, y-room)
		case Bottom:
			bottom = max(bottom, y+room)
		case Left:
			left = min(left, min(l.Start.X, l.End.X)-room)
		case Right:
			right = max(right, max(l.Start.X, l.End.X)+room)
		}
		beyond = append(beyond, l)
	}
	return vision.RectQuad(left, top, right, bottom), beyond
}

// liesBeyond reports whether a line has its middle beyond a side of the view and lies level with it.
func (v Flat) liesBeyond(side Side, l text.Line) bool {
	x, y := (l.Start.X+l.End.X)/2, (l.Start.Y+l.End.Y)/2
	if side == Left || side == Right {
		level := y > 0 && y < viewHeight
		return level && (side == Left && x <= v.left || side == Right && x >= viewWidth)
	}
	within := min(l.Start.X, l.End.X) >= v.left && max(l.Start.X, l.End.X) <= viewWidth
	return within && (side == Top && y <= 0 || side == Bottom && y >= viewHeight)
}

func plus(a, b appliance.Point) appliance.Point { return appliance.Point{X: a.X + b.X, Y: a.Y + b.Y} }
