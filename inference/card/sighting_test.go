package card

import (
	"math"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/text"
)

// Property: a second look adds the lines that the first one overlooked, and completes the one of which that saw a part; it doubles
// none, and does not join what the first look saw apart.
func TestWithOverlooked(t *testing.T) {
	at := func(left, right, y float64) text.Line {
		return text.Line{Start: appliance.Point{X: left, Y: y}, End: appliance.Point{X: right, Y: y}, Height: 10}
	}
	for name, test := range map[string]struct{ first, second, want []text.Line }{
		"overlooked":       {[]text.Line{at(0, 50, 20)}, []text.Line{at(0, 50, 40)}, []text.Line{at(0, 50, 20), at(0, 50, 40)}},
		"beside another":   {[]text.Line{at(0, 50, 20)}, []text.Line{at(70, 120, 20)}, []text.Line{at(0, 50, 20), at(70, 120, 20)}},
		"the same":         {[]text.Line{at(0, 50, 20)}, []text.Line{at(2, 52, 22)}, []text.Line{at(0, 50, 21)}},
		"a part":           {[]text.Line{at(30, 50, 20)}, []text.Line{at(0, 52, 20)}, []text.Line{at(0, 52, 20)}},
		"two columns":      {[]text.Line{at(0, 30, 20), at(80, 95, 20)}, []text.Line{at(0, 100, 20)}, []text.Line{at(0, 30, 20), at(80, 95, 20)}},
		"nothing at first": {nil, []text.Line{at(0, 50, 20)}, []text.Line{at(0, 50, 20)}},
	} {
		got := withOverlooked(test.first, test.second)
		same := len(got) == len(test.want)
		for i := range test.want {
			same = same && got[i] == test.want[i]
		}
		if !same {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// Property: how the detector bends or turns a short word drops it from no row and moves it to no other; long print keeps its slope.
func TestShortWordsAreLevel(t *testing.T) {
	bent := text.Line{Start: appliance.Point{X: 100, Y: 60}, End: appliance.Point{X: 136, Y: 72}, Height: 10, Sag: -9}
	rows := rowsOf([]text.Line{bent})
	if len(rows) != 1 || math.Abs(rows[0][0].Start.Y-60) > 1e-9 || math.Abs(rows[0][0].End.Y-60) > 1e-9 {
		t.Errorf("a short word: %v", rows)
	}
	if rows := rowsOf([]text.Line{{Start: appliance.Point{X: 100, Y: 60}, End: appliance.Point{X: 300, Y: 160}, Height: 10}}); len(rows) != 0 {
		t.Errorf("a steep line is print of the card: %v", rows)
	}
}

// looksOf are looks at one line, each of which gives its own texts a probability and no other.
func looksOf(looks ...map[string]float64) entry {
	var all []script
	for _, look := range looks {
		best, most := "", 0.0
		for s, p := range look {
			if p > most {
				best, most = s, p
			}
		}
		all = append(all, script{text: best, confidence: most, alternatives: alternatives{score: func(s string) float64 { return math.Log(look[s]) }}})
	}
	first := all[0]
	first.looks = all
	e := entry{script: script{parts: []script{first}}}
	e.join()
	return e
}

// Property: what most looks see counts more than what the surest one does; one look that missed the print does not speak against
// the others; a serial that was taken from another look is doubtful.
func TestLooksTogether(t *testing.T) {
	e := looksOf(map[string]float64{"AB12": 0.8, "A812": 0.1}, map[string]float64{"A812": 0.7, "AB12": 0.01}, map[string]float64{"A812": 0.6, "AB12": 0.01})
	if s := e.agreed(egypt.Serial{Value: "AB12", Confidence: 0.95}); s.Value != "A812" || s.Confidence > eitherDate {
		t.Errorf("%+v", s)
	}
	if s := looksOf(map[string]float64{"AB12": 0.8}).agreed(egypt.Serial{Value: "AB12", Confidence: 0.95}); s.Value != "AB12" || s.Confidence != 0.95 {
		t.Errorf("one look: %+v", s)
	}
	e = looksOf(map[string]float64{"A012": 0.2, "AO12": 0.1}, map[string]float64{"AO12": 0.9, "A012": 0.01})
	if s := e.agreed(egypt.Serial{Value: "A012", Confidence: 0.8}); s.Value != "A012" {
		t.Errorf("a letter that looks like a digit: %+v", s)
	}
	blank := looksOf(map[string]float64{"AB12": 0.8}, map[string]float64{"": 1}).pooled()
	if blank("AB12") < leastInk || blank("AB12") <= blank("A812") {
		t.Errorf("a look that missed the print: %v, %v", blank("AB12"), blank("A812"))
	}
}
