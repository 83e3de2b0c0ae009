package face

import "math"

// halfBlurred is the blur, as the standard deviation of a Gaussian in samples of the aligned face, that counts as one half: 3 % of the
// size of the face.
const halfBlurred = 3.2

// blur is how blurred an aligned face of cropSide x cropSide samples is, 0 to 1. Edges have an energy of slopes that falls as one over
// the width to which they are blurred, whatever their contrast: blurring the face by one sample and by two, which also takes its noise
// away, tells how wide its edges are by themselves.
func blur(pix []byte) float64 {
	a, b := make([]float32, len(pix)), make([]float32, len(pix))
	for i, v := range pix {
		a[i] = float32(v)
	}
	smooth(a, b)
	once := slopes(a)
	for range 3 { // variances add: four times one sample are two samples
		smooth(a, b)
	}
	q := once / max(slopes(a), 1e-9)
	q *= q
	if q >= 4 {
		return 0
	}
	sigma := math.Sqrt((4 - q) / max(q-1, 1e-3))
	return sigma / (sigma + halfBlurred)
}

// smooth blurs a square of cropSide by one sample, with the binomial 1 4 6 4 1; b is for its use.
func smooth(a, b []float32) {
	pass := func(from, to []float32, step, across int) {
		for line := range cropSide {
			row := line * across
			for i := range cropSide {
				at := func(k int) float32 { return from[row+min(max(i+k, 0), cropSide-1)*step] }
				to[row+i*step] = (6*at(0) + 4*(at(-1)+at(1)) + at(-2) + at(2)) / 16
			}
		}
	}
	pass(a, b, 1, cropSide)
	pass(b, a, cropSide, 1)
}

// slopes is the energy of the slopes of a square of cropSide, without its rim, where the face may go on beyond the picture.
func slopes(a []float32) (sum float64) {
	const rim = 8
	for y := rim; y < cropSide-rim; y++ {
		for x := rim; x < cropSide-rim; x++ {
			i := y*cropSide + x
			dx, dy := float64(a[i+1]-a[i-1]), float64(a[i+cropSide]-a[i-cropSide])
			sum += dx*dx + dy*dy
		}
	}
	return sum
}
