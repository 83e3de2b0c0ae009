package burst

import (
	"bytes"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// samePixels reports whether two pictures are equal, sample for sample.
func samePixels(a, b *appliance.Picture) bool {
	return a.Width == b.Width && a.Height == b.Height && bytes.Equal(a.Y, b.Y) && bytes.Equal(a.Cb, b.Cb) && bytes.Equal(a.Cr, b.Cr)
}

const (
	// likeCell is the side of the cells in which thumbs are held against each other, and leastCells how many both must show.
	likeCell, leastCells = 16, 12
	// cannotBeSame is the logarithm of one minus the correlation of coarse detail from which frames need no closer look: the worst
	// of 1,800 copies had -3.6.
	cannotBeSame = -2.5
)

// unlikeness is the logarithm of one minus the correlation of coarse detail, the median over the cells of two thumbs of which the
// second was laid over the first; ok is false where they show too little of the same.
func unlikeness(a, b *thumb, p placing) (u float64, ok bool) {
	fa := a.levels[len(a.levels)-1]
	fb, shown := p.placed(b.levels[len(b.levels)-1])
	if a.detail.pix == nil {
		a.detail = coarseDetail(fa)
	}
	da, db := a.detail, coarseDetail(fb)
	var cells []float64
	for cy := range fa.side / likeCell {
		for cx := range fa.side / likeCell {
			if cellShown(shown, fa.side, cx, cy) {
				aa, bb, ab := products(da, db, cx, cy)
				cells = append(cells, ab/math.Sqrt((aa+0.5)*(bb+0.5)))
			}
		}
	}
	if len(cells) < leastCells {
		return 0, false
	}
	slices.Sort(cells)
	return math.Log(1 - min(cells[len(cells)/2], 1) + 1e-4), true
}

// coarseDetail is what of a field is finer than 32 samples and coarser than 8.
func coarseDetail(f field) field {
	fine := f.smoothed(1).smoothed(2)
	coarse := fine.smoothed(4)
	for i, v := range coarse.pix {
		fine.pix[i] -= v
	}
	return fine
}

func cellShown(shown []bool, side, cx, cy int) bool {
	for y := cy * likeCell; y < (cy+1)*likeCell; y++ {
		if slices.Contains(shown[y*side+cx*likeCell:][:likeCell], false) {
			return false
		}
	}
	return true
}

// products sums the squares and the products of two fields over a cell.
func products(a, b field, cx, cy int) (aa, bb, ab float64) {
	for y := cy * likeCell; y < (cy+1)*likeCell; y++ {
		at := y*a.side + cx*likeCell
		for i, v := range a.pix[at : at+likeCell] {
			w := b.pix[at+i]
			aa, bb, ab = aa+float64(v*v), bb+float64(w*w), ab+float64(v*w)
		}
	}
	return aa, bb, ab
}

// samePicture is the probability from which two frames count as one picture.
const samePicture = 0.5

// JudgeCopy adds the cue of two frames that are one picture with that probability, the greatest of a burst, and where it is raised the
// reason.
func JudgeCopy(probability float64, out *appliance.BurstFindings) {
	cue := appliance.Cue{Name: CueSamePicture, Score: probability, Threshold: samePicture}
	out.Cues = append(out.Cues, cue)
	if cue.Raised() {
		out.Reasons = append(out.Reasons, appliance.IdenticalImages)
	}
}

// CopyProbability is how likely one of two frames is a copy of the other.
//
// A copy, once it lies over the other picture, differs from it by the rounding of its own coding and by nothing else; two frames of
// a camera also differ by the grain of each and by whatever moved.
//
// The weights were fitted on 21 November 2026 to 1,441 copies (coded anew at qualities from 30 to 98 or without loss, and cropped
// by up to 6 % a side, resized by 0.55 to 1.6 and relit in all mixtures, a quarter of them against another copy), to 1,456 pairs
// of neighbours in recordings of seven persons, and to 1,340 simulated pairs of frames, some of them without any motion. At a
// probability of 0.5, set so that few are refused, 3 of 677 other copies of that hard kind pass, all of them against another copy, and
// none of 438 pairs of two other persons is refused.
func CopyProbability(a, b *Frame) float64 {
	if a.Picture == b.Picture || samePixels(a.Picture, b.Picture) {
		return 1
	}
	rough := register(a.thumb, b.thumb)
	unlike, ok := unlikeness(a.thumb, b.thumb, rough)
	if !ok || unlike > cannotBeSame {
		return 0
	}
	at := appliance.Point{X: float64(a.Width) / 2, Y: float64(a.Height) / 2}
	if a.Face != nil {
		at = a.Face.At
	}
	there, back := resemble(a, b, overlayOf(a.Picture, b.Picture, rough), at)
	if !there.ok || !back.ok {
		return 0
	}
	low, high := there.merged(back, math.Min), there.merged(back, math.Max)
	if low.bare > strangeGrain && low.unexplained[0] > strangeGrain {
		return 0
	}
	return vision.Sigmoid(copyOdds(copySigns(low, high, unlike)))
}

// strangeGrain is the logarithm of the remaining energy over that of the rounding from which two frames have each a grain of its own:
// what remains even in the calmest tenth of the blocks, and in the coarsest detail. One of 2,125 copies had as much, one of a lossless
// picture at a quality of 30.
const strangeGrain = 2.8

// copyOdds is the logarithm of how much likelier a copy is than another frame.
func copyOdds(signs []copySign) float64 {
	hidden, last, odds := copyWeights()
	for _, s := range signs {
		value := min(max(s.value, s.low), s.high)
		for k, weight := range s.weights {
			hidden[k] += weight * value
		}
	}
	for k, weight := range last {
		odds += weight * math.Tanh(hidden[k])
	}
	return odds
}
