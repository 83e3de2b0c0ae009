package card

import (
	"context"
	"slices"

	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// The networks know print that is darker than its ground. Titles on dark bands and labels in dark boxes are lighter: they are found and
// read in the negative of the picture.

// negative is the luma of the picture with light and dark exchanged.
func (s *scene) negative() vision.Plane {
	if s.inverted.Pix == nil {
		s.inverted = negativeOf(s.luma)
	}
	return s.inverted
}

// negativeOf is a plane with light and dark exchanged.
func negativeOf(luma vision.Plane) vision.Plane {
	out := luma
	out.Pix = make([]byte, len(luma.Pix))
	for i, v := range luma.Pix {
		out.Pix[i] = 255 - v
	}
	return out
}

// plane is the luma in which a line is dark print.
func (s *scene) plane(l text.Line) vision.Plane {
	if l.Light {
		return s.negative()
	}
	return s.luma
}

const (
	// darkAs is the share of a card's usual light under which its ground is dark.
	darkAs = 0.55
	// bandWide and bandHigh are the shares of the width and of the height of a card that a dark band or box takes at least: portraits
	// take less, and lines of print are no ground.
	bandWide, bandHigh = 0.3, 0.5
)

// darkGround tells whether a card has a band or a column of boxes on which only light print could be read.
func darkGround(luma vision.Plane, toPicture vision.Homography) bool {
	const w, h = 128, 81
	pix := make([]byte, w*h)
	if !vision.Warp(luma, toPicture.Mul(vision.Homography{viewWidth / w, 0, 0, 0, viewHeight / float64(h), 0, 0, 0, 1}), w, h, pix) {
		return false
	}
	sorted := slices.Clone(pix)
	slices.Sort(sorted)
	limit := byte(darkAs * float64(sorted[len(sorted)/2]))
	longest := func(count, step, from int) (most int) {
		run := 0
		for i := range count {
			if run++; pix[from+i*step] > limit {
				run = 0
			}
			most = max(most, run)
		}
		return most
	}
	rows, columns := 0, 0
	for y := range h {
		if float64(longest(w, 1, y*w)) >= bandWide*w {
			rows++
		}
	}
	for x := range w {
		if float64(longest(h, w, x)) >= bandHigh*h {
			columns++
		}
	}
	const least = 2 // rows or columns; one is a rule or a shadow's edge
	return rows >= least || columns >= least
}

// lightPrint tells whether a line of a view is lighter than its ground: most of what lies about its signs is dark.
func lightPrint(luma vision.Plane, toPicture vision.Homography, l text.Line) bool {
	const along, across, contrast = 64, 9, 24
	q := l.Quad()
	var seen []byte
	for i := range across {
		a, b := between(q[0], q[3], float64(i)/(across-1)), between(q[1], q[2], float64(i)/(across-1))
		for k := range along {
			p := toPicture.Apply(between(a, b, (float64(k)+0.5)/along))
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

// withLight adds the light print of a card to its lines, in the place of what was seen of it as dark print: that on its bands, or all of it.
func (r *Reader) withLight(ctx context.Context, s *scene, v flatCard, magnification float64, lines []text.Line) ([]text.Line, error) {
	light := func(l text.Line) bool { return lightPrint(s.luma, v.toPicture, l) }
	banded := darkGround(s.luma, v.toPicture)
	if !banded && !mostly(lines, light) {
		return lines, nil
	}
	found, err := r.detect(ctx, s.negative(), v.toPicture, magnification)
	if err != nil {
		return nil, err
	}
	if !banded {
		for i := range found {
			found[i].Light = true
		}
		return found, nil
	}
	found = slices.DeleteFunc(found, func(l text.Line) bool { return !light(l) })
	lines = slices.DeleteFunc(lines, func(l text.Line) bool {
		return light(l) && slices.ContainsFunc(found, func(o text.Line) bool { return coverage(l, o) > otherPrint })
	})
	for _, l := range found {
		if !slices.ContainsFunc(lines, func(o text.Line) bool { return coverage(l, o) > otherPrint }) {
			l.Light = true
			lines = append(lines, l)
		}
	}
	return lines, nil
}

// mostly tells whether most of some lines, three of four, are something: on a card that is dark all over, no part is darker than usual.
func mostly(lines []text.Line, is func(text.Line) bool) bool {
	n := 0
	for _, l := range lines {
		if is(l) {
			n++
		}
	}
	return 4*n > 3*len(lines)
}
