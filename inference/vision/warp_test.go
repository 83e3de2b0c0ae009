package vision

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
)

// waves is a smooth analytic pattern of continuous coordinates; period is the shortest wavelength in samples.
func waves(x, y, period float64) float64 {
	k := 2 * math.Pi / period
	return 128 + 50*math.Sin(k*x+0.3) + 50*math.Cos(0.7*k*y-0.2*k*x)
}

// wavePlane samples waves at the centres of w x h samples, in rows with a gap behind them.
func wavePlane(w, h int, period float64) Plane {
	p := Plane{Width: w, Height: h, Stride: w + 5, Pix: make([]byte, (w+5)*h)}
	for y := range h {
		for x := range w {
			p.Pix[y*p.Stride+x] = byte(math.Round(waves(float64(x)+0.5, float64(y)+0.5, period)))
		}
		for x := w; x < p.Stride; x++ {
			p.Pix[y*p.Stride+x] = 255
		}
	}
	return p
}

// TestWarpMatchesThePattern proves that a warp puts each sample where the homography says, to a grey value.
func TestWarpMatchesThePattern(t *testing.T) {
	src := wavePlane(640, 480, 160)
	tests := []struct {
		name string
		quad appliance.Quad
		w, h int
	}{
		{"copy of a part", appliance.Quad{{X: 100, Y: 50}, {X: 300, Y: 50}, {X: 300, Y: 150}, {X: 100, Y: 150}}, 200, 100},
		{"half a sample on", appliance.Quad{{X: 100.5, Y: 50.5}, {X: 300.5, Y: 50.5}, {X: 300.5, Y: 150.5}, {X: 100.5, Y: 150.5}}, 200, 100},
		{"enlarged", appliance.Quad{{X: 100, Y: 50}, {X: 180, Y: 50}, {X: 180, Y: 90}, {X: 100, Y: 90}}, 240, 120},
		{"shrunk 2.5 times", appliance.Quad{{X: 20, Y: 30}, {X: 520, Y: 30}, {X: 520, Y: 430}, {X: 20, Y: 430}}, 200, 160},
		{"rotated by 30 degrees", appliance.Quad{{X: 200, Y: 80}, {X: 373.2, Y: 180}, {X: 323.2, Y: 266.6}, {X: 150, Y: 166.6}}, 200, 100},
		{"upside down", appliance.Quad{{X: 400, Y: 300}, {X: 100, Y: 300}, {X: 100, Y: 100}, {X: 400, Y: 100}}, 300, 200},
		{"perspective", appliance.Quad{{X: 150, Y: 100}, {X: 450, Y: 60}, {X: 520, Y: 400}, {X: 90, Y: 350}}, 260, 180},
		{"squeezed along x only", appliance.Quad{{X: 40, Y: 100}, {X: 600, Y: 100}, {X: 600, Y: 200}, {X: 40, Y: 200}}, 140, 100},
		{"squeezed and rotated", appliance.Quad{{X: 200, Y: 80}, {X: 373.2, Y: 180}, {X: 323.2, Y: 266.6}, {X: 150, Y: 166.6}}, 60, 100},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			h, ok := RectToQuad(float64(tc.w), float64(tc.h), tc.quad)
			if !ok {
				t.Fatal("no homography")
			}
			dst := make([]byte, tc.w*tc.h)
			if !Warp(src, h, tc.w, tc.h, dst) {
				t.Fatal("Warp refused")
			}
			var sum float64
			for i, got := range dst {
				p := h.Apply(appliance.Point{X: float64(i%tc.w) + 0.5, Y: float64(i/tc.w) + 0.5})
				d := float64(got) - waves(p.X, p.Y, 160)
				sum += d
				if math.Abs(d) > 1.5 {
					t.Fatalf("sample (%d, %d) = %d, want %.2f", i%tc.w, i/tc.w, got, waves(p.X, p.Y, 160))
				}
			}
			if mean := sum / float64(len(dst)); math.Abs(mean) > 0.3 {
				t.Errorf("mean error %.3f", mean)
			}
		})
	}
}

// TestWarpDoesNotAlias proves that detail too fine for the result averages out instead of turning into false waves,
// also when only one direction shrinks and when the shrinking runs across the source's rows.
func TestWarpDoesNotAlias(t *testing.T) {
	fine := wavePlane(1200, 900, 2.3)
	tests := []struct {
		name string
		quad appliance.Quad
		w, h int
	}{
		{"4 times", appliance.Quad{{}, {X: 1200}, {X: 1200, Y: 900}, {Y: 900}}, 300, 225},
		{"3.7 times, turned by 45 degrees", appliance.Quad{{X: 600, Y: 50}, {X: 1000, Y: 450}, {X: 600, Y: 850}, {X: 200, Y: 450}}, 153, 153},
		{"10 times", appliance.Quad{{X: 20, Y: 30}, {X: 1180, Y: 10}, {X: 1190, Y: 880}, {X: 10, Y: 890}}, 116, 86},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			h, _ := RectToQuad(float64(tc.w), float64(tc.h), tc.quad)
			dst := make([]byte, tc.w*tc.h)
			Warp(fine, h, tc.w, tc.h, dst)
			for i, v := range dst {
				if v < 128-25 || v > 128+25 {
					t.Fatalf("sample (%d, %d) = %d, want about 128", i%tc.w, i/tc.w, v)
				}
			}
		})
	}
}

