package layout

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
)

// print places a piece of text 20 high on a page.
func print(left, right, y float64) text.Line {
	return text.Line{Start: appliance.Point{X: left, Y: y}, End: appliance.Point{X: right, Y: y}, Height: 20}
}

// arranged returns the lines, by their index, row by row in reading order, each row from left to right.
func arranged(lines []text.Line, rtl bool) (out [][]int) {
	rows := Rows(lines)
	extents := make([]Extent, len(rows))
	for i, r := range rows {
		extents[i] = r.Extent
	}
	for _, i := range Order(extents, rtl) {
		out = append(out, rows[i].Pieces)
	}
	return out
}

// Property: whatever the order in which the detector gives the lines, and however the page is turned a little or seen at
// a tilt, print comes in the order in which a reader of its direction takes it.
func TestReadingOrder(t *testing.T) {
	column := func(left, right, top float64, n int) []text.Line {
		var out []text.Line
		for i := range n {
			out = append(out, print(left, right, top+45*float64(i)))
		}
		return out
	}
	columns := slices.Concat([]text.Line{print(400, 1100, 100)}, column(800, 1450, 200, 5), column(100, 720, 200, 6))
	ragged := slices.Clone(columns)
	ragged[3].Start.X = 1330                             // a paragraph ends in the right column, and its last word stands beside a long row
	holed := slices.Delete(slices.Clone(columns), 8, 10) // two rows of the left column were not seen, before a short one
	holed[8].Start.X = 640
	form := []text.Line{
		print(1300, 1450, 100), print(700, 1000, 100), print(1280, 1450, 190), print(850, 1000, 190),
		print(1350, 1450, 280), print(500, 1000, 280),
	}
	low := func(l text.Line) text.Line { // a figure, which is lower than letters
		l.Height = 9
		return l
	}
	table := []text.Line{
		print(1200, 1450, 100), print(700, 900, 100), print(100, 300, 100),
		print(1160, 1450, 145), low(print(780, 800, 141)), print(120, 300, 147),
		print(1250, 1450, 190), low(print(790, 800, 194)), print(150, 300, 188),
		print(1100, 1450, 235), low(print(770, 800, 231)), print(110, 300, 238),
	}
	pairs := []text.Line{
		print(1170, 1450, 100), print(500, 760, 100), print(1270, 1450, 150), print(560, 760, 150),
		print(1260, 1450, 200), print(520, 760, 200), print(1200, 1450, 250), print(480, 760, 250),
	}
	talk := []text.Line{print(100, 420, 100), print(1000, 1450, 190), print(100, 300, 280), print(1150, 1450, 370), print(900, 1450, 460)}
	masthead := slices.Concat([]text.Line{print(1200, 1450, 20), print(100, 300, 20)}, column(800, 1450, 200, 5), column(100, 720, 200, 5))
	below := slices.Concat(column(100, 1450, 50, 4), []text.Line{
		print(1200, 1450, 260), print(100, 300, 260), print(1100, 1450, 305), print(120, 300, 305),
	})
	headed := slices.Concat(
		column(800, 1450, 100, 3), column(100, 720, 100, 3), []text.Line{print(300, 1200, 260)},
		column(800, 1450, 330, 3), column(100, 720, 330, 3),
	)
	pieces := []text.Line{print(100, 400, 50), print(440, 800, 53), print(100, 800, 95)}
	one := func(n int) (out [][]int) { // piece by piece
		for i := range n {
			out = append(out, []int{i})
		}
		return out
	}
	cases := map[string]struct {
		lines []text.Line
		rtl   bool
		want  [][]int
	}{
		"table":                {lines: table, rtl: true, want: one(12)},
		"labels with values":   {lines: pairs, rtl: true, want: one(8)},
		"talk from both sides": {lines: talk, rtl: true, want: one(5)},
		"masthead":             {lines: masthead, rtl: true, want: one(12)},
		"table below prose":    {lines: below, rtl: true, want: one(8)},
		"nothing":              {},
		"one column":           {lines: column(100, 900, 50, 4), rtl: true, want: one(4)},
		"two columns":          {lines: columns, rtl: true, want: one(12)},
		"two columns, Latin":   {lines: columns, want: [][]int{{0}, {6}, {7}, {8}, {9}, {10}, {11}, {1}, {2}, {3}, {4}, {5}}},
		"ragged columns":       {lines: ragged, rtl: true, want: one(12)},
		"column with a hole":   {lines: holed, rtl: true, want: one(10)},
		"form":                 {lines: form, rtl: true, want: one(6)},
		"pieces of one row":    {lines: pieces, rtl: true, want: [][]int{{0, 1}, {2}}},
		"heading between them": {lines: headed, rtl: true, want: one(13)},
	}
	views := map[string]func(appliance.Point) appliance.Point{
		"flat": func(p appliance.Point) appliance.Point { return p },
		"turned": func(p appliance.Point) appliance.Point {
			sin, cos := math.Sincos(0.09)
			return appliance.Point{X: p.X*cos - p.Y*sin, Y: p.X*sin + p.Y*cos}
		},
		"tilted": func(p appliance.Point) appliance.Point {
			d := 1 + p.X*5e-5
			return appliance.Point{X: p.X / d, Y: p.Y / d}
		},
		"bent": func(p appliance.Point) appliance.Point {
			return appliance.Point{X: p.X, Y: p.Y + 40*math.Cos(p.X/900)*(1+p.Y/900)}
		},
	}
	rng := rand.New(rand.NewPCG(1, 7))
	for name, c := range cases {
		for viewName, view := range views {
			seen := make([]text.Line, len(c.lines))
			for i, l := range c.lines {
				l.Start, l.End = view(l.Start), view(l.End)
				seen[i] = l
			}
			order := rng.Perm(len(seen))
			shuffled := make([]text.Line, len(seen))
			for i, j := range order {
				shuffled[i] = seen[j]
			}
			got := arranged(shuffled, c.rtl)
			for _, row := range got {
				for i, j := range row {
					row[i] = order[j]
				}
			}
			if !slices.EqualFunc(got, c.want, slices.Equal) {
				t.Errorf("%s, %s: %v, want %v", name, viewName, got, c.want)
			}
		}
	}
}

