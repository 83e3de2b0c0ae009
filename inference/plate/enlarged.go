package plate

import (
	"context"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt/plate"
	"github.com/bawab/bawab/inference/vision"
)

// enlargements are how much larger the signs of a doubtful plate are looked at. Of twelve drawn plates in one row that were misread within
// their outline the first mends seven and the second five, eight together (30 November 2026); neither holds all signs of a plate whose
// signs are large.
func enlargements() [2]float64 { return [2]float64{1.3, 1.6} }

// fewestEnlarged is how many signs enlarged ones are at the least: two may be those of anything.
const fewestEnlarged = 3

// enlarged looks anew at a plate in doubt, its digits and its letters enlarged where they stand: signs that are small in their field are
// misread, or lost. What it sees counts where it misses no sign and the plate alone could not be read, or shows fewer signs, and is never
// surer than what is flagged. Of as many signs the plate alone tells more: enlarged ones may be cut off (models/plates.md).
func (r *Reader) enlarged(ctx context.Context, p *appliance.Picture, q appliance.Quad, got read) (read, error) {
	h, ok := onPicture(q)
	if !ok || got.Confidence >= r.sure(got.Plate) || !got.hints() {
		return got, nil
	}
	luma, fewest := vision.Luma(p), max(got.inRow(), fewestEnlarged)
	if got.Confidence >= unreadable {
		fewest = max(fewest, len(got.Printed)+1)
	}
	for _, times := range enlargements() {
		larger, err := r.lookLarger(ctx, luma, h, times)
		if err != nil {
			return got, err
		}
		if larger.Rows == 1 && larger.Plate.Valid() && len(larger.Printed) >= fewest && larger.Confidence >= enough {
			larger.Confidence = min(larger.Confidence, doubtful*r.accept)
			larger.rivals = got.rivals
			return larger, nil
		}
	}
	return got, nil
}

// hints reports whether signs in one row say that there may be a plate: they make one, or at least two of them can be named surely.
func (g *read) hints() bool {
	const fewest = 2
	sure, all := g.sureSigns()
	return g.Rows == 1 && (g.Confidence >= hardlySigns || sure >= fewest && all <= mostSigns)
}

// lookLarger looks at a plate whose halves below the band are so many times enlarged, each about the place where the middle of its signs is
// on most plates.
func (r *Reader) lookLarger(ctx context.Context, luma vision.Plane, h vision.Homography, times float64) (read, error) {
	const top, bottom, rim = 34, 90, 11 // rows and columns of the view: what lies below the band and within the rim
	s := r.scratch.Get().(*scratch)
	defer r.scratch.Put(s)
	half := make([]byte, viewWidth*viewHeight)
	if !vision.Warp(luma, h, viewWidth, viewHeight, s.view) {
		return read{}, nil
	}
	for side, from := range [2]int{rim, viewWidth / 2} {
		x := (0.25+0.5*float64(side))*(1-2*margin) + margin
		y := middleY*(1-2*margin) + margin
		// The point keeps its place.
		enlarge := vision.Homography{1 / times, 0, x * viewWidth * (1 - 1/times), 0, 1 / times, y * viewHeight * (1 - 1/times), 0, 0, 1}
		if !vision.Warp(luma, h.Mul(enlarge), viewWidth, viewHeight, half) {
			return read{}, nil
		}
		for row := top; row < bottom; row++ {
			copy(s.view[row*viewWidth+from:][:viewWidth/2-rim], half[row*viewWidth+from:])
		}
	}
	got, err := r.name(ctx, s, h)
	got.signs, got.seen, got.Printed = reduced(got.signs, times), reduced(got.seen, times), reduced(got.Printed, times)
	return got, err
}

// middleY is how high the middles of signs stand on most plates, in the units of plate.Sign.
const middleY = (digitsY + lettersY) / 2

// reduced are signs of enlarged halves in their places on the plate.
func reduced(signs []plate.Sign, times float64) []plate.Sign {
	out := slices.Clone(signs)
	for i, s := range out {
		middle := 0.5
		if s.X > 1 {
			middle = 1.5
		}
		out[i].X, out[i].Y = middle+(s.X-middle)/times, middleY+(s.Y-middleY)/times
	}
	return out
}
