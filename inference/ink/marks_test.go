package ink

import (
	"math"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// Property: dots and strokes that lie flat, stand upright or fall to the right count once each, a slanted stroke, as a fatha is, for
// four, and letters for nothing.
func TestMarks(t *testing.T) {
	letter := [4]float64{0, 0, 60, 0}
	for name, tt := range map[string]struct {
		marks [][4]float64 // from x, y to x, y
		want  int
	}{
		"none":            {nil, 0},
		"dots":            {[][4]float64{{100, -30, 103, -30}, {140, 30, 143, 30}}, 2},
		"two dots joined": {[][4]float64{{100, -30, 120, -30}}, 1},
		"upright stroke":  {[][4]float64{{100, -36, 100, -27}}, 1},
		"falling stroke":  {[][4]float64{{100, -36, 120, -24}}, 1},
		"fatha":           {[][4]float64{{100, -24, 120, -36}}, 4},
		"kasra and a dot": {[][4]float64{{100, 36, 120, 24}, {180, 30, 183, 30}}, 4},
	} {
		p := vision.Plane{Pix: make([]byte, 300*200), Width: 300, Height: 200, Stride: 300}
		for i := range p.Pix {
			p.Pix[i] = 230
		}
		for _, stroke := range append(tt.marks, letter) {
			for i := range 61 {
				at := float64(i) / 60
				x, y := int(40+stroke[0]+at*(stroke[2]-stroke[0])), int(100+stroke[1]+at*(stroke[3]-stroke[1]))
				for dy := -3; dy <= 3; dy++ {
					for dx := -3; dx <= 3; dx++ {
						p.Pix[(y+dy)*p.Stride+x+dx] = 20
					}
				}
			}
		}
		line := text.Line{Start: appliance.Point{X: 40, Y: 100}, End: appliance.Point{X: 260, Y: 100}, Height: 48}
		if got := Marks(p, vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}, line); got != tt.want {
			t.Errorf("%s: %d marks, not %d", name, got, tt.want)
		}
	}
}

// Property: the widest piece of ink of a line is told in pixels of the page, and ink of another line that reaches into its crop is not.
func TestWidest(t *testing.T) {
	p := letters([4]int{100, 48, 130, 54}, [4]int{340, 0, 460, 120})
	line := text.Line{Start: appliance.Point{X: 90, Y: 51}, End: appliance.Point{X: 470, Y: 51}, Height: 20}
	if got := Widest(p, vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}, line); math.Abs(got-60) > 3 {
		t.Errorf("the widest piece is %.1f pixels wide, not 60", got)
	}
}
