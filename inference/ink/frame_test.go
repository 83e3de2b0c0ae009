package ink

import (
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// unframed takes the frames of a picture away.
func unframed(p vision.Plane) (vision.Plane, bool) {
	s, _ := spreadOf(p)
	s, _, ok := s.Unframed()
	return s.plane, ok
}

// Property: a page of text is left alone, though a frame stands around it; the boxes of a row in a poor text are not.
func TestPagesKeepTheirFrame(t *testing.T) {
	for name, c := range map[string]struct {
		rows int
		want bool
	}{"a row of digits": {1, true}, "a page": {20, false}} {
		p := vision.Plane{Width: 700, Height: 500, Stride: 700, Pix: make([]byte, 700*500)}
		for i := range p.Pix {
			p.Pix[i] = 230
			if x, y := i%700, i/700; (x < 690 && x >= 10) && (y < 490 && y >= 10) && (x < 13 || x >= 687 || y < 13 || y >= 487) {
				p.Pix[i] = 20
			} else if x >= 40 && x < 640 && y >= 40 && y < 40+20*c.rows && x%20 < 8 && y%20 < 12 {
				p.Pix[i] = 20
			}
		}
		if _, ok := unframed(p); ok != c.want {
			t.Errorf("%s: %t", name, ok)
		}
	}
}

// Property: boxes around signs are taken away, single or joined, and the signs stay; a picture without boxes, or with an empty
// one, has none to take away.
func TestUnframed(t *testing.T) {
	const side, pitch = 120, 60
	draw := func(boxes, joined, signs bool) vision.Plane {
		p := vision.Plane{Width: 6 * pitch, Height: side, Stride: 6 * pitch, Pix: make([]byte, 6*pitch*side)}
		for i := range p.Pix {
			p.Pix[i] = 230
		}
		fill := func(x, y, w, h int) {
			for r := y; r < y+h; r++ {
				for c := x; c < x+w; c++ {
					p.Pix[r*p.Stride+c] = 20
				}
			}
		}
		for i := range 5 {
			x, gap := 20+i*pitch, 8
			if joined {
				gap = 0
			}
			if boxes {
				fill(x, 20, pitch-gap, 2)
				fill(x, 80, pitch-gap, 2)
				fill(x, 20, 2, 62)
				fill(x+pitch-gap-2, 20, 2, 62)
			}
			if signs {
				fill(x+24, 36, 8, 30)
			}
		}
		return p
	}
	plain := draw(false, false, true)
	for _, joined := range []bool{false, true} {
		got, ok := unframed(draw(true, joined, true))
		if !ok {
			t.Errorf("joined %v: no frame", joined)
			continue
		}
		for i, v := range plain.Pix {
			if (v < 100) != (got.Pix[i] < 100) {
				t.Errorf("joined %v: sample %d, %d is %d", joined, i%plain.Stride, i/plain.Stride, got.Pix[i])
				break
			}
		}
	}
	for name, p := range map[string]vision.Plane{"no boxes": plain, "empty boxes": draw(true, false, false)} {
		if _, ok := unframed(p); ok {
			t.Errorf("%s: a frame", name)
		}
	}
}

// box is a frame that is so wide and high, its foot at base.
func box(x, base, width, height int) [][4]int {
	return [][4]int{{x, base, width, 2}, {x, base - height + 2, width, 2}, {x, base, 2, height}, {x + width - 2, base, 2, height}}
}

// boxedRow is a row of signs in boxes that stand apart.
func boxedRow() (bars [][4]int) {
	for i := range 6 {
		bars = append(append(bars, box(60+50*i, 90, 40, 40)...), [4]int{74 + 50*i, 80, 12, 20})
	}
	return bars
}

// ring is the outline of a zero about a middle, and a dot in it.
func ring(p vision.Plane, x, y int) {
	for dy := -16; dy <= 16; dy++ {
		for dx := -12; dx <= 12; dx++ {
			if d := 256*dx*dx + 144*dy*dy; d <= 144*256 && d >= 144*256*6/10 || dx*dx+dy*dy <= 9 {
				p.Pix[(y+dy)*p.Stride+x+dx] = 15
			}
		}
	}
}

// Property: boxes that stand apart are no signs, what stands in them is; a rule with teeth between signs is none either. A zero with a dot
// in it is a sign, and letters on one line are no rule.
func TestBoxesAreNoSigns(t *testing.T) {
	comb := [][4]int{{60, 90, 302, 2}}
	for i := range 7 {
		comb = append(comb, [4]int{60 + 50*i, 90, 2, 12})
	}
	for i := range 6 {
		comb = append(comb, [4]int{80 + 50*i, 84, 12, 20})
	}
	for name, bars := range map[string][][4]int{"boxes": boxedRow(), "a comb": comb} {
		p := drawnRow(bars...)
		if s, ok := spreadOf(p); ok {
			t.Errorf("%s: %d signs", name, s.Count())
		}
		s, _ := spreadOf(p)
		bare, ok, framed := s.Unframed()
		if !ok || !framed || !bare.Framed || bare.Count() != 6 || bare.Line().Height != 20 {
			t.Errorf("%s: %v, framed %v, %d signs", name, ok, framed, bare.Count())
		}
	}
	zeros := drawnRow()
	for i := range 6 {
		ring(zeros, 80+50*i, 60)
	}
	if s, ok := spreadOf(zeros); !ok || s.Count() != 6 {
		t.Errorf("zeros: %v, %d signs", ok, s.Count())
	}
	word := [][4]int{{60, 90, 302, 3}} // letters as arches, each with a dot above
	for i := range 6 {
		word = append(word, [4]int{65 + 50*i, 90, 3, 20}, [4]int{65 + 50*i, 73, 20, 3}, [4]int{70 + 50*i, 65, 8, 12})
	}
	s, _ := spreadOf(drawnRow(word...))
	if _, _, framed := s.Unframed(); framed {
		t.Error("letters on one line are a frame")
	}
}

// Property: a row is looked for between columns, so that a word beside it is left out; where boxes of it stand beyond, it is none, and a
// box about something else beside it does not matter.
func TestCutOffRows(t *testing.T) {
	word := [4]int{420, 85, 90, 30}
	for name, c := range map[string]struct {
		bars     [][4]int
		from, to int
		want     bool
	}{
		"all":          {append(boxedRow(), word), 0, 400, true},
		"a word in":    {append(boxedRow(), word), 0, 600, false},
		"one cut off":  {append(boxedRow(), word), 0, 310, false},
		"other boxes":  {slices.Concat(boxedRow(), box(440, 90, 100, 40), [][4]int{{480, 80, 40, 20}}), 0, 400, true},
		"cut, no sign": {append(boxedRow(), box(360, 90, 40, 40)...), 0, 358, true},
	} {
		s, ok := SpreadOf(drawnRow(c.bars...), c.from, c.to)
		if ok {
			t.Errorf("%s: boxes are signs", name)
		}
		if bare, ok, _ := s.Unframed(); ok != c.want || ok && bare.Count() != 6 {
			t.Errorf("%s: %v, %d signs", name, ok, bare.Count())
		}
	}
}

// Property: a line shows boxes where several signs stand in them; a row without has none, nor has a single box.
func TestFramed(t *testing.T) {
	plain := slices.DeleteFunc(boxedRow(), func(b [4]int) bool { return b[2] != 12 })
	for name, c := range map[string]struct {
		bars [][4]int
		want bool
	}{
		"boxes": {boxedRow(), true}, "none": {plain, false}, "one": {append(box(60, 90, 40, 40), plain...), false},
	} {
		l := text.Line{Start: appliance.Point{X: 55, Y: 70}, End: appliance.Point{X: 360, Y: 70}, Height: 40}
		if got := Framed(drawnRow(c.bars...), vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}, l); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
