package page

import (
	"cmp"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
)

// Row is print on one height: its pieces from left to right, each a line without a wide gap.
type Row []text.Line

// What the detector sees of print, in heights of its letters unless said otherwise.
const (
	// leastGlyph and greatestGlyph are the heights of print in the view: 0.6 to 7 mm. Lower print counts as raisedGlyph high: words of
	// low letters look lower than they are.
	leastGlyph, raisedGlyph, greatestGlyph = 3.55, 6.1, 42.0
	// leastLength is how long print is at least; steepest the slope up to which it is print of an upright document.
	leastLength, steepest = 0.7, 0.25
	// directed is from which length on print tells its direction.
	directed = 6
	// sameLevel is how far two pieces of one row may lie apart, wordGap the gap up to which they are one line of words, of which one
	// is at most sameHeight times as high.
	sameLevel, wordGap, sameHeight = 0.55, 2.2, 1.6
)

// Middle is the middle of a line.
func Middle(l text.Line) appliance.Point {
	return appliance.Point{X: (l.Start.X + l.End.X) / 2, Y: (l.Start.Y+l.End.Y)/2 + l.Sag*2/3}
}

// rowsOf sorts the print of a view into rows and joins the pieces of each that only a word gap parts.
func rowsOf(lines []text.Line, width, height float64) []Row {
	pieces := print(lines, width, height)
	slope := slopeOf(pieces)
	for i, l := range pieces {
		m, rise := Middle(l), slope*(l.End.X-l.Start.X)/2
		l.Start.Y, l.End.Y, l.Sag = m.Y-rise, m.Y+rise, 0
		pieces[i] = l
	}
	// The longest pieces open the rows, so that a scrap between two lines cannot draw them together.
	slices.SortStableFunc(pieces, func(a, b text.Line) int { return cmp.Compare(b.Length(), a.Length()) })
	var rows []Row
	for _, l := range pieces {
		if i := slices.IndexFunc(rows, func(r Row) bool { return OnRow(r, func(o text.Line) text.Line { return o }, l) }); i >= 0 {
			rows[i] = append(rows[i], l)
			continue
		}
		rows = append(rows, Row{l})
	}
	for i, r := range rows {
		slices.SortFunc(r, func(a, b text.Line) int { return cmp.Compare(a.Start.X, b.Start.X) })
		rows[i] = r.joined()
	}
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(a.Y(), b.Y()) })
	return rows
}

// print are the lines that may be print of the document: not too small, too large, too short, or steep. Short ones do not tell
// their direction.
func print(lines []text.Line, width, height float64) (out []text.Line) {
	for _, l := range lines {
		if l.Height < raisedGlyph && l.Height >= leastGlyph {
			l.Height = raisedGlyph
		}
		m, dx := Middle(l), l.End.X-l.Start.X
		if l.Height < leastGlyph || l.Height > greatestGlyph || dx < leastLength*l.Height ||
			math.Abs(l.End.Y-l.Start.Y) > steepest*dx || m.Y < 0 || m.Y > height || l.End.X < 0 || l.Start.X > width {
			continue
		}
		if dx < directed*l.Height {
			l.Start.Y, l.End.Y, l.Sag = m.Y, m.Y, 0
		}
		out = append(out, l)
	}
	return out
}

// slopeOf is the slope of print: the median of its longer pieces, by their length, as far as it is more than their letters explain.
func slopeOf(pieces []text.Line) float64 {
	const level = 0.012
	var long []text.Line
	total := 0.0
	for _, l := range pieces {
		if l.Length() > directed*l.Height {
			long, total = append(long, l), total+l.Length()
		}
	}
	slope := func(l text.Line) float64 { return (l.End.Y - l.Start.Y) / (l.End.X - l.Start.X) }
	slices.SortFunc(long, func(a, b text.Line) int { return cmp.Compare(slope(a), slope(b)) })
	sum := 0.0
	for _, l := range long {
		if sum += l.Length(); sum >= total/2 {
			return slope(l) - max(-level, min(level, slope(l)))
		}
	}
	return 0
}

// OnRow reports whether a straight line lies on a row of pieces, at least one: level with the nearest of them, drawn out, and beside all.
func OnRow[P any](row []P, line func(P) text.Line, l text.Line) bool {
	nearest, least := text.Line{}, math.Inf(1)
	for _, p := range row {
		o := line(p)
		overlap := min(l.End.X, o.End.X) - max(l.Start.X, o.Start.X)
		if overlap > 0.3*min(l.Length(), o.Length()) {
			return false
		}
		if -overlap < least {
			nearest, least = o, -overlap
		}
	}
	slope := (nearest.End.Y - nearest.Start.Y) / max(nearest.End.X-nearest.Start.X, 1)
	level := nearest.Start.Y + slope*((l.Start.X+l.End.X)/2-nearest.Start.X)
	return math.Abs((l.Start.Y+l.End.Y)/2-level) < sameLevel*max(min(l.Height, nearest.Height), max(l.Height, nearest.Height)/2)
}

// joined puts together what only a word gap parts and what is equally high.
func (r Row) joined() Row {
	out := r[:1:1]
	for _, l := range r[1:] {
		last := &out[len(out)-1]
		high, low := max(last.Height, l.Height), min(last.Height, l.Height)
		if l.Start.X-last.End.X < wordGap*high && high < sameHeight*low && last.Light == l.Light {
			last.End, last.Height = l.End, (last.Height*last.Length()+l.Height*l.Length())/(last.Length()+l.Length())
			continue
		}
		out = append(out, l)
	}
	return out
}

// Y is the mean height of the row's pieces, by their length.
func (r Row) Y() float64 {
	sum, weight := 0.0, 0.0
	for _, l := range r {
		sum, weight = sum+Middle(l).Y*l.Length(), weight+l.Length()
	}
	return sum / max(weight, 1e-9)
}
