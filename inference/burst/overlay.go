package burst

import (
	"math"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// overlay lays the window of one picture over another one: a place x of the window lies at kx*x + tx of the other picture, in
// pixels, and a level v of the other one is shown as gain*v + offset.
type overlay struct{ kx, tx, ky, ty, gain, offset float64 }

// window is a part of a picture whose corner and sides are multiples of the blocks of its coding.
type window struct {
	*appliance.Picture
	x, y, w, h int
}

// windowSide is the greatest side of a window.
const windowSide = 224

// windowOf is the window around a place, as large as the picture allows.
func windowOf(p *appliance.Picture, at appliance.Point) window {
	place := func(at float64, size int) (from, side int) {
		side = min(windowSide, size/dctSide*dctSide)
		from = int(at)/dctSide*dctSide - side/2/dctSide*dctSide
		return max(0, min(from, (size-side)/dctSide*dctSide)), side
	}
	w := window{Picture: p}
	w.x, w.w = place(at.X, p.Width)
	w.y, w.h = place(at.Y, p.Height)
	return w
}

// levels are those of the window.
func (w window) levels() []float32 {
	out := make([]float32, 0, w.w*w.h)
	for y := w.y; y < w.y+w.h; y++ {
		for _, v := range w.Y[y*w.Width+w.x:][:w.w] {
			out = append(out, float32(v))
		}
	}
	return out
}

// overlayOf turns the placing of the second thumb on the first one into the overlay of the window of the first picture.
func overlayOf(a, b *appliance.Picture, p placing) overlay {
	o := overlay{gain: p.gain, offset: p.offset}
	o.kx = p.sx * float64(b.Width) / float64(a.Width)
	o.ky = p.sy * float64(b.Height) / float64(a.Height)
	// The middle of a lies at (dx, dy) of b.
	o.tx = (p.dx+1)/2*float64(b.Width) - o.kx*float64(a.Width)/2
	o.ty = (p.dy+1)/2*float64(b.Height) - o.ky*float64(a.Height)/2
	return o
}

// inverse is the overlay the other way round.
func (o overlay) inverse() overlay {
	g := o.gain
	if math.Abs(g) < 0.05 {
		g = 0.05
	}
	return overlay{1 / o.kx, -o.tx / o.kx, 1 / o.ky, -o.ty / o.ky, 1 / g, -o.offset / g}
}

// taps are the samples of a line that one sample of another line is made of.
type taps struct {
	from    int
	weights []float32
}

// tapsOf resamples n places from x on, each at k*(x+0.5)+t of a line of size samples: by cubic interpolation that averages where
// it shrinks, as programs for pictures do. Beyond the line its first and last samples go on.
func tapsOf(x, n int, k, t float64, size int) []taps {
	stretch := max(1, k)
	// room is one piece of memory for the weights of all: four each, or five at a place between samples, where nothing shrinks.
	all, room := make([]taps, 0, n), make([]float32, 5*n)
	for i := range n {
		at := k*(float64(x+i)+0.5) + t - 0.5
		from := int(math.Ceil(at - 2*stretch))
		to := int(math.Floor(at + 2*stretch))
		c := taps{from: max(0, min(from, size-1)), weights: room[:0]}
		sum := float32(0)
		for s := from; s <= to; s++ {
			weight := float32(cubic((float64(s) - at) / stretch))
			sum += weight
			if j := max(0, min(s, size-1)) - c.from; j == len(c.weights) {
				c.weights = append(c.weights, weight)
			} else {
				c.weights[j] += weight
			}
		}
		for j := range c.weights {
			c.weights[j] /= sum
		}
		room = room[min(len(c.weights), len(room)):]
		all = append(all, c)
	}
	return all
}

// cubic is the kernel of Keys with a = -0.5.
func cubic(x float64) float64 {
	x = math.Abs(x)
	switch {
	case x < 1:
		return (1.5*x-2.5)*x*x + 1
	case x < 2:
		return ((-0.5*x+2.5)*x-4)*x + 2
	}
	return 0
}

// scratch is the memory of one overlay after another.
type scratch struct{ across, line, out []float32 }

// sized returns a slice of n samples, whatever they hold, and keeps it for the next time.
func sized(keep *[]float32, n int) []float32 {
	if cap(*keep) < n {
		*keep = make([]float32, n)
	}
	return (*keep)[:n]
}

// show returns what the other picture shows in the window, in the scratch's memory.
func (o overlay) show(w window, other *appliance.Picture, s *scratch) []float32 {
	columns, rows := tapsOf(w.x, w.w, o.kx, o.tx, other.Width), tapsOf(w.y, w.h, o.ky, o.ty, other.Height)
	first, last := rows[0].from, rows[len(rows)-1].from+len(rows[len(rows)-1].weights)
	across, line := sized(&s.across, (last-first)*w.w), sized(&s.line, other.Width)
	left, right := columns[0].from, columns[len(columns)-1].from+len(columns[len(columns)-1].weights)
	for y := first; y < last; y++ {
		for i, v := range other.Y[y*other.Width+left : y*other.Width+right] {
			line[left+i] = float32(v)
		}
		to := across[(y-first)*w.w:][:w.w]
		for i := range to {
			to[i] = columns[i].of(line)
		}
	}
	out := sized(&s.out, w.w*w.h)
	for i := range rows {
		r := &rows[i]
		r.blend(across[(r.from-first)*w.w:], out[i*w.w:][:w.w])
	}
	return out
}

// of is the sample of a line that the taps make. Most have four weights, as a picture that is not shrunk needs: those are spelled out,
// since this is where the time goes.
func (c *taps) of(line []float32) (v float32) {
	if w := c.weights; len(w) == 4 {
		l := line[c.from:][:4]
		return w[0]*l[0] + w[1]*l[1] + w[2]*l[2] + w[3]*l[3]
	}
	for j, weight := range c.weights {
		v += weight * line[c.from+j]
	}
	return v
}

// blend makes a line of the lines that begin where from does and follow each other.
func (c *taps) blend(from, line []float32) {
	n := len(line)
	if w := c.weights; len(w) == 4 {
		k, l, m, o := from[:n], from[n:][:n], from[2*n:][:n], from[3*n:][:n]
		for x := range line {
			line[x] = w[0]*k[x] + w[1]*l[x] + w[2]*m[x] + w[3]*o[x]
		}
		return
	}
	clear(line)
	for j, weight := range c.weights {
		for x, v := range from[j*n:][:n] {
			line[x] += weight * v
		}
	}
}

// refine improves the overlay to the least squares of what remains and returns what it shows.
func (o *overlay) refine(w window, own []float32, other *appliance.Picture, steps int) []float32 {
	var s scratch
	shown := o.show(w, other, &s)
	for range steps {
		if o.step(w, own, shown) < 0.004 {
			break // too little to be seen
		}
		shown = o.show(w, other, &s)
	}
	return shown
}

// step improves the overlay once and returns by how many pixels a corner of the window moved at most.
func (o *overlay) step(w window, own, shown []float32) float64 {
	var normal [6][7]float64
	cx, cy := float64(w.w)/2, float64(w.h)/2
	most := o.outlier(own, shown)
	for y := 1; y < w.h-1; y += 2 {
		for x := 1 + y/2%2; x < w.w-1; x++ {
			i := y*w.w + x
			value, target := shown[i], own[i]
			if clipped(value) || clipped(target) || math.Abs(o.gain*float64(value)+o.offset-float64(target)) > most {
				continue
			}
			gx := float64(shown[i+1]-shown[i-1]) / 2 * o.gain
			gy := float64(shown[i+w.w]-shown[i-w.w]) / 2 * o.gain
			u, v := (float64(x)-cx)/cx, (float64(y)-cy)/cy
			addEquation(&normal, gx, gx*u, gy, gy*v, float64(value), 1, float64(target))
		}
	}
	d, ok := vision.Solve(normal)
	if !ok {
		return 0
	}
	limit := func(v float64) float64 { return max(-3, min(v, 3)) }
	mx, ex, my, ey := limit(d[0]), limit(d[1]), limit(d[2]), limit(d[3])
	// A move by (m + e*u) pixels of the window at u = (x - middle) / half.
	midx, midy := float64(w.x)+cx, float64(w.y)+cy
	o.tx += o.kx * (mx - ex*midx/cx)
	o.kx *= 1 + ex/cx
	o.ty += o.ky * (my - ey*midy/cy)
	o.ky *= 1 + ey/cy
	o.gain, o.offset = d[4], d[5]
	return max(math.Abs(mx)+math.Abs(ex), math.Abs(my)+math.Abs(ey))
}

// addEquation adds an equation of least squares, six factors and the value v that they should give, to the upper triangle of the normal
// equations. It is spelled out since most of the time of laying pictures over each other goes here.
func addEquation(normal *[6][7]float64, a, b, c, d, e, f, v float64) {
	n := &normal[0]
	n[0], n[1], n[2], n[3], n[4], n[5], n[6] = n[0]+a*a, n[1]+a*b, n[2]+a*c, n[3]+a*d, n[4]+a*e, n[5]+a*f, n[6]+a*v
	n = &normal[1]
	n[1], n[2], n[3], n[4], n[5], n[6] = n[1]+b*b, n[2]+b*c, n[3]+b*d, n[4]+b*e, n[5]+b*f, n[6]+b*v
	n = &normal[2]
	n[2], n[3], n[4], n[5], n[6] = n[2]+c*c, n[3]+c*d, n[4]+c*e, n[5]+c*f, n[6]+c*v
	n = &normal[3]
	n[3], n[4], n[5], n[6] = n[3]+d*d, n[4]+d*e, n[5]+d*f, n[6]+d*v
	n = &normal[4]
	n[4], n[5], n[6] = n[4]+e*e, n[5]+e*f, n[6]+e*v
	n = &normal[5]
	n[5], n[6] = n[5]+f*f, n[6]+f*v
}

// outlier is the difference of levels from which a place says nothing about the overlay: something moved there, or the light was
// cut off.
func (o overlay) outlier(own, shown []float32) float64 {
	sum := 0.0
	for i := 0; i < len(own); i += 7 {
		sum += math.Abs(o.gain*float64(shown[i]) + o.offset - float64(own[i]))
	}
	return 4*7*sum/float64(len(own)) + 2
}

// clipped reports whether a level may stand for a lighter or darker one.
func clipped(v float32) bool { return v < 2 || v > 253 }

// inside tells for each place of the window whether the other picture shows it.
func (o overlay) inside(w window, other *appliance.Picture, x, y int) bool {
	px, py := o.kx*(float64(w.x+x)+0.5)+o.tx, o.ky*(float64(w.y+y)+0.5)+o.ty
	return px >= 0.5 && py >= 0.5 && px <= float64(other.Width)-0.5 && py <= float64(other.Height)-0.5
}

// toned brings the levels that an overlay shows to those of the window, by the cubic curve with the least squares: programs change
// the light by more than a factor and a shift.
func toned(own, shown []float32) []float32 {
	// The sums of the powers of x, and of their products with the level, are all that the equations hold.
	var s0, s1, s2, s3, s4, s5, s6, t0, t1, t2, t3 float64
	for i, v := range shown {
		if clipped(v) || clipped(own[i]) {
			continue
		}
		x, t := (float64(v)-128)/128, float64(own[i])
		xx := x * x
		xxx := xx * x
		s0, s1, s2, s3, s4, s5, s6 = s0+1, s1+x, s2+xx, s3+xxx, s4+xx*xx, s5+xx*xxx, s6+xxx*xxx
		t0, t1, t2, t3 = t0+t, t1+x*t, t2+xx*t, t3+xxx*t
	}
	c, ok := vision.Solve([6][7]float64{{s0, s1, s2, s3, 6: t0}, {1: s2, s3, s4, 6: t1}, {2: s4, s5, 6: t2}, {3: s6, 6: t3}, {4: 1}, {5: 1}})
	if !ok {
		return shown
	}
	out := make([]float32, len(shown))
	for i, v := range shown {
		x := (float64(v) - 128) / 128
		out[i] = float32(c[0] + x*(c[1]+x*(c[2]+x*c[3])))
	}
	return out
}