// Property: on a page that is tilted and bent, what stands in one row lies equally far down, however far apart and short it is, and print
// that runs otherwise does not lay the page askew.
func TestLevelled(t *testing.T) {
	bent := func(x, y float64) appliance.Point {
		d := 1 + x*1.5e-4
		return appliance.Point{X: x / d, Y: (y + 30*math.Cos(x/700)) / d}
	}
	const apart, together = 25, 9
	var lines []text.Line
	var row []int
	for i := range 12 {
		y := 100 + 45*float64(i)
		for _, x := range [][2]float64{{100, 160}, {500, 900}, {1100, 1180}} {
			l := text.Line{Start: bent(x[0], y), End: bent(x[1], y), Height: 18}
			l.Sag = bent((x[0]+x[1])/2, y).Y - (l.Start.Y+l.End.Y)/2
			lines, row = append(lines, l), append(row, i)
		}
	}
	lines = append(lines, text.Line{Start: appliance.Point{X: 300, Y: 200}, End: appliance.Point{X: 800, Y: 500}, Height: 18})
	extents := levelled(lines)
	for i := range row {
		for j := range i {
			off := math.Abs(extents[i].middle() - extents[j].middle())
			if row[i] == row[j] && off > together || row[i] != row[j] && off < apart {
				t.Errorf("rows %d and %d: %.1f and %.1f down", row[i], row[j], extents[i].middle(), extents[j].middle())
			}
		}
	}
}

// Property: whatever the detector sees, each piece of text comes out exactly once.
func FuzzLayout(f *testing.F) {
	f.Add([]byte{10, 10, 90, 10, 4, 10, 30, 90, 32, 4, 100, 10, 190, 10, 5}, true)
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 9, 9, 1, 255}, false)
	f.Fuzz(func(t *testing.T, places []byte, rtl bool) {
		var lines []text.Line
		for ; len(places) >= 5 && len(lines) < 60; places = places[5:] {
			l := text.Line{
				Start:  appliance.Point{X: float64(places[0]) * 8, Y: float64(places[1]) * 8},
				End:    appliance.Point{X: float64(places[2]) * 8, Y: float64(places[3]) * 8},
				Height: float64(places[4]) / 4,
			}
			if !slices.Contains(lines, l) {
				lines = append(lines, l)
			}
		}
		var got []int
		for _, row := range arranged(lines, rtl) {
			got = append(got, row...)
		}
		slices.Sort(got)
		if len(got) != len(lines) || len(slices.Compact(got)) != len(lines) {
			t.Fatalf("%d pieces of %d came out: %v", len(got), len(lines), got)
		}
	})
}
