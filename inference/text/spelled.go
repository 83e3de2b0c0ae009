package text

import (
	"math"

	"github.com/bawab/bawab/appliance/arabic"
	"github.com/bawab/bawab/appliance/egypt/number"
)

// Spelled are digits as a reader of words read them. It knows their size and what stands beside them from the words around; the reader
// of digits knows digits better.
type Spelled struct {
	// Signs are the digits with their places, from left to right.
	Signs []Symbol
	// Said are the digits and their separators, Western.
	Said string
	// Confidence is the probability of all of them, 0 to 1.
	Confidence float64
}

// Text implements number.Digits.
func (s Spelled) Text() string { return s.Said }

// Symbols returns the digits with their places. They belong to s.
func (s Spelled) Symbols() []Symbol { return s.Signs }

// Score is the natural logarithm of the probability of Western digits.
func (s Spelled) Score(digits string) float64 {
	sum := s.LogLength(len(digits))
	for i, cell := range s.Cells(len(digits)) {
		sum += cell[digits[i]-'0']
	}
	return sum
}

// LogLength implements number.Digits: there are as many digits as were read or, hardly, another number of them.
func (s Spelled) LogLength(n int) float64 {
	const least, other = 0.05, 100
	if n == len(s.Signs) {
		return math.Log(max(s.Confidence, least))
	}
	return math.Log(max(1-s.Confidence, 1e-6) / other)
}

// Cells implements number.Digits: each digit has its probability, and the others share the rest. Of another number of digits nothing is
// known.
func (s Spelled) Cells(n int) []number.Cell {
	const least, most = 0.1, 0.9999
	cells := make([]number.Cell, n)
	if n != len(s.Signs) {
		return cells
	}
	for i, sign := range s.Signs {
		p := min(max(sign.Prob, least), most)
		for d := range cells[i] {
			cells[i][d] = math.Log((1 - p) / 9)
		}
		cells[i][[]rune(arabic.FoldDigits(string(sign.Rune)))[0]-'0'] = math.Log(p)
	}
	return cells
}
