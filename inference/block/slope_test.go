package block

import (
	"math"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
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

// Property: without a line that tells a direction the view stays as it is.
func TestAlongNothing(t *testing.T) {
	p := appliance.Point{X: 100, Y: 30}
	if got := Along(nil, 512, 323).Apply(p); math.Hypot(got.X-p.X, got.Y-p.Y) > 1e-9 {
		t.Errorf("%v is seen at %v", p, got)
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

// Property: a column that leans stands upright in a view along it, which still holds all lines; upright columns, lines that end
// anywhere and few lines tell nothing.
func TestUpright(t *testing.T) {
	const viewWidth, viewHeight = 512, 323
	line := func(left, right, y float64) text.Line {
		return text.Line{Start: appliance.Point{X: left, Y: y}, End: appliance.Point{X: right, Y: y}, Height: 10}
	}
	ragged := []float64{150, 310, 60, 220, 270, 20, 180, 350}
	column := func(lean float64, count int) (lines []text.Line) {
		for i := range count {
			y := 40 + 32*float64(i)
			lines = append(lines, line(ragged[i], 400+lean*y, y))
		}
		return lines
	}
	back := func(h vision.Homography, l text.Line) (text.Line, bool) {
		inverse, ok := h.Inverse()
		l.Start, l.End = inverse.Apply(l.Start), inverse.Apply(l.End)
		return l, ok
	}
	for _, lean := range []float64{0.4, -0.3} {
		lines := column(lean, 8)
		h, leans := Upright(lines, viewWidth, viewHeight)
		if !leans {
			t.Errorf("a lean of %.1f is not seen", lean)
			continue
		}
		first, _ := back(h, lines[0])
		for _, l := range lines {
			if l, ok := back(h, l); !ok || math.Abs(l.End.X-first.End.X) > 2 || l.Start.X < 0 || l.End.X > viewWidth {
				t.Errorf("with a lean of %.1f a line runs from %v to %v", lean, l.Start, l.End)
			}
		}
	}
	both := column(0, 8) // an upright column beside indented lines
	for i := range both {
		both[i].Start.X = 100 + 0.3*both[i].Start.Y
	}
	scattered := column(0, 8)
	for i := range scattered {
		scattered[i].End.X = ragged[7-i] + 100
	}
	for name, lines := range map[string][]text.Line{
		"upright": column(0, 8), "hardly leaning": column(0.05, 8), "few": column(0.4, 5),
		"upright at one side": both, "anywhere": scattered, "none": nil,
	} {
		if _, leans := Upright(lines, viewWidth, viewHeight); leans {
			t.Errorf("%s: leans", name)
		}
	}
}
