// Package sheet works on the outlines of flat, four-cornered things in a picture: their size and place, where the edges at their sides are
// to a fraction of a pixel, how much of the sides the picture shows, and whether a camera would see a document of some shape so.
package sheet

import (
	"math"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// NearestTurn returns q with its corners renamed so that they lie next to those of o.
func NearestTurn(q, o appliance.Quad) appliance.Quad {
	turn, _ := Nearest(q, o)
	return appliance.Quad{q[turn], q[(turn+1)%4], q[(turn+2)%4], q[(turn+3)%4]}
}

// Nearest says by how many corners q must be turned to be nearest to o, and how far its corners are from those of o then, all together.
func Nearest(q, o appliance.Quad) (turn int, least float64) {
	least = math.Inf(1)
	for t := range q {
		far := 0.0
		for i := 0; i < len(o) && far < least; i++ {
			far += Span(q[(i+t)%4], o[i])
		}
		if far < least {
			turn, least = t, far
		}
	}
	return turn, least
}

// Span is the distance of two points, which are no further apart than the sides of pictures: their squares are in range.
func Span(a, b appliance.Point) float64 {
	x, y := a.X-b.X, a.Y-b.Y
	return math.Sqrt(x*x + y*y)
}

// Area returns the area of q, negative when it runs counter-clockwise as seen in the picture.
func Area(q appliance.Quad) float64 {
	return ((q[2].X-q[0].X)*(q[3].Y-q[1].Y) - (q[2].Y-q[0].Y)*(q[3].X-q[1].X)) / 2
}

// Convex reports whether the corners of q, in their order, lie around a convex outline.
func Convex(q appliance.Quad) bool {
	_, ok := vision.RectToQuad(1, 1, q)
	return ok
}

// SeenArea returns the area of the part of a convex q that lies in a picture of w x h.
func SeenArea(q appliance.Quad, w, h float64) float64 {
	polygon := q[:]
	for _, side := range [4]struct{ a, b, c float64 }{{1, 0, 0}, {-1, 0, w}, {0, 1, 0}, {0, -1, h}} {
		polygon = vision.Clip(polygon, func(p appliance.Point) float64 { return side.a*p.X + side.b*p.Y + side.c })
	}
	return vision.Area(polygon)
}
