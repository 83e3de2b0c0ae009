package text

import (
	"math"
	"slices"
	"strings"
)

// MeanCells is the mean of several looks at the same digits, at least one: the log-probability of each of 0 to 9 at each position,
// brought to a sum of one. It overwrites the first look.
func MeanCells[C ~[10]float64](looks [][]C) []C {
	out := looks[0]
	for _, look := range looks[1:] {
		for i, c := range look {
			for v := range c {
				out[i][v] += c[v]
			}
		}
	}
	for i := range out {
		sum := 0.0
		for v := range out[i] {
			out[i][v] /= float64(len(looks))
			sum += math.Exp(out[i][v])
		}
		for v := range out[i] {
			out[i][v] -= math.Log(sum)
		}
	}
	return out
}

// Likeliest is the log-probability of the likeliest digits of one of several lengths, and that length. logLength is that of the
// length alone, cells are those of the digits if they are so many.
func Likeliest[C ~[10]float64](lengths []int, logLength func(n int) float64, cells func(n int) []C) (best float64, n int) {
	best = math.Inf(-1)
	for _, length := range lengths {
		sum := logLength(length)
		if sum <= best {
			continue
		}
		for _, c := range cells(length) {
			sum += greatest(c)
		}
		if sum > best {
			best, n = sum, length
		}
	}
	return best, n
}

func greatest[C ~[10]float64](c C) float64 {
	values := [10]float64(c)
	return slices.Max(values[:])
}

// WordsOf parts a line where words end: at blanks, dashes, brackets, stops and strokes.
func WordsOf(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" -–()،.,:/", r) })
}
