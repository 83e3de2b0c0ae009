package burst

import (
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
)

// copyBands are the frequencies of a block in groups, by the sum of their two indices.
const copyBands = 5

// bandOf is the group of a coefficient, -1 for none: the mean, which the light moves, and the highest frequencies, which coding
// and resizing lose first.
func bandOf(f int) int {
	switch sum := f/dctSide + f%dctSide; {
	case sum == 0 || sum > 8:
		return -1
	case sum <= 3:
		return sum - 1
	case sum <= 5:
		return 3
	}
	return 4
}

// residue is what remains of a window after another picture was laid over it, in logarithms.
type residue struct {
	// unexplained is, for each band, the remaining energy over that of the rounding of the window's own coding, and both over that of
	// both codings.
	unexplained, both [copyBands]float64
	// beyond is, for each band, the share of the coefficients that differ by more than the rounding.
	beyond [copyBands]float64
	// level is the remaining energy of the last band, and unlike its share of all that the band holds.
	level, unlike float64
	// bare and middle are the calmest tenth and the median over the blocks of the remaining energy over that of the rounding.
	bare, middle float64
	// flow and lively are how far cells still move, in pixels: the root of the mean square, and the liveliest tenth.
	flow, lively float64
	// steps are the coarseness of the coding, at the two lowest frequencies.
	steps float64
	ok    bool // false: both show too little of the same
}

// merged takes the lesser or the greater value of each kind.
func (r residue) merged(o residue, pick func(a, b float64) float64) residue {
	for k := range copyBands {
		r.unexplained[k], r.both[k], r.beyond[k] = pick(r.unexplained[k], o.unexplained[k]), pick(r.both[k], o.both[k]), pick(r.beyond[k], o.beyond[k])
	}
	r.level, r.unlike, r.bare, r.middle = pick(r.level, o.level), pick(r.unlike, o.unlike), pick(r.bare, o.bare), pick(r.middle, o.middle)
	r.flow, r.lively, r.steps = pick(r.flow, o.flow), pick(r.lively, o.lively), pick(r.steps, o.steps)
	return r
}

const (
	// leastBlocks is how many blocks two pictures must both show.
	leastBlocks = 30
	// refineSteps are enough for the first way to lay one over the other, and turnSteps for the way back, which begins from it.
	refineSteps, turnSteps = 6, 2
)

// resemble compares two pictures both ways, each time by the coding of one of them; o lays the second roughly over the first, and
// at is the place of the first around which they are compared.
func resemble(a, b *Frame, o overlay, at appliance.Point) (there, back residue) {
	wa := a.window(at)
	wb := b.window(appliance.Point{X: o.kx*at.X + o.tx, Y: o.ky*at.Y + o.ty})
	seen := o.refine(wa.window, wa.own, b.Picture, refineSteps)
	there = compare(wa, b.Picture, o, seen, wb.steps)
	turned := o.inverse()
	seen = turned.refine(wb.window, wb.own, a.Picture, turnSteps)
	back = compare(wb, a.Picture, turned, seen, wa.steps)
	return there, back
}

// codedWindow is a window with its levels, their blocks and the steps of their coding.
type codedWindow struct {
	window
	own    []float32
	blocks []block
	steps  block
}

// window is the window around a place, with what its coding shows.
func (f *Frame) window(at appliance.Point) *codedWindow {
	w := windowOf(f.Picture, at)
	place := [4]int{w.x, w.y, w.w, w.h}
	c := f.coded[place]
	if c == nil {
		own := w.levels()
		blocks := blocksOf(own, w.w, w.h)
		c = &codedWindow{window: w, own: own, blocks: blocks, steps: stepsOf(blocks)}
		f.coded[place] = c
	}
	return c
}

// compare tells what remains of a window after the other picture was laid over it, and shows what it does. others are the steps of the
// other's coding.
func compare(w *codedWindow, other *appliance.Picture, o overlay, shown []float32, others block) (r residue) {
	own, mine, steps := w.own, w.blocks, w.steps
	shown = toned(own, shown)
	theirs := blocksOf(shown, w.w, w.h)
	var kept []int
	for i := range mine {
		x, y := i%(w.w/dctSide)*dctSide, i/(w.w/dctSide)*dctSide
		if o.inside(w.window, other, x, y) && o.inside(w.window, other, x+dctSide-1, y+dctSide-1) && !o.saturated(w.window, other, x, y) {
			kept = append(kept, i)
		}
	}
	if len(kept) < leastBlocks {
		return r
	}
	var bands [copyBands]bandSum
	perBlock, frequencies := make([]float64, len(kept)), 0.0
	for f := 1; f < dctSide*dctSide; f++ {
		if band := bandOf(f); band >= 0 && steps[f] > 0 {
			bands[band].add(f, mine, theirs, kept, float64(steps[f]), float64(others[f]), perBlock)
			frequencies++
		}
	}
	for k, b := range bands {
		if b.n > 0 {
			r.unexplained[k], r.both[k] = math.Log(b.energy/b.rounding), math.Log(b.energy/b.roundings)
			r.beyond[k] = math.Log(b.over/b.n + 1e-3)
		}
	}
	if last := bands[copyBands-1]; last.n > 0 {
		r.level = math.Log(last.energy/last.n + 0.05)
		r.unlike = math.Log((last.energy/last.n + 0.05) / (last.signal/last.n + 0.1))
	}
	slices.Sort(perBlock)
	frequencies = max(frequencies, 1)
	r.bare, r.middle = math.Log(perBlock[len(perBlock)/10]/frequencies+1e-3), math.Log(perBlock[len(perBlock)/2]/frequencies+1e-3)
	r.steps = math.Log(float64(max(steps[1], 1)) * float64(max(steps[dctSide], 1)))
	r.flow, r.lively = residualMotion(w.window, own, shown, kept)
	r.ok = true
	return r
}

