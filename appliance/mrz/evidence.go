package mrz

import "math"

// confusion is how often a recogniser that is sure of a symbol may still have met a look-alike of it, for a pair of
// weight 1 in lookalikes. It is the floor under which the evidence for a look-alike never falls.
const confusion = 2e-3

// blur is the floor for every other symbol. It keeps a position readable whose every likely symbol the grammar forbids.
const blur = 1e-6

// unreadable is the probability that LogProb gives a symbol for which the ink showed nothing at all.
const unreadable = 1e-9

// lookalike is a pair of symbols that OCR-B prints, or a worn print leaves, much alike.
type lookalike struct {
	a, b   byte
	weight float64
}

// lookalikes holds the pairs of letter and digit that recognisers confuse although sure, then, at a tenth, pairs inside
// letters and inside digits: with those no check digit may overrule clear ink.
var lookalikes = [...]lookalike{
	{'O', '0', 1}, {'I', '1', 0.6}, {'B', '8', 0.6}, {'S', '5', 0.6}, {'Z', '2', 0.6}, {'G', '6', 0.3},
	{'D', '0', 0.15}, {'Q', '0', 0.15}, {'L', '1', 0.1}, {'T', '7', 0.1}, {'A', '4', 0.1}, {'K', '<', 0.3},
	{'U', 'V', 0.05}, {'M', 'N', 0.05}, {'C', 'G', 0.05}, {'E', 'F', 0.05}, {'P', 'R', 0.05}, {'O', 'Q', 0.1},
	{'O', 'D', 0.1}, {'V', 'Y', 0.05}, {'H', 'N', 0.05}, {'K', 'X', 0.05}, {'B', 'R', 0.05}, {'I', 'L', 0.05},
	{'I', 'T', 0.05}, {'C', 'O', 0.05}, {'1', '7', 0.05}, {'3', '8', 0.05}, {'5', '6', 0.05}, {'6', '8', 0.05},
	{'8', '9', 0.05}, {'0', '8', 0.05}, {'0', '6', 0.05}, {'3', '5', 0.05}, {'3', '9', 0.05}, {'B', '3', 0.05},
}

// belief is the evidence for one position under its class: proportional to probability, the largest entry 1, zero
// outside of the class.
type belief [symbols]float64

// sight is one position of a zone as the decoder uses it.
type sight struct {
	belief
	raw  byte    // index of the best symbol before the grammar, the filler where nothing was seen
	peak float64 // largest logarithm of the cell
	norm float64 // logarithm of the sum of exp(entry - peak)
}

// look weighs a cell under a class; cell may be nil.
func (s *sight) look(cell *Cell, class Class) {
	p := s.normalise(cell)
	q := p
	for _, pair := range &lookalikes {
		a, b := Index(pair.a), Index(pair.b)
		q[a] += confusion * pair.weight * p[b]
		q[b] += confusion * pair.weight * p[a]
	}
	top := 0.0
	for i := range q {
		q[i] += blur
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

// normalise turns a cell into probabilities and finds its best symbol. Nothing seen is all symbols alike.
func (s *sight) normalise(cell *Cell) belief {
	var p belief
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
		return p
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
	return p
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
