package plate

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/sheet"
	"github.com/bawab/bawab/inference/stopwatch"
	"github.com/bawab/bawab/inference/vision"
)

// mostStreet is the share of a picture up to which a plate leaves room for another one: what fills more was photographed for itself.
const mostStreet = 0.1

// farPlate is the share of a picture's width up to which a plate is so far away that others may be too small for all but
// the smallest parts.
const farPlate = 0.125

// surely is the confidence from which on a plate is known where a larger part of a picture shows it: a smaller part would show it no
// better.
const surely = 0.9

// How sure a glance at a whole picture must be of what it takes for a plate to be followed. Of 373 plates of drawn streets that a glance
// shows, 297 are seen clearly, of 417 cars and houses that it takes for plates 9 (28 November 2026).
const (
	seen        = 0.2
	clearlySeen = 0.85
)

// PartsFinder finds documents that are too small to be seen in the whole picture; outline.Finder is the one there is.
type PartsFinder interface {
	FindInParts(ctx context.Context, p *appliance.Picture, k appliance.Kind, judge func(outline.Found) (outline.Judgement, error)) (
		[]outline.Found, iter.Seq2[outline.Found, error], error)
}

// OutlineReader reads the one plate that a quad outlines, what lies beside it not; Reader is the one there is.
type OutlineReader interface {
	ReadIn(ctx context.Context, p *appliance.Picture, q appliance.Quad) (appliance.Document, error)
	// Shows reports at one look whether a quad may outline one.
	Shows(ctx context.Context, p *appliance.Picture, q appliance.Quad) (bool, error)
}

// Street is what looks like plates in parts of one picture, in which no plate is large enough to be seen with all that is around it. Each
// part is looked at and each outline read once, whoever asks, and only when somebody does. It is not safe for concurrent use.
type Street struct {
	finder  PartsFinder
	reader  OutlineReader
	picture *appliance.Picture
	watch   *stopwatch.Watch

	looked bool
	found  []outline.Found                 // what shows a plate clearly
	rest   iter.Seq2[outline.Found, error] // a search that goes on in smaller parts
	read   []appliance.Document            // what was read so far, in the order of outlines
	at     []appliance.Quad                // the outlines that were read
}

// NewStreet makes the street of a picture, whose stages watch measures. It does no work; without a reader it has no plates.
func NewStreet(f PartsFinder, r OutlineReader, p *appliance.Picture, watch *stopwatch.Watch) *Street {
	return &Street{finder: f, reader: r, picture: p, watch: watch}
}

// InStreet reports whether an outline leaves room for plates beside it.
func InStreet(p *appliance.Picture, q appliance.Quad) bool {
	return vision.Area(q[:]) <= mostStreet*float64(p.Width*p.Height)
}

// look looks for plates in the larger parts, once.
func (s *Street) look(ctx context.Context) (err error) {
	if s.looked {
		return nil
	}
	s.found, s.rest, err = s.finder.FindInParts(ctx, s.picture, appliance.LicensePlate, func(f outline.Found) (outline.Judgement, error) {
		d, err := s.readIn(ctx, f.Quad)
		switch {
		case err == nil && Number(d).Confidence >= surely:
			return outline.Sure, nil
		case err == nil && Blank(d):
			return outline.Nothing, nil
		}
		return outline.Doubtful, err
	})
	s.watch.Lap("find")
	if err != nil {
		return fmt.Errorf("find plates: %w", err)
	}
	s.looked = true
	return nil
}

// readIn reads an outline, once.
func (s *Street) readIn(ctx context.Context, q appliance.Quad) (appliance.Document, error) {
	if i := slices.IndexFunc(s.at, func(o appliance.Quad) bool { return sheet.Alike(o, q) }); i >= 0 {
		return s.read[i], nil
	}
	s.watch.Lap("find")
	d, err := s.reader.ReadIn(ctx, s.picture, q)
	s.watch.Lap("plate")
	if err != nil {
		return d, fmt.Errorf("read plate: %w", err)
	}
	s.at, s.read = append(s.at, q), append(s.read, d)
	return d, nil
}

// Outlines yields all that looks like a plate, then what the smaller parts show.
func (s *Street) Outlines(ctx context.Context) iter.Seq2[outline.Found, error] {
	return func(yield func(outline.Found, error) bool) {
		if s.reader == nil {
			return
		}
		if err := s.look(ctx); err != nil {
			yield(outline.Found{}, err)
			return
		}
		for _, f := range s.found {
			if !yield(f, nil) {
				return
			}
		}
		s.rest(yield)
	}
}

// Glimpsed is what a glance at the whole picture takes for plates and a look at it from near confirms: cars, and houses with windows, look
// like plates from far away.
func (s *Street) Glimpsed(ctx context.Context, g outline.Glance) (outline.Glance, error) {
	shown, err := g.Only(appliance.LicensePlate, seen, clearlySeen, func(q appliance.Quad) (bool, error) {
		return s.reader.Shows(ctx, s.picture, q)
	})
	s.watch.Lap("plate")
	return shown, err
}

