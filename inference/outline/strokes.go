package outline

import (
	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// A plate shows rows of samples that run across its signs, from light to dark and back again, at the scale at which the network sees parts
// of a picture: at least leastRows of the strokeRows every other ones that lie next to each other, each with leastTurns such turns of
// leastSwing grey levels within strokeSpan samples, which is as wide as a plate is that lies whole in a part wherever it is. Sky, roads and
// walls of one tone have none, and the network need not look at them. Of 148 plates of drawn streets all have them; of the parts of 0.3 of
// these streets' sides 51 % have (28 November 2026).
const (
	leastSwing = 20
	leastTurns = 8
	leastRows  = 5
	strokeRows = 18
	strokeSpan = finderSide / 2
)

// spotGrid is into how many columns, and rows, a picture is divided to say where in it something is.
const spotGrid = 128

// spots are places of a picture: a bit for each column, by rows.
type spots [spotGrid]columns

// columns are some of the columns of a picture.
type columns [spotGrid / 64]uint64

// add adds the columns from the first to the last.
func (c *columns) add(first, last int) {
	for i := max(first, 0); i <= min(last, spotGrid-1); i++ {
		c[i/64] |= 1 << (i % 64)
	}
}

// of keeps the columns that others have, too, or that they have not.
func (c *columns) of(o columns, has bool) {
	for i := range c {
		if has {
			c[i] &= o[i]
		} else {
			c[i] &^= o[i]
		}
	}
}

// any reports whether there is one of the columns that others have.
func (c *columns) any(o columns) bool {
	sum := uint64(0)
	for i := range c {
		sum |= c[i] & o[i]
	}
	return sum != 0
}

// addAll adds the places in a box of a picture so many pixels wide and high.
func (s *spots) addAll(left, top, right, bottom, width, height float64) {
	for y := max(0, int(top*spotGrid/height)); y <= min(int(bottom*spotGrid/height), spotGrid-1); y++ {
		s[y].add(int(left*spotGrid/width), int(right*spotGrid/width))
	}
}

// addQuad adds the places in an outline in a picture.
func (s *spots) addQuad(q appliance.Quad, p *appliance.Picture) {
	for y := range s {
		for x := range spotGrid {
			at := appliance.Point{X: (float64(x) + 0.5) / spotGrid * float64(p.Width), Y: (float64(y) + 0.5) / spotGrid * float64(p.Height)}
			if q.Contains(at) {
				s[y].add(x, x)
			}
		}
	}
}

// strokes are the rows, every other one of a picture at the scale of its parts, above which there are strokes as those of a plate, by the
// columns where they are.
type strokes struct {
	rows []columns
	*scaled
}

// strokesOf finds the strokes of a scaled picture, within some places, if any are given, but for others.
func strokesOf(c *scaled, within, but *spots) *strokes {
	wide, high := vision.FittedSize(c.picture.Width, c.picture.Height, c.side)
	marks := make([]columns, (high+1)/2)
	out := &strokes{rows: make([]columns, len(marks)), scaled: c}
	var counts [spotGrid]int
	count := func(row columns, by int) {
		if row == (columns{}) {
			return
		}
		for x := range counts {
			if row[x/64]>>(x%64)&1 == 1 {
				counts[x] += by
			}
		}
	}
	for i := range marks {
		marks[i] = stroked(c.planes[0][2*i*c.side:][:wide])
		place := 2 * i * spotGrid / high
		if within != nil {
			marks[i].of(within[place], true)
		}
		if but != nil {
			marks[i].of(but[place], false)
		}
		count(marks[i], 1)
		if i >= strokeRows {
			count(marks[i-strokeRows], -1)
		}
		for x, n := range counts {
			if n >= leastRows {
				out.rows[i].add(x, x)
			}
		}
	}
	return out
}

// in reports whether a part of the picture shows strokes.
func (s *strokes) in(view part) bool {
	var across columns
	across.add(view.x*spotGrid/s.picture.Width, ((view.x+view.width)*spotGrid-1)/s.picture.Width)
	from, to := int(float64(view.y)*s.sy/2), int(float64(view.y+view.height)*s.sy/2)
	for i := min(from+strokeRows-1, to); i < min(to, len(s.rows)); i++ {
		if s.rows[i].any(across) {
			return true
		}
	}
	return false
}

// stroked are the columns of a row of samples in which it turns often enough.
func stroked(row []byte) (out columns) {
	var at [leastTurns]int
	n := 0
	for x := range turns(row) {
		at[n%leastTurns] = x
		if n++; n < leastTurns {
			continue
		}
		if first := at[n%leastTurns]; x-first <= strokeSpan {
			out.add(first*spotGrid/len(row), x*spotGrid/len(row))
		}
	}
	return out
}

// turns yields where a row of samples turns from falling to rising or back, by at least leastSwing each time.
func turns(row []byte) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		if len(row) == 0 {
			return
		}
		low, high, way := int(row[0]), int(row[0]), 0
		for x, v := range row {
			v := int(v)
			low, high = min(low, v), max(high, v)
			switch {
			case way <= 0 && v-low >= leastSwing:
				way, high = 1, v
			case way >= 0 && high-v >= leastSwing:
				way, low = -1, v
			default:
				continue
			}
			if !yield(x) {
				return
			}
		}
	}
}

// warm adds to places of a picture those in a part of it, which the network just looked at, that it does not hold for plain ground.
func (s *finderScratch) warm(p *appliance.Picture, view part, toView vision.Homography, to *spots) {
	const around = 1.5 * finderCell // cells beside them count, too
	for _, cell := range s.stack {
		x, y := cell%finderGrid, cell/finderGrid
		if s.cell(x, y, channelCore) < leastWarm {
			continue
		}
		at := appliance.Point{X: (float64(x) + 0.5) * finderCell, Y: (float64(y) + 0.5) * finderCell}
		a := toView.Apply(appliance.Point{X: at.X - around, Y: at.Y - around})
		b := toView.Apply(appliance.Point{X: at.X + around, Y: at.Y + around})
		left, top := float64(view.x), float64(view.y)
		to.addAll(a.X+left, a.Y+top, b.X+left, b.Y+top, float64(p.Width), float64(p.Height))
	}
}

// leastWarm is the belief that a place belongs to a document under which nothing is looked for there in smaller parts. Of 446 views of
// plates under 0.14 of the width of drawn streets all are warmer in halves of them (28 November 2026).
const leastWarm = 0.2

// grown is how much larger than a plate that was read the place is in which no other one is looked for.
const grown = 0.15
