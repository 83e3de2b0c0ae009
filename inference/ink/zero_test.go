package ink

import (
	"testing"

	"github.com/bawab/bawab/inference/text"
)

// Property: a five that is far lower than other digits of its number is a zero, one that is nearly so is doubtful unless a high five stands
// in the number; where the pieces of ink are not as many as the digits, or no other digit tells how high they are, all stays as it was
// read.
func TestFivesThatAreZeros(t *testing.T) {
	for _, c := range []struct {
		name, read, want string
		heights          []float64
		doubtful         int // digits
	}{
		{"zeros of a number", "٢٥٥٨", "٢٠٠٨", []float64{1, 0.45, 0.5, 0.95}, 0},
		{"a low five", "٢٥٨", "٢٥٨", []float64{1, 0.6, 1}, 0},
		{"a five", "٢٥٨", "٢٥٨", []float64{1, 0.9, 1}, 0},
		{"neither", "٢٥٨", "٢٥٨", []float64{1, 0.545, 1}, 1},
		{"a zero beside a five", "٢٥٥٨", "٢٠٥٨", []float64{1, 0.58, 1, 1}, 0},
		{"two numbers", "٢٥ ٥٨", "٢٠ ٥٨", []float64{1, 0.5, 0.95, 1}, 0},
		{"the smaller number of a footnote", "٨٩ (٥)", "٨٩ (٥)", []float64{1, 1, 0.8, 0.45, 0.8}, 0},
		{"two pieces of one digit", "٢٥٨", "٢٥٨", []float64{1, 0.5, 0.5, 1}, 0},
		{"fives alone", "٥٥", "٥٥", []float64{0.45, 1}, 0},
	} {
		var symbols []text.Symbol
		var blobs []blob
		signs := []rune(c.read)
		for i, s := range signs {
			symbols = append(symbols, text.Symbol{
				Rune: s, Prob: 0.99, Start: float64(i) / float64(len(signs)), End: float64(i+1) / float64(len(signs)),
			})
		}
		x := 0.2
		for i, h := range c.heights {
			if signs[min(i, len(signs)-1)] == ' ' {
				x++
			}
			blobs = append(blobs, blob{left: x, right: x + 0.6, top: -h / 2, bottom: h / 2})
			x += float64(len(signs)) / float64(max(len(c.heights), len(signs)))
		}
		got, doubtful := "", 0
		for _, s := range zeros(symbols, blobs, float64(len(signs))) {
			got += string(s.Rune)
			if s.Prob < 0.9 {
				doubtful++
			}
		}
		if got != c.want || doubtful != c.doubtful {
			t.Errorf("%s: %s with %d doubtful, want %s with %d", c.name, got, doubtful, c.want, c.doubtful)
		}
	}
}
