package text

import (
	"math"
	"slices"
	"unicode"
)

// SignWeights are the highest probabilities, 0 to 1, that the network gives to a sign where it read each symbol: what else that may be.
// They are 0 for signs that the network does not know.
func (r *Reading) SignWeights(sign rune) []float64 {
	out := make([]float64, len(r.symbols))
	class := slices.Index(r.alphabet, sign) + 1
	if class == 0 {
		return out
	}
	for i, s := range r.symbols {
		from, to := r.column(s.Start), r.column(s.End)
		for t := max(0, int(math.Floor(from))); t < min(r.lattice.Columns, int(math.Ceil(to))); t++ {
			out[i] = max(out[i], r.lattice.Column(t)[class])
		}
	}
	return out
}

// column is where in the lattice a share of the line's length lies.
func (r *Reading) column(share float64) float64 { return (share - r.origin) / r.step }

// Cut is from which to which share of its line what stands between two of its signs reaches, the second excluded: to the middle of the
// blanks about it, or to the end of the line.
func Cut(symbols []Symbol, first, end int) (from, to float64) {
	to = 1
	if first > 0 {
		from = (symbols[first-1].End + symbols[first].Start) / 2
	}
	if end < len(symbols) {
		to = (symbols[end-1].End + symbols[end].Start) / 2
	}
	return from, to
}

// Part is what was read between two shares of the line's length, as a line of its own: the same look at the same ink, without a run of the
// network. Shares of the part run from 0 to 1 between its ends. A part that reaches to an end of the line holds what the look shows beyond
// it: the detector often ends a line within its last letter.
func (r *Reading) Part(from, to float64) *Reading {
	if r.lattice == nil { // the zero Reading, of nothing
		return r
	}
	first, last := 0, r.lattice.Columns
	if from > 0 {
		first = min(max(int(math.Round(r.column(from))), 0), r.lattice.Columns)
	}
	if to < 1 {
		last = min(max(int(math.Round(r.column(to))), first), r.lattice.Columns)
	}
	l := r.lattice.Part(first, last)
	length := max(to-from, 1e-9)
	return newReading(l, r.alphabet, func(column float64) float64 {
		return (r.origin + r.step*(column+float64(first)) - from) / length
	})
}

// Blanks are how wide the blanks between the words of a line are, as shares of its length.
func Blanks(symbols []Symbol) (out []float64) {
	for i := 1; i+1 < len(symbols); i++ {
		if symbols[i].Rune == ' ' {
			out = append(out, symbols[i+1].Start-symbols[i-1].End)
		}
	}
	return out
}

// ScriptChange is how many signs stand before the script changes from Latin to another or back for the first time, 0 where it does not: a
// misread letter is no change.
func ScriptChange(symbols []Symbol) (first int) {
	const least = 3 // letters before, between and behind changes
	latin := func(i int) bool { return unicode.Is(unicode.Latin, symbols[i].Rune) }
	before, run := -1, 0 // the last letter, and those since the last change
	for i, x := range symbols {
		switch {
		case !unicode.IsLetter(x.Rune):
			continue
		case before >= 0 && latin(before) != latin(i) && run < least:
			return 0
		case before >= 0 && latin(before) != latin(i):
			if first == 0 {
				first = i
			}
			run = 0
		}
		before, run = i, run+1
	}
	if run < least {
		return 0
	}
	return first
}