// TestWarpDoesNotAliasOneWay proves that fine stripes average out when only the direction across them shrinks.
func TestWarpDoesNotAliasOneWay(t *testing.T) {
	src := Plane{Width: 1200, Height: 225, Stride: 1200, Pix: make([]byte, 1200*225)}
	for i := range src.Pix {
		src.Pix[i] = byte(128 + 100*math.Sin(2*math.Pi*float64(i%1200)/2.9))
	}
	dst := make([]byte, 200*225)
	Warp(src, scaling(6, 1), 200, 225, dst)
	for i, v := range dst {
		if v < 128-25 || v > 128+25 {
			t.Fatalf("sample (%d, %d) = %d, want about 128", i%200, i/200, v)
		}
	}
}

// TestWarpContinuesTheEdge proves that beyond the source its outermost samples continue, however far away, and that
// the rest of the buffer between rows is never read.
func TestWarpContinuesTheEdge(t *testing.T) {
	src := Plane{Width: 3, Height: 2, Stride: 5, Pix: []byte{10, 20, 30, 255, 255, 40, 50, 60}}
	for _, at := range []struct {
		x, y float64
		want byte
	}{{0, 0, 10}, {-5000, -3, 10}, {2, 0, 30}, {9, -9, 30}, {2, 1, 60}, {1e6, 1e6, 60}, {-4, 7, 40}, {1, 99, 50}} {
		dst := make([]byte, 1)
		if !Warp(src, translation(at.x, at.y), 1, 1, dst) || dst[0] != at.want {
			t.Errorf("at (%g, %g): %d, want %d", at.x, at.y, dst[0], at.want)
		}
	}
}

// TestWarpRefusesTheHorizon proves that a map which sends part of the destination behind the camera is refused and
// leaves no old samples.
func TestWarpRefusesTheHorizon(t *testing.T) {
	src := wavePlane(64, 64, 30)
	for name, h := range map[string]Homography{
		"horizon within": {1, 0, 0, 0, 1, 0, 0, -0.04, 1},
		"all zero":       {},
		"not a number":   {math.NaN(), 0, 0, 0, 1, 0, 0, 0, 1},
	} {
		dst := make([]byte, 40*40)
		dst[7] = 9
		if Warp(src, h, 40, 40, dst) || dst[7] != 0 {
			t.Errorf("%s: accepted or not cleared", name)
		}
	}
}

// TestWarpRefusesWhatOpenCVCannotCount proves that a source or a destination with more samples a side than OpenCV's warping takes is refused
// instead of ending the process, and that one sample less is warped.
func TestWarpRefusesWhatOpenCVCannotCount(t *testing.T) {
	plane := func(w, h int) Plane { return Plane{Pix: make([]byte, w*h), Width: w, Height: h, Stride: w} }
	for _, tc := range []struct {
		name string
		src  Plane
		w, h int
		ok   bool
	}{
		{"high source", plane(8, maxWarped+1), 16, 1, false},
		{"wide source", plane(maxWarped+1, 8), 1, 16, false},
		{"the highest source", plane(8, maxWarped), 16, 1, true},
		{"high destination", plane(8, 8), 1, maxWarped + 1, false},
		{"wide destination", plane(8, 8), maxWarped + 1, 1, false},
		{"the widest destination", plane(8, 8), maxWarped, 1, true},
	} {
		h := scaling(float64(tc.src.Width)/float64(tc.w), float64(tc.src.Height)/float64(tc.h))
		if ok := Warp(tc.src, h, tc.w, tc.h, make([]byte, tc.w*tc.h)); ok != tc.ok {
			t.Errorf("%s: %v", tc.name, ok)
		}
	}
}

// FuzzWarp proves that no homography and no sizes make OpenCV throw, which would end the process, and that what is refused is left black.
func FuzzWarp(f *testing.F) {
	f.Add(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, uint16(40000), uint16(30), uint16(20))
	f.Add(0.1, 0.0, 0.0, 0.0, 40000.0, 0.0, 0.0, 0.0, uint16(40000), uint16(60), uint16(1))
	f.Add(0.5, 0.3, -9.0, -0.2, 900.0, 7.0, 0.001, -0.002, uint16(32767), uint16(12), uint16(90))
	f.Add(math.Inf(1), 0.0, 0.0, 0.0, math.NaN(), 0.0, 1e300, 1e-300, uint16(9), uint16(1), uint16(1))
	f.Fuzz(func(t *testing.T, a, b, c, d, e, g, i, j float64, high, w, hgt uint16) {
		src := Plane{Pix: make([]byte, 6*(int(high)+1)), Width: 6, Height: int(high) + 1, Stride: 6}
		width, height := int(w%200)+1, int(hgt%200)+1
		dst := bytes.Repeat([]byte{9}, width*height)
		if !Warp(src, Homography{a, b, c, d, e, g, i, j, 1}, width, height, dst) && slices.Max(dst) != 0 {
			t.Error("what was refused holds samples")
		}
	})
}
