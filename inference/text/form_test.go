package text

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/ctc"
)

// On random small lines, the sums over a form and its the share of the text chosen are those of trying every text of it.
func TestFormedAgreesWithEveryText(t *testing.T) {
	alphabet := []rune("Aa1١|x ")
	form := egypt.Form{"AI", "A1", "1"}
	rng := rand.New(rand.NewPCG(4, 2))
	for range 200 {
		l := ctc.New(7, 1+len(alphabet))
		for c := range l.Columns {
			sum := 0.0
			for i := range l.Column(c) {
				l.Column(c)[i] = math.Pow(rng.Float64(), 4)
				sum += l.Column(c)[i]
			}
			for i := range l.Column(c) {
				l.Column(c)[i] /= sum
			}
		}
		r := &Reading{lattice: l, alphabet: alphabet}
		got := r.Formed(form)
		total, share := 0.0, 0.0
		merged := merged(l, alphabet, 4, func(s rune) int { return 1 + strings.IndexRune("AI1", plainSign(s)) })
		for _, text := range []string{"AA1", "A11", "IA1", "I11"} {
			classes, _ := classesFor([]rune(text), []rune("AI1"))
			p := math.Exp(merged.Score(classes))
			total += p
			if text == got.Text {
				share = p
			}
		}
		if math.Abs(got.Fits-total) > 1e-9 || math.Abs(got.Share-share/total) > 1e-9 {
			t.Fatalf("%+v, want fits %v, share %v", got, total, share/total)
		}
	}
}

// A line with less room than the form needs has no text of it.
func TestFormedWithoutRoom(t *testing.T) {
	l := ctc.New(1, 2)
	copy(l.Column(0), []float64{0.5, 0.5})
	if got := (&Reading{lattice: l, alphabet: []rune("A")}).Formed(egypt.Form{"A", "A"}); got.Text != "" || got.Share != 0 || got.Fits != 0 {
		t.Errorf("%+v", got)
	}
}

// Property: a number's gaps, small letters and kinds of digits count for nothing, what is no sign of a number does.
func TestScoreSerial(t *testing.T) {
	alphabet := []rune("AaB1١ س")
	shows := func(line string) func(string) float64 {
		signs := []rune(line)
		l := ctc.New(2*len(signs)+1, 1+len(alphabet))
		for t := range l.Columns {
			l.Column(t)[0] = 1
		}
		for i, s := range signs {
			column := l.Column(2*i + 1)
			column[0], column[1+slices.Index(alphabet, s)] = 0.1, 0.9
		}
		return (&Reading{lattice: l, alphabet: alphabet}).ScoreSerial()
	}
	for line, want := range map[string]float64{"AB1": 3, "aB١": 3, "A B 1": 3, "AB1س": math.NaN()} {
		got := shows(line)("AB1") / math.Log(0.9)
		if math.IsNaN(want) && got < 10 || math.Abs(got-want) > 1e-9 {
			t.Errorf("%q: %v signs of 0.9, want %v", line, got, want)
		}
	}
	if got := shows("AB1")("ABس"); !math.IsInf(got, -1) {
		t.Errorf("a sign of no number: %v", got)
	}
}
