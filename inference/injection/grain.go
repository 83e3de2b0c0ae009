package injection

import "math"

// grain adds noise as forgers do, of one of three kinds and of the given deviation in levels: white in each colour, white in the light
// alone, or through the mosaic of a simulated sensor.
func (f *forger) grain(c *canvas, kind int, sigma float64) {
	if sigma <= 0 {
		return
	}
	switch kind % 3 {
	case 0:
		for i := range c.pix {
			c.pix[i] += float32(sigma * f.NormFloat64())
		}
	case 1:
		for i := 0; i < len(c.pix); i += 3 {
			n := float32(sigma * f.NormFloat64())
			c.pix[i], c.pix[i+1], c.pix[i+2] = c.pix[i]+n, c.pix[i+1]+n, c.pix[i+2]+n
		}
	default:
		f.expose(c, sigma)
	}
}

// noisy adds noise of a kind and strength drawn once for a triple to its frames.
func (f *forger) noisy(frames [Frames]*canvas, least, most float64) [Frames]*canvas {
	kind, sigma := f.IntN(3), f.uniform(least, most)
	for _, c := range frames {
		f.grain(c, kind, sigma)
	}
	return frames
}

// expose takes the canvas with a simulated sensor: each pixel sees one colour of a Bayer mosaic, with shot noise of the given
// deviation in levels at a middle grey, and the others are interpolated.
func (f *forger) expose(c *canvas, sigma float64) {
	raw := make([]float32, c.w*c.h)
	colour := func(x, y int) int { return [4]int{1, 0, 2, 1}[y%2*2+x%2] } // green red, blue green
	for y := range c.h {
		for x := range c.w {
			v := float64(c.at(x, y)[colour(x, y)])
			raw[y*c.w+x] = float32(v + sigma*math.Sqrt(max(v, 4)/118)*f.NormFloat64())
		}
	}
	for y := range c.h {
		for x := range c.w {
			var sum, weight [3]float32
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					i, j := min(max(x+dx, 0), c.w-1), min(max(y+dy, 0), c.h-1)
					n, w := colour(i, j), float32(1)/float32(1+dx*dx+dy*dy)
					sum[n], weight[n] = sum[n]+w*raw[j*c.w+i], weight[n]+w
				}
			}
			own := colour(x, y)
			sum[own], weight[own] = raw[y*c.w+x], 1
			p := c.at(x, y)
			for n := range p {
				p[n] = sum[n] / weight[n]
			}
		}
	}
}

// cleaned takes grain off as forgers do before they add their own: by a blur that stops at edges.
func (c *canvas) cleaned(reach float64) *canvas {
	smooth := c.blurred(reach)
	for i, v := range c.pix {
		d := float64(v - smooth.pix[i])
		smooth.pix[i] += float32(d * (1 - math.Exp(-square(d/14))))
	}
	return smooth
}
