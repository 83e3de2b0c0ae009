package egypt

import (
	"math"

	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/text"
)

// spelled are digits as the reader of words read them.
type spelled struct {
	text   string
	digits []byte
	probs  []float64
	all    float64 // the probability of all of them
}

// spelledOf makes digits of a reading of words; false where it is none of a number alone.
func spelledOf(r *text.Reading) (s spelled, ok bool) {
	s.all = r.Confidence()
	for _, x := range r.Symbols() {
		sign := egypt.FoldDigits(string(x.Rune))
		switch {
		case len(sign) == 1 && sign[0] >= '0' && sign[0] <= '9':
			s.text, s.digits, s.probs = s.text+sign, append(s.digits, sign[0]-'0'), append(s.probs, x.Prob)
		case sign == "/" || sign == "-":
			s.text += sign
		case sign != " " && sign != ".":
			return spelled{}, false
		}
	}
	return s, len(s.digits) > 0
}

// Text implements egypt.Digits.
func (s spelled) Text() string { return s.text }

// LogLength implements egypt.Digits: the number of digits is that which was read or, hardly, another.
func (s spelled) LogLength(n int) float64 {
	const least, other = 0.05, 0.01
	if n == len(s.digits) {
		return math.Log(max(s.all, least))
	}
	return math.Log(max(1-s.all, 1e-6) * other)
}

// Cells implements egypt.Digits: each digit has its probability, and the others share the rest. Of another number of digits nothing is
// known.
func (s spelled) Cells(n int) []egypt.Cell {
	const least, most = 0.1, 0.9999
	cells := make([]egypt.Cell, n)
	if n != len(s.digits) {
		return cells
	}
	for i, d := range s.digits {
		p := min(max(s.probs[i], least), most)
		for k := range cells[i] {
			cells[i][k] = math.Log((1 - p) / 9)
		}
		cells[i][d] = math.Log(p)
	}
	return cells
}

// number is the number of one length that was read, where it has that.
func (s spelled) number(lengths ...int) field.Value {
	for _, n := range lengths {
		if len(s.digits) != n {
			continue
		}
		v := field.Value{Raw: s.text, Share: s.all}
		for _, d := range s.digits {
			v.Text += string('0' + rune(d))
		}
		return v
	}
	return field.Value{}
}
