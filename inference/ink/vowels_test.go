package ink

import (
	"bytes"
	"math"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// Property: what a thin stroke draws above or below the letters is painted over, slanted or a ring; dots, also two that touch each other,
// and letters stay.
func TestUnvowelled(t *testing.T) {
	ring := func(x, y float64) bool { d := math.Hypot(x, y); return d > 6 && d < 9 }
	slanted := func(x, y float64) bool { return math.Abs(x) < 11 && math.Abs(y+0.4*x) < 2.5 }
	dot := func(x, y float64) bool { return math.Hypot(x, y) < 5 }
	dots := func(x, y float64) bool { return dot(x-4.5, y) || dot(x+4.5, y) }
	letter := func(x, y float64) bool {
		return math.Abs(x) < 8 && math.Abs(y) < 12 && (math.Abs(x) > 4 || math.Abs(y) > 8)
	}
	for name, tt := range map[string]struct {
		drawn func(x, y float64) bool
		y     float64 // of its middle
		gone  bool
	}{
		"fatha": {slanted, 60, true}, "kasra": {slanted, 142, true}, "sukun": {ring, 60, true},
		"dot": {dot, 60, false}, "two dots": {dots, 142, false}, "letter": {letter, 108, false},
	} {
		p := vision.Plane{Pix: bytes.Repeat([]byte{230}, 400*200), Width: 400, Height: 200, Stride: 400}
		for y := range 200 {
			for x := range 400 {
				base := x > 40 && x < 300 && y > 114 && y < 120
				if tall := x > 60 && x < 290 && x%40 < 5 && y > 80 && y < 120; base || tall || tt.drawn(float64(x-342), float64(y)-tt.y) {
					p.Pix[y*400+x] = 20
				}
			}
		}
		line := text.Line{Start: appliance.Point{X: 40, Y: 100}, End: appliance.Point{X: 360, Y: 100}, Height: 40}
		bare, at, found := Unvowelled(p, vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}, line)
		left := 0
		for y := range bare.Height {
			for _, v := range bare.Pix[y*bare.Stride+int(at.End.X)-40:][:40] {
				if v < 128 {
					left++
				}
			}
		}
		if found != tt.gone || (left == 0) != tt.gone {
			t.Errorf("%s: found is %v, %d dark samples are left", name, found, left)
		}
	}
}
