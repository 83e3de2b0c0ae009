package text

import (
	"math"
	"testing"

	"github.com/bawab/bawab/inference/ctc"
)

// shown is a reading of signs that stand two columns apart, each with a rival that is a fifth as likely.
func shown(signs, rivals string) *Reading {
	alphabet := []rune("abcdef ")
	class := func(r rune) int {
		for i, a := range alphabet {
			if a == r {
				return 1 + i
			}
		}
		return 0
	}
	l := ctc.New(2*len(signs)+1, 1+len(alphabet))
	for t := range l.Columns {
		l.Column(t)[0] = 1
	}
	for i := range signs {
		c := l.Column(2*i + 1)
		c[0] = 0.04
		c[class(rune(signs[i]))] = 0.8
		c[class(rune(rivals[i]))] = 0.16
	}
	return newReading(l, alphabet, func(column float64) float64 { return (column - 0.5) / float64(l.Columns-1) })
}

// Property: what a sign may be besides what it was read as has the weight that the network gives it there, and no other place bears on it.
func TestSignWeights(t *testing.T) {
	r := shown("abca", "deff")
	for _, test := range []struct {
		at   int
		sign rune
		want float64
	}{{0, 'a', 0.8}, {0, 'd', 0.16}, {1, 'e', 0.16}, {2, 'e', 0}, {3, 'a', 0.8}, {0, 'x', 0}} {
		if got := r.SignWeights(test.sign)[test.at]; math.Abs(got-test.want) > 1e-9 {
			t.Errorf("sign %d as %q weighs %v, want %v", test.at, test.sign, got, test.want)
		}
	}
}

// Property: a part of a reading says what stands there, as surely as the network read it, and a part of a part is that part of the whole.
func TestPart(t *testing.T) {
	r := shown("ab cd", "de fa")
	s := r.Symbols()
	half := r.Part(0, (s[1].End+s[2].Start)/2)
	if half.Text() != "ab" || math.Abs(half.Score("ab")-2*math.Log(0.8)) > 1e-9 {
		t.Errorf("the first half says %q with %v", half.Text(), half.Score("ab"))
	}
	rest := r.Part((s[2].Start+s[2].End)/2, 1)
	if rest.Text() != "cd" {
		t.Errorf("the second half says %q", rest.Text())
	}
	p := rest.Symbols()
	if last := rest.Part((p[0].End+p[1].Start)/2, 1); last.Text() != "d" {
		t.Errorf("the end of the end says %q", last.Text())
	}
	if none := r.Part(0.5, 0.5); none.Text() != "" {
		t.Errorf("an empty part says %q", none.Text())
	}
	if whole := r.Part(0, 1); whole.Text() != r.Text() {
		t.Errorf("the whole says %q", whole.Text())
	}
}

// Property: the outer parts of a reading hold what it shows beyond the ends of its line, since that may end within a letter; inner ends
// hold nothing from beyond them.
func TestPartBeyondTheEnds(t *testing.T) {
	r := shown("abcd", "deff")
	r = newReading(r.lattice, r.alphabet, func(column float64) float64 { return (column - 2.5) / 4 }) // a and d stand beyond
	for _, test := range []struct {
		from, to float64
		want     string
	}{{0, 1, "abcd"}, {0, 0.5, "ab"}, {0.5, 1, "cd"}, {0.01, 0.99, "bc"}} {
		if got := r.Part(test.from, test.to).Text(); got != test.want {
			t.Errorf("from %v to %v stands %q, want %q", test.from, test.to, got, test.want)
		}
	}
}

// Property: a line is cut where its script changes for the first time, of three values in turn as well, if each stretch has three letters:
// a misread letter is no change.
func TestScriptChange(t *testing.T) {
	for line, want := range map[string]int{
		"مصري EGYPTIAN": 5, "EGYPTIAN مصري": 9, "خطيب EGYPTIAN مصري": 5, "مصري": 0, "مصري EG": 0, "مصAري": 0, "خطيب EG مصري": 0,
		"12 مصري 34": 0, "مصري ١٢ EGYPTIAN": 8, "": 0,
	} {
		var symbols []Symbol
		for _, r := range line {
			symbols = append(symbols, Symbol{Rune: r})
		}
		if got := ScriptChange(symbols); got != want {
			t.Errorf("%q: %d, want %d", line, got, want)
		}
	}
}
