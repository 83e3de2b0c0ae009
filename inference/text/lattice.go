package text

import "github.com/bawab/bawab/appliance/mrz"

// latticeSymbols counts the CTC blank, which comes first, and the symbols of mrz.Alphabet in their order.
const latticeSymbols = 1 + len(mrz.Alphabet)

// Lattice holds the probability of each symbol in each column of a line that was read.
type Lattice struct {
	p [latticeColumns][latticeSymbols]float64
}

// Greedy returns the most probable symbol of each column with repeats and blanks removed, and the mean probability
// of the symbols that make it up. It tells how long a line is without any grammar.
func (l *Lattice) Greedy() (string, float64) {
	var text []byte
	last, sum := 0, 0.0
	for c := range l.p {
		best := 0
		for s, p := range l.p[c] {
			if p > l.p[c][best] {
				best = s
			}
		}
		if best != 0 && best != last {
			text = append(text, mrz.Alphabet[best-1])
			sum += l.p[c][best]
		}
		last = best
	}
	if len(text) == 0 {
		return "", 0
	}
	return string(text), sum / float64(len(text))
}
