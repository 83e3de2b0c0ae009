package vision

import (
	"math"

	"github.com/bawab/bawab/appliance"
)

// SampleRGB samples p through h, which maps the w x hgt destination to p and must be affine, and writes 3*w*hgt bytes to dst, red first. Each
// sample is interpolated between its four neighbours and nothing is averaged, so that shrinking aliases: it is for networks that were
// trained on such pictures. Beyond the edges of p its outermost samples continue. The colours are those of JFIF; a grey picture gives
// three equal ones.
func SampleRGB(p *appliance.Picture, h Homography, w, hgt int, dst []byte) {
	dst = dst[:3*w*hgt]
	luma := Luma(p)
	cb, cr, coloured := Chroma(p)
	small := h
	if coloured {
		small = ToChroma(p).Mul(h)
	}
	for i := range w * hgt {
		at := appliance.Point{X: float64(i%w) + 0.5, Y: float64(i/w) + 0.5}
		y := luma.bilinear(h.Apply(at))
		r, g, b := y, y, y
		if coloured {
			c := small.Apply(at)
			u, v := cb.bilinear(c)-128, cr.bilinear(c)-128
			r, g, b = y+1.402*v, y-0.344136*u-0.714136*v, y+1.772*u
		}
		dst[3*i], dst[3*i+1], dst[3*i+2] = level(r), level(g), level(b)
	}
}

// bilinear is the plane at a place; the centre of its first sample lies at (0.5, 0.5).
func (p Plane) bilinear(at appliance.Point) float64 {
	x := min(max(at.X-0.5, 0), float64(p.Width-1))
	y := min(max(at.Y-0.5, 0), float64(p.Height-1))
	left, top := int(x), int(y)
	right, bottom := min(left+1, p.Width-1), min(top+1, p.Height-1)
	fx, fy := x-float64(left), y-float64(top)
	upper, lower := p.Pix[top*p.Stride:], p.Pix[bottom*p.Stride:]
	a := float64(upper[left])*(1-fx) + float64(upper[right])*fx
	b := float64(lower[left])*(1-fx) + float64(lower[right])*fx
	return a*(1-fy) + b*fy
}

// level rounds to 0..255.
func level(v float64) byte { return byte(min(max(math.Round(v), 0), 255)) }
