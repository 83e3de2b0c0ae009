package ctc

import (
	"math"
	"slices"
	"sync"
)

// leastProbability keeps a symbol that the network rules out from becoming impossible: the network's logits are
// 8-bit steps, so what lies below is rounding and not knowledge.
const leastProbability = 1e-9

// Marginals visits, for a line known to hold exactly width symbols (at least 1), each position and symbol with its
// probability: the sum over every CTC path of that length, by the forward-backward recursion. Where the columns leave
// no room for that many symbols, all are equally likely.
func (l *Lattice) Marginals(width int, visit func(position, symbol int, p float64)) {
	b := buffers.Get().(*forwardBackward)
	defer buffers.Put(b)
	b.prepare(l, width)
	b.forward()
	b.backward()
	for i := range width {
		row, sum := b.row(b.marginal, i), 0.0
		for _, p := range row {
			sum += p
		}
		for s, p := range row {
			if sum > 0 {
				visit(i, s, p/sum)
			} else {
				visit(i, s, 1/float64(b.symbols))
			}
		}
	}
}

// LogLengths returns the natural logarithm of the probability that a line holds exactly n symbols, for n = 0 to
// longest: the sum over every CTC path of that length. A length that no path has is -Inf.
func (l *Lattice) LogLengths(longest int) []float64 {
	b := buffers.Get().(*forwardBackward)
	defer buffers.Put(b)
	b.prepare(l, longest)
	b.forward()
	scale := 0.0
	for _, s := range b.scale {
		scale += math.Log(s)
	}
	out := make([]float64, longest+1)
	last := b.before(l.Columns)
	for n := range out {
		p := last.blank[n]
		if n > 0 {
			p += last.total[n-1]
		}
		out[n] = math.Log(p) - scale
	}
	return out
}

// states holds one value for each state of a path: on the symbol s of position i, or on the blank before position
// i (blank[width] is the one after the last). total[i] sums the symbols of position i.
type states struct {
	symbol []float64 // width x symbols
	total  []float64
	blank  []float64
}

// reserve gives the states room. What they hold then is of an earlier line.
func (s *states) reserve(width, symbols int) {
	s.symbol = slices.Grow(s.symbol[:0], width*symbols)[:width*symbols]
	s.total = slices.Grow(s.total[:0], width)[:width]
	s.blank = slices.Grow(s.blank[:0], width+1)[:width+1]
}

func (s *states) clear() {
	clear(s.symbol)
	clear(s.total)
	clear(s.blank)
}

// forwardBackward is the working memory of the recursion: some 3 MB for a line of a machine readable zone.
type forwardBackward struct {
	lattice        *Lattice
	width, symbols int
	ahead          []states // forward, each column scaled by 1/(sum of the one before): nothing underflows
	scale          []float64
	begin          states // before the first column: on the blank before position 0
	back           states // backward, of the column at hand
	weighted       states // back times the column's own probabilities
	marginal       []float64
	none           []float64 // stays zero
}

// buffers is a free list and no state: a buffer is written before it is read.
var buffers = sync.Pool{New: func() any { return new(forwardBackward) }}

func (b *forwardBackward) prepare(l *Lattice, width int) {
	b.lattice, b.width, b.symbols = l, width, l.Classes-1
	b.ahead = slices.Grow(b.ahead[:0], l.Columns)[:l.Columns]
	for t := range b.ahead {
		b.ahead[t].reserve(width, b.symbols)
	}
	b.scale = slices.Grow(b.scale[:0], l.Columns)[:l.Columns]
	b.begin.reserve(width, b.symbols)
	b.begin.clear()
	b.begin.blank[0] = 1
	b.back.reserve(width, b.symbols)
	b.weighted.reserve(width, b.symbols)
	b.marginal = slices.Grow(b.marginal[:0], width*b.symbols)[:width*b.symbols]
	b.none = slices.Grow(b.none[:0], b.symbols)[:b.symbols]
}

