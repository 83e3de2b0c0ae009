package face

import (
	"context"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/vision"
)

// lookSide is the side of the square that the "faces" network looks at, in its pixels.
const lookSide = 256

// look is the memory of one look of the "faces" network.
type look struct {
	step   [256]int8
	value  [256]float64
	planes [3][]byte
	in     []int8
	out    []int8
}

func newLook(in, out inference.Tensor) *look {
	l := &look{step: steps(in), value: values(out), in: make([]int8, in.Len()), out: make([]int8, out.Len())}
	for i := range l.planes {
		l.planes[i] = make([]byte, lookSide*lookSide)
	}
	return l
}

// view is how the square of a look lies in a picture.
type view struct {
	// toPicture maps the square to the picture.
	toPicture vision.Homography
	// whole tells that the view is the whole picture, scaled into the square.
	whole bool
}

// wholeView is the view of the whole picture.
func wholeView() view { return view{whole: true} }

// squareView is the view of an upright square of the picture: its middle and its side in pixels.
func squareView(middle appliance.Point, side float64) view {
	k := side / lookSide
	return view{toPicture: vision.Homography{k, 0, middle.X - side/2, 0, k, middle.Y - side/2, 0, 0, 1}}
}

// within returns the view of an upright square of another view's square, given there.
func (v view) within(middle appliance.Point, side float64) view {
	return view{toPicture: v.toPicture.Mul(squareView(middle, side).toPicture)}
}

// run shows the network the view of a picture and returns the view with its map to the picture. What lies beyond the picture
// is black in a view without perspective or turn, as in training; elsewhere the border goes on.
func (l *look) run(ctx context.Context, net network, p *appliance.Picture, v view) (view, error) {
	v = l.show(p, v)
	luma, cb, cr := l.planes[0], l.planes[1], l.planes[2]
	for i, y := range luma {
		l.in[3*i], l.in[3*i+1], l.in[3*i+2] = l.step[y], l.step[cb[i]], l.step[cr[i]]
	}
	return v, net.Run(ctx, l.in, l.out)
}

// show fills the planes.
func (l *look) show(p *appliance.Picture, v view) view {
	cb, cr, coloured := vision.Chroma(p)
	if v.whole {
		sx, sy := vision.Fit(vision.Luma(p), lookSide, l.planes[0])
		if coloured {
			vision.Fit(cb, lookSide, l.planes[1])
			vision.Fit(cr, lookSide, l.planes[2])
		} else {
			w, h := vision.FittedSize(p.Width, p.Height, lookSide)
			l.colourless(0, 0, w, h)
		}
		v.toPicture = vision.Homography{1 / sx, 0, 0, 0, 1 / sy, 0, 0, 0, 1}
		return v
	}
	vision.Warp(vision.Luma(p), v.toPicture, lookSide, lookSide, l.planes[0])
	if coloured {
		small := vision.ToChroma(p).Mul(v.toPicture)
		vision.Warp(cb, small, lookSide, lookSide, l.planes[1])
		vision.Warp(cr, small, lookSide, lookSide, l.planes[2])
	} else {
		l.colourless(0, 0, lookSide, lookSide)
	}
	l.blacken(p, v.toPicture)
	return v
}

// colourless fills the chroma planes for a grey picture: 128 in the given part of the square, 0 outside.
func (l *look) colourless(left, top, right, bottom int) {
	for _, plane := range l.planes[1:] {
		clear(plane)
		for y := max(top, 0); y < min(bottom, lookSide); y++ {
			row := plane[y*lookSide:][:lookSide]
			for x := max(left, 0); x < min(right, lookSide); x++ {
				row[x] = 128
			}
		}
	}
}

// blacken makes black what an upright square shows of the outside of the picture.
func (l *look) blacken(p *appliance.Picture, h vision.Homography) {
	if h[1] != 0 || h[3] != 0 || h[6] != 0 || h[7] != 0 {
		return
	}
	inside := func(i int, scale, shift float64, size int) bool {
		at := (float64(i)+0.5)*scale/h[8] + shift/h[8]
		return at >= 0 && at < float64(size)
	}
	var columns [lookSide]bool
	for x := range columns {
		columns[x] = inside(x, h[0], h[2], p.Width)
	}
	for _, plane := range l.planes {
		for y := range lookSide {
			row := plane[y*lookSide:][:lookSide]
			if !inside(y, h[4], h[5], p.Height) {
				clear(row)
				continue
			}
			for x := range row {
				if !columns[x] {
					row[x] = 0
				}
			}
		}
	}
}
