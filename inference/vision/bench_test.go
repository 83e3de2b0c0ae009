package vision

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"math/rand/v2"
	"testing"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"

	"github.com/bawab/bawab/appliance"
)

// photograph draws something that compresses like one: smooth shades, edges like text, and sensor noise.
func photograph(w, h int) *image.YCbCr {
	m := image.NewYCbCr(image.Rect(0, 0, w, h), image.YCbCrSubsampleRatio420)
	r := rand.New(rand.NewPCG(3, 4))
	for y := range h {
		for x := range w {
			v := 128 + x*y/977%60 - 30
			if (x/7+y/11)%5 == 0 {
				v -= 60
			}
			m.Y[y*m.YStride+x] = byte(v + r.IntN(8))
		}
	}
	for i := range m.Cb {
		m.Cb[i], m.Cr[i] = byte(100+i%m.CStride*50/m.CStride), byte(128+i*40/len(m.Cb))
	}
	return m
}

// BenchmarkDecode measures each format that can be encoded here at 1600 x 1200 and at 12 megapixels. Two pictures of
// the larger size are beyond the limit of bytes, which is lifted for them.
func BenchmarkDecode(b *testing.B) {
	encoders := []struct {
		name   string
		encode func(io.Writer, image.Image) error
	}{
		{"jpeg", func(w io.Writer, m image.Image) error { return jpeg.Encode(w, m, &jpeg.Options{Quality: 90}) }},
		{"png", png.Encode},
		{"bmp", bmp.Encode},
		{"tiff", func(w io.Writer, m image.Image) error {
			return tiff.Encode(w, m, &tiff.Options{Compression: tiff.Deflate, Predictor: true})
		}},
	}
	for _, e := range encoders {
		for name, size := range map[string]image.Point{"1600x1200": {1600, 1200}, "12MP": {4000, 3000}} {
			b.Run(e.name+"/"+name, func(b *testing.B) {
				var file bytes.Buffer
				if err := e.encode(&file, photograph(size.X, size.Y)); err != nil {
					b.Fatal(err)
				}
				d := Decoder{MaxBytes: 64 << 20}
				b.SetBytes(int64(file.Len()))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := d.Decode(b.Context(), file.Bytes()); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

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
