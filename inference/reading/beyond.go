package reading

import (
	"context"
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/doubt"
	"github.com/bawab/bawab/inference/scene"
)

// readBeyond reads a licence once more with the text close beyond a side of its outline: below and above it where it lacks its vital
// fields, since the outline may end at a rule or where a band begins, left and right of it, where a booklet has its other page, beyond
// each side that the picture does not show, as of a sheet that lies on another of its colour, above it where it lacks its title, and
// below it where it lacks one of its vital fields. It returns what that gives where it has such a field, or more values and all that
// were read surely before; in doubt where the picture does not show the sides of the wider outline.
func (r *Reader) readBeyond(
	ctx context.Context, s *scene.Scene, i int, read appliance.Document, named bool,
) (appliance.Document, bool, error) {
	c, others := scene.Card{Found: s.Found[i]}, s.Beside(i)
	seen := c.Visible()
	for _, side := range r.sidesBeyond(s, read) {
		c.Quad, c.Covers = read.Quad, others
		reach := mostBeyond
		if pageBeyond(side, r.lacking(read)) {
			c.Covers, reach = scene.WithoutPage(others, c.Quad, side), otherPage
		}
		wider, found, err := r.view.Wider(ctx, s, c, side, reach)
		if err != nil {
			return read, named, err
		}
		if !found {
			continue
		}
		d, says, err := r.readCard(ctx, s, wider)
		if err != nil {
			return read, named, ctx.Err()
		}
		if d.Kind != read.Kind || r.lacking(d) || !r.lacking(read) && !addsTo(d, read) {
			continue
		}
		if scene.ShowsLess(wider.Found, seen) {
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
func (r *Reader) readTitled(
	ctx context.Context, s *scene.Scene, c scene.Card, read appliance.Document,
) (d appliance.Document, titled bool, err error) {
	if by := r.of(read.Kind); by == nil || by.Marks.ByPrint() || len(by.Titles) == 0 || !AnyValue(read) {
		return read, false, nil
	}
	wider, found, err := r.view.Wider(ctx, s, c, scene.Top, mostBeyond)
	if err != nil || !found {
		return read, false, err
	}
	if d, titled, err = r.readCard(ctx, s, wider); err != nil || !titled || !r.Numbered(d) {
		return read, false, ctx.Err()
	}
	return d, true, nil
}

// sidesBeyond are the sides of the outline of a licence beyond which its text may go on.
func (k Kinds) sidesBeyond(s *scene.Scene, read appliance.Document) (sides []scene.Side) {
	if k.lacking(read) {
		return []scene.Side{scene.Bottom, scene.Top, scene.Left, scene.Right}
	}
	for i, open := range s.OpenSides(read.Quad) {
		side := scene.Side(i)
		if open || side == scene.Top && k.marks(read.Kind).Headless(read) || side == scene.Bottom && k.marks(read.Kind).Wanting(read) {
			sides = append(sides, side)
		}
	}
	return sides
}

// addsTo reports whether a reading has values that another one lacks, at least three for each that is sure in that and missing or another
// in this, longer ones aside.
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

// mostBeyond is how far from an outline, as a share of the card's extent, its text may go on, and otherPage how far where that may be a
// page of a booklet.
const (
	mostBeyond = 0.35
	otherPage  = 1.0
)

// pageBeyond reports whether the other page of a booklet may lie beyond a side of a licence: left or right of one that lacks its vital
// fields.
func pageBeyond(side scene.Side, lacking bool) bool {
	return lacking && (side == scene.Left || side == scene.Right)
}