// Further looks for plates beside those known and returns those that can be read, the largest first, and those that surely are plates
// but cannot be read. Where all are small, it looks in the smallest parts as well. What looks like a plate in a street is often a window
// or a sign, so one counts whose signs make a plate, or are surely there.
func (s *Street) Further(ctx context.Context, known []appliance.Quad) (plates, unread []appliance.Document, err error) {
	if s.reader == nil {
		return nil, nil, nil
	}
	if err := s.look(ctx); err != nil {
		return nil, nil, err
	}
	h := &haul{known: known}
	for _, f := range s.found {
		if err := s.further(ctx, f, h); err != nil {
			return nil, nil, err
		}
	}
	if s.allFar(h.known, h.plates) {
		for f, err := range s.rest {
			s.watch.Lap("find")
			if err == nil {
				err = s.further(ctx, f, h)
			}
			if err != nil {
				return nil, nil, err
			}
		}
	}
	slices.SortStableFunc(h.plates, func(a, b appliance.Document) int { return compareAreas(b.Quad, a.Quad) })
	unread = slices.DeleteFunc(h.unread, func(d appliance.Document) bool { return onePlace(d.Quad, h.known) || placed(d, h.plates) })
	return h.plates, unread, nil
}

// haul is what a search for further plates has brought so far: what need not be read again, plates, and what surely is one but cannot be
// read.
type haul struct {
	known          []appliance.Quad
	plates, unread []appliance.Document
}

// add adds what was read of an outline.
func (h *haul) add(f outline.Found, d appliance.Document) {
	switch sure := Number(d).Confidence; {
	case Number(d).Value != "" && sure >= Hardly:
		h.plates = with(h.plates, d)
		if sure >= Clear {
			h.known = append(h.known, f.Quad, d.Quad)
		}
	case ShowsSigns(d):
		h.unread = with(h.unread, d)
	}
}

// placed reports whether a document lies where one of others does.
func placed(d appliance.Document, others []appliance.Document) bool {
	return slices.ContainsFunc(others, func(o appliance.Document) bool { return sheet.OnePlace(o.Quad, d.Quad) })
}

// onePlace reports whether an outline shows what one of others does.
func onePlace(q appliance.Quad, others []appliance.Quad) bool {
	return slices.ContainsFunc(others, func(o appliance.Quad) bool { return sheet.OnePlace(o, q) })
}

// with adds a plate to others. What was read in doubt may have been outlined badly: a better outline takes its place.
func with(plates []appliance.Document, d appliance.Document) []appliance.Document {
	i := slices.IndexFunc(plates, func(o appliance.Document) bool { return sheet.OnePlace(o.Quad, d.Quad) })
	if i < 0 {
		return append(plates, d)
	}
	if Number(d).Confidence > Number(plates[i]).Confidence {
		plates[i] = d
	}
	return plates
}

// allFar reports whether there are plates, and all are so far away that others may be too small for all but the smallest parts.
func (s *Street) allFar(known []appliance.Quad, plates []appliance.Document) bool {
	all := slices.Clone(known)
	for _, d := range plates {
		all = append(all, d.Quad)
	}
	near := func(q appliance.Quad) bool {
		return math.Hypot(q[1].X-q[0].X, q[1].Y-q[0].Y) > farPlate*float64(s.picture.Width)
	}
	return len(all) > 0 && !slices.ContainsFunc(all, near)
}

// further reads what looks like a plate and is not known, and adds it to what was found.
func (s *Street) further(ctx context.Context, f outline.Found, h *haul) error {
	if f.Kind != appliance.LicensePlate || onePlace(f.Quad, h.known) {
		return nil
	}
	d, err := s.readIn(ctx, f.Quad)
	if err == nil && !onePlace(d.Quad, h.known) {
		h.add(f, d)
	}
	return err
}

// Largest is the largest plate that is read clearly, and the others, which at the end may be plates that cannot be read; ok is false where
// there is none.
func (s *Street) Largest(ctx context.Context) (d appliance.Document, others []appliance.Document, ok bool, err error) {
	plates, unread, err := s.Further(ctx, nil)
	main := slices.IndexFunc(plates, func(d appliance.Document) bool { return Number(d).Confidence >= Clear })
	if err != nil || main < 0 {
		return d, nil, false, err
	}
	return plates[main], slices.Concat(plates[:main], plates[main+1:], unread), true, nil
}

// Beside adds to the reading of a plate those beside it, and answers with the largest that was read clearly.
func (s *Street) Beside(ctx context.Context, out appliance.Reading) (appliance.Reading, error) {
	d := out.Documents[0]
	if d.Kind != appliance.LicensePlate || Number(d).Value == "" || !InStreet(s.picture, d.Quad) {
		return out, nil
	}
	more, unread, err := s.Further(ctx, []appliance.Quad{d.Quad})
	if err != nil {
		return out, err
	}
	for _, m := range append(more, unread...) {
		if compareAreas(m.Quad, out.Documents[0].Quad) > 0 && Number(m).Confidence >= Clear {
			m.Flag(field, Number(m).Value, appliance.CodeLowConfidence) // only a part of the picture showed it: compare
			m, out.Documents[0] = out.Documents[0], m
		}
		if i := slices.IndexFunc(out.Others, func(o appliance.Outline) bool { return sheet.OnePlace(o.Quad, m.Quad) }); i >= 0 {
			out.Others = slices.Delete(out.Others, i, i+1)
		}
		out.Others = append(out.Others, appliance.Outline{Kind: m.Kind, Quad: m.Quad})
	}
	main := out.Documents[0].Quad
	out.Others = slices.DeleteFunc(out.Others, func(o appliance.Outline) bool { return sheet.OnePlace(o.Quad, main) })
	slices.SortStableFunc(out.Others, func(a, b appliance.Outline) int { return compareAreas(b.Quad, a.Quad) })
	out.Stages = s.watch.Stages
	return out, nil
}

func compareAreas(a, b appliance.Quad) int { return cmp.Compare(vision.Area(a[:]), vision.Area(b[:])) }
