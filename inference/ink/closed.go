package ink

import (
	"cmp"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// Extent is where a sign stands with its dots, all that stands one above the other, in samples of a strip.
type Extent struct{ Left, Top, Right, Bottom int }

// core is the share of a strip's height, about its middle, that the signs of its row reach into; other rows' do not.
const core = 1.0 / 3

// row is a strip of dark text on light paper with the signs of its row.
type row struct {
	vision.Plane
	signs       []Extent // from the left
	high        int      // of the highest stroke among them
	first, last int      // the columns from which to which the strip shows whole signs
}

// rowIn finds the signs of a strip. What does not come near the middle of the strip, or is no sign beside it, is another row's.
func rowIn(p vision.Plane) row {
	r := row{Plane: p}
	ink, ok := inkOf(p)
	if !ok {
		return r
	}
	const least = 0.12 // of the highest sign, along a side: less is a speck
	from, to := int((1-core)/2*float64(p.Height)), int((1+core)/2*float64(p.Height))
	near := func(top, bottom int) bool { return top < to && bottom > from }
	all := ink.strokes()
	r.first, r.last = whole(all, p.Width)
	strokes := slices.DeleteFunc(all, func(s stroke) bool { // the edge of a card, or another row
		return s.left < r.first || s.right > r.last || (s.top == 0 || s.bottom == p.Height) && !near(s.top, s.bottom)
	})
	for _, s := range strokes {
		if near(s.top, s.bottom) {
			r.high = max(r.high, s.bottom-s.top)
		}
	}
	strokes = slices.DeleteFunc(strokes, func(s stroke) bool { return float64(s.side()) < least*float64(r.high) })
	r.signs = slices.DeleteFunc(extents(strokes), func(e Extent) bool { return !near(e.Top, e.Bottom) })
	return r
}

// closedUp returns the strip with the blanks between its signs narrowed to room heights of the highest stroke where they are wider, and the
// line that the signs then make. Recognisers know signs that stand as close as text does: of one that stands alone in wide paper they make
// little. ok is false where there are fewer than two signs or nothing is narrowed.
func (r *row) closedUp(room float64) (out vision.Plane, l text.Line, ok bool) {
	if len(r.signs) < 2 {
		return out, l, false
	}
	most, margin := max(1, int(room*float64(r.high))), r.high
	width, narrowed := 2*margin+r.signs[0].Right-r.signs[0].Left, false
	for i, s := range r.signs[1:] {
		gap := s.Left - r.signs[i].Right
		narrowed = narrowed || gap > most
		width += min(gap, most) + s.Right - s.Left
	}
	top, bottom := r.Height, 0
	for _, s := range r.signs {
		top, bottom = min(top, s.Top), max(bottom, s.Bottom)
	}
	out = vision.Plane{Pix: make([]byte, width*r.Height), Width: width, Height: r.Height, Stride: width}
	for y := range r.Height {
		lay(out.Pix[y*width:(y+1)*width], r.Pix[y*r.Stride+r.first:y*r.Stride+r.last], r.signs, most, margin, r.first)
	}
	y := float64(top+bottom) / 2
	l = text.Line{
		Start:  appliance.Point{X: float64(margin), Y: y},
		End:    appliance.Point{X: float64(width - margin), Y: y},
		Height: float64(bottom - top),
	}
	return out, l, narrowed
}

// whole is the columns from which to which a strip shows whole signs, without what its left and right ends cut off: print, or the edge of
// the card, with the shade beside it.
func whole(strokes []stroke, width int) (first, last int) {
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

// extents joins strokes that have columns in common.
func extents(strokes []stroke) (out []Extent) {
	slices.SortFunc(strokes, func(a, b stroke) int { return cmp.Compare(a.left, b.left) })
	for _, s := range strokes {
		if n := len(out); n > 0 && s.left < out[n-1].Right {
			e := &out[n-1]
			e.Right, e.Top, e.Bottom = max(e.Right, s.right), min(e.Top, s.top), max(e.Bottom, s.bottom)
			continue
		}
		out = append(out, Extent{s.left, s.top, s.right, s.bottom})
	}
	return out
}

// lay writes one row of pixels, which begins at a column, with blanks narrowed; where one is, both halves of what is kept stay beside
// their signs.
func lay(to, from []byte, signs []Extent, most, margin, begin int) {
	at := func(x int) byte { return from[min(max(x-begin, 0), len(from)-1)] }
	x := 0
	put := func(start, end int) {
		for c := start; c < end; c++ {
			to[x] = at(c)
			x++
		}
	}
	put(signs[0].Left-margin, signs[0].Left)
	for i, s := range signs {
		if i > 0 {
			gap := min(s.Left-signs[i-1].Right, most)
			put(signs[i-1].Right, signs[i-1].Right+gap/2)
			put(s.Left-(gap-gap/2), s.Left)
		}
		put(s.Left, s.Right)
	}
	put(signs[len(signs)-1].Right, signs[len(signs)-1].Right+margin)
}

// How a row of signs that stand far apart is looked at: so many samples for a height of the strip, which is wideBand heights high, with
// blanks of closeBlank heights.
const (
	wideSamples = 24
	wideBand    = 2.6
	closeBlank  = 0.55
)

// SignsIn are the signs on a line of a view, which h maps to the picture, from the left, as far as the line reaches.
func SignsIn(p vision.Plane, h vision.Homography, l text.Line) []Extent {
	r := rowOn(p, h, l)
	return r.signs
}

// ClosedUpIn returns a strip of a line of a view, which h maps to the picture, with the wide blanks between its signs narrowed, the line
// that they then make, and the signs as they stood; ok is false where there are fewer than two or nothing is narrowed.
func ClosedUpIn(p vision.Plane, h vision.Homography, l text.Line) (out vision.Plane, line text.Line, signs []Extent, ok bool) {
	r := rowOn(p, h, l)
	out, line, ok = r.closedUp(closeBlank)
	return out, line, r.signs, ok
}

// rowOn is the row of a line of a view.
func rowOn(p vision.Plane, h vision.Homography, l text.Line) row {
	across, length := wideSamples/max(l.Height, 1e-6), l.Length()
	width, height := int(math.Ceil(length*across)), int(math.Ceil(wideBand*wideSamples))
	strip := vision.Plane{Pix: make([]byte, width*height), Width: width, Height: height, Stride: width}
	cos, sin := (l.End.X-l.Start.X)/length, (l.End.Y-l.Start.Y)/length
	half := wideBand / 2 * l.Height
	place := vision.Homography{cos / across, -sin / across, l.Start.X + sin*half, sin / across, cos / across, l.Start.Y - cos*half, 0, 0, 1}
	if !vision.Warp(p, h.Mul(place), width, height, strip.Pix) {
		return row{}
	}
	return rowIn(strip)
}
