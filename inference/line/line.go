// Package line finds where lines of text and machine readable zones lie in a picture.
//
// Detector looks at a whole picture, at a part laid flat or at any scale. What it sees is a Map, from which follow the lines, of any
// script, and the zones. What stands on them package text reads.
package line

import (
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
)

// Zone is the place of a machine readable zone as a whole: its outline in reading direction, and its size in cells.
type Zone struct {
	Quad  appliance.Quad
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
		for _, cell := range r {
			u, v := f.place(cell)
			u0, u1, v0, v1 = min(u0, u), max(u1, u), min(v0, v), max(v1, v)
		}
		const half = 0.5
		out = append(out, Zone{
			Quad: appliance.Quad{
				m.point(f, u0-half, v0-half), m.point(f, u1+half, v0-half),
				m.point(f, u1+half, v1+half), m.point(f, u0-half, v1+half),
			},
			Cells: len(r),
		})
	}
	slices.SortFunc(out, func(a, b Zone) int { return b.Cells - a.Cells })
	return out
}

// Lines returns the text lines in no particular order.
func (m *Map) Lines() []text.Line {
	var out []text.Line
	for _, r := range m.regions(channelText, 0.3, 0.5, 4) {
		if l, ok := m.line(r); ok {
			out = append(out, l)
		}
	}
	return out
}

// line fits a parabola through a region in its own frame, each cell weighted by its probability, so that the fit is
// finer than a cell.
func (m *Map) line(r region) (text.Line, bool) {
	f := m.frame(r)
	var fit parabola
	u0, u1 := math.Inf(1), math.Inf(-1)
	for _, cell := range r {
		u, v := f.place(cell)
		fit.add(u, v, float64(m.at(cell, channelText)))
		u0, u1 = min(u0, u), max(u1, u)
	}
	length := u1 - u0 + 1
	if length < 2 {
		return text.Line{}, false
	}
	u0, u1 = u0-0.5, u1+0.5
	// A short line shows no bend, only the uneven ends of its region.
	at := fit.solve(length > 20)
	return text.Line{
		Start:  m.point(f, u0, at(u0)),
		End:    m.point(f, u1, at(u1)),
		Height: fit.weight / length / coreShare * m.cellY, // the two sides of a cell differ by rounding only
		Sag:    (at((u0+u1)/2) - (at(u0)+at(u1))/2) * m.cellY,
	}, true
}

// parabola gathers the sums of a weighted least-squares fit of v over u. It stays well conditioned because u counts
// from the centroid of the points.
type parabola struct {
	weight                       float64
	u, uu, uuu, uuuu, v, uv, uuv float64
}

func (p *parabola) add(u, v, w float64) {
	p.weight += w
	p.u += w * u
	p.uu += w * u * u
	p.uuu += w * u * u * u
	p.uuuu += w * u * u * u * u
	p.v += w * v
	p.uv += w * u * v
	p.uuv += w * u * u * v
}

// solve returns the fitted curve: a straight line unless it may bend.
func (p *parabola) solve(bend bool) func(u float64) float64 {
	mean := p.v / p.weight
	d := p.weight*p.uu - p.u*p.u
	if d < 1e-9 {
		return func(float64) float64 { return mean }
	}
	b := (p.weight*p.uv - p.u*p.v) / d
	a := (p.v - b*p.u) / p.weight
	if !bend {
		return func(u float64) float64 { return a + b*u }
	}
	// Gram-Schmidt: the quadratic part of u*u that neither the constant nor the slope explains.
	q1 := (p.weight*p.uuu - p.u*p.uu) / d
	q0 := (p.uu - q1*p.u) / p.weight
	norm := p.uuuu - q1*p.uuu - q0*p.uu
	if norm < 1e-9 {
		return func(u float64) float64 { return a + b*u }
	}
	c := (p.uuv - q1*p.uv - q0*p.v) / norm
	return func(u float64) float64 { return a + b*u + c*(u*u-q1*u-q0) }
}
