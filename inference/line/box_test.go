package line

import (
	"math"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// sheet is a light document of 400 x 200 units, as many pixels, with dark rectangles and, in some of them, a light row.
func sheet(dark, light []Box) vision.Plane {
	const width, height, paper, ground = 400, 200, 220, 60
	p := vision.Plane{Pix: make([]byte, width*height), Width: width, Height: height, Stride: width}
	for i := range p.Pix {
		p.Pix[i] = paper
	}
	for k, boxes := range [2][]Box{dark, light} {
		for _, b := range boxes {
			for y := int(b.top); y < int(b.bottom); y++ {
				for x := int(b.left); x < int(b.right); x++ {
					p.Pix[y*width+x] = [2]byte{ground, paper}[k]
				}
			}
		}
	}
	return p
}

// row is a level line of a height.
func row(left, right, y, height float64) text.Line {
	return text.Line{Start: appliance.Point{X: left, Y: y}, End: appliance.Point{X: right, Y: y}, Height: height}
}

// Property: what is dark ground about as high as a line of print, longer than high and full, with its edges, and shows light print is a
// box that may hold a label; strokes, frames, portraits, bands and what is thick at one edge alone, as bold letters are, are none.
func TestDarkBoxes(t *testing.T) {
	for name, test := range map[string]struct {
		dark, light []Box
		want        int
	}{
		"with print":          {[]Box{{300, 40, 360, 56}}, []Box{{306, 46, 326, 51}}, 1},
		"two":                 {[]Box{{300, 40, 360, 56}, {300, 80, 340, 96}}, []Box{{306, 46, 326, 51}, {310, 86, 324, 91}}, 2},
		"without print":       {[]Box{{300, 40, 360, 56}}, nil, 0},
		"a stroke":            {[]Box{{300, 40, 360, 43}}, nil, 0},
		"a frame":             {[]Box{{300, 40, 360, 56}}, []Box{{302, 42, 358, 54}}, 0},
		"a portrait":          {[]Box{{300, 40, 360, 120}}, nil, 0},
		"a band":              {[]Box{{0, 40, 400, 56}}, nil, 0},
		"as high as long":     {[]Box{{300, 40, 316, 56}}, nil, 0},
		"thick at one edge":   {[]Box{{300, 50, 340, 60}, {300, 40, 318, 50}}, nil, 0},
		"nothing":             {nil, nil, 0},
		"dark all over, none": {[]Box{{0, 0, 400, 200}}, nil, 0},
	} {
		if got := darkBoxes(sheet(test.dark, test.light), vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}, 400, 200); len(got) != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Property: light print in boxes is that seen there, cut at their ends, and a line in those as high in which none was seen; where too few
// show light print there are no such boxes, and what is no light print, or stands beside them, shows none.
func TestInBoxes(t *testing.T) {
	boxes := []Box{{300, 40, 360, 56}, {300, 80, 360, 96}, {300, 120, 340, 136}, {100, 120, 160, 150}}
	light := func(l text.Line) bool { return l.Height < 10 }
	seen := []text.Line{row(304, 380, 48, 8), row(304, 356, 88, 8)}
	print, labels := inBoxes(seen, boxes, 2, light)
	if len(print) != 3 || len(labels) != 3 {
		t.Fatalf("%v in %v", print, labels)
	}
	for i, want := range []text.Line{row(304, 360, 48, 8), row(304, 356, 88, 8), row(304, 336, 128, 8)} {
		if want.Light = true; print[i] != want {
			t.Errorf("line %d: %v, want %v", i, print[i], want)
		}
	}
	for name, lines := range map[string][]text.Line{
		"one":         seen[:1],
		"dark print":  {seen[0], row(304, 356, 88, 11)},
		"beside it":   {seen[0], row(200, 290, 88, 8)},
		"another row": {seen[0], row(304, 356, 105, 8)},
		"none":        nil,
	} {
		if print, labels := inBoxes(lines, boxes, 2, light); len(print)+len(labels) > 0 {
			t.Errorf("%s: %v in %v", name, print, labels)
		}
	}
}

// Property: lines of dark print end at boxes, and go on behind them; scraps are left out, other rows stay.
func TestBesideBoxes(t *testing.T) {
	boxes := []Box{{300, 40, 360, 56}, {100, 40, 140, 56}}
	for name, test := range map[string]struct{ line, want []text.Line }{
		"into a box":   {[]text.Line{row(200, 340, 48, 8)}, []text.Line{row(200, 300, 48, 8)}},
		"across a box": {[]text.Line{row(20, 240, 48, 8)}, []text.Line{row(20, 100, 48, 8), row(140, 240, 48, 8)}},
		"inside":       {[]text.Line{row(305, 350, 48, 8)}, nil},
		"a scrap":      {[]text.Line{row(296, 350, 48, 8)}, nil},
		"another row":  {[]text.Line{row(200, 340, 70, 8)}, []text.Line{row(200, 340, 70, 8)}},
	} {
		got := besideBoxes(test.line, boxes)
		if len(got) != len(test.want) {
			t.Errorf("%s: %v", name, got)
			continue
		}
		for i := range got {
			off := max(math.Abs(got[i].Start.X-test.want[i].Start.X), math.Abs(test.want[i].End.X-got[i].End.X))
			if off > 0.01 || got[i].CutStart || got[i].CutEnd {
				t.Errorf("%s: %v, want %v", name, got[i], test.want[i])
			}
		}
	}
}
