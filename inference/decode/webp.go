package decode

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"

	"golang.org/x/image/webp"

	"github.com/bawab/bawab/appliance"
)

// parseWebP walks the RIFF chunks. The canvas size of an extended file must be that of the frame in it. What is wrong with the rest of
// a file is told when it is decoded: a size that is too large comes first.
func parseWebP(b []byte) (header, error) {
	w := webpWalk{b: b}
	if err := w.walk(); err != nil {
		return header{}, err
	}
	size := w.canvas
	if size == (image.Point{}) || w.frame.X > size.X || w.frame.Y > size.Y {
		size = w.frame
	}
	if size == (image.Point{}) {
		return header{}, broken(errors.New("webp: no size before the end"))
	}
	w.out.width, w.out.height = size.X, size.Y
	w.out.working, w.out.decode = 4*size.X*size.Y, w.decode
	return w.out, nil
}

// webpWalk goes from chunk to chunk through a WebP.
type webpWalk struct {
	b             []byte
	canvas, frame image.Point
	cut           bool // the file is shorter than it says
	out           header
}

func (w *webpWalk) walk() error {
	w.cut = int(binary.LittleEndian.Uint32(w.b[4:])) > len(w.b)-8
	for at := 12; at+8 <= len(w.b); {
		id := string(w.b[at : at+4])
		n := int(binary.LittleEndian.Uint32(w.b[at+4:]))
		at += 8
		if n > len(w.b)-at {
			n = len(w.b) - at // the size of a frame comes first, and its decoder misses the rest
		}
		data := w.b[at : at+n]
		at += n + n&1
		switch id {
		case "VP8X":
			if n < 10 {
				return broken(errors.New("webp: short VP8X"))
			}
			if data[0]&2 != 0 {
				return Unsupported(nil, "an animated WebP")
			}
			if w.canvas == (image.Point{}) {
				w.canvas = image.Pt(1+le24(data[4:]), 1+le24(data[7:]))
			}
		case "ANIM", "ANMF":
			return Unsupported(nil, "an animated WebP")
		case "VP8 ", "VP8L":
			if w.frame == (image.Point{}) {
				w.frame = webpFrame(id, data)
			}
		case "EXIF":
			x := parseEXIF(data)
			w.out.orientation, w.out.taken = x.orientation, x.taken
		}
	}
	return nil
}

func (w *webpWalk) decode(ctx context.Context) (*appliance.Picture, error) {
	switch {
	case w.cut:
		return nil, broken(errors.New("webp: file shorter than its RIFF header says"))
	case w.frame == (image.Point{}) || w.canvas != (image.Point{}) && w.canvas != w.frame:
		return nil, broken(fmt.Errorf("webp: canvas %v, frame %v", w.canvas, w.frame))
	}
	if err := affordable(w.out.working, w.out.width, w.out.height); err != nil {
		return nil, err
	}
	m, err := webp.Decode(Reader{ctx, bytes.NewReader(w.b)})
	if err != nil {
		return nil, broken(err)
	}
	return pictureOfWebP(ctx, m)
}

func le24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }

// webpFrame reads the size of a lossy key frame or a lossless picture; zero when the chunk is neither.
func webpFrame(id string, b []byte) image.Point {
	if id == "VP8 " {
		if len(b) < 10 || b[0]&1 != 0 || b[3] != 0x9d || b[4] != 0x01 || b[5] != 0x2a {
			return image.Point{}
		}
		return image.Pt(int(binary.LittleEndian.Uint16(b[6:])&0x3fff), int(binary.LittleEndian.Uint16(b[8:])&0x3fff))
	}
	if len(b) < 5 || b[0] != 0x2f {
		return image.Point{}
	}
	v := binary.LittleEndian.Uint32(b[1:])
	return image.Pt(int(v&0x3fff)+1, int(v>>14&0x3fff)+1)
}

// pictureOfWebP converts a decoded WebP. Lossy WebP keeps video range (luma 16 to 235, chroma 16 to 240) although
// the decoder hands it out in the type of full-range planes, so it is stretched here.
func pictureOfWebP(ctx context.Context, m image.Image) (*appliance.Picture, error) {
	var alpha *image.NYCbCrA
	switch v := m.(type) {
	case *image.NYCbCrA:
		alpha, m = v, &v.YCbCr
	case *image.YCbCr:
	default:
		return pictureOf(ctx, m, false)
	}
	p, err := pictureOf(ctx, m, false)
	if err != nil {
		return nil, err
	}
	var luma, chroma [256]byte
	for i := range luma {
		luma[i] = clamp8((int32(i-16)*510 + 219) / 438)
		chroma[i] = clamp8((int32(i-128)*510+448*256+224)/448 - 128)
	}
	lookUp(p.Y, &luma)
	lookUp(p.Cb, &chroma)
	lookUp(p.Cr, &chroma)
	if alpha != nil {
		composeWebP(p, alpha)
	}
	return p, nil
}

func lookUp(pix []byte, lut *[256]byte) {
	for i, v := range pix {
		pix[i] = lut[v]
	}
}

// composeWebP composes planes with 4:2:0 chroma on white. YCbCr is linear in RGB, so each plane is mixed with its
// own value of white; a chroma sample takes the mean alpha of its four pixels.
func composeWebP(p *appliance.Picture, m *image.NYCbCrA) {
	for y := range p.Height {
		row, a := p.Y[y*p.Width:][:p.Width], m.A[y*m.AStride:]
		for x, v := range row {
			row[x] = byte(overWhite(int32(v), int32(a[x])))
		}
	}
	for y := range p.ChromaHeight {
		a0, a1 := m.A[2*y*m.AStride:], m.A[min(2*y+1, p.Height-1)*m.AStride:]
		for x := range p.ChromaWidth {
			x0, x1 := 2*x, min(2*x+1, p.Width-1)
			sum := int32(a0[x0]) + int32(a0[x1]) + int32(a1[x0]) + int32(a1[x1])
			i := y*p.ChromaWidth + x
			p.Cb[i] = mixGrey(p.Cb[i], sum)
			p.Cr[i] = mixGrey(p.Cr[i], sum)
		}
	}
}

// mixGrey moves a chroma sample towards 128; four is the sum of four alphas, 0 to 1020.
func mixGrey(v byte, four int32) byte {
	return byte((int32(v)*four + 128*(1020-four) + 510) / 1020)
}
