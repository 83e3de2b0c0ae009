package vision

import (
	"image"
	"math"

	"gocv.io/x/gocv"

	"github.com/bawab/bawab/appliance"
)

// Plane is one 8-bit channel of a picture. Row y begins at Pix[y*Stride] and has Width samples. It borrows Pix; the
// functions of this package read it and do not keep it.
type Plane struct {
	Pix                   []byte
	Width, Height, Stride int
}

// Luma returns the luma plane of p, which stays p's.
func Luma(p *appliance.Picture) Plane {
	return Plane{Pix: p.Y, Width: p.Width, Height: p.Height, Stride: p.Width}
}

// Negative is a plane with light and dark exchanged.
func Negative(luma Plane) Plane {
	out := luma
	out.Pix = make([]byte, len(luma.Pix))
	for i, v := range luma.Pix {
		out.Pix[i] = 255 - v
	}
	return out
}

// Chroma returns the two chroma planes of p, which stay p's; ok is false for a grey picture.
func Chroma(p *appliance.Picture) (cb, cr Plane, ok bool) {
	if len(p.Cb) == 0 || len(p.Cr) == 0 {
		return cb, cr, false
	}
	plane := func(pix []byte) Plane {
		return Plane{Pix: pix, Width: p.ChromaWidth, Height: p.ChromaHeight, Stride: p.ChromaWidth}
	}
	return plane(p.Cb), plane(p.Cr), true
}

// ToChroma maps the coordinates of a coloured picture to those of its chroma planes, which may be smaller.
func ToChroma(p *appliance.Picture) Homography {
	return scaling(float64(p.ChromaWidth)/float64(p.Width), float64(p.ChromaHeight)/float64(p.Height))
}

// FittedSize returns how many samples a picture of width x height takes in the square that Fit writes: the longer side takes all of it.
func FittedSize(width, height, side int) (w, h int) {
	scale := float64(side) / float64(max(width, height))
	return max(1, int(math.Round(float64(width)*scale))), max(1, int(math.Round(float64(height)*scale)))
}

// Fit scales src with its aspect kept so that it just fits into side x side samples, and writes that square to dst,
// which needs side*side bytes: the picture at the top left, zeros elsewhere. Shrinking averages areas, enlarging is
// bilinear. sx and sy are the scales that were used: a point (x, y) of src lies at (x*sx, y*sy) in dst; they differ
// by what rounding to whole samples takes. A few of the last rows and columns may be left out, fewer than one sample of
// the result. It panics when src or dst is shorter than its sizes say.
func Fit(src Plane, side int, dst []byte) (sx, sy float64) {
	dst = dst[:side*side]
	scale := min(float64(side)/float64(src.Width), float64(side)/float64(src.Height))
	w, h := FittedSize(src.Width, src.Height, side)
	for y := range h {
		clear(dst[y*side+w : (y+1)*side])
	}
	clear(dst[h*side:])
	halvings := 0
	for s := scale; s <= 0.5 && min(src.Width, src.Height)>>(halvings+1) > 0; s *= 2 {
		halvings++
	}
	// What lies beyond the last whole multiple is left out, so that each halving is exact.
	used := image.Rect(0, 0, src.Width>>halvings<<halvings, src.Height>>halvings<<halvings)
	var b bench
	defer b.close()
	from := b.shrink(b.plane(src, used), halvings, used.Size().Div(1<<halvings))
	to := b.plane(Plane{Pix: dst, Width: side, Height: side, Stride: side}, image.Rect(0, 0, w, h))
	method := gocv.InterpolationArea
	if scale > 1 {
		method = gocv.InterpolationLinear
	}
	gocv.Resize(from, &to, image.Pt(w, h), 0, 0, method)
	return float64(w) / float64(used.Dx()), float64(h) / float64(used.Dy())
}
