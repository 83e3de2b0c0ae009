package text

import (
	"cmp"
	"math"
	"slices"

	"github.com/bawab/bawab/inference/vision"
)

// The zero of Arabic-Indic digits is a dot, like the full stop, the comma and the decimal sign between digits, and recognisers take one
// for the other: the language tells nothing of a price. Where the dot stands does. In 80 Arabic fonts (27 November 2026) the middle of
// the zero lies at 0.48 to 0.69 of the height of the digits beside it, that of the full stop at 0.79 to 1.26, commas still lower; in
// Amiri at 0.50 and 0.65 to 0.72. So dots of both kinds on one page may part at a gap above lowDot.
const (
	lowDot   = 0.74 // from here on, from the top of the digits, a dot is a separator
	leastGap = 0.1  // between zeros and separators of one page
	smallGap = 0.06 // the same above zeros that lie together in the middle
	highDot  = 0.25 // above it, a dot is an apostrophe or a mark
	// How much higher than wide a comma is at least, where one was read, where no separator was, and where a full stop was: a stop of few
	// pixels is up to half as high again as wide.
	slimComma, slimUnread, slimStop = 1.25, 1.6, 1.8
)

// The crop in which the ink of a line is looked at: samples for a glyph's height, and heights around the line.
const (
	inkHeight  = 24
	inkRoom    = 0.75
	mostInk    = 4096 // columns
	inkBending = 0.5  // of a height: a line that sags more is left as it was read
)

// Separated returns readings of the lines of one page in which the dots of numbers in Arabic-Indic digits are what their size
// and height make them: zeros stand in the middle of the digits, separators at their feet. What was overlooked between two
// digits is added. A number whose ink does not fit its reading, digit by digit, stays as it was read. lines are where they were
// read, h maps them to the plane.
func (r *LineReader) Separated(p vision.Plane, h vision.Homography, lines []Line, read []*Reading) []*Reading {
	numbers := make([][]number, len(lines))
	var heights []float64
	for i, l := range lines {
		if !slices.ContainsFunc(read[i].symbols, func(s Symbol) bool { return indicDigit(s.Rune) || s.Rune == 'V' || s.Rune == 'Y' }) ||
			math.Abs(l.Sag) > inkBending*l.Height {
			continue
		}
		numbers[i] = numbersOf(sevens(read[i].symbols), blobsOf(p, h, l), l.Length()/max(l.Height, 1e-6))
		for _, n := range numbers[i] {
			for _, b := range n.low {
				if n.fits() && !(isComma(b, '٠') && n.tallComma(b, '٠')) {
					heights = append(heights, n.place(b))
				}
			}
		}
	}
	parted := gapOf(heights)
	odd := func(n number) bool { return n.odd(parted) }
	if all := slices.Concat(numbers...); slices.ContainsFunc(all, odd) {
		if parted = lowDot; slices.ContainsFunc(all, odd) {
			return read // the zeros of this font lie where other fonts have their separators
		}
	}
	out := slices.Clone(read)
	for i := range numbers {
		out[i] = read[i].with(numbers[i], parted)
	}
	return out
}

// gapOf returns where the dots of a page part into zeros and separators: at the widest gap below which zeros may lie, or at a smaller one
// above zeros that lie close together in the middle.
func gapOf(heights []float64) float64 {
	const leastLow, mostZero = 0.6, 0.85
	const middleZero, spread = 0.58, 0.1
	slices.Sort(heights)
	gap, at := 0.0, lowDot
	for i := 1; i < len(heights); i++ {
		least := leastGap
		if heights[i-1] < middleZero && heights[i-1]-heights[0] < spread {
			least = smallGap
		}
		if g := heights[i] - heights[i-1]; g >= max(gap, least) && heights[i] >= leastLow && heights[i-1] < mostZero {
			gap, at = g, (heights[i]+heights[i-1])/2
		}
	}
	return at
}

// odd reports whether a number parted so is written as none is.
func (n number) odd(parted float64) bool {
	signs, ok := n.arranged(parted)
	return ok && !n.usual(signs)
}

// usual reports whether signs are a number as it may be written: separators part digits, one each time. At its left end one may stand that
// ends a sentence or follows the number of an item, where few digits come before it; at the right end only one that was read as such.
func (n number) usual(signs []Symbol) bool {
	const fewDigits = 4
	separator := func(r rune) bool { return dotted(r) && r != '٠' }
	before := rune(0)
	for _, s := range signs {
		if separator(s.Rune) && separator(before) {
			return false
		}
		before = s.Rune
	}
	last := len(signs) - 1
	if separator(signs[last].Rune) && !separator(n.symbols[len(n.symbols)-1].Rune) {
		return false
	}
	return !separator(signs[0].Rune) || separator(n.symbols[0].Rune) || len(signs) <= 1+fewDigits
}

