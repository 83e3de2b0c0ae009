package vision

import (
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
)

// Homography is a projective map of the plane, row by row: (x, y) goes to
// ((h0 x + h1 y + h2) / d, (h3 x + h4 y + h5) / d) with d = h6 x + h7 y + h8. Coordinates are those of
// appliance.Point: the centre of the first pixel is at (0.5, 0.5).
type Homography [9]float64

// RectQuad is the upright rectangle between these sides, clockwise from its top left corner.
func RectQuad(left, top, right, bottom float64) appliance.Quad {
	return appliance.Quad{{X: left, Y: top}, {X: right, Y: top}, {X: right, Y: bottom}, {X: left, Y: bottom}}
}

// RectToQuad returns the map that takes the corners (0, 0), (w, 0), (w, h), (0, h) to the corners of q in this order.
// It is false unless w and h are positive and q is strictly convex and runs clockwise as seen in the picture (y down):
// a degenerate or folded quad has no such map, and one that runs the other way would mirror the content.
func RectToQuad(w, h float64, q appliance.Quad) (Homography, bool) {
	if !(w > 0 && h > 0) || math.IsInf(w, 0) || math.IsInf(h, 0) || !convex(q) {
		return Homography{}, false
	}
	// Heckbert's closed form for the unit square, with its columns scaled to the rectangle.
	dx1, dy1 := q[1].X-q[2].X, q[1].Y-q[2].Y
	dx2, dy2 := q[3].X-q[2].X, q[3].Y-q[2].Y
	sx, sy := q[0].X-q[1].X+q[2].X-q[3].X, q[0].Y-q[1].Y+q[2].Y-q[3].Y
	det := dx1*dy2 - dx2*dy1
	g, k := (sx*dy2-dx2*sy)/det, (dx1*sy-sx*dy1)/det
	return Homography{
		(q[1].X - q[0].X + g*q[1].X) / w, (q[3].X - q[0].X + k*q[3].X) / h, q[0].X,
		(q[1].Y - q[0].Y + g*q[1].Y) / w, (q[3].Y - q[0].Y + k*q[3].Y) / h, q[0].Y,
		g / w, k / h, 1,
	}, true
}

// convex reports whether q turns right at each corner by more than rounding. Comparisons are written so that a NaN
// fails them.
func convex(q appliance.Quad) bool {
	var longest float64
	for i, p := range q {
		n := q[(i+1)%4]
		longest = max(longest, Distance(n, p))
	}
	if !(longest > 0) || math.IsInf(longest, 0) {
		return false
	}
	for i, p := range q {
		a, b := q[(i+1)%4], q[(i+2)%4]
		cross := (a.X-p.X)*(b.Y-a.Y) - (a.Y-p.Y)*(b.X-a.X)
		if !(cross > 1e-6*longest*longest) {
			return false
		}
	}
	return true
}

// InAny reports whether a point lies in any of the quads.
func InAny(all []appliance.Quad, p appliance.Point) bool {
	return slices.ContainsFunc(all, func(q appliance.Quad) bool { return q.Contains(p) })
}

// Middle returns the mean of the corners of q.
func Middle(q appliance.Quad) appliance.Point {
	return appliance.Point{X: (q[0].X + q[1].X + q[2].X + q[3].X) / 4, Y: (q[0].Y + q[1].Y + q[2].Y + q[3].Y) / 4}
}

// Between returns the point that lies a share t of the way from p to q; beyond them where t is below 0 or above 1.
func Between(p, q appliance.Point, t float64) appliance.Point {
	return appliance.Point{X: p.X + (q.X-p.X)*t, Y: p.Y + (q.Y-p.Y)*t}
}

// Distance is how far apart two points lie.
func Distance(p, q appliance.Point) float64 { return math.Hypot(p.X-q.X, p.Y-q.Y) }

// Bounds are the sides of the upright box about some points. About none it is inside out: its left side is beyond its right one.
func Bounds(points ...appliance.Point) (left, top, right, bottom float64) {
	left, top, right, bottom = math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, p := range points {
		left, top, right, bottom = min(left, p.X), min(top, p.Y), max(right, p.X), max(bottom, p.Y)
	}
	return left, top, right, bottom
}

