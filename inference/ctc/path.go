package ctc

import (
	"math"
)

// Score returns the natural logarithm of the probability that the line holds exactly these classes (1 and up) in this
// order: the sum over all CTC paths that spell them.
func (l *Lattice) Score(classes []int) float64 {
	const faint = 1e-60 // of all paths together; they are scaled up then
	// The paths that end on each class, and on a blank before each and after the last, as if a blank had come before the first column.
	n := len(classes)
	on, blank := make([]float64, n), make([]float64, n+1)
	blank[0] = 1
	total := 0.0
	for t := range l.Columns {
		p, sum := l.Column(t), 0.0
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

// Run is a class that a path stays on, over the columns from start up to but not including end.
type Run struct {
	Class      int
	Start, End int
	P          float64 // the class's highest probability in these columns
}

// likeliest is the class of a column that has the highest probability, the first of several.
func likeliest(p []float64) (best int) {
	for c, q := range p {
		if q > p[best] {
			best = c
		}
	}
	return best
}

// BestPath returns the runs of the likeliest single path, blanks left out.
func (l *Lattice) BestPath() []Run {
	var runs []Run
	last := 0
	for t := range l.Columns {
		p := l.Column(t)
		best := likeliest(p)
		switch {
		case best == 0:
		case best == last:
			r := &runs[len(runs)-1]
			r.End, r.P = t+1, max(r.P, p[best])
		default:
			runs = append(runs, Run{best, t, t + 1, p[best]})
		}
		last = best
	}
	return runs
}

// ClassesOf returns what runs spell.
func ClassesOf(runs []Run) []int {
	out := make([]int, len(runs))
	for i, r := range runs {
		out[i] = r.Class
	}
	return out
}

// Align returns where the likeliest single path that spells the classes has each of them; false where there is none.
func (l *Lattice) Align(classes []int) ([]Run, bool) {
	states := 2*len(classes) + 1 // as in score
	best, from := make([]float64, states), make([]int8, states*l.Columns)
	for s := range best {
		best[s] = math.Inf(-1)
	}
	best[0] = 0
	for t := range l.Columns {
		p := l.Column(t)
		for s := states - 1; s >= 0; s-- {
			c, back := 0, 0
			if s%2 == 1 {
				c = classes[s/2]
			}
			if s > 0 && best[s-1] > best[s] {
				back = 1
			}
			if s%2 == 1 && s >= 3 && c != classes[s/2-1] && best[s-2] > best[s-back] {
				back = 2
			}
			best[s], from[t*states+s] = best[s-back]+math.Log(p[c]), int8(back)
		}
	}
	last := states - 1
	if last > 0 && best[last-1] > best[last] {
		last--
	}
	return l.traced(classes, from, last), !math.IsInf(best[last], -1)
}

// traced are the runs of a path that ends in a state, where from says how many states before the one it came from lies.
func (l *Lattice) traced(classes []int, from []int8, state int) []Run {
	out := make([]Run, len(classes))
	for t := l.Columns - 1; t >= 0; t-- {
		if state%2 == 1 {
			r := &out[state/2]
			if r.End == 0 {
				*r = Run{Class: classes[state/2], End: t + 1}
			}
			r.Start, r.P = t, max(r.P, l.Column(t)[r.Class])
		}
		state -= int(from[t*(2*len(classes)+1)+state])
	}
	return out
}
