package text

import (
	"math"
	"testing"

	"github.com/bawab/bawab/inference/ctc"
)

// numberOf is what a network with these labels sees column by column: of each column the signs it may be and how likely they are; what is
// left is the blank. A blank column stands between two of them.
func numberOf(labels string, columns ...map[rune]float64) *Number {
	r := &NumberReader{alphabet: []rune(labels), others: []rune{'.', ' '}}
	l := ctc.New(2*len(columns), 1+len(r.alphabet))
	for t, signs := range columns {
		p, left := l.Column(2*t), 1.0
		for i, s := range r.alphabet {
			p[1+i] = signs[s]
			left -= signs[s]
		}
		p[0] = left
		l.Column(2*t + 1)[0] = 1
	}
	n := new(Number)
	for f := range n.as {
		n.as[f] = r.formed(l, NumberForm(f), func(column float64) float64 { return column / float64(l.Columns) })
	}
	return n
}

// Property: an open circle is the five of an Arabic-Indic number and the zero of a Persian one, and which of them a number is its other
// signs tell: one form has all of them. Digits of Persian numbers come out by value, and no form has a digit of another.
func TestNumberIsOfOneForm(t *testing.T) {
	const labels = "0123456789٠١٢٣٤٥٦٧٨٩۰۴۵۶. "
	circle := map[rune]float64{'٥': 0.55, '۰': 0.4}
	for _, c := range []struct {
		name            string
		columns         []map[rune]float64
		indic, persian  string
		form            NumberForm
		leastDifference float64
	}{
		{"with a Persian four", []map[rune]float64{{'۴': 0.6, '٤': 0.01, '٣': 0.3}, circle, circle}, "٣٥٥", "٤٠٠", PersianNumber, 0.1},
		{"with an Arabic-Indic four", []map[rune]float64{{'٤': 0.9, '۴': 0.09}, {'.': 1}, circle}, "٤.٥", "٤.٠", IndicNumber, 1},
		{"with nothing to tell", []map[rune]float64{{'١': 1}, {'٧': 1}}, "١٧", "١٧", IndicNumber, 0},
	} {
		n := numberOf(labels, c.columns...)
		for f, want := range map[NumberForm]string{IndicNumber: c.indic, PersianNumber: c.persian} {
			signs, prob := n.As(f)
			got := ""
			for _, s := range signs {
				got += string(s.Rune)
			}
			if got != want || prob <= 0 || math.Abs(prob-n.Prob(f, got)) > 1e-9 {
				t.Errorf("%s, form %d: %q, want %q, by %v and %v", c.name, f, got, want, prob, n.Prob(f, got))
			}
		}
		other := PersianNumber + IndicNumber - c.form
		if n.LogForm(c.form) < n.LogForm(other)+c.leastDifference || n.LogForm(WesternNumber) > n.LogForm(c.form)-4 {
			t.Errorf("%s: the forms have %v, %v and %v", c.name, n.LogForm(IndicNumber), n.LogForm(PersianNumber), n.LogForm(WesternNumber))
		}
	}
	if n := numberOf(labels, circle); n.Prob(IndicNumber, "0") != 0 {
		t.Error("a Western digit is one of an Arabic-Indic number")
	}
}
