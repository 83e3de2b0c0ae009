// Package layout tells how the lines of a page belong together: which of them are pieces of one row, and in which order rows are read.
package layout

import (
	"cmp"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
)

// Extent is the place of text on a page, laid level: its ends along the common direction of the page's text, how far down it lies at each,
// and its height, all in pixels of the page. Tilt makes rows fan out, so each keeps its own slope.
type Extent struct {
	left, right, leftY, rightY float64
	Height                     float64
	// Script is above 0 for text in Arabic letters, below for Latin ones and 0 for what is neither or both. It is the caller's to set.
	Script int
}

// at is how far down text lies at a place along the frame, drawn out beyond its ends. A short piece does not tell its
// slope.
func (e Extent) at(x float64) float64 {
	if e.Width() < 8*e.Height {
		return e.middle()
	}
	return e.leftY + (e.rightY-e.leftY)*(x-e.left)/max(e.right-e.left, 1e-6)
}

// Width is how long text is along the page.
func (e Extent) Width() float64 { return e.right - e.left }

func (e Extent) middle() float64 { return (e.leftY + e.rightY) / 2 }

// Below is how far b lies below e where both are, or halfway between them.
func (e Extent) Below(b Extent) float64 {
	x := (max(e.left, b.left) + min(e.right, b.right)) / 2
	return b.at(x) - e.at(x)
}

// Shared is the width that both have; negative is the gap between them.
func (e Extent) Shared(b Extent) float64 { return min(e.right, b.right) - max(e.left, b.left) }

// Row is a printed line of a page, in one piece or in several.
type Row struct {
	Pieces []int // which of the lines that were seen are its pieces, from left to right
	Extent
}

// Rows joins the lines that a detector saw of a page into its printed lines; text runs about along x, from Start to End or the other way.
// Each line is a piece of exactly one row.
func Rows(lines []text.Line) []Row {
	extents := levelled(lines)
	var rows []Row
	for _, pieces := range rowsOf(extents) {
		rows = append(rows, Row{pieces, joined(extents, pieces)})
	}
	return rows
}

// levelled lays lines into the frame that runs along their common direction.
func levelled(lines []text.Line) []Extent {
	sin, cos := math.Sincos(skew(lines))
	at := func(p appliance.Point) (x, y float64) { return p.X*cos + p.Y*sin, p.Y*cos - p.X*sin }
	out := make([]Extent, len(lines))
	for i, l := range lines {
		x0, y0 := at(l.Start)
		x1, y1 := at(l.End)
		if x1 < x0 {
			x0, y0, x1, y1 = x1, y1, x0, y0
		}
		out[i] = Extent{left: x0, right: x1, leftY: y0, rightY: y1, Height: l.Height}
	}
	b := bendOf(lines, out)
	for i := range out {
		e := &out[i]
		e.leftY, e.rightY = b.down(e.left, e.leftY), b.down(e.right, e.rightY)
	}
	return out
}

// skew returns the mean angle of lines, clockwise from x, by their length; those steeper than an eighth of a turn do
// not count.
func skew(lines []text.Line) float64 {
	dx, dy := 0.0, 0.0
	for _, l := range lines {
		if x, y := l.End.X-l.Start.X, l.End.Y-l.Start.Y; x > math.Abs(y) {
			dx, dy = dx+x, dy+y
		}
	}
	return math.Atan2(dy, dx)
}

// Gaps between pieces of one row, in glyph heights: up to wordGap they always belong together, up to fieldGap unless
// the gap goes on through the rows above and below, as between columns.
const (
	wordGap  = 1.6
	fieldGap = 4
)

// rowsOf joins the pieces of each printed line, from left to right.
func rowsOf(pieces []Extent) [][]int {
	order := make([]int, len(pieces))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(pieces[a].left, pieces[b].left) })
	var rows [][]int
	taken := make([]bool, len(pieces))
	for i, first := range order {
		if taken[first] {
			continue
		}
		row := []int{first}
		taken[first] = true
		for {
			next := -1
			last := pieces[row[len(row)-1]]
			for _, j := range order[i+1:] {
				if !taken[j] && follows(last, pieces[j]) && (next < 0 || pieces[j].left < pieces[next].left) {
					next = j
				}
			}
			if next < 0 || gapGoesOn(pieces, last, pieces[next]) {
				break
			}
			taken[next] = true
			row = append(row, next)
		}
		rows = append(rows, row)
	}
	return rows
}

// follows reports whether b may go on the line of a, to its right.
func follows(a, b Extent) bool {
	h := (a.Height + b.Height) / 2
	gap := b.left - a.right
	x := (a.right + b.left) / 2
	return gap > -0.8*h && gap < fieldGap*h && math.Abs(a.at(x)-b.at(x)) < 0.5*h &&
		max(a.Height, b.Height) < 1.7*min(a.Height, b.Height)
}

// gapGoesOn reports whether the gap between two pieces is one between columns: wide, and left open by the next text above
// or below it.
func gapGoesOn(pieces []Extent, a, b Extent) bool {
	const reach = 6 // heights up and down
	h := (a.Height + b.Height) / 2
	if b.left-a.right < wordGap*h {
		return false
	}
	middle := (a.right + b.left) / 2
	level := (a.at(middle) + b.at(middle)) / 2
	across := [2]float64{math.Inf(1), math.Inf(1)} // distance of the next text above and below that runs across the gap
	beside := across                               // and of that which stops at it
	for _, s := range pieces {
		dy := s.at(middle) - level
		side, distance := 0, math.Abs(dy)
		if dy > 0 {
			side = 1
		}
		switch {
		case distance < 0.7*h || distance > reach*h:
		case s.left < middle-wordGap/2*h && s.right > middle+wordGap/2*h:
			across[side] = min(across[side], distance)
		case math.Abs(s.right-a.right) < 3*h || math.Abs(s.left-b.left) < 3*h:
			beside[side] = min(beside[side], distance)
		}
	}
	return beside[0] < across[0] || beside[1] < across[1]
}

// joined is the place of a row, from its first piece to its last.
func joined(pieces []Extent, row []int) Extent {
	first, last := pieces[row[0]], pieces[row[len(row)-1]]
	e := Extent{left: first.left, right: last.right, leftY: first.leftY, rightY: last.rightY}
	weight := 0.0
	for _, i := range row {
		w := max(pieces[i].Width(), 1e-6)
		e.Height, weight = e.Height+pieces[i].Height*w, weight+w
		e.right = max(e.right, pieces[i].right)
	}
	e.Height /= weight
	return e
}
