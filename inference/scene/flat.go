package scene

import (
	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/block"
	"github.com/bawab/bawab/inference/line"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// The view in which the lines of a card are detected: the card laid flat, as wide as the detector looks, so that its
// largest print stays within the heights that the detector knows.
const (
	viewWidth  = line.CardWidth
	viewHeight = line.CardHeight // of an ID-1 card, 85.60 x 53.98 mm
)

// FromView maps the view to what an outline holds when that fills it. It is false where the outline is none.
func FromView(q appliance.Quad) (vision.Homography, bool) {
	return vision.RectToQuad(viewWidth, viewHeight, q)
}

// Flat is a document laid flat by its outline.
type Flat struct {
	Card
	ToPicture vision.Homography // from the view
	left      float64           // where the document begins in the view
}

// LayFlat is false where the outline is none. A card that is higher than wide takes up the right of the view, as high as that, so that its
// letters keep their shape.
func LayFlat(c Card) (Flat, bool) {
	if !Upended(c.Quad) {
		toPicture, ok := FromView(c.Quad)
		return Flat{c, toPicture, 0}, ok
	}
	const width, left = upendedWidth, viewWidth - upendedWidth
	toPicture, ok := vision.RectToQuad(width, viewHeight, c.Quad)
	return Flat{c, toPicture.Mul(vision.Homography{1, 0, -left, 0, 1, 0, 0, 0, 1}), left}, ok
}

// upendedWidth is how wide a card that is higher than wide is in the view.
const upendedWidth = float64(viewHeight) * viewHeight / viewWidth

// Upended reports whether an outline is clearly higher than wide.
func Upended(q appliance.Quad) bool {
	const clearly = 1.2
	return length(q, Right)+length(q, Left) > clearly*(length(q, Top)+length(q, Bottom))
}

const (
	// atSide is how near a side of the outline, as a share of the card's width, print stands on no card.
	atSide = 0.008
	// mostAtSide is how many lines may do so all the same: noise, or a pattern.
	mostAtSide = 1
)

// runningOut returns the lines that end at the left and at the right side of a card.
func (v Flat) runningOut(lines []text.Line) (left, right block.Lines) {
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

// RunsOut reports whether several lines end at the right side of a card, which is hardly seen: whole words may be missing there, so that
// those that were read look sound.
func (v Flat) RunsOut(lines []text.Line) bool {
	_, right := v.runningOut(lines)
	return len(right) > mostAtSide && v.Edges[Right] < clearSide
}
