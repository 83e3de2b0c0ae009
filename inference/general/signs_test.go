package general

import (
	"testing"

	"github.com/bawab/bawab/inference/text"
)

// printedSigns are the signs of a line as printed.
func printedSigns(line string) (out []text.Symbol) {
	for _, r := range line {
		out = append(out, text.Symbol{Rune: r, Prob: 1})
	}
	return out
}

// Property: lines with a number of several signs in Arabic-Indic digits are looked at once more; words, Western numbers and the number of
// a footnote are not.
func TestHoldsNumber(t *testing.T) {
	for line, want := range map[string]bool{
		"٥٦٠٨٠": true, "بلط ١.": true, "-٢ بلط": true, "٪٨": true, "ةدام ١٢ نم": true,
		"بلط": false, "12.50": false, "(٤)اثيدح": false, "١ ٢": false, "": false,
	} {
		if got := holdsNumber(printedSigns(line)); got != want {
			t.Errorf("%q: %t", line, got)
		}
	}
}

// Property: a line of several Arabic letters has so many small pieces of ink for each of them; one of few letters, or of others, has none.
func TestMarksOfLetter(t *testing.T) {
	for _, tt := range []struct {
		line  string
		marks int
		want  float64
	}{{"ملعلا", 9, 1.8}, {"ملعلا ١٢", 4, 0.8}, {"ملعلا", 0, 0}, {"من", 9, 0}, {"abcdef", 9, 0}} {
		if got := marksOfLetter(printedSigns(tt.line), tt.marks); got != tt.want {
			t.Errorf("%q with %d marks: %g", tt.line, tt.marks, got)
		}
	}
}

// Property: two readings show the same number whatever they make of its words and blanks.
func TestNumberSigns(t *testing.T) {
	if a, b := numberSigns(printedSigns("٢٠ ٢-٠ بلط")), numberSigns(printedSigns("٢٠٢-٠ ملط")); a != b {
		t.Errorf("%q and %q", a, b)
	}
	if a, b := numberSigns(printedSigns("٥٦٠٨")), numberSigns(printedSigns("٥٦.٨")); a == b {
		t.Errorf("%q and %q", a, b)
	}
}
