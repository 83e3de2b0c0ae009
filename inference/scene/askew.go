package scene

import (
	"context"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/block"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/text"
)

// muchAskew is the share of a card's text that runs askew which makes its outline doubtful.
const muchAskew = 0.25

// lessSeen is by how much less of its sides, all four together, the picture may show of a better outline.
const lessSeen = 0.1

// ShowsLess reports whether the picture shows so much less of the sides of an outline than it showed of another one that that stays.
func ShowsLess(f outline.Found, seen float64) bool { return f.Visible() < seen-lessSeen }

// straightened looks once more for the outline of a card whose text does not run along it: it took in another document that lies beside
// or below the card, or the sides are hardly seen on what the card lies on. The new outline counts where it holds that print, most of
// the text runs along it and the picture shows no less of it.
func (e *Viewer) straightened(ctx context.Context, s *Scene, v Flat, lines []text.Line) (Flat, []text.Line, error) {
	share, slopes := block.Slanting(lines)
	if share < muchAskew {
		return e.widened(ctx, s, v, lines)
	}
	for _, lines := range slopes {
		f, err := e.around(ctx, s, v, lines)
		if err != nil {
			return v, lines, err
		}
		again, ok := LayFlat(Card{f, v.Covers})
		if !ok || f.Quad == v.Quad || ShowsLess(f, v.Visible()) {
			continue
		}
		if seen, along, err := e.seenAlong(ctx, s, again, share); err != nil || along {
			return again, seen, err
		}
	}
	// Where rows slant, a value stands level with the label of another one: without a better outline the card is laid flat along its text.
	again := v
	again.ToPicture = v.ToPicture.Mul(block.Along(lines, viewWidth, viewHeight))
	if seen, along, err := e.seenAlong(ctx, s, again, share); err != nil || along {
		return again, seen, err
	}
	return v, lines, nil
}

// upright lays a card along the columns of its text where these lean: two sides of its outline are those of what it lies on.
func (e *Viewer) upright(ctx context.Context, s *Scene, v Flat, lines []text.Line) (Flat, []text.Line, error) {
	if Crowded(lines) { // no card, and each pair of its lines would be tried
		return v, lines, nil
	}
	h, leans := block.Upright(lines, viewWidth, viewHeight)
	if !leans {
		return v, lines, nil
	}
	v.ToPicture = v.ToPicture.Mul(h)
	lines, err := e.linesOf(ctx, s, v)
	return v, lines, err
}

// seenAlong detects the lines of a card in another view, and reports whether most of the text that slanted, which share of it did, runs
// along that.
func (e *Viewer) seenAlong(ctx context.Context, s *Scene, v Flat, share float64) (lines []text.Line, along bool, err error) {
	lines, err = e.linesOf(ctx, s, v)
	left, _ := block.Slanting(lines)
	return lines, len(lines) > 0 && left < share/2, err
}

// widened looks once more for the outline of a card of which several lines run into one side: the side lies on a rule of a table or on the
// end of a band. The new outline counts where it holds that print, none runs into its sides and the picture shows no less of it.
func (e *Viewer) widened(ctx context.Context, s *Scene, v Flat, lines []text.Line) (Flat, []text.Line, error) {
	left, right := v.runningOut(lines)
	if e.Kinds.ByLook(v.Kind) { // has no rules and no bands, but bar codes at its left side and print close to its right one
		left = nil
		if v.Edges[Right] >= clearSide {
			right = nil
		}
	}
	if max(len(left), len(right)) <= mostAtSide || v.CutOff() || v.Covered() {
		return v, lines, nil
	}
	for _, more := range []float64{0.12, 0.25, 0.4} {
		wider, seen, err := e.widenedBy(ctx, s, v, left, right, more)
		if err != nil {
			return v, lines, err
		}
		if seen != nil {
			return wider, seen, nil
		}
	}
	return v, lines, nil
}

// widenedBy is a card outlined anew, by a share of its width beyond the sides that several lines run into, with its lines; none where the
// new outline does not count.
func (e *Viewer) widenedBy(
	ctx context.Context, s *Scene, v Flat, left, right block.Lines, more float64,
) (wider Flat, seen []text.Line, err error) {
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
	about := v.ToPicture.ApplyQuad(appliance.Quad{{X: low}, {X: high}, {X: high, Y: viewHeight}, {X: low, Y: viewHeight}})
	f, err := e.Finder.Again(ctx, s.Picture, v.Found, about)
	if err != nil {
		return v, nil, err
	}
	wider, ok := LayFlat(Card{f, v.Covers})
	if !ok || f.Quad == v.Quad || ShowsLess(f, v.Visible()) || !out.Within(f.Quad, v.ToPicture) {
		return v, nil, nil
	}
	if seen, err = e.linesOf(ctx, s, wider); err != nil || len(seen) == 0 {
		return v, nil, err
	}
	if l, r := wider.runningOut(seen); max(len(l), len(r)) > mostAtSide {
		return v, nil, nil
	}
	return wider, seen, nil
}

// around looks for the outline of the card whose text lines are: about cards of several sizes that may hold it, since what is seen
// from near among several documents depends on where the look goes. Of the outlines that hold them it returns the one of which the
// picture shows most, and the one that there was if it finds none.
func (e *Viewer) around(ctx context.Context, s *Scene, v Flat, lines block.Lines) (best outline.Found, err error) {
	best, found := v.Found, false
	for _, room := range []float64{1.05, 1.2, 1.4} {
		f, err := e.Finder.Again(ctx, s.Picture, v.Found, lines.Card(v.ToPicture, room))
		if err != nil {
			return v.Found, err
		}
		if lines.Within(f.Quad, v.ToPicture) && (!found || f.Visible() > best.Visible()) {
			best, found = f, true
		}
	}
	return best, nil
}
