package burst

import (
	"math"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// What a person can do between two frames, at most half a second apart. A head turns at up to 100 degrees a second when somebody
// looks aside; a step forward makes a face at arm's length a third larger; a light that is switched on is no part of a burst.
const (
	poseAllowed  = 50.0 // degrees of yaw, pitch or roll
	placeAllowed = 0.9  // sizes of the face
	sizeAllowed  = 0.58 // octaves: half as large again
	lightAllowed = 0.7  // natural logarithm of the level: twice as bright
	// backgroundAllowed is one minus the correlation of what surrounds the face.
	backgroundAllowed = 0.6
)

// JudgeSequence adds the cues of frames that cannot follow each other, and where one is raised the reason.
func JudgeSequence(seen []*Frame, out *appliance.BurstFindings) {
	jumps := map[string]float64{}
	raise := func(name string, jump float64) { jumps[name] = max(jumps[name], jump) }
	for i := 1; i < len(seen); i++ {
		a, b := seen[i-1], seen[i]
		raise(CueBackgroundJump, backgroundJump(a, b)/backgroundAllowed)
		if a.Face == nil || b.Face == nil {
			continue
		}
		qa, qb := a.Face.Quality, b.Face.Quality
		raise(CuePoseJump, max(math.Abs(qa.Yaw-qb.Yaw), math.Abs(qa.Pitch-qb.Pitch), turn(qa.Roll-qb.Roll))/poseAllowed)
		raise(CueLightJump, math.Abs(math.Log((qa.Light+0.02)/(qb.Light+0.02)))/lightAllowed)
		// Pictures of different size are held against each other in shares of their width.
		wa, wb := float64(a.Width), float64(b.Width)
		sa, sb := a.Face.Size/wa, b.Face.Size/wb
		raise(CueSizeJump, math.Abs(math.Log2(sa/sb))/sizeAllowed)
		far := vision.Distance(scaled(a.Face.At, 1/wa), scaled(b.Face.At, 1/wb))
		raise(CuePlaceJump, far/math.Sqrt(sa*sb)/placeAllowed)
	}
	broken := false
	for _, name := range []string{CuePoseJump, CuePlaceJump, CueSizeJump, CueLightJump, CueBackgroundJump} {
		cue := appliance.Cue{Name: name, Score: min(jumps[name]/2, 1), Threshold: 0.5}
		out.Cues = append(out.Cues, cue)
		broken = broken || cue.Raised()
	}
	if broken {
		out.Reasons = append(out.Reasons, appliance.UnrealisticSequence)
	}
}

// turn is the size of an angle in degrees, the short way round.
func turn(degrees float64) float64 { return math.Abs(math.Remainder(degrees, 360)) }

func scaled(p appliance.Point, k float64) appliance.Point {
	return appliance.Point{X: p.X * k, Y: p.Y * k}
}

const (
	backgroundLevel = 1 // of a thumb: 32 samples a side
	// plainBackground is a deviation of levels under which a background shows nothing.
	plainBackground = 6.0
	// leastBackground is the share of a frame that must lie outside the faces.
	leastBackground = 0.15
	faceSurround    = 1.5 // sizes of the face that count as face, with hair and neck
)

// backgroundJump is one minus the correlation of what two frames show outside the faces, after one was laid over the other; 0
// where they show too little of it. Two plain backgrounds are alike, and a plain one is unlike one that shows something.
func backgroundJump(a, b *Frame) float64 {
	place := register(a.thumb, b.thumb)
	fa, fb := a.thumb.levels[backgroundLevel], b.thumb.levels[backgroundLevel]
	var n, sa, sb, aa, bb, ab float64
	for y := range fa.side {
		for x := range fa.side {
			u, v, bx, by := place.place(x, y, fa.side)
			other, _, _, ok := fb.sample(bx, by)
			if !ok || a.inFace(u, v) || b.inFace(place.sx*u+place.dx, place.sy*v+place.dy) {
				continue
			}
			l, o := float64(fa.at(x, y)), float64(other)
			n, sa, sb, aa, bb, ab = n+1, sa+l, sb+o, aa+l*l, bb+o*o, ab+l*o
		}
	}
	if n < leastBackground*float64(len(fa.pix)) {
		return 0
	}
	va, vb := max(aa/n-sa*sa/n/n, 0), max(bb/n-sb*sb/n/n, 0)
	switch da, db := math.Sqrt(va), math.Sqrt(vb); {
	case max(da, db) < plainBackground:
		return 0
	case min(da, db) < plainBackground/3:
		return 1
	}
	return 1 - (ab/n-sa*sb/n/n)/math.Sqrt(va*vb)
}

// inFace reports whether a place of the thumb, from -1 to 1, belongs to the face.
func (f *Frame) inFace(u, v float64) bool {
	if f.Face == nil {
		return false
	}
	x, y := (u+1)/2*float64(f.Width), (v+1)/2*float64(f.Height)
	return vision.Distance(appliance.Point{X: x, Y: y}, f.Face.At) < faceSurround/2*f.Face.Size
}
