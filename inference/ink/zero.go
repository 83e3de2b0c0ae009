package ink

import (
	"slices"
	"strings"

	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// The zero of Persian digits is a circle in many fonts, as the five of Arabic-Indic ones is, and recognisers take it for that. Its size
// tells: in 229 forms of the digits in 123 fonts (29 November 2026) the zero has up to 0.55 of the height of 1, 2, 3, 7, 8 and 9, in one
// 0.58, and the five at least 0.57, all but three 0.65.
const (
	ringHigh = 0.53 // up to here a five is a zero
	ringOpen = 0.56 // up to here it is doubtful
	ringBest = 0.62 // up to here it is one where the number has a five
	fiveHigh = 1.4  // so many times as high
)

// zeros returns signs in which a five far lower than the other digits of its number is the zero that it looks like. length is that of the
// line in heights.
func zeros(symbols []text.Symbol, blobs []blob, length float64) []text.Symbol {
	if !slices.ContainsFunc(symbols, func(s text.Symbol) bool { return s.Rune == '٥' }) {
		return symbols
	}
	high, out := heightsOfDigits(symbols, blobs, length), slices.Clone(symbols)
	for i := 0; i < len(out); i++ {
		j := i
		for j < len(out) && (indicDigit(out[j].Rune) || strings.ContainsRune(".,،:/-%٪", out[j].Rune)) {
			j++
		}
		ringed(out[i:j], high[i:j])
		i = j
	}
	return out
}

// ringed makes the fives of a number, as high as that, zeros where they are low.
func ringed(number []text.Symbol, high []float64) {
	var others []float64
	highest := 0.0 // of the fives
	for i, s := range number {
		switch {
		case s.Rune == '٥':
			highest = max(highest, high[i])
		case s.Rune != '٠' && high[i] > 0:
			others = append(others, high[i])
		}
	}
	if len(others) == 0 {
		return
	}
	usual := vision.MedianOf(others)
	for i, s := range number {
		switch size := high[i] / usual; {
		case s.Rune != '٥' || size == 0 || size > ringBest:
		case size < ringHigh || highest > fiveHigh*high[i]:
			number[i].Rune = '٠'
		case size < ringOpen:
			number[i].Prob = min(s.Prob, openProb)
		}
	}
}

// heightsOfDigits are those of the ink of each sign, 0 for what is no digit, and where they are not known.
func heightsOfDigits(symbols []text.Symbol, blobs []blob, length float64) []float64 {
	out := make([]float64, len(symbols))
	for i := 0; i < len(symbols); i++ {
		j := i
		for j < len(symbols) && indicDigit(symbols[j].Rune) {
			j++
		}
		for k, b := range inkOfDigits(symbols, i, j, blobs, length) {
			out[i+k] = b.height()
		}
		i = j
	}
	return out
}

// inkOfDigits is the ink of each of the digits from i to j, from left to right; nil where there is not a piece for each.
func inkOfDigits(symbols []text.Symbol, i, j int, blobs []blob, length float64) []blob {
	const room, leastSign = 0.2, 0.12
	if i == j {
		return nil
	}
	from, to := symbols[i].Start*length-room, symbols[j-1].End*length+room
	out := among(within(symbols, i, j, blobs, length), from, to)
	out = slices.DeleteFunc(out, func(b blob) bool { return b.height() < leastSign })
	if len(out) != j-i {
		return nil
	}
	return out
}
