package pdf

import (
	"bytes"
	"context"
	"image"
	"math"

	"github.com/bawab/bawab/appliance"
)

// canvas is a white page on which pictures are laid.
type canvas struct {
	picture *appliance.Picture
	// points maps the page as it is looked at to pixels.
	points matrix
	work   int // pixels painted
}

// ink is a decoded picture with what it lets through. A stencil darkens alone.
type ink struct {
	picture, alpha    *appliance.Picture
	inverted, stencil bool
}

// newCanvas is as large as the pictures' common box within the page, in pixels of the picture that fills most of it, at most so many.
func newCanvas(layers []layer, p *page, most float64) *canvas {
	width, height := p.box[2]-p.box[0], p.box[3]-p.box[1]
	if p.rotate%2 == 1 {
		width, height = height, width
	}
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	largest, scale := 0.0, 1.0
	for _, l := range layers {
		for i := range 4 {
			x, y := l.to.at(float64(i%2), float64(i/2))
			x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
		}
		if a := l.to.area(); a > largest {
			largest, scale = a, math.Sqrt(float64(l.width)*float64(l.height)/a)
		}
	}
	if x, y := max(x0, 0), max(y0, 0); x < min(x1, width) && y < min(y1, height) {
		x0, y0, x1, y1 = x, y, min(x1, width), min(y1, height)
	}
	w, h := (x1-x0)*scale, (y1-y0)*scale
	if over := max(w*h/most, w*w/most/4, h*h/most/4); over > 1 {
		scale /= math.Sqrt(over)
		w, h = (x1-x0)*scale, (y1-y0)*scale
	}
	c := &canvas{points: matrix{scale, 0, 0, scale, -x0 * scale, -y0 * scale}}
	cols, rows := max(1, int(w)), max(1, int(h))
	c.picture = &appliance.Picture{
		Width: cols, Height: rows, ChromaWidth: cols, ChromaHeight: rows,
		Y: bytes.Repeat([]byte{255}, cols*rows), Cb: bytes.Repeat([]byte{128}, cols*rows), Cr: bytes.Repeat([]byte{128}, cols*rows),
	}
	return c
}

// under is the part of the canvas that a map of the unit square may touch.
func (c *canvas) under(m matrix) image.Rectangle {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for i := range 4 {
		x, y := m.at(float64(i%2), float64(i/2))
		x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
	}
	w, h := float64(c.picture.Width), float64(c.picture.Height)
	return image.Rect(
		int(min(max(x0, 0), w)),
		int(min(max(y0, 0), h)),
		int(math.Ceil(min(max(x1, 0), w))),
		int(math.Ceil(min(max(y1, 0), h))),
	)
}

// paint lays a picture on the canvas.
func (c *canvas) paint(ctx context.Context, l layer, k ink) error {
	m := l.to.then(c.points)
	det := m[0]*m[3] - m[1]*m[2]
	if det == 0 {
		return nil
	}
	p, r := c.picture, c.under(m)
	if c.work += r.Dx() * r.Dy(); c.work > 4*maxCanvas {
		return errBounds
	}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		for x := r.Min.X; x < r.Max.X; x++ {
			dx, dy := float64(x)+0.5-m[4], float64(y)+0.5-m[5]
			u, v := (m[3]*dx-m[2]*dy)/det, 1-(m[0]*dy-m[1]*dx)/det
			if min(u, v) >= 0 && max(u, v) <= 1 {
				k.dot(p, y*p.Width+x, u, v)
			}
		}
	}
	return nil
}

// dot lays what a picture has at a place of its unit square on a pixel of the canvas.
func (k ink) dot(p *appliance.Picture, at int, u, v float64) {
	luma := sample(k.picture.Y, k.picture.Width, k.picture.Height, u, v)
	if k.stencil {
		p.Y[at] = min(p.Y[at], luma)
		return
	}
	cb, cr := byte(128), byte(128)
	if len(k.picture.Cb) > 0 {
		cb = sample(k.picture.Cb, k.picture.ChromaWidth, k.picture.ChromaHeight, u, v)
		cr = sample(k.picture.Cr, k.picture.ChromaWidth, k.picture.ChromaHeight, u, v)
	}
	through := k.through(u, v)
	p.Y[at], p.Cb[at], p.Cr[at] = mix(p.Y[at], luma, through), mix(p.Cb[at], cb, through), mix(p.Cr[at], cr, through)
}

// through is how much of a picture is seen at a place, up to 256.
func (k ink) through(u, v float64) int {
	if k.alpha == nil {
		return 256
	}
	a := int(sample(k.alpha.Y, k.alpha.Width, k.alpha.Height, u, v))
	if k.inverted {
		a = 255 - a
	}
	return a + a>>7
}

func mix(below, above byte, through int) byte {
	return byte((int(below)*(256-through) + int(above)*through) >> 8)
}

// sample interpolates a plane at a place of its unit square.
func sample(plane []byte, width, height int, u, v float64) byte {
	x, y := min(max(u*float64(width)-0.5, 0), float64(width-1)), min(max(v*float64(height)-0.5, 0), float64(height-1))
	x0, y0 := int(x), int(y)
	x1, y1 := min(x0+1, width-1), min(y0+1, height-1)
	fx, fy := x-float64(x0), y-float64(y0)
	upper := float64(plane[y0*width+x0])*(1-fx) + float64(plane[y0*width+x1])*fx
	lower := float64(plane[y1*width+x0])*(1-fx) + float64(plane[y1*width+x1])*fx
	return byte(upper*(1-fy) + lower*fy + 0.5)
}
