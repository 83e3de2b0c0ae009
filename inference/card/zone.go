package card

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/mrz"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// zoneReader finds machine readable zones in a picture and reads them.
type zoneReader struct {
	detector   *text.Detector
	recogniser *text.Recogniser
	now        func() time.Time
}

// zoneReading is a zone that was read, with its place.
type zoneReading struct {
	mrz.Reading
	block block
	// ink is the mean probability of the best symbol of each position: 1 for print that the network is sure of.
	ink float64
}

const (
	zoomSide  = 512
	zoomShare = 0.78 // of the side that the zone's length takes: room for a coarse estimate on both ends

	// goodInk ends the search for a better reading of a zone. On synthetic photographs that are read right, all but
	// a few lie above it; upside-down and misplaced readings lie below 0.7.
	goodInk = 0.93
	// leastInk is what a zone must reach to count as one at all.
	leastInk = 0.6
	// manyZones bounds the work on a picture full of things that look like zones.
	manyZones = 3
)

// read looks for the best machine readable zone; ok is false when there is none. Its steps are added to watch.
func (z *zoneReader) read(ctx context.Context, luma vision.Plane, watch *stopwatch) (best zoneReading, ok bool, err error) {
	m, err := z.detector.Detect(ctx, luma)
	if err != nil {
		return best, false, err
	}
	zones := m.Zones()
	watch.lap("detect")
	for _, found := range zones[:min(len(zones), manyZones)] {
		r, err := z.readZone(ctx, luma, found.Quad, watch)
		if err != nil {
			return best, false, err
		}
		if r.ink > best.ink {
			best = r
		}
		if best.ink >= goodInk {
			break
		}
	}
	return best, best.ink >= leastInk, nil
}

// readZone looks at one zone again from nearby and reads the likeliest arrangement of its lines.
func (z *zoneReader) readZone(ctx context.Context, luma vision.Plane, q appliance.Quad, watch *stopwatch) (best zoneReading, err error) {
	near, proposals, err := z.approach(ctx, luma, q)
	watch.lap("zoom")
	if err != nil {
		return best, err
	}
	for _, b := range proposals {
		b.h = near.Mul(b.h)
		r, err := z.readBlock(ctx, luma, b)
		if err != nil {
			return best, err
		}
		if r.ink > best.ink {
			best = r
		}
		if best.ink >= goodInk {
			break
		}
	}
	watch.lap("read")
	return best, nil
}

// looks bounds how often a zone is looked at anew: the first estimate may show a part of it, or the wrong angle.
const looks = 3

// approach detects the lines of a zone in a near view of it and proposes blocks, in the near view's pixels. Where the
// lines run out of the view or lie askew in it, they tell where to look better, and it looks again.
func (z *zoneReader) approach(ctx context.Context, luma vision.Plane, q appliance.Quad) (near vision.Homography, proposals []block, err error) {
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
			outline = zones[0].Quad
		}
		rows := joinRows(m.Lines(), outline)
		better, again := lookAgain(rows)
		if !again || look == looks {
			return near, blocks(rows, outline), nil
		}
		q = near.ApplyQuad(better)
	}
}

// lookAgain tells whether the rows of a near view are cut by its edge or lie more than about 6 degrees askew, and then
// returns where to look instead: along the rows, and further out where they are cut.
func lookAgain(rows []text.Line) (appliance.Quad, bool) {
	if len(rows) == 0 {
		return appliance.Quad{}, false
	}
	longest := slices.MaxFunc(rows, func(x, y text.Line) int { return compare(x.Length(), y.Length()) })
	cutLeft, cutRight := cutByEdge(longest.Start), cutByEdge(longest.End)
	askew := math.Abs(longest.End.Y-longest.Start.Y) > 0.1*math.Abs(longest.End.X-longest.Start.X)
	start, end := longest.Start, longest.End
	if cutLeft {
		start = between(longest.End, longest.Start, 1.6)
	}
	if cutRight {
		end = between(longest.Start, longest.End, 1.6)
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

// readBlock reads a block as it lies and, when that makes little sense, upside down.
func (z *zoneReader) readBlock(ctx context.Context, luma vision.Plane, b block) (zoneReading, error) {
	best, err := z.readUpright(ctx, luma, b)
	if err != nil || best.ink >= goodInk {
		return best, err
	}
	turned, err := z.readUpright(ctx, luma, b.turned())
	if err == nil && turned.ink > best.ink {
		best = turned
	}
	return best, err
}

// readUpright reads the lines of a block. When their length tells another width than the block was placed with, the
// strips were stretched, and they are cut once more to fit.
func (z *zoneReader) readUpright(ctx context.Context, luma vision.Plane, b block) (zoneReading, error) {
	lattices, err := z.readLines(ctx, luma, b)
	if err != nil {
		return zoneReading{}, err
	}
	length := 0
	for _, l := range lattices {
		greedy, _ := l.Greedy()
		length = max(length, len(greedy))
	}
	if w := nearestWidth(b.lines, length); w != b.width {
		b = b.resized(w)
		if lattices, err = z.readLines(ctx, luma, b); err != nil {
			return zoneReading{}, err
		}
	}
	return z.decode(lattices, b), nil
}

func (z *zoneReader) readLines(ctx context.Context, luma vision.Plane, b block) ([]*text.Lattice, error) {
	lattices := make([]*text.Lattice, b.lines)
	for i := range lattices {
		l, err := z.recogniser.Read(ctx, luma, b.strip(i))
		if err != nil {
			return nil, err
		}
		lattices[i] = l
	}
	return lattices, nil
}

// nearestWidth returns the line width of ICAO 9303 for a number of lines that is nearest to the characters read.
func nearestWidth(lines, length int) int {
	switch {
	case lines == mrz.TD1.Lines():
		return mrz.TD1.Width()
	case length <= (mrz.TD2.Width()+mrz.TD3.Width())/2:
		return mrz.TD2.Width()
	}
	return mrz.TD3.Width()
}

func (z *zoneReader) decode(lattices []*text.Lattice, b block) zoneReading {
	zone := mrz.Zone{Format: mrz.TD3, Cells: make([][]mrz.Cell, b.lines)}
	switch b.width {
	case mrz.TD1.Width():
		zone.Format = mrz.TD1
	case mrz.TD2.Width():
		zone.Format = mrz.TD2
	}
	sum := 0.0
	for i, l := range lattices {
		zone.Cells[i], _ = l.Marginals(b.width)
		for _, c := range zone.Cells[i] {
			top := c[0]
			for _, p := range c {
				top = max(top, p)
			}
			sum += math.Exp(float64(top))
		}
	}
	if c := zone.Cells[0][0]; best(c) == mrz.Index('V') {
		zone.Format = map[mrz.Format]mrz.Format{mrz.TD3: mrz.MRVA, mrz.TD2: mrz.MRVB}[zone.Format]
	}
	return zoneReading{Reading: mrz.Decode(zone, z.now()), block: b, ink: sum / float64(b.lines*b.width)}
}

func best(c mrz.Cell) int {
	at := 0
	for i := range c {
		if c[i] > c[at] {
			at = i
		}
	}
	return at
}