// bandSum adds up what remains in a band.
type bandSum struct{ energy, rounding, roundings, signal, over, n float64 }

// add takes one frequency in. What resizing took from it is made good by one factor for all blocks. perBlock gathers the remaining
// energy of each block over that of the rounding.
func (b *bandSum) add(f int, mine, theirs []block, kept []int, step, other float64, perBlock []float64) {
	var st, tt float64
	for _, i := range kept {
		s, t := float64(mine[i][f]), float64(theirs[i][f])
		st, tt = st+s*t, tt+t*t
	}
	const (
		samples = 0.15 // the energy that rounding the samples themselves leaves
		margin  = 0.8  // levels
	)
	gain := max(0, min(st/(tt+1), 1.5))
	ground := step*step/12 + samples
	n := float64(len(kept))
	b.rounding, b.roundings, b.n = b.rounding+n*ground, b.roundings+n*(ground+square(gain*other)/12), b.n+n
	for k, i := range kept {
		s := float64(mine[i][f])
		d := s - gain*float64(theirs[i][f])
		b.energy, b.signal = b.energy+d*d, b.signal+s*s
		perBlock[k] += d * d / ground
		if math.Abs(d) > step/2+margin {
			b.over++
		}
	}
}

// saturated reports whether a block, in either picture, holds places where a colour is at its end: there the light was cut off, and
// a change of it is none of the level alone.
func (o overlay) saturated(w window, other *appliance.Picture, x, y int) bool {
	n := 0
	for dy := 0; dy < dctSide; dy += 2 {
		for dx := 0; dx < dctSide; dx += 2 {
			px, py := w.x+x+dx, w.y+y+dy
			ox, oy := o.kx*(float64(px)+0.5)+o.tx, o.ky*(float64(py)+0.5)+o.ty
			if cutOff(w.Picture, px, py) || cutOff(other, int(ox), int(oy)) {
				n++
			}
		}
	}
	return n > 1
}

// cutOff reports whether a colour of a pixel is at its end.
func cutOff(p *appliance.Picture, x, y int) bool {
	x, y = max(0, min(x, p.Width-1)), max(0, min(y, p.Height-1))
	level := float64(p.Y[y*p.Width+x])
	var cb, cr float64
	if p.ChromaWidth > 0 {
		i := y*p.ChromaHeight/p.Height*p.ChromaWidth + x*p.ChromaWidth/p.Width
		cb, cr = float64(p.Cb[i])-128, float64(p.Cr[i])-128
	}
	r, g, b := level+1.402*cr, level-0.344*cb-0.714*cr, level+1.772*cb
	return max(r, g, b) > 249 || min(r, g, b) < 4
}

// residualMotion is how far cells of two blocks a side still move, in pixels: the logarithms of the weighted root of the mean
// square, and of the liveliest tenth.
func residualMotion(w window, own, shown []float32, kept []int) (rms, lively float64) {
	inside := make([]bool, w.w/dctSide*(w.h/dctSide))
	for _, i := range kept {
		inside[i] = true
	}
	const cell = 2 * dctSide
	across := w.w / dctSide
	var moves []vector
	for cy := 0; cy+1 < w.h/dctSide; cy += 2 {
		for cx := 0; cx+1 < across; cx += 2 {
			if !inside[cy*across+cx] || !inside[cy*across+cx+1] || !inside[(cy+1)*across+cx] || !inside[(cy+1)*across+cx+1] {
				continue
			}
			var xx, xy, yy, xt, yt float64
			for y := max(cy*dctSide, 1); y < min(cy*dctSide+cell, w.h-1); y++ {
				for x := max(cx*dctSide, 1); x < min(cx*dctSide+cell, w.w-1); x++ {
					i := y*w.w + x
					gx, gy := float64(shown[i+1]-shown[i-1])/2, float64(shown[i+w.w]-shown[i-w.w])/2
					t := float64(own[i] - shown[i])
					xx, xy, yy, xt, yt = xx+gx*gx, xy+gx*gy, yy+gy*gy, xt+gx*t, yt+gy*t
				}
			}
			// The weaker direction is steadied: a plain cell does not move.
			const steady = cell * cell
			xx, yy = xx+steady, yy+steady
			det := xx*yy - xy*xy
			moves = append(moves, vector{dx: (yy*xt - xy*yt) / det, dy: (xx*yt - xy*xt) / det, weight: xx + yy - 2*steady})
		}
	}
	if len(moves) == 0 {
		return 0, 0
	}
	sum, weights := 0.0, 0.0
	sizes := make([]float64, len(moves))
	for i, m := range moves {
		d := m.dx*m.dx + m.dy*m.dy
		sum, weights = sum+m.weight*d, weights+m.weight
		sizes[i] = d
	}
	slices.Sort(sizes)
	return math.Log(sum/(weights+1)+1e-5) / 2, math.Log(sizes[len(sizes)-1-len(sizes)/10]+1e-5) / 2
}
