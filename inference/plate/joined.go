package plate

import (
	"math"
	"slices"

	"github.com/bawab/bawab/appliance/egypt/plate"
)

// ink is a view of a plate as it lies before the network, its dark pixels divided into strokes that hang together.
type ink struct {
	stroke [viewWidth * viewHeight]int16 // from 1 on; 0 is no ink
	boxes  []box                         // of each stroke, from 1 on
}

// inkOf finds the strokes of a view.
func inkOf(in []int8) *ink {
	out := &ink{boxes: make([]box, 1)}
	var rest []int
	for start := range out.stroke {
		if in[start] >= 0 || out.stroke[start] != 0 {
			continue
		}
		id, b := int16(len(out.boxes)), box{viewWidth, viewHeight, 0, 0}
		out.stroke[start] = id
		for rest = append(rest[:0], start); len(rest) > 0; {
			at := rest[len(rest)-1]
			rest = rest[:len(rest)-1]
			x, y := at%viewWidth, at/viewWidth
			b = box{min(b.left, x), min(b.top, y), max(b.right, x), max(b.bottom, y)}
			for _, d := range [4][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
				nx, ny := x+d[0], y+d[1]
				if nx < 0 || ny < 0 || nx >= viewWidth || ny >= viewHeight {
					continue
				}
				if next := ny*viewWidth + nx; in[next] < 0 && out.stroke[next] == 0 {
					out.stroke[next] = id
					rest = append(rest, next)
				}
			}
		}
		out.boxes = append(out.boxes, b)
	}
	return out
}

// at is the stroke next to the middle of a sign; 0 where there is none, or where it is wider than any sign: a rim, or the band.
func (k *ink) at(s plate.Sign) int16 {
	const reach, widest = 10, viewWidth / 2 // pixels
	x0, y0 := int((s.X/2*(1-2*margin)+margin)*viewWidth), int((s.Y*(1-2*margin)+margin)*viewHeight)
	best, least := int16(0), reach*reach
	for y := max(0, y0-reach); y < min(viewHeight, y0+reach+1); y++ {
		for x := max(0, x0-reach); x < min(viewWidth, x0+reach+1); x++ {
			id, far := k.stroke[y*viewWidth+x], (x-x0)*(x-x0)+(y-y0)*(y-y0)
			if id != 0 && far < least && k.boxes[id].width() <= widest {
				best, least = id, far
			}
		}
	}
	return best
}

// joined are the signs of a view without those letters that stand near another one that is more surely there, on its stroke: a letter that
// is drawn wide, as a seen or a he that stands alone, looks like two. Letters that only touch stand further apart.
func (k *ink) joined(signs []plate.Sign) []plate.Sign {
	letters := 0
	for i := range signs {
		if isLetter(&signs[i]) {
			letters++
		}
	}
	if letters < 2 {
		return signs
	}
	var out []plate.Sign
	for _, s := range signs { // the surest first
		part := isLetter(&s) && slices.ContainsFunc(out, func(o plate.Sign) bool {
			return isLetter(&o) && math.Abs(o.X-s.X) < closeLetters && k.at(o) != 0 && k.at(o) == k.at(s)
		})
		if !part {
			out = append(out, s)
		}
	}
	return out
}

// closeLetters is how far apart, in the units of plate.Sign, two letters stand at the least that only touch. Parts of one letter stood
// at 0.15 to 0.19 in what was looked at (28 November 2026).
const closeLetters = 0.22

// isLetter reports whether a sign is clearly there and rather a letter than a digit or a sign that no plate carries.
func isLetter(s *plate.Sign) bool {
	const there, digits = 0.3, 9 // the first of plate.Signs are digits
	return s.There >= there && likeliest(s) >= digits && named(s)
}

// named reports whether a sign is rather one that plates carry than another one.
func named(s *plate.Sign) bool { return likeliest(s) < len(s.Cell)-1 }

// likeliest is the class that a sign most probably is of.
func likeliest(s *plate.Sign) int {
	best := 0
	for i, v := range s.Cell {
		if v > s.Cell[best] {
			best = i
		}
	}
	return best
}
