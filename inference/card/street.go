package card

import (
	"context"
	"fmt"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/vision"
)

// mostStreet is the share of a picture up to which a plate leaves room for another one: what fills more was photographed for itself.
const mostStreet = 0.1

// furtherPlates looks for plates beside those known, in parts of the picture, and returns those that can be read, the largest first. What
// looks like a plate in a street is often a window or a sign, so one counts whose signs make a plate.
func (r *Reader) furtherPlates(
	ctx context.Context,
	s *scene,
	known []appliance.Quad,
	watch *stopwatch,
) (plates []appliance.Document, err error) {
	if r.Plates == nil {
		return nil, nil
	}
	found, err := r.Finder.FindInParts(ctx, s.Picture, appliance.LicensePlate)
	watch.lap("find")
	if err != nil {
		return nil, fmt.Errorf("find plates: %w", err)
	}
	for _, f := range found {
		if f.Kind != appliance.LicensePlate || slices.ContainsFunc(known, func(q appliance.Quad) bool { return onePlace(q, f.Quad) }) {
			continue
		}
		d, err := r.Plates.ReadIn(ctx, s.Picture, f.Quad)
		watch.lap("plate")
		if err != nil {
			return nil, fmt.Errorf("read plate: %w", err)
		}
		if numbered(d) && numberOf(d).Confidence >= hardlyPlate &&
			!slices.ContainsFunc(known, func(q appliance.Quad) bool { return onePlace(q, d.Quad) }) {
			plates, known = append(plates, d), append(known, f.Quad, d.Quad)
		}
	}
	slices.SortStableFunc(plates, func(a, b appliance.Document) int { return compareAreas(b.Quad, a.Quad) })
	return plates, nil
}

// onePlace reports whether two outlines show one thing.
func onePlace(a, b appliance.Quad) bool {
	return max(outline.Overlap(a, b), outline.Overlap(b, a)) > newOverlap
}

func compareAreas(a, b appliance.Quad) int {
	switch x, y := vision.Area(a[:]), vision.Area(b[:]); {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// inStreet adds to the reading of a plate those beside it, and answers with the largest that was read clearly.
func (r *Reader) inStreet(ctx context.Context, s *scene, out appliance.Reading, watch *stopwatch) (appliance.Reading, error) {
	d := out.Documents[0]
	if r.kind != appliance.LicensePlate || d.Kind != r.kind || !numbered(d) || vision.Area(d.Quad[:]) > mostStreet*float64(s.Width*s.Height) {
		return out, nil
	}
	more, err := r.furtherPlates(ctx, s, []appliance.Quad{d.Quad}, watch)
	if err != nil {
		return out, err
	}
	for _, m := range more {
		if compareAreas(m.Quad, out.Documents[0].Quad) > 0 && numberOf(m).Confidence >= clearPlate {
			m.Flag("result", numberOf(m).Value, appliance.CodeLowConfidence) // only a part of the picture showed it: compare
			m, out.Documents[0] = out.Documents[0], m
		}
		if i := slices.IndexFunc(out.Others, func(o appliance.Outline) bool { return onePlace(o.Quad, m.Quad) }); i >= 0 {
			out.Others = slices.Delete(out.Others, i, i+1)
		}
		out.Others = append(out.Others, appliance.Outline{Kind: m.Kind, Quad: m.Quad})
	}
	main := out.Documents[0].Quad
	out.Others = slices.DeleteFunc(out.Others, func(o appliance.Outline) bool { return onePlace(o.Quad, main) })
	slices.SortStableFunc(out.Others, func(a, b appliance.Outline) int { return compareAreas(b.Quad, a.Quad) })
	out.Stages = watch.stages
	return out, nil
}

// addPlates adds the plates that only parts of the picture show, where it shows one or nothing else. One takes the place of a plate without
// signs that was seen around it.
func (g *gathering) addPlates(ctx context.Context) error {
	street := func(f outline.Found) bool {
		return f.Kind == appliance.LicensePlate && vision.Area(f.Quad[:]) <= mostStreet*float64(g.s.Width*g.s.Height)
	}
	if len(g.documents) > 0 && !slices.ContainsFunc(g.s.found, street) {
		return nil
	}
	var known []appliance.Quad
	for _, d := range g.documents {
		if d.Kind != appliance.LicensePlate || numbered(d) {
			known = append(known, d.Quad)
		}
	}
	more, err := g.furtherPlates(ctx, g.s, known, g.watch)
	if err != nil {
		return err
	}
	for _, m := range more {
		g.documents = slices.DeleteFunc(g.documents, func(d appliance.Document) bool {
			return d.Kind == appliance.LicensePlate && !numbered(d) && onePlace(d.Quad, m.Quad)
		})
		g.others = slices.DeleteFunc(g.others, func(o appliance.Outline) bool { return onePlace(o.Quad, m.Quad) })
		if len(g.documents) < MostDocuments {
			g.documents = append(g.documents, m)
		} else {
			g.others = append(g.others, appliance.Outline{Kind: m.Kind, Quad: m.Quad})
		}
	}
	return nil
}
