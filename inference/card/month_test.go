package card

import (
	"testing"

	"github.com/bawab/bawab/inference/text"
)

// Property: a date that names its month reads like one in digits, with what stands beside it, from either side; what is no date stays as it is.
func TestWithMonth(t *testing.T) {
	for line, want := range map[string]struct{ text, digits string }{
		"9 ديسمبر 2024":                {"2024/12/09", "2024/12/09"},
		"سارية حتى 21 مارس 2024":       {"سارية حتى 2024/03/21", ""},
		"يونيو 2022":                   {"2022/06", "2022/06"},
		"شارع 26 يوليو":                {"شارع 26 يوليو", ""},
		"مدينة 6 أكتوبر 12 شارع النيل": {"مدينة 6 أكتوبر 12 شارع النيل", ""},
		"شارع محمد 1952":               {"شارع محمد 1952", ""},
		"2024/03/21":                   {"2024/03/21", "2024/03/21"},
	} {
		got := withMonth(faultless(line))
		if got.text != want.text {
			t.Errorf("%q reads %q", line, got.text)
		}
		if d := spelledOf(got); want.digits != "" && (d == nil || d.Text() != want.digits) {
			t.Errorf("%q has the digits of %v", line, d)
		}
		if got := wordsOf(got); len(got) == 0 || got[0].end <= got[0].start {
			t.Errorf("%q: words %v", line, got)
		}
	}
	english := script{text: "21 MAR 2024", symbols: signsOf("21 MAR 2024")}
	if got := withMonth(english); got.text != "21/03/2024" {
		t.Errorf("%q", got.text)
	}
}

// faultless is a line as it is read without a fault.
func faultless(line string) script { return script{text: line, symbols: signsOf(asPrinted(line))} }

// signsOf are signs as they stand, from left to right.
func signsOf(shown string) (out []text.Symbol) {
	signs := []rune(shown)
	for i, r := range signs {
		out = append(out, text.Symbol{Rune: r, Prob: 1, Start: float64(i) / float64(len(signs)), End: float64(i+1) / float64(len(signs))})
	}
	return out
}
