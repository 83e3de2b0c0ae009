package form

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/text"
)

// join puts together values whose signs stand so wide that the detector saw them as two lines: what is taken for no field and stands beside
// a value is its rest where both together are like one.
func (s *sheet) join(ctx context.Context) error {
	for i, r := range s.given {
		if r.field < 0 {
			continue
		}
		if err := s.joinRest(ctx, i); err != nil {
			return err
		}
	}
	return nil
}

// gather puts together stretches of one row that are together much more like a value than each of them: signs set wide were seen apart.
func (s *sheet) gather(ctx context.Context) error {
	for _, row := range s.inRows() {
		for from := 0; from < len(row); from++ {
			for to := s.reach(row, from); to > from+1; to-- {
				if said, ok := s.spread(row[from:to]); ok {
					if err := s.merge(ctx, row[from:to], said); err != nil {
						return err
					}
					from = to - 1 // the inner loop ends with that
				}
			}
		}
	}
	s.stretches = slices.DeleteFunc(s.stretches, func(x stretch) bool { return x.matches == nil })
	return nil
}

// reach is the end, excluded, of the stretches of a row that may be one text with that at from.
func (s *sheet) reach(row []int, from int) int {
	end := from + 1
	for end < len(row) && (s.beside(row[end-1], row[end]) || end == from+1 && s.leadsInto(row[from], row[end])) {
		end++
	}
	return end
}

// merge makes one stretch of some of one row, the first of them, which says what is said; the others match nothing then.
func (s *sheet) merge(ctx context.Context, parts []int, said string) error {
	first, last := &s.stretches[parts[0]], &s.stretches[parts[len(parts)-1]]
	ink, err := first.Join(ctx, &last.Ink)
	if err != nil {
		return err
	}
	x := s.stretchOf(&ink, said, first.lead, first.piece)
	for _, k := range parts {
		s.stretches[k].matches = nil
	}
	s.stretches[parts[0]] = x
	return nil
}

// inRows are the stretches of each row, from the right: those level with the first of them. A sign alone may hang so low that the page
// counts it as a row of its own.
func (s *sheet) inRows() (rows [][]int) {
	for i := range s.stretches {
		k := slices.IndexFunc(rows, func(row []int) bool { return s.onRow(s.stretches[row[0]].box, s.stretches[i].box) })
		if k < 0 {
			k, rows = len(rows), append(rows, nil)
		}
		rows[k] = append(rows[k], i)
	}
	for _, row := range rows {
		slices.SortStableFunc(row, func(a, b int) int { return cmp.Compare(s.stretches[b].right, s.stretches[a].right) })
	}
	return rows
}

// beside reports whether a stretch stands beside the one before it on its row, with no label between them.
func (s *sheet) beside(before, i int) bool {
	x, o := &s.stretches[before], &s.stretches[i]
	labels, _ := s.between(x.box, o.box, -1, func(int) bool { return true })
	gap, most := s.apartBy(x.box, o.box), s.Beside
	word := func(w string) bool { return len([]rune(w)) >= s.LeastRest }
	if !slices.ContainsFunc(strings.Fields(x.said), word) || !slices.ContainsFunc(strings.Fields(o.said), word) {
		most = s.FewBeside
	}
	return s.onRow(x.box, o.box) && gap >= 0 && gap < most && !labels
}

// leadsInto reports whether a stretch is nothing but the words that lead into a value, and the next one of its row may be the rest of it.
func (s *sheet) leadsInto(lead, rest int) bool {
	x, o := &s.stretches[lead], &s.stretches[rest]
	labels, _ := s.between(x.box, o.box, -1, func(int) bool { return true })
	return x.lead != nil && len([]rune(x.said)) <= x.lead.Last-x.lead.First+1 && o.lead == nil && !labels && s.onRow(x.box, o.box)
}

