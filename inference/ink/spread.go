package ink

import (
	"cmp"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// Spread is a row of single signs, set apart evenly, that is all the text of a picture: a number in the boxes of a form, or spaced by
// hand. Recognisers know signs that stand as close as text does, and of a dot alone between wide gaps nothing tells that it is a zero.
type Spread struct {
	Framed bool // its signs stood in boxes

	plane    vision.Plane
	from, to int // the columns between which the row stands
	signs    []stroke
	high     int // of the highest sign
	// ink is all the pieces of ink of the picture, and of tells for each sample which one it belongs to, -1 for paper.
	ink []stroke
	of  []int32
	// beyond is whether some of the boxes reached to where the row is not looked for.
	beyond bool
}

const (
	// fewestSpread and mostSpread bound how many signs a spread row has.
	fewestSpread, mostSpread = 5, 40
	// A spread row's middles lie at least leastPitch heights apart, and no pitch is more than evenPitch times another.
	leastPitch, evenPitch = 0.9, 1.6
)

// SpreadOf returns the spread row that a picture of dark text on light paper shows between two columns: what has its middle elsewhere is
// left out, as a word beside a number, and what has it there is whole. ok is false where it shows anything else, as signs in boxes, for
// which Unframed is.
func SpreadOf(p vision.Plane, from, to int) (s Spread, ok bool) {
	return spreadIn(p, from, to, false)
}

// spreadIn is SpreadOf, also for signs whose boxes have been taken away.
func spreadIn(p vision.Plane, from, to int, framed bool) (s Spread, ok bool) {
	s.plane, s.from, s.to, s.Framed = p, max(from, 0), min(to, p.Width), framed
	ink, ok := inkOf(p)
	if !ok {
		return s, false
	}
	s.ink, s.of = ink.pieces()
	within := slices.DeleteFunc(slices.Clone(s.ink), func(b stroke) bool { return !s.within(b) })
	for _, b := range within {
		s.high = max(s.high, b.bottom-b.top)
	}
	for _, b := range within {
		const least = 0.1 // of the highest, along a side: less is a speck
		if float64(b.side()) >= max(2, least*float64(s.high)) {
			s.signs = append(s.signs, b)
		}
	}
	slices.SortFunc(s.signs, func(a, b stroke) int { return cmp.Compare(a.left, b.left) })
	s.mend()
	if !s.even() {
		s.wipe()
	}
	return s, s.even() && !s.boxed()
}

// within reports whether a piece has its middle where the row is looked for.
func (s Spread) within(b stroke) bool { return b.left+b.right >= 2*s.from && b.left+b.right <= 2*s.to }

// wipe takes away the specks of dirt about signs that are evenly apart without them. None of them may be a first or a last sign, a dot that
// is a zero, or a full stop between signs: they lie elsewhere.
func (s *Spread) wipe() {
	const largest = 0.3 // of the highest sign, of a speck along a side
	for most := 2; float64(most) <= largest*float64(s.high); most++ {
		clean := *s
		clean.signs = slices.DeleteFunc(slices.Clone(s.signs), func(b stroke) bool { return b.side() <= most })
		if len(clean.signs) == len(s.signs) || !clean.even() {
			continue
		}
		if !slices.ContainsFunc(s.signs, func(b stroke) bool { return b.side() <= most && (clean.goesOn(b) || clean.separates(b)) }) {
			s.signs = clean.signs
		}
		return
	}
}

// goesOn reports whether a piece of ink stands where the next sign of the row would, before it or behind.
func (s Spread) goesOn(b stroke) bool {
	middle := func(b stroke) float64 { return float64(b.left+b.right) / 2 }
	first, last := middle(s.signs[0]), middle(s.signs[len(s.signs)-1])
	pitch := (last - first) / float64(len(s.signs)-1)
	away := max(first-middle(b), middle(b)-last) / pitch
	return away > 1/evenPitch && away < evenPitch
}

// separates reports whether a piece is a full stop or a comma between the signs of a row that do not stand in boxes: small, and on the line
// on which they stand. The middles of zeros lie higher above it in 83 of 85 files of faces, those of stops lower in 65 of 72 (30 November
// 2026).
func (s Spread) separates(b stroke) bool {
	const small, low = 0.45, 0.17 // of the highest sign
	if s.Framed || float64(b.side()) > small*float64(s.high) ||
		b.left < s.signs[0].left || b.right > s.signs[len(s.signs)-1].right {
		return false
	}
	var feet []int
	for _, sign := range s.signs {
		if sign.bottom-sign.top > s.high/2 {
			feet = append(feet, sign.bottom)
		}
	}
	slices.Sort(feet)
	foot := feet[len(feet)/2]
	return float64(2*foot-b.top-b.bottom) < 2*low*float64(s.high) && b.top < foot
}

// mend puts the pieces of one sign together, as of a four or a six whose thin neck is lost: they stand over each other, or side by side and
// make one that is no wider than a sign, and are hardly apart.
func (s *Spread) mend() {
	const crack, touch, wide = 0.25, 0.07, 0.8 // of the highest
	var out []stroke
	for _, b := range s.signs {
		if n := len(out) - 1; n >= 0 {
			o := out[n]
			common, apart := min(b.right, o.right)-max(b.left, o.left), max(b.top, o.top)-min(b.bottom, o.bottom)
			beside := float64(-common) <= touch*float64(s.high) && float64(b.right-o.left) <= wide*float64(s.high)
			if (common > 0 || beside) && float64(apart) <= crack*float64(s.high) {
				out[n] = stroke{min(b.left, o.left), min(b.top, o.top), max(b.right, o.right), max(b.bottom, o.bottom), b.area + o.area}
				continue
			}
		}
		out = append(out, b)
	}
	s.signs = out
	for _, b := range out {
		s.high = max(s.high, b.bottom-b.top)
	}
}

// even reports whether the signs are a row of single ones, evenly apart.
func (s Spread) even() bool {
	if len(s.signs) < fewestSpread || len(s.signs) > mostSpread {
		return false
	}
	top, bottom := 0, s.plane.Height
	closest, widest := s.plane.Width, 0
	for i, b := range s.signs {
		if b.right-b.left > s.high || b.left == 0 || b.right == s.plane.Width {
			return false
		}
		if b.bottom-b.top > s.high/2 { // tall signs stand on one line
			top, bottom = max(top, b.top), min(bottom, b.bottom)
		}
		if i > 0 {
			pitch := (b.left + b.right - s.signs[i-1].left - s.signs[i-1].right) / 2
			closest, widest = min(closest, pitch), max(widest, pitch)
		}
	}
	if slices.ContainsFunc(s.signs, s.separates) {
		return false
	}
	return bottom-top > s.high/2 && float64(closest) >= leastPitch*float64(s.high) && float64(widest) <= evenPitch*float64(closest)
}

// Count is how many signs there are.
func (s Spread) Count() int { return len(s.signs) }

// Line is where the row stands in the picture.
func (s Spread) Line() text.Line {
	first, last := s.signs[0], s.signs[len(s.signs)-1]
	y := s.middle()
	return text.Line{
		Start:  appliance.Point{X: float64(first.left), Y: y},
		End:    appliance.Point{X: float64(last.right), Y: y},
		Height: float64(s.high),
	}
}

// middle is the height of the middle of the highest sign.
func (s Spread) middle() float64 {
	for _, b := range s.signs {
		if b.bottom-b.top == s.high {
			return float64(b.top+b.bottom) / 2
		}
	}
	return 0
}

// Closed returns the row with its signs moved together, room heights of paper on both sides of each, and the line that they make.
func (s Spread) Closed(room float64) (vision.Plane, text.Line) {
	pad := max(1, int(room*float64(s.high)))
	margin := s.high
	width := 2 * margin
	for _, b := range s.signs {
		width += b.right - b.left + 2*pad
	}
	top := max(0, int(s.middle())-2*s.high)
	bottom := min(s.plane.Height, int(s.middle())+2*s.high)
	out := vision.Plane{Pix: make([]byte, width*(bottom-top)), Width: width, Height: bottom - top, Stride: width}
	for y := range out.Height {
		row, from := out.Pix[y*width:(y+1)*width], s.plane.Pix[(top+y)*s.plane.Stride:][:s.plane.Width]
		x := s.fillPaper(row[:margin], from)
		for _, b := range s.signs {
			for c := b.left - pad; c < b.right+pad; c++ {
				row[x] = from[min(max(c, 0), s.plane.Width-1)]
				x++
			}
		}
		s.fillPaper(row[x:], from)
	}
	y := s.middle() - float64(top)
	return out, text.Line{
		Start:  appliance.Point{X: float64(margin), Y: y},
		End:    appliance.Point{X: float64(width - margin), Y: y},
		Height: float64(s.high),
	}
}

// fillPaper fills a stretch of a row with the paper left of the first sign.
func (s Spread) fillPaper(row, from []byte) int {
	paper := from[min(s.from, s.signs[0].left-1):s.signs[0].left]
	for i := range row {
		row[i] = paper[i%len(paper)]
	}
	return len(row)
}
