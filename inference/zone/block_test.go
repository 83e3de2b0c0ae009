package zone

import (
	"math"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// Property: from the centre lines that a detector would see, in pieces or cut short, under tilt and rotation, the
// grid of characters is placed to a third of a character.
func TestBlocks(t *testing.T) {
	views := map[string]vision.Homography{
		"upright": {9, 0, 60, 0, 9, 240, 0, 0, 1},
		"turned":  {8.8, 1.2, 60, -1.2, 8.8, 280, 0, 0, 1},
		"tilted":  {9, 0.3, 60, 0.2, 8, 240, 0.0012, 0.006, 1},
	}
	cases := map[string]struct {
		lines, width int
		damage       func(rows [][]text.Line)
		tolerance    float64 // pixels; a third of a character unless said
	}{
		"passport":    {lines: 2, width: 44},
		"small card":  {lines: 3, width: 30},
		"larger card": {lines: 2, width: 36},
		"short row":   {lines: 2, width: 44, damage: func(rows [][]text.Line) { rows[0][0].End = vision.Between(rows[0][0].Start, rows[0][0].End, 0.8) }, tolerance: 6}, // tilt is unknown where only one row shows its end
		"in pieces": {lines: 2, width: 44, damage: func(rows [][]text.Line) {
			l := rows[1][0]
			left, right := l, l
			left.End, right.Start = vision.Between(l.Start, l.End, 0.45), vision.Between(l.Start, l.End, 0.5)
			rows[1] = []text.Line{right, left}
		}},
	}
	for viewName, h := range views {
		for caseName, c := range cases {
			t.Run(viewName+"/"+caseName, func(t *testing.T) {
				truth := block{h: h, lines: c.lines, width: c.width}
				rows := make([][]text.Line, c.lines)
				for i := range rows {
					y := float64(i) * lineGap
					start := h.Apply(appliance.Point{X: glyphInset, Y: y})
					end := h.Apply(appliance.Point{X: float64(c.width) - glyphInset, Y: y})
					rows[i] = []text.Line{{Start: start, End: end, Height: 8}}
				}
				if c.damage != nil {
					c.damage(rows)
				}
				var lines []text.Line
				for _, r := range rows {
					lines = append(lines, r...)
				}
				lines = append(lines, text.Line{Start: appliance.Point{X: 90, Y: 100}, End: appliance.Point{X: 300, Y: 100}, Height: 8}) // outside
				outline := truth.outline(0, -capitals/2, float64(c.width), float64(c.lines-1)*lineGap+capitals/2)
				got := blocks(joinRows(lines, outline), outline)
				if len(got) != 3 {
					t.Fatalf("%d proposals, want 3", len(got))
				}
				if b := got[0]; b.lines != c.lines || b.width != c.width && viewName != "tilted" {
					t.Fatalf("%d lines of %d", b.lines, b.width)
				}
				b := got[0].resized(c.width)
				for _, x := range []float64{0, 10, float64(c.width)} {
					for line := range c.lines {
						p := appliance.Point{X: x, Y: float64(line) * lineGap}
						g, w := b.h.Apply(p), truth.h.Apply(p)
						if d := math.Hypot(g.X-w.X, g.Y-w.Y); d > max(c.tolerance, 3) {
							t.Errorf("character %v of line %d lies %.1f pixels off", x, line, d)
						}
					}
				}
			})
		}
	}
}

// Property: a block turned twice is the block itself, and turned once it begins where the block ends.
func TestTurned(t *testing.T) {
	b := block{h: vision.Homography{9, 0.3, 60, 0.2, 8, 240, 0.0012, 0.006, 1}, lines: 2, width: 44}
	for _, p := range []appliance.Point{{X: 0, Y: 0}, {X: 44, Y: lineGap}, {X: 7, Y: 1}} {
		w := b.h.Apply(p)
		if g := b.turned().turned().h.Apply(p); math.Hypot(g.X-w.X, g.Y-w.Y) > 1e-6 {
			t.Errorf("%v went to %v, not %v", p, g, w)
		}
		if g := b.turned().h.Apply(appliance.Point{X: 44 - p.X, Y: lineGap - p.Y}); math.Hypot(g.X-w.X, g.Y-w.Y) > 1e-6 {
			t.Errorf("turned, %v went to %v, not %v", p, g, w)
		}
	}
}
