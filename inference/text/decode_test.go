package text

import (
	"math"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/ctc"
)

const arabicLetters = " -ابتثجحخدذرزسشصضطظعغفقكلمنهويىة١٢"

// printedLine is a reading of signs in logical order, each of one column beside a blank one; what is written "ab|0.4" is
// a, and b with the probability 0.4.
func printedLine(signs ...string) *Reading {
	alphabet := []rune(arabicLetters)
	l := ctc.New(2*len(signs)+1, 1+len(alphabet))
	for t := range l.Columns {
		l.Column(t)[0] = 1
	}
	slices.Reverse(signs) // visual order
	for i, s := range signs {
		column, shown, other := l.Column(2*i+1), []rune(s), 0.0
		if len(shown) > 1 {
			other = 0.4
			column[1+slices.Index(alphabet, shown[1])] = other
		}
		column[0] = 0
		column[1+slices.Index(alphabet, shown[0])] = 1 - other // class 0, no sign, of "_", which the alphabet lacks
	}
	return newReading(l, alphabet, func(column float64) float64 { return column / float64(l.Columns) })
}

// Open ink is read as what such lines say, clear ink as it is, and a name that no list holds stays.
func TestDecode(t *testing.T) {
	names := egypt.NewNameWording()
	for _, test := range []struct {
		name  string
		signs []string
		want  string
	}{
		{"clear", []string{"م", "خ", "م", "د"}, "مخمد"},
		{"open", []string{"م", "خح", "م", "د"}, "محمد"},
		{"open, as listed", []string{"م", "حخ", "م", "د"}, "محمد"},
		{"two words", []string{"م", "خح", "م", "د", " ", "ع", "ل", "نى"}, "محمد على"},
		{"unlisted", []string{"ش", "ط", "ر", "و", "خ"}, "شطروخ"},
		{"doubled letter", []string{"ا", "ل", "ل", "ه"}, "الله"},
	} {
		got := printedLine(test.signs...).Decode(names)
		if len(got) == 0 || got[0].Text != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

// The ink of a hypothesis is the sum over all paths that spell it, and hypotheses come best first, each text once.
func TestDecodeAgreesWithScore(t *testing.T) {
	r := printedLine("م", "خح", "م", "د", " ", "ع", "لا", "ي")
	hypotheses := r.Decode(egypt.NewNameWording())
	seen := map[string]bool{}
	for i, h := range hypotheses {
		if math.Abs(h.Ink-r.Score(h.Text)) > 1e-6 {
			t.Errorf("%s: ink %.4f, score %.4f", h.Text, h.Ink, r.Score(h.Text))
		}
		if seen[h.Text] || i > 0 && h.Merit() > hypotheses[i-1].Merit() {
			t.Errorf("%d: %v", i, hypotheses)
		}
		seen[h.Text] = true
	}
	if len(seen) != 4 {
		t.Errorf("%d texts: %v", len(seen), hypotheses)
	}
}

func BenchmarkDecode(b *testing.B) {
	names := egypt.NewNameWording()
	r := printedLine("م", "خح", "م", "د", " ", "ع", "لا", "ي", " ", "حج", "س", "ن", " ", "ا", "لب", "س", "ي", "د")
	for b.Loop() {
		r.Decode(names)
	}
}
