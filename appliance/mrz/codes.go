package mrz

// foreign is how probable it is that a document names another nationality than its issuing state.
const foreign = 0.1

// strange is how probable it is that a state code is none that this package knows.
const strange = 1e-3

// stateWeights is the evidence for each known code in a span, for the best three symbols as an unknown code, and for all.
type stateWeights struct {
	known   [stateCount]float64
	against [stateCount]bool // the code moves a symbol against clear ink: it counts as a possibility, but is not chosen
	other   float64
	sum     float64
	best    [3]int // the symbols of other
}

func weighStates(at span, sights *sights) (w stateWeights) {
	var b [3]*belief
	w.other, w.sum = strange, strange
	for i := range b {
		b[i] = &sights[at.line][at.start+i].belief
		w.best[i] = b[i].best()
		w.other *= b[i][w.best[i]] / firstDigit
		sum := 0.0
		for _, q := range b[i] {
			sum += q
		}
		w.sum *= sum / firstDigit
	}
	for i := range w.known {
		code := stateCode(i)
		x, y, z := b[0][Index(code[0])], b[1][Index(code[1])], b[2][Index(code[2])]
		w.known[i] = x * y * z / float64(stateCount)
		w.against[i] = min(x, y, z) < failing
		w.sum += w.known[i]
	}
	return w
}

// likeliest is the place of the best code that may be chosen, -1 the unknown one. The unknown one is taken only where no
// known code is near the ink.
func (w *stateWeights) likeliest() int {
	place, top := -1, 0.0
	for i, p := range w.known {
		if p > top && !w.against[i] {
			place, top = i, p
		}
	}
	if top < w.other {
		return -1
	}
	return place
}

// at is the evidence for a code, -1 the unknown one.
func (w *stateWeights) at(i int) float64 {
	if i < 0 {
		return w.other
	}
	return w.known[i]
}

// word is the symbols of a code, -1 the unknown one.
func (w *stateWeights) word(i int) (out [3]int) {
	if i < 0 {
		return w.best
	}
	for k := range out {
		out[k] = Index(stateCode(i)[k])
	}
	return out
}

// decodeStates reads issuing state and nationality together: known codes before unknown ones, equal ones before
// different ones. It returns the probability of each.
func (d *decoder) decodeStates(issuing, nationality span) (issuer, nation float64) {
	a, b := weighStates(issuing, &d.sights), weighStates(nationality, &d.sights)
	allA, allB := a.sum, b.sum
	var together [stateCount]float64
	same := 0.0
	for i := range together {
		together[i] = a.known[i] * b.known[i] * float64(stateCount)
		same += together[i]
	}
	total := (1-foreign)*same + foreign*allA*allB

	topA, topB := a.likeliest(), b.likeliest()
	best := foreign * a.at(topA) * b.at(topB)
	for i, p := range together {
		if p *= 1 - foreign; p > best && !a.against[i] && !b.against[i] {
			topA, topB, best = i, i, p
		}
	}
	d.set(issuing, a.word(topA))
	d.set(nationality, b.word(topB))
	return share(&a, topA, together[:], allB) / total, share(&b, topB, together[:], allA) / total
}

// share is the mass of the cases in which a code is the one at place i; all is the mass of the other field.
func share(w *stateWeights, i int, together []float64, all float64) float64 {
	if i < 0 {
		return foreign * w.other * all
	}
	return (1-foreign)*together[i] + foreign*w.known[i]*all
}

// codePrior is the probability of a document code's first letter in a format.
func codePrior(f Format, symbol byte) float64 {
	likely := ""
	switch f {
	case TD1, TD2:
		likely = "ICAP"
	case TD3:
		likely = "P"
	case MRVA, MRVB:
		likely = "V"
	case FrenchID:
		likely = "I"
	}
	for i := range len(likely) {
		if likely[i] == symbol {
			return 0.97 / float64(len(likely))
		}
	}
	return 0.03 / 25
}

// decodeCode reads the document code and returns its probability.
func (d *decoder) decodeCode(at span) float64 {
	return d.pickOne(at.line, at.start, func(symbol byte) float64 { return codePrior(d.format, symbol) }) *
		d.pickOne(at.line, at.start+1, func(symbol byte) float64 {
			if symbol == '<' && d.format != FrenchID || symbol == 'D' && d.format == FrenchID {
				return 0.9
			}
			return 0.1 / 26
		})
}

// decodeSex reads the sex and returns its probability.
func (d *decoder) decodeSex(at span) float64 {
	return d.pickOne(at.line, at.start, func(symbol byte) float64 {
		switch symbol {
		case '<':
			return 0.02
		case 'X':
			return 0.001
		}
		return 0.49
	})
}

// pickOne sets one position to its most probable symbol under a prior and returns its probability.
func (d *decoder) pickOne(line, pos int, prior func(symbol byte) float64) float64 {
	best, top, sum := filler, 0.0, 0.0
	for i, q := range d.sights[line][pos].belief {
		if q == 0 {
			continue
		}
		p := q * prior(Alphabet[i])
		sum += p
		if p > top {
			best, top = i, p
		}
	}
	d.lines[line][pos] = Alphabet[best]
	return top / sum
}

// set writes three symbols.
func (d *decoder) set(at span, symbols [3]int) {
	for i, s := range symbols {
		d.lines[at.line][at.start+i] = Alphabet[s]
	}
}
