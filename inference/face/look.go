package face

import (
	"context"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/vision"
)

// look is the memory for showing a network one square of a picture, in Y, Cb and Cr.
type look struct {
	side   int // of the square, in the network's pixels
	step   [256]int8
	value  [256]float64
	planes [3][]byte
	in     []int8
	out    []int8
}

func newLook(side int, in, out inference.Tensor) *look {
	l := &look{side: side, step: inference.Steps(in), value: values(out), in: make([]int8, in.Len()), out: make([]int8, out.Len())}
	for i := range l.planes {
		l.planes[i] = make([]byte, side*side)
	}
	return l
}

// noColour is the level of Cb and Cr in what has no colour.
const noColour = 128

// run shows the network the view of a picture. What lies beyond the picture is black.
func (l *look) run(ctx context.Context, net network, p *appliance.Picture, v view) error {
	l.show(p, v)
	luma, cb, cr := l.planes[0], l.planes[1], l.planes[2]
	for i, y := range luma {
		l.in[3*i], l.in[3*i+1], l.in[3*i+2] = l.step[y], l.step[cb[i]], l.step[cr[i]]
	}
	return net.Run(ctx, l.in, l.out)
}

// show fills the planes.
func (l *look) show(p *appliance.Picture, v view) {
	vision.Warp(vision.Luma(p), v.toPicture, l.side, l.side, l.planes[0])
	if cb, cr, coloured := vision.Chroma(p); coloured {
		small := vision.ToChroma(p).Mul(v.toPicture)
		vision.Warp(cb, small, l.side, l.side, l.planes[1])
		vision.Warp(cr, small, l.side, l.side, l.planes[2])
	} else {
		for _, plane := range l.planes[1:] {
			for i := range plane {
				plane[i] = noColour
			}
		}
	}
	l.blacken(p, v.toPicture)
}

// shownWhole reports whether the square shows nothing of the outside of a w x hgt picture: none of its corners does.
func (l *look) shownWhole(w, hgt float64, h vision.Homography) bool {
	side := float64(l.side)
	for _, c := range [4]appliance.Point{{}, {X: side}, {Y: side}, {X: side, Y: side}} {
		px, py, pw := h[0]*c.X+h[1]*c.Y+h[2], h[3]*c.X+h[4]*c.Y+h[5], h[6]*c.X+h[7]*c.Y+h[8]
		if !(pw > 0 && px >= 0 && py >= 0 && px < w*pw && py < hgt*pw) {
			return false
		}
	}
	return true
}

// blacken makes black what the square shows of the outside of the picture.
func (l *look) blacken(p *appliance.Picture, h vision.Homography) {
	w, hgt := float64(p.Width), float64(p.Height)
	if l.shownWhole(w, hgt, h) {
		return
	}
	for y := range l.side {
		// Along a row the map is a quotient of linear functions, so that each step is three sums.
		fy := float64(y) + 0.5
		px, py, pw := h[0]*0.5+h[1]*fy+h[2], h[3]*0.5+h[4]*fy+h[5], h[6]*0.5+h[7]*fy+h[8]
		for i := y * l.side; i < (y+1)*l.side; i++ {
			if px < 0 || py < 0 || px >= w*pw || py >= hgt*pw {
				l.planes[0][i], l.planes[1][i], l.planes[2][i] = 0, noColour, noColour
			}
			px, py, pw = px+h[0], py+h[3], pw+h[6]
		}
	}
}