// spread is what some stretches of one row say together; ok tells that this is a value rather than what any of them says.
func (s *sheet) spread(parts []int) (said string, ok bool) {
	texts := make([]string, len(parts))
	alone := 0.0 // of any value: two dates together have as many digits as a number
	words := true
	for n, k := range parts {
		x := &s.stretches[k]
		if texts[n] = x.said; len([]rune(x.said)) >= s.LeastRest {
			alone = max(alone, slices.Max(x.matches))
		}
		near := n == 0 || n == 1 && s.leadsInto(parts[0], k) || s.apartBy(s.stretches[parts[n-1]].box, x.box) <= s.Label.UsualBlank
		words = words && s.word(x) && near
	}
	said = strings.Join(texts, " ")
	return said, words || slices.ContainsFunc(s.description.readers, func(r reader) bool {
		m := r.decoder.Match(said)
		return m >= s.Likely && m > alone+s.Gathered
	})
}

// word reports whether a stretch holds clear words alone. Two that no more than a usual blank parts are one text, whatever they say.
func (s *sheet) word(x *stretch) bool {
	return x.clear >= s.Clear && len([]rune(x.said)) >= s.LeastRest && !strings.ContainsFunc(x.said, unicode.IsDigit)
}

// joinRest joins to the value of a stretch what is its rest, and then what more there is of it, behind what was joined.
func (s *sheet) joinRest(ctx context.Context, value int) error {
	decoder, x := s.description.decoder(&s.description.Fields[s.given[value].field]), &s.stretches[value]
	for k, o := range s.given {
		if o != none || !s.restOf(value, k, decoder) {
			continue
		}
		ink, err := x.Join(ctx, &s.stretches[k].Ink)
		if err != nil {
			return err
		}
		if decoder.Match(ink.Text()) < max(decoder.Match(x.said), s.RestLike/2) {
			continue // together they say less
		}
		x.Ink, x.box, x.said, x.clear = ink, boxOf(&ink, x.piece), ink.Text(), ink.Clarity()
		s.given[k] = taken
		return s.joinRest(ctx, value)
	}
	return nil
}

// taken is the role of print that was joined to other print.
var taken = role{field: -2} // guard: a role that no field has

// loose reports whether print stands beside a value on its row that is taken for no field: it may be the rest of it.
func (s *sheet) loose(value int) bool {
	x := &s.stretches[value]
	for k, o := range s.given {
		if y := &s.stretches[k]; o == none && s.level(x.box, y.box) && s.apartBy(x.box, y.box) < s.Beside && !s.parts(x.box, y.box) {
			return true
		}
	}
	return false
}

// parts reports whether a label or a value stands between two boxes of one row, one that did not join another one and no single sign,
// which may belong to both.
func (s *sheet) parts(x, y box) bool {
	both := func(k int) bool { return s.given[k] == none && len([]rune(s.stretches[k].said)) < s.FewRest }
	labels, values := s.between(x, y, -1, func(k int) bool { return s.given[k] == taken || both(k) })
	return labels || values
}

// restOf reports whether a stretch may be the rest of the value of another one.
func (s *sheet) restOf(value, rest int, decoder field.Decoder) bool {
	x, o := &s.stretches[value], &s.stretches[rest]
	gap := s.apartBy(x.box, o.box)
	said, near := x.said+" "+o.said, s.Beside
	if !strings.ContainsFunc(said, unicode.IsLetter) {
		near = s.DigitsApart
	}
	cells := slices.ContainsFunc(x.links, func(l link) bool { return x.behind(l.at) && o.behind(l.at) }) // of a ruled row
	if !s.level(x.box, o.box) || gap < 0 || gap > near && !cells || len([]rune(o.said)) < s.FewRest && !cells || s.parts(x.box, o.box) {
		return false
	}
	if (x.left < o.left) == text.RightToLeft(said) {
		said = o.said + " " + x.said
	}
	alone, both := decoder.Match(x.said), decoder.Match(said)
	return both > alone+s.MuchMore || gap <= near && len([]rune(o.said)) >= s.LeastRest && both >= alone && decoder.Match(o.said) >= s.RestLike
}
