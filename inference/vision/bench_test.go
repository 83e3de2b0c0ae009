package vision

import (
	"testing"

	"github.com/bawab/bawab/appliance"
)

// BenchmarkFit measures the scaling to the input of the line detector.
func BenchmarkFit(b *testing.B) {
	for name, size := range map[string][2]int{"1600x1200": {1600, 1200}, "12MP": {4000, 3000}} {
		src := wavePlane(size[0], size[1], 100)
		dst := make([]byte, 512*512)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Fit(src, 512, dst)
			}
		})
	}
}

// BenchmarkWarp measures the cut of an MRZ line and the rectification of a page, from pictures of 2 and 12 megapixels.
func BenchmarkWarp(b *testing.B) {
	for _, tc := range []struct {
		name       string
		w, h       int
		scale      float64
		outW, outH int
		quad       appliance.Quad
	}{
		{"line/1600x1200", 1600, 1200, 1, 768, 32, appliance.Quad{{X: 100, Y: 900}, {X: 1500, Y: 960}, {X: 1497, Y: 1010}, {X: 98, Y: 950}}},
		{"line/12MP", 4000, 3000, 2.5, 768, 32, appliance.Quad{{X: 100, Y: 900}, {X: 1500, Y: 960}, {X: 1497, Y: 1010}, {X: 98, Y: 950}}},
		{"page/1600x1200", 1600, 1200, 1, 750, 528, appliance.Quad{{X: 100, Y: 100}, {X: 1500, Y: 160}, {X: 1450, Y: 1110}, {X: 150, Y: 1050}}},
		{"page/12MP", 4000, 3000, 2.5, 750, 528, appliance.Quad{{X: 100, Y: 100}, {X: 1500, Y: 160}, {X: 1450, Y: 1110}, {X: 150, Y: 1050}}},
	} {
		src := wavePlane(tc.w, tc.h, 100)
		h, _ := RectToQuad(float64(tc.outW), float64(tc.outH), scaling(tc.scale, tc.scale).ApplyQuad(tc.quad))
		dst := make([]byte, tc.outW*tc.outH)
		b.Run(tc.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Warp(src, h, tc.outW, tc.outH, dst)
			}
		})
	}
}
