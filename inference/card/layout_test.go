package card

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
)

// print places a piece of print 20 high on a page.
func print(left, right, y float64) text.Line {
	return text.Line{Start: appliance.Point{X: left, Y: y}, End: appliance.Point{X: right, Y: y}, Height: 20}
}

// layout returns the pieces of lines, by their index, row by row in reading order, each row from left to right.
func layout(lines []text.Line, rtl bool) [][]int {
	strands := make([]strand, len(lines))
	for i, l := range lines {
		strands[i].Line = l
	}
	level(strands)
	rows := rowsOfPage(strands)
	extents := make([]extent, len(rows))
	for i, r := range rows {
		extents[i] = extentOf(r)
	}
	var out [][]int
	for _, i := range readingOrder(extents, rtl) {
		var row []int
		for _, s := range rows[i] {
			row = append(row, slices.Index(lines, s.Line))
		}
		out = append(out, row)
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
	form := []text.Line{print(1300, 1450, 100), print(700, 1000, 100), print(1280, 1450, 190), print(850, 1000, 190), print(1350, 1450, 280), print(500, 1000, 280)}
	cases := map[string]struct {
		lines []text.Line
		rtl   bool
		want  [][]int
	}{
		"nothing":              {},
		"one column":           {lines: column(100, 900, 50, 4), rtl: true, want: [][]int{{0}, {1}, {2}, {3}}},
		"two columns":          {lines: columns, rtl: true, want: [][]int{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}, {9}, {10}, {11}}},
		"two columns, Latin":   {lines: columns, want: [][]int{{0}, {6}, {7}, {8}, {9}, {10}, {11}, {1}, {2}, {3}, {4}, {5}}},
		"ragged columns":       {lines: ragged, rtl: true, want: [][]int{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}, {9}, {10}, {11}}},
		"column with a hole":   {lines: holed, rtl: true, want: [][]int{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}, {9}}},
		"form":                 {lines: form, rtl: true, want: [][]int{{0}, {1}, {2}, {3}, {4}, {5}}},
		"pieces of one row":    {lines: []text.Line{print(100, 400, 50), print(440, 800, 53), print(100, 800, 95)}, rtl: true, want: [][]int{{0, 1}, {2}}},
		"heading between them": {lines: slices.Concat(column(800, 1450, 100, 3), column(100, 720, 100, 3), []text.Line{print(300, 1200, 260)}, column(800, 1450, 330, 3), column(100, 720, 330, 3)), rtl: true, want: [][]int{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}, {9}, {10}, {11}, {12}}},
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
			got := layout(shuffled, c.rtl)
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

// Property: whatever the detector sees, each piece of print comes out exactly once.
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
		for _, row := range layout(lines, rtl) {
			got = append(got, row...)
		}
		slices.Sort(got)
		if len(got) != len(lines) || len(slices.Compact(got)) != len(lines) {
			t.Fatalf("%d pieces of %d came out: %v", len(got), len(lines), got)
		}
	})
}
