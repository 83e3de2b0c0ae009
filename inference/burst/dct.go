package burst

import "math"

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
	out := make([]block, w/dctSide*(h/dctSide))
	var rows [dctSide][dctSide]float32
	for i := range out {
		y, x := i/(w/dctSide)*dctSide, i%(w/dctSide)*dctSide
		for r := range dctSide {
			line := (*[dctSide]float32)(pix[(y+r)*w+x:])
			for k := range dctSide {
				rows[k][r] = dot(&m[k], line)
			}
		}
		for k := range dctSide {
			for c := range dctSide {
				out[i][k*dctSide+c] = dot(&m[k], &rows[c])
			}
		}
	}
	return out
}

// dot is spelled out, since most of the time of a transform goes here.
func dot(a, b *[dctSide]float32) float32 {
	return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] + a[3]*b[3] + a[4]*b[4] + a[5]*b[5] + a[6]*b[6] + a[7]*b[7]
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
		steps[f] = 1
		least := nth(values, len(values)/25)
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
