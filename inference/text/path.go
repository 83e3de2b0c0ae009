package text

import (
	"math"
	"slices"
)

// score returns the natural logarithm of the probability that the line holds exactly these classes (1 and up) in this
// order: the sum over all CTC paths that spell them.
func (l *lattice) score(classes []int) float64 {
	const faint = 1e-60 // of all paths together; they are scaled up then
	// The paths that end on each class, and on a blank before each and after the last, as if a blank had come before the first column.
	n := len(classes)
	on, blank := make([]float64, n), make([]float64, n+1)
	blank[0] = 1
	total := 0.0
	for t := range l.columns {
		p, sum := l.column(t), 0.0
		for i := min(n, t+1) - 1; i >= 0; i-- { // from the end, so that what stands before is of the column before
			blank[i+1] = p[0] * (blank[i+1] + on[i])
			v := on[i] + blank[i]
			if i > 0 && classes[i] != classes[i-1] {
				v += on[i-1]
			}
			on[i] = v * p[classes[i]]
			sum += on[i] + blank[i+1]
		}
		blank[0] *= p[0]
		if sum += blank[0]; sum == 0 {
			return math.Inf(-1)
		}
		if sum < faint {
			for i := range n {
				on[i] /= sum
				blank[i] /= sum
			}
			blank[n] /= sum
			total += math.Log(sum)
		}
	}
	end := blank[n]
	if n > 0 {
		end += on[n-1]
	}
	return total + math.Log(end)
}

// run is a class that a path stays on, over the columns from start up to but not including end.
type run struct {
	class      int
	start, end int
	p          float64 // the class's highest probability in these columns
}

// bestPath returns the runs of the likeliest single path, blanks left out.
func (l *lattice) bestPath() []run {
	var runs []run
	last := 0
	for t := range l.columns {
		p := l.column(t)
		best := 0
		for c, q := range p {
			if q > p[best] {
				best = c
			}
		}
		switch {
		case best == 0:
		case best == last:
			r := &runs[len(runs)-1]
			r.end, r.p = t+1, max(r.p, p[best])
		default:
			runs = append(runs, run{best, t, t + 1, p[best]})
		}
		last = best
	}
	return runs
}

// classesOf returns what runs spell.
func classesOf(runs []run) []int {
	out := make([]int, len(runs))
	for i, r := range runs {
		out[i] = r.class
	}
	return out
}

// fold returns the lattice of the first classes, in which the others count as blanks: what they say is left out of
// every path, and they separate equal symbols as a blank does.
func (l *lattice) fold(classes int) *lattice {
	out := newLattice(l.columns, classes)
	for t := range l.columns {
		p := l.column(t)
		q := out.column(t)
		copy(q, p[:classes])
		for _, more := range p[classes:] {
			q[0] += more
		}
	}
	return out
}

// symbols turns runs into symbols. CTC marks a symbol with a spike somewhere on it; its borders are put halfway to its
// neighbours' spikes, but no further than reach columns from the ends of its own.
func symbols(runs []run, alphabet []rune, share func(column float64) float64, reach float64) []Symbol {
	out := make([]Symbol, len(runs))
	for i, r := range runs {
		start, end := float64(r.start)-reach, float64(r.end)+reach
		if i > 0 {
			start = max(start, float64(runs[i-1].end+r.start)/2)
		}
		if i+1 < len(runs) {
			end = min(end, float64(r.end+runs[i+1].start)/2)
		}
		out[i] = Symbol{Rune: alphabet[r.class-1], Prob: r.p, Start: share(start), End: share(end)}
	}
	return out
}

// classesFor returns the classes of runes, or false when the alphabet lacks one of them.
func classesFor(runes, alphabet []rune) ([]int, bool) {
	out := make([]int, len(runes))
	for i, r := range runes {
		c := slices.Index(alphabet, r)
		if c < 0 {
			return nil, false
		}
		out[i] = c + 1
	}
	return out, true
}
