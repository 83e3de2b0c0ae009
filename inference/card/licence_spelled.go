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
