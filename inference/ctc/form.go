package ctc

import "math"

// Form says of the texts that hold a sign of each of some sets in turn, allowed[i][s] of whether symbol s may be the i-th, the natural
// logarithm of the probability of all of them together, and the classes along the likeliest path that spells one; nil where there is none.
func (l *Lattice) Form(allowed [][]bool) (logTotal float64, likeliest []int) {
	m := matcher{lattice: l, allowed: allowed}
	return m.logTotal(), m.best()
}

// matcher runs over the lattice of a form. Its states are, for each position, the signs there and the blank before it, and the blank
// after the last one.
type matcher struct {
	lattice *Lattice
	allowed [][]bool
}

// logTotal is the natural logarithm of the probability of all texts of the form together.
func (m *matcher) logTotal() float64 {
	n, k := len(m.allowed), m.lattice.Classes-1
	prev, cur := new(states), new(states)
	for _, s := range []*states{prev, cur} {
		s.reserve(n, k)
		s.clear()
	}
	prev.blank[0] = 1
	logged := 0.0
	for t := range m.lattice.Columns {
		p, sum := m.lattice.Column(t), 0.0
		for i := range n + 1 {
			in := prev.blank[i]
			if i > 0 {
				in += prev.total[i-1]
			}
			cur.blank[i] = in * p[0]
			sum += cur.blank[i]
			if i == n {
				break
			}
			cur.total[i] = 0
			for s := range k {
				v := prev.symbol[i*k+s] + in
				if i > 0 {
					v -= prev.symbol[(i-1)*k+s] // it cannot follow itself without a blank
				}
				if !m.allowed[i][s] {
					v = 0
				}
				v *= p[1+s]
				cur.symbol[i*k+s] = v
				cur.total[i] += v
			}
			sum += cur.total[i]
		}
		if sum == 0 {
			return math.Inf(-1)
		}
		cur.scale(1 / sum)
		logged += math.Log(sum)
		prev, cur = cur, prev
	}
	return logged + math.Log(prev.blank[n]+prev.total[n-1])
}

// scale multiplies all values.
func (s *states) scale(by float64) {
	for _, values := range [][]float64{s.symbol, s.total, s.blank} {
		for i := range values {
			values[i] *= by
		}
	}
}

// best returns the classes along the likeliest path that spells a text of the form; nil where there is none.
func (m *matcher) best() []int {
	n, k := len(m.allowed), m.lattice.Classes-1
	width := k + 1 // of a position: its blank, then its signs
	states := n*width + 1
	prev, cur := make([]float64, states), make([]float64, states)
	for i := range prev {
		prev[i] = math.Inf(-1)
	}
	prev[0] = 0
	from := make([]int32, m.lattice.Columns*states)
	for t := range m.lattice.Columns {
		p, back := m.lattice.Column(t), from[t*states:(t+1)*states]
		for i := range n + 1 {
			first, second := likeliestSigns(prev, (i-1)*width, width)
			for c := 0; c == 0 || i < n && c <= k; c++ {
				at, before := i*width+c, first
				if c > 0 && before == at-width {
					before = second // a sign cannot follow itself without a blank
				}
				source := at
				if c > 0 && prev[i*width] > prev[source] {
					source = i * width
				}
				if before >= 0 && prev[before] > prev[source] {
					source = before
				}
				cur[at], back[at] = prev[source]+Log(p[c]), int32(source)
				if c > 0 && !m.allowed[i][c-1] {
					cur[at] = math.Inf(-1)
				}
			}
		}
		prev, cur = cur, prev
	}
	return m.trace(prev, from, states, width)
}

// likeliestSigns returns the two likeliest states of the signs of a position whose states begin at from: -1 where there is none.
func likeliestSigns(prev []float64, from, width int) (first, second int) {
	first, second = -1, -1
	for at := max(0, from+1); at < from+width; at++ {
		switch {
		case first < 0 || prev[at] > prev[first]:
			first, second = at, first
		case second < 0 || prev[at] > prev[second]:
			second = at
		}
	}
	return first, second
}

// trace follows the likeliest path back from the end and returns its classes.
func (m *matcher) trace(last []float64, from []int32, states, width int) []int {
	n := len(m.allowed)
	at := states - 1
	for s := 1; s < width; s++ {
		if state := (n-1)*width + s; last[state] > last[at] {
			at = state
		}
	}
	if math.IsInf(last[at], -1) {
		return nil
	}
	classes := make([]int, n)
	for t := m.lattice.Columns - 1; t >= 0; t-- {
		if c := at % width; c > 0 {
			classes[at/width] = c
		}
		at = int(from[t*states+at])
	}
	return classes
}
