package face

import (
	"math"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// moved turns the landmarks of the template by an angle in degrees, scales them by size and puts them at (x, y).
func moved(size, degrees, x, y float64) (marks [5]appliance.Point) {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	for i, m := range template() {
		u, v := (m.X-0.5)*size, (m.Y-0.5)*size
		marks[i] = appliance.Point{X: x + u*cos - v*sin, Y: y + u*sin + v*cos}
	}
	return marks
}

// The box for the networks of attacks goes with the face: it moves, grows and turns as the landmarks do, and its quarter turns are those
// nearest to the roll.
func TestAttackBox(t *testing.T) {
	upright, _ := attackBox(moved(100, 0, 0, 0))
	for _, c := range []struct {
		size, degrees, x, y float64
		turn                int
	}{{100, 0, 0, 0, 0}, {100, 0, 300, 200, 0}, {250, 30, 10, 20, 0}, {100, -40, 7, 9, 0}, {100, 90, 50, 60, 1}, {80, 180, 50, 60, 2}, {80, 185, 5, 6, 2}, {100, -90, 50, 60, 3}, {100, 300, 0, 0, 3}} {
		box, turn := attackBox(moved(c.size, c.degrees, c.x, c.y))
		sin, cos := math.Sincos(c.degrees * math.Pi / 180)
		k := c.size / 100
		want := appliance.Point{X: c.x + k*(upright.middle.X*cos-upright.middle.Y*sin), Y: c.y + k*(upright.middle.X*sin+upright.middle.Y*cos)}
		if apart(box.middle, want) > 1e-6 || math.Abs(box.side-k*upright.side) > 1e-6 || turn != c.turn {
			t.Errorf("%+v: middle %v, side %.2f, turn %d; want %v, %.2f", c, box.middle, box.side, turn, want, k*upright.side)
		}
	}
	aside := moved(100, 0, 0, 0)
	aside[2].X += 10 // looks to the right of the picture: the head lies to the left of its features
	if box, _ := attackBox(aside); box.middle.X > upright.middle.X-3 {
		t.Errorf("a nose aside moves the middle from %.1f to %.1f", upright.middle.X, box.middle.X)
	}
}

// The crop is cut by the makers' rule: it keeps its size and is shifted inside the picture, never reaches beyond it, and ends on whole
// pixels. The cases are worked out by their program's integers.
func TestAttackCropInside(t *testing.T) {
	for _, c := range []struct {
		middle, length float64
		n              int
		from, to       float64
	}{
		{320, 200, 640, 220, 421}, {320.4, 200.5, 640, 220, 421}, {50, 200, 640, 0, 201}, {620, 200, 640, 439, 640},
		{100, 639, 640, 0, 640}, {0, 10, 640, 0, 11}, {-30, 10, 640, 0, 11},
	} {
		if from, to := inside(c.middle, c.length, c.n); from != c.from || to != c.to {
			t.Errorf("%+v: %g to %g", c, from, to)
		}
	}
}

// A face in a picture that lies on its side or stands on its head gives the crop of the upright picture.
func TestAttackCropTurns(t *testing.T) {
	const w, h = 160, 120
	upright := &appliance.Picture{Width: w, Height: h, Y: make([]byte, w*h), ChromaWidth: w, ChromaHeight: h, Cb: make([]byte, w*h), Cr: make([]byte, w*h)}
	for i := range upright.Y {
		upright.Y[i], upright.Cb[i], upright.Cr[i] = byte(i*7%251), byte(i*3%97+80), byte(i*5%89+90)
	}
	marks := moved(40, 4, 60, 70)
	var want, got [3 * attackSide * attackSide]byte
	box, turn := attackBox(marks)
	attackCrop(upright, box, turn, nearSpan, want[:])
	for quarters := 1; quarters < 4; quarters++ {
		p := &appliance.Picture{Width: w, Height: h}
		if quarters%2 == 1 {
			p.Width, p.Height = h, w
		}
		back := unturned(quarters, float64(p.Width), float64(p.Height))
		p.ChromaWidth, p.ChromaHeight = p.Width, p.Height
		p.Y, p.Cb, p.Cr = make([]byte, w*h), make([]byte, w*h), make([]byte, w*h)
		for i := range upright.Y {
			at := back.Apply(appliance.Point{X: float64(i%w) + 0.5, Y: float64(i/w) + 0.5})
			to := int(at.Y)*p.Width + int(at.X)
			p.Y[to], p.Cb[to], p.Cr[to] = upright.Y[i], upright.Cb[i], upright.Cr[i]
		}
		var turnedMarks [5]appliance.Point
		for i, m := range marks {
			turnedMarks[i] = back.Apply(m)
		}
		box, turn := attackBox(turnedMarks)
		if attackCrop(p, box, turn, nearSpan, got[:]); turn != quarters || got != want {
			t.Errorf("%d quarter turns: found %d, same crop %v", quarters, turn, got == want)
		}
	}
}

// Landmarks that fall together, or lie far outside, still give a crop.
func TestAttackCropDegenerate(t *testing.T) {
	p := drawn(64, 64, spot{32, 32, 40})
	var rgb [3 * attackSide * attackSide]byte
	for _, marks := range [][5]appliance.Point{{}, moved(0, 0, 30, 30), moved(1e6, 10, 0, 0), moved(40, 0, -500, 900)} {
		box, turn := attackBox(marks)
		for _, span := range []float64{nearSpan, wideSpan} {
			attackCrop(p, box, turn, span, rgb[:])
		}
	}
}

var _ = vision.Homography{}
