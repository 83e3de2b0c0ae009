package text

import (
	"math"
	"strings"
	"unicode"

	"github.com/bawab/bawab/appliance/egypt"
)

// Formed returns the likeliest text of a form. Small letters count as capitals, digits by their value, and an upright stroke as
// I; both sums, over the texts and over their CTC paths, are exact. The text is "" where the line has no room for the form.
func (r *Reading) Formed(f egypt.Form) egypt.Formed {
	var signs []rune
	for _, allowed := range f {
		for _, s := range allowed {
			if !strings.ContainsRune(string(signs), s) {
				signs = append(signs, s)
			}
		}
	}
	m := matcher{allowed: make([][]bool, len(f))}
	m.lattice = r.lattice.merge(r.alphabet, 1+len(signs), func(s rune) int {
		return 1 + strings.IndexRune(string(signs), plainSign(s)) // signs are ASCII: their bytes are their places
	})
	for i, allowed := range f {
		m.allowed[i] = make([]bool, len(signs))
		for s, sign := range signs {
			m.allowed[i][s] = strings.ContainsRune(allowed, sign)
		}
	}
	total := m.logTotal()
	classes := m.best()
	if classes == nil || math.IsInf(total, -1) {
		return egypt.Formed{}
	}
	var out strings.Builder
	for _, c := range classes {
		out.WriteRune(signs[c-1])
	}
	return egypt.Formed{Text: out.String(), Share: min(1, math.Exp(m.lattice.score(classes)-total)), Fits: min(1, math.Exp(total))}
}

// plainSign is the capital or Western digit that a sign counts as.
func plainSign(r rune) rune {
	if r == '|' {
		return 'I'
	}
	for _, d := range egypt.FoldDigits(string(r)) {
		return unicode.ToUpper(d)
	}
	return r
}

// merge returns the lattice in which each sign counts as the class that to gives it, 0 for a blank.
func (l *lattice) merge(alphabet []rune, classes int, to func(sign rune) int) *lattice {
	class := make([]int, l.classes)
	for c, r := range alphabet {
		class[c+1] = to(r)
	}
	out := newLattice(l.columns, classes)
	for t := range l.columns {
		q := out.column(t)
		for c, p := range l.column(t) {
			q[class[c]] += p
		}
	}
	return out
}

// matcher runs over the lattice of a form. Its states are, for each position, the signs there and the blank before it, and the blank
// after the last one.
type matcher struct {
	lattice *lattice
	allowed [][]bool
}

// logTotal is the natural logarithm of the probability of all texts of the form together.
func (m *matcher) logTotal() float64 {
	n, k := len(m.allowed), m.lattice.classes-1
	prev, cur := new(states), new(states)
	for _, s := range []*states{prev, cur} {
		s.reserve(n, k)
		s.clear()
	}
	prev.blank[0] = 1
	logged := 0.0
	for t := range m.lattice.columns {
		p, sum := m.lattice.column(t), 0.0
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
	n, k := len(m.allowed), m.lattice.classes-1
	width := k + 1 // of a position: its blank, then its signs
	states := n*width + 1
	prev, cur := make([]float64, states), make([]float64, states)
	for i := range prev {
		prev[i] = math.Inf(-1)
	}
	prev[0] = 0
	from := make([]int32, m.lattice.columns*states)
	for t := range m.lattice.columns {
		p, back := m.lattice.column(t), from[t*states:(t+1)*states]
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
				cur[at], back[at] = prev[source]+logarithm(p[c]), int32(source)
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
	for t := m.lattice.columns - 1; t >= 0; t-- {
		if c := at % width; c > 0 {
			classes[at/width] = c
		}
		at = int(from[t*states+at])
	}
	return classes
}
