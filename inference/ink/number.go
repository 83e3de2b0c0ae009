package ink

import (
	"cmp"
	"math"
	"slices"

	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// number is a number as it was read, and the ink in its place.
type number struct {
	symbols   []text.Symbol
	at        int    // of the first of them in the line
	tall, low []blob // digits, and dots
	length    float64
	// top, bottom and high are the median top, bottom and height of its digits; 0 where there are none.
	top, bottom, high float64
}

// newNumber gathers the ink of a number; length is that of its line, in heights. Where the outer signs end is estimated: of several tries
// the first counts that has ink for each digit.
func newNumber(symbols []text.Symbol, blobs []blob, length float64) (n number) {
	for _, room := range [...]float64{0.3, 0.1, 0.5, -0.1, 0.1} {
		n = number{symbols: symbols, length: length}
		n.gather(blobs, symbols[0].Start*length-room, symbols[len(symbols)-1].End*length+room)
		if n.fits() {
			break
		}
	}
	n.top, n.bottom = n.usually(func(b blob) float64 { return b.top }), n.usually(func(b blob) float64 { return b.bottom })
	n.high = n.usually(blob.height)
	return n
}

// usually is the median of what is measured of the digits, 0 where there are none.
func (n number) usually(of func(blob) float64) float64 {
	values := make([]float64, len(n.tall))
	for i, b := range n.tall {
		values[i] = of(b)
	}
	return vision.MedianOf(values)
}

// gather takes the ink between two places.
func (n *number) gather(blobs []blob, left, right float64) {
	const small = 0.5 // of the highest
	inside, highest := among(blobs, left, right), 0.0
	for _, b := range inside {
		highest = max(highest, b.height())
	}
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
func (n number) digits() []text.Symbol {
	return slices.DeleteFunc(slices.Clone(n.symbols), func(s text.Symbol) bool { return dotted(s.Rune) || s.Rune == ' ' })
}

// fits reports whether each digit that was read has its ink, and there are dots.
func (n number) fits() bool {
	return len(n.tall) > 0 && len(n.digits()) == len(n.tall) && len(n.low) > 0
}

// separated returns the signs that the ink shows; ok is false where it does not fit the reading, or is no number. parted is
// where zeros and separators part.
func (n number) separated(parted float64) ([]text.Symbol, bool) {
	out, ok := n.arranged(parted)
	return out, ok && n.usual(out)
}

func (n number) arranged(parted float64) (out []text.Symbol, ok bool) {
	digits := n.digits()
	if !n.fits() {
		return n.inOrder(parted)
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
func (n number) between(i int, digits []text.Symbol, parted float64) (out []text.Symbol, ok bool) {
	read := n.readBetween(i)
	var blanks, dots []text.Symbol
	for _, s := range read {
		if s.Rune == ' ' {
			blanks = append(blanks, s)
		} else {
			dots = append(dots, s)
		}
	}
	if i > 0 && i < len(digits) {
		blanks = slices.DeleteFunc(blanks, n.noBlank)
	}
	outside := i == 0 || i == len(digits)
	if outside && len(dots) == 0 { // marks of a neighbour, or a full stop that was not read
		return read, true
	}
	ink := n.inkBefore(i, len(dots))
	if len(ink) == 1 && !outside {
		dots = single(dots, ink[0].stacked)
	}
	if len(ink) < len(dots) {
		return nil, false
	}
	added := len(ink) > len(dots)
	for _, m := range n.matched(ink, dots, i) {
		sign, prob, ok := n.signOf(m.ink, m.read, parted)
		if !ok {
			return nil, false
		}
		out = append(out, text.Symbol{Rune: sign, Prob: prob, Start: m.ink.left / n.length, End: m.ink.right / n.length})
	}
	if !added || len(out) == len(dots) { // what was read as a blank is none where ink was added
		out = append(out, blanks...)
		slices.SortStableFunc(out, func(a, b text.Symbol) int { return cmp.Compare(a.Start+a.End, b.Start+b.End) })
	}
	return out, true
}

// inkBefore are the dots before digit i, so many signs having been read there.
func (n number) inkBefore(i, count int) []blob {
	const beside = 1.2 // heights from the outermost digit, for each sign
	room := beside * float64(max(1, count))
	left, right := n.tall[0].left-room, n.tall[len(n.tall)-1].right+room
	if i > 0 {
		left = n.tall[i-1].x()
	}
	if i < len(n.tall) {
		right = n.tall[i].x()
	}
	return stacked(among(n.low, left, right))
}

// noBlank reports whether a blank that was doubted parts the signs beside it no further than others of the number stand apart.
func (n number) noBlank(blank text.Symbol) bool {
	const doubted, wider = 0.9, 1.15
	at := (blank.Start + blank.End) / 2 * n.length
	here, usual := n.pitch(blob{left: at, right: at})
	return blank.Prob < doubted && here > 0 && here < wider*usual
}

// single is the surest of several signs that were read one behind the other where no number has two: of separators, and of whatever was
// read of a colon.
func single(dots []text.Symbol, colon bool) []text.Symbol {
	if len(dots) < 2 || !colon && slices.ContainsFunc(dots, func(s text.Symbol) bool { return s.Rune == '٠' }) {
		return dots
	}
	return []text.Symbol{slices.MaxFunc(dots, func(a, b text.Symbol) int { return cmp.Compare(a.Prob, b.Prob) })}
}

// stacked are dots, those of which two as large stand one above the other as one: a colon.
func stacked(ink []blob) (out []blob) {
	const beside, larger, apart = 0.08, 1.5, 0.07 // heights, but for the second
	for i := 0; i < len(ink); i++ {
		a := ink[i]
		if i+1 < len(ink) {
			b := ink[i+1]
			alike := a.height() < larger*b.height() && b.height() < larger*a.height() && a.width() < larger*b.width() && b.width() < larger*a.width()
			if alike && math.Abs(a.x()-b.x()) < beside && math.Abs(a.y()-b.y()) > a.height()/2+b.height()/2+apart {
				a.left, a.right, a.stacked = min(a.left, b.left), max(a.right, b.right), true
				a.top, a.bottom = min(a.top, b.top), max(a.bottom, b.bottom)
				i++
			}
		}
		out = append(out, a)
	}
	return out
}

// match is a dot, and what was read in its place; its Rune is 0 where nothing was.
type match struct {
	ink  blob
	read text.Symbol
}

// matched finds the ink before digit i of each dot that was read; what is left of it stays where it may have been overlooked.
func (n number) matched(ink []blob, dots []text.Symbol, i int) (out []match) {
	for k, b := range ink {
		nearest := len(dots) > 0
		if left := len(ink) - k; nearest && left > len(dots) {
			at := (dots[0].Start + dots[0].End) / 2 * n.length
			nearest = !slices.ContainsFunc(ink[k+1:k+1+left-len(dots)], func(o blob) bool { return math.Abs(o.x()-at) < math.Abs(b.x()-at) })
		}
		switch {
		case nearest:
			out = append(out, match{b, dots[0]})
			dots = dots[1:]
		default:
			if prob := n.overlooked(b, i); prob > 0 {
				out = append(out, match{b, text.Symbol{Prob: prob}})
			}
		}
	}
	return out
}

// overlooked is the probability that a dot before digit i that nothing was read for is a sign nevertheless: a separator that stands between
// two digits, as high as some. It parts the digits, where dirt does not, but in faces that set it below them: there it is a large full
// stop, and doubtful.
func (n number) overlooked(b blob, i int) float64 {
	const leastDot, large = 0.12, 0.17 // heights of the line, of the digits
	const wider, added = 1.2, 0.9      // than where nothing stands between
	if n.place(b) < lowDot || i == 0 || i == len(n.tall) || b.height() < leastDot || b.stacked {
		return 0
	}
	here, usual := n.pitch(b)
	if b.left >= n.tall[i-1].right && b.right <= n.tall[i].left && here > wider*usual {
		return added
	}
	if shape, open := n.separatorOf(b, '٠'); shape == '.' && !open && min(b.width(), b.height()) > large*n.high {
		return openProb
	}
	return 0
}

// pitch is how far the middles of the signs on both sides of a dot lie apart, and how far those of neighbours elsewhere in the number do;
// that is 0 where it has no others.
func (n number) pitch(b blob) (here, usual float64) {
	const leastSign = 0.12
	signs := slices.DeleteFunc(slices.Concat(n.tall, n.low), func(s blob) bool { return s == b || s.height() < leastSign })
	slices.SortFunc(signs, func(a, b blob) int { return cmp.Compare(a.x(), b.x()) })
	var others []float64
	for i := 1; i < len(signs); i++ {
		apart := signs[i].x() - signs[i-1].x()
		if signs[i-1].x() < b.x() && signs[i].x() > b.x() {
			here = apart
		} else {
			others = append(others, apart)
		}
	}
	return here, vision.MedianOf(others)
}

// inOrder returns the signs of a number whose digits run together, or were not all read, where there is a dot for each that was read. What
// was read as a zero stays one then, and as a separator one of these.
func (n number) inOrder(parted float64) (out []text.Symbol, ok bool) {
	const near = 0.4 // heights
	out = slices.Clone(n.symbols)
	k := 0
	for i, s := range out {
		if !dotted(s.Rune) {
			continue
		}
		if k == len(n.low) || len(n.tall) == 0 || math.Abs(n.low[k].x()-(s.Start+s.End)/2*n.length) > near {
			return nil, false
		}
		if sign, prob, ok := n.signOf(n.low[k], s, parted); ok && separates(sign) && separates(s.Rune) {
			out[i].Rune, out[i].Prob = sign, prob
		}
		k++
	}
	return out, k > 0 && k == len(n.low)
}

// readBetween are the signs that were read before digit i.
func (n number) readBetween(i int) []text.Symbol {
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

// place is where the middle of a dot lies from the top (0) to the bottom (1) of the number's digits.
func (n number) place(b blob) float64 {
	return (b.y() - n.top) / (n.bottom - n.top)
}

// signOf says which sign a dot is, and how sure that is. read is what was read in its place.
func (n number) signOf(b blob, read text.Symbol, parted float64) (sign rune, prob float64, ok bool) {
	sign = read.Rune
	if sign == 0 {
		sign = '٠'
	}
	shape, open := n.separatorOf(b, sign)
	y := n.place(b)
	switch {
	case b.stacked:
		return ':', read.Prob, true
	case y < highDot:
		return 0, 0, false
	case math.Abs(y-parted) < openPlace && n.tailless(b) && (read.Rune == '٠' || read.Rune == '.'):
		return sign, min(read.Prob, openProb), true
	case y < parted:
		return n.middleSign(b, sign), read.Prob, true
	}
	sign, prob = footSign(shape, open, read)
	if y < lowDot && read.Rune == '٠' && read.Prob > surelyZero {
		prob = openProb
	}
	return sign, prob, true
}

// tailless reports whether a dot thins out neither downwards nor upwards.
func (n number) tailless(b blob) bool {
	_, tail := n.shape(b)
	return math.Abs(tail) < tailLeast
}

// middleSign says what a dot is that stands as high as zeros do, where the Arabic comma stands in many fonts.
func (n number) middleSign(b blob, read rune) rune {
	if n.tallComma(b, read) && (isComma(b, read) || read != '٠' && b.height() >= slimComma*b.width()) {
		return arabicComma(read)
	}
	return '٠'
}

// footSign says which separator a dot at the foot of the digits is, and how sure that is.
func footSign(shape rune, open bool, read text.Symbol) (sign rune, prob float64) {
	switch {
	case surelyArabicComma(read) && shape == '.':
		return read.Rune, min(read.Prob, openProb)
	case open && read.Rune != shape && separates(read.Rune):
		return shape, min(read.Prob, openProb)
	case open || read.Rune == 0:
		return shape, read.Prob
	}
	return shape, max(read.Prob, clearProb)
}

// The probability of a separator of which what was read and what its ink says differ, and neither is clear, and of one whose shape is.
const (
	openProb  = 0.5
	clearProb = 0.95
)

// openPlace is how near to where zeros and separators part a dot's height says nothing, and leaves it doubtful. surelyZero is what was
// read surely enough to make a separator doubtful that stands where other fonts have zeros.
const openPlace, surelyZero = 0.03, 0.99

// separates reports whether a sign is a separator that is printed as a dot or a comma.
func separates(r rune) bool { return dotted(r) && r != '٠' }

// What the shape of a separator makes it, slim and tail of a blob in powers of the height of the digits. Chosen on 29 November 2026: of 693
// in numbers that were drawn worn, 11 to 40 pixels high, in 12 held-out and 111 trained fonts, the networks had read 44 as another one, and
// by shape 3 are. Full stops have at most 0.052 and 1.6e-4 either way, and seldom more than 0.025 and 0.8e-4.
const (
	slimSurely, slimHardly, slimTailed, slimOpen = 0.06, 0.03, 0.02, 0.015
	tailSurely, tailOpen, tailLeast, tailTold    = 2e-4, 0.8e-4, 0.7e-4, 0.6e-4
)

// separatorOf says which separator a dot is by its shape, where that may be either by what was read. open reports whether it is not clear.
func (n number) separatorOf(b blob, read rune) (sign rune, open bool) {
	slim, tail := n.shape(b)
	long := math.Abs(tail)
	open = long < tailSurely && (slim > slimOpen && slim < slimSurely || long > tailOpen && slim < slimHardly)
	switch {
	case slim > slimSurely || long > tailSurely || long > tailLeast && slim > slimTailed:
		if tail < -tailTold || tail <= tailTold && read == '،' {
			return arabicComma(read), open
		}
		return latinComma(read), open
	case slim < slimHardly || !separates(read):
		return '.', open
	}
	return read, open
}

// shape is that of a dot beside the number's digits.
func (n number) shape(b blob) (slim, tail float64) {
	return b.slim / (n.high * n.high), b.tail / (n.high * n.high * n.high)
}

// surelyArabicComma reports whether a sign was rather read as the Arabic comma than as anything else. At the feet of digits its head
// makes it as wide as a full stop, so that its shape tells nothing: of 1,200 drawn lines with numbers (28 November 2026, twelve faces that
// did not train) 8 had become a full stop, and no full stop was read so.
func surelyArabicComma(s text.Symbol) bool {
	const surely = 0.5
	return (s.Rune == '،' || s.Rune == '٬') && s.Prob >= surely
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
// drops: what was read as a zero must be higher still.
func (n number) tallComma(b blob, read rune) bool {
	least := 0.32
	if read == '٠' {
		least = 0.4
	}
	return b.height() >= least*n.high
}

// arabicComma is the sign of a comma that stands in the middle of the digits.
func arabicComma(read rune) rune {
	if read == '٠' || read == '.' || read == '·' || read == ',' {
		return '،'
	}
	return read
}

// latinComma is the sign of a comma whose tail hangs down.
func latinComma(read rune) rune {
	if read == '٫' {
		return read
	}
	return ','
}
