package face

import (
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
)

// The cues of injected media: frames that were computed from a still and not taken by a camera.
const (
	// CueSharedGrain is the grain that frames share: that of a sensor is new in each frame, that of a still is in all that is made of it.
	CueSharedGrain = "shared_grain"
	// CueNoMotion is how surely the face did not move before its background. Nobody holds still to a tenth of a pixel.
	CueNoMotion = "no_motion"
	// CueOneMap is how surely everything in the frames moved by one smooth map, as a picture does that is bent and shifted.
	CueOneMap = "one_map"
)

// The limits of the cues, set on 27 November 2026 with no picture of the figures in models/liveness.md: on the 82 living bursts of NUAA's persons
// 0001 to 0004, on 145 of the same as other cameras would have coded them (scaled, smoothed in colour, without noise, at JPEG 70), and on
// triples of the six families of package injection that are marked as developed.
const (
	// mostShared is above all 82 (greatest .32) and 97.9 % of the 145; 93 % of the triples lie above it.
	mostShared = 0.35
	// leastMoved and leastStray, in samples, are below all of them (least .12 and .09; the tracker's own error in frames of one still without
	// motion is .03 to .08).
	leastMoved = 0.09
	leastStray = 0.08
	// leastStillSize is the size of a face, in samples, under which a living one may move by less than can be measured.
	leastStillSize = 110
	// leastGrainSize is the size under which a face has too few cells.
	leastGrainSize = 56
)

// injection holds what tells computed frames from those of a camera.
type injection struct {
	// shared is the correlation of the colour grain of the face between frames, less half of that of its finest detail: what a sharp picture
	// of resting skin explains. It is that of the pair of frames that share the most.
	shared float64
	// moved is how far the face moved before its background, in the pair that moved the most, and stray how far the motion of all cells strays from
	// one smooth map, the mean of all pairs; both in samples, and infinite where they cannot be measured.
	moved, stray float64
}

// injectionOf examines a burst. Of one in which a face is missing or too small it tells nothing.
func injectionOf(seen []frame) injection {
	none := injection{moved: math.Inf(1), stray: math.Inf(1)}
	size := 0.0
	for i := range seen {
		if seen[i].face == nil {
			return none
		}
		size = max(size, seen[i].face.size)
	}
	if size < leastGrainSize {
		return none
	}
	scale := min(1, mostFaceSize/size)
	planes := make([]grainPlanes, len(seen))
	for i := range seen {
		planes[i] = newGrainPlanes(&seen[i], scale)
	}
	found, strays, n := injection{}, 0.0, 0.0
	for i := range planes {
		for k := range i {
			cells := track(&planes[k], &planes[i])
			found.shared = max(found.shared, sharedGrain(&planes[k], &planes[i], cells))
			if stray, moved, ok := motionOf(cells); ok {
				strays, n, found.moved = strays+stray, n+1, max(found.moved, moved)
			}
		}
	}
	if n == 0 || size*scale < leastStillSize {
		found.moved, found.stray = none.moved, none.stray
		return found
	}
	found.stray = strays / n
	return found
}

// cues names what was found.
func (j injection) cues() []appliance.Cue {
	atMost := func(value, limit float64) float64 { return 1 / (1 + value/limit) }
	return []appliance.Cue{
		{Name: CueSharedGrain, Score: min(max(j.shared, 0), 1), Threshold: mostShared},
		{Name: CueNoMotion, Score: atMost(j.moved, leastMoved), Threshold: 0.5},
		{Name: CueOneMap, Score: atMost(j.stray, leastStray), Threshold: 0.5},
	}
}

// judgeInjection adds the cues and, where one is raised, the reason.
func judgeInjection(seen []frame, out *appliance.BurstFindings) {
	cues := injectionOf(seen).cues()
	out.Cues = append(out.Cues, cues...)
	if slices.ContainsFunc(cues, appliance.Cue.Raised) {
		out.Reasons = append(out.Reasons, appliance.InjectedMedia)
	}
}

// leastCells is how many cells of the face must be comparable.
const leastGrainCells = 8

// sharedGrain is injection.shared of two frames; 0 where they cannot be compared. The quarter of the cells that is least alike stands for all: cells
// with detail of their own are alike in any two frames.
func sharedGrain(a, b *grainPlanes, cells []grainCell) float64 {
	var colour, fine []float64
	for i := range cells {
		c := &cells[i]
		if !c.onFace {
			continue
		}
		x, y := float64(c.x), float64(c.y)
		if r, ok := alike([]plane{a.red, a.blue}, []plane{b.red, b.blue}, x/2, y/2, c.dx/2, c.dy/2, cellSide/2); ok {
			colour = append(colour, r)
		}
		if r, ok := alike([]plane{a.fine}, []plane{b.fine}, x, y, c.dx, c.dy, cellSide); ok {
			fine = append(fine, r)
		}
	}
	if len(colour) < leastGrainCells || len(fine) < leastGrainCells {
		return 0
	}
	return quarter(colour) - quarter(fine)/2
}

func quarter(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/4]
}

// alike is the correlation of a square in some planes, whose mean is 0, with the square that lies (dx, dy) from it in others; ok is false where one
// reaches beyond its plane.
func alike(own, other []plane, x, y, dx, dy float64, side int) (r float64, ok bool) {
	var mine, theirs [cellSide * cellSide]float32
	var ab, aa, bb float64
	for i := range own {
		if !own[i].window(x, y, side, mine[:]) || !other[i].window(x+dx, y+dy, side, theirs[:]) {
			return 0, false
		}
		for k, v := range mine[:side*side] {
			w := theirs[k]
			ab, aa, bb = ab+float64(v*w), aa+float64(v*v), bb+float64(w*w)
		}
	}
	return ab / (math.Sqrt(aa*bb) + 1e-6), true
}
