package plate

import (
	"cmp"
	"context"
	"math"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt/plate"
	"github.com/bawab/bawab/inference/vision"
)

const field = "result"

// unreadable is the confidence under which a plate is not returned: it is then more likely wrong than right. Set by
// judgement on 20 November 2026; no data set is on record.
const unreadable = 0.3

// sureUnusual is the confidence under which a plate is flagged whose counts of signs or last letter no governorate uses: its owner
// chose it, or a sign is hidden, half hidden or none. On 27 November 2026 it flagged 3 more of 426 right plates, none of 265 real ones,
// and 10 of 47 that were wrong without a flag since a half of one sign was hidden (models/plates.md).
const sureUnusual = 0.9

// sure is the confidence from which on a plate is not flagged.
func (r *Reader) sure(p plate.Plate) float64 {
	if p.Governorate() == "" {
		return max(r.accept, sureUnusual)
	}
	return r.accept
}

// document turns what was settled into the service's document, once it is known whose plate it is. found is the outline before it was
// moved to where digits and letters say that the plate is, of which a diplomat's has no letters.
func (r *Reader) document(ctx context.Context, p *appliance.Picture, found, q appliance.Quad, got read) (appliance.Document, error) {
	got.category = category(p, q)
	if got.category == diplomatic {
		var err error
		if got.groups, err = r.diplomatic(ctx, p, found, q); err != nil {
			return appliance.Document{}, err
		}
	}
	return r.written(p, q, got), nil
}

// written is the document of a reading.
func (r *Reader) written(p *appliance.Picture, q appliance.Quad, got read) appliance.Document {
	d := appliance.Document{Kind: appliance.LicensePlate, Quad: q, Capture: capture(p, q)}
	f := appliance.Field{Name: field, Raw: got.Raw, Quad: got.place()}
	full := len(got.Plate.Letters) > 0
	if full {
		f.Checks = []appliance.FieldCheck{
			{Name: "plate_rules", Passed: got.Plate.Valid()},
			{Name: "usual_count", Passed: got.Plate.Governorate() != ""},
		}
	}
	c := got.category
	if c != "" {
		f.Checks = append(f.Checks, appliance.FieldCheck{Name: "category_" + c, Passed: true})
	}
	switch groups := got.groups; {
	case groups.Value != "" && groups.Confidence >= unreadable:
		f.Checks = []appliance.FieldCheck{{Name: "diplomatic_groups", Passed: true}, {Name: "category_" + c, Passed: true}}
		f.Value, f.Confidence, f.Characters = groups.Value, groups.Confidence, groups.Characters
		if groups.Confidence < max(r.accept, sureUnusual) {
			d.Flag(field, f.Value, appliance.CodeLowConfidence)
		}
	case got.Foreign:
		f.Checks = append(f.Checks, appliance.FieldCheck{Name: "plate_rules", Passed: false})
		d.Flag(field, "", appliance.CodePlateRule)
		d.Capture.Advice = cmp.Or(d.Capture.Advice, "This is no Egyptian plate, or a sign is hidden or mirrored: show the whole plate, clean and as it is.")
	case !full || got.Confidence < unreadable:
		d.Flag(field, "", appliance.CodeUnreadable)
		d.Capture.Advice = cmp.Or(d.Capture.Advice, "The plate cannot be read: show the whole plate, clean and upright, in a sharp picture.")
	default:
		f.Value, f.Confidence, f.Characters = got.Plate.String(), got.Confidence, got.Characters
		if got.Confidence < r.sure(got.Plate) || got.disputed() || got.joined || got.missed || c == diplomatic { // whose plates carry no letters
			d.Flag(field, f.Value, appliance.CodeLowConfidence)
		}
	}
	f.Checks = append(f.Checks, got.unread(f)...)
	d.Fields = []appliance.Field{f}
	return d
}

// place outlines the signs that were read, in the picture; zero where there are none.
func (g *read) place() appliance.Quad {
	if len(g.Printed) == 0 {
		return appliance.Quad{}
	}
	// Half of what a sign takes up, in the units of plate.Sign.
	const across, up = 0.1, 0.2
	left, top, right, bottom := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, s := range g.Printed {
		left, right = min(left, s.X-across), max(right, s.X+across)
		top, bottom = min(top, s.Y-up), max(bottom, s.Y+up)
	}
	return g.toPicture(vision.RectQuad(left, top, right, bottom))
}

// toPicture maps a quad in the units of plate.Sign to the picture.
func (g *read) toPicture(q appliance.Quad) appliance.Quad {
	for i := range q {
		q[i].X /= 2
	}
	return g.unit().ApplyQuad(q)
}

// unit maps the unit square of the plate to the picture.
func (g *read) unit() vision.Homography {
	fromPlate, _ := onPlate().Inverse()
	return g.view.Mul(fromPlate)
}

// smallPlate is the height in pixels under which the signs of a plate run together.
const smallPlate = 28

// sharpSigns is the sharpness of a plate's signs in focus, at the scale at which they are read: on 27 drawn plates of another generator (27 November 2026) those in good light
// have 0.2 to 0.6, dark and moved ones from 0.06, the sample 0.76 and, blurred by 4 pixels, 0.16.
const sharpSigns = 0.5

// sharpness is how sharp the signs of a plate are, from 0 to 1.
func sharpness(p *appliance.Picture, q appliance.Quad) float64 {
	view := vision.Plane{Pix: make([]byte, viewWidth*viewHeight), Width: viewWidth, Height: viewHeight, Stride: viewWidth}
	toPicture, ok := vision.RectToQuad(viewWidth, viewHeight, q)
	if !ok || !vision.Warp(vision.Luma(p), toPicture, viewWidth, viewHeight, view.Pix) {
		return 0
	}
	return min(1, vision.Sharpness(view)/sharpSigns)
}

// capture says what keeps a plate from being read well.
func capture(p *appliance.Picture, q appliance.Quad) appliance.Capture {
	c := appliance.Capture{Sharpness: sharpness(p, q)}
	for _, corner := range q {
		const slack = 2
		c.CutOff = c.CutOff || corner.X < -slack || corner.Y < -slack || corner.X > float64(p.Width)+slack || corner.Y > float64(p.Height)+slack
	}
	height := min(math.Hypot(q[3].X-q[0].X, q[3].Y-q[0].Y), math.Hypot(q[2].X-q[1].X, q[2].Y-q[1].Y))
	c.TooSmall = height < smallPlate
	switch {
	case c.TooSmall:
		c.Advice = "The plate is too small in the picture: go nearer."
	case c.CutOff:
		c.Advice = "Part of the plate lies beyond the picture: show it whole."
	}
	return c
}
