package number

import (
	"math"
	"slices"
	"time"
)

// Decode finds the number that its cells, the grammar and the other evidence support best: century, a real day of
// the past, a governorate, and softly the check digit, the printed birth date, the printed sex and the number as read on
// the other side. It weighs all numbers of the grammar exactly, and against them the possibility that the text breaks
// the grammar, so that clear ink is never repaired away: such a print comes back as it is, with codes 3001 to 3003.
// Cells that are not fourteen give what was read with code 3001, none at all give "". It only reads its arguments.
//
// Where one string is likelier than all others together, Value is that string, unless it overrules clear ink.
func Decode(cells []Cell, e Evidence) Reading {
	own := believeAll(cells)
	n := Reading{Raw: printed(own)}
	if len(own) != Length {
		if n.Value = e.Text; n.Value == "" {
			n.Value = n.Raw
		}
		if n.Value != "" {
			n.judge(&e)
		}
		return n
	}
	d := newDecoder((*weights)(own), &e)
	d.decide(&n, e.Text)
	if e.Score != nil && d.length < sureLength {
		d.decideByScore(&n, &e)
	}
	d.explain(&n, e.Text)
	n.judge(&e)
	if d.birthDiffers(&n) {
		n.Codes = append(n.Codes, CodeBirthMismatch)
		slices.Sort(n.Codes)
	}
	return n
}

// term is one account of the evidence: a prior and a weight for each digit. Together the terms are a mixture.
type term struct {
	prior float64
	cells weights
	chart *chart
}

// decoder is the working memory of one Decode. The birth date and the other side each either agree with the number or
// fit something else as well as can be, so that each term is a product over digits.
type decoder struct {
	today    time.Time
	calendar calendar
	own      *weights
	other    *weights // scaled so that its best digits weigh 1; nil where it was not read
	birth    []belief // nil where it was not read
	sexed    bool     // the printed sex is known
	sides    []term   // without birth date and sex; their charts are nil
	terms    []term   // with all evidence
	length   float64  // probability of fourteen digits
	broken   float64  // weight of one string that breaks the grammar
}

func newDecoder(own *weights, e *Evidence) *decoder {
	d := &decoder{today: e.Today, calendar: newCalendar(e.Today), own: own, sexed: e.Sex == Male || e.Sex == Female}
	if d.length = math.Exp(min(e.Length, 0)); math.IsNaN(d.length) {
		d.length = 0
	}
	d.broken = strange / (float64(max(d.calendar.count, 1)) * float64(len(Governorates())) * 1e5)

	d.sides = []term{{prior: 1, cells: *own}}
	if len(e.Other) == Length {
		d.other = (*weights)(believeAll(e.Other))
		d.other.scale()
		d.sides = d.sides[0].split(otherAgrees, d.other)
	}
	for _, side := range d.sides {
		if d.sexed {
			weighSex(&side.cells[12], e)
		}
		if len(e.Birth) == 8 {
			d.birth = believeAll(e.Birth)
			d.terms = append(d.terms, side.split(birthAgrees, birthWeights(d.birth))...)
		} else {
			d.terms = append(d.terms, side)
		}
	}
	for i := range d.terms {
		d.terms[i].chart = newChart(&d.terms[i].cells, &d.calendar)
	}
	return d
}

// split makes two terms of one: by a share the further weights agree, else they say nothing.
func (t term) split(agrees float64, further *weights) []term {
	with := t
	for i := range with.cells {
		for k := range with.cells[i] {
			with.cells[i][k] *= further[i][k]
		}
	}
	t.prior *= 1 - agrees
	with.prior *= agrees
	return []term{t, with}
}

// scale makes the greatest weight of each digit 1.
func (w *weights) scale() {
	for i := range w {
		top := w[i][w[i].best()]
		for k := range w[i] {
			w[i][k] /= top
		}
	}
}

// birthWeights turns the printed date YYYYMMDD into weights for a number, scaled; the other digits weigh 1.
func birthWeights(birth []belief) *weights {
	var w weights
	for i := range w {
		for k := range w[i] {
			w[i][k] = 1
		}
	}
	w[0] = belief{2: birth[0][1] * birth[1][9], 3: birth[0][2] * birth[1][0]}
	copy(w[1:], birth[2:])
	top := birth[0][birth[0].best()] * birth[1][birth[1].best()]
	w[0][2] /= top
	w[0][3] /= top
	rest := w
	rest.scale()
	copy(w[1:], rest[1:])
	return &w
}

// weighSex turns the printed sex into factors of at most 1 for the digit that tells the sex.
func weighSex(cell *belief, e *Evidence) {
	sure := min(e.SexConfidence, 1)
	if !(sure > 0) { // none is given, or one that is no probability
		sure = sexRead
	}
	agree := sure*sexAgrees + (1-sure)*(1-sexAgrees)
	for i := range cell {
		if (i%2 == 1) == (e.Sex == Male) {
			cell[i] *= agree
		} else {
			cell[i] *= 1 - agree
		}
	}
}

