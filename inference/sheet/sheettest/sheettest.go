// Package sheettest draws sheets for tests.
package sheettest

import (
	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// Picture draws a quad of one brightness on a ground of another, each sample the mean of 8 x 8 points.
func Picture(w, h int, q appliance.Quad, sheet, ground byte) vision.Plane {
	p := vision.Plane{Pix: make([]byte, w*h), Width: w, Height: h, Stride: w}
	const fine = 8
	inside := func(x, y float64) bool {
		for i, a := range q {
			b := q[(i+1)%4]
			if (b.X-a.X)*(y-a.Y)-(b.Y-a.Y)*(x-a.X) < 0 {
				return false
			}
		}
		return true
	}
	for y := range h {
		for x := range w {
			n := 0
			for k := range fine * fine {
				if inside(float64(x)+(float64(k%fine)+0.5)/fine, float64(y)+(float64(k/fine)+0.5)/fine) {
					n++
				}
			}
			p.Pix[y*w+x] = byte((int(sheet)*n + int(ground)*(fine*fine-n)) / (fine * fine))
		}
	}
	return p
}
