package card

import (
	"context"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/block"
	"github.com/bawab/bawab/inference/doubt"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/stopwatch"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// readBeyond reads a licence once more with the text close beyond a side of its outline: below and above it where it lacks its vital
// fields, since the outline may end at a rule or where a band begins, left and right of it, where a booklet has its other page, beyond
// each side that the picture does not show, as of a sheet that lies on another of its colour, above it where it lacks its title, and
// below it where it lacks one of its vital fields. It returns what that gives where it has such a field, or more values and all that
// were read surely before; in doubt where the picture does not show the sides of the wider outline.
func (r *Reader) readBeyond(ctx context.Context, s *scene, f outline.Found, read appliance.Document, named bool, others []appliance.Quad, earlier []appliance.Document,
	watch *stopwatch.Watch,
) (appliance.Document, bool, error) {
	seen := f.Visible()
	for _, side := range r.sidesBeyond(s.luma, read) {
		f.Quad = read.Quad
		others := withoutPage(others, f.Quad, side, r.lacking(read))
		reach := mostBeyond
		if pageBeyond(side, r.lacking(read)) {
			reach = otherPage
		}
		wider, found, err := r.widerBy(ctx, s, f, side, reach, others)
		if err != nil {
			return read, named, err
		}
		if !found {
			continue
		}
		d, says, err := r.readCard(ctx, s, wider, others, earlier, watch)
		if err != nil {
			return read, named, ctx.Err()
		}
		if d.Kind != read.Kind || r.lacking(d) || !r.lacking(read) && !addsTo(d, read) {
			continue
		}
		if wider.Visible() < seen-lessSeen {
			if r.lacking(read) {
				doubt.Fields(&d, r.marks(d.Kind).Vital...)
			} else {
				doubt.Fields(&d, added(d, read)...)
			}
		}
		read, named = d, says
	}
	return read, named, nil
}

// readTitled reads what looks like a card with a title, but does not say so, once more with the text close above its outline, which may end
// below a band with the titles. It returns what that gives if the titles are there and a number, else what was read before.
func (r *Reader) readTitled(ctx context.Context, s *scene, f outline.Found, read appliance.Document, covers []appliance.Quad, earlier []appliance.Document,
	watch *stopwatch.Watch,
) (d appliance.Document, titled bool, err error) {
	if by := r.of(read.Kind); by == nil || by.Marks.ByPrint() || len(by.Titles) == 0 || !anyValue(read) {
		return read, false, nil
	}
	wider, found, err := r.widerBy(ctx, s, f, sideTop, mostBeyond, covers)
	if err != nil || !found {
		return read, false, err
	}
	if d, titled, err = r.readCard(ctx, s, wider, covers, earlier, watch); err != nil || !titled || !r.numbered(d) {
		return read, false, ctx.Err()
	}
	return d, true, nil
}

// The sides of an outline, by their place in outline.Found.Edges.
const (
	sideTop = iota
	sideRight
	sideBottom
	sideLeft
)

// hardlySeen is the evidence for a side of an outline under which the picture does not show it, and clearSide that from which on it surely does: a row of text may look
// like a side, too.
const (
	hardlySeen = 0.3
	clearSide  = 0.6
)

// sidesBeyond are the sides of the outline of a licence beyond which its text may go on.
func (k Kinds) sidesBeyond(luma vision.Plane, read appliance.Document) (sides []int) {
	if k.lacking(read) {
		return []int{sideBottom, sideTop, sideLeft, sideRight}
	}
	edges := outline.Sides(luma, read.Quad)
	unseen := slices.ContainsFunc(edges[:], func(seen float64) bool { return seen >= 0 && seen < hardlySeen })
	for side, seen := range edges {
		if unseen && seen >= 0 && seen < clearSide || side == sideTop && k.marks(read.Kind).Headless(read) ||
			side == sideBottom && k.marks(read.Kind).Wanting(read) {
			sides = append(sides, side)
		}
	}
	return sides
}

// addsTo reports whether a reading has values that another one lacks, at least three for each that is sure in that and missing or another in this, longer ones aside.
func addsTo(d, before appliance.Document) bool {
	const enough = 3
	changed := 0
	for _, f := range before.Fields {
		if f.Value != "" && !strings.Contains(d.Field(f.Name).Value, f.Value) && !before.Flagged(f.Name, appliance.CodeLowConfidence) {
			changed++
		}
	}
	more := len(added(d, before))
	return valued(d) > valued(before) && more > 0 && more >= enough*changed
}

// added are the fields in which a reading has values that another one lacks.
func added(d, before appliance.Document) (names []string) {
	for _, f := range d.Fields {
		if f.Value != "" && before.Field(f.Name).Value == "" {
			names = append(names, f.Name)
		}
	}
	return names
}

// mostBeyond is how far from an outline, as a share of the card's extent, its text may go on, and otherPage how far where that may be a page of a booklet.
const (
	mostBeyond = 0.35
	otherPage  = 1.0
)

// pageBeyond reports whether the other page of a booklet may lie beyond a side of a licence: left or right of one that lacks its vital fields.
func pageBeyond(side int, lacking bool) bool {
	return lacking && (side == sideLeft || side == sideRight)
}

// withoutPage leaves the other page of a booklet out of the outlines of other documents: one that has such a side of the licence in common.
func withoutPage(others []appliance.Quad, q appliance.Quad, common int, lacking bool) []appliance.Quad {
	const near = 0.15 // of the height
	if !pageBeyond(common, lacking) {
		return others
	}
	tall := (side(q, sideLeft) + side(q, sideRight)) / 2
	return slices.DeleteFunc(slices.Clone(others), func(o appliance.Quad) bool {
		for turn := range 4 { // it may have been outlined in any way
			a, b := o[turn], o[(turn+1)%4]
			top, bottom := q[1], q[2]
			if common == sideLeft {
				top, bottom, a, b = q[0], q[3], b, a
			}
			if max(vision.Distance(b, top), vision.Distance(a, bottom)) < near*tall {
				return true
			}
		}
		return false
	})
}

// widerBy returns an outline that also holds the text beyond a side of the one that was found, as far as reach. found is false where there is none.
func (r *Reader) widerBy(ctx context.Context, s *scene, f outline.Found, side int, reach float64, others []appliance.Quad) (wider outline.Found, found bool, err error) {
	v, ok := layFlat(f)
	if !ok {
		return f, false, nil
	}
	box := struct{ left, top, right, bottom float64 }{v.left, 0, viewWidth, viewHeight}
	shift := map[int]appliance.Point{
		sideTop: {Y: -reach * viewHeight}, sideBottom: {Y: reach * viewHeight}, sideLeft: {X: reach * (v.left - viewWidth)}, sideRight: {X: reach * (viewWidth - v.left)},
	}[side]
	moved := v
	moved.toPicture = v.toPicture.Mul(vision.Homography{1, 0, shift.X, 0, 1, shift.Y, 0, 0, 1})
	lines, err := r.linesOf(ctx, s, moved, r.magnification(v), others)
	if err != nil {
		return f, false, err
	}
	var beyond block.Lines
	for _, l := range lines {
		l = text.Line{Start: plus(l.Start, shift), End: plus(l.End, shift), Height: l.Height}
		x, y, room := (l.Start.X+l.End.X)/2, (l.Start.Y+l.End.Y)/2, 1.5*l.Height
		low, high := min(l.Start.X, l.End.X), max(l.Start.X, l.End.X)
		switch level, below := y > 0 && y < viewHeight, low >= v.left && high <= viewWidth; {
		case side == sideTop && below && y <= 0:
			box.top = min(box.top, y-room)
		case side == sideBottom && below && y >= viewHeight:
			box.bottom = max(box.bottom, y+room)
		case side == sideLeft && level && x <= v.left:
			box.left = min(box.left, low-room)
		case side == sideRight && level && x >= viewWidth:
			box.right = max(box.right, high+room)
		default:
			continue
		}
		beyond = append(beyond, l)
	}
	if len(beyond) == 0 {
		return f, false, nil
	}
	about := v.toPicture.ApplyQuad(vision.RectQuad(box.left, box.top, box.right, box.bottom))
	if wider, err = r.Finder.Again(ctx, s.Picture, f, about); err != nil {
		return f, false, err
	}
	if !beyond.Within(wider.Quad, v.toPicture) {
		wider = f
		wider.Quad, wider.Edges = about, [4]float64{}
	}
	return wider, true, nil
}

func plus(a, b appliance.Point) appliance.Point { return appliance.Point{X: a.X + b.X, Y: a.Y + b.Y} }
