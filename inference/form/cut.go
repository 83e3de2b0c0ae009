package form

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

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

// parting is the blank at which print falls into two values, a number and a phrase or two numbers of other forms, both of them whole, or
// lines of a series that a wide one parts; 0 where there is none. slim is how many times its height the whole line is long, said what
// stands between two signs, the second excluded.
func (s *sheet) parting(symbols []text.Symbol, slim float64, said func(from, to int) string) int {
	without := func(of []text.Symbol, sign func(rune) bool) bool {
		return !slices.ContainsFunc(of, func(x text.Symbol) bool { return sign(x.Rune) })
	}
	numbers := without(symbols, unicode.IsLetter)
	for i := 1; i+1 < len(symbols); i++ {
		a, b := symbols[:i], symbols[i+1:]
		apart := without(a, unicode.IsLetter) && without(b, unicode.IsDigit) || without(a, unicode.IsDigit) && without(b, unicode.IsLetter)
		wide := (symbols[i+1].Start-symbols[i-1].End)*slim > s.LinesApart
		if symbols[i].Rune != ' ' || !apart && !numbers && !wide {
			continue
		}
		if s.meet(said(0, i), said(i+1, len(symbols)), apart, numbers, wide) {
			return i
		}
	}
	return 0
}

// meet reports whether two texts beside each other are two values: a number and a phrase set apart, two numbers, or lines of a series of
// two words or more each with a wide blank between, one of them surely such a line.
func (s *sheet) meet(a, b string, apart, numbers, wide bool) bool {
	values := apart && s.description.like(a, s.Surely) && s.description.like(b, s.Surely) || numbers && (s.unlike(a, b) || s.unlike(b, a))
	phrases := wide && strings.Contains(a, " ") && strings.Contains(b, " ")
	return values || phrases && (s.ofSeries(a) || s.ofSeries(b))
}

// unlike reports whether a text is a whole value, and another one rather a value than none, neither of them what the other is.
func (s *sheet) unlike(a, b string) bool {
	only := func(a, b string, least float64) bool {
		is := func(r reader) bool { return r.decoder.Match(a) > least && r.decoder.Match(b) <= s.NotBoth }
		return slices.ContainsFunc(s.description.readers, is)
	}
	return only(a, b, s.Surely) && only(b, a, s.Likely)
}

// like reports whether a text is like a value of some decoder, more than so much.
func (d *Description) like(said string, than float64) bool {
	return slices.ContainsFunc(d.readers, func(r reader) bool { return r.decoder.Match(said) > than })
}

// ofSeries reports whether a text is like a line of a series.
func (s *sheet) ofSeries(said string) bool {
	return slices.ContainsFunc(s.description.Fields, func(f Field) bool {
		return len(f.series) > 0 && s.description.decoder(&f).Match(said) > s.Likely
	})
}
