package text

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bawab/bawab/appliance/mrz"
)

// Property: the marginals are the exact sums over all CTC paths of the asked length; a brute-force enumeration of
// short lattices agrees with the recursion.
func TestMarginalsAgreeWithEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, width := range []int{1, 2, 3} {
		// Only five columns carry a choice, among the blank and three symbols; all later ones are certainly blank.
		l := blank()
		const free, kinds = 5, 4
		for c := range l.columns {
			if c >= free {
				l.column(c)[0] = 1
				continue
			}
			sum := 0.0
			for s := range kinds {
				l.column(c)[s] = rng.Float64()
				sum += l.column(c)[s]
			}
			for s := range kinds {
				l.column(c)[s] /= sum
			}
		}
		var want [3][kinds]float64
		total := 0.0
		for code := range int(math.Pow(kinds, free)) {
			var path [free]int
			p, rest := 1.0, code
			for c := range free {
				path[c], rest = rest%kinds, rest/kinds
				p *= l.column(c)[path[c]]
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
		cells := l.Marginals(width)
		for i := range width {
			for s := 1; s < kinds; s++ {
				got, exact := math.Exp(float64(cells[i][s-1])), want[i][s]/total
				if math.Abs(got-exact) > 1e-6 {
					t.Errorf("width %d position %d symbol %c: %v, want %v", width, i, mrz.Alphabet[s-1], got, exact)
				}
			}
		}
	}
}

func BenchmarkMarginals44(b *testing.B) {
	l := peaked("P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<")
	b.ReportAllocs()
	for b.Loop() {
		l.Marginals(44)
	}
}

// peaked returns the lattice of a network that is almost sure of a text: four columns a character, the symbol in
// the second of them.
func peaked(text string) *Lattice {
	l := blank()
	for c := range l.columns {
		for s := range l.classes {
			l.column(c)[s] = 1e-4
		}
		best := 0
		if i := (c - 8) / 4; c >= 8 && c%4 == 1 && i < len(text) {
			for s := range mrz.Alphabet {
				if mrz.Alphabet[s] == text[i] {
					best = s + 1
				}
			}
		}
		l.column(c)[best] = 1 - 1e-4*float64(l.classes-1)
	}
	return l
}

// Property: a line that cannot hold so many characters says nothing about any of them.
func TestMarginalsWithoutPath(t *testing.T) {
	l := blank()
	for c := range l.columns {
		l.column(c)[0] = 1 // nothing but blanks
	}
	cells := l.Marginals(44)
	for i, cell := range cells {
		for s, p := range cell {
			if math.Abs(float64(p)+math.Log(37)) > 1e-5 {
				t.Fatalf("position %d symbol %d: %v, want that of 1 in 37", i, s, p)
			}
		}
	}
	// The buffer that it leaves behind must not spoil the next line.
	for i, cell := range peaked("AB<12").Marginals(5) {
		if want := mrz.Index("AB<12"[i]); cell[want] < -0.1 {
			t.Errorf("position %d of AB<12 holds what is printed with %v", i, cell[want])
		}
	}
}

// blank returns a lattice of a zone's size without probabilities.
func blank() *Lattice { return &Lattice{*newLattice(zoneColumns, zoneClasses)} }
