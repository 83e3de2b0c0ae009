package block

import (
	"math"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
)

// Property: rows that slant and fan out run level in a view along them, which still holds all of them.
func TestAlong(t *testing.T) {
	const viewWidth, viewHeight = 512, 323
	var lines []text.Line
	for i := range 10 {
		y, slope := 60+45*float64(i), 0.09-0.006*float64(i)
		start, end := appliance.Point{X: 20, Y: y - slope*430}, appliance.Point{X: 880, Y: y + slope*430}
		lines = append(lines, text.Line{Start: start, End: end, Height: 12})
	}
	back, ok := Along(lines, viewWidth, viewHeight).Inverse()
	if !ok {
		t.Fatal("no map")
	}
	for _, l := range lines {
		start, end := back.Apply(l.Start), back.Apply(l.End)
		if math.Abs(slope(text.Line{Start: start, End: end})) > 0.01 {
			t.Errorf("a line of slope %.3f runs from %v to %v", slope(l), start, end)
		}
		for _, p := range []appliance.Point{start, end} {
			if p.X < 0 || p.X > viewWidth || p.Y < 0 || p.Y > viewHeight {
				t.Errorf("%v lies outside the view", p)
			}
		}
	}
}

// Property: print that is mostly tiny, in many lines, is a ground; few small lines and lines of usual height are none.
func TestTinyPrint(t *testing.T) {
	lines := func(n int, height float64) []text.Line {
		out := make([]text.Line, n)
		for i := range out {
			out[i].Height = height
		}
		return out
	}
	for name, test := range map[string]struct {
		lines []text.Line
		want  bool
	}{
		"a ground": {lines(60, 4), true}, "a ground and a card": {append(lines(40, 4), lines(20, 12)...), true},
		"a card": {lines(25, 11), false}, "few": {lines(8, 4), false}, "none": {nil, false},
	} {
		if got := Tiny(test.lines); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
