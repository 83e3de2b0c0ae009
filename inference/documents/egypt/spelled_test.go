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
