package ink

import (
	"bytes"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// form draws a row of signs, with upright sides so far apart around it and rules over and under it; none where the pitch is 0.
func form(pitch int) vision.Plane {
	var ink [][4]int
	for i := range 8 {
		x := 60 + 40*i
		ink = append(ink, [4]int{x, 50, x + 8, 74})
	}
	for x := 44; pitch > 0 && x <= 44+8*40; x += pitch {
		ink = append(ink, [4]int{x, 40, x + 2, 84})
	}
	if pitch > 0 {
		ink = append(ink, [4]int{44, 40, 366, 42}, [4]int{44, 82, 366, 84})
	}
	return dark(420, 124, ink...)
}

// Property: the boxes around the signs of a line are gone and the signs stay, also where the picture is turned; a cell about several signs
// stays, as does all of a line without boxes, and the picture that was given is never changed.
func TestWithoutBoxes(t *testing.T) {
	line := text.Line{Start: appliance.Point{X: 60, Y: 62}, End: appliance.Point{X: 348, Y: 62}, Height: 24}
	quarter := vision.Homography{0, -1, 124, 1, 0, 0, 0, 0, 1} // of a turn to the right
	for name, test := range map[string]struct {
		pitch int
		h     vision.Homography
		gone  bool
	}{
		"a box each":         {40, vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}, true},
		"a box each, turned": {40, quarter, true},
		"one cell":           {320, vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}, false},
		"none":               {0, vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}, false},
	} {
		given, bare := laidBy(form(test.pitch), test.h), laidBy(form(0), test.h)
		before := bytes.Clone(given.Pix)
		got, ok := WithoutBoxes(given, test.h, line)
		if ok != test.gone {
			t.Errorf("%s: boxes found %v", name, ok)
		}
		want := given
		if test.gone {
			want = bare
		}
		if off := differing(got, want); off > 0 {
			t.Errorf("%s: %d pixels are another", name, off)
		}
		if !bytes.Equal(given.Pix, before) {
			t.Errorf("%s: the picture was changed", name)
		}
	}
}

// laidBy draws a page as h lays it.
func laidBy(p vision.Plane, h vision.Homography) vision.Plane {
	if h[0] == 1 {
		return p
	}
	out := vision.Plane{Pix: make([]byte, len(p.Pix)), Width: p.Height, Height: p.Width, Stride: p.Height}
	for y := range p.Height {
		for x := range p.Width {
			at := h.Apply(appliance.Point{X: float64(x), Y: float64(y)})
			out.Pix[int(at.Y)*out.Stride+min(int(at.X), out.Width-1)] = p.Pix[y*p.Stride+x]
		}
	}
	return out
}

// differing counts the pixels that are ink in one picture alone.
func differing(p, o vision.Plane) (n int) {
	for i := range p.Pix {
		if (p.Pix[i] < 128) != (o.Pix[i] < 128) {
			n++
		}
	}
	return n
}
