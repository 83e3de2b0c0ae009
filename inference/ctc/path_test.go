package ctc

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// random returns a lattice of random columns.
func random(rng *rand.Rand, columns, classes int) *Lattice {
	l := New(columns, classes)
	for t := range columns {
		sum := 0.0
		for c := range classes {
			l.Column(t)[c] = rng.ExpFloat64()
			sum += l.Column(t)[c]
		}
		for c := range classes {
			l.Column(t)[c] /= sum
		}
	}
	return l
}

// enumerate calls visit with every path through a lattice, what it spells and its probability.
func enumerate(l *Lattice, visit func(spelt []int, p float64)) {
	path := make([]int, l.Columns)
	for {
		p := 1.0
		var spelt []int
		for t, c := range path {
			p *= l.Column(t)[c]
			if c != 0 && (t == 0 || path[t-1] != c) {
				spelt = append(spelt, c)
			}
		}
		visit(spelt, p)
		t := 0
		for ; t < len(path); t++ {
			if path[t]++; path[t] < l.Classes {
				break
			}
			path[t] = 0
		}
		if t == len(path) {
			return
		}
	}
}

// Property: a score is the logarithm of the exact sum over all paths that spell the classes.
func TestScoreAgreesWithEnumeration(t *testing.T) {
	l := random(rand.New(rand.NewPCG(1, 1)), 6, 4)
	for _, spelling := range [][]int{{}, {1}, {2, 2}, {1, 2, 3}, {3, 3, 1}, {1, 2, 1, 2, 1, 2}, {1, 1, 1, 1}} {
		want := 0.0
		enumerate(l, func(spelt []int, p float64) {
			if slices.Equal(spelt, spelling) {
				want += p
			}
		})
		if got := math.Exp(l.Score(spelling)); math.Abs(got-want) > 1e-12 {
			t.Errorf("%v: %v, want %v", spelling, got, want)
		}
	}
}

// Property: lengths and cells of a number are the exact sums over all paths, whatever separators stand between its
// digits.
func TestDigitsAgreeWithEnumeration(t *testing.T) {
	const digits = 3
	for seed := range uint64(3) {
		l := random(rand.New(rand.NewPCG(seed, 2)), 6, 1+digits+2)
		var lengths [7]float64
		var cells [3][3][digits]float64
		enumerate(l, func(spelt []int, p float64) {
			spelt = slices.DeleteFunc(slices.Clone(spelt), func(c int) bool { return c > digits })
			lengths[len(spelt)] += p
			if n := len(spelt); n > 0 && n <= 3 {
				for i, c := range spelt {
					cells[n-1][i][c-1] += p
				}
			}
		})
		folded := l.Fold(1 + digits)
		for n, got := range folded.LogLengths(6) {
			if math.Abs(math.Exp(got)-lengths[n]) > 1e-12 {
				t.Errorf("%d digits: %v, want %v", n, math.Exp(got), lengths[n])
			}
		}
		for n := 1; n <= 3; n++ {
			folded.Marginals(n, func(i, s int, p float64) {
				if want := cells[n-1][i][s] / lengths[n]; math.Abs(p-want) > 1e-9 {
					t.Errorf("%d digits, position %d, digit %d: %v, want %v", n, i, s, p, want)
				}
			})
		}
	}
}
