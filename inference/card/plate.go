package card

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/plate"
	"github.com/bawab/bawab/inference/stopwatch"
)

// PlateReader reads the largest licence plate of a picture. It is safe for concurrent use.
type PlateReader struct{ documents *Reader }

// NewPlateReader makes a reader of plates; t.Plates must be set.
func NewPlateReader(t Tools) *PlateReader {
	return &PlateReader{NewReader(appliance.LicensePlate, t)}
}

// Read finds the largest plate at any angle and reads it; the other documents of the picture are named. A picture that shows another
// document of the contract alone is answered with that, as what it is, and one without any with CodeNoDocument.
func (r *PlateReader) Read(ctx context.Context, p *appliance.Picture, earlier []appliance.Document) (appliance.Reading, error) {
	ctx, watch := stopwatch.New(ctx)
	s, out, ok, err := r.look(ctx, p, watch)
	if err != nil {
		return appliance.Reading{Stages: watch.Stages}, fmt.Errorf("read plate: %w", err)
	}
	if !ok && !showsDocument(s) {
		out, ok, err = r.largest(ctx, s, watch)
	}
	if ok || err != nil {
		return out, err
	}
	// Plates on cars that fill the picture are seen in parts of it. Windows and signboards, which look like plates, are many.
	elsewhere := func(ctx context.Context, s *scene) iter.Seq2[outline.Found, error] { return s.street.Outlines(ctx) }
	out, err = r.documents.readOrHunt(ctx, s, hunt{missed: r.missed, elsewhere: elsewhere, most: 8, enough: plate.Clear}, earlier, watch)
	if err != nil {
		return out, err
	}
	return s.street.Beside(ctx, out)
}

// missed reports whether what was read may not be the plate that is sought: it shows hardly any signs, or it is something else. A plate
// among the words of a car may look like a licence.
func (r *PlateReader) missed(d appliance.Document) bool {
	sure := r.documents.numberOf(d).Confidence
	if d.Kind == appliance.LicensePlate {
		return !r.documents.numbered(d) || sure < plate.Hardly
	}
	return r.documents.byPrint(d.Kind) && sure < plate.Clear || r.documents.missed(d)
}

// look finds the documents of a picture: of what a glance takes for plates only that is looked at from near which shows signs.
// Where nothing does, parts of the picture are looked at first, and ok tells that out is the answer; else s is the scene.
func (r *PlateReader) look(
	ctx context.Context, p *appliance.Picture, watch *stopwatch.Watch,
) (s *scene, out appliance.Reading, ok bool, err error) {
	s = r.documents.scene(p, nil, watch)
	g, err := r.documents.Finder.Glance(ctx, p)
	watch.Lap("find")
	if err != nil {
		return s, out, false, err
	}
	if !showsOther(g) {
		shown, err := s.street.Glimpsed(ctx, g)
		if err != nil {
			return s, out, false, err
		}
		if !shown.Empty() {
			g = shown
		} else if out, ok, err = r.largest(ctx, s, watch); ok || err != nil {
			return s, out, ok, err
		}
	}
	s.found, err = r.documents.Finder.Follow(ctx, p, g)
	watch.Lap("find")
	return s, out, false, err
}

// showsDocument reports whether a plate was found, or another document clearly: else it may be a street, in which no plate is large
// enough to be seen with all that is around it.
func showsDocument(s *scene) bool {
	return slices.ContainsFunc(s.found, func(f outline.Found) bool {
		return f.Kind == appliance.LicensePlate || f.Kind != appliance.Unknown && evident(f)
	})
}

// largest answers with the largest plate in parts of a picture that is read clearly; ok is false where there is none.
func (r *PlateReader) largest(ctx context.Context, s *scene, watch *stopwatch.Watch) (out appliance.Reading, ok bool, err error) {
	d, others, ok, err := s.street.Largest(ctx)
	if !ok {
		return out, false, err
	}
	all := append(others, d)
	if err := r.documents.examine(ctx, s, &d, watch); err != nil {
		return out, false, err
	}
	out = appliance.Reading{Documents: []appliance.Document{d}, Stages: watch.Stages}
	for _, o := range others {
		out.Others = append(out.Others, appliance.Outline{Kind: o.Kind, Quad: o.Quad})
	}
	for _, f := range s.found {
		if !slices.ContainsFunc(all, func(d appliance.Document) bool { return outline.OnePlace(d.Quad, f.Quad) }) {
			out.Others = append(out.Others, appliance.Outline{Kind: f.Kind, Quad: f.Quad})
		}
	}
	return out, true, nil
}

// showsOther reports whether a glance shows another document than a plate.
func showsOther(g outline.Glance) bool {
	const sure = 0.5
	return slices.ContainsFunc(appliance.ReviewDocuments(), func(k appliance.Kind) bool {
		return k != appliance.LicensePlate && k != appliance.Unknown && g.Shows(k, sure)
	})
}

// addPlates adds the plates that only parts of the picture show, where it shows one or nothing else that can be read. One
// takes the place of a plate without signs that was seen around it.
func (g *gathering) addPlates(ctx context.Context) error {
	street := func(k appliance.Kind, q appliance.Quad) bool {
		return k == appliance.LicensePlate && plate.InStreet(g.s.Picture, q)
	}
	if slices.ContainsFunc(g.documents, anyValue) &&
		!slices.ContainsFunc(g.s.found, func(f outline.Found) bool { return street(f.Kind, f.Quad) }) &&
		!slices.ContainsFunc(g.documents, func(d appliance.Document) bool { return street(d.Kind, d.Quad) }) { // a sheet that reads as a plate
		return nil
	}
	var known []appliance.Quad
	for _, d := range g.documents {
		if d.Kind != appliance.LicensePlate || g.numbered(d) {
			known = append(known, d.Quad)
		}
	}
	more, err := g.s.street.Further(ctx, known)
	if err != nil {
		return err
	}
	for _, m := range more {
		g.documents = slices.DeleteFunc(g.documents, func(d appliance.Document) bool {
			return d.Kind == appliance.LicensePlate && !g.numbered(d) && outline.OnePlace(d.Quad, m.Quad)
		})
		g.others = slices.DeleteFunc(g.others, func(o appliance.Outline) bool { return outline.OnePlace(o.Quad, m.Quad) })
		if len(g.documents) < MostDocuments {
			g.documents = append(g.documents, m)
		} else {
			g.others = append(g.others, appliance.Outline{Kind: m.Kind, Quad: m.Quad})
		}
	}
	return nil
}
