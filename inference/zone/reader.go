// Package zone finds the machine readable zones of a picture and reads them.
package zone

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/mrz"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/line"
	"github.com/bawab/bawab/inference/stopwatch"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// Reader finds machine readable zones and reads them. It is safe for concurrent use.
type Reader struct {
	detector   *line.Detector
	recogniser *recogniser
	now        func() time.Time
}

// NewReader makes a reader over the "lines" and "mrz" networks, which stay the caller's. now gives the time in the
// zone in which documents expire.
func NewReader(lines, chars *inference.Network, now func() time.Time) *Reader {
	return &Reader{detector: line.NewDetector(lines), recogniser: newRecogniser(chars), now: now}
}

// Reading is a zone that was read, with its place.
type Reading struct {
	mrz.Reading
	block block
	cells [][]mrz.Cell
	// Quality is 1 for text that the network is sure of and that makes sense: the mean probability of the best symbol
	// of each position, less what the grammar had to give up of it (the mean of its negative logarithm).
	Quality float64
}

// Page is the outline of the TD3 data page that a zone belongs to, in the picture.
func (r Reading) Page() appliance.Quad { return r.block.page() }

// Middle is the middle of the zone in the picture.
func (r Reading) Middle() appliance.Point { return r.block.middle() }

// Quad is the outline of characters start to end of a line in the picture.
func (r Reading) Quad(line, start, end int) appliance.Quad { return r.block.quad(line, start, end) }

// Outline is that of the zone in the picture, with room above and below its lines.
func (r Reading) Outline() appliance.Quad {
	return r.block.outline(0, -capitals, float64(r.block.width), float64(r.block.lines-1)*lineGap+capitals)
}

// Good reports whether the reading is so good that no other arrangement needs to be tried.
func (r Reading) Good() bool {
	return r.Quality >= goodQuality || r.Quality >= fairQuality && len(r.Checks) > 0 && r.ChecksOK()
}

const (
	zoomSide  = 512
	zoomShare = 0.78 // of the side that the zone's length takes: room for a coarse estimate on both ends

	// The marks of quality. On synthetic photographs and official specimens (November 2026) right readings lie above
	// 0.75, all but a few above goodQuality; readings that are misplaced or upside down lie below 0.5, and stripes
	// that look like text below 0.
	sureQuality  = 0.99
	goodQuality  = 0.97
	fairQuality  = 0.9
	leastQuality = 0.35 // what a zone must reach to count as one at all

	// manyZones bounds the work on a picture full of things that look like zones, manyPairs that on a page of text.
	manyZones = 3
	manyPairs = 2
)

// Read looks for the best machine readable zone; ok is false when there is none. Its steps are added to watch.
//
// It looks at the whole picture first. Where that shows nothing, the page may be too small in it, and it looks at the
// four quarters, which overlap so that no page is cut by all of them.
func (z *Reader) Read(ctx context.Context, luma vision.Plane, watch *stopwatch.Watch) (best Reading, ok bool, err error) {
	for i, part := range parts(luma) {
		if i > 0 && best.Quality >= leastQuality {
			break
		}
		m, err := z.detector.Detect(ctx, part.Plane)
		watch.Lap("detect")
		if err != nil {
			return best, false, err
		}
		toPicture := vision.Homography{1, 0, float64(part.x), 0, 1, float64(part.y), 0, 0, 1}
		anywhere := func(appliance.Point) bool { return true }
		r, err := z.readPlaces(ctx, luma, places(m, toPicture), anywhere, watch)
		if err != nil {
			return best, false, err
		}
		if r.Quality > best.Quality {
			best = r
		}
	}
	return best, best.Quality >= leastQuality, nil
}

// The view of a page in which its zone is looked for, in pixels: a TD3 page with pageRoom around it, as a share of its
// sides, because an outline may be a little off and the zone lies close to it.
const (
	pageWidth  = 512
	pageHeight = 360
	pageRoom   = 0.06
)

