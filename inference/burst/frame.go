package burst

import (
	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// Frame is a frame of a burst with what is kept of it for the comparisons. Its methods and the functions over it are no concern of two
// goroutines at once.
type Frame struct {
	*appliance.Picture
	// Face is the main face, nil where there is none.
	Face  *Face
	thumb *thumb
	// coded are its windows by their places, as far as they were asked for: each frame is held against two others.
	coded map[[4]int]*codedWindow
}

// Face is a face of a frame.
type Face struct {
	At      appliance.Point // its middle, in pixels
	Size    float64         // of its box, as the side of a square of its area, in pixels
	Quality appliance.FaceQuality
}

// NewFrame makes a frame of a picture, which stays as it is as long as the frame is used.
func NewFrame(p *appliance.Picture) *Frame {
	return &Frame{Picture: p, thumb: newThumb(p), coded: map[[4]int]*codedWindow{}}
}

// cutTo stretches the part of a picture around (x, y), in coordinates from -1 to 1, that reaches u and v to the sides, to a
// square. Beyond the picture its border goes on.
func (f *Frame) cutTo(side int, x, y, u, v float64) field {
	w, h := float64(f.Width)/2, float64(f.Height)/2
	kx, ky := 2*u*w/float64(side), 2*v*h/float64(side)
	pix := make([]byte, side*side)
	vision.Warp(vision.Luma(f.Picture), vision.Homography{kx, 0, (x - u + 1) * w, 0, ky, (y - v + 1) * h, 0, 0, 1}, side, side, pix)
	out := field{side, make([]float32, len(pix))}
	for i, v := range pix {
		out.pix[i] = float32(v)
	}
	return out
}
