package card

import (
	"strings"
	"testing"

	"github.com/bawab/bawab/inference/text"
)

// reading is what was read of a line, given from left to right, each sign so wide: a blank between two signs is half as wide.
func reading(shown string, wide func(r rune) float64) script {
	w, at := script{text: shown, confidence: 0.5}, 0.0
	for _, r := range shown {
		w.symbols = append(w.symbols, text.Symbol{Rune: r, Prob: 0.9, Start: at, End: at + wide(r)})
		at += wide(r)
	}
	for i := range w.symbols {
		w.symbols[i].Start /= at
		w.symbols[i].End /= at
	}
	return w
}

// Rows of dots part what stands beside them, though some of their dots are read as other digits; numbers, dates and serials are none, and
// the zero at the end of a number stays with it.
func TestLeaders(t *testing.T) {
	alike := func(rune) float64 { return 1 }
	for shown, want := range map[string]string{
		"٠٠٠٠٠٠٠٠٠ رمحأ ٠٠٠٠٠٠ نوللا": "رمحأ|نوللا", "٠٠٠٠٧٠٠٠٠٢٠٠٠ رمحأ": "رمحأ", "رمحأ ......": "رمحأ", "٠٠٠٠٠٠٠٠": "",
		"30001010100014": "30001010100014", "٢٠٠٠/٠١/٠٢": "٢٠٠٠/٠١/٠٢", "A000123": "A000123", "٠٠٠ رمحأ": "٠٠٠ رمحأ",
	} {
		w := reading(shown, alike)
		spans, found := withoutLeaders(w)
		var got []string
		for _, span := range spans {
			var part strings.Builder
			for _, s := range w.symbols {
				if middle := (s.Start + s.End) / 2; middle > span[0] && middle < span[1] {
					part.WriteRune(s.Rune)
				}
			}
			if kept := strings.TrimSpace(part.String()); kept != "" {
				got = append(got, kept)
			}
		}
		if parts := strings.Join(got, "|"); found && parts != want || !found && shown != want {
			t.Errorf("%s: %q, want %q", shown, parts, want)
		}
	}
	number := reading("٨٠........", func(r rune) float64 { return map[bool]float64{true: 0.4, false: 1}[r == '.'] })
	if spans, found := withoutLeaders(number); !found || len(spans) != 1 || spans[0][1] < number.symbols[1].End-1e-9 {
		t.Errorf("a number before dots: %v, its zero ends at %.2f", spans, number.symbols[1].End)
	}
}

// What is left of a short row of dots is told from numbers.
func TestLikeDots(t *testing.T) {
	for shown, want := range map[string]bool{"٠٠٤٠": true, "٠٠٠": true, "٢٠٠": true, "٢٠٢٤": false, "١٦٠٠ س": false, "٢٠١٥": false, "": false} {
		if likeDots(script{text: shown, confidence: 0.5}) != want {
			t.Errorf("%q: like dots %v", shown, !want)
		}
	}
	if likeDots(script{text: "٢٠٠", confidence: 0.95}) {
		t.Error("a number that is surely read")
	}
}
