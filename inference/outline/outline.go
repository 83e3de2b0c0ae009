package outline

import (
	"math"

	"github.com/bawab/bawab/appliance"
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
		var lines [4]straight
		for i := range lines {
			lines[i], fitted[i] = fitSide(contour, inner, i)
		}
		next, ok := cross(lines)
		if !ok {
			break
		}
		inner = next
	}
	outer, ok := withRim(inner)
	if !ok || fitted == [4]bool{true, true, true, true} {
		return inner, outer
	}
	far := nearestTurn(pointed, outer)
	if !convexQuad(far) || quadArea(far) < 0.8*quadArea(outer) {
		return inner, outer
	}
	var lines [4]straight
	for i := range lines {
		lines[i] = straight{outer[i], outer[(i+1)%4]}
		if !fitted[i] {
			lines[i] = straight{far[i], far[(i+1)%4]}
		}
	}
	if mixed, ok := cross(lines); ok && quadArea(mixed) > 0.9*quadArea(outer) {
		return inner, mixed
	}
	return inner, outer
}

// cross returns the quad between four sides; false unless it is convex.
func cross(lines [4]straight) (q appliance.Quad, ok bool) {
	for i := range q {
		if q[i], ok = lines[(i+3)%4].meet(lines[i]); !ok {
			return q, false
		}
	}
	return q, convexQuad(q)
}

// fitSide fits a line to the contour points that lie nearest to side i of q, away from its corners, and to their half
// that fits best. ok is false when there are too few.
func fitSide(contour []appliance.Point, q appliance.Quad, i int) (l straight, ok bool) {
	l = straight{q[i], q[(i+1)%4]}
	length := span(l.a, l.b)
	limit := 0.2 * min(length, span(q[(i+1)%4], q[(i+2)%4]))
	type offset struct{ t, d float64 }
	var near []offset
	ux, uy := (l.b.X-l.a.X)/length, (l.b.Y-l.a.Y)/length
	for _, p := range contour {
		x, y := p.X-l.a.X, p.Y-l.a.Y
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
	return l.moved(a, a+b), true
}

// withRim returns the outline of a document from that of its core.
func withRim(inner appliance.Quad) (appliance.Quad, bool) {
	w := (span(inner[0], inner[1]) + span(inner[3], inner[2])) / 2
	h := (span(inner[0], inner[3]) + span(inner[1], inner[2])) / 2
	m, ok := vision.RectToQuad(w, h, inner)
	if !ok {
		return inner, false
	}
	rim := max(rimShare/(1-2*rimShare)*min(w, h), rimPixels)
	outer := m.ApplyQuad(appliance.Quad{{X: -rim, Y: -rim}, {X: w + rim, Y: -rim}, {X: w + rim, Y: h + rim}, {X: -rim, Y: h + rim}})
	return outer, convexQuad(outer)
}

// nearestTurn returns q with its corners renamed so that they lie next to those of o.
func nearestTurn(q, o appliance.Quad) appliance.Quad {
	turn, _ := nearest(q, o)
	return appliance.Quad{q[turn], q[(turn+1)%4], q[(turn+2)%4], q[(turn+3)%4]}
}

// nearest says by how many corners q must be turned to be nearest to o, and how far its corners are from those of o then, all together.
func nearest(q, o appliance.Quad) (turn int, least float64) {
	least = math.Inf(1)
	for t := range q {
		far := 0.0
		for i := 0; i < len(o) && far < least; i++ {
			far += span(q[(i+t)%4], o[i])
		}
		if far < least {
			turn, least = t, far
		}
	}
	return turn, least
}

// span is the distance of two points, which are no further apart than the sides of pictures: their squares are in range.
func span(a, b appliance.Point) float64 {
	x, y := a.X-b.X, a.Y-b.Y
	return math.Sqrt(x*x + y*y)
}

// quadArea returns the area of q, negative when it runs counter-clockwise as seen in the picture.
func quadArea(q appliance.Quad) float64 {
	return ((q[2].X-q[0].X)*(q[3].Y-q[1].Y) - (q[2].Y-q[0].Y)*(q[3].X-q[1].X)) / 2
}

func convexQuad(q appliance.Quad) bool {
	_, ok := vision.RectToQuad(1, 1, q)
	return ok
}

// seenArea returns the area of the part of a convex q that lies in a picture of w x h.
func seenArea(q appliance.Quad, w, h float64) float64 {
	polygon := q[:]
	for _, side := range [4]struct{ a, b, c float64 }{{1, 0, 0}, {-1, 0, w}, {0, 1, 0}, {0, -1, h}} {
		polygon = vision.Clip(polygon, func(p appliance.Point) float64 { return side.a*p.X + side.b*p.Y + side.c })
	}
	return vision.Area(polygon)
}
