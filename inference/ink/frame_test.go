package ink

import (
	"testing"

	"github.com/bawab/bawab/inference/vision"
)

// unframed takes the frames of a picture away.
func unframed(p vision.Plane) (vision.Plane, bool) {
	s, _ := SpreadOf(p)
	return s.Unframed()
}

// Property: a page of text is left alone, though a frame stands around it; the boxes of a row in a poor text are not.
func TestPagesKeepTheirFrame(t *testing.T) {
	for name, c := range map[string]struct {
		rows int
		want bool
	}{"a row of digits": {1, true}, "a page": {20, false}} {
		p := vision.Plane{Width: 700, Height: 500, Stride: 700, Pix: make([]byte, 700*500)}
		for i := range p.Pix {
			p.Pix[i] = 230
			if x, y := i%700, i/700; (x < 690 && x >= 10) && (y < 490 && y >= 10) && (x < 13 || x >= 687 || y < 13 || y >= 487) {
				p.Pix[i] = 20
			} else if x >= 40 && x < 640 && y >= 40 && y < 40+20*c.rows && x%20 < 8 && y%20 < 12 {
				p.Pix[i] = 20
			}
		}
		if _, ok := unframed(p); ok != c.want {
			t.Errorf("%s: %t", name, ok)
		}
	}
}

// Property: boxes around signs are taken away, single or joined, and the signs stay; a picture without boxes, or with an empty
// one, has none to take away.
func TestUnframed(t *testing.T) {
	const side, pitch = 120, 60
	draw := func(boxes, joined, signs bool) vision.Plane {
		p := vision.Plane{Width: 6 * pitch, Height: side, Stride: 6 * pitch, Pix: make([]byte, 6*pitch*side)}
		for i := range p.Pix {
			p.Pix[i] = 230
		}
		fill := func(x, y, w, h int) {
			for r := y; r < y+h; r++ {
				for c := x; c < x+w; c++ {
					p.Pix[r*p.Stride+c] = 20
				}
			}
		}
		for i := range 5 {
			x, gap := 20+i*pitch, 8
			if joined {
				gap = 0
			}
			if boxes {
				fill(x, 20, pitch-gap, 2)
				fill(x, 80, pitch-gap, 2)
				fill(x, 20, 2, 62)
				fill(x+pitch-gap-2, 20, 2, 62)
			}
			if signs {
				fill(x+24, 36, 8, 30)
			}
		}
		return p
	}
	plain := draw(false, false, true)
	for _, joined := range []bool{false, true} {
		got, ok := unframed(draw(true, joined, true))
		if !ok {
			t.Errorf("joined %v: no frame", joined)
			continue
		}
		for i, v := range plain.Pix {
			if (v < 100) != (got.Pix[i] < 100) {
				t.Errorf("joined %v: sample %d, %d is %d", joined, i%plain.Stride, i/plain.Stride, got.Pix[i])
				break
			}
		}
	}
	for name, p := range map[string]vision.Plane{"no boxes": plain, "empty boxes": draw(true, false, false)} {
		if _, ok := unframed(p); ok {
			t.Errorf("%s: a frame", name)
		}
	}
}
