package form

import (
	"context"
	"slices"
	"strings"

	"github.com/bawab/bawab/inference/field"
)

// What may be the rest of a value beside it on its row: it is of as many signs, at most so many heights away, and so much like a value.
// Fewer signs are the rest where both together are much more like one.
const (
	leastRest = 3
	fewRest   = 2
	besides   = 6.0
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

// likely is how much print that stands apart must be like a value to be put together before fields are assigned.
const likely = 0.5

// gather puts together stretches of one row that are together much more like a value than each of them: signs set so wide that each was
// seen for itself.
func (s *sheet) gather(ctx context.Context) error {
	for from := 0; from < len(s.stretches); from++ {
		end := from + 1
		for end < len(s.stretches) && s.beside(end-1, end) {
			end++
		}
		for to := end; to > from+1; to-- {
			said, ok := s.spread(from, to)
			if !ok {
				continue
			}
			first, last := &s.stretches[from], &s.stretches[to-1]
			ink, err := first.Join(ctx, &last.Ink)
			if err != nil {
				return err
			}
			x := s.stretchOf(ink, first.lead, first.piece)
			s.say(&x, said)
			s.stretches = slices.Replace(s.stretches, from, to, x)
			break
		}
	}
	return nil
}

// beside reports whether a stretch stands beside the one before it on one row, with no label between them.
func (s *sheet) beside(before, i int) bool {
	x, o := s.stretches[before].box, s.stretches[i].box
	labels, _ := s.between(x, o, -1, func(int) bool { return true })
	gap := s.apartBy(x, o)
	return x.level(o) && gap >= 0 && gap < besides && labels == 0
}

// spread is what some stretches of one row say together; ok tells that this is a value rather than what any of them says.
func (s *sheet) spread(from, to int) (said string, ok bool) {
	parts := make([]string, 0, to-from)
	for i := from; i < to; i++ {
		parts = append(parts, s.stretches[i].said)
	}
	said = strings.Join(parts, " ")
	alone := 0.0 // of any value: two dates together have as many digits as a number
	for i := from; i < to; i++ {
		if x := &s.stretches[i]; len([]rune(x.said)) >= leastRest {
			alone = max(alone, slices.Max(x.matches))
		}
	}
	for _, r := range s.description.readers {
		if m := r.decoder.Match(said); m >= likely && m > alone+muchMore {
			return said, true
		}
	}
	return said, false
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
	if !x.level(o.box) || gap < 0 || gap > besides || len([]rune(o.said)) < fewRest || s.parts(x.box, o.box) {
		return false
	}
	said := x.said + " " + o.said
	if (x.left < o.left) == rightToLeft(said) {
		said = o.said + " " + x.said
	}
	alone, both := decoder.Match(x.said), decoder.Match(said)
	return both > alone+muchMore || len([]rune(o.said)) >= leastRest && both >= alone && decoder.Match(o.said) >= restLike
}
