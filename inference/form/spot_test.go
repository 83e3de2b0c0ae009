package form

import (
	"testing"

	"github.com/bawab/bawab/inference/text"
)

// costsOf are the signs of a line of which the network takes nothing else for possible.
func costsOf(line string) *signCosts {
	c := newCosts(&text.Reading{}, func(r rune) []rune { return []rune{r} }, Weights(nil).blanks())
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
		c := costsOf(line)
		got := ""
		for _, f := range c.spots(newWording("job", "Occupation"), 10) {
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
		for _, f := range costsOf(line).spots(newWording("unit", "Dept."), 10) {
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
		for _, f := range costsOf(line).spots(newWording("name", "Names"), 10) {
			got += line[f.First : f.Last+1]
		}
		if got != want {
			t.Errorf("in %q the label is %q, want %q", line, got, want)
		}
	}
	apart := costsOf("elm   Full nxne oak").spots(newWording("name", "Full name"), 10)
	if len(apart) != 1 || apart[0].First != 6 {
		t.Errorf("a wording of several words that stands apart is not found: %+v", apart)
	}
	if f := costsOf("oxk elm").spots(newWording("", "oak"), 10); len(f) != 0 {
		t.Errorf("a short wording with a wrong letter is found: %+v", f)
	}
}
