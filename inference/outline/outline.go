package outline

import (
	"math"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/sheet"
	"github.com/bawab/bawab/inference/vision"
)

// outline collects into s.contour the points, in input pixels, at which the core of a region falls through level,
// between its cells and their neighbours. Where the picture ends, the document need not.
func (s *finderScratch) outline(cells []int, level float64) {
	s.contour = s.contour[:0]
	for _, cell := range cells {
		x, y := cell%finderGrid, cell/finderGrid
		here := s.cell(x, y, channelCore)
		for _, d := range [4][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			nx, ny := x+d[0], y+d[1]
			if nx < 0 || ny < 0 || nx >= finderGrid || ny >= finderGrid || !s.shown[ny*finderGrid+nx] {
				continue
			}
			there := s.cell(nx, ny, channelCore)
			if there >= level {
				continue
			}
			t := (here - level) / (here - there)
			s.contour = append(s.contour, appliance.Point{
				X: (float64(x) + 0.5 + t*float64(d[0])) * finderCell, Y: (float64(y) + 0.5 + t*float64(d[1])) * finderCell,
			})
		}
	}
}

// tightRectangle returns the smallest rectangle about the cells of a region, in any of its four orientations.
func tightRectangle(cells []int) appliance.Quad {
	const steps = 30 // the sides are fitted afterwards
	var best appliance.Quad
	least := math.Inf(1)
	for k := range steps {
		sin, cos := math.Sincos(math.Pi / 2 * float64(k) / steps)
		lowU, highU, lowV, highV := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
		for _, cell := range cells {
			x, y := (float64(cell%finderGrid)+0.5)*finderCell, (float64(cell/finderGrid)+0.5)*finderCell
			a, b := x*cos+y*sin, y*cos-x*sin
			lowU, highU, lowV, highV = min(lowU, a), max(highU, a), min(lowV, b), max(highV, b)
		}
		if area := (highU - lowU) * (highV - lowV); area < least {
			least = area
			const half = finderCell / 2.0
			lowU, highU, lowV, highV = lowU-half, highU+half, lowV-half, highV+half
			for i, uv := range [4][2]float64{{lowU, lowV}, {highU, lowV}, {highU, highV}, {lowU, highV}} {
				best[i] = appliance.Point{X: uv[0]*cos - uv[1]*sin, Y: uv[0]*sin + uv[1]*cos}
			}
		}
	}
	return best
}

// The rim that the core leaves free: this share of the document's shorter side, or so many input pixels.
const (
	rimShare  = 0.06
	rimPixels = 3.0
)

// fitSides fits a side to the contour points near each side of a rough quad and returns the outline of the core, and that
// of the document with the rim that the core leaves free. A side without points lies beyond the picture: it is taken from pointed, where the
// blocks point to, and where these make no sense from the rough quad.
func fitSides(contour []appliance.Point, rough, pointed appliance.Quad) (inner, outer appliance.Quad) {
	inner = rough
	var fitted [4]bool
	for range 4 {
		var lines [4]sheet.Line
		for i := range lines {
			lines[i], fitted[i] = fitSide(contour, inner, i)
		}
		next, ok := sheet.Cross(lines)
		if !ok {
			break
		}
		inner = next
	}
	outer, ok := withRim(inner)
	if !ok || fitted == [4]bool{true, true, true, true} {
		return inner, outer
	}
	far := sheet.NearestTurn(pointed, outer)
	if !sheet.Convex(far) || sheet.Area(far) < 0.8*sheet.Area(outer) {
		return inner, outer
	}
	var lines [4]sheet.Line
	for i := range lines {
		lines[i] = sheet.Line{A: outer[i], B: outer[(i+1)%4]}
		if !fitted[i] {
			lines[i] = sheet.Line{A: far[i], B: far[(i+1)%4]}
		}
	}
	if mixed, ok := sheet.Cross(lines); ok && sheet.Area(mixed) > 0.9*sheet.Area(outer) {
		return inner, mixed
	}
	return inner, outer
}

// fitSide fits a line to the contour points that lie nearest to side i of q, away from its corners, and to their half
// that fits best. ok is false when there are too few.
func fitSide(contour []appliance.Point, q appliance.Quad, i int) (l sheet.Line, ok bool) {
	l = sheet.Line{A: q[i], B: q[(i+1)%4]}
	length := sheet.Span(l.A, l.B)
	limit := 0.2 * min(length, sheet.Span(q[(i+1)%4], q[(i+2)%4]))
	type offset struct{ t, d float64 }
	var near []offset
	ux, uy := (l.B.X-l.A.X)/length, (l.B.Y-l.A.Y)/length
	for _, p := range contour {
		x, y := p.X-l.A.X, p.Y-l.A.Y
		if t, d := (x*ux+y*uy)/length, x*uy-y*ux; t > 0.12 && t < 0.88 && math.Abs(d) < limit {
			near = append(near, offset{t, d})
		}
	}
	if float64(len(near))*finderCell < 0.25*length || len(near) < 3 {
		return l, false
	}
	a, b, tolerance := 0.0, 0.0, limit
	for range 5 {
		var w0, w1, w2, y0, y1 float64
		for _, o := range near {
			off := (o.d - a - b*o.t) / tolerance
			if off*off >= 1 {
				continue
			}
			weight := (1 - off*off) * (1 - off*off)
			w0, w1, w2 = w0+weight, w1+weight*o.t, w2+weight*o.t*o.t
			y0, y1 = y0+weight*o.d, y1+weight*o.d*o.t
		}
		det := w0*w2 - w1*w1
		if det < 1e-4*w0*w0 || w0 == 0 {
			return l, false
		}
		a, b = (w2*y0-w1*y1)/det, (w0*y1-w1*y0)/det
		tolerance = max(tolerance/2, finderCell/2)
	}
	return l.Moved(a, a+b), true
}

// withRim returns the outline of a document from that of its core.
func withRim(inner appliance.Quad) (appliance.Quad, bool) {
	w := (sheet.Span(inner[0], inner[1]) + sheet.Span(inner[3], inner[2])) / 2
	h := (sheet.Span(inner[0], inner[3]) + sheet.Span(inner[1], inner[2])) / 2
	m, ok := vision.RectToQuad(w, h, inner)
	if !ok {
		return inner, false
	}
	rim := max(rimShare/(1-2*rimShare)*min(w, h), rimPixels)
	outer := m.ApplyQuad(appliance.Quad{{X: -rim, Y: -rim}, {X: w + rim, Y: -rim}, {X: w + rim, Y: h + rim}, {X: -rim, Y: h + rim}})
	return outer, sheet.Convex(outer)
}
