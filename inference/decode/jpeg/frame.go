package jpeg

import (
	"errors"
	"image/color"
	"slices"
)

// Frame is a decoded file: its components, each with the samples that the file has of it.
type Frame struct {
	Width, Height int
	Components    []Component
	hmax, vmax    int
	colours
}

// Component is one component of a frame: a plane of Width x Height samples whose rows begin Stride bytes after each other.
type Component struct {
	Width, Height, Stride int
	Pix                   []byte
	id, quant             byte
	h, v                  int // sampling factors
	// across and down count the blocks that hold samples of the picture, wide and high those of whole MCUs.
	across, down, wide, high int
	// coefs are the coefficients of a progressive frame, 64 a block in zigzag order.
	coefs []int16
	seen  bool // a scan brought its constant terms
}

// colours is what a file says of its colours.
type colours struct {
	jfif  bool
	adobe bool
	by    byte // Adobe's transform
}

// read takes the notes of a segment.
func (c *colours) read(marker byte, data []byte) {
	switch {
	case marker == markAPP0 && len(data) >= 5:
		c.jfif = string(data[:5]) == "JFIF\x00"
	case marker == markAPP14 && len(data) >= 12 && string(data[:5]) == "Adobe":
		c.adobe, c.by = true, data[11]
	}
}

// mixed reports whether components of these names are colours that are mixed into those of a picture: red, green and blue, or inks.
func (c colours) mixed(ids []byte) bool { return len(ids) == 4 || len(ids) == 3 && c.rgb(ids) }

// rgb reports whether three components of these names are red, green and blue: without a JFIF marker, Adobe's marker or their names say so.
func (c colours) rgb(ids []byte) bool {
	return !c.jfif && (c.adobe && c.by == 0 || string(ids) == "RGB")
}

// Mixed reports whether the components are colours that are mixed into those of a picture: red, green and blue, or inks. Else they are
// luma, alone or with two colour differences.
func (f *Frame) Mixed() bool { return f.mixed(f.ids()) }

// ids are the names of the components.
func (f *Frame) ids() (ids []byte) {
	for _, c := range f.Components {
		ids = append(ids, c.id)
	}
	return ids
}

// Inks tells how much ink of each colour the samples of CMYK or YCCK stand for. Adobe, without whose marker the sense of the values is not
// known, stores them inverted, with 255 for no ink.
func (f *Frame) Inks() (func(v [4]byte) [4]byte, error) {
	switch {
	case !f.adobe:
		return nil, unusual(errors.New("four components without Adobe's marker"))
	case f.by == 0:
		return func(v [4]byte) [4]byte { return [4]byte{255 - v[0], 255 - v[1], 255 - v[2], 255 - v[3]} }, nil
	}
	return func(v [4]byte) [4]byte {
		c, m, y := color.YCbCrToRGB(v[0], v[1], v[2])
		return [4]byte{c, m, y, 255 - v[3]}
	}, nil
}

// Row gives each component a sample for each pixel of a row. into keeps the memory for those that have fewer.
func (f *Frame) Row(y int, into *[4][]byte) (of [4][]byte) {
	for i, c := range f.Components {
		of[i] = c.Pix[y*c.v/f.vmax*c.Stride:][:c.Width]
		if c.h == f.hmax {
			continue
		}
		wide := slices.Grow(into[i][:0], f.Width)[:f.Width]
		for x, at, part := 0, 0, 0; x < f.Width; x++ {
			wide[x] = of[i][at]
			for part += c.h; part >= f.hmax; part -= f.hmax {
				at++
			}
		}
		of[i], into[i] = wide, wide
	}
	return of
}
