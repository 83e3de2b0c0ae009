package general

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// print places a piece of text 20 high on a page.
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
	below := slices.Concat(column(100, 1450, 50, 4), []text.Line{print(1200, 1450, 260), print(100, 300, 260), print(1100, 1450, 305), print(120, 300, 305)})
	cases := map[string]struct {
		lines []text.Line
		rtl   bool
		want  [][]int
	}{
		"table":                {lines: table, rtl: true, want: [][]int{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}, {9}, {10}, {11}}},
		"labels with values":   {lines: pairs, rtl: true, want: [][]int{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}}},
		"talk from both sides": {lines: talk, rtl: true, want: [][]int{{0}, {1}, {2}, {3}, {4}}},
		"masthead":             {lines: masthead, rtl: true, want: [][]int{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}, {9}, {10}, {11}}},
		"table below prose":    {lines: below, rtl: true, want: [][]int{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}}},
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

// Property: blocks side by side, in two languages or centred, are read one after the other; labels with values, and rows in two languages that are too many for a letterhead, are
// read across, and so are rows with something between them.
func TestBlocksOrder(t *testing.T) {
	row := func(left, right, y float64, script int) extent {
		return extent{left: left, right: right, leftY: y, rightY: y, height: 20, script: script}
	}
	twoLanguages := func(n int) (out []extent) {
		for i := range n {
			y := 100 + 45*float64(i)
			out = append(out, row(1100+20*float64(i), 1450, y, 1), row(100, 400+30*float64(i), y, -1))
		}
		return out
	}
	below := row(300, 1200, 600, 1)
	between := slices.Concat(twoLanguages(2), []extent{row(700, 800, 100, 0), row(700, 800, 145, 0)})
	for name, test := range map[string]struct {
		rows []extent
		want []int
	}{
		"letterhead":          {append(twoLanguages(3), below), []int{0, 2, 4, 1, 3, 5, 6}},
		"form, two languages": {append(twoLanguages(6), below), []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
		"values between":      {between, []int{0, 4, 1, 2, 5, 3}},
		"signatures":          {[]extent{row(1100, 1300, 100, 1), row(200, 360, 100, 1), row(1050, 1350, 145, 1), row(120, 440, 145, 1)}, []int{0, 2, 1, 3}},
		"labels with values":  {[]extent{row(1100, 1450, 100, 1), row(300, 600, 100, 1), row(1200, 1450, 145, 1), row(200, 600, 145, 1)}, []int{0, 1, 2, 3}},
	} {
		if got := readingOrder(test.rows, true); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// Property: on a page that is tilted and bent, what stands in one row lies equally far down, however far apart and short it is, and print that runs otherwise
// does not lay the page askew.
func TestLevel(t *testing.T) {
	bent := func(x, y float64) appliance.Point {
		d := 1 + x*1.5e-4
		return appliance.Point{X: x / d, Y: (y + 30*math.Cos(x/700)) / d}
	}
	var strands []strand
	var row []int
	for i := range 12 {
		y := 100 + 45*float64(i)
		for _, x := range [][2]float64{{100, 160}, {500, 900}, {1100, 1180}} {
			l := text.Line{Start: bent(x[0], y), End: bent(x[1], y), Height: 18}
			l.Sag = bent((x[0]+x[1])/2, y).Y - (l.Start.Y+l.End.Y)/2
			strands, row = append(strands, strand{Line: l}), append(row, i)
		}
	}
	strands, row = append(strands, strand{Line: text.Line{Start: appliance.Point{X: 300, Y: 200}, End: appliance.Point{X: 800, Y: 500}, Height: 18}}), append(row, -1)
	level(strands)
	for i, a := range strands {
		for j, b := range strands[:i] {
			if row[i] == row[j] && math.Abs(a.middle()-b.middle()) > 9 || row[i] != row[j] && min(row[i], row[j]) >= 0 && math.Abs(a.middle()-b.middle()) < 25 {
				t.Errorf("rows %d and %d: %.1f and %.1f down", row[i], row[j], a.middle(), b.middle())
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
		for _, row := range layout(lines, rtl) {
			got = append(got, row...)
		}
		slices.Sort(got)
		if len(got) != len(lines) || len(slices.Compact(got)) != len(lines) {
			t.Fatalf("%d pieces of %d came out: %v", len(got), len(lines), got)
		}
	})
}

// Property: what is about as long as high and seems to run across the lines of a page lies along them, about its middle and as high as they
// are; a long line keeps its way, as does a stroke that holds too little ink for two digits.
func TestAlongPage(t *testing.T) {
	at := func(x0, y0, x1, y1, height float64) text.Line {
		return text.Line{Start: appliance.Point{X: x0, Y: y0}, End: appliance.Point{X: x1, Y: y1}, Height: height}
	}
	lines := []text.Line{
		at(0, 50, 60, 50, 10), at(100, 50, 140, 50, 10), at(0, 100, 60, 100, 10), at(0, 150, 60, 150, 10),
		at(110, 94, 110, 106, 14), // two digits
		at(200, 20, 200, 50, 10),  // a long line down the page
		at(230, 44, 230, 56, 3),   // a stroke
	}
	got := alongPage(lines)
	if l, want := got[4], at(101.6, 100, 118.4, 100, 10); !cmp.Equal(l, want, cmpopts.EquateApprox(0, 1e-9)) {
		t.Errorf("two digits lie at %+v", l)
	}
	for _, i := range []int{0, 1, 2, 3, 5, 6} {
		if got[i] != lines[i] {
			t.Errorf("line %d has become %+v", i, got[i])
		}
	}
	if down := []text.Line{lines[4], lines[5]}; !slices.Equal(alongPage(down), down) {
		t.Error("a page that runs another way is laid along x")
	}
}

// Property: of a page with more lines than are read the shortest are told as unreadable.
func TestTooManyLines(t *testing.T) {
	var lines []text.Line
	for i := range mostLines + 2 {
		y := 20 * float64(i)
		lines = append(lines, text.Line{Start: appliance.Point{Y: y}, End: appliance.Point{X: 200 - float64(i)/10, Y: y}, Height: 10})
	}
	read, unread := readable(lines)
	if len(read) != mostLines || len(unread) != 2 {
		t.Fatalf("%d lines are read, %d are not", len(read), len(unread))
	}
	sure := printedSigns("كلمة")
	for i := range sure {
		sure[i].Prob = 1
	}
	told := 0
	strands := append(unread, strand{Line: read[0], reading: new(text.Reading).With(sure)})
	paper := vision.Plane{Pix: make([]byte, 400*400), Width: 400, Height: 400, Stride: 400}
	for _, l := range (&Reader{letters: new(text.Letters)}).arrange(paper, strands, vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}) {
		if l.Code == appliance.CodeUnreadable {
			told++
		}
	}
	if told != 2 {
		t.Errorf("%d of 2 lines that were not read are told", told)
	}
}

// Property: what stands before and behind a number in its row is left of a piece of text that was read over both, where it stood.
func TestBeyondNumber(t *testing.T) {
	symbols := printedSigns("مقر ٣ ٤ ٥")
	for i := range symbols {
		symbols[i].Start, symbols[i].End = float64(i)/9, float64(i+1)/9
	}
	s := strand{Line: text.Line{Start: appliance.Point{X: 100, Y: 50}, End: appliance.Point{X: 280, Y: 50}, Height: 20}}
	s.reading = new(text.Reading).With(symbols)
	rest := s.beyond(text.Line{Start: appliance.Point{X: 190, Y: 50}, End: appliance.Point{X: 400, Y: 50}, Height: 20})
	if len(rest) != 1 || rest[0].Start.X != 100 || rest[0].End.X < 160 || rest[0].End.X > 190 {
		t.Errorf("beside the number stands %+v", rest)
	}
	if rest := s.beyond(text.Line{Start: appliance.Point{X: 90, Y: 50}, End: appliance.Point{X: 300, Y: 50}, Height: 20}); len(rest) != 0 {
		t.Errorf("beside a number over all of it stands %+v", rest)
	}
}

// Property: digits further apart than in any face are told, and words that end there; a letter far from a word is none of it.
func TestDigitsApart(t *testing.T) {
	at := func(line string, places ...float64) strand {
		symbols := printedSigns(line)
		for i := range symbols {
			symbols[i].Start, symbols[i].End, symbols[i].Prob = (places[i]-5)/400, (places[i]+5)/400, 1
		}
		return strand{Line: text.Line{End: appliance.Point{X: 400}, Height: 20}, reading: new(text.Reading).With(symbols)}
	}
	for _, c := range []struct {
		s      strand
		wide   bool
		letter float64 // where the word begins, 0 for none
	}{
		{at("١٢٣٤", 10, 50, 90, 130), true, 0},
		{at("١٢٣٤", 10, 25, 40, 55), false, 0},
		{at("ا٢مقرلا", 10, 50, 90, 102, 114, 126, 138), false, 85},
		{at("اقم رلا", 10, 50, 62, 70, 82, 94, 106), false, 77},
	} {
		word := 0.0
		if w := c.s.words(); len(w) > 0 {
			word = 400 * w[0][0]
		}
		if got := c.s.wider(widestPitch); got != c.wide || math.Abs(word-c.letter) > 0.01 {
			t.Errorf("%q: far apart %v, a word at %v", written(c.s.reading.Symbols()), got, word)
		}
	}
}
