package card

import (
	"context"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// vital are the fields of a licence of which at least one is printed on every card, near its foot or its head.
func vital(k appliance.Kind) []string {
	return map[appliance.Kind][]string{
		appliance.DrivingLicense:  {"issuenceDate", "expiryDate"},
		appliance.CarLicenseFront: {"issuance", "expiry"},
		appliance.CarLicenseBack:  {"chasis", "motor"},
	}[k]
}

// lacking tells whether none of the vital fields of a licence was read.
func lacking(d appliance.Document) bool {
	return licence(d.Kind) && !slices.ContainsFunc(vital(d.Kind), func(name string) bool { return d.Field(name).Value != "" })
}

// readBeyond reads a licence that lacks its vital fields once more with the print close below its outline, or above it: the outline may end at a rule or where a
// band begins, since not all licences have the shape of cards. It returns what that gives where it has such a field, in doubt where the picture does not show the
// sides of the wider outline.
func (r *Reader) readBeyond(ctx context.Context, s *scene, f outline.Found, read appliance.Document, named bool, others []appliance.Quad, earlier []appliance.Document,
	watch *stopwatch) (appliance.Document, bool, error) {
	f.Quad = read.Quad
	for _, down := range []float64{mostBeyond, -mostBeyond} {
		wider, found, err := r.widerBy(ctx, s, f, down, others)
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
		if d.Kind != read.Kind || lacking(d) {
			continue
		}
		if wider.Visible() < f.Visible()-lessSeen {
			(&editor{Document: &d}).doubt(vital(d.Kind)...)
		}
		return d, says, nil
	}
	return read, named, nil
}

// mostBeyond is how far from an outline, in heights of the card, its print may go on.
const mostBeyond = 0.35

// widerBy returns an outline that also holds the print within so many heights of the card below the one that was found, or above where down is negative.
// found is false where there is none.
func (r *Reader) widerBy(ctx context.Context, s *scene, f outline.Found, down float64, others []appliance.Quad) (wider outline.Found, found bool, err error) {
	v, ok := layFlat(f)
	if !ok {
		return f, false, nil
	}
	moved, shift := v, down*viewHeight
	moved.toPicture = v.toPicture.Mul(vision.Homography{1, 0, 0, 0, 1, shift, 0, 0, 1})
	lines, err := r.linesOf(ctx, s, moved, v.magnification(), others)
	if err != nil {
		return f, false, err
	}
	var beyond run
	top, bottom := 0.0, float64(viewHeight)
	for _, l := range lines {
		y := (l.Start.Y+l.End.Y)/2 + shift
		if min(l.Start.X, l.End.X) < v.left || max(l.Start.X, l.End.X) > viewWidth || y > 0 == (y < viewHeight) || y > 0 != (down > 0) {
			continue
		}
		l.Start.Y, l.End.Y = l.Start.Y+shift, l.End.Y+shift
		beyond = append(beyond, text.Line{Start: l.Start, End: l.End, Height: l.Height})
		top, bottom = min(top, y-1.5*l.Height), max(bottom, y+1.5*l.Height)
	}
	if len(beyond) == 0 {
		return f, false, nil
	}
	about := v.toPicture.ApplyQuad(vision.RectQuad(v.left, top, viewWidth, bottom))
	if wider, err = r.Finder.Again(ctx, s.Picture, f, about); err != nil {
		return f, false, err
	}
	if !beyond.within(wider.Quad, v.toPicture) {
		wider = f
		wider.Quad, wider.Edges = about, [4]float64{}
	}
	return wider, true, nil
}