// Within looks for the best machine readable zone of the page that q outlines; ok is false when there is none. A zone
// beside the page is not read for it.
func (z *Reader) Within(
	ctx context.Context, luma vision.Plane, q appliance.Quad, watch *stopwatch.Watch,
) (best Reading, ok bool, err error) {
	page, ok := vision.RectToQuad(1, 1, q)
	if !ok {
		return best, false, nil
	}
	const side = 1 + 2*pageRoom
	toPicture := page.Mul(vision.Homography{side / pageWidth, 0, -pageRoom, 0, side / pageHeight, -pageRoom, 0, 0, 1})
	back, ok := toPicture.Inverse()
	if !ok {
		return best, false, nil
	}
	m, err := z.detector.DetectIn(ctx, luma, toPicture, pageWidth, pageHeight)
	watch.Lap("detect")
	if err != nil {
		return best, false, err
	}
	within := func(p appliance.Point) bool {
		p = back.Apply(p)
		return p.X > 0 && p.Y > 0 && p.X < pageWidth && p.Y < pageHeight
	}
	best, err = z.readPlaces(ctx, luma, places(m, toPicture), within, watch)
	return best, err == nil && best.Quality >= leastQuality, err
}

// Elsewhere reads those of the zones of the whole picture that are surely ones, but for those at places that are taken.
func (z *Reader) Elsewhere(
	ctx context.Context, luma vision.Plane, zones []line.Zone, taken func(appliance.Point) bool, watch *stopwatch.Watch,
) (found []Reading, err error) {
	known := func(p appliance.Point) bool {
		return taken(p) || slices.ContainsFunc(found, func(o Reading) bool { return o.block.page().Contains(p) })
	}
	for _, zone := range zones[:min(len(zones), manyZones)] {
		if known(vision.Middle(zone.Quad)) {
			continue
		}
		r, err := z.readZone(ctx, luma, zone.Quad, watch)
		if err != nil {
			return nil, err
		}
		if r.Good() && !known(r.block.middle()) {
			found = append(found, r)
		}
	}
	return found, nil
}

// readPlaces reads the best of the zones that may lie at some places of the picture and whose middle is allowed.
func (z *Reader) readPlaces(
	ctx context.Context, luma vision.Plane, places []appliance.Quad, allowed func(appliance.Point) bool, watch *stopwatch.Watch,
) (best Reading, err error) {
	for _, place := range places {
		r, err := z.readZone(ctx, luma, place, watch)
		if err != nil {
			return best, err
		}
		if r.Quality > best.Quality && allowed(r.block.middle()) {
			best = r
		}
		if best.Good() {
			break
		}
	}
	return best, nil
}

// part is a rectangle of a picture, with the place of its top left corner.
type part struct {
	vision.Plane
	x, y int
}

// parts returns the whole of a picture and its four quarters, each 60 per cent of a side long.
func parts(p vision.Plane) []part {
	out := []part{{Plane: p}}
	w, h := p.Width*6/10, p.Height*6/10
	for _, y := range []int{0, p.Height - h} {
		for _, x := range []int{0, p.Width - w} {
			quarter := vision.Plane{Pix: p.Pix[y*p.Stride+x:], Width: w, Height: h, Stride: p.Stride}
			out = append(out, part{Plane: quarter, x: x, y: y})
		}
	}
	return out
}

// places returns where zones may lie, in the pixels of the picture. The detector's own zones come first, then pairs of
// lines that lie like the lines of a zone: print in a strange font may look like common lines to the detector.
func places(m *line.Map, toPicture vision.Homography) []appliance.Quad {
	zones := m.Zones()
	var out []appliance.Quad
	for _, found := range zones[:min(len(zones), manyZones)] {
		out = append(out, found.Quad)
	}
	out = append(out, pairs(m.Lines())...)
	for i := range out {
		out[i] = toPicture.ApplyQuad(out[i])
	}
	return out
}

