package sheet

import (
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// The evidence for a side of which the picture shows nothing: it lies beyond the picture or under what covers it.
const (
	OutOfPicture = -1
	UnderOthers  = -2
)

// Weakest is the evidence, 0 to 1, for a side below which the rough side stays.
const Weakest = 0.3

// Numbers of the search for a side. Lengths are shares of the mean side of the document unless said otherwise.
const (
	sideProfiles = 56    // profiles across one side
	sideMargin   = 0.07  // of the side's own length, left out at each end, where corners are round
	sideReach    = 0.022 // how far from the rough side it is looked for at first
	sideSteps    = 20    // steps to either side in a profile
	sideSoftness = 8.0   // grey levels of contrast at which a step counts half
	finestStep   = 0.25  // pixels; finer steps show nothing new
)

// Refine moves the sides of q to the edges that the picture shows there, to a fraction of a pixel, and returns the evidence, 0 to 1, for
// each side, the top first; OutOfPicture and UnderOthers mark those of which the picture shows nothing. Sides without evidence stay where
// they are. What covers outline hides the side: there the picture says nothing of it.
func Refine(p vision.Plane, q appliance.Quad, covers ...appliance.Quad) (appliance.Quad, [4]float64) {
	return RefineWithin(p, q, sideReach, covers)
}

// RefineWithin is Refine where sides are looked for as far from the rough ones as a share of the mean side.
func RefineWithin(p vision.Plane, q appliance.Quad, share float64, covers []appliance.Quad) (appliance.Quad, [4]float64) {
	q, evidence, _ := refineAbove(p, q, share, math.Inf(-1), covers)
	return q, evidence
}

// refineAbove is RefineWithin that gives up where the evidence cannot add up to more than least; ok is false then.
func refineAbove(
	p vision.Plane, q appliance.Quad, share, least float64, covers []appliance.Quad,
) (_ appliance.Quad, evidence [4]float64, ok bool) {
	var lines [4]Line
	most := 4.0 // what the evidence can add up to
	size := (Span(q[0], q[1]) + Span(q[1], q[2]) + Span(q[2], q[3]) + Span(q[3], q[0])) / 4
	reach := max(share*size, 3)
	for i := range q {
		coarse := Line{q[i], q[(i+1)%4]}
		lines[i] = coarse
		switch {
		case !inSight(p, coarse, nil):
			evidence[i] = OutOfPicture
		case !inSight(p, coarse, covers):
			evidence[i] = UnderOthers
		default:
			if lines[i], evidence[i] = searchSide(p, coarse, reach, covers); evidence[i] < Weakest {
				lines[i], evidence[i] = searchSide(p, coarse, 2.5*reach, covers)
			}
		}
		if most -= 1 - visible(evidence[i]); most <= least {
			return q, evidence, false
		}
	}
	refined, ok := Cross(lines)
	if !ok || Farthest(refined, q) > 4*reach {
		// Sides that contradict each other are no evidence.
		for i := range evidence {
			evidence[i] = min(evidence[i], 0)
		}
		return q, evidence, true
	}
	return refined, evidence, true
}

// visible is what a side counts of which there is so much evidence: one out of sight counts half.
func visible(evidence float64) float64 {
	if evidence < 0 {
		return 0.5
	}
	return evidence
}

// Farthest returns the largest distance between corners of the same name.
func Farthest(a, b appliance.Quad) float64 {
	var far float64
	for i := range a {
		far = max(far, Span(a[i], b[i]))
	}
	return far
}

// inSight reports whether at least a third of a side lies inside the picture by more than a sample or two, and on none of covers.
func inSight(p vision.Plane, l Line, covers []appliance.Quad) bool {
	const rim = 1.5
	inside := 0
	for k := range sideProfiles {
		s := l.at(profilePlace(k), 0)
		if s.X > rim && s.Y > rim && s.X < float64(p.Width)-rim && s.Y < float64(p.Height)-rim && !vision.InAny(covers, s) {
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
func searchSide(p vision.Plane, l Line, reach float64, covers []appliance.Quad) (found Line, sure float64) {
	var s sideProfile
	if s.measure(p, l, reach, 2, covers) < sideProfiles/8 {
		return l, 0
	}
	from, to, sign := s.strongest()
	from, to, sure = s.fit(from, to, 2.5, sign)
	if sure < Weakest {
		return l, sure
	}
	found = l.between(from, to, reach/sideSteps)
	// Then again from near, with all profiles and steps as fine as the picture holds any detail.
	const closer = 4
	s = sideProfile{}
	s.measure(p, found, max(reach/closer, sideSteps*finestStep), 1, covers)
	from, to, again := s.fit(0, 0, 2.5*closer, sign)
	if again < Weakest {
		return found, sure
	}
	return found.between(from, to, max(reach/closer, sideSteps*finestStep)/sideSteps), again
}

// measure fills every stride-th profile of s from the picture and returns how many of them lie in it.
func (s *sideProfile) measure(p vision.Plane, l Line, reach float64, stride int, covers []appliance.Quad) (used int) {
	w := newWalk(l, reach/sideSteps)
	for k := 0; k < sideProfiles; k += stride {
		base := l.at(profilePlace(k), 0)
		if vision.InAny(covers, base) {
			continue
		}
		var profile [profilePlaces]float32
		if w.reaches(p, base) {
			w.sum(p, base, &profile)
		} else if !w.sumThere(p, base, &profile) {
			continue
		}
		used++
		s.used[k] = true
		s.differ(k, w.half, profile[widestStep-w.half:profilePlaces-widestStep+w.half], float32(w.across*alongSide*w.half))
	}
	return used
}

// How profiles are sampled: a step is taken over up to widestStep places to either side, and each place is the mean of alongSide samples
// beside each other along the side.
const (
	widestStep    = 4
	alongSide     = 3
	profilePlaces = 2*(sideSteps+widestStep) + 1
)

// walk is how the profiles across a side are sampled.
type walk struct {
	ux, uy  float64 // along the side, a pixel long; the profile goes along (uy, -ux)
	step    float64 // pixels from place to place
	spacing float64 // pixels between the samples along the side
	across  int     // samples of a place along the profile
	half    int     // places to either side over which a step is taken
}

func newWalk(l Line, step float64) walk {
	length := Span(l.A, l.B)
	return walk{
		ux: (l.B.X - l.A.X) / length, uy: (l.B.Y - l.A.Y) / length, step: step,
		// Averaging over a step of the profile and a little along the side keeps noise and fine text down.
		spacing: max(1, length/sideProfiles/alongSide), across: max(1, min(4, int(math.Round(step)))),
		// A pixel's own width blurs an edge: steps are taken over at least one to either side.
		half: min(max(int(math.Ceil(1/step)), 1), widestStep),
	}
}

// reaches reports whether p holds all samples of the profile at base.
func (w walk) reaches(p vision.Plane, base appliance.Point) bool {
	far := (sideSteps + widestStep + 0.5) * w.step
	return within(p, base, far*math.Abs(w.uy)+w.spacing*math.Abs(w.ux), far*math.Abs(w.ux)+w.spacing*math.Abs(w.uy))
}

// first is the first sample, counted from base, of a line of samples along the side.
func (w walk) first(line int) (x, y float64) {
	d := (0.5/float64(w.across) - 0.5 - sideSteps - widestStep) * w.step
	e := (float64(line) - (alongSide-1)/2) * w.spacing
	return e*w.ux + d*w.uy, e*w.uy - d*w.ux
}

// sum adds up the samples of each place of the profile at base, all of which p holds. It counts in parts of a sample, since this is
// where most of the time of a search goes.
func (w walk) sum(p vision.Plane, base appliance.Point, profile *[profilePlaces]float32) {
	const bits = 12 // of a part
	const one = 1 << bits
	dx, dy := int(math.Round(w.step/float64(w.across)*w.uy*one*one)), int(math.Round(-w.step/float64(w.across)*w.ux*one*one))
	var sums [profilePlaces]int
	for line := range alongSide {
		x0, y0 := w.first(line)
		x, y := int((base.X+x0-0.5)*one*one), int((base.Y+y0-0.5)*one*one)
		for j := range sums {
			for range w.across {
				i := y>>(2*bits)*p.Stride + x>>(2*bits)
				fx, fy := x>>bits&(one-1), y>>bits&(one-1)
				top, bottom := p.Pix[i:i+2:i+2], p.Pix[i+p.Stride:i+p.Stride+2:i+p.Stride+2]
				a, b := int(top[0])<<bits+fx*(int(top[1])-int(top[0])), int(bottom[0])<<bits+fx*(int(bottom[1])-int(bottom[0]))
				sums[j] += a<<bits + fy*(b-a)
				x, y = x+dx, y+dy
			}
		}
	}
	for j, v := range sums {
		profile[j] = float32(v) / (one * one)
	}
}

// sumThere is sum where p may hold only a part; it reports whether that is enough.
func (w walk) sumThere(p vision.Plane, base appliance.Point, profile *[profilePlaces]float32) bool {
	dx, dy := w.step/float64(w.across)*w.uy, -w.step/float64(w.across)*w.ux
	for line := range alongSide {
		x, y := w.first(line)
		x, y = base.X+x, base.Y+y
		for j := range profile {
			there := true
			for range w.across {
				v, ok := lumaAt(p, x, y)
				profile[j] += v
				there = there && ok
				x, y = x+dx, y+dy
			}
			// A document may end close to the picture's edge: only the nearer places must be there.
			if off := j - sideSteps - widestStep; !there && off <= sideSteps/4 && off >= -sideSteps {
				return false
			}
		}
	}
	return true
}

// differ enters the steps of a profile, which begins half places before the first; scale divides the differences.
func (s *sideProfile) differ(k, half int, profile []float32, scale float32) {
	for j := range s.step[k] {
		var g float32
		for d := 1; d <= half; d++ {
			g += profile[j+half+d] - profile[j+half-d]
		}
		g /= scale
		s.step[k][j] = g
		s.soft[k][j] = g / (max(g, -g) + sideSoftness)
	}
}

// lumaAt reads p at (x, y) by bilinear interpolation; false, with the nearest sample, outside.
func lumaAt(p vision.Plane, x, y float64) (float32, bool) {
	x, y = x-0.5, y-0.5
	inside := x >= 0 && y >= 0 && x < float64(p.Width-1) && y < float64(p.Height-1)
	if !inside {
		x, y = min(max(x, 0), float64(p.Width-1)), min(max(y, 0), float64(p.Height-1))
		return float32(p.Pix[int(y+0.5)*p.Stride+int(x+0.5)]), false
	}
	return lumaIn(p, x, y), true
}

// within reports whether all places up to so far beside and above or below at lie in p, with samples around them.
func within(p vision.Plane, at appliance.Point, beside, above float64) bool {
	return at.X-beside > 1 && at.Y-above > 1 && at.X+beside < float64(p.Width-1) && at.Y+above < float64(p.Height-1)
}

// lumaIn reads p between four of its samples, the first of which has its middle at (0, 0).
func lumaIn(p vision.Plane, x, y float64) float32 {
	x0, y0 := int(x), int(y)
	fx, fy := float32(x-float64(x0)), float32(y-float64(y0))
	i := y0*p.Stride + x0
	top, bottom := p.Pix[i:i+2:i+2], p.Pix[i+p.Stride:i+p.Stride+2:i+p.Stride+2]
	a := float32(top[0]) + fx*(float32(top[1])-float32(top[0]))
	b := float32(bottom[0]) + fx*(float32(bottom[1])-float32(bottom[0]))
	return a + fy*(b-a)
}

// strongest votes for the straight whose steps go the same way along most of the side. from and to are its places, in
// steps from the rough side, at the first and last profile.
func (s *sideProfile) strongest() (from, to float64, sign float32) {
	const deviation = 0.55 * sideSteps // the network is rarely further off than this
	used := s.usedProfiles()
	var prior [2*sideSteps + 1]float64
	for a := range prior {
		d := float64(a-sideSteps) / deviation
		prior[a] = math.Exp(-d * d / 4)
	}
	var best float64
	left := s.most(used)
	var start [sideProfiles]int // of each profile, where straights of one first place lie in it, in parts of a step
	const parts = 2 * (sideProfiles - 1)
	for i := range prior {
		a := fromMiddle(i)
		for n, k := range used {
			start[n] = a*2*(sideProfiles-1-k) + parts/2
		}
		for j := range prior {
			b := fromMiddle(j)
			if left[0]*prior[a]*prior[b] <= best {
				break // what lies further out cannot be better
			}
			enough := best / (prior[a] * prior[b])
			sum, whole := s.along(used, &start, b, &left, enough)
			if score := math.Abs(float64(sum)) * prior[a] * prior[b]; whole && score > best {
				best, from, to, sign = score, float64(a-sideSteps), float64(b-sideSteps), 1
				if sum < 0 {
					sign = -1
				}
			}
		}
	}
	return from, to, sign
}

// usedProfiles lists the profiles that lie in the picture.
func (s *sideProfile) usedProfiles() (used []int) {
	for k, ok := range s.used {
		if ok {
			used = append(used, k)
		}
	}
	return used
}

// along sums up the steps of profiles along a straight that ends at the place b of the last; whole is false where it was given up since
// it cannot add up to more than enough.
func (s *sideProfile) along(
	used []int, start *[sideProfiles]int, b int, left *[sideProfiles]float64, enough float64,
) (sum float32, whole bool) {
	const parts, stretch = 2 * (sideProfiles - 1), 7
	for first := 0; first < len(used); first += stretch {
		if math.Abs(float64(sum))+left[first] <= enough {
			return sum, false
		}
		for n, k := range used[first:min(first+stretch, len(used))] {
			sum += s.soft[k][uint32(start[first+n]+b*2*k)/parts]
		}
	}
	return sum, true
}

// most is what the steps of those profiles, from each of them on, add up to at most, whatever straight is laid through them.
func (s *sideProfile) most(used []int) (left [sideProfiles]float64) {
	var up, down float32
	for n, k := range slices.Backward(used) {
		up += max(0, slices.Max(s.soft[k][:]))
		down += max(0, -slices.Min(s.soft[k][:]))
		left[n] = float64(max(up, down)) * (1 + 1e-5) // sums are rounded
	}
	return left
}

// fromMiddle is the i-th place of a profile when they are counted from its middle outwards.
func fromMiddle(i int) int {
	if i%2 == 1 {
		return sideSteps + (i+1)/2
	}
	return sideSteps - i/2
}

// fit moves the straight onto the exact places of the steps near it, a few times with less say for outliers. sure is
// the mean strength of those steps over all profiles that hold a picture, for outliers none.
func (s *sideProfile) fit(from, to, window float64, sign float32) (first, last, sure float64) {
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

// Sides returns the evidence for each side of an outline near where it lies, as in Found.Edges.
func Sides(luma vision.Plane, q appliance.Quad) [4]float64 {
	_, edges := Refine(luma, q)
	return edges
}
