package page

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/line"
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

// Detect finds the lines of a view, scale pixels of the detector's for one of the view, light print too: that on dark bands, or all of it.
func (v View) Detect(ctx context.Context, d *line.Detector) ([]text.Line, error) {
	scale := v.detectorScale()
	look := func(ctx context.Context, luma vision.Plane) ([]text.Line, error) {
		m, err := d.DetectAt(ctx, luma, v.ToPicture, v.Width, v.Height, scale)
		if err != nil {
			return nil, fmt.Errorf("find lines: %w", err)
		}
		return m.Lines(), nil
	}
	lines, err := look(ctx, v.Dark)
	if err != nil {
		return nil, err
	}
	return v.WithLight(ctx, lines, look)
}

// WithLight adds the light print of a document to its lines, in the place of what was seen of it as dark print. detect finds
// the lines of a plane.
func (v View) WithLight(
	ctx context.Context, lines []text.Line, detect func(context.Context, vision.Plane) ([]text.Line, error),
) ([]text.Line, error) {
	light := func(l text.Line) bool { return line.LightPrint(v.Dark, v.ToPicture, l) }
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
	boxes := line.DarkBoxes(v.Dark, v.ToPicture, v.Width, v.Height)
	if len(boxes) < fewestBoxes {
		return lines, nil
	}
	found, err := detect(ctx, v.Light())
	if err != nil {
		return nil, err
	}
	found, boxes = line.InBoxes(found, boxes, fewestBoxes, light)
	return append(line.BesideBoxes(lines, boxes), found...), nil
}

// otherPrint is how much of a line must lie on one of another look for the two to be the same print.
const otherPrint = 0.3

// covered is the share of a line that lies on another one.
func covered(l, o text.Line) float64 {
	shared := min(l.End.X, o.End.X) - max(l.Start.X, o.Start.X)
	if shared <= 0 || math.Abs(Middle(l).Y-Middle(o).Y) > 0.6*max(l.Height, o.Height) {
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

// Lay lays a document of a size flat that a quad outlines in a picture, its first corner at the top left.
func Lay(p *appliance.Picture, q appliance.Quad, size Size) (View, bool) {
	luma := vision.Luma(p)
	width, height := math.Round(size.Long*unitsPerMM), math.Round(size.Short*unitsPerMM)
	if side(q, 0)+side(q, 2) < side(q, 1)+side(q, 3) {
		width, height = height, width
	}
	h, ok := vision.RectToQuad(width, height, q)
	light := func() vision.Plane { return vision.Negative(luma) }
	return View{Width: width, Height: height, ToPicture: h, Dark: luma, Light: light, Print: size.Print}, ok
}

// side is the length of the i-th side of a quad.
func side(q appliance.Quad, i int) float64 {
	a, b := q[i], q[(i+1)%len(q)]
	return math.Hypot(b.X-a.X, b.Y-a.Y)
}

// detectorScale is how many pixels of the line detector a unit of the view becomes: on a bank card, whose print is as small as that of
// licences, cardScale; on sheets, which have larger print, less.
func (v View) detectorScale() float64 {
	const cardScale, leastScale = 1.75, 1.0
	return max(leastScale, cardScale/max(1, v.Print)*min(1, math.Sqrt(cardWidth*cardHeight/(v.Width*v.Height))))
}
