package card

import (
	"context"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/block"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// The view in which the lines of a card are detected: the card laid flat, as wide as the detector looks, so that its
// largest print stays within the heights that the detector knows.
const (
	viewWidth  = 512
	viewHeight = 323 // of an ID-1 card, 85.60 x 53.98 mm
)

// flatCard is a document laid flat by its outline.
type flatCard struct {
	outline.Found
	toPicture vision.Homography // from the view
	left      float64           // where the document begins in the view
}

// layFlat is false where the outline is none. A card that is higher than wide takes up the right of the view, as high as that, so that its
// letters keep their shape.
func layFlat(f outline.Found) (flatCard, bool) {
	if !upended(f.Quad) {
		toPicture, ok := vision.RectToQuad(viewWidth, viewHeight, f.Quad)
		return flatCard{f, toPicture, 0}, ok
	}
	const width, left = upendedWidth, viewWidth - upendedWidth
	toPicture, ok := vision.RectToQuad(width, viewHeight, f.Quad)
	return flatCard{f, toPicture.Mul(vision.Homography{1, 0, -left, 0, 1, 0, 0, 0, 1}), left}, ok
}

// upendedWidth is how wide a card that is higher than wide is in the view.
const upendedWidth = float64(viewHeight) * viewHeight / viewWidth

// linesOf detects the lines of a card, without those on what lies on it or beside it.
func (r *Reader) linesOf(ctx context.Context, s *scene, v flatCard, magnification float64, covers []appliance.Quad) ([]text.Line, error) {
	lines, err := r.detectPrint(ctx, s.luma, v.toPicture, magnification)
	if err == nil {
		lines, err = r.withLight(ctx, s, v, magnification, lines)
	}
	beside := func(l text.Line) bool { return vision.Between(l.Start, l.End, 0.5).X < v.left }
	return slices.DeleteFunc(uncovered(lines, v.toPicture, covers), beside), err
}

// detectPrint detects the lines of a card as they are seen from so far away that a ground made of rows of tiny words is none, if it has
// such a ground.
func (r *Reader) detectPrint(ctx context.Context, luma vision.Plane, toPicture vision.Homography, magnification float64) ([]text.Line, error) {
	lines, err := r.detect(ctx, luma, toPicture, magnification)
	if err != nil || !block.Tiny(lines) {
		return lines, err
	}
	for _, farther := range []float64{0.5, 0.4} {
		again, err := r.detect(ctx, luma, toPicture, farther*magnification)
		if err != nil || len(again) > 0 && !block.Tiny(again) {
			return again, err
		}
	}
	return lines, nil
}

// muchAskew is the share of a card's text that runs askew which makes its outline doubtful.
const muchAskew = 0.25

// lessSeen is by how much less of its sides, all four together, the picture may show of a better outline.
const lessSeen = 0.1

// straightened looks once more for the outline of a card whose text does not run along it: it took in another document that lies beside
// or below the card, or the sides are hardly seen on what the card lies on. The new outline counts where it holds that print, most of
// the text runs along it and the picture shows no less of it.
func (r *Reader) straightened(ctx context.Context, s *scene, v flatCard, lines []text.Line, covers []appliance.Quad) (flatCard, []text.Line, error) {
	share, slopes := block.Slanting(lines)
	if share < muchAskew {
		return r.widened(ctx, s, v, lines, covers)
	}
	for _, lines := range slopes {
		f, err := r.around(ctx, s, v, lines)
		if err != nil {
			return v, lines, err
		}
		again, ok := layFlat(f)
		if !ok || f.Quad == v.Quad || f.Visible() < v.Visible()-lessSeen {
			continue
		}
		if seen, along, err := r.seenAlong(ctx, s, again, share, covers); err != nil || along {
			return again, seen, err
		}
	}
	// Where rows slant, a value stands level with the label of another one: without a better outline the card is laid flat along its text.
	again := v
	again.toPicture = v.toPicture.Mul(block.Along(lines, viewWidth, viewHeight))
	if seen, along, err := r.seenAlong(ctx, s, again, share, covers); err != nil || along {
		return again, seen, err
	}
	return v, lines, nil
}

// upright lays a card along the columns of its text where these lean: two sides of its outline are those of what it lies on.
func (r *Reader) upright(
	ctx context.Context, s *scene, v flatCard, lines []text.Line, covers []appliance.Quad,
) (flatCard, []text.Line, error) {
	if len(lines) > crowded { // no card, and each pair of its lines would be tried
		return v, lines, nil
	}
	h, leans := block.Upright(lines, viewWidth, viewHeight)
	if !leans {
		return v, lines, nil
	}
	v.toPicture = v.toPicture.Mul(h)
	lines, err := r.linesOf(ctx, s, v, r.magnification(v), covers)
	return v, lines, err
}

// seenAlong detects the lines of a card in another view, and reports whether most of the text that slanted, which share of it did, runs
// along that.
func (r *Reader) seenAlong(ctx context.Context, s *scene, v flatCard, share float64, covers []appliance.Quad) (lines []text.Line, along bool, err error) {
	lines, err = r.linesOf(ctx, s, v, r.magnification(v), covers)
	left, _ := block.Slanting(lines)
	return lines, len(lines) > 0 && left < share/2, err
}

const (
	// atSide is how near a side of the outline, as a share of the card's width, print stands on no card.
	atSide = 0.008
	// mostAtSide is how many lines may do so all the same: noise, or a pattern.
	mostAtSide = 1
)

// widened looks once more for the outline of a card of which several lines run into one side: the side lies on a rule of a table or on the
// end of a band. The new outline counts where it holds that print, none runs into its sides and the picture shows no less of it.
func (r *Reader) widened(ctx context.Context, s *scene, v flatCard, lines []text.Line, covers []appliance.Quad) (flatCard, []text.Line, error) {
	left, right := v.runningOut(lines)
	if r.byLook(v.Kind) { // has no rules and no bands, but bar codes at its left side and print close to its right one
		left = nil
		if v.Edges[sideRight] >= clearSide {
			right = nil
		}
	}
	if max(len(left), len(right)) <= mostAtSide || v.CutOff() || v.Covered() {
		return v, lines, nil
	}
	for _, more := range []float64{0.12, 0.25, 0.4} {
		low, high := v.left, float64(viewWidth)
		var out block.Lines
		if len(left) > mostAtSide {
			low -= more * viewWidth
			out = append(out, left...)
		}
		if len(right) > mostAtSide {
			high += more * viewWidth
			out = append(out, right...)
		}
		f, err := r.Finder.Again(ctx, s.Picture, v.Found, v.toPicture.ApplyQuad(appliance.Quad{{X: low}, {X: high}, {X: high, Y: viewHeight}, {X: low, Y: viewHeight}}))
		if err != nil {
			return v, lines, err
		}
		again, ok := layFlat(f)
		if !ok || f.Quad == v.Quad || f.Visible() < v.Visible()-lessSeen || !out.Within(f.Quad, v.toPicture) {
			continue
		}
		seen, err := r.linesOf(ctx, s, again, r.magnification(again), covers)
		if err != nil {
			return v, lines, err
		}
		if l, r := again.runningOut(seen); len(seen) > 0 && max(len(l), len(r)) <= mostAtSide {
			return again, seen, nil
		}
	}
	return v, lines, nil
}

// runningOut returns the lines that end at the left and at the right side of a card.
func (v flatCard) runningOut(lines []text.Line) (left, right block.Lines) {
	for _, l := range lines {
		if min(l.Start.X, l.End.X) < v.left+atSide*viewWidth {
			left = append(left, l)
		}
		if max(l.Start.X, l.End.X) > (1-atSide)*viewWidth {
			right = append(right, l)
		}
	}
	return left, right
}

// runsOut reports whether several lines end at the right side of a card, which is hardly seen: whole words may be missing there, so that
// those that were read look sound.
func (v flatCard) runsOut(lines []text.Line) bool {
	_, right := v.runningOut(lines)
	return len(right) > mostAtSide && v.Edges[sideRight] < clearSide
}

// around looks for the outline of the card whose text lines are: about cards of several sizes that may hold it, since what is seen
// from near among several documents depends on where the look goes. Of the outlines that hold them it returns the one of which the
// picture shows most, and the one that there was if it finds none.
func (r *Reader) around(ctx context.Context, s *scene, v flatCard, lines block.Lines) (best outline.Found, err error) {
	best, found := v.Found, false
	for _, room := range []float64{1.05, 1.2, 1.4} {
		f, err := r.Finder.Again(ctx, s.Picture, v.Found, lines.Card(v.toPicture, room))
		if err != nil {
			return v.Found, err
		}
		if lines.Within(f.Quad, v.toPicture) && (!found || f.Visible() > best.Visible()) {
			best, found = f, true
		}
	}
	return best, nil
}
