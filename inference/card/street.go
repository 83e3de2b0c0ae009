package card

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/stopwatch"
	"github.com/bawab/bawab/inference/vision"
)

// mostStreet is the share of a picture up to which a plate leaves room for another one: what fills more was photographed for itself.
const mostStreet = 0.1

// farPlate is the share of a picture's width up to which a plate is so far away that others may be too small for all but
// the smallest parts.
const farPlate = 0.125

// street is what looks like plates in parts of a picture: that which does so clearly, and a search that goes on in smaller parts.
type street struct {
	found []outline.Found
	rest  iter.Seq2[outline.Found, error]
	read  []appliance.Document // what was read of them so far, in the order of outlines
	at    []appliance.Quad     // the outlines that were read
}

// lookInParts looks for plates in parts of a picture, once for all that ask.
func (r *Reader) lookInParts(ctx context.Context, s *scene, watch *stopwatch.Watch) (*street, error) {
	if s.street != nil {
		return s.street, nil
	}
	s.street = &street{}
	found, rest, err := r.Finder.FindInParts(ctx, s.Picture, appliance.LicensePlate, func(f outline.Found) (outline.Judgement, error) {
		if r.Plates == nil {
			return outline.Doubtful, nil
		}
		d, err := r.readInStreet(ctx, s, f.Quad, watch)
		switch {
		case err == nil && numberOf(d).Confidence >= surelyPlate:
			return outline.Sure, nil
		case err == nil && blankPlate(d):
			return outline.Nothing, nil
		}
		return outline.Doubtful, err
	})
	if err != nil {
		return nil, fmt.Errorf("find plates: %w", err)
	}
	s.street.found, s.street.rest = found, rest
	return s.street, nil
}

// surelyPlate is the confidence from which on a plate is known where a larger part of a picture shows it: a smaller part would show it no
// better.
const surelyPlate = 0.9

// readInStreet reads an outline in a part of a picture, once.
func (r *Reader) readInStreet(ctx context.Context, s *scene, q appliance.Quad, watch *stopwatch.Watch) (appliance.Document, error) {
	if i := slices.IndexFunc(s.street.at, func(o appliance.Quad) bool { return sameOutline(o, q) }); i >= 0 {
		return s.street.read[i], nil
	}
	watch.Lap("find")
	d, err := r.Plates.ReadIn(ctx, s.Picture, q)
	watch.Lap("plate")
	if err != nil {
		return d, fmt.Errorf("read plate: %w", err)
	}
	s.street.at, s.street.read = append(s.street.at, q), append(s.street.read, d)
	return d, nil
}

// platesInParts yields all that looks like a plate in parts of a picture.
func (r *Reader) platesInParts(ctx context.Context, s *scene, watch *stopwatch.Watch) iter.Seq2[outline.Found, error] {
	return func(yield func(outline.Found, error) bool) {
		street, err := r.lookInParts(ctx, s, watch)
		if err != nil {
			yield(outline.Found{}, err)
			return
		}
		for _, f := range street.found {
			if !yield(f, nil) {
				return
			}
		}
		street.rest(yield)
	}
}