// with returns the reading with the numbers as the ink shows them.
func (r *Reading) with(numbers []number, parted float64) *Reading {
	symbols := sevens(r.symbols)
	var out []Symbol
	at, changed := 0, false
	for _, n := range numbers {
		signs, ok := n.separated(parted)
		if !ok {
			continue
		}
		out = append(append(out, symbols[at:n.at]...), signs...)
		at, changed = n.at+len(n.symbols), true
	}
	if !changed {
		return r
	}
	again := *r
	again.symbols = append(out, symbols[at:]...)
	again.text = spaced(logical(again.visual()))
	return &again
}

// sevens returns signs in which a V or a Y that stands alone between Arabic words, and is the only Latin letter, is the seven that looks
// like it; with a full stop at its foot it is taken for a Y.
func sevens(symbols []Symbol) []Symbol {
	at, arabics := -1, 0
	for i, s := range symbols {
		switch directionOf(s.Rune) {
		case arabic:
			arabics++
		case latin:
			if at >= 0 || s.Rune != 'V' && s.Rune != 'Y' {
				return symbols
			}
			at = i
		}
	}
	alone := func(i int) bool {
		return i < 0 || i >= len(symbols) || symbols[i].Rune == ' ' || dotted(symbols[i].Rune)
	}
	if at < 0 || arabics == 0 || !alone(at-1) || !alone(at+1) {
		return symbols
	}
	out := slices.Clone(symbols)
	out[at].Rune = '٧'
	return out
}

// numbersOf finds the numbers among signs, with the ink in their places; length is that of the line in heights.
func numbersOf(symbols []Symbol, blobs []blob, length float64) (out []number) {
	for i := 0; i < len(symbols); {
		j := numberEnd(symbols, i)
		if j == i {
			i++
			continue
		}
		n := newNumber(symbols[i:j], blobs, length)
		n.at = i
		out = append(out, n)
		i = j
	}
	return out
}

func indicDigit(r rune) bool { return r >= '٠' && r <= '٩' }

// dotted reports whether a sign is printed as a dot or a comma.
func dotted(r rune) bool {
	return r == '٠' || r == '.' || r == ',' || r == '،' || r == '٫' || r == '٬' || r == '·'
}

// numberEnd returns where the number that begins at a sign ends; itself where none begins. Blanks within belong to it, blanks
// around it do not; a neighbour without a blank between leaves no number, since their ink may run together.
func numberEnd(s []Symbol, at int) int {
	part := func(i int) bool { return indicDigit(s[i].Rune) || dotted(s[i].Rune) }
	if !part(at) || at > 0 && s[at-1].Rune != ' ' {
		return at
	}
	end := at
	for i := at; i < len(s) && (part(i) || s[i].Rune == ' '); i++ {
		if part(i) {
			end = i + 1
		}
	}
	if end < len(s) && s[end].Rune != ' ' ||
		!slices.ContainsFunc(s[at:end], func(s Symbol) bool { return indicDigit(s.Rune) && s.Rune != '٠' }) {
		return at
	}
	return end
}

// blob is a piece of ink beside a line: its box in heights of the line, x from the line's start, y down from its middle.
type blob struct{ left, top, right, bottom float64 }

func (b blob) x() float64      { return (b.left + b.right) / 2 }
func (b blob) y() float64      { return (b.top + b.bottom) / 2 }
func (b blob) width() float64  { return b.right - b.left }
func (b blob) height() float64 { return b.bottom - b.top }

// inkAt is the ink of a part of a plane, width x height samples that h maps to it; of light text that of the negative. It is false where
// there is none.
func inkAt(p vision.Plane, h vision.Homography, width, height int, light bool) (bitmap, bool) {
	crop := vision.Plane{Pix: make([]byte, width*height), Width: width, Height: height, Stride: width}
	if !vision.Warp(p, h, width, height, crop.Pix) {
		return bitmap{}, false
	}
	if light {
		for i, v := range crop.Pix {
			crop.Pix[i] = 255 - v
		}
	}
	return inkOf(crop)
}

// inkBeside is the ink of a line and of what stands close above, below and beside it: inkHeight samples for its height, and inkRoom
// heights of room on each side. It is false where there is none.
func inkBeside(p vision.Plane, h vision.Homography, l Line) (bitmap, bool) {
	length := max(l.Length(), 1e-6)
	cos, sin := (l.End.X-l.Start.X)/length, (l.End.Y-l.Start.Y)/length
	k := l.Height / inkHeight // pixels of the page for a sample
	width, height := int(length/k+2*inkRoom*inkHeight), int((1+2*inkRoom)*inkHeight)
	if width < 1 || width > mostInk {
		return bitmap{}, false
	}
	x, y := -inkRoom*l.Height, -(0.5+inkRoom)*l.Height
	toPage := vision.Homography{k * cos, -k * sin, l.Start.X + x*cos - y*sin, k * sin, k * cos, l.Start.Y + x*sin + y*cos, 0, 0, 1}
	return inkAt(p, h.Mul(toPage), width, height, l.Light)
}

