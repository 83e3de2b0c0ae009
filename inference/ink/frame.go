package ink

import (
	"github.com/bawab/bawab/inference/vision"
)

// Unframed returns the picture that SpreadOf was given without the frames around its signs, such as the boxes of a form that hold a
// digit each. A frame is a connected piece of ink, hollow, that has other ink within. ok is false where there is none, or where so
// much else is printed that the picture is a page.
func (s Spread) Unframed() (out vision.Plane, ok bool) {
	const hollow = 0.45 // of its box
	p, of := s.plane, s.of
	var frames []int
	var rest []stroke
	for i, f := range s.ink {
		box := (f.right - f.left) * (f.bottom - f.top)
		if float64(f.area) < hollow*float64(box) && holds(s.ink, f) {
			frames = append(frames, i)
		} else {
			rest = append(rest, f)
		}
	}
	if len(frames) == 0 || crowded(rest) {
		return p, false
	}
	out = vision.Plane{Pix: make([]byte, p.Width*p.Height), Width: p.Width, Height: p.Height, Stride: p.Width}
	paper, sum, count := byte(0), 0, 0
	for y := range p.Height {
		copy(out.Pix[y*out.Stride:], p.Pix[y*p.Stride:y*p.Stride+p.Width])
		for x, v := range p.Pix[y*p.Stride : y*p.Stride+p.Width] {
			if of[y*p.Width+x] < 0 {
				sum += int(v)
				count++
			}
		}
	}
	paper = byte(sum / max(1, count))
	for _, i := range frames {
		erase(out, of, int32(i), s.ink[i], paper)
	}
	return out, true
}

// crowded reports whether pieces of ink are far more than the signs of a row and what else a poor text shows: so many are a page.
func crowded(pieces []stroke) bool {
	const most, least = 4 * mostSpread, 0.1 // of the highest, along a side
	high, large := 0, 0
	for _, s := range pieces {
		high = max(high, s.bottom-s.top)
	}
	for _, s := range pieces {
		if float64(max(s.bottom-s.top, s.right-s.left)) >= max(2, least*float64(high)) {
			large++
		}
	}
	return large > most
}

// holds reports whether another piece lies within the box of a piece, clear of its sides.
func holds(pieces []stroke, f stroke) bool {
	for _, s := range pieces {
		if s.left > f.left && s.right < f.right && s.top > f.top && s.bottom < f.bottom {
			return true
		}
	}
	return false
}

// erase paints a piece and the grey around its strokes in the tone of the paper.
func erase(p vision.Plane, of []int32, piece int32, box stroke, paper byte) {
	const around = 2 // pixels
	for y := box.top; y < box.bottom; y++ {
		for x := box.left; x < box.right; x++ {
			if of[y*p.Width+x] != piece {
				continue
			}
			for ny := max(y-around, 0); ny <= min(y+around, p.Height-1); ny++ {
				for nx := max(x-around, 0); nx <= min(x+around, p.Width-1); nx++ {
					if at := of[ny*p.Width+nx]; at < 0 || at == piece {
						p.Pix[ny*p.Stride+nx] = paper
					}
				}
			}
		}
	}
}

// pieces returns the 8-connected pieces of text, and for each sample the one that it belongs to, -1 for paper.
func (b bitmap) pieces() (out []stroke, of []int32) {
	of = make([]int32, len(b.dark))
	for i := range of {
		of[i] = -1
	}
	var stack []int
	for start, dark := range b.dark {
		if !dark || of[start] >= 0 {
			continue
		}
		s, number := stroke{left: b.width, top: b.height}, int32(len(out))
		stack = append(stack[:0], start)
		of[start] = number
		for len(stack) > 0 {
			at := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			x, y := at%b.width, at/b.width
			s.left, s.top, s.right, s.bottom, s.area = min(s.left, x), min(s.top, y), max(s.right, x+1), max(s.bottom, y+1), s.area+1
			for ny := max(y-1, 0); ny <= min(y+1, b.height-1); ny++ {
				for nx := max(x-1, 0); nx <= min(x+1, b.width-1); nx++ {
					if n := ny*b.width + nx; b.dark[n] && of[n] < 0 {
						of[n] = number
						stack = append(stack, n)
					}
				}
			}
		}
		out = append(out, s)
	}
	return out, of
}
