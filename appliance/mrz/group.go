package mrz

// failing is how probable it is, before looking, that a printed check digit does not fit what it covers: the document
// is wrong, or a symbol was misread beyond everything that evidence weighs. It is the budget of a repair: no check digit
// moves a symbol to one that has less than this share of the best one's evidence; the ink stays and the check is
// reported as failed.
const failing = 5e-4

// faint leaves out symbols of a position that are this much less probable than its best one: in a calm zone all that rest
// on blur alone.
const faint = 3e-6

// kind is what a symbol does to the shape of a field: letter, digit, filler; blank is "only fillers so far".
type kind int

const (
	letter kind = iota
	digit
	pad
	blank
	kinds
)

// shape is how fields of one sort are formed: shape[before][now] is the probability of the kind of the next symbol, shared
// among the symbols of that kind; before is blank at the start. The figures are coarse judgement, meant to break ties:
// clear ink outweighs any of them.
type shape [kinds][blank]float64

var (
	// numberShape: one or more letters, then digits, padded; letters among digits and inner fillers are rare.
	numberShape = shape{{0.45, 0.53, 0.02}, {0.08, 0.88, 0.04}, {0.01, 0.01, 0.98}, {0.5, 0.499, 0.001}}
	// egyptNumberShape: a letter and eight digits (reported of Egyptian passports, see the reference of the project).
	egyptNumberShape = shape{{0.02, 0.96, 0.02}, {0.02, 0.96, 0.02}, {0.02, 0.02, 0.96}, {0.96, 0.03, 0.01}}
	// frenchNumberShape: twelve digits, but for the letter of a department of Corsica.
	frenchNumberShape = shape{{0.02, 0.96, 0.02}, {0.01, 0.98, 0.01}, {0.02, 0.96, 0.02}, {0.01, 0.98, 0.01}}
	// optionalShape: mostly empty; else letters or digits in runs, padded.
	optionalShape = shape{{0.6, 0.3, 0.1}, {0.08, 0.8, 0.12}, {0.02, 0.03, 0.95}, {0.1, 0.3, 0.6}}
)

// kindOf is the kind of a symbol after a kind.
func kindOf(symbol int, before kind) kind {
	switch {
	case symbol < firstDigit:
		return letter
	case symbol < filler:
		return digit
	case before == blank:
		return blank
	}
	return pad
}

// prior is the shape's probability of a symbol after a kind.
func (s *shape) prior(before kind, symbol int) float64 {
	switch {
	case symbol < firstDigit:
		return s[before][letter] / 26
	case symbol < filler:
		return s[before][digit] / 10
	}
	return s[before][pad]
}

// slot is one position of a group with its weights under the group's own check digit and under the composite one; 0 is
// not covered.
type slot struct {
	line, pos int
	own, comp int
}

// maxSlots is the longest group: nine symbols of a document number and fourteen more of its continuation.
const maxSlots = 24

// group is a field that check digits tie together: its symbols and the position of its own check digit.
type group struct {
	slots [maxSlots]slot
	n     int
	check slot
	// checked is false for a group without a check digit of its own.
	checked bool
}

// add appends a span to the group; own counts on in the weights of the group's check digit.
func (g *group) add(s span, comp *weights) {
	for pos := s.start; pos < s.end; pos++ {
		g.slots[g.n] = slot{s.line, pos, 0, comp[s.line][pos]}
		if g.checked {
			g.slots[g.n].own = weight(g.n)
		}
		g.n++
	}
}

// newGroup makes the group of a field; check may be absent.
func newGroup(check span, comp *weights, fields ...span) group {
	g := group{checked: check.present()}
	if g.checked {
		g.check = slot{line: check.line, pos: check.start, comp: comp[check.line][check.start]}
	}
	for _, field := range fields {
		g.add(field, comp)
	}
	return g
}

// weights holds the weight of each position under the composite check digit, 0 where it does not reach.
type weights [3][44]int

func (l *layout) compositeWeights() (w weights) {
	i := 0
	for _, part := range l.composite[:l.compositeParts] {
		for pos := part.start; pos < part.end; pos++ {
			w[part.line][pos] = weight(i)
			i++
		}
	}
	return w
}
