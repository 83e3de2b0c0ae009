package burst

import (
	"math"
	"slices"

	"github.com/bawab/bawab/inference/vision"
)

// The scale at which frames are compared: faces larger than mostFaceSize are scaled to it, since what the coding of a large picture keeps of its
// grain lies below the cells. Smaller ones are left as they are: enlarging shows nothing more. A square of faceReach sizes around the face is
// compared.
//
// At 300 in place of 200 samples fewer frames of large cameras are refused (1 in place of 8 of 24 simulated bursts of 5 and 8 million
// pixels, 28 November 2026), but of stills that were enlarged and got new noise in each frame 31 of 66 triples pass in place of 5.
const (
	mostFaceSize = 200.0
	faceReach    = 3.6
)

// plane is a plane of levels.
type plane struct {
	w, h int
	pix  []float32
}

// grainPlanes are a frame as it is compared with others.
type grainPlanes struct {
	luma          plane
	half, quarter plane // luma at a half and a quarter of its size, for the first steps of a search
	// fine is the finest detail of luma. red and blue are what Cr and Cb hold between about a tenth and a fifth of their sampling rate: there, skin
	// shows little and a sensor much. They are of half the size, and empty for grey frames.
	fine, red, blue plane
	scale           float64 // samples a pixel of the picture
	left, top       float64 // of the square, in pixels of the picture
	x, y, size      float64 // of the face, in samples of luma
}

// newGrainPlanes cuts a frame around its face. scale brings the faces of a burst to one size.
func newGrainPlanes(f *Frame, scale float64) grainPlanes {
	m := grainPlanes{scale: scale, size: f.Face.Size * scale}
	side := faceReach * f.Face.Size
	m.left, m.top = max(f.Face.At.X-side/2, 0), max(f.Face.At.Y-side/2, 0)
	right, bottom := min(f.Face.At.X+side/2, float64(f.Width)), min(f.Face.At.Y+side/2, float64(f.Height))
	m.left, m.top = 2*math.Floor(m.left/2), 2*math.Floor(m.top/2) // on the grid of the colour differences
	w, h := max(int((right-m.left)*scale)/4*4, 4), max(int((bottom-m.top)*scale)/4*4, 4)
	m.x, m.y = (f.Face.At.X-m.left)*scale, (f.Face.At.Y-m.top)*scale
	k := 1 / scale
	cut := vision.Homography{k, 0, m.left, 0, k, m.top, 0, 0, 1}
	m.luma = warped(vision.Luma(f.Picture), cut, w, h)
	m.half = m.luma.halved()
	m.quarter = m.half.halved()
	m.fine = m.luma.bandPass(1, 2)
	if cb, cr, ok := vision.Chroma(f.Picture); ok {
		small := vision.ToChroma(f.Picture).Mul(cut).Mul(vision.Homography{2, 0, 0, 0, 2, 0, 0, 0, 1})
		m.blue = warped(cb, small, w/2, h/2).bandPass(2, 6)
		m.red = warped(cr, small, w/2, h/2).bandPass(2, 6)
	}
	return m
}

// warped is what a homography shows of a plane. One that only shifts by whole samples, as that of a face which is not scaled, is a copy.
func warped(p vision.Plane, h vision.Homography, width, height int) plane {
	out := plane{width, height, make([]float32, width*height)}
	left, top := int(h[2]), int(h[5])
	shift := vision.Homography{1, 0, float64(left), 0, 1, float64(top), 0, 0, 1}
	if h == shift && left >= 0 && top >= 0 && left+width <= p.Width && top+height <= p.Height {
		for y := range height {
			to := out.pix[y*width:][:width]
			for x, v := range p.Pix[(top+y)*p.Stride+left:][:width] {
				to[x] = float32(v)
			}
		}
		return out
	}
	pix := make([]byte, width*height)
	vision.Warp(p, h, width, height, pix)
	for i, v := range pix {
		out.pix[i] = float32(v)
	}
	return out
}

func (p plane) halved() plane {
	out := plane{p.w / 2, p.h / 2, make([]float32, p.w/2*(p.h/2))}
	for y := range out.h {
		a, b := p.pix[2*y*p.w:], p.pix[(2*y+1)*p.w:]
		for x := range out.w {
			out.pix[y*out.w+x] = (a[2*x] + a[2*x+1] + b[2*x] + b[2*x+1]) / 4
		}
	}
	return out
}

// bandPass is the difference of two smoothings, each a number of passes with the weights 1 2 1.
func (p plane) bandPass(fine, coarse int) plane {
	a := p.smoothed(fine)
	b := a.smoothed(coarse - fine)
	for i, v := range b.pix {
		a.pix[i] -= v
	}
	return a
}

// smoothed smooths with the weights 1 2 1 in both directions.
func (p plane) smoothed(passes int) plane {
	if p.w < 2 || p.h < 2 {
		return plane{p.w, p.h, slices.Clone(p.pix)}
	}
	out, rows := plane{p.w, p.h, make([]float32, len(p.pix))}, make([]float32, 3*p.w)
	for pass := range passes {
		last := out.pix
		if pass == 0 {
			last = p.pix
		}
		// Three smoothed rows are held, so that a pass goes through memory once and may write over what it has read.
		row := func(y int) []float32 { return rows[y%3*p.w:][:p.w] }
		smoothRow(last[:p.w], row(0))
		for y := range p.h {
			above, own, below := row(max(y-1, 0)), row(y), row(y)
			if y+1 < p.h {
				below = row(y + 1)
				smoothRow(last[(y+1)*p.w:][:p.w], below)
			}
			to := out.pix[y*p.w:][:p.w]
			for x, v := range own {
				to[x] = (above[x] + 2*v + below[x]) / 4
			}
		}
	}
	return out
}

// smoothRow smooths a row of two samples or more with the weights 1 2 1. At its ends the outermost sample goes on.
func smoothRow(from, to []float32) {
	n := len(from)
	to = to[:n]
	to[0], to[n-1] = (3*from[0]+from[1])/4, (3*from[n-1]+from[n-2])/4
	before, after, inner := from[:n-2], from[2:], to[1:n-1]
	for x, v := range from[1 : n-1] {
		inner[x] = (before[x] + 2*v + after[x]) / 4
	}
}

// window interpolates side x side samples whose upper left one lies at (x, y) into dst; false where they reach beyond the plane.
func (p plane) window(x, y float64, side int, dst []float32) bool {
	ix, iy := int(math.Floor(x)), int(math.Floor(y))
	if ix < 0 || iy < 0 || ix+side >= p.w || iy+side >= p.h {
		return false
	}
	fx, fy := float32(x-float64(ix)), float32(y-float64(iy))
	if fx == 0 && fy == 0 {
		for r := range side {
			copy(dst[r*side:][:side], p.pix[(iy+r)*p.w+ix:])
		}
		return true
	}
	for r := range side {
		at := (iy+r)*p.w + ix
		a, b := p.pix[at:][:side], p.pix[at+p.w:][:side]
		afterA, afterB := p.pix[at+1:][:side], p.pix[at+p.w+1:][:side]
		to := dst[r*side:][:side]
		for c := range to {
			top, bottom := a[c]+fx*(afterA[c]-a[c]), b[c]+fx*(afterB[c]-b[c])
			to[c] = top + fy*(bottom-top)
		}
	}
	return true
}
