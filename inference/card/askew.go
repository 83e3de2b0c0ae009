package card

import (
	"context"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
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

// detectPrint detects the lines of a card as they are seen from so far away that a ground made of rows of tiny words is none, if it has such a ground.
func (r *Reader) detectPrint(ctx context.Context, luma vision.Plane, toPicture vision.Homography, magnification float64) ([]text.Line, error) {
	lines, err := r.detect(ctx, luma, toPicture, magnification)
	if err != nil || !tiny(lines) {
		return lines, err
	}
	for _, farther := range []float64{0.5, 0.4} {
		again, err := r.detect(ctx, luma, toPicture, farther*magnification)
		if err != nil || len(again) > 0 && !tiny(again) {
			return again, err
		}
	}
	return lines, nil
}

// tiny reports whether many lines are there and most of them are too small to be what a card says. On four licences with rows of words as their ground the usual line was 3 to 5 pixels of
// the view high, and 12 to 15 seen from twice as far (25 November 2026).
func tiny(lines []text.Line) bool {
	const most, height = 20, 6.5
	if len(lines) < most {
		return false
	}
	heights := make([]float64, len(lines))
	for i, l := range lines {
		heights[i] = l.Height
	}
	return middle(heights) < height
}

// middle is the median of some heights.
func middle(heights []float64) float64 {
	slices.Sort(heights)
	return heights[len(heights)/2]
}

// lessSeen is by how much less of its sides, all four together, the picture may show of a better outline.
const lessSeen = 0.1

// straightened looks once more for the outline of a card whose text does not run along it: it took in another document that lies beside
// or below the card, or the sides are hardly seen on what the card lies on. The new outline counts where it holds that print, most of
// the text runs along it and the picture shows no less of it.
func (r *Reader) straightened(ctx context.Context, s *scene, v flatCard, lines []text.Line, covers []appliance.Quad) (flatCard, []text.Line, error) {
	share, runs := slanting(lines)
	if share < muchAskew {
		return r.widened(ctx, s, v, lines, covers)
	}
	for _, run := range runs {
		f, err := r.around(ctx, s, v, run)
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
	again.toPicture = v.toPicture.Mul(holding(lines, alongPrint(lines)))
	if seen, along, err := r.seenAlong(ctx, s, again, share, covers); err != nil || along {
		return again, seen, err
	}
	return v, lines, nil
}

// seenAlong detects the lines of a card in another view, and reports whether most of the text that slanted, which share of it did, runs along that.
func (r *Reader) seenAlong(ctx context.Context, s *scene, v flatCard, share float64, covers []appliance.Quad) (lines []text.Line, along bool, err error) {
	lines, err = r.linesOf(ctx, s, v, r.magnification(v), covers)
	left, _ := slanting(lines)
	return lines, len(lines) > 0 && left < share/2, err
}

// alongPrint maps a view in which text runs level to one in which it runs as lines do: their slopes change evenly from the top to the bottom, since all rows of a card meet in
// one point.
func alongPrint(lines []text.Line) vision.Homography {
	const middleX, apart = viewWidth / 2.0, viewHeight / 5.0
	var heights, slopes, fans, falls []float64 // where the rows cross the middle, and by how much they fall there
	for _, l := range lines {
		if !tellsDirection(l) {
			continue
		}
		heights, slopes = append(heights, l.Start.Y+slope(l)*(middleX-l.Start.X)), append(slopes, slope(l))
	}
	for i := range slopes {
		for k := range i {
			if d := heights[i] - heights[k]; math.Abs(d) > apart {
				fans = append(fans, (slopes[i]-slopes[k])/d)
			}
		}
	}
	fan := 0.0
	if len(fans) > 0 {
		fan = middle(fans)
	}
	for i := range slopes {
		falls = append(falls, slopes[i]-fan*heights[i])
	}
	fall := middle(falls)
	about := vision.Homography{1, 0, 0, fall, 1, 0, -fan, 0, 1}
	return vision.Homography{1, 0, middleX, 0, 1, 0, 0, 0, 1}.Mul(about).Mul(vision.Homography{1, 0, -middleX, 0, 1, 0, 0, 0, 1})
}

// holding makes a map from a view to one with lines take in all of them: it leaves out the corners that stand out.
func holding(lines []text.Line, toLines vision.Homography) vision.Homography {
	back, ok := toLines.Inverse()
	if !ok {
		return toLines
	}
	left, top, right, bottom := 0.0, 0.0, float64(viewWidth), float64(viewHeight)
	for _, l := range lines {
		for _, end := range []appliance.Point{l.Start, l.End} {
			p := back.Apply(end)
			left, right = min(left, p.X-l.Height), max(right, p.X+l.Height)
			top, bottom = min(top, p.Y-l.Height), max(bottom, p.Y+l.Height)
		}
	}
	return toLines.Mul(vision.Homography{(right - left) / viewWidth, 0, left, 0, (bottom - top) / viewHeight, top, 0, 0, 1})
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
		var out run
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
		if !ok || f.Quad == v.Quad || f.Visible() < v.Visible()-lessSeen || !out.within(f.Quad, v.toPicture) {
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
func (v flatCard) runningOut(lines []text.Line) (left, right run) {
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

// runsOut reports whether several lines end at the right side of a card, which is hardly seen: whole words may be missing there, so that those that were read look sound.
func (v flatCard) runsOut(lines []text.Line) bool {
	_, right := v.runningOut(lines)
	return len(right) > mostAtSide && v.Edges[sideRight] < clearSide
}

// around looks for the outline of the card that a run is the text of: about cards of several sizes that may hold it, since what is seen
// from near among several documents depends on where the look goes. Of the outlines that hold the run it returns the one of which the
// picture shows most, and the one that there was if it finds none.
func (r *Reader) around(ctx context.Context, s *scene, v flatCard, lines run) (best outline.Found, err error) {
	best, found := v.Found, false
	for _, room := range []float64{1.05, 1.2, 1.4} {
		f, err := r.Finder.Again(ctx, s.Picture, v.Found, lines.card(v.toPicture, room))
		if err != nil {
			return v.Found, err
		}
		if lines.within(f.Quad, v.toPicture) && (!found || f.Visible() > best.Visible()) {
			best, found = f, true
		}
	}
	return best, nil
}

// run is lines of one slope.
type run []text.Line

const (
	// askew is the slope of text from which on the outline of its card is wrong. Of 76 drawn licences (22 November 2026) it was more on
	// the two whose outlines were, and less than half of it on 73.
	askew = 0.03
	// muchAskew is the share of a card's text with such a slope that makes its outline doubtful.
	muchAskew = 0.25
	// sameSlope is by how much the slopes of one run may differ: perspective makes its lines fan out.
	sameSlope = 0.06
	// mostRuns is how many runs are followed, the one of most text first.
	mostRuns = 2
)

// slanting returns which share of a card's text does not run along its outline, by length, and the runs that it makes. Print that is too
// short to tell its direction counts for neither.
func slanting(lines []text.Line) (share float64, runs []run) {
	var off run
	all := 0.0
	for _, l := range lines {
		if !tellsDirection(l) {
			continue
		}
		all += l.Length()
		if math.Abs(slope(l)) > askew {
			off = append(off, l)
		}
	}
	share = off.length() / max(all, 1)
	for len(off) > 0 && len(runs) < mostRuns {
		var longest run
		for _, l := range off {
			if like := off.like(l); like.length() > longest.length() {
				longest = like
			}
		}
		runs = append(runs, longest)
		off = slices.DeleteFunc(off, func(l text.Line) bool { return slices.Contains(longest, l) })
	}
	return share, runs
}

// directed is how many times its height print is long from which on it tells its direction.
const directed = 6

// tellsDirection reports whether a line is long enough to tell its direction, and runs from left to right.
func tellsDirection(l text.Line) bool {
	return l.Length() >= directed*l.Height && l.End.X-l.Start.X >= l.Length()/2
}

// slope is by how much a line falls for its width.
func slope(l text.Line) float64 { return (l.End.Y - l.Start.Y) / (l.End.X - l.Start.X) }

// like returns the lines that run as one does.
func (r run) like(l text.Line) (found run) {
	for _, o := range r {
		if math.Abs(slope(o)-slope(l)) < sameSlope {
			found = append(found, o)
		}
	}
	return found
}

func (r run) length() (sum float64) {
	for _, l := range r {
		sum += l.Length()
	}
	return sum
}

// within reports whether an outline in the picture holds the lines of a view.
func (r run) within(q appliance.Quad, toPicture vision.Homography) bool {
	return !slices.ContainsFunc(r, func(l text.Line) bool {
		return !vision.Contains(q, toPicture.Apply(l.Start)) || !vision.Contains(q, toPicture.Apply(l.End))
	})
}

// card returns where in the picture the card may lie whose text the lines of a view are: along them, so many times as large as they
// need, and in an ID-1 card's shape.
func (r run) card(toPicture vision.Homography, room float64) (q appliance.Quad) {
	const shape = 85.6 / 53.98
	var ends []appliance.Point
	var dx, dy float64
	for _, l := range r {
		a, b := toPicture.Apply(l.Start), toPicture.Apply(l.End)
		ends, dx, dy = append(ends, a, b), dx+b.X-a.X, dy+b.Y-a.Y
	}
	length := math.Hypot(dx, dy)
	cos, sin := dx/length, dy/length
	left, top, right, bottom := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, p := range ends {
		x, y := p.X*cos+p.Y*sin, p.Y*cos-p.X*sin
		left, top, right, bottom = min(left, x), min(top, y), max(right, x), max(bottom, y)
	}
	w, h := room*(right-left), room*(bottom-top)
	w, h = max(w, h*shape), max(h, w/shape)
	for i, corner := range [4]appliance.Point{{X: -1, Y: -1}, {X: 1, Y: -1}, {X: 1, Y: 1}, {X: -1, Y: 1}} {
		x, y := (left+right+corner.X*w)/2, (top+bottom+corner.Y*h)/2
		q[i] = appliance.Point{X: x*cos - y*sin, Y: x*sin + y*cos}
	}
	return q
}
