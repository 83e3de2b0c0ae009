package sheet

import (
	"math"

	"github.com/bawab/bawab/appliance"
)

// Line is a line through two points.
type Line struct{ A, B appliance.Point }

// at returns the point at the share t of the way from a to b, moved by d along the normal, which points outwards for
// the sides of a quad.
func (l Line) at(t, d float64) appliance.Point {
	dx, dy := l.B.X-l.A.X, l.B.Y-l.A.Y
	length := math.Hypot(dx, dy)
	return appliance.Point{X: l.A.X + t*dx + d*dy/length, Y: l.A.Y + t*dy - d*dx/length}
}

// between returns the line through the places from and to, in steps beside l, at its first and last profile.
func (l Line) between(from, to, step float64) Line {
	slope := (to - from) / (profilePlace(sideProfiles-1) - profilePlace(0))
	start := from - slope*profilePlace(0)
	return l.Moved(start*step, (start+slope)*step)
}

// Moved returns the line with its ends moved along the normal.
func (l Line) Moved(da, db float64) Line { return Line{l.at(0, da), l.at(1, db)} }

// meet returns the crossing of two lines; false when they are nearly parallel.
func (l Line) meet(o Line) (appliance.Point, bool) {
	ux, uy := l.B.X-l.A.X, l.B.Y-l.A.Y
	vx, vy := o.B.X-o.A.X, o.B.Y-o.A.Y
	cross := ux*vy - uy*vx
	if math.Abs(cross) < 1e-3*math.Hypot(ux, uy)*math.Hypot(vx, vy) {
		return appliance.Point{}, false
	}
	t := ((o.A.X-l.A.X)*vy - (o.A.Y-l.A.Y)*vx) / cross
	return appliance.Point{X: l.A.X + t*ux, Y: l.A.Y + t*uy}, true
}

// Cross returns the quad between four sides; false unless it is convex.
func Cross(lines [4]Line) (q appliance.Quad, ok bool) {
	for i := range q {
		if q[i], ok = lines[(i+3)%4].meet(lines[i]); !ok {
			return q, false
		}
	}
	return q, Convex(q)
}
