// Package decodetest makes what the tests of the decoders read: one picture of four quadrants, as JPEGs of kinds that no library writes.
package decodetest

import (
	"bytes"
	"image/color"
	"slices"
)

const (
	// Width is that of the test picture.
	Width = 125
	// Height is that of the test picture.
	Height = 93
)

var (
	// Red is the quadrant at the top left of the stored file.
	Red = color.NRGBA{200, 40, 40, 255}
	// Green is the one at the top right.
	Green = color.NRGBA{40, 180, 60, 255}
	// Blue is the one at the bottom left.
	Blue = color.NRGBA{50, 60, 210, 255}
	// Yellow is the one at the bottom right.
	Yellow = color.NRGBA{230, 220, 70, 255}
)

// Quadrant is the test picture's colour at (x, y).
func Quadrant(x, y int) color.NRGBA {
	switch {
	case x < 64 && y < 48:
		return Red
	case y < 48:
		return Green
	case x < 64:
		return Blue
	}
	return Yellow
}

// Component is one component of a test JPEG: its sampling factors and its value at a pixel.
type Component struct {
	ID, H, V byte
	At       func(x, y int) byte
}

// JPEG describes a test JPEG. The blocks carry only their mean, which is all that flat colours need.
type JPEG struct {
	SOF        byte // 0xc0 baseline, 0xc1 extended, 0xc2 progressive
	Adobe      int  // transform of an Adobe marker, -1 for none
	EXIF       []byte
	Components []Component
}

// Encode returns the file.
func (s JPEG) Encode() []byte {
	b := []byte{0xff, 0xd8}
	segment := func(marker byte, data ...byte) {
		b = append(b, 0xff, marker, byte((len(data)+2)>>8), byte(len(data)+2))
		b = append(b, data...)
	}
	if s.EXIF != nil {
		segment(0xe1, append([]byte("Exif\x00\x00"), s.EXIF...)...)
	}
	if s.Adobe >= 0 {
		segment(0xee, append([]byte("Adobe\x00\x64\x00\x00\x00\x00"), byte(s.Adobe))...)
	}
	segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{8}, 64)...)...)
	frame := []byte{8, 0, Height, 0, Width, byte(len(s.Components))}
	scan := []byte{byte(len(s.Components))}
	for _, c := range s.Components {
		frame = append(frame, c.ID, c.H<<4|c.V, 0)
		scan = append(scan, c.ID, 0)
	}
	segment(s.SOF, frame...)
	// Twelve codes of four bits, each its own category.
	dc := slices.Concat([]byte{0, 0, 0, 0, 12}, make([]byte, 12), []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
	segment(0xc4, dc...)
	ac := append([]byte{0x10, 1}, make([]byte, 15)...) // one code of one bit: end of block
	segment(0xc4, append(ac, 0)...)
	last := byte(63)
	if s.SOF == 0xc2 {
		last = 0
	}
	segment(0xda, append(scan, 0, last, 0)...)
	b = append(b, s.Coded()...)
	return append(b, 0xff, 0xd9)
}

// Coded returns the entropy-coded data of one interleaved scan.
func (s JPEG) Coded() []byte {
	var bits BitWriter
	var hmax, vmax int
	for _, c := range s.Components {
		hmax, vmax = max(hmax, int(c.H)), max(vmax, int(c.V))
	}
	dc := make([]int, len(s.Components))
	for my := 0; my < (Height+8*vmax-1)/(8*vmax); my++ {
		for mx := 0; mx < (Width+8*hmax-1)/(8*hmax); mx++ {
			for i, c := range s.Components {
				for j := range int(c.H * c.V) {
					bx, by := mx*int(c.H)+j%int(c.H), my*int(c.V)+j/int(c.H)
					x := min(Width-1, (8*bx+4)*hmax/int(c.H))
					y := min(Height-1, (8*by+4)*vmax/int(c.V))
					v := int(c.At(x, y)) - 128
					bits.dc(v - dc[i])
					dc[i] = v
					if s.SOF != 0xc2 {
						bits.Put(0, 1)
					}
				}
			}
		}
	}
	bits.Put(0x7f, 7)
	return bits.B
}

// BitWriter packs bits from the top and stuffs a zero byte behind each 0xff, as JPEG wants.
type BitWriter struct {
	B   []byte
	acc uint32
	N   int // bits that are not in B yet
}

// Put appends the lowest n bits of v.
func (w *BitWriter) Put(v, n int) {
	for i := n - 1; i >= 0; i-- {
		w.acc = w.acc<<1 | uint32(v>>i&1)
		if w.N++; w.N == 8 {
			w.B = append(w.B, byte(w.acc))
			if byte(w.acc) == 0xff {
				w.B = append(w.B, 0)
			}
			w.N = 0
		}
	}
}

func (w *BitWriter) dc(diff int) {
	category := 0
	for v := max(diff, -diff); v > 0; v >>= 1 {
		category++
	}
	w.Put(category, 4)
	if diff < 0 {
		diff += 1<<category - 1
	}
	w.Put(diff, category)
}

// YCC returns component i of the test picture in YCbCr.
func YCC(i int) func(x, y int) byte {
	return func(x, y int) byte {
		c := Quadrant(x, y)
		v := [3]byte{}
		v[0], v[1], v[2] = color.RGBToYCbCr(c.R, c.G, c.B)
		return v[i]
	}
}

// RGB returns channel i of the test picture.
func RGB(i int) func(x, y int) byte {
	return func(x, y int) byte {
		c := Quadrant(x, y)
		return [3]byte{c.R, c.G, c.B}[i]
	}
}

// Inverse turns values round: a YCCK JPEG carries the YCbCr of the inks.
func Inverse(at func(x, y int) byte) func(x, y int) byte {
	return func(x, y int) byte { return 255 - at(x, y) }
}

// Constant is the same value everywhere.
func Constant(v byte) func(x, y int) byte { return func(int, int) byte { return v } }

// FineJPEG is a baseline JPEG whose components, of these names, are all sampled at each pixel; adobe is the transform of its Adobe marker.
func FineJPEG(adobe int, names string, at ...func(x, y int) byte) JPEG {
	s := JPEG{SOF: 0xc0, Adobe: adobe}
	for i, v := range at {
		s.Components = append(s.Components, Component{names[i], 1, 1, v})
	}
	return s
}

// InkJPEG is a CMYK JPEG with Adobe's inversion, which for paper without black is RGB with a black channel of 255.
func InkJPEG() JPEG {
	return FineJPEG(0, "\x01\x02\x03\x04", RGB(0), RGB(1), RGB(2), Constant(255))
}

// ColourJPEG is a YCbCr JPEG with luma sampled h x v for each chroma sample.
func ColourJPEG(sof, h, v byte, exif []byte) JPEG {
	return JPEG{SOF: sof, Adobe: -1, EXIF: exif, Components: []Component{
		{1, h, v, YCC(0)}, {2, 1, 1, YCC(1)}, {3, 1, 1, YCC(2)},
	}}
}
