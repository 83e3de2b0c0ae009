package fraud

import (
	"context"
	"sync"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/vision"
)

const (
	roundWidth, roundHeight = 160, 128
	// The document in the view: as surroundings_scenes of bawab_training draws it.
	roundLeft, roundTop   = 40, 39
	cardWidth, cardHeight = 80, 50
	// mostTold bounds how much the surroundings say, as log-odds: a rim or a margin around a genuine card must not outweigh its
	// texture.
	mostTold = 3.0
)

// surroundings tells by what lies around a document, seen small, what the picture was taken of: the rim of a display, the
// ground of an earlier photograph, the white of a sheet.
type surroundings struct {
	net     *inference.Network
	scratch sync.Pool
}

type surroundingsScratch struct {
	in, out []int8
	plane   []byte
}

func newSurroundings(net *inference.Network) *surroundings {
	return &surroundings{net: net, scratch: sync.Pool{New: func() any {
		return &surroundingsScratch{in: make([]int8, 3*roundWidth*roundHeight), out: make([]int8, patchClasses), plane: make([]byte, roundWidth*roundHeight)}
	}}}
}

// measure returns the log-odds that a screen, and that a print, and no genuine card lies at q, at most mostTold either way; zeros
// where q is no photograph of a rectangle.
func (r *surroundings) measure(ctx context.Context, p *appliance.Picture, q appliance.Quad) (screen, print float64, err error) {
	s := r.scratch.Get().(*surroundingsScratch)
	defer r.scratch.Put(s)
	if !s.lay(p, q) {
		return 0, 0, nil
	}
	if err := r.net.Run(ctx, s.in, s.out); err != nil {
		return 0, 0, err
	}
	scale := float64(r.net.Output().Scale)
	told := func(class int) float64 {
		return min(max(scale*float64(int(s.out[class])-int(s.out[0])), -mostTold), mostTold)
	}
	return told(1), told(2), nil
}

// lay fills the input with the picture around q, Y, Cb and Cr of each pixel, all zero beyond the picture. It returns false where q
// is no photograph of a rectangle.
func (s *surroundingsScratch) lay(p *appliance.Picture, q appliance.Quad) bool {
	card, ok := vision.RectToQuad(cardWidth, cardHeight, q)
	if !ok {
		return false
	}
	h := card.Mul(vision.Homography{1, 0, -roundLeft, 0, 1, -roundTop, 0, 0, 1})
	cb, cr, coloured := vision.Chroma(p)
	for channel, plane := range [3]vision.Plane{vision.Luma(p), cb, cr} {
		if channel > 0 && !coloured {
			for i := range s.plane {
				s.in[3*i+channel] = 0
			}
			continue
		}
		toPlane := h
		if channel > 0 {
			toPlane = vision.ToChroma(p).Mul(h)
		}
		if !vision.Warp(plane, toPlane, roundWidth, roundHeight, s.plane) {
			return false
		}
		for i, v := range s.plane {
			s.in[3*i+channel] = int8(int(v) - 128)
		}
	}
	for i := range roundWidth * roundHeight {
		at := h.Apply(appliance.Point{X: float64(i%roundWidth) + 0.5, Y: float64(i/roundWidth) + 0.5})
		if at.X < 0 || at.Y < 0 || at.X > float64(p.Width) || at.Y > float64(p.Height) {
			s.in[3*i], s.in[3*i+1], s.in[3*i+2] = -128, -128, -128
		}
	}
	return true
}
