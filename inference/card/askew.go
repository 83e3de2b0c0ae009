package card

import (
	"context"
	"math"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// flatCard is a document laid flat by its outline.
type flatCard struct {
	outline.Found
	toPicture vision.Homography // from the view
}

// layFlat is false where the outline is none.
func layFlat(f outline.Found) (flatCard, bool) {
	toPicture, ok := vision.RectToQuad(viewWidth, viewHeight, f.Quad)
	return flatCard{f, toPicture}, ok
}

// linesOf detects the lines of a card, without those on what lies on it.
func (r *Reader) linesOf(ctx context.Context, s *scene, v flatCard, at []sighting, covers []appliance.Quad) ([]text.Line, error) {
	lines, err := r.detect(ctx, s.luma, v.toPicture, at)
	return uncovered(lines, v.toPicture, covers), err
}

// askew is the slope of print from which on the outline of its card is wrong. Of 76 drawn licences (22 November 2026) it was more on
// the two whose outlines were, and less than half of it on 73.
const askew = 0.03

// lessSeen is by how much less of its sides, all four together, the picture may show of a better outline.
const lessSeen = 0.1

// straightened looks once more for the outline of a card whose print does not run along it: another document lay beside the card, or
// its sides are hardly seen on what it lies on. The new outline counts where print runs along it and the picture shows no less of it.
func (r *Reader) straightened(ctx context.Context, s *scene, v flatCard, lines []text.Line, covers []appliance.Quad) (flatCard, []text.Line, error) {
	const room = 1.1 // sides that were mistaken cut print off as a rule
	slope := slopeOf(piecesOf(lines))
	if math.Abs(slope) < askew {
		return v, lines, nil
	}
	f, err := r.Finder.Again(ctx, s.Picture, v.Found, v.toPicture.ApplyQuad(alongPrint(slope, room)))
	if err != nil {
		return v, lines, err
	}
	again, ok := layFlat(f)
	if !ok || f.Visible() < v.Visible()-lessSeen {
		return v, lines, nil
	}
	seen, err := r.linesOf(ctx, s, again, sightings(f.Kind), covers)
	if err != nil || len(seen) == 0 || math.Abs(slopeOf(piecesOf(seen))) > math.Abs(slope)/2 {
		return v, lines, err
	}
	return again, seen, nil
}

// alongPrint is the view turned so that its sides run along print of a slope, and so many times as large.
func alongPrint(slope, room float64) (q appliance.Quad) {
	sin, cos := math.Sincos(math.Atan(slope))
	for i, corner := range [4]appliance.Point{{X: -1, Y: -1}, {X: 1, Y: -1}, {X: 1, Y: 1}, {X: -1, Y: 1}} {
		x, y := corner.X*room*viewWidth/2, corner.Y*room*viewHeight/2
		q[i] = appliance.Point{X: viewWidth/2 + cos*x - sin*y, Y: viewHeight/2 + sin*x + cos*y}
	}
	return q
}
