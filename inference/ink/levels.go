package ink

import (
	"cmp"
	"slices"
	"strings"

	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// Some faces print full stops among Arabic-Indic digits that look like their zeros and only stand lower. One number may hold either kind
// alone, so that its network cannot know; a page has dots of both heights.
const (
	apartLevels = 0.11 // of two kinds of dots at least, of the height of the digits: Amiri has 0.15
	clearLevels = 0.06 // between the highest of the lower kind and the lowest of the higher one
	tightLevels = 0.8  // of what is between two kinds, that the dots of one are apart at most
	likeSizes   = 0.6  // of the higher kind that the lower one measures at least, or the other way round: others are told by their size
	lowestFoot  = 0.25 // that full stops stand above the digits' feet at most
	mendedDot   = 0.6  // how sure a sign is that the height tells against the network
)

// dot is a zero or a full stop of a number, whatever it was read as.
type dot struct {
	line, sign int
	level      float64 // of its middle above the digits' feet, a share of their height
	size       float64 // how high it is itself
	stop       bool    // read as a full stop
}

// Levelled returns readings of the lines of a page in which the dots of numbers in Arabic-Indic digits are full stops where they stand low
// and zeros where they stand high, if the page has dots of two heights. What is changed so is doubtful, and so are the dots of such a page
// whose height cannot be seen. h maps the lines to the plane.
func Levelled(p vision.Plane, h vision.Homography, lines []text.Line, read []*text.Reading) []*text.Reading {
	var dots []dot
	numbers := make([][][2]int, len(lines))
	for i, l := range lines {
		symbols := read[i].Symbols()
		numbers[i] = slices.DeleteFunc(text.Spans(symbols), func(w [2]int) bool { return !hasDots(symbols[w[0]:w[1]]) })
		for _, d := range dotsOf(p, h, l, symbols, numbers[i]) {
			d.line = i
			dots = append(dots, d)
		}
	}
	at := levels(dots)
	if at == 0 {
		return read
	}
	out := slices.Clone(read)
	for i := range lines {
		symbols := slices.Clone(read[i].Symbols())
		for _, w := range numbers[i] {
			level(i, symbols, w, dots, at)
		}
		if len(numbers[i]) > 0 {
			out[i] = read[i].With(symbols)
		}
	}
	return out
}

// level says of the dots of a number, which are signs from w[0] to w[1], the second excluded, of a line, what their heights tell.
func level(line int, symbols []text.Symbol, w [2]int, dots []dot, at int) {
	for k := w[0]; k < w[1]; k++ {
		if symbols[k].Rune != '.' && symbols[k].Rune != '٠' {
			continue
		}
		sign := rune(0)
		if i := slices.IndexFunc(dots, func(d dot) bool { return d.line == line && d.sign == k }); i >= at {
			sign = '٠'
		} else if i >= 0 {
			sign = '.'
		}
		if sign != symbols[k].Rune {
			symbols[k].Prob = min(symbols[k].Prob, mendedDot)
		}
		if sign != 0 {
			symbols[k].Rune = sign
		}
	}
}

// hasDots reports whether a word is a number in Arabic-Indic digits with a zero or a full stop, of signs that are one piece of ink each.
func hasDots(word []text.Symbol) bool {
	digits, dots := 0, false
	for _, s := range word {
		switch {
		case s.Rune == '٠' || s.Rune == '.':
			dots = true
		case s.Rune > '٠' && s.Rune <= '٩':
			digits++
		case !strings.ContainsRune(",،-/()", s.Rune):
			return false
		}
	}
	return digits > 0 && dots
}

// dotsOf measures the dots of the numbers of a line, which are the words at spans. A number of which not all small signs are found as
// pieces of ink has none.
func dotsOf(p vision.Plane, h vision.Homography, l text.Line, symbols []text.Symbol, spans [][2]int) (out []dot) {
	const beside = 0.15 * inkHeight // of the ends of a number
	if len(spans) == 0 {
		return nil
	}
	ink, ok := inkBeside(p, h, l)
	if !ok {
		return nil
	}
	all, of := ink.pieces()
	length := float64(ink.width) - 2*inkRoom*inkHeight
	for _, w := range spans {
		from := inkRoom*inkHeight + symbols[w[0]].Start*length - beside
		to := inkRoom*inkHeight + symbols[w[1]-1].End*length + beside
		var within []int
		for i, s := range all {
			if x := float64(s.left+s.right) / 2; s.area >= speck && x > from && x < to {
				within = append(within, i)
			}
		}
		slices.SortFunc(within, func(a, b int) int { return cmp.Compare(all[a].left+all[a].right, all[b].left+all[b].right) })
		out = append(out, ink.dotsAmong(all, of, within, symbols, w)...)
	}
	return out
}

// dotsAmong measures the dots of one number, which are some of the pieces within it, from left to right.
func (b bitmap) dotsAmong(all []stroke, of []int32, within []int, symbols []text.Symbol, w [2]int) (out []dot) {
	const tall, small = 0.75, 0.55 // of the highest and of the middle one of the tall pieces
	highest := 0
	if !slices.ContainsFunc(symbols[w[0]:w[1]], func(s text.Symbol) bool { return s.Rune > '٠' && s.Rune <= '٩' && s.Rune != '٥' }) {
		return nil // a five is low and stands high in many faces
	}
	for _, i := range within {
		highest = max(highest, all[i].bottom-all[i].top)
	}
	var highs, feet []int
	for _, i := range within {
		if s := all[i]; float64(s.bottom-s.top) >= tall*float64(highest) {
			highs, feet = append(highs, s.bottom-s.top), append(feet, s.bottom)
		}
	}
	if len(highs) == 0 {
		return nil
	}
	slices.Sort(highs)
	slices.Sort(feet)
	high, foot := float64(highs[len(highs)/2]), float64(feet[len(feet)/2])
	within = slices.DeleteFunc(within, func(i int) bool { return float64(all[i].bottom-all[i].top) > small*high })
	for i := w[0]; i < w[1]; i++ {
		if !strings.ContainsRune(".٠,،-", symbols[i].Rune) {
			continue
		}
		if len(within) == 0 {
			return nil
		}
		s := all[within[0]]
		if symbols[i].Rune == '.' || symbols[i].Rune == '٠' {
			d := dot{sign: i, level: (foot - b.middleOf(of, within[0], s)) / high, size: float64(s.bottom-s.top) / high}
			d.stop = symbols[i].Rune == '.'
			out = append(out, d)
		}
		within = within[1:]
	}
	if len(within) > 0 {
		return nil
	}
	return out
}

// middleOf is the mean row of the ink of a piece.
func (b bitmap) middleOf(of []int32, piece int, s stroke) float64 {
	sum, n := 0.0, 0.0
	for row := s.top; row < s.bottom; row++ {
		for column := s.left; column < s.right; column++ {
			if of[row*b.width+column] == int32(piece) {
				sum, n = sum+float64(row)+0.5, n+1
			}
		}
	}
	return sum / max(n, 1)
}

// levels sorts the dots of a page by height and returns how many are of the lower of two kinds; 0 where they are not clearly two, about as
// large, of which one line has both or the network found the lower ones to be full stops rather than the others: two faces have two heights
// of zeros.
func levels(dots []dot) (at int) {
	slices.SortFunc(dots, func(a, b dot) int { return cmp.Compare(a.level, b.level) })
	widest := 0.0
	for i := 1; i < len(dots); i++ {
		if gap := dots[i].level - dots[i-1].level; gap > widest {
			at, widest = i, gap
		}
	}
	if widest < clearLevels {
		return 0
	}
	low, high := dots[:at], dots[at:]
	lower, lowerSize := meansOf(low)
	higher, higherSize := meansOf(high)
	between := higher - lower
	spread := max(low[len(low)-1].level-low[0].level, high[len(high)-1].level-high[0].level)
	alike := min(lowerSize, higherSize) >= likeSizes*max(lowerSize, higherSize)
	if between < apartLevels || spread > tightLevels*between || lower-lowerSize/2 > lowestFoot || !alike {
		return 0
	}
	beside := slices.ContainsFunc(low, func(a dot) bool { return slices.ContainsFunc(high, func(b dot) bool { return a.line == b.line }) })
	if !beside && stopsAmong(low) <= stopsAmong(high) {
		return 0
	}
	return at
}

// stopsAmong is the share of dots that were read as full stops.
func stopsAmong(dots []dot) float64 {
	n := 0.0
	for _, d := range dots {
		if d.stop {
			n++
		}
	}
	return n / float64(len(dots))
}

// meansOf are the mean level and size of dots, of which there is at least one.
func meansOf(dots []dot) (level, size float64) {
	for _, d := range dots {
		level, size = level+d.level/float64(len(dots)), size+d.size/float64(len(dots))
	}
	return level, size
}
