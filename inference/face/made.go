package face

import (
	"math"
	"slices"
)

// madeSigns are what tells frames that were made from frames that a camera took.
type madeSigns struct {
	// sharedFace and sharedBack are how alike the grain of the colours is on the face and behind it, after each cell was laid over its
	// likeness in the other frame: the grain of a sensor is new in each frame, that of a still is in all that is made of it. 0 to 1, the pair
	// of frames that share the most.
	sharedFace, sharedBack float64
	// fine is the same for the finest detail of the light on the face, which a sharp lens shows in each frame anew.
	fine float64
	// strayFace and strayAll are how far, in samples, cells stray from one affine map of the face and from one smooth map of everything.
	strayFace, strayAll float64
	// moved is how far the face moved before its background, in samples, between the frames that moved the most.
	moved float64
	ok    bool
}

// signsOf examines a burst; ok is false where a frame has no face or too little can be compared.
func signsOf(seen []frame) (s madeSigns) {
	size := 0.0
	for i := range seen {
		if seen[i].face == nil {
			return s
		}
		size = max(size, seen[i].face.size)
	}
	if size < leastMadeSize {
		return s
	}
	scale := min(1, mostMadeSize/size)
	planes := make([]madePlanes, len(seen))
	for i := range seen {
		planes[i] = newMadePlanes(&seen[i], scale)
	}
	s.sharedFace, s.sharedBack, s.fine = -1, -1, -1
	n, faces, all := 0.0, 0.0, 0.0
	for i := range planes {
		for k := range i {
			a, b := &planes[k], &planes[i]
			cells := track(a, b)
			shared := b.shared(a, cells, true)
			if math.IsNaN(shared.colour) {
				continue
			}
			s.sharedFace, s.fine = max(s.sharedFace, shared.colour), max(s.fine, shared.fine)
			if back := b.shared(a, cells, false); !math.IsNaN(back.colour) {
				s.sharedBack = max(s.sharedBack, back.colour)
			}
			onFace := slices.DeleteFunc(slices.Clone(cells), func(c madeCellAt) bool { return !c.onFace })
			sf, ok1 := strayFrom(onFace, 1)
			sa, ok2 := strayFrom(cells, 2)
			if ok1 && ok2 {
				n, faces, all = n+1, faces+sf, all+sa
				s.moved = max(s.moved, movedBefore(cells))
			}
		}
	}
	if s.ok = n > 0; s.ok {
		s.strayFace, s.strayAll = faces/n, all/n
	}
	return s
}

// leastMadeSize is the size of a face, in pixels, under which there is too little to examine.
const leastMadeSize = 56

// likeness is what a part of two frames shares.
type likeness struct{ colour, fine float64 }

// shared compares the grain of cells of a with what b shows of them: the quarter of the cells that share the least. It is not a number where
// there are too few.
func (m *madePlanes) shared(a *madePlanes, cells []madeCellAt, onFace bool) likeness {
	var colour, fine []float64
	for _, c := range cells {
		if c.onFace != onFace {
			continue
		}
		if r, ok := m.sharedColour(a, c); ok {
			colour = append(colour, r)
		}
		if r, ok := correlated(a.grain, m.grain, c); ok {
			fine = append(fine, r)
		}
	}
	const leastCells = 8
	out := likeness{math.NaN(), math.NaN()}
	if len(colour) >= leastCells {
		out.colour = quarter(colour)
	}
	if len(fine) >= leastCells {
		out.fine = quarter(fine)
	}
	return out
}

func quarter(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/4]
}

// sharedColour is the correlation of both colour differences in a cell.
func (m *madePlanes) sharedColour(a *madePlanes, c madeCellAt) (float64, bool) {
	if len(a.red.pix) == 0 || len(m.red.pix) == 0 {
		return 0, false
	}
	var ab, aa, bb float64
	var own, shown [madeCell / 2 * madeCell / 2]float32
	for _, p := range [2][2]plane32{{a.red, m.red}, {a.blue, m.blue}} {
		x, y := float64(c.x)/2, float64(c.y)/2
		if !p[0].window(x, y, madeCell/2, own[:]) || !p[1].window(x+c.dx/2, y+c.dy/2, madeCell/2, shown[:]) {
			return 0, false
		}
		for i, v := range own {
			ab, aa, bb = ab+float64(v*shown[i]), aa+float64(v*v), bb+float64(shown[i]*shown[i])
		}
	}
	return ab / (math.Sqrt(aa*bb) + 1e-6), true
}

// correlated is the correlation of a cell of a plane with what another plane shows of it.
func correlated(a, b plane32, c madeCellAt) (float64, bool) {
	var own, shown [madeCell * madeCell]float32
	x, y := float64(c.x), float64(c.y)
	if !a.window(x, y, madeCell, own[:]) || !b.window(x+c.dx, y+c.dy, madeCell, shown[:]) {
		return 0, false
	}
	var ab, aa, bb float64
	for i, v := range own {
		ab, aa, bb = ab+float64(v*shown[i]), aa+float64(v*v), bb+float64(shown[i]*shown[i])
	}
	return ab / (math.Sqrt(aa*bb) + 1e-6), true
}
