package plate

import (
	"testing"

	"github.com/bawab/bawab/appliance/egypt/plate"
)

// letterAt is a letter of a plate, so surely there: class as in plate.Signs.
func letterAt(x, there float64, class int) plate.Sign {
	s := plate.Sign{X: x, Y: 0.6, There: there}
	for i := range s.Cell {
		s.Cell[i] = -8
	}
	s.Cell[class] = -0.01
	return s
}

// Property: of two letters on one stroke the surer one is left; letters on strokes of their own stay, letters that stand apart and only
// touch do, digits on one stroke, and so do
// letters that a rim ties together, which is wider than any sign.
func TestJoined(t *testing.T) {
	const digit, seen, heh = 2, 13, 22
	bar := func(in []int8, from, to float64) {
		for y := 50; y < 64; y++ {
			for x := int((from/2*(1-2*margin) + margin) * viewWidth); x < int((to/2*(1-2*margin)+margin)*viewWidth); x++ {
				in[y*viewWidth+x] = -100
			}
		}
	}
	for name, c := range map[string]struct {
		bars  [][2]float64
		signs []plate.Sign
		want  []int
	}{
		"one wide letter":  {[][2]float64{{1.1, 1.7}}, []plate.Sign{letterAt(1.5, 0.99, seen), letterAt(1.35, 0.8, seen)}, []int{0}},
		"touching letters": {[][2]float64{{1.1, 1.7}}, []plate.Sign{letterAt(1.5, 0.99, seen), letterAt(1.2, 0.8, seen)}, []int{0, 1}},
		"two letters": {
			[][2]float64{{1.1, 1.3}, {1.4, 1.6}},
			[]plate.Sign{letterAt(1.5, 0.99, seen), letterAt(1.2, 0.8, seen)},
			[]int{0, 1},
		},
		"a wide one and another": {
			[][2]float64{{1.0, 1.4}, {1.5, 1.8}},
			[]plate.Sign{letterAt(1.65, 0.99, heh), letterAt(1.13, 0.98, seen), letterAt(1.3, 0.6, seen)},
			[]int{0, 1},
		},
		"digits":   {[][2]float64{{0.2, 0.8}}, []plate.Sign{letterAt(0.3, 0.99, digit), letterAt(0.45, 0.9, digit)}, []int{0, 1}},
		"in a rim": {[][2]float64{{0.1, 1.8}}, []plate.Sign{letterAt(1.5, 0.99, seen), letterAt(1.35, 0.8, seen)}, []int{0, 1}},
	} {
		in := make([]int8, viewWidth*viewHeight)
		for i := range in {
			in[i] = 100
		}
		for _, b := range c.bars {
			bar(in, b[0], b[1])
		}
		got := inkOf(in).joined(c.signs)
		if len(got) != len(c.want) {
			t.Errorf("%s: %d signs are left", name, len(got))
			continue
		}
		for i, w := range c.want {
			if got[i].X != c.signs[w].X {
				t.Errorf("%s: sign %d stands at %.1f", name, i, got[i].X)
			}
		}
	}
}