// furtherPlates looks for plates beside those known, in parts of the picture, and returns those that can be read, the
// largest first. Where all are small, it looks in the smallest parts as well. What looks like a plate in a street is often
// a window or a sign, so one counts whose signs make a plate.
func (r *Reader) furtherPlates(
	ctx context.Context,
	s *scene,
	known []appliance.Quad,
	watch *stopwatch.Watch,
) (plates []appliance.Document, err error) {
	if r.Plates == nil {
		return nil, nil
	}
	street, err := r.lookInParts(ctx, s, watch)
	watch.Lap("find")
	if err != nil {
		return nil, err
	}
	add := func(f outline.Found) error {
		d, ok, err := r.furtherPlate(ctx, s, f, known, watch)
		if !ok {
			return err
		}
		plates = withPlate(plates, d)
		if numberOf(d).Confidence >= clearPlate {
			known = append(known, f.Quad, d.Quad)
		}
		return nil
	}
	for _, f := range street.found {
		if err := add(f); err != nil {
			return nil, err
		}
	}
	if allFar(s.Picture, known, plates) {
		for f, err := range street.rest {
			watch.Lap("find")
			if err == nil {
				err = add(f)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	slices.SortStableFunc(plates, func(a, b appliance.Document) int { return compareAreas(b.Quad, a.Quad) })
	return plates, nil
}

// withPlate adds a plate to others. What was read in doubt may have been outlined badly: a better outline takes its place.
func withPlate(plates []appliance.Document, d appliance.Document) []appliance.Document {
	i := slices.IndexFunc(plates, func(o appliance.Document) bool { return onePlace(o.Quad, d.Quad) })
	if i < 0 {
		return append(plates, d)
	}
	if numberOf(d).Confidence > numberOf(plates[i]).Confidence {
		plates[i] = d
	}
	return plates
}

// allFar reports whether there are plates, and all are so far away that others may be too small for all but the smallest parts.
func allFar(p *appliance.Picture, known []appliance.Quad, plates []appliance.Document) bool {
	all := slices.Clone(known)
	for _, d := range plates {
		all = append(all, d.Quad)
	}
	near := func(q appliance.Quad) bool { return side(q, 0) > farPlate*float64(p.Width) }
	return len(all) > 0 && !slices.ContainsFunc(all, near)
}

// furtherPlate reads what looks like a plate; ok tells that it is one, and none of those known.
func (r *Reader) furtherPlate(
	ctx context.Context,
	s *scene,
	f outline.Found,
	known []appliance.Quad,
	watch *stopwatch.Watch,
) (d appliance.Document, ok bool, err error) {
	isKnown := func(q appliance.Quad) bool {
		return slices.ContainsFunc(known, func(k appliance.Quad) bool { return onePlace(k, q) })
	}
	if f.Kind != appliance.LicensePlate || isKnown(f.Quad) {
		return d, false, nil
	}
	if d, err = r.readInStreet(ctx, s, f.Quad, watch); err != nil {
		return d, false, err
	}
	return d, numbered(d) && numberOf(d).Confidence >= hardlyPlate && !isKnown(d.Quad), nil
}

// bare reports whether what was taken for a plate shows none of its signs, or hardly any: windows, walls and grilles look like plates.
func bare(d appliance.Document) bool {
	const fewest = 3
	if d.Kind != appliance.LicensePlate || len(d.Fields) == 0 || numbered(d) { // without a reader of plates nothing was looked for
		return false
	}
	named, unnamed := plateSigns(d)
	return named < fewest || unnamed > (named+unnamed)/2
}

// blankPlate reports whether a plate shows fewer signs than a foreign one does, and hardly one that has a name, or none that has, in more
// than one row: the panes of windows stand in rows.
func blankPlate(d appliance.Document) bool {
	const fewest = 4
	named, unnamed := plateSigns(d)
	rows := strings.Contains(strings.TrimSpace(d.Field("result").Raw), " ")
	return bare(d) && (named < 2 && named+unnamed < fewest || named == 0 && rows)
}

// plateSigns counts the signs that a plate shows: those that have a name and others.
func plateSigns(d appliance.Document) (named, unnamed int) {
	raw := strings.ReplaceAll(d.Field("result").Raw, " ", "")
	unnamed = strings.Count(raw, "?")
	return utf8.RuneCountInString(raw) - unnamed, unnamed
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
	plates, err := r.furtherPlates(ctx, s, nil, watch)
	main := slices.IndexFunc(plates, func(d appliance.Document) bool { return numberOf(d).Confidence >= clearPlate })
	if err != nil || main < 0 {
		return out, false, err
	}
	d := plates[main]
	if err := r.examine(ctx, s, &d, watch); err != nil {
		return out, false, err
	}
	out = appliance.Reading{Documents: []appliance.Document{d}, Stages: watch.Stages}
	for i, o := range plates {
		if i != main {
			out.Others = append(out.Others, appliance.Outline{Kind: o.Kind, Quad: o.Quad})
		}
	}
	for _, f := range s.found {
		if !slices.ContainsFunc(plates, func(d appliance.Document) bool { return onePlace(d.Quad, f.Quad) }) {
			out.Others = append(out.Others, appliance.Outline{Kind: f.Kind, Quad: f.Quad})
		}
	}
	return out, true, nil
}

// How sure a glance at a whole picture must be of what it takes for a plate, or for another document, to be followed. Of 373 plates of
// drawn streets that a glance shows, 297 are seen clearly, of 417 cars and houses that it takes for plates 9 (28 November 2026).
const (
	seenPlate   = 0.2
	clearlySeen = 0.85
	seenOther   = 0.5
)

// lookForPlates is look where a plate is sought: of what a glance takes for plates only that is looked at from near which shows signs.
// Cars, and houses with windows, look like plates from far away. Where nothing does, parts of the picture are looked at first, and ok
// tells that out is the answer; else s is the scene.
func (r *Reader) lookForPlates(
	ctx context.Context, p *appliance.Picture, watch *stopwatch.Watch,
) (s *scene, out appliance.Reading, ok bool, err error) {
	s = &scene{Picture: p, luma: vision.Luma(p)}
	g, err := r.Finder.Glance(ctx, p)
	watch.Lap("find")
	if err != nil {
		return s, out, false, err
	}
	if !showsOther(g) {
		shown, err := g.Only(r.kind, seenPlate, clearlySeen, func(q appliance.Quad) (bool, error) { return r.Plates.Shows(ctx, p, q) })
		watch.Lap("plate")
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

// showsOther reports whether a glance shows another document than a plate.
func showsOther(g outline.Glance) bool {
	return slices.ContainsFunc(appliance.ReviewDocuments(), func(k appliance.Kind) bool {
		return k != appliance.LicensePlate && k != appliance.Unknown && g.Shows(k, seenOther)
	})
}

// inStreet adds to the reading of a plate those beside it, and answers with the largest that was read clearly.
func (r *Reader) inStreet(ctx context.Context, s *scene, out appliance.Reading, watch *stopwatch.Watch) (appliance.Reading, error) {
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
	out.Stages = watch.Stages
	return out, nil
}

// addPlates adds the plates that only parts of the picture show, where it shows one or nothing else that can be read. One
// takes the place of a plate without signs that was seen around it.
func (g *gathering) addPlates(ctx context.Context) error {
	street := func(k appliance.Kind, q appliance.Quad) bool {
		return k == appliance.LicensePlate && vision.Area(q[:]) <= mostStreet*float64(g.s.Width*g.s.Height)
	}
	if slices.ContainsFunc(g.documents, anyValue) &&
		!slices.ContainsFunc(g.s.found, func(f outline.Found) bool { return street(f.Kind, f.Quad) }) &&
		!slices.ContainsFunc(g.documents, func(d appliance.Document) bool { return street(d.Kind, d.Quad) }) { // a sheet that reads as a plate
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
