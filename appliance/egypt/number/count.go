package number

import (
	"fmt"
	"math"
)

// Count is a small number that is printed, such as a year or a count of cylinders.
type Count struct {
	Value      string
	Confidence float64
}

// DecodeCount finds the number between low and high that the ink supports best; "" where there is none.
func DecodeCount(ink Digits, low, high int) (best Count) {
	if ink == nil {
		return best
	}
	top, total := 0.0, 0.0
	for n := len(fmt.Sprint(low)); n <= len(fmt.Sprint(high)); n++ {
		cells := ink.Cells(n)
		length := math.Exp(min(0, ink.LogLength(n)))
		if len(cells) != n || !(length > 0.001) {
			continue
		}
		beliefs := believeAll(cells)
		from, to := max(low, pow10(n-1)), min(high, pow10(n)-1)
		for v := from; v <= to; v++ {
			w := length
			for i, rest := n-1, v; i >= 0; i, rest = i-1, rest/10 {
				w *= beliefs[i][rest%10]
			}
			total += w
			if w > top {
				top = w
				best.Value = fmt.Sprint(v)
			}
		}
	}
	// What is no such number weighs as much as its ink.
	if total > 0 {
		best.Confidence = top / (total + 0.5*max(0, 1-total))
	}
	return best
}

// pow10 is a power of ten; 0 for the zeroth, so that 0 counts as a number of one digit.
func pow10(n int) int {
	if n <= 0 {
		return 0
	}
	p := 1
	for range n {
		p *= 10
	}
	return p
}