// row returns the values of one position in a table of width x symbols.
func (b *forwardBackward) row(table []float64, i int) []float64 {
	return table[i*b.symbols : (i+1)*b.symbols : (i+1)*b.symbols]
}

// before returns the forward states from which column t is entered; those after the last column for t = columns.
func (b *forwardBackward) before(t int) *states {
	if t == 0 {
		return &b.begin
	}
	return &b.ahead[t-1]
}

// arrive returns what flows into position i from earlier states of the column before, and the part of it that came
// from each symbol of position i-1: that symbol cannot follow itself without a blank.
func (b *forwardBackward) arrive(prev *states, i int) (float64, []float64) {
	if i == 0 {
		return prev.blank[0], b.none
	}
	return prev.blank[i] + prev.total[i-1], b.row(prev.symbol, i-1)
}

// forward fills the forward tables.
func (b *forwardBackward) forward() {
	sum := 1.0
	for t := range b.ahead {
		scale := 1 / sum
		b.scale[t] = scale
		prev, cur, p := b.before(t), &b.ahead[t], b.lattice.Column(t)
		blank, ink := p[0]*scale, p[1:]
		sum = 0
		for i := range b.width {
			in, same := b.arrive(prev, i)
			was, is := b.row(prev.symbol, i), b.row(cur.symbol, i)
			was, same, is = was[:len(ink)], same[:len(ink)], is[:len(ink)]
			total := 0.0
			for s, q := range ink {
				v := (was[s] + in - same[s]) * q * scale
				is[s] = v
				total += v
			}
			cur.total[i] = total
			cur.blank[i] = in * blank
			sum += total + cur.blank[i]
		}
		last := prev.blank[b.width]
		if b.width > 0 {
			last += prev.total[b.width-1]
		}
		cur.blank[b.width] = last * blank
		sum += cur.blank[b.width]
		if sum == 0 {
			sum = 1 // no path is left; the columns that follow stay empty
		}
	}
}

// backward walks from the last column to the first and gathers, for each position and symbol, the weight of the
// paths that enter that state in that column: each path enters each of its positions once.
func (b *forwardBackward) backward() {
	clear(b.marginal)
	for t := len(b.ahead) - 1; t >= 0; t-- {
		b.stepBack(t)
		prev, p, scale := b.before(t), b.lattice.Column(t), b.scale[t]
		ink := p[1:]
		for i := range b.width {
			in, same := b.arrive(prev, i)
			back, weighted, marginal := b.row(b.back.symbol, i), b.row(b.weighted.symbol, i), b.row(b.marginal, i)
			back, weighted, marginal, same = back[:len(ink)], weighted[:len(ink)], marginal[:len(ink)], same[:len(ink)]
			total := 0.0
			for s, q := range ink {
				w := back[s] * q * scale
				weighted[s] = w
				marginal[s] += (in - same[s]) * w
				total += w
			}
			b.weighted.total[i] = total
		}
		for i := range b.width + 1 {
			b.weighted.blank[i] = b.back.blank[i] * p[0] * scale
		}
	}
}

// stepBack turns the weighted values of column t+1 into the backward values of column t.
func (b *forwardBackward) stepBack(t int) {
	if t == len(b.ahead)-1 {
		b.back.clear()
		b.back.blank[b.width] = 1
		for s := range b.symbols {
			b.row(b.back.symbol, b.width-1)[s] = 1
		}
		return
	}
	w := &b.weighted
	for i := range b.width {
		out, same := w.blank[i+1], b.none
		if i+1 < b.width {
			out += w.total[i+1]
			same = b.row(w.symbol, i+1)
		}
		back, from := b.row(b.back.symbol, i), b.row(w.symbol, i)
		from, same = from[:len(back)], same[:len(back)]
		for s := range back {
			back[s] = from[s] + out - same[s]
		}
		b.back.blank[i] = w.blank[i] + w.total[i]
	}
	b.back.blank[b.width] = w.blank[b.width]
}
