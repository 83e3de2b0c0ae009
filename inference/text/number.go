package text

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/ctc"
	"github.com/bawab/bawab/inference/vision"
)

// numberStrip is the strip of the "numbers" network (bawab_training.photograph.number_lines).
func numberStrip() strip {
	return strip{width: 320, height: 40, glyphs: 22, centre: 19, margin: 12, overlap: 96}
}

// NumberForm is the form of the digits of a number, which is wholly in one.
type NumberForm int

// The forms of digits.
const (
	IndicNumber NumberForm = iota
	PersianNumber
	WesternNumber
	numberForms
)

// numberDigits are the digits of the forms by value, as the network tells them: a Persian zero may be a dot or an open circle, which comes
// behind the ten, and shares seven of its signs with the Arabic-Indic ones.
var numberDigits = [numberForms][]rune{
	IndicNumber: []rune("٠١٢٣٤٥٦٧٨٩"), PersianNumber: []rune("٠١٢٣۴۵۶٧٨٩۰"), WesternNumber: []rune("0123456789"),
}

// foreignDigit is what the probability of a digit of another form counts for: networks are sure of what they have never seen, too.
const foreignDigit = 1e-4

// NumberReader reads numbers of general text. It is safe for concurrent use.
type NumberReader struct {
	cutter   *cutter
	alphabet []rune
	others   []rune // its signs that are no digits
}

// NewNumberReader makes a reader over the "numbers" network: int8 1 x 40 x 320 x 1 in, int8 1 x 1 x 80 x C logits out, or narrower, where
// labels names the C - 1 signs after the blank in the order of their classes.
func NewNumberReader(net *inference.Network, labels string) (*NumberReader, error) {
	r := &NumberReader{alphabet: []rune(labels)}
	shape := net.Output().Shape
	if classes := shape[len(shape)-1]; classes != 1+len(r.alphabet) {
		return nil, fmt.Errorf("make number reader: model %s has %d classes, its labels name %d with the blank",
			net.Name(), classes, 1+len(r.alphabet))
	}
	known := slices.Concat(numberDigits[:]...)
	r.others = slices.DeleteFunc(slices.Clone(r.alphabet), func(s rune) bool { return slices.Contains(known, s) })
	r.cutter = newCutter(net, numberStrip())
	return r, nil
}

// ReadIn reads the line l, which holds a number and nothing else between its ends; h maps it to the plane.
func (r *NumberReader) ReadIn(ctx context.Context, p vision.Plane, h vision.Homography, l Line) (*Number, error) {
	lattice, share, err := r.cutter.read(ctx, p, h, l)
	if err != nil {
		return nil, fmt.Errorf("read number: %w", err)
	}
	n := new(Number)
	for f := range n.as {
		n.as[f] = r.formed(lattice, NumberForm(f), share)
	}
	return n, nil
}

// Number is a number that was read, as it is in each form. It is immutable.
type Number struct{ as [numberForms]formedNumber }

// formedNumber is a number in one form. Classes of its lattice are the digits by value and the other signs; its columns are normalised.
type formedNumber struct {
	lattice *ctc.Lattice
	signs   []rune // of the classes after the blank
	log     float64
	symbols []Symbol
	prob    float64
	share   func(column float64) float64
}

// formed reads a lattice in one form.
func (r *NumberReader) formed(l *ctc.Lattice, f NumberForm, share func(column float64) float64) (out formedNumber) {
	digits := numberDigits[f]
	out.signs = slices.Concat(digitsOfForm(f), r.others)
	to, weight := make([]int, l.Classes), make([]float64, l.Classes)
	weight[0] = 1
	for i, s := range r.alphabet {
		to[1+i], weight[1+i] = 0, 0
		if value := slices.Index(digits, s); value >= 0 {
			to[1+i], weight[1+i] = 1+value%10, 1
		} else if at := slices.Index(r.others, s); at >= 0 {
			to[1+i], weight[1+i] = 11+at, 1
		} else if value := valueOfDigit(s); value >= 0 {
			to[1+i], weight[1+i] = 1+value, foreignDigit
		}
	}
	out.lattice = ctc.New(l.Columns, 1+len(out.signs))
	for t := range l.Columns {
		q, sum := out.lattice.Column(t), 0.0
		for c, p := range l.Column(t) {
			q[to[c]] += p * weight[c]
			sum += p * weight[c]
		}
		out.log += ctc.Log(sum)
		for c := range q {
			q[c] /= max(sum, math.SmallestNonzeroFloat64)
		}
	}
	out.share = share
	runs := out.lattice.BestPath()
	out.symbols = symbols(runs, out.signs, share, symbolReach)
	if len(runs) > 0 {
		out.prob = min(1, math.Exp(out.lattice.Score(ctc.ClassesOf(runs))))
	}
	return out
}

// digitsOfForm are the signs that the digits of a form are read as: other networks tell no Persian ones.
func digitsOfForm(f NumberForm) []rune {
	if f == WesternNumber {
		return numberDigits[WesternNumber]
	}
	return numberDigits[IndicNumber]
}

// valueOfDigit is the value of a digit of any form, -1 for other signs.
func valueOfDigit(s rune) int {
	for _, digits := range numberDigits {
		if at := slices.Index(digits, s); at >= 0 {
			return at % 10
		}
	}
	return -1
}

// LogForm is the natural logarithm of the probability that the number is in a form, whatever it says, beside those of the other forms.
func (n *Number) LogForm(f NumberForm) float64 { return n.as[f].log }

// As returns the likeliest signs of the number in a form, from left to right, and their probability as a whole, given that it is.
func (n *Number) As(f NumberForm) ([]Symbol, float64) { return n.as[f].symbols, n.as[f].prob }

// Prob is the probability that a number in a form has these signs, from left to right; 0 where it cannot.
func (n *Number) Prob(f NumberForm, signs string) float64 {
	classes, ok := classesFor([]rune(strings.NewReplacer("٫", ",", "٬", "،", "٪", "%").Replace(signs)), n.as[f].signs)
	if !ok {
		return 0
	}
	return min(1, math.Exp(n.as[f].lattice.Score(classes)))
}

// persian is the number in Persian digits, as a line of digits.
func (n *Number) persian() *Digits {
	as := n.as[PersianNumber]
	return newDigits(as.lattice.Merge(1+len(digitSigns), func(class int) int {
		if class <= digitKinds {
			return class
		}
		return 1 + strings.IndexRune(digitSigns, as.signs[class-1])
	}), as.share)
}
