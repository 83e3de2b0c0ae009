package card

import (
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/text"
)

// spelledOf makes digits of a reading of words; nil where it is none of a number. Where the reader of digits disagrees, a number is
// doubtful.
func spelledOf(w script) egypt.Digits {
	out := text.Spelled{Confidence: w.confidence}
	if strings.Contains("][|l", w.text) && len(w.symbols) == 1 { // a stroke that stands alone
		s := w.symbols[0]
		s.Rune, s.Prob = '1', min(s.Prob, halfSure)
		return text.Spelled{Signs: []text.Symbol{s}, Said: "1", Confidence: s.Prob}
	}
	var dots []int // by the digits before them
	for _, s := range w.symbols {
		r := []rune(egypt.FoldDigits(string(s.Rune)))[0]
		switch {
		case digit(r) >= 0:
			out.Signs = append(out.Signs, s)
			out.Said += string(r)
		case strings.ContainsRune("/-", r):
			out.Said += string(r)
		case r == '.':
			dots = append(dots, len(out.Signs))
		case r != ' ':
			return nil
		}
	}
	if len(out.Signs) == 0 {
		return nil
	}
	if i := zeroForDot(out.Said, dots); i >= 0 {
		out.Signs, out.Said = slices.Delete(out.Signs, i, i+1), out.Said[:i]+out.Said[i+1:]
		out.Confidence = min(out.Confidence, halfSure)
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
