package burst

import (
	"math"

	"github.com/bawab/bawab/inference/vision"
)

// The cells by which frames are compared, in samples of luma. On the face they overlap by half.
const (
	cellSide = 32
	faceStep = cellSide / 2
	backStep = 3 * cellSide / 2
)

// grainCell is a cell of the first of two frames: its upper left corner, whether it lies on the face, and its motion to the second one.
type grainCell struct {
	x, y   int
	onFace bool
	dx, dy float64
	// firm tells that the motion is known well: the cell has detail in both directions, and what it shows was found again.
	firm bool
}

// cellsOf lays cells over a frame.
func (m *grainPlanes) cellsOf() (all []grainCell) {
	const margin = 8
	for y := margin; y+cellSide+margin < m.luma.h; y += faceStep {
		for x := margin; x+cellSide+margin < m.luma.w; x += faceStep {
			u, v := (float64(x)+cellSide/2-m.x)/(0.45*m.size), (float64(y)+cellSide/2-m.y)/(0.58*m.size)
			c := grainCell{x: x, y: y, onFace: u*u+v*v < 1}
			if c.onFace || (x-margin)%backStep == 0 && (y-margin)%backStep == 0 {
				all = append(all, c)
			}
		}
	}
	return all
}

// track finds where the cells of one frame lie in another one. Those of the face are looked for where the face went.
func track(a, b *grainPlanes) []grainCell {
	cells := a.cellsOf()
	var t tracker
	for i := range cells {
		c := &cells[i]
		if c.onFace {
			k := b.size / a.size
			c.dx = b.x - a.x + (k-1)*(float64(c.x)+cellSide/2-a.x)
			c.dy = b.y - a.y + (k-1)*(float64(c.y)+cellSide/2-a.y)
		} else {
			// Without a move of its own, the square of the second frame lies elsewhere on its picture.
			c.dx, c.dy = (a.left-b.left)*a.scale, (a.top-b.top)*a.scale
		}
		t.follow(a.quarter, b.quarter, c, 4)
		t.follow(a.half, b.half, c, 2)
		c.firm = t.follow(a.luma, b.luma, c, 1)
	}
	return cells
}

// tracker holds the memory of one search.
type tracker struct {
	own, shown [cellSide * cellSide]float32
	gx, gy     [cellSide * cellSide]float64
}

// follow improves the motion of a cell by least squares in planes that are smaller by the given factor: the method of Lucas and Kanade, whose
// gradients are those of the first plane. It is false where the cell shows too little or was not found.
func (t *tracker) follow(a, b plane, c *grainCell, factor int) bool {
	side := cellSide
	if factor > 1 {
		side = cellSide / 2
	}
	// The window of a smaller plane lies around the middle of the cell.
	x, y := (c.x+cellSide/2)/factor-side/2, (c.y+cellSide/2)/factor-side/2
	if x < 1 || y < 1 || x+side+1 >= a.w || y+side+1 >= a.h {
		return false
	}
	own, shown := t.own[:side*side], t.shown[:side*side]
	var xx, xy, yy float64
	for r := range side {
		for s := range side {
			at := (y+r)*a.w + x + s
			i := r*side + s
			own[i] = a.pix[at]
			gx, gy := (a.pix[at+1]-a.pix[at-1])/2, (a.pix[at+a.w]-a.pix[at-a.w])/2
			t.gx[i], t.gy[i] = float64(gx), float64(gy)
			xx, xy, yy = xx+float64(gx*gx), xy+float64(gx*gy), yy+float64(gy*gy)
		}
	}
	det := xx*yy - xy*xy
	// leastDetail is the lesser eigenvalue of the gradients, a sample, under which a cell says nothing of its motion.
	const leastDetail = 1.2
	if (xx+yy-math.Sqrt(square(xx-yy)+4*xy*xy))/2 < leastDetail*float64(side*side) {
		return false
	}
	dx, dy := c.dx/float64(factor), c.dy/float64(factor)
	left, level, gx, gy := 0.0, meanOf(own), t.gx[:len(own)], t.gy[:len(own)]
	for range 8 {
		if !b.window(float64(x)+dx, float64(y)+dy, side, shown) {
			return false
		}
		var sx, sy, squares float64
		mean := level - meanOf(shown)
		for i, v := range shown {
			e := float64(own[i]-v) - mean
			sx, sy = sx+e*gx[i], sy+e*gy[i]
			squares += e * e
		}
		left = squares
		mx, my := (yy*sx-xy*sy)/det, (xx*sy-xy*sx)/det
		mx, my = min(max(mx, -2), 2), min(max(my, -2), 2)
		dx, dy = dx+mx, dy+my
		if max(math.Abs(mx), math.Abs(my)) < 0.004 {
			break
		}
	}
	if math.Abs(dx-c.dx/float64(factor)) > cellSide/2 || math.Abs(dy-c.dy/float64(factor)) > cellSide/2 {
		return false
	}
	c.dx, c.dy = dx*float64(factor), dy*float64(factor)
	return left < mostLeft*energyOf(own)
}

