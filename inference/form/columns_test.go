package form

import (
	"testing"

	"github.com/bawab/bawab/inference/text"
)

// Property: print under two labels comes apart at a wide blank where the second label begins, at any blank where a whole value of a
// field of that label begins right under it, and nowhere else.
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
		"two labels":      {[]placed{label("tree", 80, 95, 4), label("age", 50, 60, 4)}, 10, true},
		"one label":       {[]placed{label("tree", 80, 95, 4)}, 10, false},
		"a narrow blank":  {[]placed{label("tree", 80, 95, 4), label("age", 50, 60, 4)}, 1, false},
		"a value of it":   {[]placed{label("age", 80, 95, 4), label("tree", 50, 65.3, 4)}, 1, true},
		"a value beside":  {[]placed{label("age", 80, 95, 4), label("tree", 50, 70, 4)}, 1, false},
		"another's value": {[]placed{label("tree", 80, 95, 4), label("age", 50, 65.3, 4)}, 1, false},
		"begins nowhere":  {[]placed{label("tree", 80, 95, 4), label("age", 60, 75, 4)}, 10, false},
		"on other rows":   {[]placed{label("tree", 80, 95, 4), label("age", 50, 60, -6)}, 10, false},
		"first elsewhere": {[]placed{label("tree", 60, 70, 4), label("age", 50, 60, 4)}, 10, false},
	} {
		x := print(d, "elm oak", 40, 95, 10)
		s := sheetOf(d, test.labels, x)
		second, first := s.columnCut(&x, signs(test.blank), func(int) string { return "elm" })
		if (first > 0) != test.want || first < second {
			t.Errorf("%s: %v and %v", name, second, first)
		}
	}
}
