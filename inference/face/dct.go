package face

import (
	"math"
	"slices"
)

// dctSide is the side of the blocks in which JPEG codes pictures.
const dctSide = 8

// block holds the coefficients of one block, row by row.
type block [dctSide * dctSide]float32

// cosines is the orthonormal transform of a line.
func cosines() (m [dctSide][dctSide]float32) {
	for k := range m {
		scale := math.Sqrt(2. / dctSide)
		if k == 0 {
			scale = math.Sqrt(1. / dctSide)
		}
		for i := range m[k] {
			m[k][i] = float32(scale * math.Cos(math.Pi*float64(k)*(2*float64(i)+1)/(2*dctSide)))
		}
	}
	return m
}

// blocksOf transforms a field of w x h samples, both multiples of dctSide.
func blocksOf(pix []float32, w, h int) []block {
	m := cosines()
	out := make([]block, 0, w/dctSide*(h/dctSide))
	for y := 0; y < h; y += dctSide {
		for x := 0; x < w; x += dctSide {
			var rows, b block
			for r := range dctSide {
				line := pix[(y+r)*w+x:][:dctSide]
				for k := range dctSide {
					var s float32
					for i, v := range line {
						s += m[k][i] * v
					}
					rows[r*dctSide+k] = s
				}
			}
			for k := range dctSide {
				for c := range dctSide {
					var s float32
					for r := range dctSide {
						s += m[k][r] * rows[r*dctSide+c]
					}
					b[k*dctSide+c] = s
				}
			}
			out = append(out, b)
		}
	}
	return out
}

const (
	// coarsestStep is the greatest step that is looked for.
	coarsestStep = 80
	// nonzero is a value above which a coefficient is more than the rounding of the samples.
	nonzero = 1.3
	// leastNonzero is how many such coefficients a step is told from.
	leastNonzero = 10
)

// stepsOf finds the steps in which the coefficients were stored: 1 where none shows, 0 where they are all nought, and
// for coefficients of no band.
func stepsOf(blocks []block) (steps block) {
	values := make([]float64, 0, len(blocks))
	for f := range steps {
		if bandOf(f) < 0 {
			continue
		}
		values = values[:0]
		for i := range blocks {
			if v := math.Abs(float64(blocks[i][f])); v > nonzero {
				values = append(values, v)
			}
		}
		if len(values) < leastNonzero {
			continue
		}
		slices.Sort(values)
		steps[f] = 1
		least := values[len(values)/25]
		for q := int(min(least+1, coarsestStep)); q > 1; q-- {
			sum := 0.0
			for _, v := range values {
				sum += math.Cos(2 * math.Pi * v / float64(q))
			}
			if sum/float64(len(values)) > 0.8*math.Exp(-square(2*math.Pi*0.3/float64(q))/2) {
				steps[f] = float32(q)
				break
			}
		}
	}
	return steps
}
