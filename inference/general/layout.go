package general

import (
	"cmp"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
)

// strand is a piece of text on a page: a line as the detector saw it, in the frame of the page, in which text runs
// along x.
type strand struct {
	text.Line
	reading *text.Reading
	seen    *text.Reading // before its numbers were read by themselves, by which lines are compared; nil where they were not
	looks   text.Looks    // at the same line, which has vowel signs; none for other lines
	unread  bool          // nothing was read: there were too many
	closed  bool          // a number that was read with its digits moved together
	extent
}

// extent is the place of text on a page: its ends along the frame, how far down it lies at each, and its height. Tilt
// makes rows fan out, so each keeps its own slope.
type extent struct {
	left, right, leftY, rightY, height float64
	// script is above 0 for text in Arabic letters, below for Latin ones and 0 for what is neither or both.
	script int
}

// at is how far down text lies at a place along the frame, drawn out beyond its ends. A short piece does not tell its
// slope.
func (e extent) at(x float64) float64 {
	if e.width() < 8*e.height {
		return e.middle()
	}
	return e.leftY + (e.rightY-e.leftY)*(x-e.left)/max(e.right-e.left, 1e-6)
}

func (e extent) width() float64  { return e.right - e.left }
func (e extent) middle() float64 { return (e.leftY + e.rightY) / 2 }

// below is how far b lies below e where both are, or halfway between them.
func (e extent) below(b extent) float64 {
	x := (max(e.left, b.left) + min(e.right, b.right)) / 2
	return b.at(x) - e.at(x)
}

// shared is the width that both have; negative is the gap between them.
func (e extent) shared(b extent) float64 { return min(e.right, b.right) - max(e.left, b.left) }

// level lays strands into the frame that runs along their common direction.
func level(strands []strand) {
	sin, cos := math.Sincos(skew(strands))
	at := func(p appliance.Point) (x, y float64) { return p.X*cos + p.Y*sin, p.Y*cos - p.X*sin }
	for i := range strands {
		s := &strands[i]
		x0, y0 := at(s.Start)
		x1, y1 := at(s.End)
		if x1 < x0 {
			x0, y0, x1, y1 = x1, y1, x0, y0
		}
		s.extent = extent{left: x0, right: x1, leftY: y0, rightY: y1, height: s.Height}
	}
	b := bendOf(strands)
	for i := range strands {
		s := &strands[i]
		s.leftY, s.rightY = b.down(s.left, s.leftY), b.down(s.right, s.rightY)
	}
}

