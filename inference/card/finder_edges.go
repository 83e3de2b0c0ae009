package card

import (
	"math"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// Numbers of the search for a side. Lengths are shares of the mean side of the document unless said otherwise.
const (
	sideProfiles = 56    // profiles across one side
	sideMargin   = 0.07  // of the side's own length, left out at each end, where corners are round
	sideReach    = 0.022 // how far from the rough side it is looked for at first
	sideSteps    = 20    // steps to either side in a profile
	sideSoftness = 8.0   // grey levels of contrast at which a step counts half
	sideWeakest  = 0.3   // evidence below which the rough side stays
)

// refine moves the sides of q to the edges that the picture shows there, to a fraction of a pixel, and returns the
// evidence for each side as Found.Edges describes it. Sides without evidence stay where they are.
func refine(p vision.Plane, q appliance.Quad) (appliance.Quad, [4]float64) {
	var lines [4]straight
	var evidence [4]float64
	size := (span(q[0], q[1]) + span(q[1], q[2]) + span(q[2], q[3]) + span(q[3], q[0])) / 4
	reach := max(sideReach*size, 3)
	for i := range q {
		coarse := straight{q[i], q[(i+1)%4]}
		lines[i] = coarse
		if !inPicture(p, coarse) {
			evidence[i] = OutOfPicture
			continue
		}
		fine, sure := searchSide(p, coarse, reach)
		// The finest step that the picture holds any detail at.
		if again := 5 * reach / sideSteps; sure >= sideWeakest && reach/sideSteps > 0.5 {
			if closer, surer := searchSide(p, fine, max(again, 3)); surer >= sideWeakest {
				fine = closer
			}
		}
		if evidence[i] = sure; sure >= sideWeakest {
			lines[i] = fine
		}
	}
	var refined appliance.Quad
	for i := range q {
		corner, ok := lines[(i+3)%4].meet(lines[i])
		if !ok || span(corner, q[i]) > 3*reach {
			return q, [4]float64{min(evidence[0], 0), min(evidence[1], 0), min(evidence[2], 0), min(evidence[3], 0)}
		}
		refined[i] = corner
	}
	if !convexQuad(refined) {
		return q, [4]float64{}
	}
	return refined, evidence
}

// straight is a line through two points.
type straight struct{ a, b appliance.Point }

// at returns the point at the share t of the way from a to b, moved by d along the normal, which points outwards for
// the sides of a quad.
func (l straight) at(t, d float64) appliance.Point {
	dx, dy := l.b.X-l.a.X, l.b.Y-l.a.Y
	length := math.Hypot(dx, dy)
	return appliance.Point{X: l.a.X + t*dx + d*dy/length, Y: l.a.Y + t*dy - d*dx/length}
}

// moved returns the line with its ends moved along the normal.
func (l straight) moved(da, db float64) straight { return straight{l.at(0, da), l.at(1, db)} }

// meet returns the crossing of two lines; false when they are nearly parallel.
func (l straight) meet(o straight) (appliance.Point, bool) {
	ux, uy := l.b.X-l.a.X, l.b.Y-l.a.Y
	vx, vy := o.b.X-o.a.X, o.b.Y-o.a.Y
	cross := ux*vy - uy*vx
	if math.Abs(cross) < 1e-3*math.Hypot(ux, uy)*math.Hypot(vx, vy) {
		return appliance.Point{}, false
	}
	t := ((o.a.X-l.a.X)*vy - (o.a.Y-l.a.Y)*vx) / cross
	return appliance.Point{X: l.a.X + t*ux, Y: l.a.Y + t*uy}, true
}

// inPicture tells whether at least a third of a side lies inside the picture by more than a sample or two.
func inPicture(p vision.Plane, l straight) bool {
	const rim = 1.5
	inside := 0
	for k := range sideProfiles {
		s := l.at(profilePlace(k), 0)
		if s.X > rim && s.Y > rim && s.X < float64(p.Width)-rim && s.Y < float64(p.Height)-rim {
			inside++
		}
	}
	return 3*inside >= sideProfiles
}

func profilePlace(k int) float64 {
	return sideMargin + (1-2*sideMargin)*(float64(k)+0.5)/sideProfiles
}

// sideProfile holds the grey levels' steps across a side, for each profile at each place; all zero for a profile that is
// not in the picture. soft is the same between -1 and 1, so that no single strong edge outvotes the rest.
type sideProfile struct {
	step, soft [sideProfiles][2*sideSteps + 1]float32
	used       [sideProfiles]bool
}

// searchSide looks for a straight edge up to reach pixels beside l. sure is the evidence for it, 0 to 1.
func searchSide(p vision.Plane, l straight, reach float64) (found straight, sure float64) {
	var s sideProfile
	used := s.measure(p, l, reach)
	if used < sideProfiles/4 {
		return l, 0
	}
	from, to, sign := s.strongest()
	from, to, sure = s.fit(from, to, sign)
	step := reach / sideSteps
	// The line was fitted over the profiles, which begin and end within the side.
	slope := (to - from) / (profilePlace(sideProfiles-1) - profilePlace(0))
	start := from - slope*profilePlace(0)
	return l.moved(start*step, (start+slope)*step), sure
}

// measure fills s from the picture and returns how many profiles lie in it.
func (s *sideProfile) measure(p vision.Plane, l straight, reach float64) (used int) {
	const widest = 4
	step := reach / sideSteps
	// A pixel's own width blurs an edge: steps are taken over at least one to either side.
	half := min(max(int(math.Ceil(1/step)), 1), widest)
	for k := range s.step {
		var profile [2*(sideSteps+widest) + 1]float32
		inside := true
		for j := range profile {
			off := j - sideSteps - widest
			v, ok := meanAcross(p, l, profilePlace(k), float64(off)*step, step)
			// A document may end close to the picture's edge: only the nearer places must be there.
			inside = inside && (ok || off > sideSteps/4 || off < -sideSteps)
			profile[j] = v
		}
		if !inside {
			continue
		}
		used++
		s.used[k] = true
		for j := range s.step[k] {
			var g float32
			for d := 1; d <= half; d++ {
				g += profile[j+widest+d] - profile[j+widest-d]
			}
			g /= float32(half)
			s.step[k][j] = g
			s.soft[k][j] = g / (float32(math.Abs(float64(g))) + sideSoftness)
		}
	}
	return used
}

// meanAcross averages the picture about a place beside a line, over one step of the profile and a little along the
// line, which keeps noise and fine print down.
func meanAcross(p vision.Plane, l straight, t, d, step float64) (mean float32, inside bool) {
	const along = 3
	length := span(l.a, l.b)
	spacing := max(1, length/sideProfiles/along) / length
	across := max(1, min(4, int(math.Round(step))))
	inside = true
	for a := range along {
		for c := range across {
			v, ok := lumaAt(p, l.at(t+(float64(a)-1)*spacing, d+((float64(c)+0.5)/float64(across)-0.5)*step))
			inside = inside && ok
			mean += v
		}
	}
	return mean / float32(along*across), inside
}

// lumaAt reads p at a point by bilinear interpolation; false, with the nearest sample, outside.
func lumaAt(p vision.Plane, at appliance.Point) (float32, bool) {
	x, y := at.X-0.5, at.Y-0.5
	inside := x >= 0 && y >= 0 && x <= float64(p.Width-1) && y <= float64(p.Height-1)
	x, y = min(max(x, 0), float64(p.Width-1)), min(max(y, 0), float64(p.Height-1))
	x0, y0 := int(x), int(y)
	x1, y1 := min(x0+1, p.Width-1), min(y0+1, p.Height-1)
	fx, fy := float32(x-float64(x0)), float32(y-float64(y0))
	top, bottom := p.Pix[y0*p.Stride:], p.Pix[y1*p.Stride:]
	a := float32(top[x0])*(1-fx) + float32(top[x1])*fx
	b := float32(bottom[x0])*(1-fx) + float32(bottom[x1])*fx
	return a*(1-fy) + b*fy, inside
}

// strongest votes for the straight whose steps go the same way along most of the side. from and to are its places, in
// steps from the rough side, at the first and last profile.
func (s *sideProfile) strongest() (from, to float64, sign float32) {
	const deviation = 0.55 * sideSteps // the network is rarely further off than this
	var best float64
	for a := -sideSteps; a <= sideSteps; a++ {
		for b := -sideSteps; b <= sideSteps; b++ {
			var sum float32
			for k := range s.used {
				j := ((a+sideSteps)*2*(sideProfiles-1-k) + (b+sideSteps)*2*k + sideProfiles - 1) / (2 * (sideProfiles - 1))
				sum += s.soft[k][j]
			}
			prior := math.Exp(-float64(a*a+b*b) / (4 * deviation * deviation))
			if score := math.Abs(float64(sum)) * prior; score > best {
				best, from, to = score, float64(a), float64(b)
				sign = 1
				if sum < 0 {
					sign = -1
				}
			}
		}
	}
	return from, to, sign
}

// fit moves the straight onto the exact places of the steps near it, a few times with less say for outliers. sure is
// the mean strength of those steps over all profiles that hold a picture, for outliers none.
func (s *sideProfile) fit(from, to float64, sign float32) (first, last, sure float64) {
	const window = 2.5
	for round := range 4 {
		tolerance := window / float64(int(1)<<min(round, 2)) * 2
		var w0, w1, w2, y0, y1, strength, profiles float64
		for k := range s.used {
			if !s.used[k] {
				continue
			}
			profiles++
			t := float64(k) / (sideProfiles - 1)
			place, g := s.peak(k, from+(to-from)*t, window, sign)
			off := (place - (from + (to-from)*t)) / tolerance
			if g <= 0 || off*off >= 1 {
				continue
			}
			weight := g * (1 - off*off) * (1 - off*off)
			w0, w1, w2 = w0+weight, w1+weight*t, w2+weight*t*t
			y0, y1 = y0+weight*place, y1+weight*place*t
			strength += weight
		}
		det := w0*w2 - w1*w1
		if profiles == 0 || det < 1e-3*w0*w0 || w0 == 0 {
			return from, to, 0
		}
		c := (w2*y0 - w1*y1) / det
		m := (w0*y1 - w1*y0) / det
		from, to, sure = c, c+m, strength/profiles
	}
	return from, to, sure
}

// peak returns the place of the strongest step of that sign within window of the expected place in profile k, to a
// fraction of a step, and its strength, 0 to 1.
func (s *sideProfile) peak(k int, expected, window float64, sign float32) (place, strength float64) {
	g := &s.step[k]
	from := max(0, int(math.Ceil(expected-window))+sideSteps)
	to := min(2*sideSteps, int(math.Floor(expected+window))+sideSteps)
	if from > to {
		return 0, 0
	}
	best := from
	for j := from; j <= to; j++ {
		if g[j]*sign > g[best]*sign {
			best = j
		}
	}
	// The centre of the slope is where the edge is, however the pixels lie and however soft it is.
	floor := 0.15 * g[best] * sign
	var mass, moment float64
	add := func(j int) bool {
		v := g[j]*sign - floor
		if v <= 0 {
			return false
		}
		mass, moment = mass+float64(v), moment+float64(v)*float64(j-sideSteps)
		return true
	}
	for j := best; j >= 0 && add(j); j-- {
	}
	for j := best + 1; j <= 2*sideSteps && add(j); j++ {
	}
	if mass == 0 {
		return 0, 0
	}
	return moment / mass, float64(s.soft[k][best] * sign)
}
