package decode

import (
	"context"
	"fmt"
	"image"
	"image/color"

	"github.com/bawab/bawab/appliance"
)

// newPicture makes a picture with black luma; a colour one has chroma at full resolution.
func newPicture(width, height int, grey bool) *appliance.Picture {
	p := &appliance.Picture{Width: width, Height: height, Y: make([]byte, width*height)}
	if !grey {
		p.ChromaWidth, p.ChromaHeight = width, height
		p.Cb, p.Cr = make([]byte, width*height), make([]byte, width*height)
	}
	return p
}

// rowSink writes pixels of the formats' own kinds into a picture. For a grey picture the pixels' colour is dropped.
type rowSink struct {
	p      *appliance.Picture
	grey   bool
	cb, cr []byte // chroma of the picture's pixels from at on
	at     int
	halve  bool // cb and cr hold two rows, which endRow takes over at half the size
}

// newSink makes a picture and its sink, which takes the pixels in any order.
func newSink(width, height int, grey bool) rowSink {
	p := newPicture(width, height, grey)
	return rowSink{p: p, grey: grey, cb: p.Cb, cr: p.Cr}
}

// newRowSink is newSink for pixels that come row by row. A large picture gets colour planes of half the size at once, as halveChroma
// would make them: what a decoder delivers is four bytes a pixel already.
func newRowSink(width, height int, grey bool) rowSink {
	if grey || width*height <= fineChroma {
		return newSink(width, height, grey)
	}
	p := &appliance.Picture{
		Width: width, Height: height, Y: make([]byte, width*height), ChromaWidth: (width + 1) / 2, ChromaHeight: (height + 1) / 2,
	}
	n := p.ChromaWidth * p.ChromaHeight
	p.Cb, p.Cr = make([]byte, 0, n), make([]byte, 0, n)
	return rowSink{p: p, cb: make([]byte, 2*width), cr: make([]byte, 2*width), halve: true}
}

// beginRow comes before the pixels of a row.
func (s *rowSink) beginRow(y int) {
	if s.halve {
		s.at = y &^ 1 * s.p.Width
	}
}

// endRow comes after the pixels of a row.
func (s *rowSink) endRow(y int) {
	if !s.halve || y&1 == 0 && y < s.p.Height-1 {
		return
	}
	w := s.p.Width
	lower := y & 1 * w
	s.p.Cb = appendHalved(s.p.Cb, s.cb[:w], s.cb[lower:][:w])
	s.p.Cr = appendHalved(s.p.Cr, s.cr[:w], s.cr[lower:][:w])
}

// set writes one pixel given as opaque RGB, each 0 to 255. The constants are those of JFIF in 16.16 fixed point.
func (s rowSink) set(i int, r, g, b int32) {
	y := (19595*r + 38470*g + 7471*b + 1<<15) >> 16
	s.p.Y[i] = byte(y)
	if s.grey {
		return
	}
	s.cb[i-s.at] = clamp8((-11056*r - 21712*g + 32768*b + 257<<15) >> 16)
	s.cr[i-s.at] = clamp8((32768*r - 27440*g - 5328*b + 257<<15) >> 16)
}

// setAlpha writes one pixel of straight alpha a over white.
func (s rowSink) setAlpha(i int, r, g, b, a int32) {
	s.set(i, overWhite(r, a), overWhite(g, a), overWhite(b, a))
}

// overWhite composes a sample of straight alpha on white; all values are 0 to 255.
func overWhite(v, a int32) int32 {
	return (v*a + 255*(255-a) + 127) / 255
}

// clamp8 holds a rounded value to 0..255.
func clamp8(v int32) byte {
	return byte(max(0, min(255, v)))
}

// to8 rounds a 16-bit sample to 8 bits.
func to8(v uint16) int32 {
	return int32((uint32(v)*255 + 32895) >> 16)
}

// pictureOf converts what the image packages deliver. Planes are taken over without a copy where they fit.
func pictureOf(ctx context.Context, m image.Image, grey bool) (*appliance.Picture, error) {
	b := m.Bounds()
	w, h := b.Dx(), b.Dy()
	switch m := m.(type) {
	case *image.Gray:
		return &appliance.Picture{Width: w, Height: h, Y: packRows(m.Pix, m.Stride, w, h)}, nil
	case *image.YCbCr:
		return pictureOfYCbCr(m)
	case *image.Paletted:
		return pictureOfPalette(ctx, m)
	}
	row, rowGrey := rowReader(m)
	if row == nil {
		return nil, broken(fmt.Errorf("image type %T", m))
	}
	s := newRowSink(w, h, grey || rowGrey)
	for y := range h {
		if y%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s.beginRow(y)
		row(s, y*w, y, w)
		s.endRow(y)
	}
	return s.p, nil
}

