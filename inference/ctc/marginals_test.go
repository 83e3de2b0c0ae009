package ctc

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// Property: the marginals are the exact sums over all CTC paths of the asked length; a brute-force enumeration of
// short lattices agrees with the recursion.
func TestMarginalsAgreeWithEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, width := range []int{1, 2, 3} {
		// Only five columns carry a choice, among the blank and three symbols; all later ones are certainly blank.
		l := blank()
		const free, kinds = 5, 4
		for c := range l.Columns {
			if c >= free {
				l.Column(c)[0] = 1
				continue
			}
			sum := 0.0
			for s := range kinds {
				l.Column(c)[s] = rng.Float64()
				sum += l.Column(c)[s]
			}
			for s := range kinds {
				l.Column(c)[s] /= sum
			}
		}
		var want [3][kinds]float64
		total := 0.0
		for code := range int(math.Pow(kinds, free)) {
			var path [free]int
			p, rest := 1.0, code
			for c := range free {
				path[c], rest = rest%kinds, rest/kinds
				p *= l.Column(c)[path[c]]
			}
			var read []int
			last := 0
			for _, s := range path {
				if s != 0 && s != last {
					read = append(read, s)
				}
				last = s
			}
			if len(read) != width {
				continue
			}
			total += p
			for i, s := range read {
				want[i][s] += p
			}
		}
		l.Marginals(width, func(i, s int, got float64) {
			if s+1 >= kinds {
				return
			}
			if exact := want[i][s+1] / total; math.Abs(got-exact) > 1e-6 {
				t.Errorf("width %d position %d symbol %d: %v, want %v", width, i, s, got, exact)
			}
		})
	}
}

func BenchmarkMarginals44(b *testing.B) {
	l := peaked("P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<")
	var cells [44][len(zoneSymbols)]float32
	b.ReportAllocs()
	for b.Loop() {
		l.Marginals(44, func(i, s int, p float64) { cells[i][s] = float32(Log(p)) })
	}
}

// peaked returns the lattice of a network that is almost sure of a text: four columns a character, the symbol in
// the second of them.
func peaked(text string) *Lattice {
	l := blank()
	for c := range l.Columns {
		for s := range l.Classes {
			l.Column(c)[s] = 1e-4
		}
		best := 0
		if i := (c - 8) / 4; c >= 8 && c%4 == 1 && i < len(text) {
			best = 1 + symbolOf(text[i])
		}
		l.Column(c)[best] = 1 - 1e-4*float64(l.Classes-1)
	}
	return l
}

// Property: a line that cannot hold so many characters says nothing about any of them.
func TestMarginalsWithoutPath(t *testing.T) {
	l := blank()
	for c := range l.Columns {
		l.Column(c)[0] = 1 // nothing but blanks
	}
	l.Marginals(44, func(i, s int, p float64) {
		if math.Abs(math.Log(p)+math.Log(37)) > 1e-5 {
			t.Fatalf("position %d symbol %d: %v, want that of 1 in 37", i, s, p)
		}
	})
	// The buffer that it leaves behind must not spoil the next line.
	peaked("AB<12").Marginals(5, func(i, s int, p float64) {
		if s == symbolOf("AB<12"[i]) && math.Log(p) < -0.1 {
			t.Errorf("position %d of AB<12 holds what is printed with %v", i, p)
		}
	})
}

// blank returns a lattice of a zone's size without probabilities.
func blank() *Lattice { return New(192, 1+len(zoneSymbols)) }

const zoneSymbols = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<"

func symbolOf(sign byte) int { return strings.IndexByte(zoneSymbols, sign) }
