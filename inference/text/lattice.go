package text

import (
	"math"

	"github.com/bawab/bawab/appliance/mrz"
	"github.com/bawab/bawab/inference"
)

// lattice holds the probability of each class of a CTC network in each column of a line, column by column. Class 0 is
// the blank; class s+1 is symbol s of the network's alphabet.
type lattice struct {
	columns, classes int
	p                []float64
}

func newLattice(columns, classes int) *lattice {
	return &lattice{columns: columns, classes: classes, p: make([]float64, columns*classes)}
}

// column returns the probabilities of one column.
func (l *lattice) column(t int) []float64 { return l.p[t*l.classes : (t+1)*l.classes] }

// blankBeyond makes the columns hold nothing that lie farther than room beyond an end at which the line was cut; both are shares of it, as share gives for a column.
func (l *lattice) blankBeyond(cut Line, share func(column float64) float64, room float64) {
	for t := range l.columns {
		if at := share(float64(t) + 0.5); cut.CutStart && at < -room || cut.CutEnd && at > 1+room {
			p := l.column(t)
			clear(p)
			p[0] = 1
		}
	}
}

// softmax turns the quantised logits of one column into probabilities. exp is exponentials' table.
func softmax(logits []int8, exp *[256]float64, p []float64) {
	top := logits[0]
	for _, q := range logits {
		top = max(top, q)
	}
	sum := 0.0
	for i, q := range logits {
		p[i] = exp[int(top)-int(q)]
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
}

// exponentials returns exp(-d * scale) for each distance d below the largest step of a column.
func exponentials(t inference.Tensor) *[256]float64 {
	var exp [256]float64
	for d := range exp {
		exp[d] = math.Exp(-float64(d) * float64(t.Scale))
	}
	return &exp
}

// logarithm is the natural logarithm of a probability, held above that of leastProbability.
func logarithm(p float64) float64 { return math.Log(max(p, leastProbability)) }

// Lattice is a line of a machine readable zone as it was read: what each of its columns may show.
type Lattice struct{ lattice }

// Marginals returns, for a line known to hold exactly width characters (at least 1), the log-probability of each
// symbol of mrz.Alphabet at each position: the sum over every CTC path of that length, not the best path alone.
func (l *Lattice) Marginals(width int) []mrz.Cell {
	cells := make([]mrz.Cell, width)
	l.marginals(width, func(i, s int, p float64) { cells[i][s] = float32(logarithm(p)) })
	return cells
}
