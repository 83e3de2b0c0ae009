package text

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bawab/bawab/inference"
)

// random returns a lattice of random columns.
func random(rng *rand.Rand, columns, classes int) *lattice {
	l := newLattice(columns, classes)
	for t := range columns {
		sum := 0.0
		for c := range classes {
			l.column(t)[c] = rng.ExpFloat64()
			sum += l.column(t)[c]
		}
		for c := range classes {
			l.column(t)[c] /= sum
		}
	}
	return l
}

// enumerate calls visit with every path through a lattice, what it spells and its probability.
func enumerate(l *lattice, visit func(spelt []int, p float64)) {
	path := make([]int, l.columns)
	for {
		p := 1.0
		var spelt []int
		for t, c := range path {
			p *= l.column(t)[c]
			if c != 0 && (t == 0 || path[t-1] != c) {
				spelt = append(spelt, c)
			}
		}
		visit(spelt, p)
		t := 0
		for ; t < len(path); t++ {
			if path[t]++; path[t] < l.classes {
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
		if got := math.Exp(l.score(spelling)); math.Abs(got-want) > 1e-12 {
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
		folded := l.fold(1 + digits)
		for n, got := range folded.logLengths(6) {
			if math.Abs(math.Exp(got)-lengths[n]) > 1e-12 {
				t.Errorf("%d digits: %v, want %v", n, math.Exp(got), lengths[n])
			}
		}
		for n := 1; n <= 3; n++ {
			folded.marginals(n, func(i, s int, p float64) {
				if want := cells[n-1][i][s] / lengths[n]; math.Abs(p-want) > 1e-9 {
					t.Errorf("%d digits, position %d, digit %d: %v, want %v", n, i, s, p, want)
				}
			})
		}
	}
}

// Property: the Digits of a line say what is printed, how long it is, and where each sign stands.
func TestDigits(t *testing.T) {
	l := newLattice(128, 13)
	for t := range l.columns {
		for c := range l.classes {
			l.column(t)[c] = 1e-5
		}
		l.column(t)[0] = 1 - 12e-5
	}
	for i, class := range []int{3, 1, 3, 1, 11, 2, 1, 11, 1, 6} { // 2020/10/05
		column := l.column(10 + 6*i)
		column[0], column[class] = 0.1, 0.9
	}
	d := newDigits(l, func(column float64) float64 { return column / 128 })
	if d.Text() != "2020/10/05" {
		t.Fatalf("read %q", d.Text())
	}
	if d.LogLength(8) < -1.5 || d.LogLength(7) > d.LogLength(8) || !math.IsInf(d.LogLength(-1), -1) || !math.IsInf(d.LogLength(33), -1) {
		t.Errorf("length 7 %v, 8 %v", d.LogLength(7), d.LogLength(8))
	}
	for i, c := range d.Cells(8) {
		if want := int("20201005"[i] - '0'); c[want] < -0.3 {
			t.Errorf("position %d: %v", i, c)
		}
	}
	for i, s := range d.Symbols() {
		if centre := (10.5 + 6*float64(i)) / 128; s.Start > centre || s.End < centre || s.End-s.Start > 6.1/128 {
			t.Errorf("sign %d lies at %v to %v, printed at %v", i, s.Start, s.End, centre)
		}
	}
	if cells := d.Cells(32); len(cells) != 32 {
		t.Errorf("%d cells", len(cells))
	}
}

// Property: a Reading turns visual order into logical order, drops double spaces, and scores what it reads higher than
// anything else.
func TestReading(t *testing.T) {
	alphabet := []rune(" 12محدش")
	l := newLattice(60, 1+len(alphabet))
	printed := []rune("12  دمحم")
	for t := range l.columns {
		for c := range l.column(t) {
			l.column(t)[c] = 0.01
		}
		l.column(t)[0] = 0.93
		if i := t / 6; t%6 == 3 && i < len(printed) {
			class := 1 + slices.Index(alphabet, printed[i])
			l.column(t)[0], l.column(t)[class] = 0.01, 0.93
		}
	}
	r := newReading(l, alphabet, func(column float64) float64 { return column / 60 })
	if r.Text() != "محمد 12" {
		t.Fatalf("read %q", r.Text())
	}
	if got := len(r.Symbols()); got != len(printed) || r.Symbols()[4].Rune != 'د' {
		t.Errorf("%d signs, %v", got, r.Symbols())
	}
	if c := r.Confidence(); c < 0.01 || c > 0.6 {
		t.Errorf("confidence %v", c)
	}
	right := r.Score("محمد  12")
	for _, other := range []string{"محمد 12", "محمد  11", "حمد  12", "محمدد  12", "", "شمحمد  12"} {
		if s := r.Score(other); s >= right {
			t.Errorf("%q scores %v, what is printed %v", other, s, right)
		}
	}
	if s := r.Score("مُحَمَّـد  12"); s != right {
		t.Errorf("with diacritics the score is %v, not %v", s, right)
	}
	if s := r.Score("محمد x"); !math.IsInf(s, -1) {
		t.Errorf("an unknown sign scores %v", s)
	}
	empty := newReading(blank().fold(3), alphabet, func(float64) float64 { return 0 })
	if empty.Text() != "" || empty.Confidence() != 0 {
		t.Errorf("nothing is read as %q with %v", empty.Text(), empty.Confidence())
	}
}

// Property: whatever logits a network gives, every derived value is a number: no NaN, no probability above 1.
func FuzzLattice(f *testing.F) {
	f.Add([]byte{1, 2, 3, 250, 128, 0, 7, 7, 7, 7, 7, 7, 9}, byte(3))
	f.Fuzz(func(t *testing.T, logits []byte, scale byte) {
		const classes = 13
		columns := len(logits) / classes
		if columns == 0 || columns > 40 {
			return
		}
		l, exp := newLattice(columns, classes), exponentials(inference.Tensor{Scale: float32(scale)/64 + 0.01})
		row := make([]int8, classes)
		for at := range columns {
			for c := range row {
				row[c] = int8(logits[at*classes+c])
			}
			softmax(row, exp, l.column(at))
		}
		d := newDigits(l, func(column float64) float64 { return column })
		total := 0.0
		for n := 1; n <= longestDigits; n++ {
			total += math.Exp(d.LogLength(n))
			for _, cell := range d.Cells(n) {
				sum := 0.0
				for _, p := range cell {
					sum += math.Exp(p)
				}
				if !(math.Abs(sum-1) < 1e-6) {
					t.Fatalf("%d digits: a cell sums to %v", n, sum)
				}
			}
		}
		if total += math.Exp(d.LogLength(0)); !(total < 1+1e-6) {
			t.Fatalf("the lengths sum to %v", total)
		}
		r := newReading(l, []rune("0123456789اب"), func(column float64) float64 { return column })
		if c := r.Confidence(); !(c >= 0 && c <= 1) {
			t.Fatalf("confidence %v", c)
		}
	})
}