// mostLeft is the share of a cell's energy that may be left when it was found again.
const mostLeft = 0.15

func meanOf(v []float32) float64 {
	var sum float32
	for _, x := range v {
		sum += x
	}
	return float64(sum) / float64(len(v))
}

// energyOf is the sum of the squares about the mean.
func energyOf(v []float32) float64 {
	mean, sum := float32(meanOf(v)), float32(0)
	for _, x := range v {
		sum += (x - mean) * (x - mean)
	}
	return float64(sum)
}

// motionFound is what the motion of the cells of two frames tells, in samples.
type motionFound struct {
	stray  float64 // how far the firm cells stray in the median from one smooth map of their motion, of degree 2
	moved  float64 // how far the face moved before its background
	spread float64 // how far the motion of the firm cells lies in the median from their middle motion
}

// motionOf follows the firm cells of two frames. Those that do not follow the map are given less and less weight. ok is false for too few
// cells.
func motionOf(cells []grainCell) (m motionFound, ok bool) {
	var rows [][6]float64
	var moves [][2]float64
	var face, back, all [2][]float64
	for i := range cells {
		c := &cells[i]
		if !c.firm {
			continue
		}
		x, y := float64(c.x)/200, float64(c.y)/200 // keeps all terms of one order
		rows, moves = append(rows, [6]float64{1, x, y, x * x, x * y, y * y}), append(moves, [2]float64{c.dx, c.dy})
		part := &back
		if c.onFace {
			part = &face
		}
		for k, d := range [2]float64{c.dx, c.dy} {
			part[k], all[k] = append(part[k], d), append(all[k], d)
		}
	}
	if len(face[0]) < leastFirm || len(back[0]) < leastFirm {
		return m, false
	}
	m.moved = math.Hypot(median(face[0])-median(back[0]), median(face[1])-median(back[1]))
	x, y, offs := median(all[0]), median(all[1]), make([]float64, len(moves))
	for i, d := range moves {
		offs[i] = math.Hypot(d[0]-x, d[1]-y)
	}
	m.spread = median(offs)
	m.stray, ok = strayFrom(rows, moves)
	return m, ok
}

// leastFirm is how many cells of the face and of what surrounds it a statement on motion must rest on.
const leastFirm = 6

// strayFrom fits one map to the motion of cells, given by the terms of their places, and returns the median distance of the motion from it.
func strayFrom(rows [][6]float64, moves [][2]float64) (stray float64, ok bool) {
	weights, strays, sorted := make([]float64, len(rows)), make([]float64, len(rows)), make([]float64, len(rows))
	for i := range weights {
		weights[i] = 1
	}
	for range 4 {
		m, ok := leastSquares(rows, moves, weights)
		if !ok {
			return 0, false
		}
		for i, r := range rows {
			dx, dy := moves[i][0], moves[i][1]
			for k, v := range r {
				dx, dy = dx-m[0][k]*v, dy-m[1][k]*v
			}
			strays[i] = math.Hypot(dx, dy)
		}
		copy(sorted, strays)
		stray = median(sorted)
		for i, s := range strays {
			weights[i] = 1 / (1 + square(s/(3*stray+0.003)))
		}
	}
	return stray, true
}

// leastSquares fits both components of the motion.
func leastSquares(rows [][6]float64, moves [][2]float64, weights []float64) (m [2][6]float64, ok bool) {
	for d := range m {
		var normal [6][7]float64
		for i, r := range rows {
			for a := range 6 {
				for b := a; b < 6; b++ {
					normal[a][b] += weights[i] * r[a] * r[b]
				}
				normal[a][6] += weights[i] * r[a] * moves[i][d]
			}
		}
		if m[d], ok = vision.Solve(normal); !ok {
			return m, false
		}
	}
	return m, true
}

func median(values []float64) float64 { return nth(values, len(values)/2) }

// nth is the value that would stand at place k if the values were sorted. It reorders them: to sort them takes several times as long.
func nth(values []float64, k int) float64 {
	low, high := 0, len(values)-1
	for low < high {
		pivot, i, j := values[(low+high)/2], low, high
		for i <= j {
			for values[i] < pivot {
				i++
			}
			for pivot < values[j] {
				j--
			}
			if i <= j {
				values[i], values[j] = values[j], values[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case k <= j:
			high = j
		case k >= i:
			low = i
		default:
			return values[k]
		}
	}
	return values[k]
}