// rowReader returns a function that writes row y of m, w pixels, to s from index i on; nil for a type that no
// decoder here delivers.
func rowReader(m image.Image) (row func(s rowSink, i, y, w int), grey bool) {
	switch m := m.(type) {
	case *image.Gray16:
		return func(s rowSink, i, y, w int) {
			pix := m.Pix[y*m.Stride:]
			for x := range w {
				s.p.Y[i+x] = byte(to8(be16(pix[2*x:])))
			}
		}, true
	case *image.RGBA: // opaque in every decoder used here
		return func(s rowSink, i, y, w int) {
			pix := m.Pix[y*m.Stride:][:4*w]
			for ; len(pix) >= 4; pix, i = pix[4:], i+1 {
				s.set(i, int32(pix[0]), int32(pix[1]), int32(pix[2]))
			}
		}, false
	case *image.NRGBA:
		return func(s rowSink, i, y, w int) {
			pix := m.Pix[y*m.Stride:][:4*w]
			for ; len(pix) >= 4; pix, i = pix[4:], i+1 {
				if pix[3] == 255 {
					s.set(i, int32(pix[0]), int32(pix[1]), int32(pix[2]))
				} else {
					s.setAlpha(i, int32(pix[0]), int32(pix[1]), int32(pix[2]), int32(pix[3]))
				}
			}
		}, false
	case *image.RGBA64: // opaque, too
		return func(s rowSink, i, y, w int) {
			pix := m.Pix[y*m.Stride:][:8*w]
			for ; len(pix) >= 8; pix, i = pix[8:], i+1 {
				s.set(i, to8(be16(pix)), to8(be16(pix[2:])), to8(be16(pix[4:])))
			}
		}, false
	case *image.NRGBA64:
		return func(s rowSink, i, y, w int) {
			pix := m.Pix[y*m.Stride:][:8*w]
			for ; len(pix) >= 8; pix, i = pix[8:], i+1 {
				s.setAlpha(i, to8(be16(pix)), to8(be16(pix[2:])), to8(be16(pix[4:])), to8(be16(pix[6:])))
			}
		}, false
	}
	return nil, false
}

func be16(b []byte) uint16 { return uint16(b[0])<<8 | uint16(b[1]) }

// pictureOfYCbCr takes over the planes of an opaque lossy WebP, whose colours always have half the width and height.
func pictureOfYCbCr(m *image.YCbCr) (*appliance.Picture, error) {
	if m.SubsampleRatio != image.YCbCrSubsampleRatio420 {
		return nil, broken(fmt.Errorf("subsampling %v", m.SubsampleRatio))
	}
	w, h := m.Rect.Dx(), m.Rect.Dy()
	cw, ch := (w+1)/2, (h+1)/2
	return &appliance.Picture{
		Width: w, Height: h, Y: packRows(m.Y, m.YStride, w, h),
		ChromaWidth: cw, ChromaHeight: ch,
		Cb: packRows(m.Cb, m.CStride, cw, ch), Cr: packRows(m.Cr, m.CStride, cw, ch),
	}, nil
}

// packRows moves the rows together within pix, so that nothing lies between them.
func packRows(pix []byte, stride, w, h int) []byte {
	if stride != w {
		for y := 1; y < h; y++ {
			copy(pix[y*w:(y+1)*w], pix[y*stride:y*stride+w])
		}
	}
	return pix[: w*h : w*h]
}

// pictureOfPalette converts the palette once and then only looks pixels up. A palette of greys makes a grey picture.
func pictureOfPalette(ctx context.Context, m *image.Paletted) (*appliance.Picture, error) {
	var lut [256][3]int32
	grey := true
	for i, c := range m.Palette[:min(len(m.Palette), 256)] {
		n := color.NRGBAModel.Convert(c).(color.NRGBA)
		for j, v := range [3]byte{n.R, n.G, n.B} {
			lut[i][j] = overWhite(int32(v), int32(n.A))
		}
		grey = grey && lut[i][0] == lut[i][1] && lut[i][1] == lut[i][2]
	}
	w, h := m.Rect.Dx(), m.Rect.Dy()
	s := newRowSink(w, h, grey)
	for y := range h {
		if y%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s.beginRow(y)
		for x, v := range m.Pix[y*m.Stride:][:w] {
			c := &lut[v]
			s.set(y*w+x, c[0], c[1], c[2])
		}
		s.endRow(y)
	}
	return s.p, nil
}

// halveChroma gives a large picture colour planes of half its width and height, each sample the mean of up to four.
func halveChroma(p *appliance.Picture) {
	if p.Width*p.Height <= fineChroma || p.ChromaWidth < p.Width || p.ChromaHeight < p.Height {
		return
	}
	p.Cb, p.Cr = halved(p.Cb, p.Width, p.Height), halved(p.Cr, p.Width, p.Height)
	p.ChromaWidth, p.ChromaHeight = (p.Width+1)/2, (p.Height+1)/2
}

// halved returns a plane of w x h samples at half its size.
func halved(pix []byte, w, h int) []byte {
	out := make([]byte, 0, (w+1)/2*((h+1)/2))
	for y := 0; y < h; y += 2 {
		out = appendHalved(out, pix[y*w:][:w], pix[min(y+1, h-1)*w:][:w])
	}
	return out
}

// appendHalved appends the means of two rows, two samples of each at a time.
func appendHalved(out, upper, lower []byte) []byte {
	for x := 0; x < len(upper); x += 2 {
		right := min(x+1, len(upper)-1)
		out = append(out, byte((int(upper[x])+int(upper[right])+int(lower[x])+int(lower[right])+2)/4))
	}
	return out
}
