package card

import (
	"context"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/text"
)

// Forms lead the eye from a label to its value and on to the end of the line with a row of dots, which the recogniser takes for zeros.

// fewestDots is how many zeros are read for a row of dots at least, more than numbers have; a dot counts for two.
const fewestDots = 6

// dotted is by how much a sign speaks for a row of dots, in zeros, less than 0 if against one.
func dotted(r rune) float64 {
	switch r {
	case '.', '·':
		return 2
	case '٠', '0', ' ':
		return 1
	case '-', '_':
		return 0.5
	case '١', '٢', '٦', '٧', '1', '،', ',', '\'', ':':
		return -1.5
	}
	return -fewestDots * 10
}

// withoutLeaders returns the stretches of a reading between rows of dots, as shares of its line from left to right; found is false
// where it holds none.
func withoutLeaders(w script) (spans [][2]float64, found bool) {
	from := 0.0
	rest := w.symbols
	for {
		start, end, ok := leader(rest)
		if !ok {
			break
		}
		found = true
		if start > 0 {
			spans = append(spans, [2]float64{from, (rest[start-1].End + rest[start].Start) / 2})
		}
		from, rest = rest[end-1].End, rest[end:]
	}
	if len(rest) > 0 {
		spans = append(spans, [2]float64{from, 1})
	}
	return spans, found
}

// leader returns the first row of dots among signs, from left to right.
func leader(signs []text.Symbol) (start, end int, ok bool) {
	sum, most, first := 0.0, 0.0, 0
	for i, s := range signs {
		if sum == 0 {
			first = i
		}
		sum = max(0, sum+dotted(s.Rune))
		if sum > most {
			start, end, most = first, i+1, sum
		}
		if sum == 0 && most >= fewestDots {
			break
		}
	}
	if most < fewestDots {
		return 0, 0, false
	}
	start, end = evenly(signs, start, end)
	return start, end, end-start >= fewestDots/2
}

// evenly leaves out what stands at the ends of a row of dots further from it than its dots from each other: a zero of a number.
func evenly(signs []text.Symbol, start, end int) (int, int) {
	apart := func(i int) float64 { return signs[i+1].Start - signs[i].Start }
	var steps []float64
	for i := start; i+1 < end; i++ {
		steps = append(steps, apart(i))
	}
	slices.Sort(steps)
	const wider = 1.6
	usual := steps[len(steps)/2]
	for end-start > 2 && apart(start) > wider*usual {
		start++
	}
	for end-start > 2 && apart(end-2) > wider*usual {
		end--
	}
	return start, end
}

// cutAtLeaders reads the stretches of a cell between rows of dots anew, and cuts each at the labels in it.
func (s *sheet) cutAtLeaders(ctx context.Context, c cell, spans [][2]float64, labels []egypt.Phrase) (out cells, err error) {
	s.leaders = true
	for _, span := range slices.Backward(spans) {
		if (span[1]-span[0])*c.whole().Length() < c.height()/2 {
			continue
		}
		parts, err := s.cutFurther(ctx, c, span[0], span[1], labels)
		if err != nil {
			return nil, err
		}
		out = append(out, parts...)
	}
	return out, nil
}

// withoutDots leaves out what is left of rows of dots: cells of nothing else, and their ends beside words.
func (s *sheet) withoutDots(ctx context.Context, all cells) (out cells, err error) {
	for _, c := range all {
		from, to := dotsBeside(c.script)
		switch {
		case c.label != "":
		case from >= to || likeDots(c.script):
			continue
		case from > 0 || to < 1:
			if c, err = s.part(ctx, c, from, to); err != nil {
				return nil, err
			}
		}
		out = append(out, c)
	}
	return out, nil
}

// likeDots reports whether a reading is that of a row of dots: digits alone, half of them zeros or hardly any sure, or zeros and whatever.
func likeDots(w script) bool {
	const hardly, hardlyAny = 0.2, 0.05
	signs, zeros, letters := 0, 0, 0
	for _, r := range egypt.FoldDigits(w.text) {
		switch {
		case dotted(r) > 0:
			zeros++
		case digit(r) < 0 && dotted(r) < -fewestDots:
			letters++
		}
		signs++
	}
	switch {
	case signs < 2 || w.confidence >= surePiece:
		return false
	case letters == 0:
		return 2*zeros >= signs || w.confidence < hardly
	}
	return zeros > 2 && 2*zeros >= signs && w.confidence < hardlyAny
}

// dotsBeside returns from where to where, as shares of its line, a reading has other words than rows of dots; from is not below to where
// it has none.
func dotsBeside(w script) (from, to float64) {
	words := wordsOf(w)
	dots := func(w word) bool {
		return (len([]rune(w.text)) > 1 || w.text == ".") && !strings.ContainsFunc(w.text, func(r rune) bool { return dotted(r) < 0 })
	}
	from, to = 0, 1
	for len(words) > 0 && dots(words[0]) {
		to, words = words[0].start, words[1:]
	}
	for len(words) > 0 && dots(words[len(words)-1]) {
		from, words = words[len(words)-1].end, words[:len(words)-1]
	}
	if len(words) == 0 {
		return 1, 0
	}
	return from, to
}
