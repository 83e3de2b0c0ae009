package layout

import (
	"cmp"
	"math"
	"slices"
)

// Order returns the order in which the rows of a page are read: top to bottom, columns of prose one after the
// other, and everything from the right on pages that run from right to left.
func Order(rows []Extent, rtl bool) []int {
	columns := columnsOf(rows)
	bands := bandsOf(rows, columns)
	extents, at := make([]Extent, len(bands)), make([]int, len(bands))
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
func columnsOf(rows []Extent) []int {
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

// fillBlocks gives a column to each of two blocks of rows that stand side by side, and returns how many columns there are.
func fillBlocks(rows []Extent, columns []int) (count int) {
	for i := range rows {
		for j := range i {
			for _, block := range blocksSideBySide(rows, columns, i, j) {
				for _, k := range block {
					columns[k] = count
				}
				count++
			}
		}
	}
	return count
}

// blocksSideBySide are the blocks of a few rows about two that stand side by side: what a letterhead says in two languages, or signatures.
// A block is of one script where the other is of the other one, and else centred, which labels with values are not. Others are none.
func blocksSideBySide(rows []Extent, columns []int, i, j int) [][]int {
	const most = 4 // rows; more of them are a table or a form in two languages
	a, b := rows[i], rows[j]
	if columns[i] != noColumn || columns[j] != noColumn || a.Shared(b) > 0 || !a.beside(b) || thirdBeside(rows, i, j) {
		return nil
	}
	kin := Extent.centredWith
	if a.Script*b.Script < 0 {
		kin = Extent.ofScript
	}
	one, other := blockOf(rows, columns, i, kin), blockOf(rows, columns, j, kin)
	if min(len(one), len(other)) < 2 || max(len(one), len(other)) > most {
		return nil
	}
	return [][]int{one, other}
}

// thirdBeside reports whether a third row stands beside two.
func thirdBeside(rows []Extent, i, j int) bool {
	for k, r := range rows {
		if k != i && k != j && (r.beside(rows[i]) || r.beside(rows[j])) {
			return true
		}
	}
	return false
}

// blockOf returns the rows close above and below one, and those of each of them, that are of a kin.
func blockOf(rows []Extent, columns []int, first int, kin func(a, b Extent) bool) []int {
	const near = 3.2 // heights
	return gathered(len(rows), []int{first}, func(_ []int, k, j int) bool {
		m, r := rows[k], rows[j]
		return columns[j] == noColumn && m.Shared(r) > 0 && math.Abs(m.Below(r)) < near*max(m.Height, r.Height) && kin(m, r)
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

func (e Extent) ofScript(b Extent) bool { return e.Script*b.Script > 0 }

// centredWith reports whether two rows have one middle and other ends.
func (e Extent) centredWith(b Extent) bool {
	h := (e.Height + b.Height) / 2
	return math.Abs(e.left+e.right-b.left-b.right) < 1.6*h && math.Abs(e.left-b.left) > 1.2*h && math.Abs(e.right-b.right) > 1.2*h
}

// fillColumn gives the column of the prose of which row first is one to all that belongs to it.
func fillColumn(rows []Extent, columns []int, first, column int) {
	const reach, beyond = 8, 2 // heights
	free := func(row int) bool { return columns[row] == noColumn }
	members := gathered(len(rows), []int{first}, func(_ []int, m, j int) bool { return free(j) && rows[m].continues(rows[j]) })
	left, right := math.Inf(1), math.Inf(-1)
	for _, m := range members {
		left, right = min(left, rows[m].left), max(right, rows[m].right)
	}
	members = gathered(len(rows), members, func(_ []int, m, j int) bool {
		r := rows[j]
		return free(j) && r.left > left-beyond*r.Height && r.right < right+beyond*r.Height && math.Abs(rows[m].Below(r)) < reach*r.Height
	})
	for _, m := range members {
		columns[m] = column
	}
}

// continues reports whether a row may be one of prose that goes on in another, close above or below it: both are long, and as long as each
// other, or it is as long as no label with its value is and the other, the end of a paragraph or a heading, begins where it does.
func (e Extent) continues(b Extent) bool {
	const long, longest, near, alike, flush = 18, 24, 3.2, 0.75, 2 // in heights but for alike
	d, narrow, wide := math.Abs(e.Below(b)), min(e.Width(), b.Width()), max(e.Width(), b.Width())
	if e.Width() < long*e.Height || d < 0.5*e.Height || d > near*e.Height || e.Shared(b) < 0.6*narrow {
		return false
	}
	aligned := min(math.Abs(e.left-b.left), math.Abs(e.right-b.right)) < flush*e.Height
	return narrow > alike*wide || e.Width() > longest*e.Height && aligned
}

// bandsOf puts together rows that stand beside each other, as in forms and tables, which are read across. Columns of
// prose stay apart.
func bandsOf(rows []Extent, columns []int) [][]int {
	var bands [][]int
	taken := make([]bool, len(rows))
	for i := range rows {
		if taken[i] {
			continue
		}
		band := gathered(len(rows), []int{i}, func(band []int, m, j int) bool {
			return !taken[j] && rows[m].beside(rows[j]) && !otherColumn(columns[m], columns[j]) &&
				!slices.ContainsFunc(band, func(k int) bool { return rows[k].Shared(rows[j]) > 0 })
		})
		for _, m := range band {
			taken[m] = true
		}
		bands = append(bands, band)
	}
	return bands
}

// beside reports whether both stand on one height, as far as that can be told of digits beside letters, which are higher.
func (e Extent) beside(b Extent) bool {
	small, large := min(e.Height, b.Height), max(e.Height, b.Height)
	return math.Abs(e.Below(b)) < 0.5*min(large, 2*small)
}

// union is the place of a band, whose members stand on one height.
func union(rows []Extent, members []int) Extent {
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
func columnOrder(bands []Extent, columns []int, rtl bool) []int {
	over := func(a, b Extent) bool { return a.Shared(b) > 0 }
	heights := heightsOf(bands, columns)
	before := make([][]bool, len(bands))
	for i, a := range bands {
		before[i] = make([]bool, len(bands))
		for j, b := range bands {
			switch {
			case i == j:
			case over(a, b) || !otherColumn(columns[i], columns[j]) || !heights[columns[i]].meets(heights[columns[j]]):
				d := a.Below(b)
				before[i][j] = d > 0 || d == 0 && i < j
			case (a.left > b.left) == rtl:
				spanned := slices.ContainsFunc(bands, func(c Extent) bool {
					return over(a, c) && over(b, c) && c.Below(a)*c.Below(b) < 0
				})
				before[i][j] = !spanned || a.Below(b) > 0
			}
		}
	}
	return topological(bands, before, rtl)
}

// stretch is from where to where down the page a column reaches.
type stretch struct{ top, bottom float64 }

func (s stretch) meets(o stretch) bool { return s.top <= o.bottom && o.top <= s.bottom }

// heightsOf returns how far each column reaches.
func heightsOf(bands []Extent, columns []int) map[int]stretch {
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
func topological(bands []Extent, before [][]bool, rtl bool) []int {
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
