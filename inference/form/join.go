package form

import (
	"context"

	"github.com/bawab/bawab/inference/field"
)

// What may be the rest of a value beside it on its row: it is of as many signs, at most so many heights away, and so much like a value.
const (
	leastRest = 3
	besides   = 5.0
	restLike  = 0.9
	muchMore  = 0.2
)

// join puts together values whose signs stand so wide that the detector saw them as two lines: what is taken for no field and stands beside
// a value is its rest where both together are like one.
func (s *sheet) join(ctx context.Context) error {
	for i, r := range s.given {
		if r.field < 0 {
			continue
		}
		for more := true; more; {
			var err error
			if more, err = s.joinRest(ctx, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// joinRest joins to the value of a stretch what is its rest, and reports whether there may be more of it, behind what was joined.
func (s *sheet) joinRest(ctx context.Context, value int) (joined bool, err error) {
	decoder, x := s.description.decoder(&s.description.Fields[s.given[value].field]), &s.stretches[value]
	for k, o := range s.given {
		if o != none || !s.restOf(value, k, decoder) {
			continue
		}
		ink, err := x.Join(ctx, &s.stretches[k].Ink)
		if err != nil {
			return false, err
		}
		if decoder.Match(ink.Text()) < max(decoder.Match(x.said), restLike/2) {
			continue // together they say less
		}
		x.Ink, x.box, x.said, x.clear = ink, boxOf(&ink, x.piece), ink.Text(), ink.Clarity()
		s.given[k], joined = taken, true
	}
	return joined, nil
}

// taken is the role of print that was joined to other print.
var taken = role{field: -2}

// loose reports whether print stands beside a value on its row that is taken for no field: it may be the rest of it.
func (s *sheet) loose(value int) bool {
	x := &s.stretches[value]
	for k, o := range s.given {
		if y := &s.stretches[k]; o == none && x.level(y.box) && s.apartBy(x.box, y.box) < besides && !s.parts(x.box, y.box) {
			return true
		}
	}
	return false
}

// apartBy is the gap between two boxes of one row, in heights.
func (s *sheet) apartBy(x, y box) float64 {
	return (max(x.left, y.left) - min(x.right, y.right)) / max(x.height, y.height)
}

// parts reports whether a label or a value stands between two boxes of one row, one that did not join another one.
func (s *sheet) parts(x, y box) bool {
	labels, values := s.between(x, y, -1, func(k int) bool { return s.given[k] == taken })
	return labels+values > 0
}

// restOf reports whether a stretch may be the rest of the value of another one.
func (s *sheet) restOf(value, rest int, decoder field.Decoder) bool {
	x, o := &s.stretches[value], &s.stretches[rest]
	gap := s.apartBy(x.box, o.box)
	if !x.level(o.box) || gap < 0 || gap > besides || len([]rune(o.said)) < leastRest || s.parts(x.box, o.box) {
		return false
	}
	said := x.said + " " + o.said
	if (x.left < o.left) == rightToLeft(said) {
		said = o.said + " " + x.said
	}
	alone, both := decoder.Match(x.said), decoder.Match(said)
	return both > alone+muchMore || both >= alone && decoder.Match(o.said) >= restLike
}
