package vision

import (
	"encoding/binary"
	"image"
	"math"
	"runtime"

	"gocv.io/x/gocv"
)

// bench holds the Mats of one operation and the Go memory under them. close gives all of it back; until then OpenCV
// may keep the addresses that it was given.
type bench struct {
	pin  runtime.Pinner
	mats []gocv.Mat
}

// close frees the Mats, then lets go of the memory under them.
func (b *bench) close() {
	for i := range b.mats {
		b.mats[i].Close()
	}
	b.pin.Unpin()
}

func (b *bench) keep(m gocv.Mat) gocv.Mat {
	b.mats = append(b.mats, m)
	return m
}

// empty returns a Mat for OpenCV to allocate.
func (b *bench) empty() gocv.Mat { return b.keep(gocv.NewMat()) }

// bytes returns a Mat over pix without a copy. The one error of gocv is an empty slice, which a caller must not pass.
func (b *bench) bytes(rows, cols int, kind gocv.MatType, pix []byte) gocv.Mat {
	b.pin.Pin(&pix[0])
	m, err := gocv.NewMatFromBytes(rows, cols, kind, pix)
	if err != nil {
		panic(err)
	}
	return b.keep(m)
}

// plane returns a Mat over the rectangle r of p without a copy. It panics when p holds fewer samples than r wants.
func (b *bench) plane(p Plane, r image.Rectangle) gocv.Mat {
	pix := p.Pix[r.Min.Y*p.Stride+r.Min.X : (r.Max.Y-1)*p.Stride+r.Max.X]
	// The Mat that gives the stride claims the rest of the last row, too, but only the region is ever touched.
	whole := b.bytes(r.Dy(), p.Stride, gocv.MatTypeCV8U, pix)
	if r.Dx() == p.Stride {
		return whole
	}
	return b.keep(whole.Region(image.Rect(0, 0, r.Dx(), r.Dy())))
}

// homography returns a Mat with a copy of h's numbers.
func (b *bench) homography(h Homography) gocv.Mat {
	raw := make([]byte, 0, 72)
	for _, v := range h {
		raw = binary.NativeEndian.AppendUint64(raw, math.Float64bits(v))
	}
	return b.bytes(3, 3, gocv.MatTypeCV64F, raw)
}

// shrink halves m as often as wanted and then brings it to size, each by averaging. OpenCV halves thirty times faster
// than it shrinks by anything else, and a mean of means over equal areas is the mean.
func (b *bench) shrink(m gocv.Mat, halvings int, size image.Point) gocv.Mat {
	for range halvings {
		half := b.empty()
		gocv.Resize(m, &half, image.Pt(max(1, m.Cols()/2), max(1, m.Rows()/2)), 0, 0, gocv.InterpolationArea)
		m = half
	}
	if m.Cols() != size.X || m.Rows() != size.Y {
		fit := b.empty()
		gocv.Resize(m, &fit, size, 0, 0, gocv.InterpolationArea)
		m = fit
	}
	return m
}
