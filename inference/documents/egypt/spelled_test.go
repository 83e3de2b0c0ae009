package egypt

import (
	"testing"

	"github.com/bawab/bawab/inference/text"
)

// Property: digits of the reader of words are a number of a length that it may have.
func TestSpelledNumber(t *testing.T) {
	s := text.Spelled{Signs: []text.Symbol{{Rune: '1'}, {Rune: '٢'}, {Rune: '4'}}, Said: "12/4", Confidence: 0.45}
	if v := spelledNumber(s, 14, 3); v.Text != "124" || v.Share != 0.45 || v.Raw != "12/4" {
		t.Errorf("%+v", v)
	}
	if v := spelledNumber(s, 14); v.Text != "" {
		t.Errorf("%+v", v)
	}
}

// Property: the groups of a number that blanks part are taken from the right, each as it stands; one group stays.
func TestFromRight(t *testing.T) {
	signs := func(said string) (out []text.Symbol) {
		for _, r := range said {
			out = append(out, text.Symbol{Rune: r})
		}
		return out
	}
	for said, want := range map[string]string{
		"٤ ٦٢٦٧ ٠٢ ٩٠٠٩٣٠ ٢": "٢٩٠٠٩٣٠٠٢٦٢٦٧٤", "12 34 ": "3412", " 12": "12", "1234": "1234", "1  2": "21", "": "",
	} {
		got := ""
		for _, s := range fromRight(signs(said)) {
			got += string(s.Rune)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}