// readZone looks at one zone again from nearby and reads the likeliest arrangement of its lines.
func (z *Reader) readZone(ctx context.Context, luma vision.Plane, q appliance.Quad, watch *stopwatch.Watch) (best Reading, err error) {
	near, proposals, err := z.approach(ctx, luma, q)
	watch.Lap("zoom")
	if err != nil {
		return best, err
	}
	for _, b := range proposals {
		b.h = near.Mul(b.h)
		r, err := z.readBlock(ctx, luma, b)
		if err != nil {
			return best, err
		}
		if r.Quality > best.Quality {
			best = r
		}
		if best.Good() {
			break
		}
	}
	if best.Quality >= leastQuality && best.Quality < sureQuality {
		best, err = z.readAgain(ctx, luma, best)
	}
	watch.Lap("read")
	return best, err
}

// looks bounds how often a zone is looked at anew: the first estimate may show a part of it, or the wrong angle.
const looks = 3

// approach detects the lines of a zone in a near view of it and proposes blocks, in the near view's pixels. Where the
// lines run out of the view or lie askew in it, they tell where to look better, and it looks again.
func (z *Reader) approach(ctx context.Context, luma vision.Plane, q appliance.Quad) (near vision.Homography, proposals []block, err error) {
	view := vision.Plane{Pix: make([]byte, zoomSide*zoomSide), Width: zoomSide, Height: zoomSide, Stride: zoomSide}
	for look := 1; ; look++ {
		near = zoom(q)
		back, ok := near.Inverse()
		if !ok || !vision.Warp(luma, near, zoomSide, zoomSide, view.Pix) {
			return near, nil, nil
		}
		m, err := z.detector.Detect(ctx, view)
		if err != nil {
			return near, nil, err
		}
		outline := back.ApplyQuad(q)
		if zones := m.Zones(); len(zones) > 0 {
			outline = nearestZone(zones, vision.Middle(outline))
		}
		rows := joinRows(m.Lines(), outline)
		better, again := lookAgain(rows)
		if !again || look == looks {
			return near, blocks(rows, outline), nil
		}
		q = near.ApplyQuad(better)
	}
}

// nearestZone returns the zone whose middle is the nearest to p, of those that are no crumbs: a near view may show that of the page beside
// it, too.
func nearestZone(zones []line.Zone, p appliance.Point) appliance.Quad {
	const crumb = 0.25 // of the largest
	best, least := zones[0].Quad, math.Inf(1)
	for _, z := range zones {
		m := vision.Middle(z.Quad)
		if d := math.Hypot(m.X-p.X, m.Y-p.Y); d < least && float64(z.Cells) > crumb*float64(zones[0].Cells) {
			best, least = z.Quad, d
		}
	}
	return best
}

// lookAgain reports whether the rows of a near view are cut by its edge or lie more than about 6 degrees askew, and then
// returns where to look instead: along the rows, and further out where they are cut.
func lookAgain(rows []text.Line) (appliance.Quad, bool) {
	if len(rows) == 0 {
		return appliance.Quad{}, false
	}
	longest := slices.MaxFunc(rows, func(x, y text.Line) int { return cmp.Compare(x.Length(), y.Length()) })
	cutLeft, cutRight := cutByEdge(longest.Start), cutByEdge(longest.End)
	askew := math.Abs(longest.End.Y-longest.Start.Y) > 0.1*math.Abs(longest.End.X-longest.Start.X)
	start, end := longest.Start, longest.End
	if cutLeft {
		start = vision.Between(longest.End, longest.Start, 1.6)
	}
	if cutRight {
		end = vision.Between(longest.Start, longest.End, 1.6)
	}
	return appliance.Quad{start, end, end, start}, cutLeft || cutRight || askew
}

func cutByEdge(p appliance.Point) bool {
	const edge = 10
	return p.X < edge || p.Y < edge || p.X > zoomSide-edge || p.Y > zoomSide-edge
}

