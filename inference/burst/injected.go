package burst

import (
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
)

// The cues of injected media: frames that were computed from a still and not taken by a camera.
const (
	// CueSharedGrain is the grain that frames share: that of a sensor is new in each frame, that of a still is in all that is made of it.
	CueSharedGrain = "shared_grain"
	// CueCopiedColours is the same for large faces whose finest luma is mostly noise: where the luma does not agree between frames, the
	// colours of a living face do not agree either.
	CueCopiedColours = "copied_colours"
	// CueCalmFace is how surely the colours of the face change less from frame to frame than those behind it. Blood, breath and lips change
	// a living face at least as much as noise changes a wall.
	CueCalmFace = "calm_face"
	// CueNoMotion is how surely the face did not move before its background. Nobody holds still to a tenth of a pixel.
	CueNoMotion = "no_motion"
	// CueOneMap is how surely everything in the frames moved by one smooth map, as a picture does that is bent and shifted.
	CueOneMap = "one_map"
)

// The limits of the cues, set on 27 November 2026 on the 82 living bursts of NUAA's persons 0001 to 0004, on 160 bursts of all nine
// persons as other cameras would have coded them (half and one and a half times the size, colours smoothed, without noise, at JPEG 70), on
// triples of the six families of package injection that are marked as developed, and on 47 strong triples of
// bawab_training.photograph.injection_unseen, whose others are in the figures.
const (
	// mostShared is above 81 of the 82 (.37) and nearly all recoded faces of at least leastClear samples; .38 would let twice as many triples
	// of unseen families pass. In smaller faces detail of the skin lies where the grain is: mostSharedSmall is above all of them.
	mostShared      = 0.35
	mostSharedSmall = 0.46
	leastClear      = 130
	// mostCopied is above all but one of the 82 and three of the 160, of those whose finest luma agrees by less than mostFine between
	// frames: that much noise hides the detail of a skin in its colours as well, but not the grain of a still. A camera's noise is in all
	// frames alike: where two of them agree by more, it was motion that parted the others, and the skin still shows in the colours.
	mostCopied = 0.16
	mostFine   = 0.6
	// leastChange is under the least of the 82 (1.01) and of the 160 (.98); a fifth of the triples lie under it.
	leastChange = 0.9
	// leastMoved and leastStray, in samples, are below all of the 82 (least .12 and .09; the tracker's own error in frames of one still
	// without motion is .03 to .08).
	leastMoved = 0.09
	leastStray = 0.08
	// leastSpread is how far cells must have moved from their common motion, in samples, before one map of all can mean anything: where
	// nothing moves, any map fits. It is half as much again as leastStray, set on 28 November 2026 on 100 simulated living bursts of
	// bawab_training.photograph.sample_burst (three of the four that one_map accused had moved by .08 to .09) and on 50 strong triples of
	// injection_unseen (the two that one_map alone finds moved by .13 and .23). Triples without motion raise no_motion.
	leastSpread = 0.12
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
	// copied is the correlation of the colour grain less half of that of the finest detail in the median cell, the mean of all pairs; minus
	// infinity where the face is too small for it or that detail agrees too well in a pair.
	copied float64
	// small tells that the face has less than leastClear samples.
	small bool
	// change is by how much more the colours of the face change than those behind it, as a ratio, in the pair with the least; infinite
	// where it cannot be measured.
	change float64
	// moved is how far the face moved before its background, in the pair that moved the most, and stray how far the motion of all cells
	// strays from one smooth map, the mean of all pairs; both in samples, and infinite where they cannot be measured. stray is infinite also
	// where the cells moved by less than leastSpread from their common motion.
	moved, stray float64
}

// injectionOf examines a burst. Of one in which a face is missing or too small it tells nothing.
func injectionOf(seen []*Frame) injection {
	none := injection{copied: math.Inf(-1), change: math.Inf(1), moved: math.Inf(1), stray: math.Inf(1)}
	size := 0.0
	for i := range seen {
		if seen[i].Face == nil {
			return none
		}
		size = max(size, seen[i].Face.Size)
	}
	if size < leastGrainSize {
		return none
	}
	scale := min(1, mostFaceSize/size)
	planes := make([]grainPlanes, len(seen))
	for i := range seen {
		planes[i] = newGrainPlanes(seen[i], scale)
	}
	found, strays, spreads, n := injection{change: none.change}, 0.0, 0.0, 0.0
	copied, fine, grains := 0.0, 0.0, 0.0
	for i := range planes {
		for k := range i {
			cells := track(&planes[k], &planes[i])
			if g, ok := grainOf(&planes[k], &planes[i], cells); ok {
				found.shared, found.change = max(found.shared, g.shared), min(found.change, g.change)
				copied, fine, grains = copied+g.copied, max(fine, g.fine), grains+1
			}
			if m, ok := motionOf(cells); ok {
				strays, spreads, n, found.moved = strays+m.stray, spreads+m.spread, n+1, max(found.moved, m.moved)
			}
		}
	}
	found.copied, found.small = none.copied, size*scale < leastClear
	if grains > 0 && fine < mostFine && !found.small {
		found.copied = copied / grains
	}
	if n == 0 || size*scale < leastStillSize {
		found.moved, found.stray = none.moved, none.stray
		return found
	}
	found.stray = none.stray
	if spreads/n >= leastSpread {
		found.stray = strays / n
	}
	return found
}

