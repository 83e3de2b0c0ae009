package injection

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"math"

	"github.com/bawab/bawab/appliance"
)

// canvas is a colour picture in linear memory: three values from 0 to 255 a pixel, red first.
type canvas struct {
	w, h int
	pix  []float32
}

func newCanvas(w, h int) *canvas { return &canvas{w, h, make([]float32, 3*w*h)} }

// canvasOf copies an image.
func canvasOf(m image.Image) *canvas {
	b := m.Bounds()
	c := newCanvas(b.Dx(), b.Dy())
	for y := range c.h {
		for x := range c.w {
			r, g, bl, _ := m.At(b.Min.X+x, b.Min.Y+y).RGBA()
			p := c.at(x, y)
			p[0], p[1], p[2] = float32(r>>8), float32(g>>8), float32(bl>>8)
		}
	}
	return c
}

func (c *canvas) clone() *canvas {
	o := newCanvas(c.w, c.h)
	copy(o.pix, c.pix)
	return o
}

// at returns the three values of a pixel; it shares their memory.
func (c *canvas) at(x, y int) []float32 { return c.pix[3*(y*c.w+x):][:3:3] }

// clamped is at with places outside moved to the border.
func (c *canvas) clamped(x, y int) []float32 {
	return c.at(min(max(x, 0), c.w-1), min(max(y, 0), c.h-1))
}

// kernel is an interpolation over four samples a direction.
type kernel func(distance float64) float64

func bilinear(d float64) float64 { return max(0, 1-math.Abs(d)) }

// bicubic is the kernel of Keys with a = -0.5.
func bicubic(d float64) float64 {
	d = math.Abs(d)
	switch {
	case d < 1:
		return (1.5*d-2.5)*d*d + 1
	case d < 2:
		return ((-0.5*d+2.5)*d-4)*d + 2
	}
	return 0
}

// sample interpolates at a place whose pixel centres are whole numbers.
func (c *canvas) sample(x, y float64, k kernel, out *[3]float64) {
	ix, iy := int(math.Floor(x)), int(math.Floor(y))
	*out = [3]float64{}
	for j := iy - 1; j <= iy+2; j++ {
		wy := k(y - float64(j))
		if wy == 0 {
			continue
		}
		for i := ix - 1; i <= ix+2; i++ {
			wx := k(x - float64(i))
			if wx == 0 {
				continue
			}
			p := c.clamped(i, j)
			for n := range out {
				out[n] += wx * wy * float64(p[n])
			}
		}
	}
}

// warp maps each place of the result to its place in the source.
type warp func(x, y float64) (sx, sy float64)

// then applies another warp first: the result shows what next shows of what w shows.
func (w warp) then(next warp) warp {
	return func(x, y float64) (float64, float64) { return w(next(x, y)) }
}

// warped resamples the whole canvas.
func (c *canvas) warped(w warp, k kernel) *canvas { return c.resampled(c.w, c.h, w, k) }

// resampled makes a canvas of another size.
func (c *canvas) resampled(width, height int, w warp, k kernel) *canvas {
	o := newCanvas(width, height)
	var v [3]float64
	for y := range height {
		for x := range width {
			sx, sy := w(float64(x), float64(y))
			c.sample(sx, sy, k, &v)
			p := o.at(x, y)
			for n := range v {
				p[n] = float32(v[n])
			}
		}
	}
	return o
}

// fitted cuts the rectangle out and scales it to width x height.
func (c *canvas) fitted(left, top, right, bottom float64, width, height int, k kernel) *canvas {
	fx, fy := (right-left)/float64(width), (bottom-top)/float64(height)
	small := c
	for fx > 2 || fy > 2 { // averages first, so that nothing aliases
		small = small.halved()
		left, top, fx, fy = left/2, top/2, fx/2, fy/2
	}
	return small.resampled(width, height, func(x, y float64) (float64, float64) {
		return left + (x+0.5)*fx - 0.5, top + (y+0.5)*fy - 0.5
	}, k)
}

func (c *canvas) halved() *canvas {
	o := newCanvas(max(c.w/2, 1), max(c.h/2, 1))
	for y := range o.h {
		for x := range o.w {
			a, b, d, e := c.clamped(2*x, 2*y), c.clamped(2*x+1, 2*y), c.clamped(2*x, 2*y+1), c.clamped(2*x+1, 2*y+1)
			p := o.at(x, y)
			for n := range p {
				p[n] = (a[n] + b[n] + d[n] + e[n]) / 4
			}
		}
	}
	return o
}

// blurred smooths by a Gaussian of the given deviation in pixels.
func (c *canvas) blurred(sigma float64) *canvas {
	if sigma < 0.05 {
		return c.clone()
	}
	reach := int(math.Ceil(3 * sigma))
	weights := make([]float32, 2*reach+1)
	sum := float32(0)
	for i := range weights {
		weights[i] = float32(math.Exp(-square(float64(i-reach)/sigma) / 2))
		sum += weights[i]
	}
	pass := func(from *canvas, dx, dy int) *canvas {
		to := newCanvas(c.w, c.h)
		for y := range c.h {
			for x := range c.w {
				p := to.at(x, y)
				for i, w := range weights {
					q := from.clamped(x+(i-reach)*dx, y+(i-reach)*dy)
					for n := range p {
						p[n] += w / sum * q[n]
					}
				}
			}
		}
		return to
	}
	return pass(pass(c, 1, 0), 0, 1)
}

// over lays another canvas of the same size over c where the matte, from 0 to 1, says so.
func (c *canvas) over(top *canvas, matte func(x, y float64) float64) {
	for y := range c.h {
		for x := range c.w {
			a := float32(matte(float64(x), float64(y)))
			p, q := c.at(x, y), top.at(x, y)
			for n := range p {
				p[n] += a * (q[n] - p[n])
			}
		}
	}
}

// toned changes the levels.
func (c *canvas) toned(f func(v float64) float64) {
	for i, v := range c.pix {
		c.pix[i] = float32(f(float64(v)))
	}
}

// jpeg codes the canvas as a file.
func (c *canvas) jpeg(quality int) ([]byte, error) {
	m := image.NewRGBA(image.Rect(0, 0, c.w, c.h))
	for i := range c.w * c.h {
		for n := range 3 {
			m.Pix[4*i+n] = byte(math.Round(min(max(float64(c.pix[3*i+n]), 0), 255)))
		}
		m.Pix[4*i+3] = 255
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, m, &jpeg.Options{Quality: quality}); err != nil {
		return nil, fmt.Errorf("code frame: %w", err)
	}
	return out.Bytes(), nil
}

// recoded is the canvas after a JPEG file of that quality.
func (c *canvas) recoded(quality int) *canvas {
	raw, err := c.jpeg(quality)
	if err != nil {
		return c
	}
	m, err := jpeg.Decode(bytes.NewReader(raw))
	if err != nil {
		return c
	}
	return canvasOf(m)
}

func square(x float64) float64 { return x * x }

func distance(a, b appliance.Point) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }
