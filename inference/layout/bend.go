package layout

import (
	"math"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// bend is a smooth map of a page that lays its text level: how far down a place lies is its y plus a polynomial, whose terms are those of
// terms, in lengths of unit from the middle of the page. Tilt makes rows fan out, and paper bends.
type bend struct {
	middle appliance.Point
	unit   float64
	c      [6]float64
}

func (b bend) terms(x, y float64) [6]float64 {
	x, y = (x-b.middle.X)/b.unit, (y-b.middle.Y)/b.unit
	return [6]float64{x, x * x, x * x * x, x * y, x * x * y, x * y * y}
}

// down is how far down a place lies.
func (b bend) down(x, y float64) float64 {
	for i, t := range b.terms(x, y) {
		y += b.unit * b.c[i] * t
	}
	return y
}

// bendPrior is how large the coefficients usually are: what the text does not tell is flat. bendNoise is how exactly, in heights, the ends
// and the middle of a piece are known.
var bendPrior = [6]float64{0.2, 0.1, 0.05, 0.2, 0.05, 0.05}

const (
	bendNoise = 0.15
	bendSteps = 3 // after the first, what runs another way than the rest counts less
)

// bendOf fits the bend that lays the halves of lines level, which lie at extents of them, from left to right.
func bendOf(lines []text.Line, extents []Extent) bend {
	b := bend{unit: 1}
	left, top, right, bottom := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, e := range extents {
		left, right = min(left, e.left), max(right, e.right)
		top, bottom = min(top, e.middle()), max(bottom, e.middle())
	}
	if len(extents) > 0 {
		b.middle = appliance.Point{X: (left + right) / 2, Y: (top + bottom) / 2}
		b.unit = max(right-left, bottom-top, 1) / 2
	}
	for range bendSteps {
		var normal [6][7]float64
		for i, sigma := range bendPrior {
			normal[i][i] = 1 / (sigma * sigma)
		}
		for i, e := range extents {
			x, y := (e.left+e.right)/2, e.middle()+lines[i].Sag
			b.weigh(&normal, e.left, e.leftY, x, y, e.Height)
			b.weigh(&normal, x, y, e.right, e.rightY, e.Height)
		}
		if c, ok := vision.Solve(normal); ok {
			b.c = c
		}
	}
	return b
}

// weigh adds to the equations that a place lies as far down as another.
func (b bend) weigh(normal *[6][7]float64, x0, y0, x1, y1, height float64) {
	noise := bendNoise * max(height, 1e-6)
	off := math.Abs(b.down(x1, y1)-b.down(x0, y0)) / noise
	weight := 1 / (noise / b.unit) / (noise / b.unit) / max(1, off/2)
	from, to := b.terms(x0, y0), b.terms(x1, y1)
	var row [7]float64
	for i := range from {
		row[i] = to[i] - from[i]
	}
	row[6] = -(y1 - y0) / b.unit
	for i := range 6 {
		for j := i; j < 7; j++ {
			normal[i][j] += weight * row[i] * row[j]
		}
	}
}
