package text

import (
	"math"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// Line is the place of one text line: the ends of its centre line in reading direction and its height there, in
// pixels. Height is the glyph box: that of capitals and digits, or of the x-height band of other text.
type Line struct {
	Start, End appliance.Point
	Height     float64
	// Sag is how far the middle of the line lies below the straight between its ends, in pixels: paper bends.
	Sag float64
	// CutStart and CutEnd tell that more of the text goes on beyond an end, which is no part of the line: what a recogniser sees there is
	// not read.
	CutStart, CutEnd bool
	// Light tells that the text is lighter than its ground. The readers know dark text: they are shown the negative.
	Light bool
	// Sought tells that no detector saw the line: text is looked for there, and may stand in a part of it alone.
	Sought bool
}

// Length returns the length of the centre line in pixels.
func (l Line) Length() float64 { return math.Hypot(l.End.X-l.Start.X, l.End.Y-l.Start.Y) }

// Slope is by how much the line falls for each pixel to the right.
func (l Line) Slope() float64 { return (l.End.Y - l.Start.Y) / max(l.End.X-l.Start.X, 1) }

// Middle is the middle of a line, which bends as a parabola does.
func (l Line) Middle() appliance.Point {
	return appliance.Point{X: (l.Start.X + l.End.X) / 2, Y: (l.Start.Y+l.End.Y)/2 + l.Sag*2/3}
}

// Turned returns the same place read from its other end, upside down.
func (l Line) Turned() Line {
	l.Start, l.End, l.Sag = l.End, l.Start, -l.Sag
	return l
}

// Between is what lies of the line between two shares of its length. Its Sag stays.
func (l Line) Between(from, to float64) Line {
	start, end := vision.Between(l.Start, l.End, from), vision.Between(l.Start, l.End, to)
	l.Start, l.End, l.CutStart, l.CutEnd = start, end, from > 0, to < 1
	return l
}

// Quad returns the outline of the glyph boxes: top left, top right, bottom right, bottom left of the upright line.
func (l Line) Quad() appliance.Quad {
	k := l.Height / 2 / max(l.Length(), 1e-9)
	dx, dy := -(l.End.Y-l.Start.Y)*k, (l.End.X-l.Start.X)*k // half a height down the upright line
	return appliance.Quad{
		{X: l.Start.X - dx, Y: l.Start.Y - dy},
		{X: l.End.X - dx, Y: l.End.Y - dy},
		{X: l.End.X + dx, Y: l.End.Y + dy},
		{X: l.Start.X + dx, Y: l.Start.Y + dy},
	}
}

// Bend returns how far below the straight between its ends a line lies at a share of its length.
func (l Line) Bend(share float64) float64 { return 4 * l.Sag * share * (1 - share) }

// Moves says how Moved makes another line, as long, of a line.
func (l Line) Moves(to Line) (down, higher float64) {
	dx, dy := (l.End.X-l.Start.X)/max(l.Length(), 1e-9), (l.End.Y-l.Start.Y)/max(l.Length(), 1e-9)
	return ((to.Start.Y-l.Start.Y)*dx - (to.Start.X-l.Start.X)*dy) / l.Height, to.Height / l.Height
}

// Moved is the line so many of its heights further down, and so many times as high.
func (l Line) Moved(down, higher float64) Line {
	k := down * l.Height / max(l.Length(), 1e-9)
	dx, dy := -(l.End.Y-l.Start.Y)*k, (l.End.X-l.Start.X)*k
	l.Start, l.End = appliance.Point{X: l.Start.X + dx, Y: l.Start.Y + dy}, appliance.Point{X: l.End.X + dx, Y: l.End.Y + dy}
	l.Height *= higher
	return l
}

// Shifted is the line so many pixels further right and down.
func (l Line) Shifted(x, y float64) Line {
	l.Start, l.End = appliance.Point{X: l.Start.X + x, Y: l.Start.Y + y}, appliance.Point{X: l.End.X + x, Y: l.End.Y + y}
	return l
}

// Place returns how far a point lies along a line from its start, and how far below its centre line.
func (l Line) Place(p appliance.Point) (along, across float64) {
	length := max(l.Length(), 1e-6)
	cos, sin := (l.End.X-l.Start.X)/length, (l.End.Y-l.Start.Y)/length
	x, y := p.X-l.Start.X, p.Y-l.Start.Y
	return x*cos + y*sin, y*cos - x*sin
}
