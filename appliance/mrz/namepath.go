package mrz

// The states of a name field while it is read from the left.
const (
	nameStart     = iota
	surnameLetter // in the primary identifier
	surnameFiller // after one filler there
	separator     // after the two fillers that end it
	givenLetter   // in the given names
	givenFiller   // after one filler there
	givenTwo      // after two
	tail          // in the fillers up to the end
	nameStates
)

// namePriors says from each state how probable a letter is and where it leads, and where a filler leads. Second double
// fillers and letters after the tail began are rare, so that a filler misread as K or C in the tail is put right.
var namePriors = [nameStates]struct {
	letter             float64
	onLetter, onFiller int
}{
	nameStart:     {0.999, surnameLetter, nameStart},
	surnameLetter: {0.85, surnameLetter, surnameFiller},
	surnameFiller: {0.3, surnameLetter, separator},
	separator:     {0.97, givenLetter, tail},
	givenLetter:   {0.82, givenLetter, givenFiller},
	givenFiller:   {0.5, givenLetter, givenTwo},
	givenTwo:      {0.01, givenLetter, tail},
	tail:          {0.001, givenLetter, tail},
}

// namePath is the working memory of reading a name: per position the best way into each state and the mass of all ways
// from the left (scaled to sum 1) and to the right.
type namePath struct {
	best, left, right [45][nameStates]float64
	from              [45][nameStates]int8
	state             [45]int     // of the chosen way; state[i] is before position i
	symbol            [44]int     // chosen
	letter            [44]int     // best letter of each position
	top, sum, pad     [44]float64 // of each position: best letter, all letters, filler
}

// decodeName reads the name field and returns a function that gives the probability of a part of it.
func (d *decoder) decodeName(at span) func(start, end int) float64 {
	p := &d.name
	n := at.size()
	p.weigh(at, &d.sights)
	p.forward(n)
	p.backward(n)
	for i, s := range p.symbol[:n] {
		d.lines[at.line][at.start+i] = Alphabet[s]
	}
	return func(start, end int) float64 { return p.probability(start, end, n) }
}

// weigh sums up the evidence of each position.
func (p *namePath) weigh(at span, sights *sights) {
	for i := range at.size() {
		b := &sights[at.line][at.start+i].belief
		p.letter[i], p.top[i], p.sum[i] = 0, 0, 0
		for s, q := range b[:firstDigit] {
			p.sum[i] += q / firstDigit
			if q/firstDigit > p.top[i] {
				p.letter[i], p.top[i] = s, q/firstDigit
			}
		}
		p.pad[i] = b[filler]
	}
}

// forward finds the best way and the masses from the left.
func (p *namePath) forward(n int) {
	p.best[0] = [nameStates]float64{1}
	p.left[0] = [nameStates]float64{1}
	for i := range n {
		p.best[i+1], p.left[i+1] = [nameStates]float64{}, [nameStates]float64{}
		reach := func(from, to int, best, mass float64) {
			p.left[i+1][to] += p.left[i][from] * mass
			if b := p.best[i][from] * best; b > p.best[i+1][to] {
				p.best[i+1][to], p.from[i+1][to] = b, int8(from)
			}
		}
		for s, prior := range namePriors {
			reach(s, prior.onLetter, prior.letter*p.top[i], prior.letter*p.sum[i])
			reach(s, prior.onFiller, (1-prior.letter)*p.pad[i], (1-prior.letter)*p.pad[i])
		}
		scale(&p.best[i+1])
		scale(&p.left[i+1])
	}
	for s, best := range p.best[n] {
		if best > p.best[n][p.state[n]] {
			p.state[n] = s
		}
	}
	for i := n; i > 0; i-- {
		to := p.state[i]
		p.state[i-1] = int(p.from[i][to])
		p.symbol[i-1] = p.letter[i-1]
		if to == namePriors[p.state[i-1]].onFiller {
			p.symbol[i-1] = filler
		}
	}
}

// backward finds the masses to the right.
func (p *namePath) backward(n int) {
	for s := range p.right[n] {
		p.right[n][s] = 1
	}
	for i := n - 1; i >= 0; i-- {
		for s, prior := range namePriors {
			p.right[i][s] = prior.letter*p.sum[i]*p.right[i+1][prior.onLetter] +
				(1-prior.letter)*p.pad[i]*p.right[i+1][prior.onFiller]
		}
		scale(&p.right[i])
	}
}

// probability is that of the chosen symbols at start to end, read as the parts of a name that they were chosen as: the
// mass of the ways through them over the mass of all ways.
func (p *namePath) probability(start, end, n int) float64 {
	if start >= end {
		return 1
	}
	mass := [nameStates]float64{}
	mass[p.state[start]] = p.left[start][p.state[start]]
	all := p.left[start]
	for i := start; i < end; i++ {
		var onward, allOnward [nameStates]float64
		for s, prior := range namePriors {
			letter, pad := prior.letter*p.top[i], (1-prior.letter)*p.pad[i]
			if p.symbol[i] == filler {
				onward[prior.onFiller] += mass[s] * pad
			} else {
				onward[prior.onLetter] += mass[s] * letter
			}
			allOnward[prior.onLetter] += all[s] * prior.letter * p.sum[i]
			allOnward[prior.onFiller] += all[s] * pad
		}
		mass, all = onward, allOnward
	}
	chosen, total := 0.0, 0.0
	for s := range mass {
		chosen += mass[s] * p.right[end][s]
		total += all[s] * p.right[end][s]
	}
	if total == 0 {
		return 0
	}
	return chosen / total
}

// scale makes the values sum to 1.
func scale(values *[nameStates]float64) {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	if sum == 0 {
		return
	}
	for i := range values {
		values[i] /= sum
	}
}