// Grown returns q with its corners moved away from its middle by a share of their distance to it.
func Grown(q appliance.Quad, share float64) appliance.Quad {
	m := Middle(q)
	for i, c := range q {
		q[i] = appliance.Point{X: c.X + share*(c.X-m.X), Y: c.Y + share*(c.Y-m.Y)}
	}
	return q
}

// Clip returns the part of a convex polygon where inside, which is linear in the point, is not negative; nil where there
// is none.
func Clip(polygon []appliance.Point, inside func(appliance.Point) float64) []appliance.Point {
	var kept []appliance.Point
	for i, p := range polygon {
		n := polygon[(i+1)%len(polygon)]
		from, to := inside(p), inside(n)
		if from >= 0 {
			kept = append(kept, p)
		}
		if from*to < 0 {
			t := from / (from - to)
			kept = append(kept, appliance.Point{X: p.X + t*(n.X-p.X), Y: p.Y + t*(n.Y-p.Y)})
		}
	}
	return kept
}

// Area returns the area of a polygon, negative when it runs counter-clockwise as seen in the picture.
func Area(polygon []appliance.Point) (area float64) {
	for i, p := range polygon {
		n := polygon[(i+1)%len(polygon)]
		area += (p.X*n.Y - p.Y*n.X) / 2
	}
	return area
}

// Apply maps one point. A point on the map's horizon comes out infinite or NaN.
func (h Homography) Apply(p appliance.Point) appliance.Point {
	d := h[6]*p.X + h[7]*p.Y + h[8]
	return appliance.Point{X: (h[0]*p.X + h[1]*p.Y + h[2]) / d, Y: (h[3]*p.X + h[4]*p.Y + h[5]) / d}
}

// ApplyQuad maps the four corners.
func (h Homography) ApplyQuad(q appliance.Quad) appliance.Quad {
	for i, p := range q {
		q[i] = h.Apply(p)
	}
	return q
}

// Mul returns the map that applies g first and then h.
func (h Homography) Mul(g Homography) Homography {
	var m Homography
	for r := range 3 {
		for c := range 3 {
			m[3*r+c] = h[3*r]*g[c] + h[3*r+1]*g[3+c] + h[3*r+2]*g[6+c]
		}
	}
	return m
}

// Inverse returns the map that undoes h; it is false when h is singular.
func (h Homography) Inverse() (Homography, bool) {
	m := Homography{
		h[4]*h[8] - h[5]*h[7], h[2]*h[7] - h[1]*h[8], h[1]*h[5] - h[2]*h[4],
		h[5]*h[6] - h[3]*h[8], h[0]*h[8] - h[2]*h[6], h[2]*h[3] - h[0]*h[5],
		h[3]*h[7] - h[4]*h[6], h[1]*h[6] - h[0]*h[7], h[0]*h[4] - h[1]*h[3],
	}
	det := h[0]*m[0] + h[1]*m[3] + h[2]*m[6]
	if !(math.Abs(det) > 1e-300) || math.IsInf(det, 0) {
		return Homography{}, false
	}
	for i := range m {
		m[i] /= det
	}
	return m, true
}

// translation moves by (x, y).
func translation(x, y float64) Homography { return Homography{1, 0, x, 0, 1, y, 0, 0, 1} }

// scaling multiplies coordinates.
func scaling(x, y float64) Homography { return Homography{x, 0, 0, 0, y, 0, 0, 0, 1} }

// jacobian returns the derivatives of h's image by x and by y at p.
func (h Homography) jacobian(p appliance.Point) (dx, dy appliance.Point) {
	d := h[6]*p.X + h[7]*p.Y + h[8]
	q := h.Apply(p)
	return appliance.Point{X: (h[0] - h[6]*q.X) / d, Y: (h[3] - h[6]*q.Y) / d},
		appliance.Point{X: (h[1] - h[7]*q.X) / d, Y: (h[4] - h[7]*q.Y) / d}
}
