package text

import (
	"math"
	"slices"
	"testing"

	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/ctc"
)

// Property: the Digits of a line say what is printed, how long it is, and where each sign stands.
func TestDigits(t *testing.T) {
	l := ctc.New(128, 13)
	for t := range l.Columns {
		for c := range l.Classes {
			l.Column(t)[c] = 1e-5
		}
		l.Column(t)[0] = 1 - 12e-5
	}
	for i, class := range []int{3, 1, 3, 1, 11, 2, 1, 11, 1, 6} { // 2020/10/05
		column := l.Column(10 + 6*i)
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
	l := ctc.New(60, 1+len(alphabet))
	printed := []rune("12  دمحم")
	for t := range l.Columns {
		for c := range l.Column(t) {
			l.Column(t)[c] = 0.01
		}
		l.Column(t)[0] = 0.93
		if i := t / 6; t%6 == 3 && i < len(printed) {
			class := 1 + slices.Index(alphabet, printed[i])
			l.Column(t)[0], l.Column(t)[class] = 0.01, 0.93
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
	empty := newReading(ctc.New(60, 3), alphabet, func(float64) float64 { return 0 })
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
		l, exp := ctc.New(columns, classes), ctc.Exponentials(inference.Tensor{Scale: float32(scale)/64 + 0.01})
		row := make([]int8, classes)
		for at := range columns {
			for c := range row {
				row[c] = int8(logits[at*classes+c])
			}
			ctc.Softmax(row, exp, l.Column(at))
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

// Property: a sign of which the network has no class is as likely as what is read for it, by their share; one for which nothing is read
// cannot be printed.
func TestScoreOfUnknownSigns(t *testing.T) {
	alphabet := []rune(" ابx%")
	l := ctc.New(3, 1+len(alphabet))
	for column, sign := range []rune{'ب', 'x', 'ا'} { // from the left
		l.Column(column)[1+slices.Index(alphabet, sign)] = 1
	}
	r := newReading(l, alphabet, func(column float64) float64 { return column / 3 })
	for text, want := range map[string]float64{"اxب": 1, "ا×ب": 1 / float64(len([]rune(standIns('×')))), "ا☂ب": 0, "×اب": 0} {
		if got := math.Exp(r.Score(text)); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}
