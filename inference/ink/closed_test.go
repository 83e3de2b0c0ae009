package ink

import (
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// dark is paper with dark boxes on it: left, top, right, bottom.
func dark(width, height int, boxes ...[4]int) vision.Plane {
	p := vision.Plane{Pix: make([]byte, width*height), Width: width, Height: height, Stride: width}
	for i := range p.Pix {
		p.Pix[i] = 230
	}
	for _, b := range boxes {
		for y := b[1]; y < b[3]; y++ {
			for x := b[0]; x < b[2]; x++ {
				p.Pix[y*width+x] = 20
			}
		}
	}
	return p
}

// Property: wide blanks are narrowed and narrow ones kept, dots stay with their signs, and specks, what belongs to other rows and the
// edge of the card count for nothing.
func TestClosedUp(t *testing.T) {
	p := dark(300, 40,
		[4]int{10, 10, 18, 30}, [4]int{22, 10, 30, 30},
		[4]int{150, 18, 166, 30}, [4]int{156, 10, 160, 13}, [4]int{280, 12, 288, 30}, // of which one has a dot
		[4]int{60, 0, 90, 6}, [4]int{100, 20, 101, 21}, [4]int{200, 33, 210, 38}, [4]int{297, 0, 300, 40},
	)
	r := rowIn(p)
	out, l, ok := r.closedUp(0.5) // of 20
	if !ok || len(r.signs) != 4 || l.Length() != 8+4+8+10+16+10+8 || l.Height != 20 || l.Start.Y != 20 {
		t.Fatalf("%+v %v", l, ok)
	}
	count := 0
	for _, v := range out.Pix {
		if v < 100 {
			count++
		}
	}
	if want := 8*20*2 + 16*12 + 4*3 + 8*18; count != want {
		t.Errorf("%d dark samples, want %d", count, want)
	}
}

// Property: print that stands close, a single sign and paper without text are left alone.
func TestClosedUpNothing(t *testing.T) {
	for name, p := range map[string]vision.Plane{
		"close": dark(60, 40, [4]int{10, 10, 18, 30}, [4]int{22, 10, 30, 30}),
		"one":   dark(60, 40, [4]int{10, 10, 18, 30}),
		"none":  dark(60, 40),
	} {
		r := rowIn(p)
		if _, l, ok := r.closedUp(0.5); ok {
			t.Errorf("%s: %+v", name, l)
		}
	}
}

// Property: of a line in a view the signs on its height are moved together, whatever the scale of the view; what lies beyond its ends
// and other rows is not there.
func TestClosedUpIn(t *testing.T) {
	p := dark(900, 300,
		[4]int{100, 120, 124, 180}, [4]int{400, 120, 424, 180}, [4]int{600, 120, 624, 180}, // the line
		[4]int{300, 20, 324, 60}, [4]int{300, 250, 324, 290}, [4]int{800, 120, 824, 180},
	)
	for _, scale := range []float64{1, 2, 3} {
		line := text.Line{
			Start: appliance.Point{X: 80 / scale, Y: 150 / scale}, End: appliance.Point{X: 650 / scale, Y: 150 / scale}, Height: 60 / scale,
		}
		_, l, signs, ok := ClosedUpIn(p, vision.Homography{scale, 0, 0, 0, scale, 0, 0, 0, 1}, line)
		if !ok || len(signs) != 3 || l.Length() > 2.5*l.Height {
			t.Errorf("scale %v: %d signs, %v long of %v, %v", scale, len(signs), l.Length(), l.Height, ok)
		}
	}
}
