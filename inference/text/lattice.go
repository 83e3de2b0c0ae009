package text

import "github.com/bawab/bawab/appliance/mrz"

// latticeSymbols counts the CTC blank, which comes first, and the symbols of mrz.Alphabet in their order.
const latticeSymbols = 1 + len(mrz.Alphabet)

// Lattice holds the probability of each symbol in each column of a line that was read.
type Lattice struct {
	p [latticeColumns][latticeSymbols]float64
}