// skew returns the mean angle of strands, clockwise from x, by their length; those steeper than an eighth of a turn do
// not count.
func skew(strands []strand) float64 {
	dx, dy := 0.0, 0.0
	for _, l := range strands {
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

// rowsOfPage joins the pieces of each printed line, from left to right.
func rowsOfPage(strands []strand) [][]strand {
	strands = slices.Clone(strands)
	slices.SortFunc(strands, func(a, b strand) int { return cmp.Compare(a.left, b.left) })
	var rows [][]strand
	taken := make([]bool, len(strands))
	for i := range strands {
		if taken[i] {
			continue
		}
		row := []strand{strands[i]}
		taken[i] = true
		for {
			next := -1
			last := row[len(row)-1]
			for j := i + 1; j < len(strands); j++ {
				if !taken[j] && follows(last, strands[j]) && (next < 0 || strands[j].left < strands[next].left) {
					next = j
				}
			}
			if next < 0 || gapGoesOn(strands, last, strands[next]) {
				break
			}
			taken[next] = true
			row = append(row, strands[next])
		}
		rows = append(rows, row)
	}
	return rows
}

// follows reports whether b may go on the line of a, to its right.
func follows(a, b strand) bool {
	h := (a.Height + b.Height) / 2
	gap := b.left - a.right
	x := (a.right + b.left) / 2
	return gap > -0.8*h && gap < fieldGap*h && math.Abs(a.at(x)-b.at(x)) < 0.5*h &&
		max(a.Height, b.Height) < 1.7*min(a.Height, b.Height)
}

// gapGoesOn reports whether the gap between two pieces is one between columns: wide, and left open by the next text above
// or below it.
func gapGoesOn(strands []strand, a, b strand) bool {
	const reach = 6 // heights up and down
	h := (a.Height + b.Height) / 2
	if b.left-a.right < wordGap*h {
		return false
	}
	middle := (a.right + b.left) / 2
	level := (a.at(middle) + b.at(middle)) / 2
	across := [2]float64{math.Inf(1), math.Inf(1)} // distance of the next text above and below that runs across the gap
	beside := across                               // and of that which stops at it
	for _, s := range strands {
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

// extentOf is the place of a row, from its first piece to its last.
func extentOf(row []strand) extent {
	first, last := row[0].extent, row[len(row)-1].extent
	e := extent{left: first.left, right: last.right, leftY: first.leftY, rightY: last.rightY}
	weight := 0.0
	for _, s := range row {
		w := max(s.width(), 1e-6)
		e.height, weight = e.height+s.height*w, weight+w
		e.right = max(e.right, s.right)
	}
	e.height /= weight
	return e
}

// readingOrder returns the order in which the rows of a page are read: top to bottom, columns of prose one after the
// other, and everything from the right on pages that run from right to left.
func readingOrder(rows []extent, rtl bool) []int {
	columns := columnsOf(rows)
	bands := bandsOf(rows, columns)
	extents, at := make([]extent, len(bands)), make([]int, len(bands))
	for i, b := range bands {
		slices.SortFunc(b, func(i, j int) int {
			if rtl {
				i, j = j, i
			}
			return cmp.Compare(rows[i].left, rows[j].left)
		})
		extents[i], at[i] = union(rows, b), noColumn
		if len(b) == 1 {
			at[i] = columns[b[0]]
		}
	}
	var out []int
	for _, i := range columnOrder(extents, at, rtl) {
		out = append(out, bands[i]...)
	}
	return out
}

// noColumn is the column of what is in none.
const noColumn = -1

// otherColumn reports whether two columns are different ones.
func otherColumn(a, b int) bool { return a != noColumn && b != noColumn && a != b }

// columnsOf returns for each row which column of prose it belongs to: it is a part of it, or stands between its sides shortly above or
// below what is.
func columnsOf(rows []extent) []int {
	columns := make([]int, len(rows))
	for i := range columns {
		columns[i] = noColumn
	}
	count := fillBlocks(rows, columns)
	for i := range rows {
		if columns[i] == noColumn && slices.ContainsFunc(rows, rows[i].continues) {
			fillColumn(rows, columns, i, count)
			count++
		}
	}
	return columns
}

// fillBlocks gives a column to each of two blocks of a few rows that stand side by side: what a letterhead says in two languages, or
// signatures. A block is of one script where the other is of the other one, and else centred, which labels with values are not. It returns
// how many columns there are.
func fillBlocks(rows []extent, columns []int) (count int) {
	const most = 4 // rows; more of them are a table or a form in two languages
	for i, a := range rows {
		for j, b := range rows[:i] {
			if columns[i] != noColumn || columns[j] != noColumn || a.shared(b) > 0 || !a.beside(b) || thirdBeside(rows, i, j) {
				continue
			}
			kin := extent.centredWith
			if a.script*b.script < 0 {
				kin = extent.ofScript
			}
			one, other := blockOf(rows, columns, i, kin), blockOf(rows, columns, j, kin)
			if min(len(one), len(other)) < 2 || max(len(one), len(other)) > most {
				continue
			}
			for at, block := range [][]int{one, other} {
				for _, k := range block {
					columns[k] = count + at
				}
			}
			count += 2
		}
	}
	return count
}

// thirdBeside reports whether a third row stands beside two.
func thirdBeside(rows []extent, i, j int) bool {
	for k, r := range rows {
		if k != i && k != j && (r.beside(rows[i]) || r.beside(rows[j])) {
			return true
		}
	}
	return false
}

// blockOf returns the rows close above and below one, and those of each of them, that are of a kin.
func blockOf(rows []extent, columns []int, first int, kin func(a, b extent) bool) []int {
	const near = 3.2 // heights
	return gathered(len(rows), []int{first}, func(_ []int, k, j int) bool {
		m, r := rows[k], rows[j]
		return columns[j] == noColumn && m.shared(r) > 0 && math.Abs(m.below(r)) < near*max(m.height, r.height) && kin(m, r)
	})
}

// gathered adds to members, which are some of count rows, those that join any of them, and those that join these.
func gathered(count int, members []int, joins func(members []int, member, row int) bool) []int {
	for at := 0; at < len(members); at++ {
		for row := range count {
			if !slices.Contains(members, row) && joins(members, members[at], row) {
				members = append(members, row)
			}
		}
	}
	return members
}

func (e extent) ofScript(b extent) bool { return e.script*b.script > 0 }

// centredWith reports whether two rows have one middle and other ends.
func (e extent) centredWith(b extent) bool {
	h := (e.height + b.height) / 2
	return math.Abs(e.left+e.right-b.left-b.right) < 1.6*h && math.Abs(e.left-b.left) > 1.2*h && math.Abs(e.right-b.right) > 1.2*h
}

// fillColumn gives the column of the prose of which row first is one to all that belongs to it.
func fillColumn(rows []extent, columns []int, first, column int) {
	const reach, beyond = 8, 2 // heights
	free := func(row int) bool { return columns[row] == noColumn }
	members := gathered(len(rows), []int{first}, func(_ []int, m, j int) bool { return free(j) && rows[m].continues(rows[j]) })
	left, right := math.Inf(1), math.Inf(-1)
	for _, m := range members {
		left, right = min(left, rows[m].left), max(right, rows[m].right)
	}
	members = gathered(len(rows), members, func(_ []int, m, j int) bool {
		r := rows[j]
		return free(j) && r.left > left-beyond*r.height && r.right < right+beyond*r.height && math.Abs(rows[m].below(r)) < reach*r.height
	})
	for _, m := range members {
		columns[m] = column
	}
}

// continues reports whether a row may be one of prose that goes on in another, close above or below it: both are long, and as long as each
// other, or it is as long as no label with its value is and the other, the end of a paragraph or a heading, begins where it does.
func (e extent) continues(b extent) bool {
	const long, longest, near, alike, flush = 18, 24, 3.2, 0.75, 2 // in heights but for alike
	d, narrow, wide := math.Abs(e.below(b)), min(e.width(), b.width()), max(e.width(), b.width())
	if e.width() < long*e.height || d < 0.5*e.height || d > near*e.height || e.shared(b) < 0.6*narrow {
		return false
	}
	aligned := min(math.Abs(e.left-b.left), math.Abs(e.right-b.right)) < flush*e.height
	return narrow > alike*wide || e.width() > longest*e.height && aligned
}

// bandsOf puts together rows that stand beside each other, as in forms and tables, which are read across. Columns of
// prose stay apart.
func bandsOf(rows []extent, columns []int) [][]int {
	var bands [][]int
	taken := make([]bool, len(rows))
	for i := range rows {
		if taken[i] {
			continue
		}
		band := gathered(len(rows), []int{i}, func(band []int, m, j int) bool {
			return !taken[j] && rows[m].beside(rows[j]) && !otherColumn(columns[m], columns[j]) &&
				!slices.ContainsFunc(band, func(k int) bool { return rows[k].shared(rows[j]) > 0 })
		})
		for _, m := range band {
			taken[m] = true
		}
		bands = append(bands, band)
	}
	return bands
}

// beside reports whether both stand on one height, as far as that can be told of digits beside letters, which are higher.
func (e extent) beside(b extent) bool {
	small, large := min(e.height, b.height), max(e.height, b.height)
	return math.Abs(e.below(b)) < 0.5*min(large, 2*small)
}

// union is the place of a band, whose members stand on one height.
func union(rows []extent, members []int) extent {
	e := rows[members[0]]
	for _, i := range members[1:] {
		if r := rows[i]; r.left < e.left {
			e.left, e.leftY = r.left, r.leftY
		}
		if r := rows[i]; r.right > e.right {
			e.right, e.rightY = r.right, r.rightY
		}
	}
	return e
}

// columnOrder orders bands topologically (Breuel, "High performance document layout analysis", 2003): one comes before
// those below that it stands over, and before those in later columns unless a band between the two
// spans both. What is in one column, or in none, or in columns above each other is read from top to bottom.
func columnOrder(bands []extent, columns []int, rtl bool) []int {
	over := func(a, b extent) bool { return a.shared(b) > 0 }
	heights := heightsOf(bands, columns)
	before := make([][]bool, len(bands))
	for i, a := range bands {
		before[i] = make([]bool, len(bands))
		for j, b := range bands {
			switch {
			case i == j:
			case over(a, b) || !otherColumn(columns[i], columns[j]) || !heights[columns[i]].meets(heights[columns[j]]):
				d := a.below(b)
				before[i][j] = d > 0 || d == 0 && i < j
			case (a.left > b.left) == rtl:
				spanned := slices.ContainsFunc(bands, func(c extent) bool {
					return over(a, c) && over(b, c) && c.below(a)*c.below(b) < 0
				})
				before[i][j] = !spanned || a.below(b) > 0
			}
		}
	}
	return topological(bands, before, rtl)
}

// stretch is from where to where down the page a column reaches.
type stretch struct{ top, bottom float64 }

func (s stretch) meets(o stretch) bool { return s.top <= o.bottom && o.top <= s.bottom }

// heightsOf returns how far each column reaches.
func heightsOf(bands []extent, columns []int) map[int]stretch {
	out := map[int]stretch{}
	for i, b := range bands {
		s, known := out[columns[i]]
		if !known {
			s = stretch{math.Inf(1), math.Inf(-1)}
		}
		out[columns[i]] = stretch{min(s.top, b.middle()), max(s.bottom, b.middle())}
	}
	return out
}

// topological lists bands so that each comes after all that are before it; where the relation runs in a circle, the
// band that waits for the fewest goes first, of them the topmost.
func topological(bands []extent, before [][]bool, rtl bool) []int {
	waits := make([]int, len(bands))
	for i := range bands {
		for j := range bands {
			if before[i][j] {
				waits[j]++
			}
		}
	}
	first := func(a, b int) int {
		side := cmp.Compare(bands[a].left, bands[b].left)
		if rtl {
			side = -side
		}
		return cmp.Or(waits[a]-waits[b], cmp.Compare(bands[a].middle(), bands[b].middle()), side)
	}
	rest := make([]int, len(bands))
	for i := range rest {
		rest[i] = i
	}
	order := make([]int, 0, len(bands))
	for len(rest) > 0 {
		next := slices.MinFunc(rest, first)
		rest = slices.DeleteFunc(rest, func(i int) bool { return i == next })
		order = append(order, next)
		for j := range bands {
			if before[next][j] {
				waits[j]--
			}
		}
	}
	return order
}
