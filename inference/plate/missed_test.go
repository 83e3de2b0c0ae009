package plate

import (
	"testing"

	"github.com/bawab/bawab/appliance/egypt/plate"
)

// Property: a narrow stroke as high as the digits that were found and beside one of them may be a digit; one that is lower, wider, or on
// another height is none, nor are the rim, the bar in the middle, and what stands far away.
func TestMissed(t *testing.T) {
	pixel := func(x float64) int { return int((x/2*(1-2*margin) + margin) * viewWidth) }
	for name, c := range map[string]struct {
		left, right float64
		top, bottom int
		want        bool
	}{
		"a one":         {0.52, 0.58, 45, 70, true},
		"a one at left": {0.14, 0.20, 45, 70, true},
		"dirt":          {0.52, 0.58, 52, 60, false},
		"a blot":        {0.50, 0.70, 45, 70, false},
		"a line above":  {0.52, 0.58, 20, 45, false},
		"the rim":       {0.00, 0.05, 45, 70, false},
		"the bar":       {0.97, 1.03, 45, 70, false},
		"far away":      {0.82, 0.88, 45, 70, false},
	} {
		in := make([]int8, viewWidth*viewHeight)
		for i := range in {
			in[i] = 100
		}
		bar := func(left, right float64, top, bottom int) {
			for y := top; y < bottom; y++ {
				for x := pixel(left); x < pixel(right); x++ {
					in[y*viewWidth+x] = -100
				}
			}
		}
		bar(0.26, 0.46, 45, 70) // a digit that was found
		bar(c.left, c.right, c.top, c.bottom)
		found := plate.Sign{X: 0.36, Y: (57.5/viewHeight - margin) / (1 - 2*margin), There: 1}
		if got := inkOf(in).missed([]plate.Sign{found}); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
