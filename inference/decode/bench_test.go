package decode

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