// speck is the fewest samples of a piece of ink that counts.
const speck = 4

// blobsOf returns the ink of a line from left to right.
func blobsOf(p vision.Plane, h vision.Homography, l Line) (out []blob) {
	ink, ok := inkBeside(p, h, l)
	if !ok {
		return nil
	}
	for _, s := range ink.strokes() {
		if s.area >= speck {
			b := blob{left: float64(s.left)/inkHeight - inkRoom, right: float64(s.right)/inkHeight - inkRoom}
			bend := l.bend(min(max(b.x()*l.Height/max(l.Length(), 1e-6), 0), 1)) / l.Height
			b.top, b.bottom = float64(s.top)/inkHeight-inkRoom-0.5-bend, float64(s.bottom)/inkHeight-inkRoom-0.5-bend
			out = append(out, b)
		}
	}
	slices.SortFunc(out, func(a, b blob) int { return cmp.Compare(a.x(), b.x()) })
	return out
}

// number is a number as it was read, and the ink in its place.
type number struct {
	symbols   []Symbol
	at        int    // of the first of them in the line
	tall, low []blob // digits, and dots
	length    float64
}

// newNumber gathers the ink of a number; length is that of its line, in heights. Where the outer signs end is estimated: of several tries
// the first counts that has ink for each digit.
func newNumber(symbols []Symbol, blobs []blob, length float64) (n number) {
	for _, room := range [...]float64{0.3, 0.1, 0.5, -0.1} {
		n = number{symbols: symbols, length: length}
		n.gather(blobs, symbols[0].Start*length-room, symbols[len(symbols)-1].End*length+room)
		if n.fits() {
			break
		}
	}
	return n
}

// gather takes the ink between two places.
func (n *number) gather(blobs []blob, left, right float64) {
	highest := 0.0
	var inside []blob
	for _, b := range blobs {
		if b.x() > left && b.x() < right {
			inside = append(inside, b)
			highest = max(highest, b.height())
		}
	}
	const small = 0.5 // of the highest
	for _, b := range inside {
		switch {
		case b.height() > small*highest:
			n.tall = append(n.tall, b)
		case b.width() < small*highest:
			n.low = append(n.low, b)
		}
	}
}

// digits are the signs from 1 to 9.
func (n number) digits() []Symbol {
	return slices.DeleteFunc(slices.Clone(n.symbols), func(s Symbol) bool { return dotted(s.Rune) || s.Rune == ' ' })
}

// fits reports whether each digit that was read has its ink, and there are dots.
func (n number) fits() bool {
	return len(n.tall) > 0 && len(n.digits()) == len(n.tall) && len(n.low) > 0
}

// separated returns the signs that the ink shows; ok is false where it does not fit the reading, or is no number. parted is
// where zeros and separators part.
func (n number) separated(parted float64) ([]Symbol, bool) {
	out, ok := n.arranged(parted)
	return out, ok && n.usual(out)
}

func (n number) arranged(parted float64) (out []Symbol, ok bool) {
	digits := n.digits()
	if !n.fits() {
		return nil, false
	}
	for i := range len(digits) + 1 {
		between, ok := n.between(i, digits, parted)
		if !ok {
			return nil, false
		}
		out = append(out, between...)
		if i < len(digits) {
			out = append(out, digits[i])
		}
	}
	return out, true
}

// between returns the signs before digit i that are none of 1 to 9; those of the last are behind all digits.
func (n number) between(i int, digits []Symbol, parted float64) (out []Symbol, ok bool) {
	read := n.readBetween(i)
	var blanks, dots []Symbol
	for _, s := range read {
		if s.Rune == ' ' {
			blanks = append(blanks, s)
		} else {
			dots = append(dots, s)
		}
	}
	const beside = 1.2 // heights from the outermost digit
	var left, right float64
	if i > 0 {
		left = n.tall[i-1].right - n.tall[i-1].width()/2
	} else {
		left = n.tall[0].left - beside*float64(max(1, len(dots)))
	}
	if i < len(digits) {
		right = n.tall[i].left + n.tall[i].width()/2
	} else {
		right = n.tall[i-1].right + beside*float64(max(1, len(dots)))
	}
	outside := i == 0 || i == len(digits)
	var ink []blob
	for _, b := range n.low {
		if b.x() > left && b.x() < right {
			ink = append(ink, b)
		}
	}
	if outside && len(dots) == 0 { // marks of a neighbour, or a full stop that was not read
		return read, true
	}
	if len(ink) < len(dots) {
		return nil, false
	}
	if len(ink) > len(dots) {
		ink = n.added(ink, i, len(dots))
	}
	for k, b := range ink {
		sign, ok := n.signOf(b, dots, k, parted)
		if !ok {
			return nil, false
		}
		out = append(out, Symbol{Rune: sign, Prob: probabilityOf(dots, k), Start: b.left / n.length, End: b.right / n.length})
	}
	if len(ink) <= len(dots) { // what was read as a blank is none where ink was added
		out = append(out, blanks...)
		slices.SortStableFunc(out, func(a, b Symbol) int { return cmp.Compare(a.Start+a.End, b.Start+b.End) })
	}
	return out, true
}

