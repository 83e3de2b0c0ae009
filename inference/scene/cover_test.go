package scene

import (
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
	"github.com/google/go-cmp/cmp"
)

// stacked draws a light sheet at each quad in turn, each with a darker rim, on a dark ground.
func stacked(quads ...appliance.Quad) vision.Plane {
	p := vision.Plane{Pix: slices.Repeat([]byte{60}, 400*300), Width: 400, Height: 300, Stride: 400}
	for i, q := range quads {
		for y := range p.Height {
			for x := range p.Width {
				if q.Contains(appliance.Point{X: float64(x) + 0.5, Y: float64(y) + 0.5}) {
					p.Pix[y*p.Stride+x] = byte(190 + 25*i)
				}
			}
		}
	}
	return p
}

// Property: of two documents that lie on each other the upper one covers the lower one and not the other way round; what
// only touches covers nothing, where no edge can be seen each covers the other, and no card lies wholly under what it is seen on. A band of
// a card covers nothing of it, but a note on it does.
func TestCovers(t *testing.T) {
	lower := appliance.Quad{{X: 40, Y: 40}, {X: 240, Y: 40}, {X: 240, Y: 166}, {X: 40, Y: 166}}
	upper := appliance.Quad{{X: 180, Y: 120}, {X: 380, Y: 140}, {X: 368, Y: 266}, {X: 168, Y: 246}}
	beside := appliance.Quad{{X: 240, Y: 40}, {X: 390, Y: 40}, {X: 390, Y: 110}, {X: 240, Y: 110}}
	sheet := appliance.Quad{{X: 20, Y: 41}, {X: 260, Y: 41}, {X: 260, Y: 290}, {X: 20, Y: 290}}
	band := appliance.Quad{{X: 41, Y: 42}, {X: 239, Y: 40}, {X: 240, Y: 64}, {X: 40, Y: 64}}
	note := appliance.Quad{{X: 80, Y: 60}, {X: 200, Y: 60}, {X: 200, Y: 85}, {X: 80, Y: 85}}
	edges := [4]float64{0.9, 0.9, 0.9, 0.9}
	count := func(luma vision.Plane, quads ...appliance.Quad) (out []int) {
		s := &Scene{Picture: &appliance.Picture{Width: luma.Width, Height: luma.Height}, Luma: luma}
		for _, q := range quads {
			s.Found = append(s.Found, outline.Found{Quad: q, Edges: edges})
		}
		for i := range quads {
			out = append(out, len(s.covers(i)))
		}
		return out
	}
	grey := vision.Plane{Pix: make([]byte, 400*300), Width: 400, Height: 300, Stride: 400}
	for name, test := range map[string]struct{ got, want []int }{
		"the second above": {count(stacked(lower, upper), lower, upper), []int{1, 0}},
		"the first above":  {count(stacked(upper, lower), lower, upper), []int{0, 1}},
		"touching":         {count(stacked(lower, beside), lower, beside), []int{0, 0}},
		"nothing visible":  {count(grey, lower, upper), []int{1, 1}},
		"on a sheet":       {count(grey, lower, sheet), []int{0, 1}},
		"a band of it":     {count(stacked(lower, band), lower, band), []int{0, 0}},
		"a note on it":     {count(stacked(lower, note), lower, note), []int{1, 0}},
	} {
		if diff := cmp.Diff(test.want, test.got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Property: a line whose middle lies on a covering document is not read.
func TestCoveredPrint(t *testing.T) {
	cover := []appliance.Quad{{{X: 100, Y: 0}, {X: 200, Y: 0}, {X: 200, Y: 100}, {X: 100, Y: 100}}}
	line := func(from, to, y float64) text.Line {
		return text.Line{Start: appliance.Point{X: from, Y: y}, End: appliance.Point{X: to, Y: y}, Height: 10}
	}
	identity := vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}
	if got := uncovered([]text.Line{line(10, 60, 50), line(120, 180, 50), line(60, 150, 50)}, identity, cover); len(got) != 1 ||
		got[0].End.X != 60 {
		t.Errorf("lines: %v", got)
	}
}
