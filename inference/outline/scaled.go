package outline

import (
	"math"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// scaled is a picture at the scale at which the network sees parts of it. Parts share half of themselves with the next, so that
// scaling each for itself would do the work four times.
type scaled struct {
	picture  *appliance.Picture
	planes   [3][]byte // side x side samples each
	side     int
	sx, sy   float64 // samples for a pixel of the picture
	coloured bool
}

// scale scales a picture so that parts of the size of view fit before the network.
func scale(p *appliance.Picture, view part) *scaled {
	longer := max(p.Width, p.Height)
	c := &scaled{picture: p, side: int(math.Round(float64(longer) * finderSide / float64(max(view.width, view.height))))}
	cb, cr, coloured := vision.Chroma(p)
	c.coloured = coloured
	c.planes[0] = make([]byte, c.side*c.side)
	c.sx, c.sy = vision.Fit(vision.Luma(p), c.side, c.planes[0])
	if coloured {
		for i, plane := range [2]vision.Plane{cb, cr} {
			c.planes[1+i] = make([]byte, c.side*c.side)
			vision.Fit(plane, c.side, c.planes[1+i])
		}
	}
	return c
}

// show lays a part of the picture before the network, and returns the map from there to that part.
func (c *scaled) show(s *finderScratch, view part) (toView vision.Homography) {
	wide, high := vision.FittedSize(c.picture.Width, c.picture.Height, c.side)
	width, height := vision.FittedSize(view.width, view.height, finderSide)
	width, height = min(width, wide), min(height, high)
	x := min(int(math.Round(float64(view.x)*c.sx)), wide-width)
	y := min(int(math.Round(float64(view.y)*c.sy)), high-height)
	for i, from := range c.planes {
		if from == nil {
			continue
		}
		to := s.planes[i]
		for row := range height {
			copy(to[row*finderSide:][:width], from[(y+row)*c.side+x:])
			clear(to[row*finderSide+width : (row+1)*finderSide])
		}
		clear(to[height*finderSide:])
	}
	if !c.coloured {
		colourless(s, width, height)
	}
	left, top := float64(x)/c.sx-float64(view.x), float64(y)/c.sy-float64(view.y)
	return vision.Homography{1 / c.sx, 0, left, 0, 1 / c.sy, top, 0, 0, 1}
}
