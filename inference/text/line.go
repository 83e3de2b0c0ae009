package text

import (
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
)

// Line is the place of one text line: the ends of its centre line in reading direction and its height there, in
// pixels. Height is the glyph box: that of capitals and digits, or of the x-height band of other print.
type Line struct {
	Start, End appliance.Point
	Height     float64
	// Score is the mean probability of the cells of the line.
	Score float64
}

// Length returns the length of the centre line in pixels.
func (l Line) Length() float64 { return math.Hypot(l.End.X-l.Start.X, l.End.Y-l.Start.Y) }

// Zone is the place of a machine readable zone as a whole: its outline in reading direction.
type Zone struct {
	Quad  appliance.Quad
	Score float64 // mean probability of its cells
	Cells int
}

// coreShare is how much of the glyph height the network marks as the core of a line, by its training.
const coreShare = 0.5

// Zones returns the machine readable zones, the largest first.
func (m *Map) Zones() []Zone {
	var out []Zone
	for _, r := range m.regions(channelZone, 0.25, 0.5, 8) {
		f := m.frame(r)
		u0, u1, v0, v1 := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
		for _, cell := range r.cells {
			u, v := f.place(cell)
			u0, u1, v0, v1 = min(u0, u), max(u1, u), min(v0, v), max(v1, v)
		}
		const half = 0.5
		out = append(out, Zone{
			Quad: appliance.Quad{m.point(f, u0-half, v0-half), m.point(f, u1+half, v0-half),
				m.point(f, u1+half, v1+half), m.point(f, u0-half, v1+half)},
			Score: r.sum / float64(len(r.cells)),
			Cells: len(r.cells),
		})
	}
	slices.SortFunc(out, func(a, b Zone) int { return b.Cells - a.Cells })
	return out
}

// Lines returns the text lines in no particular order.
func (m *Map) Lines() []Line {
	var out []Line
	for _, r := range m.regions(channelText, 0.3, 0.5, 4) {
		if l, ok := m.line(r); ok {
			out = append(out, l)
		}
	}
	return out
}

// line fits a straight centre line through a region, column by column of its own frame, each column weighted by
// its probability, so that the fit is finer than a cell.
func (m *Map) line(r region) (Line, bool) {
	f := m.frame(r)
	var sw, su, sv, suu, suv float64
	u0, u1 := math.Inf(1), math.Inf(-1)
	for _, cell := range r.cells {
		u, v := f.place(cell)
		w := float64(m.at(cell, channelText))
		sw += w
		su += w * u
		sv += w * v
		suu += w * u * u
		suv += w * u * v
		u0, u1 = min(u0, u), max(u1, u)
	}
	length := u1 - u0 + 1
	if sw == 0 || length < 2 {
		return Line{}, false
	}
	slope := 0.0
	if d := suu*sw - su*su; d > 1e-9 {
		slope = (suv*sw - su*sv) / d
	}
	at := func(u float64) float64 { return sv/sw + slope*(u-su/sw) }
	return Line{
		Start:  m.point(f, u0-0.5, at(u0-0.5)),
		End:    m.point(f, u1+0.5, at(u1+0.5)),
		Height: sw / length / coreShare * m.cellY, // the two sides of a cell differ by rounding only
		Score:  sw / float64(len(r.cells)),
	}, true
}
