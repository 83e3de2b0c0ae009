package burst

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bawab/bawab/inference/vision"
)

// What is spelled out for speed gives what the plain form gives, up to a processor's way to round a sum of products: a shift by whole
// samples what the warp shows, four taps what their sum shows, an equation what two loops add, and eight products what a loop adds.
func TestSpelledOut(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, shift := range [][2]int{{0, 0}, {12, 6}, {40, 31}, {60, 3}} {
		src := vision.Plane{Pix: make([]byte, 64*48), Width: 60, Height: 48, Stride: 64}
		for i := range src.Pix {
			src.Pix[i] = byte(r.IntN(256))
		}
		h, want := vision.Homography{1, 0, float64(shift[0]), 0, 1, float64(shift[1]), 0, 0, 1}, make([]byte, 20*16)
		vision.Warp(src, h, 20, 16, want)
		for i, v := range warped(src, h, 20, 16).pix {
			if v != float32(want[i]) {
				t.Fatalf("shift %v: sample %d is %v, %d by the warp", shift, i, v, want[i])
			}
		}
	}
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-5 }
	lines, out := make([]float32, 4*9), make([]float32, 9)
	for i := range lines {
		lines[i] = r.Float32()
	}
	four := taps{from: 2, weights: []float32{-0.07, 0.61, 0.53, -0.07}}
	four.blend(lines, out)
	for x := range out {
		var down, along float32
		for j, w := range four.weights {
			down, along = down+w*lines[j*9+x], along+w*lines[x+2+j]
		}
		if got := four.of(lines[x:]); !near(float64(out[x]), float64(down)) || !near(float64(got), float64(along)) {
			t.Errorf("place %d: down %v for %v, along %v for %v", x, out[x], down, got, along)
		}
	}
	var got, want [6][7]float64
	row, a, b := [7]float64{}, [dctSide]float32{}, [dctSide]float32{}
	for range 5 {
		for i := range row {
			row[i] = r.NormFloat64()
		}
		addEquation(&got, row[0], row[1], row[2], row[3], row[4], row[5], row[6])
		for i := range want {
			for j := i; j < len(row); j++ {
				want[i][j] += row[i] * row[j]
			}
		}
	}
	for i := range want {
		for j := range row {
			if !near(got[i][j], want[i][j]) {
				t.Errorf("equation %d, factor %d: %v for %v", i, j, got[i][j], want[i][j])
			}
		}
	}
	var sum float32
	for i := range a {
		a[i], b[i] = r.Float32(), r.Float32()
		sum += a[i] * b[i]
	}
	if got := dot(&a, &b); !near(float64(got), float64(sum)) {
		t.Errorf("product %v for %v", got, sum)
	}
}

// A value by its rank is the one that sorting puts there, in lists of any length with any number of equal values.
func TestNth(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	for n := 1; n < 60; n++ {
		values := make([]float64, n)
		for i := range values {
			values[i] = float64(r.IntN(1 + r.IntN(40)))
		}
		sorted := slices.Sorted(slices.Values(values))
		for k, want := range sorted {
			if got := nth(slices.Clone(values), k); got != want {
				t.Fatalf("value %d of %v is %v, want %v", k, values, got, want)
			}
		}
	}
}

// Smoothing a plane in one walk gives each sample what its nine neighbours give, the border going on beyond itself.
func TestSmoothedPlane(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 2))
	for _, size := range [][2]int{{2, 2}, {3, 5}, {17, 4}} {
		p := plane{size[0], size[1], make([]float32, size[0]*size[1])}
		for i := range p.pix {
			p.pix[i] = 255 * r.Float32()
		}
		want := plane{p.w, p.h, slices.Clone(p.pix)}
		for range 3 {
			last := want
			want = plane{p.w, p.h, make([]float32, len(p.pix))}
			for i := range want.pix {
				for k, weight := range [9]float32{1, 2, 1, 2, 4, 2, 1, 2, 1} {
					x, y := min(max(i%p.w+k%3-1, 0), p.w-1), min(max(i/p.w+k/3-1, 0), p.h-1)
					want.pix[i] += weight / 16 * last.pix[y*p.w+x]
				}
			}
		}
		for i, v := range p.smoothed(3).pix {
			if math.Abs(float64(v-want.pix[i])) > 1e-3 {
				t.Fatalf("%v: sample %d is %v, want %v", size, i, v, want.pix[i])
			}
		}
	}
}
