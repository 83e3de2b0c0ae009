package ink

import (
	"math"
	"slices"
	"strings"

	"github.com/bawab/bawab/inference/bidi"
	"github.com/bawab/bawab/inference/text"
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

// inkBending is of a height: a line that sags more is left as it was read.
const inkBending = 0.5

// Separated returns readings of the lines of one page in which the dots of numbers in Arabic-Indic digits are what their size
// and height make them: zeros stand in the middle of the digits, separators at their feet. What was overlooked between two
// digits is added. A number whose ink does not fit its reading, digit by digit, stays as it was read. lines are where they were
// read, h maps them to the plane.
func Separated(p vision.Plane, h vision.Homography, lines []text.Line, read []*text.Reading) []*text.Reading {
	numbers, out := make([][]number, len(lines)), slices.Clone(read)
	var heights []float64
	for i, l := range lines {
		if !slices.ContainsFunc(read[i].Symbols(), func(s text.Symbol) bool { return indicDigit(s.Rune) || s.Rune == 'V' || s.Rune == 'Y' }) ||
			math.Abs(l.Sag) > inkBending*l.Height {
			continue
		}
		blobs, length := blobsOf(p, h, l), l.Length()/max(l.Height, 1e-6)
		out[i] = read[i].With(zeros(sevens(read[i].Symbols()), blobs, length))
		numbers[i] = numbersOf(out[i].Symbols(), blobs, length)
		for _, n := range numbers[i] {
			heights = append(heights, n.heights()...)
		}
	}
	parted := gapOf(heights)
	odd := func(n number) bool { return n.odd(parted) }
	if all := slices.Concat(numbers...); slices.ContainsFunc(all, odd) {
		if parted = lowDot; slices.ContainsFunc(all, odd) {
			return out // the zeros of this font lie where other fonts have their separators
		}
	}
	for i := range numbers {
		out[i] = withNumbers(out[i], numbers[i], parted)
	}
	return out
}

// heights are where the dots of a number lie that are no commas, where its ink fits.
func (n number) heights() (out []float64) {
	if !n.fits() {
		return nil
	}
	for _, b := range n.low {
		if _, tail := n.shape(b); math.Abs(tail) < tailSurely && !(isComma(b, '٠') && n.tallComma(b, '٠')) {
			out = append(out, n.place(b))
		}
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
func (n number) usual(signs []text.Symbol) bool {
	const fewDigits = 4
	before := rune(0)
	for _, s := range signs {
		if separates(s.Rune) && separates(before) {
			return false
		}
		before = s.Rune
	}
	last := len(signs) - 1
	if separates(signs[last].Rune) && !separates(n.symbols[len(n.symbols)-1].Rune) {
		return false
	}
	return !separates(signs[0].Rune) || separates(n.symbols[0].Rune) || len(signs) <= 1+fewDigits
}

// withNumbers returns the reading with the numbers as the ink shows them.
func withNumbers(r *text.Reading, numbers []number, parted float64) *text.Reading {
	var out []text.Symbol
	at := 0
	for _, n := range numbers {
		signs, ok := n.separated(parted)
		if !ok {
			continue
		}
		out = append(append(out, r.Symbols()[at:n.at]...), signs...)
		at = n.at + len(n.symbols)
	}
	return r.With(append(out, r.Symbols()[at:]...))
}

// sevens returns signs in which a V or a Y that stands alone between Arabic words, and is the only Latin letter, is the seven that looks
// like it; with a full stop at its foot it is taken for a Y.
func sevens(symbols []text.Symbol) []text.Symbol {
	at, arabics := -1, 0
	for i, s := range symbols {
		switch {
		case bidi.Arabic(s.Rune):
			arabics++
		case bidi.Latin(s.Rune):
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
func numbersOf(symbols []text.Symbol, blobs []blob, length float64) (out []number) {
	for i := 0; i < len(symbols); {
		j := numberEnd(symbols, i)
		if j == i {
			i++
			continue
		}
		n := newNumber(symbols[i:j], within(symbols, i, j, blobs, length), length)
		n.at = i
		out = append(out, n)
		i = j
	}
	return out
}

// within is the ink that is not beyond the neighbours of the signs from i to j, of those that stand beside them without a blank.
func within(symbols []text.Symbol, i, j int, blobs []blob, length float64) []blob {
	left, right := math.Inf(-1), math.Inf(1)
	if i > 0 && symbols[i-1].Rune != ' ' {
		left = (symbols[i-1].End + symbols[i].Start) / 2 * length
	}
	if j < len(symbols) && symbols[j].Rune != ' ' {
		right = (symbols[j-1].End + symbols[j].Start) / 2 * length
	}
	return slices.DeleteFunc(slices.Clone(blobs), func(b blob) bool { return b.x() < left || b.x() > right })
}

func indicDigit(r rune) bool { return r >= '٠' && r <= '٩' }

// dotted reports whether a sign is printed as a dot or a comma.
func dotted(r rune) bool {
	return r == '٠' || r == '.' || r == ',' || r == '،' || r == '٫' || r == '٬' || r == '·'
}

// numberEnd returns where the number that begins at a sign ends; itself where none begins. Blanks within belong to it, blanks
// around it do not; a neighbour without a blank between leaves no number, since their ink may run together, but for the sign of a share.
func numberEnd(s []text.Symbol, at int) int {
	part := func(i int) bool { return indicDigit(s[i].Rune) || dotted(s[i].Rune) }
	apart := func(i int) bool { return strings.ContainsRune(" %٪", s[i].Rune) }
	if !part(at) || at > 0 && !apart(at-1) {
		return at
	}
	end := at
	for i := at; i < len(s) && (part(i) || s[i].Rune == ' '); i++ {
		if part(i) {
			end = i + 1
		}
	}
	if end < len(s) && !apart(end) ||
		!slices.ContainsFunc(s[at:end], func(s text.Symbol) bool { return indicDigit(s.Rune) && s.Rune != '٠' }) {
		return at
	}
	return end
}
