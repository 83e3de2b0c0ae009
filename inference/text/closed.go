package text

import (
	"cmp"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// cluster is print that stands one above the other: a sign with its dots.
type cluster struct{ left, top, right, bottom int }

// ClosedUp returns a strip of dark print on light paper, one row of it, with the blanks between its signs narrowed to room heights
// of the highest sign where they are wider, and the line that the signs then make. Recognisers know signs that stand as close as
// print does: of one that stands alone in wide paper they make little. ok is false where there are fewer than two signs or nothing
// is narrowed. What touches the upper or lower edge of the strip is another row's.
func ClosedUp(p vision.Plane, room float64) (out vision.Plane, l Line, ok bool) {
	ink, ok := inkOf(p)
	if !ok {
		return out, l, false
	}
	const speck = 0.12 // of the highest sign, along a side
	strokes := slices.DeleteFunc(ink.strokes(), func(s stroke) bool { return s.top == 0 || s.bottom == p.Height })
	high := 0
	for _, s := range strokes {
		high = max(high, s.bottom-s.top)
	}
	strokes = slices.DeleteFunc(strokes, func(s stroke) bool { return float64(max(s.bottom-s.top, s.right-s.left)) < speck*float64(high) })
	signs := clusters(strokes)
	if len(signs) < 2 {
		return out, l, false
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
		lay(out.Pix[y*width:(y+1)*width], p.Pix[y*p.Stride:y*p.Stride+p.Width], signs, most, margin)
	}
	y := float64(top+bottom) / 2
	l = Line{
		Start:  appliance.Point{X: float64(margin), Y: y},
		End:    appliance.Point{X: float64(width - margin), Y: y},
		Height: float64(bottom - top),
	}
	return out, l, narrowed
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

// lay writes one row of pixels with blanks narrowed; where one is, both halves of what is kept stay beside their signs.
func lay(to, from []byte, signs []cluster, most, margin int) {
	at := func(x int) byte { return from[min(max(x, 0), len(from)-1)] }
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