// added leaves out dots before digit i that cannot be signs which were overlooked: of more than were read, those that are no separators
// standing free between two digits.
func (n number) added(ink []blob, i, read int) []blob {
	const leastDot = 0.12
	return slices.DeleteFunc(ink, func(b blob) bool {
		free := i > 0 && i < len(n.tall) && b.left >= n.tall[i-1].right && b.right <= n.tall[i].left
		return (n.place(b) < lowDot || !free || b.height() < leastDot) && read == 0
	})
}

// readBetween are the signs that were read before digit i.
func (n number) readBetween(i int) []Symbol {
	start, seen := 0, 0
	for k, s := range n.symbols {
		if dotted(s.Rune) || s.Rune == ' ' {
			continue
		}
		if seen == i {
			return n.symbols[start:k]
		}
		seen, start = seen+1, k+1
	}
	return n.symbols[start:]
}

// probabilityOf is that of the k-th sign, or of one that was not read.
func probabilityOf(dots []Symbol, k int) float64 {
	const added = 0.9
	if k < len(dots) {
		return dots[k].Prob
	}
	return added
}

// place is where the middle of a dot lies from the top (0) to the bottom (1) of the number's digits.
func (n number) place(b blob) float64 {
	tops, bottoms := make([]float64, len(n.tall)), make([]float64, len(n.tall))
	for i, t := range n.tall {
		tops[i], bottoms[i] = t.top, t.bottom
	}
	slices.Sort(tops)
	slices.Sort(bottoms)
	middle := len(tops) / 2
	return (b.y() - tops[middle]) / (bottoms[middle] - tops[middle])
}

// signOf says which sign a dot is. dots are what was read in its place.
func (n number) signOf(b blob, dots []Symbol, k int, parted float64) (rune, bool) {
	read := '٠'
	if k < len(dots) {
		read = dots[k].Rune
	}
	comma := isComma(b, read)
	switch y := n.place(b); {
	case y < highDot:
		return 0, false
	case y < parted && n.tallComma(b, read) && (comma || read != '٠' && b.height() >= slimComma*b.width()):
		// The Arabic comma stands as high as a zero in many fonts.
		return arabicComma(read), true
	case y < parted:
		return '٠', true
	case surelyArabicComma(dots, k):
		return read, true
	case comma && read != '٠' && read != '.' && read != '·':
		return read, true
	case comma:
		return ',', true
	}
	return '.', true
}

// surelyArabicComma reports whether the k-th sign was rather read as the Arabic comma than as anything else. At the feet of digits its head
// makes it as wide as a full stop, so that its shape tells nothing: of 1,200 drawn lines with numbers (28 November 2026, twelve faces that
// did not train) 8 had become a full stop, and no full stop was read so.
func surelyArabicComma(dots []Symbol, k int) bool {
	const surely = 0.5
	return k < len(dots) && (dots[k].Rune == '،' || dots[k].Rune == '٬') && dots[k].Prob >= surely
}

// isComma reports whether a dot that was read as a sign is as slim as a comma.
func isComma(b blob, read rune) bool {
	least := slimUnread
	switch read {
	case '.', '·':
		least = slimStop
	case ',', '،', '٫', '٬':
		least = slimComma
	}
	return b.height() >= least*b.width()
}

// tallComma reports whether a slim dot is as high as commas are, beside the number's digits. Zeros are lower, but for some that look like
// drops:
// what was read as a zero must be higher still.
func (n number) tallComma(b blob, read rune) bool {
	least := 0.32
	if read == '٠' {
		least = 0.4
	}
	return b.height() >= least*n.digitHeight()
}

// digitHeight is the median height of the number's digits.
func (n number) digitHeight() float64 {
	heights := make([]float64, len(n.tall))
	for i, t := range n.tall {
		heights[i] = t.height()
	}
	slices.Sort(heights)
	return heights[len(heights)/2]
}

// arabicComma is the sign of a comma that stands in the middle of the digits.
func arabicComma(read rune) rune {
	if read == '٠' || read == '.' || read == '·' || read == ',' {
		return '،'
	}
	return read
}
