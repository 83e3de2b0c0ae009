package line

import (
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// LightPrint reports whether a line, which h maps to a plane, is lighter than its ground: most of what lies about its signs is dark.
func LightPrint(luma vision.Plane, h vision.Homography, l text.Line) bool {
	const along, across, contrast = 64, 9, 24
	q := l.Quad()
	var seen []byte
	for i := range across {
		a, b := vision.Between(q[0], q[3], float64(i)/(across-1)), vision.Between(q[1], q[2], float64(i)/(across-1))
		for k := range along {
			p := h.Apply(vision.Between(a, b, (float64(k)+0.5)/along))
			if x, y := int(p.X), int(p.Y); p.X >= 0 && p.Y >= 0 && x < luma.Width && y < luma.Height {
				seen = append(seen, luma.Pix[y*luma.Stride+x])
			}
		}
	}
	if len(seen) == 0 {
		return false
	}
	slices.Sort(seen)
	low, middle, high := int(seen[len(seen)/20]), int(seen[len(seen)/2]), int(seen[len(seen)*19/20])
	return high-low > contrast && high-middle > middle-low
}

// Box is a box of dark ground on a document, in the units of its view.
type Box struct{ left, top, right, bottom float64 }

const (
	// boxSample is how many units of a view a sample takes in which boxes are looked for.
	boxSample = 2.0
	// darkBox is the share of a document's usual light under which its ground is dark.
	darkBox = 0.6
	// boxLow and boxHigh are the heights of a box that a label may stand in, in units, boxWide the most of the width of the document
	// that it takes, and boxLong how many times as long as high it is at least.
	boxLow, boxHigh, boxWide, boxLong = 8.0, 34.0, 0.4, 1.5
	// boxFull is the share of a box that is ground: letters take less of it than of their own line.
	boxFull = 0.5
	// boxEdge is the share of the upper and of the lower edge of a box that is ground: its corners may be round.
	boxEdge = 0.7
	// outside is the shortest piece of a line that is left of it beside a box, in its heights.
	outside = 0.8
	// alike is how many times as high one box of a document is as another, at most.
	alike = 1.35
)

// darkBoxes finds the boxes of dark ground on a document of a size, which h maps to a plane, that may hold a label in light print.
func darkBoxes(luma vision.Plane, h vision.Homography, width, height float64) (boxes []Box) {
	w, high := int(width/boxSample), int(height/boxSample)
	pix := make([]byte, w*high)
	if w == 0 || high == 0 || !vision.Warp(luma, h.Mul(vision.Homography{boxSample, 0, 0, 0, boxSample, 0, 0, 0, 1}), w, high, pix) {
		return nil
	}
	limit := byte(darkBox * float64(vision.Median(vision.Plane{Pix: pix, Width: w, Height: high, Stride: w})))
	for at := range pix {
		if pix[at] > limit {
			continue
		}
		b, full := spread(pix, w, at, limit)
		long, tall := b.right-b.left, b.bottom-b.top
		fits := tall >= boxLow && tall <= boxHigh && long >= boxLong*tall && long <= boxWide*width
		if full && fits && LightPrint(luma, h, b.along(0, 0.5)) { // geometry: the middle half of it
			boxes = append(boxes, b)
		}
	}
	return boxes
}

// spread is the box of what hangs together with a dark sample in rows of so many, and whether that fills it, its upper and lower edge too,
// as no letters do. They are dark no longer.
func spread(pix []byte, w, at int, limit byte) (b Box, full bool) {
	left, right, top, bottom := w, 0, len(pix)/w, 0
	open, rows, n := []int{at}, map[int]int{}, 0
	for pix[at] = limit + 1; len(open) > 0; n++ {
		k := open[len(open)-1]
		open = open[:len(open)-1]
		x, y := k%w, k/w
		left, right, top, bottom = min(left, x), max(right, x+1), min(top, y), max(bottom, y+1)
		rows[y]++
		for _, o := range [4]struct {
			at int
			in bool
		}{{k - 1, x > 0}, {k + 1, x+1 < w}, {k - w, y > 0}, {k + w, k+w < len(pix)}} {
			if o.in && pix[o.at] <= limit {
				pix[o.at], open = limit+1, append(open, o.at)
			}
		}
	}
	long, tall := float64(right-left), float64(bottom-top)
	edge := min(max(rows[top], rows[top+1]), max(rows[bottom-1], rows[bottom-2])) // blur takes one row
	full = float64(n) >= boxFull*long*tall && float64(edge) >= boxEdge*long
	return Box{float64(left) * boxSample, float64(top) * boxSample, float64(right) * boxSample, float64(bottom) * boxSample}, full
}

// along is a line of light print about the middle of the box, from so many of its heights behind its end, that takes a share of its height.
func (b Box) along(start, share float64) text.Line {
	high, y := b.bottom-b.top, (b.top+b.bottom)/2
	from, to := appliance.Point{X: b.left + start*high, Y: y}, appliance.Point{X: b.right - start*high, Y: y}
	return text.Line{Start: from, End: to, Height: share * high, Light: true}
}

// holds reports whether the middle of a line lies in the box.
func (b Box) holds(l text.Line) bool {
	x, y := (l.Start.X+l.End.X)/2, (l.Start.Y+l.End.Y)/2
	return x > b.left && x < b.right && y > b.top && y < b.bottom
}

// inBoxes is the light print in boxes: lines that lie in them, seen in the negative, and in boxes as high as those in which one was seen a
// line about their middle. Other boxes are left out. It is none where fewer boxes than so many show a line.
func inBoxes(lines []text.Line, boxes []Box, least int, light func(text.Line) bool) (print []text.Line, labels []Box) {
	var bare []Box
	var highs, shares, starts []float64
	for _, b := range boxes {
		n := len(print)
		for _, l := range lines {
			from, to := b.shares(l)
			if high := b.bottom - b.top; b.holds(l) && l.Height < high && light(l.Between(from, to)) {
				l = l.Between(from, to)
				l.Light, l.CutStart, l.CutEnd = true, false, false
				print, highs, shares = append(print, l), append(highs, high), append(shares, l.Height/high)
				starts = append(starts, (l.Start.X-b.left)/high)
			}
		}
		if len(print) == n {
			bare = append(bare, b)
		} else {
			labels = append(labels, b)
		}
	}
	if len(labels) < least {
		return nil, nil
	}
	high, share, start := vision.MedianOf(highs), vision.MedianOf(shares), vision.MedianOf(starts)
	for _, b := range bare {
		l, own := b.along(start, share), b.bottom-b.top
		if max(own, high) < alike*min(own, high) && light(l) {
			labels, print = append(labels, b), append(print, l)
		}
	}
	return print, labels
}

// shares are between which shares of its length a line lies in the box.
func (b Box) shares(l text.Line) (from, to float64) {
	long := max(l.End.X-l.Start.X, 1)
	return min(1, max(0, (b.left-l.Start.X)/long)), max(0, min(1, (b.right-l.Start.X)/long))
}

// besideBoxes is what is left of lines of dark print without boxes.
func besideBoxes(lines []text.Line, boxes []Box) []text.Line {
	out := slices.Clone(lines)
	for _, b := range boxes {
		var left []text.Line
		for _, l := range out {
			from, to := b.shares(l)
			y := l.Start.Y + l.Slope()*((b.left+b.right)/2-l.Start.X)
			if from >= to || y < b.top || y > b.bottom {
				left = append(left, l)
				continue
			}
			for _, part := range [2][2]float64{{0, from}, {to, 1}} {
				if p := l.Between(part[0], part[1]); (part[1]-part[0])*l.Length() > outside*l.Height {
					p.CutStart, p.CutEnd = l.CutStart && part[0] == 0, l.CutEnd && part[1] == 1
					left = append(left, p)
				}
			}
		}
		out = left
	}
	return out
}
