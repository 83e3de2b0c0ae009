package mrz

import "math"

// A recogniser that is sure of a symbol can be wrong. The floors under which the evidence for another symbol never falls
// have a part that is always there and one that grows with the unrest of the zone, the mean probability that its cells
// leave to others than their best symbol: where much is unsure, more of what looks sure is wrong. They are judgement,
// checked on the simulated documents of this package's tests.
const (
	// confusion is the floor for a look-alike of weight 1, unrestPair what unrest adds to that of every look-alike.
	confusion  = 2e-3
	unrestPair = 0.03
	// blur is the floor for every other symbol. It keeps a position readable whose every likely symbol the grammar forbids.
	blur       = 1e-6
	unrestBlur = 5e-4
)

// unreadable is the probability that LogProb gives a symbol for which the ink showed nothing at all.
const unreadable = 1e-9

// lookalike is a pair of symbols that OCR-B prints, or a worn text leaves, much alike.
type lookalike struct {
	a, b   byte
	weight float64
}

// lookalikes holds the pairs of letter and digit that recognisers confuse although sure, then, at a tenth, pairs inside
// letters and inside digits: with those no check digit may overrule clear ink.
var lookalikes = [...]lookalike{
	{'O', '0', 1},
	{'I', '1', 0.6},
	{'B', '8', 0.6},
	{'S', '5', 0.6},
	{'Z', '2', 0.6},
	{'G', '6', 0.1},
	{'D', '0', 0.1},
	{'Q', '0', 0.1},
	{'L', '1', 0.05},
	{'T', '7', 0.1},
	{'A', '4', 0.1},
	{'K', '<', 0.1},
	{'U', 'V', 0.02},
	{'M', 'N', 0.02},
	{'C', 'G', 0.02},
	{'E', 'F', 0.02},
	{'P', 'R', 0.02},
	{'O', 'Q', 0.05},
	{'O', 'D', 0.05},
	{'V', 'Y', 0.02},
	{'H', 'N', 0.02},
	{'K', 'X', 0.02},
	{'B', 'R', 0.02},
	{'I', 'L', 0.02},
	{'I', 'T', 0.02},
	{'C', 'O', 0.02},
	{'1', '7', 0.02},
	{'3', '8', 0.02},
	{'5', '6', 0.02},
	{'6', '8', 0.02},
	{'8', '9', 0.02},
	{'0', '8', 0.02},
	{'0', '6', 0.02},
	{'3', '5', 0.02},
	{'3', '9', 0.02},
	{'B', '3', 0.02},
}

// belief is the evidence for one position: first the probabilities of the cell, then, once weighed, what is proportional
// to probability under the position's class, with the largest entry 1 and zero outside of the class.
type belief [symbols]float64

// sight is one position of a zone as the decoder uses it.
type sight struct {
	belief
	raw  byte    // index of the best symbol before the grammar, the filler where nothing was seen
	peak float64 // largest logarithm of the cell
	norm float64 // logarithm of the sum of exp(entry - peak)
}

// weigh turns the probabilities of a cell into belief under a class; unrest is that of the zone.
func (s *sight) weigh(class Class, unrest float64) {
	p, q := s.belief, s.belief
	for _, pair := range &lookalikes {
		a, b := Index(pair.a), Index(pair.b)
		floor := confusion*pair.weight + unrestPair*unrest
		q[a] += floor * p[b]
		q[b] += floor * p[a]
	}
	top := 0.0
	for i := range q {
		q[i] += blur + unrestBlur*unrest
		if !class.Bit(i) {
			q[i] = 0
		}
		top = max(top, q[i])
	}
	for i := range q {
		q[i] /= top
	}
	s.belief = q
}

// look turns a cell into probabilities and finds its best symbol; cell may be nil. Nothing seen is all symbols alike.
func (s *sight) look(cell *Cell) {
	p := &s.belief
	s.raw, s.peak, s.norm = filler, math.Inf(-1), math.Log(float64(symbols))
	if cell != nil {
		for i, v := range cell {
			if float64(v) > s.peak {
				s.raw, s.peak = byte(i), float64(v)
			}
		}
	}
	if math.IsInf(s.peak, -1) {
		for i := range p {
			p[i] = 1 / float64(symbols)
		}
		return
	}
	s.peak = min(s.peak, math.MaxFloat32)
	sum := 0.0
	for i, v := range cell {
		if d := min(float64(v), math.MaxFloat32) - s.peak; d > -40 {
			p[i] = math.Exp(d)
			sum += p[i]
		}
	}
	s.norm = math.Log(sum)
	for i := range p {
		p[i] /= sum
	}
}

// logProb is the logarithm of the probability that the cell alone gives a symbol, never under that of unreadable.
func (s *sight) logProb(cell *Cell, symbol byte) float64 {
	if cell == nil || math.IsInf(s.peak, -1) {
		return -s.norm
	}
	v := float64(cell[Index(symbol)])
	if math.IsNaN(v) {
		v = math.Inf(-1)
	}
	return max(min(v, math.MaxFloat32)-s.peak-s.norm, math.Log(unreadable))
}

// best is the index of the most probable symbol.
func (b *belief) best() int {
	top := 0
	for i := range b {
		if b[i] > b[top] {
			top = i
		}
	}
	return top
}
