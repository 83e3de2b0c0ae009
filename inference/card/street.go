package card

import (
	"context"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/plate"
	"github.com/bawab/bawab/inference/stopwatch"
	"github.com/bawab/bawab/inference/vision"
)

// readStreet reads a picture of a street, in which no plate is large enough to be seen with all that is around it, and
// answers with the largest that is read clearly. ok is false where there is none, or where the picture clearly shows
// another document.
func (r *Reader) readStreet(ctx context.Context, s *scene, watch *stopwatch.Watch) (out appliance.Reading, ok bool, err error) {
	shown := func(f outline.Found) bool {
		return f.Kind == appliance.LicensePlate || f.Kind != appliance.Unknown && evident(f)
	}
	if r.kind != appliance.LicensePlate || slices.ContainsFunc(s.found, shown) {
		return out, false, nil
	}
	return r.largestPlate(ctx, s, watch)
}

// largestPlate answers with the largest plate in parts of a picture that is read clearly; ok is false where there is none.
func (r *Reader) largestPlate(ctx context.Context, s *scene, watch *stopwatch.Watch) (out appliance.Reading, ok bool, err error) {
	d, others, ok, err := s.street.Largest(ctx)
	if !ok {
		return out, false, err
	}
	all := append(others, d)
	if err := r.examine(ctx, s, &d, watch); err != nil {
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

// lookForPlates is look where a plate is sought: of what a glance takes for plates only that is looked at from near which shows signs.
// Where nothing does, parts of the picture are looked at first, and ok tells that out is the answer; else s is the scene.
func (r *Reader) lookForPlates(
	ctx context.Context, p *appliance.Picture, watch *stopwatch.Watch,
) (s *scene, out appliance.Reading, ok bool, err error) {
	s = r.scene(p, nil, watch)
	g, err := r.Finder.Glance(ctx, p)
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
		} else if out, ok, err = r.largestPlate(ctx, s, watch); ok || err != nil {
			return s, out, ok, err
		}
	}
	s.found, err = r.Finder.Follow(ctx, p, g)
	watch.Lap("find")
	return s, out, false, err
}

// scene is a picture in which documents were found.
func (r *Reader) scene(p *appliance.Picture, found []outline.Found, watch *stopwatch.Watch) *scene {
	return &scene{Picture: p, luma: vision.Luma(p), found: found, street: plate.NewStreet(r.Finder, r.Plates, p, watch)}
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
