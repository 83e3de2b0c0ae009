package card

import (
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/text"
)

// Property: of a stretch between two words the longest word that keeps off its ends is looked at by itself, with half a letter of room;
// where only the ends of the words beside it reach into it, nothing is.
func TestInner(t *testing.T) {
	for name, test := range map[string]struct {
		signs    [][2]float64 // shares of a line 20 letters long
		from, to float64
	}{
		"a word between the ends of two others": {[][2]float64{{-0.01, 0.02}, {0.43, 0.48}, {0.49, 0.56}, {0.97, 1.02}}, 0.43, 0.56},
		"the longer of two words":               {[][2]float64{{0.13, 0.20}, {0.43, 0.48}, {0.49, 0.56}}, 0.43, 0.56},
		"ends alone":                            {[][2]float64{{0, 0.02}, {0.99, 1.03}}, 0, 0},
		"nothing":                               {nil, 0, 0},
	} {
		l := row{{text.Line{Start: appliance.Point{X: 100, Y: 50}, End: appliance.Point{X: 300, Y: 50}, Height: 10}}}
		var signs []text.Symbol
		for _, s := range test.signs {
			signs = append(signs, text.Symbol{Rune: 'م', Start: s[0], End: s[1]})
		}
		got, ok := entry{l, script{symbols: signs}}.inner()
		if ok != (test.to > 0) {
			t.Errorf("%s: %v", name, ok)
		}
		if !ok {
			continue
		}
		if from, to := 100+200*test.from-5, 100+200*test.to+5; !near(got[0].Start.X, from) || !near(got[0].End.X, to) {
			t.Errorf("%s: %.0f to %.0f, want %.0f to %.0f", name, got[0].Start.X, got[0].End.X, from, to)
		}
	}
}

func near(a, b float64) bool { return a-b < 0.5 && b-a < 0.5 }

// Property: a date that is not returned has not expired and is no wrong span after another: nobody can say so of what could not be read.
func TestUnreadDateSaysNothing(t *testing.T) {
	for name, test := range map[string]struct {
		confidence float64
		want       []appliance.Code
	}{
		"read":     {0.99, []appliance.Code{appliance.CodeExpired, appliance.CodeExpiryFormat}},
		"not read": {0.1, []appliance.Code{appliance.CodeExpiryFormat, appliance.CodeUnreadable}},
	} {
		d := appliance.Document{Kind: appliance.NationalIDBack}
		e := editor{Document: &d, sheet: &sheet{}}
		e.date("idExpiry", egypt.Date{Value: "2020-01-01", Confidence: test.confidence, Codes: []egypt.Code{egypt.CodeExpired, egypt.CodeExpiryFormat}}, row{})
		if len(d.Validations) != 1 || !slices.Equal(d.Validations[0].Errors, test.want) {
			t.Errorf("%s: %v, not %v", name, d.Validations, test.want)
		}
	}
}

// Property: the phrase before the expiry says that a sheet is an ID where it speaks of the card or stands below a national number, and not on
// a badge.
func TestPhraseNamesTheCard(t *testing.T) {
	const card, number = "البطاقة سارية حتى 2028/05/11", "20001010100022"
	badge := printed{"صالحة حتى : 2028/05/11", 0.20, 0.86, 0.53, 13}
	for name, test := range map[string]struct {
		lines []printed
		want  bool
	}{
		"a card":               {back(), true},
		"a card, no number":    {replaced(back(), number), true},
		"another phrase":       {replaced(back(), card, badge), true},
		"a badge's, no number": {replaced(replaced(back(), number), card, badge), false},
	} {
		s := sheetOf(test.lines)
		if _, err := s.readBack(t.Context(), egypt.NewJobWording(), egypt.NewNameWording()); err != nil || s.named != test.want {
			t.Errorf("%s: named %v, %v", name, s.named, err)
		}
	}
}

// Property: the words of the phrase before the expiry count whether or not a blank parts them from their colon and the date.
func TestPhraseBesideItsColon(t *testing.T) {
	for line, want := range map[string]int{"صالحة حتى:٢٠٢٦/١٠/١٦": 2, "صالحة حتى : ٢٠٢٦/١٠/١٦": 2, "البطاقة سارية حتى:": 3, "الديانة: مسلمة": 0} {
		if got := (entry{script: script{text: line}}).phrased(); got != want {
			t.Errorf("%q: %d words", line, got)
		}
	}
}
