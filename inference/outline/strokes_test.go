package outline

import (
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// Property: what has the strokes of a plate's signs is looked at, in dim light as well; a plain ground, a slope of light, a single post,
// noise, and a row of posts that stand far apart are not. Nothing is looked at beyond the places that are given, nor in those left out.
func TestStrokes(t *testing.T) {
	const width, height = 256, 192
	signs := func(x, y int) int {
		return map[bool]int{true: 40, false: 220}[y > 90 && y < 104 && x > 60 && x < 160 && x/6%2 == 0]
	}
	there := vision.RectQuad(40, 80, 180, 120)
	for name, c := range map[string]struct {
		luma        func(x, y int) int
		within, but appliance.Quad
		want        bool
	}{
		"plain": {luma: func(int, int) int { return 120 }},
		"slope": {luma: func(x, y int) int { return x/2 + y/2 }},
		"post":  {luma: func(x, _ int) int { return map[bool]int{true: 20, false: 200}[x > 100 && x < 110] }},
		"noise": {luma: func(x, y int) int { return 90 + (x*7919+y*104729)%13 }},
		"signs": {luma: signs, want: true},
		"signs by night": {luma: func(x, y int) int {
			return map[bool]int{true: 10, false: 45}[y > 90 && y < 104 && x > 60 && x < 160 && x/6%2 == 0]
		}, want: true},
		"one row of them": {luma: func(x, y int) int {
			return map[bool]int{true: 40, false: 220}[y > 90 && y < 95 && x > 60 && x < 160 && x/6%2 == 0]
		}},
		"a fence":              {luma: func(x, _ int) int { return map[bool]int{true: 40, false: 220}[x/25%2 == 0] }},
		"signs where sought":   {luma: signs, within: there, want: true},
		"signs elsewhere":      {luma: signs, within: vision.RectQuad(40, 10, 180, 60)},
		"signs that are known": {luma: signs, but: there},
	} {
		p := &appliance.Picture{Width: width, Height: height, Y: make([]byte, width*height)}
		for i := range p.Y {
			p.Y[i] = byte(c.luma(i%width, i/width))
		}
		var within, but *spots
		if c.within != (appliance.Quad{}) {
			within = &spots{}
			within.addQuad(c.within, p)
		}
		if c.but != (appliance.Quad{}) {
			but = &spots{}
			but.addQuad(c.but, p)
		}
		if got := strokesOf(scale(p, whole(p)), within, but).in(whole(p)); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
