// Package ctc says what a line may hold by the columns of a CTC network: its likeliest path, and sums over all paths.
//
// It knows symbols by their classes alone: what these look like, and where a column lies on a line, its callers know.
package ctc

import (
	"math"

	"github.com/bawab/bawab/inference"
)

// Lattice holds the probability of each class in each column of a line, column by column. Class 0 is the blank; class s+1 is
// symbol s of the network's alphabet.
type Lattice struct {
	Columns, Classes int
	p                []float64
}

// New returns a lattice without probabilities.
func New(columns, classes int) *Lattice {
	return &Lattice{Columns: columns, Classes: classes, p: make([]float64, columns*classes)}
}

// Part is the columns from first to end, which is excluded. It shares them with l.
func (l *Lattice) Part(first, end int) *Lattice {
	return &Lattice{Columns: end - first, Classes: l.Classes, p: l.p[first*l.Classes : end*l.Classes]}
}

// Column returns the probabilities of one column.
func (l *Lattice) Column(t int) []float64 { return l.p[t*l.Classes : (t+1)*l.Classes] }

// Softmax turns the quantised logits of one column into probabilities. exp is the table of Exponentials.
func Softmax(logits []int8, exp *[256]float64, p []float64) {
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

// Exponentials returns exp(-d * scale) for each distance d below the largest step of a column.
func Exponentials(t inference.Tensor) *[256]float64 {
	var exp [256]float64
	for d := range exp {
		exp[d] = math.Exp(-float64(d) * float64(t.Scale))
	}
	return &exp
}

// Log is the natural logarithm of a probability, held above that of leastProbability.
func Log(p float64) float64 { return math.Log(max(p, leastProbability)) }

// Merge returns the lattice in which each class counts as the one that to gives it, 0 for a blank.
func (l *Lattice) Merge(classes int, to func(class int) int) *Lattice {
	class := make([]int, l.Classes)
	for c := 1; c < l.Classes; c++ {
		class[c] = to(c)
	}
	out := New(l.Columns, classes)
	for t := range l.Columns {
		q := out.Column(t)
		for c, p := range l.Column(t) {
			q[class[c]] += p
		}
	}
	return out
}

// Fold returns the lattice of the first classes, in which the others count as blanks: what they say is left out of
// every path, and they separate equal symbols as a blank does.
func (l *Lattice) Fold(classes int) *Lattice {
	return l.Merge(classes, func(class int) int {
		if class < classes {
			return class
		}
		return 0
	})
}

// Held is the lattice in which some classes are read where they are likeliest, and nowhere else.
func (l *Lattice) Held(class func(int) bool) *Lattice {
	out := New(l.Columns, l.Classes)
	copy(out.p, l.p)
	for t := range l.Columns {
		p := out.Column(t)
		best := likeliest(p)
		if best > 0 && class(best) {
			clear(p)
			p[best] = 1
			continue
		}
		for c := 1; c < l.Classes; c++ {
			if class(c) {
				p[c] = 0
			}
		}
	}
	return out
}
