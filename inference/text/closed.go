package text

import (
	"cmp"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// cluster is text that stands one above the other: a sign with its dots.
type cluster struct{ left, top, right, bottom int }

// core is the share of a strip's height, about its middle, that the signs of its row reach into; other rows' do not.
const core = 1.0 / 3

// ClosedUp returns a strip of dark text on light paper, one row of it, with the blanks between its signs narrowed to room heights
// of the highest sign where they are wider, the line that the signs then make, and their number. Recognisers know signs that stand as
// close as text does: of one that stands alone in wide paper they make little. ok is false where there are fewer than two signs or
// nothing is narrowed. What does not come near the middle of the strip, or is no sign beside it, is another row's.
func ClosedUp(p vision.Plane, room float64) (out vision.Plane, l Line, count int, ok bool) {
	ink, ok := inkOf(p)
	if !ok {
		return out, l, 0, false
	}
	const speck = 0.12 // of the highest sign, along a side
	from, to := int((1-core)/2*float64(p.Height)), int((1+core)/2*float64(p.Height))
	near := func(top, bottom int) bool { return top < to && bottom > from }
	all := ink.strokes()
	first, last := paper(all, p.Width)
	strokes := slices.DeleteFunc(all, func(s stroke) bool { // the edge of a card, or another row
		return s.left < first || s.right > last || (s.top == 0 || s.bottom == p.Height) && !near(s.top, s.bottom)
	})
	high := 0
	for _, s := range strokes {
		if near(s.top, s.bottom) {
			high = max(high, s.bottom-s.top)
		}
	}
	strokes = slices.DeleteFunc(strokes, func(s stroke) bool { return float64(max(s.bottom-s.top, s.right-s.left)) < speck*float64(high) })
	signs := slices.DeleteFunc(clusters(strokes), func(c cluster) bool { return !near(c.top, c.bottom) })
	if len(signs) < 2 {
		return out, l, 0, false
	}
	most, margin := max(1, int(room*float64(high))), high
	width, narrowed := 2*margin+signs[0].right-signs[0].left, false
	for i, s := range signs[1:] {
		gap := s.left - signs[i].right
		narrowed = narrowed || gap > most
		width += min(gap, most) + s.right - s.left
	}
	top, bottom := p.Height, 0
	for _, s := range signs {
		top, bottom = min(top, s.top), max(bottom, s.bottom)
	}
	out = vision.Plane{Pix: make([]byte, width*p.Height), Width: width, Height: p.Height, Stride: width}
	for y := range p.Height {
		lay(out.Pix[y*width:(y+1)*width], p.Pix[y*p.Stride+first:y*p.Stride+last], signs, most, margin, first)
	}
	y := float64(top+bottom) / 2
	l = Line{
		Start:  appliance.Point{X: float64(margin), Y: y},
		End:    appliance.Point{X: float64(width - margin), Y: y},
		Height: float64(bottom - top),
	}
	return out, l, len(signs), narrowed
}

// paper is the columns from which to which a strip shows the paper alone, without what its left and right ends cut off: print, or the
// edge of the card, with the shade beside it.
func paper(strokes []stroke, width int) (first, last int) {
	const shade = 2
	last = width
	for _, s := range strokes {
		if s.left == 0 {
			first = max(first, s.right+shade)
		}
		if s.right == width {
			last = min(last, s.left-shade)
		}
	}
	if last <= first {
		return 0, width
	}
	return first, last
}

// clusters joins strokes that have columns in common.
func clusters(strokes []stroke) (out []cluster) {
	slices.SortFunc(strokes, func(a, b stroke) int { return cmp.Compare(a.left, b.left) })
	for _, s := range strokes {
		if n := len(out); n > 0 && s.left < out[n-1].right {
			c := &out[n-1]
			c.right, c.top, c.bottom = max(c.right, s.right), min(c.top, s.top), max(c.bottom, s.bottom)
			continue
		}
		out = append(out, cluster{s.left, s.top, s.right, s.bottom})
	}
	return out
}

// lay writes one row of pixels, which begins at a column, with blanks narrowed; where one is, both halves of what is kept stay beside
// their signs.
func lay(to, from []byte, signs []cluster, most, margin, begin int) {
	at := func(x int) byte { return from[min(max(x-begin, 0), len(from)-1)] }
	x := 0
	put := func(start, end int) {
		for c := start; c < end; c++ {
			to[x] = at(c)
			x++
		}
	}
	put(signs[0].left-margin, signs[0].left)
	for i, s := range signs {
		if i > 0 {
			gap := min(s.left-signs[i-1].right, most)
			put(signs[i-1].right, signs[i-1].right+gap/2)
			put(s.left-(gap-gap/2), s.left)
		}
		put(s.left, s.right)
	}
	put(signs[len(signs)-1].right, signs[len(signs)-1].right+margin)
}

// How a row of signs that stand far apart is looked at: so many samples for a height of the strip, which is wideBand heights high, with
// blanks of closeBlank heights.
const (
	wideSamples = 24
	wideBand    = 2.6
	closeBlank  = 0.55
)

// ClosedUpIn is ClosedUp of a line of a view, which h maps to the picture.
func ClosedUpIn(p vision.Plane, h vision.Homography, l Line) (out vision.Plane, line Line, count int, ok bool) {
	across, length := wideSamples/max(l.Height, 1e-6), l.Length()
	width, height := int(math.Ceil(length*across)), int(math.Ceil(wideBand*wideSamples))
	strip := vision.Plane{Pix: make([]byte, width*height), Width: width, Height: height, Stride: width}
	cos, sin := (l.End.X-l.Start.X)/length, (l.End.Y-l.Start.Y)/length
	half := wideBand / 2 * l.Height
	place := vision.Homography{cos / across, -sin / across, l.Start.X + sin*half, sin / across, cos / across, l.Start.Y - cos*half, 0, 0, 1}
	if !vision.Warp(p, h.Mul(place), width, height, strip.Pix) {
		return out, line, 0, false
	}
	return ClosedUp(strip, closeBlank)
}
