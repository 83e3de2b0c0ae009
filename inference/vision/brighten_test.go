package vision

import (
	"bytes"
	"slices"
	"testing"
)

// printed draws dark strokes on a light ground, under a light from 0 to 1 that may change along the picture.
func printed(w, h int, light func(x, y int) float64) []byte {
	pix := make([]byte, w*h)
	for i := range pix {
		level := 220.0
		if x, y := i%w, i/w; x%9 < 2 && y%15 < 10 {
			level = 40
		}
		pix[i] = byte(level * light(i%w, i/w))
	}
	return pix
}

// contrast is by how much the lightest sample of a square is lighter than its darkest.
func contrast(pix []byte, w, left, top int) int {
	var square []byte
	for y := top; y < top+30; y++ {
		square = append(square, pix[y*w+left:y*w+left+30]...)
	}
	return int(slices.Max(square)) - int(slices.Min(square))
}

// Print in the dark stands out afterwards, wherever the dark is; a picture in good light stays as it is, to the last sample.
func TestBrighten(t *testing.T) {
	const w, h = 300, 190
	dim := func(int, int) float64 { return 0.15 }
	shadow := func(x, _ int) float64 {
		if x < w/2 {
			return 0.15
		}
		return 1
	}
	for name, light := range map[string]func(x, y int) float64{"dark": dim, "half in a shadow": shadow} {
		t.Run(name, func(t *testing.T) {
			pix := printed(w, h, light)
			before := contrast(pix, w, 20, 80)
			Brighten(pix, w, h)
			if after := contrast(pix, w, 20, 80); after < 3*before {
				t.Errorf("contrast in the dark is %d, was %d", after, before)
			}
			if name == "dark" {
				return
			}
			if lit := contrast(pix, w, 250, 80); lit < 170 {
				t.Errorf("contrast in the light is %d", lit)
			}
		})
	}
	bright := printed(w, h, func(int, int) float64 { return 0.8 })
	after := slices.Clone(bright)
	if Brighten(after, w, h); !bytes.Equal(after, bright) {
		t.Error("a picture in good light has changed")
	}
	Brighten(nil, 0, 0)
	Brighten(make([]byte, 1), 1, 1)
}

func BenchmarkBrighten(b *testing.B) {
	dark := printed(512, 512, func(int, int) float64 { return 0.15 })
	light := printed(512, 512, func(int, int) float64 { return 0.9 })
	pix := make([]byte, len(dark))
	for name, from := range map[string][]byte{"dark": dark, "light": light} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				copy(pix, from)
				Brighten(pix, 512, 512)
			}
		})
	}
}
