package line

import (
	"context"
	"math"
	"slices"

	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// The networks know print that is darker than its ground. Titles on dark bands and labels in dark boxes are lighter: they are found and
// read in the negative of the picture.

const (
	// darkAs is the share of a document's usual light under which its ground is dark.
	darkAs = 0.55
	// bandWide and bandHigh are the shares of the width and of the height of a document that a dark band or box takes at least: portraits
	// take less, and lines of print are no ground.
	bandWide, bandHigh = 0.3, 0.5
)

// darkGround reports whether a document has a band or a column of boxes on which only light print could be read.
func (v View) darkGround() bool {
	const w, h = 128, 81
	pix := make([]byte, w*h)
	if !vision.Warp(v.Dark, v.ToPicture.Mul(vision.Homography{v.Width / w, 0, 0, 0, v.Height / h, 0, 0, 0, 1}), w, h, pix) {
		return false
	}
	sorted := slices.Clone(pix)
	slices.Sort(sorted)
	limit := byte(darkAs * float64(sorted[len(sorted)/2]))
	longest := func(count, step, from int) (most int) {
		run := 0
		for i := range count {
			if run++; pix[from+i*step] > limit {
				run = 0
			}
			most = max(most, run)
		}
		return most
	}
	rows, columns := 0, 0
	for y := range h {
		if float64(longest(w, 1, y*w)) >= bandWide*w {
			rows++
		}
	}
	for x := range w {
		if float64(longest(h, w, x)) >= bandHigh*h {
			columns++
		}
	}
	const least = 2 // rows or columns; one is a rule or a shadow's edge
	return rows >= least || columns >= least
}

// WithLight adds the light print of a document to its lines, in the place of what was seen of it as dark print. detect finds
// the lines of a plane.
func (v View) WithLight(
	ctx context.Context, lines []text.Line, detect func(context.Context, vision.Plane) ([]text.Line, error),
) ([]text.Line, error) {
	light := func(l text.Line) bool { return LightPrint(v.Dark, v.ToPicture, l) }
	banded := v.darkGround()
	if !banded && !mostly(lines, light) {
		return v.withBoxes(ctx, lines, light, detect)
	}
	found, err := detect(ctx, v.Light())
	if err != nil {
		return nil, err
	}
	if !banded {
		for i := range found {
			found[i].Light = true
		}
		return found, nil
	}
	found = slices.DeleteFunc(found, func(l text.Line) bool { return !light(l) })
	lines = slices.DeleteFunc(lines, func(l text.Line) bool {
		return light(l) && slices.ContainsFunc(found, func(o text.Line) bool { return covered(l, o) > otherPrint })
	})
	for _, l := range found {
		if !slices.ContainsFunc(lines, func(o text.Line) bool { return covered(l, o) > otherPrint }) {
			l.Light = true
			lines = append(lines, l)
		}
	}
	return lines, nil
}

// fewestBoxes is how many boxes with light print tell a document whose labels stand in such.
const fewestBoxes = 3

// withBoxes adds the light print in boxes of dark ground to the lines of a document.
func (v View) withBoxes(
	ctx context.Context, lines []text.Line, light func(text.Line) bool, detect func(context.Context, vision.Plane) ([]text.Line, error),
) ([]text.Line, error) {
	boxes := darkBoxes(v.Dark, v.ToPicture, v.Width, v.Height)
	if len(boxes) < fewestBoxes {
		return lines, nil
	}
	found, err := detect(ctx, v.Light())
	if err != nil {
		return nil, err
	}
	found, boxes = inBoxes(found, boxes, fewestBoxes, light)
	return append(besideBoxes(lines, boxes), found...), nil
}

// otherPrint is how much of a line must lie on one of another look for the two to be the same print.
const otherPrint = 0.3

// covered is the share of a line that lies on another one.
func covered(l, o text.Line) float64 {
	shared := min(l.End.X, o.End.X) - max(l.Start.X, o.Start.X)
	if shared <= 0 || math.Abs(l.Middle().Y-o.Middle().Y) > 0.6*max(l.Height, o.Height) {
		return 0
	}
	return shared / max(l.End.X-l.Start.X, 1)
}

// mostly reports whether most of some lines, three of four, are something: on a document that is dark all over, no part is darker than
// usual.
func mostly(lines []text.Line, is func(text.Line) bool) bool {
	n := 0
	for _, l := range lines {
		if is(l) {
			n++
		}
	}
	return 4*n > 3*len(lines)
}
