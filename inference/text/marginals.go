package text

import (
	"math"
	"sync"

	"github.com/bawab/bawab/appliance/mrz"
)

const (
	symbols = len(mrz.Alphabet)
	widest  = 44 // characters of the longest line of ICAO 9303
)

// leastProbability keeps a symbol that the network rules out from becoming impossible: the network's logits are
// 8-bit steps, so what lies below is rounding and not knowledge.
const leastProbability = 1e-9

// Marginals returns, for a line known to hold exactly width characters (1 to 44), the log-probability of each
// symbol at each position: the sum over every CTC path of that length, by the forward-backward recursion, not the
// best path alone.
func (l *Lattice) Marginals(width int) []mrz.Cell {
	b := buffers.Get().(*forwardBackward)
	defer buffers.Put(b)
	b.width = width
	b.forward(l)
	b.backward(l)
	cells := make([]mrz.Cell, width)
	for i := range cells {
		sum := 0.0
		for _, p := range b.marginal[i] {
			sum += p
		}
		for s, p := range b.marginal[i] {
			share := 1 / float64(symbols) // where the columns leave no room for that many characters
			if sum > 0 {
				share = max(p/sum, leastProbability)
			}
			cells[i][s] = float32(math.Log(share))
		}
	}
	return cells
}

// states holds one value for each state of a path: on the symbol s of position i, or on the blank before position
// i (blank[width] is the one after the last). total[i] sums symbol[i].
type states struct {
	symbol [widest][symbols]float64
	total  [widest]float64
	blank  [widest + 1]float64
}

// forwardBackward is the working memory of Marginals, some 3 MB.
type forwardBackward struct {
	width    int
	ahead    [latticeColumns]states // forward, each column scaled by 1/(sum of the one before): nothing underflows
	scale    [latticeColumns]float64
	begin    states // before the first column: on the blank before position 0
	back     states // backward, of the column at hand
	weighted states // back times the column's own probabilities
	marginal [widest][symbols]float64
	none     [symbols]float64 // stays zero
}

// buffers is a free list and no state: a buffer is written before it is read.
var buffers = sync.Pool{New: func() any {
	b := new(forwardBackward)
	b.begin.blank[0] = 1
	return b
}}

func (b *forwardBackward) before(t int) *states {
	if t == 0 {
		return &b.begin
	}
	return &b.ahead[t-1]
}

// arrive returns what flows into position i from earlier states of the column before, and the part of it that came
// from each symbol of position i-1: that symbol cannot follow itself without a blank.
func (b *forwardBackward) arrive(prev *states, i int) (float64, *[symbols]float64) {
	if i == 0 {
		return prev.blank[0], &b.none
	}
	return prev.blank[i] + prev.total[i-1], &prev.symbol[i-1]
}

// forward fills the forward tables.
func (b *forwardBackward) forward(l *Lattice) {
	sum := 1.0
	for t := range b.ahead {
		b.scale[t] = 1 / sum
		prev, cur, p := b.before(t), &b.ahead[t], &l.p[t]
		sum = 0
		for i := range b.width {
			in, same := b.arrive(prev, i)
			total := 0.0
			for s := range symbols {
				v := (prev.symbol[i][s] + in - same[s]) * p[s+1] * b.scale[t]
				cur.symbol[i][s] = v
				total += v
			}
			cur.total[i] = total
			cur.blank[i] = in * p[0] * b.scale[t]
			sum += total + cur.blank[i]
		}
		cur.blank[b.width] = (prev.blank[b.width] + prev.total[b.width-1]) * p[0] * b.scale[t]
		sum += cur.blank[b.width]
		if sum == 0 {
			sum = 1 // no path is left; the columns that follow stay empty
		}
	}
}

// backward walks from the last column to the first and gathers, for each position and symbol, the weight of the
// paths that enter that state in that column: each path enters each of its positions once.
func (b *forwardBackward) backward(l *Lattice) {
	clear(b.marginal[:])
	for t := latticeColumns - 1; t >= 0; t-- {
		b.stepBack(t)
		prev, p := b.before(t), &l.p[t]
		for i := range b.width {
			in, same := b.arrive(prev, i)
			back, weighted, marginal, total := &b.back.symbol[i], &b.weighted.symbol[i], &b.marginal[i], 0.0
			for s := range symbols {
				w := back[s] * p[s+1] * b.scale[t]
				weighted[s] = w
				marginal[s] += (in - same[s]) * w
				total += w
			}
			b.weighted.total[i] = total
		}
		for i := range b.width + 1 {
			b.weighted.blank[i] = b.back.blank[i] * p[0] * b.scale[t]
		}
	}
}

// stepBack turns the weighted values of column t+1 into the backward values of column t.
func (b *forwardBackward) stepBack(t int) {
	if t == latticeColumns-1 {
		b.back = states{}
		b.back.blank[b.width] = 1
		for s := range symbols {
			b.back.symbol[b.width-1][s] = 1
		}
		return
	}
	w := &b.weighted
	for i := range b.width {
		out, same := w.blank[i+1], &b.none
		if i+1 < b.width {
			out += w.total[i+1]
			same = &w.symbol[i+1]
		}
		for s := range symbols {
			b.back.symbol[i][s] = w.symbol[i][s] + out - same[s]
		}
		b.back.blank[i] = w.blank[i] + w.total[i]
	}
	b.back.blank[b.width] = w.blank[b.width]
}
