package text

import (
	"math"
	"math/rand/v2"
	"testing"
)

// On random small lines, the sums over a form and its the share of the text chosen are those of trying every text of it.
func TestFormedAgreesWithEveryText(t *testing.T) {
	alphabet := []rune("Aa1١|x ")
	form := Form{"AI", "A1", "1"}
	rng := rand.New(rand.NewPCG(4, 2))
	for range 200 {
		l := newLattice(7, 1+len(alphabet))
		for c := range l.columns {
			sum := 0.0
			for i := range l.column(c) {
				l.column(c)[i] = math.Pow(rng.Float64(), 4)
				sum += l.column(c)[i]
			}
			for i := range l.column(c) {
				l.column(c)[i] /= sum
			}
		}
		r := &Reading{lattice: l, alphabet: alphabet}
		got := r.Formed(form)
		total, share := 0.0, 0.0
		merged := l.merge(alphabet, []rune("AI1"))
		for _, text := range []string{"AA1", "A11", "IA1", "I11"} {
			classes, _ := classesFor([]rune(text), []rune("AI1"))
			p := math.Exp(merged.score(classes))
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
	l := newLattice(1, 2)
	copy(l.p, []float64{0.5, 0.5})
	if got := (&Reading{lattice: l, alphabet: []rune("A")}).Formed(Form{"A", "A"}); got.Text != "" || got.Share != 0 || got.Fits != 0 {
		t.Errorf("%+v", got)
	}
}