// cues names what was found.
func (j injection) cues() []appliance.Cue {
	atMost := func(value, limit float64) float64 { return 1 / (1 + value/limit) }
	limit := mostShared
	if j.small {
		limit = mostSharedSmall
	}
	return []appliance.Cue{
		{Name: CueSharedGrain, Score: min(max(j.shared, 0), 1), Threshold: limit},
		{Name: CueCopiedColours, Score: min(max(j.copied, 0), 1), Threshold: mostCopied},
		{Name: CueCalmFace, Score: atMost(j.change, leastChange), Threshold: 0.5},
		{Name: CueNoMotion, Score: atMost(j.moved, leastMoved), Threshold: 0.5},
		{Name: CueOneMap, Score: atMost(j.stray, leastStray), Threshold: 0.5},
	}
}

// JudgeInjection adds the cues of injected media and, where one is raised, the reason.
func JudgeInjection(seen []*Frame, out *appliance.BurstFindings) {
	cues := injectionOf(seen).cues()
	out.Cues = append(out.Cues, cues...)
	if slices.ContainsFunc(cues, appliance.Cue.Raised) {
		out.Reasons = append(out.Reasons, appliance.InjectedMedia)
	}
}

// leastCells is how many cells of the face must be comparable.
const leastGrainCells = 8

// grainFound is what the grain of two frames tells.
type grainFound struct {
	shared, copied, change float64 // as in injection
	fine                   float64 // the correlation of the finest luma, in the median cell
}

// grainOf compares the grain of two frames; ok is false where they cannot be compared. The quarter of the cells that is least alike stands
// for all: cells with detail of their own are alike in any two frames.
func grainOf(a, b *grainPlanes, cells []grainCell) (g grainFound, ok bool) {
	var colour, fine, changes, behind []float64
	for i := range cells {
		c := &cells[i]
		x, y := float64(c.x), float64(c.y)
		r, change, ok := alike([]plane{a.red, a.blue}, []plane{b.red, b.blue}, x/2, y/2, c.dx/2, c.dy/2, cellSide/2)
		switch {
		case ok && c.onFace:
			colour, changes = append(colour, r), append(changes, change)
		case ok:
			behind = append(behind, change)
		}
		if !c.onFace {
			continue
		}
		if r, _, ok := alike([]plane{a.fine}, []plane{b.fine}, x, y, c.dx, c.dy, cellSide); ok {
			fine = append(fine, r)
		}
	}
	if len(colour) < leastGrainCells || len(fine) < leastGrainCells {
		return g, false
	}
	g = grainFound{change: math.Inf(1), fine: median(fine)}
	g.shared, g.copied = quarter(colour)-quarter(fine)/2, quarter(colour)-g.fine/2
	if len(behind) >= leastGrainCells {
		// rounded brings the ratio to 1 where a camera shows no noise at all.
		const rounded = 0.05
		g.change = (quarter(changes) + rounded) / (quarter(behind) + rounded)
	}
	return g, true
}

func quarter(values []float64) float64 { return nth(values, len(values)/4) }

// alike is the correlation of a square in some planes, whose mean is 0, with the square that lies (dx, dy) from it in others, and by how
// many levels they differ; ok is false where one reaches beyond its plane.
func alike(own, other []plane, x, y, dx, dy float64, side int) (r, change float64, ok bool) {
	var mine, theirs [cellSide * cellSide]float32
	var ab, aa, bb float64
	for i := range own {
		if !own[i].window(x, y, side, mine[:]) || !other[i].window(x+dx, y+dy, side, theirs[:]) {
			return 0, 0, false
		}
		for k, v := range mine[:side*side] {
			w := theirs[k]
			ab, aa, bb = ab+float64(v*w), aa+float64(v*v), bb+float64(w*w)
		}
	}
	return ab / (math.Sqrt(aa*bb) + 1e-6), math.Sqrt(max(aa+bb-2*ab, 0) / float64(side*side)), true
}
