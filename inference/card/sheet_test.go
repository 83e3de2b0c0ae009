package card

import (
	"math"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/text"
)

// Property: how the detector bends or turns a short word drops it from no row and moves it to no other; long text keeps its slope.
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

// Property: what most looks see counts more than what the surest one does; one look that missed the text does not speak against
// the others; a serial that was taken from another look is doubtful, one with a dot wherever looks disagree.
func TestLooksTogether(t *testing.T) {
	e := looksOf(map[string]float64{"AB12": 0.8, "A812": 0.1}, map[string]float64{"A812": 0.7, "AB12": 0.01}, map[string]float64{"A812": 0.6, "AB12": 0.01})
	if s := e.agreed(egypt.Serial{Value: "AB12", Confidence: 0.95}); s.Value != "A812" || s.Confidence > eitherDate {
		t.Errorf("%+v", s)
	}
	if s := looksOf(map[string]float64{"OM651.46582633": 0.8}, map[string]float64{"OM651.46582638": 0.7}).agreed(egypt.Serial{Value: "OM651.46582633", Confidence: 0.95}); s.Value != "OM651.46582633" || s.Confidence > eitherDate {
		t.Errorf("looks at a number with a dot that disagree give %q with %.2f", s.Value, s.Confidence)
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

// Property: a line that ends at the right side of the view is read beyond it, any other as far as it reaches.
func TestClippedLine(t *testing.T) {
	for end, want := range map[float64]float64{viewWidth: viewWidth + 15, viewWidth - 0.5: viewWidth + 14.5, viewWidth - 2: viewWidth - 2} {
		l := text.Line{Start: appliance.Point{X: 300, Y: 50}, End: appliance.Point{X: end, Y: 50}, Height: 10}
		if got := clippedLine(l).End; got != (appliance.Point{X: want, Y: 50}) {
			t.Errorf("to %v: %v, want %v", end, got, want)
		}
	}
}
