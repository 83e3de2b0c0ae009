package vision

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestFitKeepsAspectAndPlace proves that the picture lies at the top left in its own aspect, that the returned scales
// tell where each point went, and that the rest is zero.
func TestFitKeepsAspectAndPlace(t *testing.T) {
	for _, size := range [][2]int{{1600, 1200}, {1200, 1600}, {512, 512}, {333, 1000}, {200, 100}, {1000, 3}} {
		w, h := size[0], size[1]
		src := wavePlane(w, h, float64(w)/2)
		dst := make([]byte, 512*512)
		for i := range dst {
			dst[i] = 77
		}
		sx, sy := Fit(src, 512, dst)
		fw, fh := int(math.Round(float64(w)*sx)), int(math.Round(float64(h)*sy))
		aspect := math.Abs(float64(fw)-512*min(1, float64(w)/float64(h))) + math.Abs(float64(fh)-512*min(1, float64(h)/float64(w)))
		if max(fw, fh) != 512 || aspect > 0.51 {
			t.Errorf("%d x %d: scales %g, %g", w, h, sx, sy)
		}
		for i, got := range dst {
			x, y := i%512, i/512
			if x >= fw || y >= fh {
				if got != 0 {
					t.Fatalf("%d x %d: (%d, %d) = %d outside", w, h, x, y, got)
				}
				continue
			}
			px, py := (float64(x)+0.5)/sx, (float64(y)+0.5)/sy
			if want := waves(px, py, float64(w)/2); h > 50 && math.Abs(float64(got)-want) > 2.5 {
				t.Fatalf("%d x %d: (%d, %d) = %d, want %.1f", w, h, x, y, got, want)
			}
		}
	}
}

// TestFitAverages proves that shrinking is a mean over areas: a checkerboard of single samples becomes grey.
func TestFitAverages(t *testing.T) {
	src := Plane{Width: 800, Height: 600, Stride: 800, Pix: make([]byte, 800*600)}
	for i := range src.Pix {
		src.Pix[i] = byte((i%800 + i/800) % 2 * 255)
	}
	dst := make([]byte, 100*100)
	Fit(src, 100, dst)
	for i, v := range dst[:75*100] {
		if v != 127 && v != 128 {
			t.Fatalf("sample %d = %d", i, v)
		}
	}
}

// TestSharpnessFallsWithBlur proves that sharpness falls as a picture is smoothed and does not depend on its contrast.
func TestSharpnessFallsWithBlur(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	sharp := Plane{Width: 64, Height: 48, Stride: 70, Pix: make([]byte, 70*48)}
	for i := range sharp.Pix {
		sharp.Pix[i] = byte(60 + r.IntN(2)*120)
	}
	faint, blurred := sharp, sharp
	faint.Pix, blurred.Pix = make([]byte, len(sharp.Pix)), make([]byte, len(sharp.Pix))
	for i, v := range sharp.Pix {
		faint.Pix[i] = 100 + v/6
		blurred.Pix[i] = byte((int(sharp.Pix[max(0, i-1)]) + int(v) + int(sharp.Pix[min(len(sharp.Pix)-1, i+1)])) / 3)
	}
	s, f, b := Sharpness(sharp), Sharpness(faint), Sharpness(blurred)
	if s < 17 || s > 23 {
		t.Errorf("noise has %g, want about 20", s)
	}
	if math.Abs(f-s) > 0.02*s {
		t.Errorf("lower contrast changed %g to %g", s, f)
	}
	if b > s/2 {
		t.Errorf("blur changed %g only to %g", s, b)
	}
	for name, p := range map[string]Plane{"flat": {Pix: make([]byte, 100), Width: 10, Height: 10, Stride: 10}, "thin": {Pix: []byte{1, 2}, Width: 2, Height: 1, Stride: 2}, "none": {}} {
		if got := Sharpness(p); got != 0 {
			t.Errorf("%s has %g", name, got)
		}
	}
}

// TestGlareCountsBurntCells proves that only whole burnt-out cells count.
func TestGlareCountsBurntCells(t *testing.T) {
	p := Plane{Width: 40, Height: 16, Stride: 43, Pix: make([]byte, 43*16)}
	for y := range 8 {
		for x := range 16 {
			p.Pix[y*43+x] = 250
		}
	}
	if got := GlareFraction(p); got != 0.2 {
		t.Errorf("got %g, want 0.2", got)
	}
	p.Pix[3*43+11] = 249
	if got := GlareFraction(p); got != 0.1 {
		t.Errorf("got %g after one darker sample, want 0.1", got)
	}
	if got := GlareFraction(Plane{Pix: []byte{255}, Width: 1, Height: 1, Stride: 1}); got != 0 {
		t.Errorf("a single sample has %g", got)
	}
}
