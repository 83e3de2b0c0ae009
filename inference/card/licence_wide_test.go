package card

import (
	"context"
	"math"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
)

// Property: a plate whose letters stand far apart is taken as its signs show it, moved together, where it keeps the rules: surely where
// as many signs were seen as read, doubtfully where not, and not at all where what was read before is as many and surer.
func TestWideLetters(t *testing.T) {
	look := func(shown string, sure float64) script {
		return script{text: shown, confidence: sure, alternatives: alternatives{score: func(what string) float64 {
			if what == shown {
				return math.Log(sure)
			}
			return -20
		}}}
	}
	l := text.Line{Start: appliance.Point{X: 100, Y: 50}, End: appliance.Point{X: 200, Y: 50}, Height: 10}
	for name, c := range map[string]struct {
		before, wide script
		signs        int
		want         string
		uncounted    bool
	}{
		"a letter overlooked": {look("ل 816", 0.99), look("ع و ل 816", 0.98), 6, "ع و ل 816", false},
		"another count":       {look("ل 816", 0.99), look("ع و ل 816", 0.98), 7, "ع و ل 816", true},
		"surer before":        {look("ع و ل 816", 0.9), look("ع ر ل 816", 0.6), 6, "ع و ل 816", false},
		"no plate":            {look("ل 816", 0.5), look("816", 0.9), 3, "ل 816", false},
	} {
		s := &sheet{closed: func(context.Context, text.Line) ([]script, int, error) { return []script{c.wide}, c.signs, nil }}
		e := pooledPlate(l, []script{c.before})
		a := cells{{entry: e}}
		got, err := s.withWideLetters(t.Context(), a, []int{0}, e)
		if p, _ := got.plateText(); err != nil || p.String() != c.want || got.parts[0].wide != c.uncounted {
			t.Errorf("%s: %s, uncounted %t, %v", name, p, got.parts[0].wide, err)
		}
	}
}