// weigh is the weight of any fourteen digits, and whether they keep the grammar.
func (d *decoder) weigh(n *number14) (weight float64, valid bool) {
	prior, valid := d.calendar.prior(n)
	list := d.terms
	if !valid {
		prior, list = d.broken, d.sides
	}
	for i := range list {
		weight += list[i].prior * list[i].cells.weigh(n)
	}
	return prior * weight, valid
}

// grammar reports whether a number has a century, a day of birth and a governorate.
func (c *calendar) grammar(n *number14) bool {
	_, valid := c.prior(n)
	return valid
}

// prior is the probability of a number before any evidence; it is not valid where it breaks the grammar.
func (c *calendar) prior(n *number14) (p float64, valid bool) {
	if n[0] != 2 && n[0] != 3 {
		return 0, false
	}
	year := firstYear + 100*int(n[0]-2) + 10*int(n[1]) + int(n[2])
	if !c.holds(year, 10*int(n[3])+int(n[4]), 10*int(n[5])+int(n[6])) {
		return 0, false
	}
	place := slices.IndexFunc(Governorates(), func(g Governorate) bool {
		return g.Code[0] == '0'+n[7] && g.Code[1] == '0'+n[8]
	})
	if place < 0 {
		return 0, false
	}
	residue := 0
	for i, digit := range n[:Length-1] {
		residue += int(digit) * checkWeight(i)
	}
	return c.yearPrior(year) * governoratePrior(place) * 1e-4 * checkPrior(int(n[0]-2), residue%11, int(n[13])), true
}

// decide chooses the value and finds its probability.
func (d *decoder) decide(n *Reading, text string) {
	var raw number14
	for i := range raw {
		raw[i] = byte(d.own[i].best())
	}
	value := raw
	weight, valid := d.weigh(&raw)
	whole := 0.0
	for i := range d.terms {
		whole += d.terms[i].prior * d.terms[i].chart.total
		c := d.terms[i].chart.best()
		if w, ok := d.weigh(&c); ok && w > weight && !d.overrules(&c, &raw) {
			value, weight, valid = c, w, ok
		}
	}
	broken := d.brokenMass()
	// A print of another length weighs as much as a broken number that fits its ink.
	elsewise := d.broken * (1 - d.length)
	total := d.length*(whole+broken) + elsewise
	if elsewise > d.length*weight {
		if n.Value = n.Raw; text != "" && len(text) != Length {
			n.Value, n.Confidence = text, elsewise/total
		}
		return
	}
	n.Value, n.Confidence = value.String(), min(1, d.length*weight/total)
	d.certify(n, &value, valid, d.length/total, broken)
}

// overrules reports whether a number puts a digit in place of one that is clear.
func (d *decoder) overrules(n, raw *number14) bool {
	for i, digit := range n {
		if d.own[i][digit] < overruled*d.own[i][raw[i]] {
			return true
		}
	}
	return false
}

// brokenMass is the weight of all strings of fourteen digits that break the grammar.
func (d *decoder) brokenMass() float64 {
	mass := 0.0
	for i := range d.sides {
		all := 1.0
		for k := range d.sides[i].cells {
			all *= d.sides[i].cells[k].sum()
		}
		mass += d.sides[i].prior * max(0, all-d.calendar.grammatical(&d.sides[i].cells))
	}
	return d.broken * mass
}

// grammatical is the weight of all strings that keep the grammar, without any prior.
func (c *calendar) grammatical(cells *weights) float64 {
	var days [13][32]float64 // of the first days of each month together
	for m := 1; m <= 12; m++ {
		for d := 1; d <= 31; d++ {
			days[m][d] = days[m][d-1] + cells[3][m/10]*cells[4][m%10]*cells[5][d/10]*cells[6][d%10]
		}
	}
	dates := 0.0
	for year := firstYear; year <= c.finalYear(); year++ {
		digits, kind := yearDigits(year), c.kind(year)
		weight := cells[0][digits[0]] * cells[1][digits[1]] * cells[2][digits[2]]
		for m := 1; m <= 12; m++ {
			dates += weight * days[m][c.daysOfKind(kind, m)]
		}
	}
	places := 0.0
	for _, g := range Governorates() {
		places += cells[7][g.Code[0]-'0'] * cells[8][g.Code[1]-'0']
	}
	weight := dates * places
	for i := 9; i < Length; i++ {
		weight *= cells[i].sum()
	}
	return weight
}

// certify fills in how sure each part of fourteen digits is; scale turns weights into probabilities, broken is the weight
// of all strings that break the grammar.
func (d *decoder) certify(n *Reading, value *number14, valid bool, scale, broken float64) {
	var c certainty
	if valid {
		for i := range d.terms {
			d.terms[i].chart.share(value, d.terms[i].prior, &c)
		}
	}
	for i, digit := range value {
		n.Digits[i] = min(1, scale*(c.digits[i]+broken*d.own[i][digit]))
	}
	n.Birth, n.Place, n.Sex = n.Confidence, n.Confidence, n.Confidence
	if valid {
		n.Birth, n.Place, n.Sex = min(1, scale*c.birth), min(1, scale*c.place), min(1, scale*c.sex)
	}
}
