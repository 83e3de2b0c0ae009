package page

import (
	"cmp"
	"math"
	"slices"

	"github.com/bawab/bawab/inference/text"
)

// Row is print on one height: its pieces from left to right, each a line without a wide gap.
type Row []text.Line

// rowsOf sorts the print of a view into rows and joins the pieces of each that only a word gap parts.
func (j *Judged) rowsOf(lines []text.Line, width, height float64) []Row {
	pieces := j.print(lines, width, height)
	slope := j.slopeOf(pieces)
	for i, l := range pieces {
		m, rise := l.Middle(), slope*(l.End.X-l.Start.X)/2
		l.Start.Y, l.End.Y, l.Sag = m.Y-rise, m.Y+rise, 0
		pieces[i] = l
	}
	// The longest pieces open the rows, so that a scrap between two lines cannot draw them together.
	slices.SortStableFunc(pieces, func(a, b text.Line) int { return cmp.Compare(b.Length(), a.Length()) })
	var rows []Row
	for _, l := range pieces {
		if i := slices.IndexFunc(rows, func(r Row) bool { return j.onRow(r, l) }); i >= 0 {
			rows[i] = append(rows[i], l)
			continue
		}
		rows = append(rows, Row{l})
	}
	for i, r := range rows {
		slices.SortFunc(r, func(a, b text.Line) int { return cmp.Compare(a.Start.X, b.Start.X) })
		rows[i] = j.joined(r)
	}
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(a.Y(), b.Y()) })
	return rows
}

// print are the lines that may be print of the document: not too small, too large, too short, or steep. Short ones do not tell
// their direction.
func (j *Judged) print(lines []text.Line, width, height float64) (out []text.Line) {
	for _, l := range lines {
		if l.Height < j.RaisedGlyph && l.Height >= j.LeastGlyph {
			l.Height = j.RaisedGlyph
		}
		m, dx := l.Middle(), l.End.X-l.Start.X
		if l.Height < j.LeastGlyph || l.Height > j.GreatestGlyph || dx < j.LeastLength*l.Height ||
			math.Abs(l.End.Y-l.Start.Y) > j.Steepest*dx || m.Y < 0 || m.Y > height || l.End.X < 0 || l.Start.X > width {
			continue
		}
		if dx < j.Directed*l.Height {
			l.Start.Y, l.End.Y, l.Sag = m.Y, m.Y, 0
		}
		out = append(out, l)
	}
	return out
}

// slopeOf is the slope of print: the median of its longer pieces, by their length, as far as it is more than their letters explain.
func (j *Judged) slopeOf(pieces []text.Line) float64 {
	var long []text.Line
	total := 0.0
	for _, l := range pieces {
		if l.Length() > j.Directed*l.Height {
			long, total = append(long, l), total+l.Length()
		}
	}
	slices.SortFunc(long, func(a, b text.Line) int { return cmp.Compare(a.Slope(), b.Slope()) })
	sum := 0.0
	for _, l := range long {
		if sum += l.Length(); sum >= total/2 {
			return l.Slope() - max(-j.LevelSlope, min(j.LevelSlope, l.Slope()))
		}
	}
	return 0
}

// onRow reports whether a straight line lies on a row of pieces, at least one: level with the nearest of them, drawn out, and beside all.
func (j *Judged) onRow(row Row, l text.Line) bool {
	nearest, least := text.Line{}, math.Inf(1)
	for _, o := range row {
		overlap := min(l.End.X, o.End.X) - max(l.Start.X, o.Start.X)
		if overlap > j.RowOverlap*min(l.Length(), o.Length()) {
			return false
		}
		if -overlap < least {
			nearest, least = o, -overlap
		}
	}
	level := nearest.Start.Y + nearest.Slope()*((l.Start.X+l.End.X)/2-nearest.Start.X)
	return math.Abs((l.Start.Y+l.End.Y)/2-level) < j.RowLevel*max(min(l.Height, nearest.Height), max(l.Height, nearest.Height)/2)
}

// joined puts together what only a word gap parts and what is equally high.
func (j *Judged) joined(r Row) Row {
	out := r[:1:1]
	for _, l := range r[1:] {
		last := &out[len(out)-1]
		high, low := max(last.Height, l.Height), min(last.Height, l.Height)
		if l.Start.X-last.End.X < j.WordGap*high && high < j.SameHeight*low && last.Light == l.Light {
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
		sum, weight = sum+l.Middle().Y*l.Length(), weight+l.Length()
	}
	return sum / max(weight, 1e-9)
}
