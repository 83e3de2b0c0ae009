package ink

import (
	"slices"
	"testing"

	"github.com/bawab/bawab/inference/vision"
)

// drawnRow draws bars at some places of a picture, each width x height pixels, its foot at base.
func drawnRow(bars ...[4]int) vision.Plane {
	p := vision.Plane{Width: 600, Height: 120, Stride: 600, Pix: make([]byte, 600*120)}
	for i := range p.Pix {
		p.Pix[i] = 235
	}
	for _, b := range bars {
		for y := b[1] - b[3]; y < b[1]; y++ {
			for x := b[0]; x < b[0]+b[2]; x++ {
				p.Pix[y*p.Stride+x] = 15
			}
		}
	}
	return p
}

// spreadOf looks for the spread row in the whole of a picture.
func spreadOf(p vision.Plane) (Spread, bool) { return SpreadOf(p, 0, p.Width) }

// Property: a row of single signs, evenly apart and alone in the picture, is found and moved together, dots among them, specks of dirt left
// out; words, two rows, a few signs, uneven gaps and signs with full stops between them are none.
func TestSpreadRows(t *testing.T) {
	even := [][4]int{{60, 80, 14, 30}, {120, 80, 10, 30}, {182, 68, 7, 7}, {240, 80, 16, 30}, {300, 80, 14, 28}, {360, 80, 14, 30}}
	with := func(more ...[4]int) [][4]int { return append(append([][4]int{}, even...), more...) }
	for name, c := range map[string]struct {
		bars [][4]int
		want int
	}{
		"even":       {even, 6},
		"a gap":      {with([4]int{500, 80, 14, 30}), 0},
		"a word":     {with([4]int{420, 80, 60, 30}), 0},
		"two rows":   {with([4]int{420, 40, 14, 30}), 0},
		"too few":    {even[:4], 0},
		"close":      {[][4]int{{60, 80, 14, 30}, {80, 80, 14, 30}, {100, 80, 14, 30}, {120, 80, 14, 30}, {140, 80, 14, 30}}, 0},
		"a speck":    {with([4]int{146, 90, 3, 3}), 6},
		"a last dot": {with([4]int{420, 76, 4, 4}), 7},
		"a stop":     {with([4]int{206, 81, 4, 4}), 0},
		"even stop":  {append([][4]int{{240, 82, 6, 6}}, slices.Delete(slices.Clone(even), 3, 4)...), 0},
		"dots":       {with([4]int{146, 90, 7, 7}), 0},
		"at the rim": {append([][4]int{{0, 80, 14, 30}}, even...), 0},
		"nothing":    {nil, 0},
	} {
		s, ok := spreadOf(drawnRow(c.bars...))
		if ok != (c.want > 0) || ok && s.Count() != c.want {
			t.Errorf("%s: %v with %d signs, want %d", name, ok, s.Count(), c.want)
			continue
		}
		if !ok {
			continue
		}
		closed, line := s.Closed(0.1)
		ink, _ := inkOf(closed)
		if n := len(ink.strokes()); n != c.want || closed.Width >= 300 || line.Height != 30 {
			t.Errorf("%s: %d signs in %d pixels, height %v", name, n, closed.Width, line.Height)
		}
		if at := s.Line(); at.Start.X != 60 || c.want == 6 && at.End.X != 374 || at.Start.Y != 65 {
			t.Errorf("%s: stands at %+v", name, at)
		}
	}
}

// Property: a sign whose neck is lost is one, whether its parts stand over each other or side by side, and two rows stay two.
func TestMendedSpread(t *testing.T) {
	broken := func(gap int) vision.Plane {
		return drawnRow(
			[4]int{55, 66 - gap, 7, 16}, [4]int{60, 80, 12, 14}, [4]int{120, 80, 10, 30}, [4]int{180, 80, 14, 30}, [4]int{240, 80, 14, 30},
			[4]int{300, 80, 14, 30},
		)
	}
	for gap, want := range map[int]bool{1: true, 4: true, 20: false} {
		if s, ok := spreadOf(broken(gap)); ok != want || ok && s.Count() != 5 {
			t.Errorf("%d apart: %v, %d signs", gap, ok, s.Count())
		}
	}
	beside := func(gap int) vision.Plane {
		return drawnRow(
			[4]int{60 - gap, 80, 5, 20}, [4]int{65, 76, 6, 26}, [4]int{120, 80, 10, 30}, [4]int{180, 80, 14, 30}, [4]int{240, 80, 14, 30},
			[4]int{300, 80, 14, 30},
		)
	}
	for gap, want := range map[int]bool{1: true, 9: false} {
		if s, ok := spreadOf(beside(gap)); ok != want || ok && s.Count() != 5 {
			t.Errorf("%d beside: %v, %d signs", gap, ok, s.Count())
		}
	}
}

// No picture makes the search fail or move signs out of its row.
func FuzzSpread(f *testing.F) {
	f.Add([]byte{60, 120, 180, 240}, 30)
	f.Fuzz(func(t *testing.T, places []byte, high int) {
		var bars [][4]int
		for i, x := range places {
			bars = append(bars, [4]int{int(x) + i, 80, 1 + int(x)%20, 1 + (high&63+i)%70})
		}
		if s, ok := spreadOf(drawnRow(bars...)); ok {
			if p, l := s.Closed(0.2); l.End.X > float64(p.Width) || l.Start.Y < 0 || l.Start.Y > float64(p.Height) {
				t.Fatalf("%d x %d: %+v", p.Width, p.Height, l)
			}
		}
	})
}
