package ink

import (
	"slices"

	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// Unframed looks for the row anew without the frames around its signs, such as the boxes of a form that hold a digit each, or the teeth
// between them. framed is false where there are none, or where so much else is printed that the picture is a page; ok is SpreadOf's.
func (s Spread) Unframed() (out Spread, ok, framed bool) {
	p, of := s.plane, s.of
	frames, rest := s.frames()
	if len(frames) == 0 || crowded(rest) {
		return s, false, false
	}
	bare := vision.Plane{Pix: make([]byte, p.Width*p.Height), Width: p.Width, Height: p.Height, Stride: p.Width}
	paper, sum, count := byte(0), 0, 0
	for y := range p.Height {
		copy(bare.Pix[y*bare.Stride:], p.Pix[y*p.Stride:y*p.Stride+p.Width])
		for x, v := range p.Pix[y*p.Stride : y*p.Stride+p.Width] {
			if of[y*p.Width+x] < 0 {
				sum += int(v)
				count++
			}
		}
	}
	paper = byte(sum / max(1, count))
	boxed, beyond := s.Framed, s.beyond
	for _, i := range frames {
		f := s.ink[i]
		erase(bare, of, int32(i), f, paper)
		if s.straight(i) {
			boxed, beyond = boxed || s.within(f), beyond || f.left < s.from || f.right > s.to
		}
	}
	out, ok = spreadIn(bare, s.from, s.to, boxed)
	out.beyond = beyond
	return out, ok && !out.cutOff(), true
}

// cutOff reports whether the boxes of a row reach beyond the columns between which it stands, and with them a sign of it.
func (s Spread) cutOff() bool {
	return s.beyond && slices.ContainsFunc(s.ink, func(b stroke) bool {
		const least = 0.2 // of the highest, along a side: a zero is a dot
		return !s.within(b) && b.side() <= s.high && float64(b.side()) >= least*float64(s.high) && s.goesOn(b)
	})
}

// frames tells the frames of a picture, by their index, from its other ink. A frame is a connected piece of ink, hollow, that has other ink
// within, or a rule with teeth on which other ink stands.
func (s Spread) frames() (frames []int, rest []stroke) {
	const hollow = 0.45 // of its box
	for i, f := range s.ink {
		box := (f.right - f.left) * (f.bottom - f.top)
		if float64(f.area) < hollow*float64(box) && (holds(s.ink, f) || s.comb(i)) {
			frames = append(frames, i)
		} else {
			rest = append(rest, f)
		}
	}
	return frames, rest
}

// Framed reports whether signs on a line stand in boxes, or on a rule with teeth between them.
func Framed(p vision.Plane, h vision.Homography, l text.Line) bool {
	const several = 3
	s, ok := rowBeside(p, h, l)
	if !ok {
		return false
	}
	_, signs := s.boxes()
	return signs >= several
}

// rowBeside is the ink of a line and of what stands close about it, in pieces.
func rowBeside(p vision.Plane, h vision.Homography, l text.Line) (s Spread, ok bool) {
	b, ok := inkBeside(p, h, l)
	if !ok {
		return s, false
	}
	s.plane = b.grey
	s.ink, s.of = b.pieces()
	return s, true
}

// boxes are the frames with a straight foot, by their index, and how many signs stand in them.
func (s Spread) boxes() (boxes []int, signs int) {
	frames, rest := s.frames()
	for _, i := range frames {
		if !s.straight(i) {
			continue
		}
		boxes = append(boxes, i)
		for _, sign := range rest {
			if bears(s.ink[i], sign) {
				signs++
			}
		}
	}
	return boxes, signs
}

// boxed reports whether the signs of a row are boxes that hold a sign each: most of them, with a straight foot, which a zero with a dot in
// it has not.
func (s Spread) boxed() bool {
	boxes, _ := s.boxes()
	return 2*len(boxes) > len(s.signs)
}

// straight reports whether a piece ends on a straight line at its foot.
func (s Spread) straight(piece int) bool {
	const share, uneven = 0.85, 12 // of its columns; parts of its height
	f := s.ink[piece]
	low, height := 0, f.bottom-f.top
	for x := f.left; x < f.right; x++ {
		if from, to := s.reach(piece, x); to > from && (f.bottom-to)*uneven <= height {
			low++
		}
	}
	return float64(low) >= share*float64(f.right-f.left)
}

// comb reports whether a piece is a rule with teeth between signs: long and straight, no higher than the rule in most columns, and several
// pieces stand on it that are not much lower.
func (s Spread) comb(piece int) bool {
	const long, share, thin, lower = 5, 0.75, 4, 2 // times its height; of its columns; parts of its height
	f := s.ink[piece]
	width, height := f.right-f.left, f.bottom-f.top
	if width < long*height || !s.straight(piece) {
		return false
	}
	rule, on := 0, 0
	for x := f.left; x < f.right; x++ {
		if from, to := s.reach(piece, x); (to-from)*thin <= height {
			rule++
		}
	}
	for _, sign := range s.ink {
		if bears(f, sign) && (sign.bottom-sign.top)*lower >= height {
			on++
		}
	}
	return on >= fewestSpread/2 && float64(rule) >= share*float64(width)
}

// reach is from which to which row a piece reaches in a column; the second one is excluded.
func (s Spread) reach(piece, x int) (from, to int) {
	f := s.ink[piece]
	at := func(y int) bool { return s.of[y*s.plane.Width+x] == int32(piece) }
	from, to = f.top, f.bottom
	for from < to && !at(from) {
		from++
	}
	for to > from && !at(to-1) {
		to--
	}
	return from, to
}

// crowded reports whether pieces of ink are far more than the signs of a row and what else a poor text shows: so many are a page.
func crowded(pieces []stroke) bool {
	const most, least = 4 * mostSpread, 0.1 // of the highest, along a side
	high, large := 0, 0
	for _, s := range pieces {
		high = max(high, s.bottom-s.top)
	}
	for _, s := range pieces {
		if float64(s.side()) >= max(2, least*float64(high)) {
			large++
		}
	}
	return large > most
}

// holds reports whether another piece lies within the box of a piece, clear of its sides.
func holds(pieces []stroke, f stroke) bool {
	for _, s := range pieces {
		if bears(f, s) && s.top > f.top {
			return true
		}
	}
	return false
}

// bears reports whether a piece stands between the sides of a frame and clear of its foot.
func bears(frame, piece stroke) bool {
	return piece.left > frame.left && piece.right < frame.right && piece.bottom < frame.bottom
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
