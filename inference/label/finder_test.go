package label

import (
	"slices"
	"testing"

	"github.com/bawab/bawab/inference/inferencetest"
	"github.com/bawab/bawab/inference/text"
)

// costsOf are the signs of a line of which the network takes nothing else for possible.
func costsOf(t *testing.T, line string) *signCosts {
	c := newCosts(&text.Reading{}, 10, func(r rune) []rune { return []rune{r} }, inferencetest.Calibrate[Judged](t))
	c.value = func(first, last int) bool { return line[first:last+1] == "Accupatien" }
	for i, r := range line {
		c.symbols = append(c.symbols, text.Symbol{Rune: r, Prob: 1, Start: float64(i) / 20, End: float64(i+1) / 20})
	}
	return c
}

// Property: a wording is found with a misread letter wherever it stands, with several where it is long and begins its line or, of
// several words, stands apart, and not where most of it is something else, nor where it is a value. Its
// punctuation may be printed or not, and makes it no longer.
func TestSpots(t *testing.T) {
	for line, want := range map[string]string{
		"Occupation: elm": "Occupation", "Occupatian elm": "Occupatian", "elm Occupatian": "Occupatian", "Occxpatian elm": "Occxpatian",
		"elm Occxpatian": "", "elm   Occxpatian": "", "Accupatien elm": "", "Ocxxpxxian elm": "", "occ elm": "", "oak elm": "",
	} {
		c := costsOf(t, line)
		got := ""
		for _, f := range c.spots(c.newWording("job", "Occupation")) {
			got += line[f.First : f.Last+1]
		}
		if got != want {
			t.Errorf("in %q the label is %q, want %q", line, got, want)
		}
	}
	for line, want := range map[string]string{
		"Dept elm": "Dept", "Dept. elm": "Dept.", "Dept.: elm": "Dept.", "Dxpt. elm": "", "elm Dept.": "Dept.", "Depth elm": "", "elm oak.": "",
	} {
		got := ""
		c := costsOf(t, line)
		for _, f := range c.spots(c.newWording("unit", "Dept.")) {
			got += line[f.First : f.Last+1]
		}
		if got != want {
			t.Errorf("in %q the label is %q, want %q", line, got, want)
		}
	}
	// A short wording with a wrong sign: parted by a colon or a blank of a word's length, it may be one; inside of others it is none. Signs
	// before the wording belong to its word.
	for line, want := range map[string]string{
		"Nxmes: elm": "Nxmes", "Nxmes   elm": "Nxmes", "Nxmes elm": "", "elm Nxmes oak": "", "Nxmxs: elm": "", "Names elm": "Names",
		"xNames: elm": "xNames",
	} {
		got := ""
		c := costsOf(t, line)
		for _, f := range c.spots(c.newWording("name", "Names")) {
			got += line[f.First : f.Last+1]
		}
		if got != want {
			t.Errorf("in %q the label is %q, want %q", line, got, want)
		}
	}
	apart := costsOf(t, "elm   Full nxne oak").spots(inferencetest.Calibrate[Judged](t).newWording("name", "Full name"))
	if len(apart) != 1 || apart[0].First != 6 {
		t.Errorf("a wording of several words that stands apart is not found: %+v", apart)
	}
	if f := costsOf(t, "oxk elm").spots(inferencetest.Calibrate[Judged](t).newWording("", "oak")); len(f) != 0 {
		t.Errorf("a short wording with a wrong letter is found: %+v", f)
	}
}

// wordsApart are the signs of words, each half a height wide, with blanks of so many heights between them; the line is one height long.
func wordsApart(t *testing.T, words []string, blanks ...float64) *signCosts {
	c, x := costsOf(t, ""), 0.0
	c.slim = 1
	add := func(r rune, wide float64) {
		c.symbols = append(c.symbols, text.Symbol{Rune: r, Prob: 1, Start: x, End: x + wide})
		x += wide
	}
	for i, word := range words {
		if i > 0 {
			add(' ', blanks[i-1])
		}
		for _, r := range word {
			add(r, 0.5)
		}
	}
	return c
}