// zoom maps the near view, a square of zoomSide pixels with the zone upright in its middle, to the picture.
func zoom(q appliance.Quad) vision.Homography {
	a := axisOf(q)
	length := max(math.Hypot(q[1].X-q[0].X, q[1].Y-q[0].Y), math.Hypot(q[2].X-q[3].X, q[2].Y-q[3].Y), 1)
	k := length / (zoomShare * zoomSide)
	cx, cy := (q[0].X+q[1].X+q[2].X+q[3].X)/4, (q[0].Y+q[1].Y+q[2].Y+q[3].Y)/4
	const half = zoomSide / 2
	return vision.Homography{
		k * a.cos, -k * a.sin, cx - k*half*(a.cos-a.sin),
		k * a.sin, k * a.cos, cy - k*half*(a.sin+a.cos),
		0, 0, 1,
	}
}

// readBlock reads a block as it lies. While that makes little sense, it also tries the other width that two lines may
// have, which tilt can hide, and both upside down.
func (z *Reader) readBlock(ctx context.Context, luma vision.Plane, b block) (best Reading, err error) {
	variants := []block{b}
	if b.lines == mrz.TD3.Lines() {
		variants = append(variants, b.resized(mrz.TD2.Width()+mrz.TD3.Width()-b.width))
	}
	for _, v := range variants {
		variants = append(variants, v.turned())
	}
	for _, v := range variants {
		cells, err := z.readLines(ctx, luma, v, view{1, 1})
		if err != nil {
			return best, err
		}
		if r := z.decode(cells, v); r.Quality > best.Quality {
			best = r
		}
		if best.Good() {
			break
		}
	}
	return best, nil
}

// readLines returns what each position of a block may hold.
func (z *Reader) readLines(ctx context.Context, luma vision.Plane, b block, v view) ([][]mrz.Cell, error) {
	cells := make([][]mrz.Cell, b.lines)
	for i := range cells {
		l, err := z.recogniser.read(ctx, luma, b.strip(i, v))
		if err != nil {
			return nil, err
		}
		cells[i] = marginals(l, b.width)
	}
	return cells, nil
}

// readAgain reads a doubtful zone twice more, a little closer and a little wider, and takes the mean of all evidence:
// what the network sees by chance in one sampling of faint text is rarely there in the next.
func (z *Reader) readAgain(ctx context.Context, luma vision.Plane, r Reading) (Reading, error) {
	cells := make([][]mrz.Cell, len(r.cells))
	for i := range cells {
		cells[i] = slices.Clone(r.cells[i])
	}
	views := []view{{1.04, 1.1}, {0.97, 0.9}}
	for _, v := range views {
		more, err := z.readLines(ctx, luma, r.block, v)
		if err != nil {
			return r, err
		}
		for i := range cells {
			for j := range cells[i] {
				for s := range cells[i][j] {
					cells[i][j][s] += more[i][j][s]
				}
			}
		}
	}
	for i := range cells {
		for j := range cells[i] {
			for s := range cells[i][j] {
				cells[i][j][s] /= float32(1 + len(views))
			}
		}
	}
	return z.decode(cells, r.block), nil
}

// decode makes sense of the evidence by the grammar of the format that has the block's shape.
func (z *Reader) decode(cells [][]mrz.Cell, b block) Reading {
	zone := mrz.Zone{Format: mrz.TD3, Cells: cells}
	switch b.width {
	case mrz.TD1.Width():
		zone.Format = mrz.TD1
	case mrz.TD2.Width():
		zone.Format = mrz.TD2
	}
	ink := 0.0
	for _, line := range cells {
		for _, c := range line {
			ink += math.Exp(float64(slices.Max(c[:])))
		}
	}
	r := mrz.Decode(zone, z.now())
	return Reading{Reading: r, block: b, cells: cells, Quality: (ink + r.LogProb) / float64(b.lines*b.width)}
}
