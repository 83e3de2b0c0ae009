package text

import (
	"context"
	"fmt"
	"math"

	"github.com/bawab/bawab/appliance/egypt/number"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/ctc"
	"github.com/bawab/bawab/inference/vision"
)

// digitSigns are the signs of the "digits" network in the order of its classes. Arabic-Indic and Western digits are
// one by value; the signs after the ten digits separate the parts of dates.
const digitSigns = "0123456789/-"

const (
	digitKinds    = 10
	longestDigits = 32 // what a number may have at most
)

// DigitReader reads lines of digits: national numbers and dates. It is safe for concurrent use.
type DigitReader struct {
	cutter  *cutter
	numbers *NumberReader // tells Persian digits, which the network does not know; nil where none does
}

// NewDigitReader makes a reader over the "digits" network: int8 1 x 32 x 512 x 1 in, int8 1 x 128 x 13 logits out.
func NewDigitReader(net *inference.Network) *DigitReader {
	return &DigitReader{cutter: newCutter(net, digitStrip())}
}

// WithPersian is the reader as one that asks the network of numbers where it is in doubt.
func (r *DigitReader) WithPersian(numbers *NumberReader) *DigitReader {
	return &DigitReader{cutter: r.cutter, numbers: numbers}
}

// Read reads the line l of the plane p.
func (r *DigitReader) Read(ctx context.Context, p vision.Plane, l Line) (*Digits, error) {
	return r.ReadIn(ctx, p, identity(), l)
}

// ReadIn reads a line that is given in other coordinates than the plane's, such as those of a rectified card: h maps
// them to the plane. The strip is sampled straight from the plane.
func (r *DigitReader) ReadIn(ctx context.Context, p vision.Plane, h vision.Homography, l Line) (*Digits, error) {
	lattice, share, err := r.cutter.read(ctx, p, h, l)
	if err != nil {
		return nil, fmt.Errorf("read digits: %w", err)
	}
	d := newDigits(lattice, share)
	if r.numbers == nil || len(d.text) < fewestDoubtful || math.Exp(lattice.Score(ctc.ClassesOf(lattice.BestPath()))) > surelyDigits {
		return d, nil
	}
	n, err := r.numbers.ReadIn(ctx, p, h, l)
	if err != nil {
		return nil, err
	}
	if n.LogForm(PersianNumber) < max(n.LogForm(IndicNumber), n.LogForm(WesternNumber))+surelyPersian {
		return d, nil
	}
	return n.persian(), nil
}

// When the network of numbers is asked as well: of so many signs, and less sure than that. It is believed where the form of the digits is
// Persian by this logarithm of odds, at least. Of 240 documents in other digits (30 November 2026) it was asked 187 times and had at most
// 1.0, in numbers of licences in Persian ones 9 to 51.
const (
	fewestDoubtful = 8
	surelyDigits   = 0.9
	surelyPersian  = 5
)

// Digits is a line of digits that was read. It is immutable.
type Digits struct {
	digits  *ctc.Lattice // separators count as blanks
	symbols []Symbol
	text    string
	lengths []float64 // log-probability by number of digits
}

func newDigits(l *ctc.Lattice, share func(column float64) float64) *Digits {
	runs := l.BestPath()
	d := &Digits{digits: l.Fold(1 + digitKinds), symbols: symbols(runs, []rune(digitSigns), share, symbolReach)}
	text := make([]byte, len(runs))
	for i, r := range runs {
		text[i] = digitSigns[r.Class-1]
	}
	d.text = string(text)
	d.lengths = d.digits.LogLengths(longestDigits)
	return d
}

// Text returns the likeliest reading from left to right: Western digits, '/' and '-'; "" when nothing was read.
func (d *Digits) Text() string { return d.text }

// Symbols returns the signs of Text with their places. They belong to d.
func (d *Digits) Symbols() []Symbol { return d.symbols }

// LogLength returns the natural logarithm of the probability that exactly n digits are printed, separators not
// counted; -Inf for n below 0 and above 32.
func (d *Digits) LogLength(n int) float64 {
	if n < 0 || n >= len(d.lengths) {
		return math.Inf(-1)
	}
	return d.lengths[n]
}

// Score returns the natural logarithm of the probability that exactly these digits, 0 to 9, are printed, however many,
// separators left out; -Inf when digits holds anything else or does not fit into the line.
func (d *Digits) Score(digits string) float64 {
	classes, ok := classesFor([]rune(digits), []rune(digitSigns)[:digitKinds])
	if !ok {
		return math.Inf(-1)
	}
	return d.digits.Score(classes)
}

// Cells returns, given that exactly n digits (1 to 32) are printed, the log-probability of each digit at each
// position from left to right: exact sums over all CTC paths of that length, separators left out.
func (d *Digits) Cells(n int) []number.Cell {
	cells := make([]number.Cell, n)
	d.digits.Marginals(n, func(i, s int, p float64) { cells[i][s] = ctc.Log(p) })
	return cells
}