// Property: a label of one word among others stands apart where the blank before it is wider than others of its line: on a line
// of a typewriter, where every blank is wide, it is a word of a value. Latin letters that digits touch are a part of a number.
func TestLabelsAmongWords(t *testing.T) {
	for name, test := range map[string]struct {
		line *signCosts
		want bool
	}{
		"after a wide blank":     {wordsApart(t, []string{"name", "elm", "unit", "oak"}, 0.6, 1.5, 0.6), true},
		"after the only blank":   {wordsApart(t, []string{"elm", "unit"}, 1.5), true},
		"after a usual blank":    {wordsApart(t, []string{"name", "elm", "unit", "oak"}, 0.6, 0.6, 0.6), false},
		"of a typewriter":        {wordsApart(t, []string{"9", "way", "unit", "flat", "8"}, 1.3, 1.4, 1.4, 1.3), false},
		"of one, with a colon":   {wordsApart(t, []string{"9", "way", "unit:", "flat", "8"}, 1.3, 1.4, 1.4, 1.3), true},
		"first":                  {wordsApart(t, []string{"unit", "oak"}, 1.4), true},
		"with digits behind it":  {wordsApart(t, []string{"unit679"}), false},
		"with digits before it":  {wordsApart(t, []string{"679unit"}), false},
		"with a number after it": {wordsApart(t, []string{"unit", "679"}, 0.5), true},
	} {
		found := test.line.spots(test.line.newWording("unit", "unit"))
		if len(found) != 1 {
			t.Errorf("%s: found %+v", name, found)
			continue
		}
		if got := test.line.standsApart(&found[0]); got != test.want {
			t.Errorf("%s: stands apart: %v", name, got)
		}
	}
}

// Property: a label runs on into what a blank of a word parts from it, and not where a colon or a wider blank does, nor into nothing.
func TestLabelsRunOn(t *testing.T) {
	for name, test := range map[string]struct {
		line *signCosts
		want bool
	}{
		"a number behind it":        {wordsApart(t, []string{"unit", "679"}, 0.6), true},
		"words behind it":           {wordsApart(t, []string{"oak", "unit", "elm"}, 1.5, 0.6), true},
		"a number in another place": {wordsApart(t, []string{"unit", "679"}, 1.2), false},
		"a colon":                   {wordsApart(t, []string{"unit:", "679"}, 0.6), false},
		"nothing":                   {wordsApart(t, []string{"oak", "unit"}, 0.6), false},
	} {
		found := test.line.spots(test.line.newWording("unit", "unit"))
		if len(found) != 1 || found[0].Runs != test.want {
			t.Errorf("%s: found %+v", name, found)
		}
	}
}

// Property: where labels stand left of their values, one at the left end of its line begins it whatever its script, and its value stands to
// its right; one in the middle of words is none.
func TestLabelsOnTheLeft(t *testing.T) {
	f := New(func(r rune) []rune { return []rune{r} }, func(string) bool { return false }, inferencetest.Calibrate[Judged](t))
	f.Add("name", "اسم")
	for line, want := range map[string][2]bool{ // found where labels stand to the right, and to the left
		"سامي اسم": {false, true}, "اسم سامي": {true, false}, "منى اسم سامي": {false, false}, "اسم": {true, true},
	} {
		var symbols []text.Symbol
		signs := []rune(line)
		for i, sign := range slices.Backward(signs) { // from left to right
			at := float64(len(signs)-1-i) / 20
			symbols = append(symbols, text.Symbol{Rune: sign, Prob: 1, Start: at, End: at + 0.05})
		}
		r := (&text.Reading{}).With(symbols)
		for k, fromLeft := range []bool{false, true} {
			found := f.Find(r, 10, fromLeft)
			begins := len(found) > 0 && found[0].ToRight == fromLeft && found[0].RightToLeft && found[0].Begins(r.Symbols())
			if len(found) > 0 != want[k] || begins != want[k] {
				t.Errorf("in %q, from the left %v: %+v", line, fromLeft, found)
			}
		}
	}
}
