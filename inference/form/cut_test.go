package form

import (
	"strings"
	"testing"

	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/text"
)

// Property: print under two labels comes apart at a wide blank where the second label begins, at any blank where a whole value of a
// field of that label begins right under it, and nowhere else. A label in two languages, side by side, is one.
func TestColumnCut(t *testing.T) {
	d := forest(t)
	// "elm oak" from 40 to 95, read from the right: oak begins at 95, and beyond a blank of two letters elm at about 60.
	signs := func(blank float64) (out []text.Symbol) {
		at := 0.0
		for _, r := range "mle kao" {
			wide := 5.0
			if r == ' ' {
				wide = blank
			}
			out = append(out, text.Symbol{Rune: r, Start: at, End: at + wide})
			at += wide
		}
		for i := range out {
			out[i].Start, out[i].End = out[i].Start/at, out[i].End/at
		}
		return out
	}
	for name, test := range map[string]struct {
		labels []placed
		blank  float64
		want   bool
	}{
		"two labels":      {[]placed{labelAt("tree", 80, 95, 4), labelAt("age", 50, 60, 4)}, 10, true},
		"one label":       {[]placed{labelAt("tree", 80, 95, 4)}, 10, false},
		"a narrow blank":  {[]placed{labelAt("tree", 80, 95, 4), labelAt("age", 50, 60, 4)}, 1, false},
		"a value of it":   {[]placed{labelAt("age", 80, 95, 4), labelAt("tree", 50, 65.3, 4)}, 1, true},
		"a value beside":  {[]placed{labelAt("age", 80, 95, 4), labelAt("tree", 50, 70, 4)}, 1, false},
		"another's value": {[]placed{labelAt("tree", 80, 95, 4), labelAt("age", 50, 65.3, 4)}, 1, false},
		"begins nowhere":  {[]placed{labelAt("tree", 80, 95, 4), labelAt("age", 60, 75, 4)}, 10, false},
		"on other rows":   {[]placed{labelAt("tree", 80, 95, 4), labelAt("age", 50, 60, -6)}, 10, false},
		"first elsewhere": {[]placed{labelAt("tree", 60, 70, 4), labelAt("age", 50, 60, 4)}, 10, false},
		"one label twice": {[]placed{labelAt("tree", 80, 95, 4), labelAt("tree", 50, 60, 4)}, 10, false},
	} {
		x := print(d, "elm oak", 40, 95, 10)
		s := sheetOf(d, test.labels, x)
		cut := s.columnCut(&s.stretches[0], signs(test.blank), func(int) string { return "elm" })
		if want := strings.Index("mle kao", " "); (cut == want) != test.want || cut != 0 && cut != want {
			t.Errorf("%s: cut at %d", name, cut)
		}
	}
}

// Property: print whose words are values of one row, each of another field, is cut behind the last but one, also where one of three is
// misread; a single word, two of one field, and more words than the row has are left together.
func TestRowCut(t *testing.T) {
	d := New(Description{Rows: [][]string{{"sex", "faith", "state"}}, Fields: []Field{
		{Name: "sex", Decoder: "sex"}, {Name: "faith", Decoder: "faith"}, {Name: "state", Decoder: "state"},
	}}, field.Knowledge{Decoders: map[string]field.Decoder{
		"sex": whole{values: []string{"he", "she"}}, "faith": whole{values: []string{"one", "many"}}, "state": whole{values: []string{"free"}},
	}})
	for said, want := range map[string]string{
		"free one he": "he", "one he": "he", "free  he": "he", "free xxx he": "he", "xxx he": "", "he": "", "she he": "", "": "",
		"free one he she": "",
	} {
		var symbols []text.Symbol
		for _, r := range said {
			symbols = append(symbols, text.Symbol{Rune: r})
		}
		cut := (&sheet{description: d, Calibration: calibrated(nil)}).rowCut(symbols, func(from, to int) string { return said[from:to] })
		if got := strings.TrimSpace(said[cut:]); cut > 0 && got != want || cut == 0 && want != "" {
			t.Errorf("%q is cut before %q, want %q", said, got, want)
		}
	}
}
