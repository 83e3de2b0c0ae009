package plate

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/reading"
	"github.com/bawab/bawab/inference/scene"
	"github.com/bawab/bawab/inference/sheet"
)

// Finder finds the documents of a picture and plates in parts of it; outline.Finder is the one there is.
type Finder interface {
	PartsFinder
	Glance(ctx context.Context, p *appliance.Picture) (outline.Glance, error)
	Follow(ctx context.Context, p *appliance.Picture, g outline.Glance) ([]outline.Found, error)
}

// Largest reads the largest licence plate of a picture. It is safe for concurrent use.
type Largest struct {
	documents *reading.Reader
	finder    Finder
	plates    OutlineReader
}

// NewLargest makes a reader of plates. t reads the other documents of a picture; all stay the caller's.
func NewLargest(t reading.Tools, f Finder, plates OutlineReader) *Largest {
	return &Largest{reading.NewReader(appliance.LicensePlate, t), f, plates}
}

// Read finds the largest plate at any angle and reads it; the other documents of the picture are named. A picture that shows another
// document of the contract alone is answered with that, as what it is, and one without any with CodeNoDocument.
func (r *Largest) Read(ctx context.Context, p *appliance.Picture, earlier []appliance.Document) (appliance.Reading, error) {
	ctx, s := scene.New(ctx, p, earlier)
	street := NewStreet(r.finder, r.plates, p, s.Watch)
	out, ok, err := r.look(ctx, s, street)
	if err != nil {
		return appliance.Reading{Stages: s.Stages}, fmt.Errorf("read plate: %w", err)
	}
	if !ok && !showsDocument(s) {
		out, ok, err = r.largest(ctx, s, street)
	}
	if ok || err != nil {
		return out, err
	}
	// Plates on cars that fill the picture are seen in parts of it. Windows and signboards, which look like plates, are many.
	elsewhere := func(ctx context.Context, _ *scene.Scene) iter.Seq2[outline.Found, error] { return street.Outlines(ctx) }
	hunt := reading.Hunt{Missed: r.missed, Elsewhere: elsewhere, Most: 8, Enough: Clear, Partly: OneUnnamed}
	out, err = r.documents.ReadOrHunt(ctx, s, hunt)
	if err != nil {
		return out, err
	}
	return street.Beside(ctx, out)
}

// missed reports whether what was read may not be the plate that is sought: it shows hardly any signs, or it is something else. A plate
// among the words of a car may look like a licence.
func (r *Largest) missed(d appliance.Document) bool {
	sure := r.documents.NumberOf(d).Confidence
	if d.Kind == appliance.LicensePlate {
		return !r.documents.Numbered(d) || sure < Hardly
	}
	return r.documents.ByPrint(d.Kind) && sure < Clear || r.documents.Missed(d)
}

// look finds the documents of a scene: of what a glance takes for plates only that is looked at from near which shows signs.
// Where nothing does, parts of the picture are looked at first, and ok tells that out is the answer.
func (r *Largest) look(ctx context.Context, s *scene.Scene, street *Street) (out appliance.Reading, ok bool, err error) {
	g, err := r.finder.Glance(ctx, s.Picture)
	s.Lap("find")
	if err != nil {
		return out, false, err
	}
	if !showsOther(g) {
		shown, err := street.Glimpsed(ctx, g)
		if err != nil {
			return out, false, err
		}
		if !shown.Empty() {
			g = shown
		} else if out, ok, err = r.largest(ctx, s, street); ok || err != nil {
			return out, ok, err
		}
	}
	s.Found, err = r.finder.Follow(ctx, s.Picture, g)
	s.Lap("find")
	return out, false, err
}

// showsDocument reports whether a plate was found, or another document clearly: else it may be a street, in which no plate is large
// enough to be seen with all that is around it.
func showsDocument(s *scene.Scene) bool {
	return slices.ContainsFunc(s.Found, func(f outline.Found) bool {
		return f.Kind == appliance.LicensePlate || f.Kind != appliance.Unknown && scene.Evident(f)
	})
}

// largest answers with the largest plate in parts of a picture that is read clearly; ok is false where there is none.
func (r *Largest) largest(ctx context.Context, s *scene.Scene, street *Street) (out appliance.Reading, ok bool, err error) {
	d, others, ok, err := street.Largest(ctx)
	if !ok {
		return out, false, err
	}
	all := append(others, d)
	if err := r.documents.Examine(ctx, s, &d); err != nil {
		return out, false, err
	}
	out = appliance.Reading{Documents: []appliance.Document{d}, Stages: s.Stages}
	for _, o := range others {
		out.Others = append(out.Others, appliance.Outline{Kind: o.Kind, Quad: o.Quad})
	}
	for _, f := range s.Found {
		if !slices.ContainsFunc(all, func(d appliance.Document) bool { return sheet.OnePlace(d.Quad, f.Quad) }) {
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
