package zone

import (
	"cmp"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/mrz"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// ICAO 9303 fixes the geometry of a machine readable zone in any size of document. One unit here is the pitch of
// the characters, 2.54 mm.
const (
	pitchMM    = 2.54
	lineGap    = 6.35 / pitchMM // from line to line
	capitals   = 2.4 / pitchMM  // height of the glyphs
	glyphInset = 0.08           // from the edge of a character's cell to its ink
)

// block is a machine readable zone placed in the picture: h maps units to pixels, with x = 0 at the left edge of
// the first character's cell and y = 0 on the centre of the first line.
type block struct {
	h     vision.Homography
	lines int
	width int     // characters in a line
	sag   float64 // how far the middle of a line lies below the straight between its ends
}

// quad returns the outline of characters start to end of a line in the picture.
func (b block) quad(line, start, end int) appliance.Quad {
	y := float64(line)*lineGap + b.bend(float64(start+end)/2)
	const half = capitals * 0.6
	return b.outline(float64(start), y-half, float64(end), y+half)
}

func (b block) outline(x0, y0, x1, y1 float64) appliance.Quad {
	return b.h.ApplyQuad(vision.RectQuad(x0, y0, x1, y1))
}

// middle is the middle of the zone in the picture.
func (b block) middle() appliance.Point {
	return b.h.Apply(appliance.Point{X: float64(b.width) / 2, Y: float64(b.lines-1) * lineGap / 2})
}

// page extends the zone to the outline of a TD3 data page, 125 x 88 mm, whose zone begins 6 mm from the left edge
// with its lower line centred 9.4 mm above the bottom edge.
func (b block) page() appliance.Quad {
	bottom := float64(b.lines-1)*lineGap + 9.4/pitchMM
	return b.outline(-6/pitchMM, bottom-88/pitchMM, (125-6)/pitchMM, bottom)
}

// bend returns how far a line lies below its straight at a place along it: paper bends like a parabola.
func (b block) bend(x float64) float64 {
	t := x / float64(b.width)
	return 4 * b.sag * t * (1 - t)
}

// flat is the sag, in units, up to which a line counts as straight. The recogniser stands several times as much.
const flat = 0.08

// view says how much wider and higher than usual a strip shows the characters of a line.
type view struct{ x, y float64 }

// strip returns the maps from the recogniser's strip to the picture for one line.
func (b block) strip(line int, v view) []vision.Homography {
	ux, uy := 1/(stripPitch*v.x), 1/(stripPitch*v.y)
	left, top := stripMargin*ux, float64(line)*lineGap-stripHeight/2*uy
	at := func(slope, y float64) vision.Homography {
		return b.h.Mul(vision.Homography{
			ux, 0, -left,
			slope * ux, uy, y,
			0, 0, 1,
		})
	}
	if math.Abs(b.sag) < flat {
		return []vision.Homography{at(0, top)}
	}
	piece := stripWidth / stripPieces * ux
	maps := make([]vision.Homography, stripPieces)
	for i := range maps {
		x := float64(i) * piece
		y0, y1 := b.bend(x-left), b.bend(x-left+piece)
		slope := (y1 - y0) / piece
		maps[i] = at(slope, top+y0-slope*x)
	}
	return maps
}

// turned is the same block read upside down.
func (b block) turned() block {
	b.h = b.h.Mul(vision.Homography{-1, 0, float64(b.width), 0, -1, float64(b.lines-1) * lineGap, 0, 0, 1})
	b.sag = -b.sag
	return b
}

// resized is the same place read as lines of another width.
func (b block) resized(width int) block {
	k := float64(b.width) / float64(width)
	b.h = b.h.Mul(vision.Homography{k, 0, 0, 0, 1, 0, 0, 0, 1})
	b.width = width
	return b
}

// place makes a block from the centre lines of its first and last line.
func place(first, last text.Line, lines, width int) (block, bool) {
	x0, x1, y1 := glyphInset, float64(width)-glyphInset, float64(lines-1)*lineGap
	// A quad maps from a rectangle that begins at the origin; the shift puts the cell edge there.
	h, ok := vision.RectToQuad(x1-x0, y1, appliance.Quad{first.Start, first.End, last.End, last.Start})
	if !ok {
		return block{}, false
	}
	gap := math.Hypot(first.Start.X-last.Start.X, first.Start.Y-last.Start.Y) + math.Hypot(first.End.X-last.End.X, first.End.Y-last.End.Y)
	return block{
		h:     h.Mul(vision.Homography{1, 0, -x0, 0, 1, 0, 0, 0, 1}),
		lines: lines, width: width,
		sag: (first.Sag + last.Sag) / gap * y1,
	}, true
}

// blocks proposes how the rows and the outline that the detector saw make up a machine readable zone, the likeliest
// first: the rows themselves, then the outline cut into two and into three rows.
func blocks(rows []text.Line, zone appliance.Quad) []block {
	var out []block
	if len(rows) == 2 || len(rows) == 3 {
		rows = evenEnds(rows)
		if b, ok := place(rows[0], rows[len(rows)-1], len(rows), widthOf(rows)); ok {
			out = append(out, b)
		}
	}
	for _, shape := range [][2]int{{2, mrz.TD3.Width()}, {3, mrz.TD1.Width()}} {
		high := float64(shape[0]-1)*lineGap + capitals
		inset := capitals / 2 / high
		first := text.Line{Start: vision.Between(zone[0], zone[3], inset), End: vision.Between(zone[1], zone[2], inset)}
		last := text.Line{Start: vision.Between(zone[3], zone[0], inset), End: vision.Between(zone[2], zone[1], inset)}
		if b, ok := place(first, last, shape[0], shape[1]); ok {
			out = append(out, b)
		}
	}
	return out
}

// widthOf tells 44 characters a line from 36 by the ratio of length to line gap, which is 17.6 and 14.4 on paper.
// Tilt blurs it, so the reader tries the other width too.
func widthOf(rows []text.Line) int {
	if len(rows) == 3 {
		return mrz.TD1.Width()
	}
	gap := math.Hypot(rows[1].Start.X-rows[0].Start.X, rows[1].Start.Y-rows[0].Start.Y)
	if gap > 0 && rows[0].Length()/gap < 15.5 {
		return mrz.TD2.Width()
	}
	return mrz.TD3.Width()
}

// axis measures along and across the reading direction of a zone.
type axis struct{ x, y, cos, sin float64 }

func axisOf(q appliance.Quad) axis {
	dx, dy := q[1].X-q[0].X+q[2].X-q[3].X, q[1].Y-q[0].Y+q[2].Y-q[3].Y
	n := max(math.Hypot(dx, dy), 1e-9)
	return axis{x: q[0].X, y: q[0].Y, cos: dx / n, sin: dy / n}
}

func (a axis) along(p appliance.Point) float64  { return (p.X-a.x)*a.cos + (p.Y-a.y)*a.sin }
func (a axis) across(p appliance.Point) float64 { return (p.Y-a.y)*a.cos - (p.X-a.x)*a.sin }

// joinRows picks the lines of a zone and joins pieces of the same row, top row first. A line belongs to the zone when
// it crosses the zone's middle, drawn out if need be, between its upper and lower edge: the zone itself may have been
// seen in part. Rows that are much shorter than the longest are no lines of a zone.
func joinRows(lines []text.Line, zone appliance.Quad) []text.Line {
	a := axisOf(zone)
	centre := appliance.Point{X: (zone[0].X + zone[2].X) / 2, Y: (zone[0].Y + zone[2].Y) / 2}
	u, v := a.along(centre), a.across(centre)
	half := math.Hypot(zone[3].X-zone[0].X, zone[3].Y-zone[0].Y) * 0.6
	var in []text.Line
	for _, l := range lines {
		if a.along(l.End) > a.along(l.Start) && math.Abs(a.crossing(l, u)-v) < half {
			in = append(in, l)
		}
	}
	slices.SortFunc(in, func(x, y text.Line) int { return cmp.Compare(a.crossing(x, u), a.crossing(y, u)) })
	var rows []text.Line
	for _, l := range in {
		if n := len(rows); n > 0 && apart(a, rows[n-1], l) < 0.7*max(l.Height, rows[n-1].Height) {
			rows[n-1] = join(a, rows[n-1], l)
			continue
		}
		rows = append(rows, l)
	}
	longest := 0.0
	for _, r := range rows {
		longest = max(longest, r.Length())
	}
	return slices.DeleteFunc(rows, func(r text.Line) bool { return r.Length() < 0.6*longest })
}

// pairs returns the outlines of the longest pairs of lines that lie to each other like neighbouring lines of a zone:
// parallel, equally long, their ends level, and 10 to 24 times as long as they are apart, tilt included.
func pairs(lines []text.Line) []appliance.Quad {
	var out []appliance.Quad
	slices.SortFunc(lines, func(x, y text.Line) int { return cmp.Compare(y.Length(), x.Length()) })
	for i, l := range lines {
		a := axisOf(appliance.Quad{l.Start, l.End, l.End, l.Start})
		for _, r := range lines[i+1:] {
			length := l.Length()
			gap := (a.across(r.Start) + a.across(r.End)) / 2
			level := math.Abs(a.along(r.Start)) < 0.06*length && math.Abs(a.along(r.End)-length) < 0.06*length
			parallel := math.Abs(a.across(r.End)-a.across(r.Start)) < 0.05*length
			if !level || !parallel || length < 10*math.Abs(gap) || length > 24*math.Abs(gap) {
				continue
			}
			q := appliance.Quad{l.Start, l.End, r.End, r.Start}
			if gap < 0 {
				q = appliance.Quad{r.Start, r.End, l.End, l.Start}
			}
			if out = append(out, q); len(out) == manyPairs {
				return out
			}
		}
	}
	return out
}

// crossing returns how far across a line, drawn out, passes at a place along.
func (a axis) crossing(l text.Line, along float64) float64 {
	u0, u1 := a.along(l.Start), a.along(l.End)
	v0, v1 := a.across(l.Start), a.across(l.End)
	return v0 + (v1-v0)*(along-u0)/(u1-u0)
}

// apart is how far across the reading direction the nearer ends of two lines lie from each other.
func apart(a axis, l, r text.Line) float64 {
	if a.along(l.Start) > a.along(r.Start) {
		l, r = r, l
	}
	if a.along(r.Start) < a.along(l.End)-l.Height { // side by side they are not, so they are different rows
		return math.Abs(a.across(l.Start)+a.across(l.End)-a.across(r.Start)-a.across(r.End)) / 2
	}
	return math.Abs(a.across(l.End) - a.across(r.Start))
}

func join(a axis, l, r text.Line) text.Line {
	if a.along(r.Start) < a.along(l.Start) {
		l.Start = r.Start
	}
	if a.along(r.End) > a.along(l.End) {
		l.End = r.End
	}
	l.Height = max(l.Height, r.Height)
	l.Sag = 0 // the pieces do not tell
	return l
}

// evenEnds gives all rows the same length. On paper they have it, and the strongest tilt makes neighbouring rows differ by
// two per cent, so a row that is shorter lost a character or more in the picture or in the detector. It lost
// it at the end that lies further from the longest row's.
func evenEnds(rows []text.Line) []text.Line {
	longest := slices.MaxFunc(rows, func(x, y text.Line) int { return cmp.Compare(x.Length(), y.Length()) })
	out := slices.Clone(rows)
	for i, r := range rows {
		if r.Length() > (1-0.02*float64(len(rows)-1))*longest.Length() {
			continue
		}
		a := axisOf(appliance.Quad{r.Start, r.End, r.End, r.Start})
		first, last := a.along(longest.Start), a.along(longest.End)-r.Length()
		if math.Abs(first) <= math.Abs(last) {
			out[i].End = vision.Between(r.Start, r.End, longest.Length()/r.Length())
		} else {
			out[i].Start = vision.Between(r.End, r.Start, longest.Length()/r.Length())
		}
	}
	return out
}
