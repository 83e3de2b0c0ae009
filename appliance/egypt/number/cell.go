package number

import "math"

// Cell is the evidence for one printed digit: the natural logarithm of the probability of each of 0 to 9. It need not be
// normalised. Minus infinity and NaN mean "no evidence for this digit"; a cell of nothing else says nothing and counts as
// unreadable.
type Cell [10]float64

// How far a recogniser's own probabilities are believed. Networks trained by CTC may be surer of themselves than their
// errors allow: their logarithms are divided by temperature, and then every digit gets at least the share floor, the rate
// at which a digit that looks clear is another one. On 20 November 2026 the digit network, after 200,000 lines, read the
// numbers of 600 photographs of the project's generator, 300 of them hard: by their confidence 4.1 of the 584 numbers with
// one above one half should have been wrong, 5 were. So the temperature is 1; the floor is below what 8,000 digits can show.
const (
	temperature = 1.0
	floor       = 3e-6
)

// belief is a cell after calibration: probabilities that sum to 1.
type belief [10]float64

// believe calibrates a cell.
func believe(c *Cell) (b belief) {
	top := math.Inf(-1)
	for _, v := range c {
		if v > top { // false for NaN
			top = v
		}
	}
	if math.IsInf(top, 0) { // nothing, or evidence that is no number
		for i := range b {
			b[i] = 0.1
		}
		return b
	}
	sum := 0.0
	for i, v := range c {
		if v == v {
			b[i] = math.Exp((v - top) / temperature)
		}
		sum += b[i]
	}
	for i := range b {
		b[i] = (1-10*floor)*b[i]/sum + floor
	}
	return b
}

// best is the likeliest digit, 0 to 9.
func (b *belief) best() int {
	at := 0
	for i, p := range b {
		if p > b[at] {
			at = i
		}
	}
	return at
}

// sum is the weight of all digits.
func (b *belief) sum() float64 {
	sum := 0.0
	for _, p := range b {
		sum += p
	}
	return sum
}

// believeAll calibrates cells.
func believeAll(cells []Cell) []belief {
	out := make([]belief, len(cells))
	for i := range cells {
		out[i] = believe(&cells[i])
	}
	return out
}

// printed is the likeliest digit of each belief.
func printed(beliefs []belief) string {
	out := make([]byte, len(beliefs))
	for i := range beliefs {
		out[i] = '0' + byte(beliefs[i].best())
	}
	return string(out)
}

// CellsOf is a number that was read before, as evidence for reading it again. characters are the probabilities of its digits; where only
// the confidence of the whole is known, each digit gets an equal share of the doubt.
func CellsOf(number string, confidence float64, characters []float64) []Cell {
	right := math.Pow(max(0.01, min(confidence, 0.9999)), 1/float64(len(number)))
	cells := make([]Cell, len(number))
	for i := range cells {
		if len(characters) == len(number) {
			right = max(0.1, min(characters[i], 0.9999))
		}
		for d := range cells[i] {
			cells[i][d] = math.Log((1 - right) / 9)
		}
		if d := number[i] - '0'; d < 10 {
			cells[i][d] = math.Log(right)
		}
	}
	return cells
}
