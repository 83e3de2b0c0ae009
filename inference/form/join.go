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
func (s *sheet) join(ctx context.Context, given []role) error {
	for i, r := range given {
		if r.field < 0 {
			continue
		}
		decoder := s.description.decoder(&s.description.Fields[r.field])
		for k, o := range given {
			if o != none || !s.restOf(i, k, decoder) {
				continue
			}
			x := &s.stretches[i]
			ink, err := x.Join(ctx, &s.stretches[k].Ink)
			if err != nil {
				return err
			}
			if decoder.Match(ink.Text()) < max(decoder.Match(x.said), restLike/2) {
				continue // together they say less
			}
			x.Ink, x.box, x.said, x.clear = ink, boxOf(&ink, x.piece), ink.Text(), ink.Clarity()
			given[k] = taken
		}
	}
	return nil
}

// taken is the role of print that was joined to other print.
var taken = role{field: -2}

// restOf reports whether a stretch may be the rest of the value of another one.
func (s *sheet) restOf(value, rest int, decoder field.Decoder) bool {
	x, o := &s.stretches[value], &s.stretches[rest]
	high := max(x.height, o.height)
	gap := max(x.left, o.left) - min(x.right, o.right)
	if !x.level(o.box) || gap < 0 || gap > besides*high || len([]rune(o.said)) < leastRest {
		return false
	}
	if labels, values := s.between(x.box, o.box, -1); labels+values > 0 {
		return false
	}
	said := x.said + " " + o.said
	if (x.left < o.left) == rightToLeft(said) {
		said = o.said + " " + x.said
	}
	alone, both := decoder.Match(x.said), decoder.Match(said)
	return both > alone+muchMore || both >= alone && decoder.Match(o.said) >= restLike
}
