package burst

import (
	"math"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// thumbSide is the side of the squares as which frames are compared with each other: large enough for the grain of a camera's
// noise to show, small enough for three pairs to cost little.
const thumbSide = 128

// thumb is a frame, or a part of one, stretched to a square, with smaller copies of it.
type thumb struct {
	levels [4]field // of 16, 32, 64 and 128 samples a side
	// laid is where this thumb shows what others show, as far as that was asked: several rules ask it of the same two.
	laid map[*thumb]placing
	// detail is the coarse detail of the largest level, where it was asked for.
	detail field
}

// field is a square of samples.
type field struct {
	side int
	pix  []float32
}

func (f field) at(x, y int) float32 { return f.pix[y*f.side+x] }

// newThumb stretches a picture to a thumb.
func newThumb(p *appliance.Picture) *thumb {
	h := vision.Homography{float64(p.Width) / thumbSide, 0, 0, 0, float64(p.Height) / thumbSide, 0, 0, 0, 1}
	pix := make([]byte, thumbSide*thumbSide)
	vision.Warp(vision.Luma(p), h, thumbSide, thumbSide, pix)
	t := &thumb{laid: map[*thumb]placing{}}
	f := field{thumbSide, make([]float32, len(pix))}
	for i, v := range pix {
		f.pix[i] = float32(v)
	}
	for i := len(t.levels) - 1; ; i-- {
		if t.levels[i] = f; i == 0 {
			return t
		}
		f = f.halved()
	}
}

// halved averages 2 x 2 samples.
func (f field) halved() field {
	h := field{f.side / 2, make([]float32, len(f.pix)/4)}
	for y := range h.side {
		for x := range h.side {
			h.pix[y*h.side+x] = (f.at(2*x, 2*y) + f.at(2*x+1, 2*y) + f.at(2*x, 2*y+1) + f.at(2*x+1, 2*y+1)) / 4
		}
	}
	return h
}

// smoothed weighs 5 x 5 samples binomially, those step samples apart.
func (f field) smoothed(step int) field {
	weights := [5]float32{1. / 16, 4. / 16, 6. / 16, 4. / 16, 1. / 16}
	across, out := make([]float32, len(f.pix)), field{f.side, make([]float32, len(f.pix))}
	clamp := func(i int) int { return min(max(i, 0), f.side-1) }
	for y := range f.side {
		from, to := f.pix[y*f.side:][:f.side], across[y*f.side:][:f.side]
		for k, w := range weights {
			shift := (k - 2) * step
			for x := range min(max(-shift, 0), f.side) {
				to[x] += w * from[0]
			}
			first, last := min(max(-shift, 0), f.side), max(min(f.side-shift, f.side), 0)
			for x := first; x < last; x++ {
				to[x] += w * from[x+shift]
			}
			for x := max(last, first); x < f.side; x++ {
				to[x] += w * from[f.side-1]
			}
		}
	}
	for y := range f.side {
		for k, w := range weights {
			from := across[clamp(y+(k-2)*step)*f.side:][:f.side]
			to := out.pix[y*f.side:][:f.side]
			for x, v := range from {
				to[x] += w * v
			}
		}
	}
	return out
}

// placing maps a thumb onto another one: x to sx*x + dx and y to sy*y + dy in coordinates from -1 to 1, and levels by gain and
// offset.
type placing struct{ sx, dx, sy, dy, gain, offset float64 }

// register finds where b shows what a shows: crops, changes of size and of brightness make them differ. It starts from the whole
// of both and goes from coarse to fine, each time to the least squares of what remains. b remembers it, so that no two goroutines may ask
// it at once.
func register(a, b *thumb) placing {
	if p, ok := b.laid[a]; ok {
		return p
	}
	p := placing{sx: 1, sy: 1, gain: 1}
	for level := range a.levels {
		steps := 8
		if level == len(a.levels)-1 {
			steps = 3
		}
		for range steps {
			if moved := p.step(a.levels[level], b.levels[level]); moved < 2e-4 {
				break
			}
		}
	}
	b.laid[a] = p
	return p
}

// sample interpolates f at a place in samples; ok is false outside.
func (f field) sample(x, y float64) (v, gx, gy float32, ok bool) {
	ix, iy := int(math.Floor(x)), int(math.Floor(y))
	if ix < 0 || iy < 0 || ix >= f.side-1 || iy >= f.side-1 {
		return 0, 0, 0, false
	}
	v, gx, gy = f.between(ix, iy, float32(x)-float32(ix), float32(y)-float32(iy))
	return v, gx, gy, true
}

// between interpolates f at (fx, fy) from the sample (ix, iy), which is neither in the last row nor in the last column.
func (f field) between(ix, iy int, fx, fy float32) (v, gx, gy float32) {
	at := iy*f.side + ix
	a, b, c, d := f.pix[at], f.pix[at+1], f.pix[at+f.side], f.pix[at+f.side+1]
	top, bottom := a+(b-a)*fx, c+(d-c)*fx
	return top + (bottom-top)*fy, (b-a)*(1-fy) + (d-c)*fy, bottom - top
}

// place is where sample (x, y) of a lies in b, in samples.
func (p placing) place(x, y, side int) (u, v, bx, by float64) {
	half := float64(side) / 2
	u, v = (float64(x)+0.5)/half-1, (float64(y)+0.5)/half-1
	return u, v, (p.sx*u+p.dx+1)*half - 0.5, (p.sy*v+p.dy+1)*half - 0.5
}

// step improves the placing once, and returns by how much it moved.
func (p *placing) step(a, b field) float64 {
	var normal [6][7]float64
	half := float32(a.side) / 2
	// The column in b follows from that in a alone: it is worked out once, not for each row.
	type column struct {
		u  float64
		ix int
		fx float32
	}
	columns := make([]column, a.side)
	for x := range columns {
		u, _, bx, _ := p.place(x, 0, a.side)
		ix := int(math.Floor(bx))
		columns[x] = column{u, ix, float32(bx) - float32(ix)}
	}
	for y := range a.side {
		_, v, _, by := p.place(0, y, a.side)
		iy := int(math.Floor(by))
		if iy < 0 || iy >= b.side-1 {
			continue
		}
		fy := float32(by) - float32(iy)
		for x, c := range columns {
			if c.ix < 0 || c.ix >= b.side-1 {
				continue
			}
			value, gx, gy := b.between(c.ix, iy, c.fx, fy)
			gx, gy = gx*half*float32(p.gain), gy*half*float32(p.gain)
			target := float64(a.at(x, y))
			addEquation(&normal, float64(gx)*c.u, float64(gx), float64(gy)*v, float64(gy), float64(value), 1, target)
		}
	}
	d, ok := vision.Solve(normal)
	if !ok {
		return 0
	}
	for i := range 4 {
		d[i] = min(max(d[i], -0.05), 0.05) // a wild step of a coarse level would never be taken back
	}
	p.sx, p.dx, p.sy, p.dy, p.gain, p.offset = p.sx+d[0], p.dx+d[1], p.sy+d[2], p.dy+d[3], d[4], d[5]
	p.sx, p.sy = min(max(p.sx, 0.6), 1.6), min(max(p.sy, 0.6), 1.6)
	return math.Abs(d[0]) + math.Abs(d[1]) + math.Abs(d[2]) + math.Abs(d[3])
}

// placed is b as a shows it, and where both show anything.
func (p placing) placed(b field) (f field, shown []bool) {
	f, shown = field{b.side, make([]float32, len(b.pix))}, make([]bool, len(b.pix))
	for y := range b.side {
		for x := range b.side {
			_, _, bx, by := p.place(x, y, b.side)
			v, _, _, ok := b.sample(min(max(bx, 0), float64(b.side)-1.001), min(max(by, 0), float64(b.side)-1.001))
			f.pix[y*b.side+x] = float32(p.gain)*v + float32(p.offset)
			shown[y*b.side+x] = ok && bx >= 0 && by >= 0 && bx <= float64(b.side)-1 && by <= float64(b.side)-1
		}
	}
	return f, shown
}
