package plate

import (
	"context"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt/plate"
	"github.com/bawab/bawab/inference/vision"
)

// diplomatic is the category of the plates that carry two groups of digits and no letters.
const diplomatic = "diplomatic"

// diplomatic reads the two groups of digits of a diplomat's plate within the outlines that it may have, and where the groups say that it
// is while none shows them surely. The surest reading counts, in doubt where another outline shows other groups.
func (r *Reader) diplomatic(
	ctx context.Context,
	p *appliance.Picture,
	outlines ...appliance.Quad,
) (best plate.Diplomatic, err error) {
	disputed := false
	for i := 0; i < len(outlines) && best.Confidence < sureUnusual; i++ {
		q := outlines[i]
		if slices.Contains(outlines[:i], q) {
			continue
		}
		got, err := r.groups(ctx, p, q)
		if err != nil {
			return best, err
		}
		disputed = disputed || best.Value != "" && got.Confidence >= unreadable && got.Value != best.Value
		if got.Confidence <= best.Confidence {
			continue
		}
		best = got
		if len(outlines) < diplomaticOutlines {
			outlines = append(outlines, aboutGroups(q, got))
		}
	}
	if disputed {
		best.Confidence = min(best.Confidence, doubtful*r.accept)
	}
	return best, nil
}

// diplomaticOutlines is within how many outlines a diplomat's plate is read at the most.
const diplomaticOutlines = 4

// aboutGroups moves an outline to where the groups that were read within it say that the plate is.
func aboutGroups(q appliance.Quad, got plate.Diplomatic) appliance.Quad {
	h, ok := vision.RectToQuad(2, 1, q)
	if !ok {
		return q
	}
	return h.ApplyQuad(moved(
		appliance.Point{X: got.LeftX, Y: got.LeftY}, appliance.Point{X: got.RightX, Y: got.RightY},
		appliance.Point{X: 0.5, Y: digitsY}, appliance.Point{X: 1.5, Y: digitsY},
	))
}

// groups reads the two groups of digits several times over within slightly different outlines, as vote does. Where the right half is not
// read so by itself, too, it may show letters.
func (r *Reader) groups(ctx context.Context, p *appliance.Picture, q appliance.Quad) (best plate.Diplomatic, err error) {
	whole, ok := onPicture(q)
	half, halfOK := onPicture(rightHalf(q))
	if !ok || !halfOK {
		return best, nil
	}
	luma, gaps := vision.Luma(p), false
	sums, confirmed := map[string]float64{}, map[string]int{}
	looks := variants()
	for _, v := range looks {
		got, alone, gap, err := r.lookAtGroups(ctx, luma, whole.Mul(v), half.Mul(v))
		if err != nil {
			return best, err
		}
		gaps = gaps || gap
		if alone == got.Value {
			confirmed[alone]++
		}
		sums[got.Value] += got.Confidence
		if got.Value == best.Value && got.Confidence > best.Confidence || sums[got.Value] > sums[best.Value] {
			best = got
		}
	}
	best.Confidence = sums[best.Value] / float64(len(looks))
	alike := confirmed[best.Value] > len(looks)/2
	if _, right, _ := strings.Cut(best.Value, " "); !alike && len(right) < fewestRight {
		return plate.Diplomatic{}, nil
	}
	wide, err := r.look(ctx, luma, whole.Mul(about(wider, 0, 0)))
	if row := wide.inRow(); gaps || !alike || row > len(best.Value)-1 { // more signs than the digits about one blank
		best.Confidence = min(best.Confidence, doubtful*r.accept)
	}
	return best, err
}

// fewestRight is how many digits stand at the right of a diplomat's plate at the least; a single sign there is rather a letter. All real
// ones that are known have two or three.
const fewestRight = 2

// lookAtGroups looks once at both halves of a plate. alone is the value where the right half is looked at without what stands beside it,
// and gap tells that room between digits was taken for a hidden sign.
func (r *Reader) lookAtGroups(ctx context.Context, luma vision.Plane, whole, half vision.Homography) (
	got plate.Diplomatic, alone string, gap bool, err error,
) {
	left, err := r.look(ctx, luma, whole)
	if err != nil {
		return got, "", false, err
	}
	right, err := r.lookRight(ctx, luma, whole, half)
	if err != nil {
		return got, "", false, err
	}
	bare, err := r.look(ctx, luma, half)
	if err != nil {
		return got, "", false, err
	}
	digits, leftGap := left.withoutGaps()
	rightDigits, rightGap := right.withoutGaps()
	bareDigits, _ := bare.withoutGaps()
	alone = plate.DecodeDiplomatic(digits, bareDigits).Value
	return plate.DecodeDiplomatic(digits, rightDigits), alone, leftGap || rightGap, nil
}

// lookRight reads the right half of a plate where digits stand on other plates: the network knows digits by what they look like and by
// where they stand, left of the bar. right maps a view of the place half a plate to the right; what lies right of the middle there is
// beyond the plate, and the view shows what the plate has.
func (r *Reader) lookRight(ctx context.Context, luma vision.Plane, whole, right vision.Homography) (read, error) {
	s := r.scratch.Get().(*scratch)
	defer r.scratch.Put(s)
	half := make([]byte, viewWidth*viewHeight)
	if !vision.Warp(luma, whole, viewWidth, viewHeight, s.view) || !vision.Warp(luma, right, viewWidth, viewHeight, half) {
		return read{}, nil
	}
	for y := 0; y < len(half); y += viewWidth {
		copy(s.view[y:y+viewWidth/2], half[y:])
	}
	return r.name(ctx, s, right)
}

// withoutGaps are the signs of a look but for those of no name where there is no ink, and gap tells that there are such among the digits:
// where digits stand wide apart the network takes the room between them for a sign that is hidden.
func (g *read) withoutGaps() (signs []plate.Sign, gap bool) {
	signs = slices.DeleteFunc(slices.Clone(g.seen), func(s plate.Sign) bool {
		bare := !named(&s) && g.strokes.at(s) == 0
		gap = gap || bare && s.X < 1 && s.There >= sharedSign
		return bare
	})
	return signs, gap
}

// rightHalf outlines the place half a plate to the right, so that the signs of the right half stand where digits do.
func rightHalf(q appliance.Quad) appliance.Quad {
	middle := func(a, b appliance.Point) appliance.Point {
		return appliance.Point{X: (a.X + b.X) / 2, Y: (a.Y + b.Y) / 2}
	}
	beyond := func(a, b appliance.Point) appliance.Point {
		return appliance.Point{X: b.X + (b.X-a.X)/2, Y: b.Y + (b.Y-a.Y)/2}
	}
	return appliance.Quad{middle(q[0], q[1]), beyond(q[0], q[1]), beyond(q[3], q[2]), middle(q[3], q[2])}
}
