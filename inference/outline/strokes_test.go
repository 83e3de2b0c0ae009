package outline

import "testing"

// Property: what has the strokes of a plate's signs is looked at, in dim light as well; a plain ground, a slope of light, a single post
// and noise are not.
func TestStrokes(t *testing.T) {
	const width, height = 256, 192
	for name, c := range map[string]struct {
		luma func(x, y int) int
		want bool
	}{
		"plain": {func(int, int) int { return 120 }, false},
		"slope": {func(x, y int) int { return x/2 + y/2 }, false},
		"post":  {func(x, _ int) int { return map[bool]int{true: 20, false: 200}[x > 100 && x < 110] }, false},
		"noise": {func(x, y int) int { return 90 + (x*7919+y*104729)%13 }, false},
		"signs": {func(x, y int) int {
			return map[bool]int{true: 40, false: 220}[y > 90 && y < 104 && x > 60 && x < 160 && x/6%2 == 0]
		}, true},
		"signs by night": {func(x, y int) int {
			return map[bool]int{true: 10, false: 45}[y > 90 && y < 104 && x > 60 && x < 160 && x/6%2 == 0]
		}, true},
		"one row of them": {func(x, y int) int {
			return map[bool]int{true: 40, false: 220}[y > 90 && y < 95 && x > 60 && x < 160 && x/6%2 == 0]
		}, false},
	} {
		var s finderScratch
		s.planes[0] = make([]byte, finderSide*finderSide)
		for y := range height {
			for x := range width {
				s.planes[0][y*finderSide+x] = byte(c.luma(x, y))
			}
		}
		if got := s.strokes(width, height); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
