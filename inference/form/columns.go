package form

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/bawab/bawab/inference/text"
)

// columns cuts text that stands under two labels at a blank where the second one begins: values of two columns so near to each other that
// the detector saw one line.
func (s *sheet) columns() {
	var out []stretch
	for i := range s.stretches {
		x, symbols := &s.stretches[i], s.stretches[i].Reading().Symbols()
		cut := s.columnCut(x, symbols, func(end int) string { return partOf(&x.Ink, 0, end).Text() })
		if cut == 0 {
			out = append(out, *x)
			continue
		}
		first, second := partOf(&x.Ink, cut+1, len(symbols)), partOf(&x.Ink, 0, cut)
		out = append(out, s.stretchOf(first, first.Text(), x.lead, x.piece), s.stretchOf(second, second.Text(), nil, x.piece))
	}
	s.stretches = out
}

// columnCut is the blank of a stretch, by index, behind which the value of a second column begins; 0 where there is none. said is what the
// signs before one say.
func (s *sheet) columnCut(x *stretch, symbols []text.Symbol, said func(end int) string) (cut int) {
	above := s.labelsAbove(x)
	if len(above) < 2 || math.Abs(above[0].right-x.right) > s.ColumnStart*x.height { // geometry: columns are two or more
		return 0
	}
	at := func(share float64) float64 { return x.left + share*(x.right-x.left) }
	widest := 0.0
	for i := 1; i+1 < len(symbols); i++ {
		if symbols[i].Rune != ' ' {
			continue
		}
		from, to := at(symbols[i-1].End), at(symbols[i+1].Start)
		begins := slices.ContainsFunc(above[1:], func(l *placed) bool {
			off := math.Abs(l.right-from) / x.height
			return to-from > s.ColumnGap*x.height && off < s.ColumnNear || off < s.ColumnFlush && s.holds(l.Label, said(i))
		})
		if to-from > widest && begins {
			cut, widest = i, to-from
		}
	}
	return cut
}

// holds reports whether a text is a whole value of a field that a label announces.
func (s *sheet) holds(label, said string) bool {
	return slices.ContainsFunc(s.description.Fields, func(f Field) bool {
		return slices.Contains(f.Labels, label) && s.description.decoder(&f).Match(said) > s.Surely
	})
}

// labelsAbove are the labels of one row under which a stretch stands, from the right. The same one in two languages is one.
func (s *sheet) labelsAbove(x *stretch) (above []*placed) {
	for _, l := range x.links {
		if l.how == under {
			above = append(above, &s.labels[l.at])
		}
	}
	slices.SortFunc(above, func(a, b *placed) int { return cmp.Compare(b.right, a.right) })
	above = slices.DeleteFunc(above, func(l *placed) bool { return !s.level(l.box, above[0].box) })
	return slices.CompactFunc(above, func(l, o *placed) bool { return l.Label == o.Label })
}

// rowCut is the last blank of print whose words are values of one row, each of another field: one of them may be misread if two are
// not. It is 0 where the print is something else. said is what stands between two signs, the second excluded.
func (s *sheet) rowCut(symbols []text.Symbol, said func(from, to int) string) int {
	words := text.Spans(symbols)
	for _, row := range s.description.Rows {
		fields := map[int]bool{}
		for _, w := range words {
			fields[s.ofRow(said(w[0], w[1]), row)] = true
		}
		delete(fields, -1)
		if n := len(words); n > 1 && n <= len(row) && len(fields) >= max(2, n-1) { // contract: one of three may be misread
			return words[n-1][0] - 1
		}
	}
	return 0
}

// fillRows reads what stands between two values of one row of which the one between them is missing: a short word is easily overlooked.
func (s *sheet) fillRows(ctx context.Context) error {
	for i := 1; i < len(s.stretches); i++ {
		x, o := &s.stretches[i-1], &s.stretches[i]
		for _, row := range s.description.Rows {
			at := s.ofRow(x.said, row)
			between := s.apartBy(x.box, o.box)
			if at < 0 || s.ofRow(o.said, row) != at+2 || !s.level(x.box, o.box) || between < s.RowBlank { // geometry: one is between
				continue
			}
			ink, err := x.Between(ctx, &o.Ink)
			if err != nil {
				return err
			}
			for _, w := range text.Spans(ink.Reading().Symbols()) {
				if part := partOf(&ink, w[0], w[1]); s.ofRow(part.Text(), row) == at+1 {
					s.stretches = slices.Insert(s.stretches, i, s.stretchOf(part, part.Text(), nil, x.piece))
					break
				}
			}
			break
		}
	}
	return nil
}

// ofRow is which of the fields of a row a word is most like a value of; -1 where it is like none.
func (s *sheet) ofRow(word string, row []string) int {
	d, best, most := s.description, -1, s.RowWord
	for i, name := range row {
		if m := d.decoder(&d.Fields[d.field(name)]).Match(word); m > most {
			best, most = i, m
		}
	}
	return best
}
