package card

import (
	"math"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/text"
)

// spelled are digits as the reader of words read them. It knows their size and what stands beside them from the words around,
// the reader of digits knows digits better: where the two disagree, a number is doubtful.
type spelled struct {
	signs      []text.Symbol
	text       string
	confidence float64
}

// spelledOf makes digits of a reading of words; nil where it is none of a number.
func spelledOf(w script) egypt.Digits {
	out := spelled{confidence: w.confidence}
	if strings.Contains("][|l", w.text) && len(w.symbols) == 1 { // a stroke that stands alone
		s := w.symbols[0]
		s.Rune, s.Prob = '1', min(s.Prob, halfSure)
		return spelled{signs: []text.Symbol{s}, text: "1", confidence: s.Prob}
	}
	var dots []int // by the digits before them
	for _, s := range w.symbols {
		r := []rune(egypt.FoldDigits(string(s.Rune)))[0]
		switch {
		case digit(r) >= 0:
			out.signs = append(out.signs, s)
			out.text += string(r)
		case strings.ContainsRune("/-", r):
			out.text += string(r)
		case r == '.':
			dots = append(dots, len(out.signs))
		case r != ' ':
			return nil
		}
	}
	if len(out.signs) == 0 {
		return nil
	}
	if i := zeroForDot(out.text, dots); i >= 0 {
		out.signs, out.text = slices.Delete(out.signs, i, i+1), out.text[:i]+out.text[i+1:]
		out.confidence = min(out.confidence, halfSure)
	}
	return out
}

// zeroForDot is which digit of a date with one dot, after so many digits, is its other dot: ٢٣.٠٢٠٢٠٢٣ for ٢٣.٠٢.٢٠٢٣, since a zero is but a larger dot. -1 where
// none is.
func zeroForDot(digits string, dots []int) int {
	if len(digits) != dayDigits+1 || len(dots) != 1 {
		return -1
	}
	other, ok := map[int]int{2: 4, 5: 2, 4: 6, 7: 4}[dots[0]] // day or year first, the second or the first dot lost
	if !ok || digits[other] != '0' {
		return -1
	}
	return other
}

// Text returns the digits and separators from left to right.
func (s spelled) Text() string { return s.text }

// Symbols returns the digits with their places.
func (s spelled) Symbols() []text.Symbol { return s.signs }

// Score is the log-probability of digits.
func (s spelled) Score(digits string) float64 {
	sum := s.LogLength(len(digits))
	for i, cell := range s.Cells(len(digits)) {
		sum += cell[digits[i]-'0']
	}
	return sum
}

// LogLength is the log-probability that n digits are printed: the reading's own count or, hardly, another.
func (s spelled) LogLength(n int) float64 {
	if n == len(s.signs) {
		return math.Log(max(s.confidence, 0.05))
	}
	return math.Log(max(1-s.confidence, 1e-6) / 100)
}

// Cells gives each digit its probability, and shares the rest among the others.
func (s spelled) Cells(n int) []egypt.Cell {
	cells := make([]egypt.Cell, n)
	if n != len(s.signs) {
		return cells // nothing is known
	}
	for i, sign := range s.signs {
		read := digit([]rune(egypt.FoldDigits(string(sign.Rune)))[0]) - '0'
		p := min(max(sign.Prob, 0.1), 0.9999)
		for d := range cells[i] {
			cells[i][d] = math.Log((1 - p) / 9)
		}
		cells[i][read] = math.Log(p)
	}
	return cells
}

// wordsWorth is how much surer the reader of digits must be to be believed against the reader of words: it reads numbers of
// few digits with more of what stands beside them.
const wordsWorth = 2.0

// countOf is the number between low and high that both readings of a place support best. Where they disagree, it is doubtful.
func (p printedDate) countOf(low, high int) egypt.Count {
	c := egypt.Count{}
	if p.figures != nil {
		c = egypt.DecodeCount(p.figures, low, high)
	}
	if p.spelled == nil {
		return c
	}
	other := egypt.DecodeCount(p.spelled, low, high)
	switch {
	case other.Value == "":
		return c
	case other.Value == c.Value:
		c.Confidence = max(c.Confidence, other.Confidence)
		return c
	case c.Value == "" || other.Confidence*wordsWorth > c.Confidence:
		c = other
	}
	c.Confidence = min(c.Confidence, eitherDate)
	return c
}

// dateOf is the date that the readings of a place support best. Where they disagree, or only the reader of words read one, it is
// doubtful.
func (p printedDate) dateOf(rules egypt.DateRules) egypt.Date {
	d := egypt.Date{}
	if p.figures != nil {
		d = egypt.DecodeDate(p.figures, rules)
		if p.named || uneven(p.figures.Text()) {
			d.Confidence = min(d.Confidence, eitherDate)
		}
	}
	if p.spelled == nil {
		return d
	}
	other := egypt.DecodeDate(p.spelled, rules)
	if other.Value == "" || other.Value == d.Value || d.Value != "" && other.Confidence < halfSure {
		return d
	}
	if d.Value == "" || other.Confidence > d.Confidence {
		d = other
	}
	d.Confidence = min(d.Confidence, eitherDate)
	return d
}

// uneven reports whether a date has a day or a month of one digit beside one that is filled up with a zero: nobody prints it so, and a
// digit stands beyond the end of the line that the detector saw.
func uneven(date string) bool {
	parts := strings.FieldsFunc(date, func(r rune) bool { return digit(r) < 0 })
	short := slices.ContainsFunc(parts, func(p string) bool { return len(p) == 1 })
	return short && slices.ContainsFunc(parts, func(p string) bool { return len(p) == 2 && p[0] == '0' })
}
