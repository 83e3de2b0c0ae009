package mrz

import "time"

// overruled is the share of the best symbol's evidence under which a symbol that a check digit or a date asked for
// counts as put in against clear ink: the field is doubtful then.
const overruled = 0.05

// cappedConfidence is the most that a field can have whose ink was overruled, failedConfidence the most with a failed
// check digit: either the ink or the digit is wrong, and nothing tells which.
const (
	cappedConfidence = 0.9
	failedConfidence = 0.5
)

// sights is the evidence for a whole zone.
type sights [3][44]sight

// decoder is the working memory of one Decode.
type decoder struct {
	format Format
	layout layout
	zone   Zone
	sights sights
	lines  [3][44]byte
	// shaped holds for grouped positions the symbol that ink and shape alone would have.
	shaped  [3][44]byte
	name    namePath
	speller speller
	groups  [maxGroups]group
	tables  [maxGroups]table
	offers  [maxGroups]outcome
}

// Decode finds the reading of a zone that its cells and the grammar support best: classes, known states, real dates and
// check digits, weighed together as probabilities. It never fails; noise gives a reading of low confidence. The lines
// always have the size of the format and hold only symbols of the class of their position, so that Parse of the lines
// means the same. Passport and visa, or card and visa, of one size are told apart by the first cell: the format of the
// reading may be the other one of the pair. A value that is no Format gives an empty reading. now chooses centuries by
// its calendar day in its own location.
//
// Confidence is the probability of a field's symbols among all readings of the zone that the model allows. A check
// digit that no reading near the ink meets is left as it is and reported as failed.
func Decode(z Zone, now time.Time) Reading {
	if z.Format.Lines() == 0 {
		return Reading{Format: z.Format}
	}
	d := &decoder{zone: z}
	d.look()
	d.layout = d.longNumber(d.format.layout())

	given := 1.0
	if at := d.layout.given; at.present() {
		given = d.decodeName(at)(0, at.size())
	}
	probability := d.decodeName(d.layout.name)
	code := d.decodeCode(d.layout.code)
	nationality := d.layout.nationality
	if !nationality.present() {
		nationality = d.layout.state
	}
	issuer, nation := d.decodeStates(d.layout.state, nationality)
	sex := d.decodeSex(d.layout.sex)
	confidence := d.decodeGroups(now)

	raw, lines := d.text()
	r := interpret(d.format, d.format.layout().resolve(lines), lines, raw, now)
	r.DocumentCode.Confidence, r.IssuingState.Confidence = code, issuer
	r.Nationality.Confidence, r.Sex.Confidence = nation, sex
	r.DocumentNumber.Confidence, r.BirthDate.Confidence = confidence[0], confidence[1]
	r.ExpiryDate.Confidence, r.Optional.Confidence, r.Optional2.Confidence = confidence[2], confidence[3], confidence[4]
	name := d.layout.name.start
	last := d.layout.name.size()
	r.Surname.Confidence = probability(0, min(r.Surname.End-name+2, last))
	if r.GivenNames.Confidence = given; !d.layout.given.present() {
		r.GivenNames.Confidence = probability(max(r.GivenNames.Start-name-2, 0), min(r.GivenNames.End-name+2, last))
	}
	d.explain(&r)
	return r
}

// cell is the evidence for a position, nil where the caller gave none.
func (d *decoder) cell(line, pos int) *Cell {
	if line >= len(d.zone.Cells) || pos >= len(d.zone.Cells[line]) {
		return nil
	}
	return &d.zone.Cells[line][pos]
}

// look takes in all cells, settles from the first one whether this is a visa, and weighs the evidence.
func (d *decoder) look() {
	f := d.zone.Format
	unrest := 0.0
	for line := range f.Lines() {
		for pos := range f.Width() {
			s := &d.sights[line][pos]
			s.look(d.cell(line, pos))
			unrest += 1 - s.belief[s.raw]
		}
	}
	unrest /= float64(f.Lines() * f.Width())
	first := &d.sights[0][0].belief
	visa, others := first['V'-'A'], 0.0
	for _, symbol := range []byte("PIAC") {
		others = max(others, first[symbol-'A'])
	}
	if visa != others {
		f = f.variant(visa > others)
	}
	if f == TD2 && d.begins(frenchCard) {
		f = FrenchID
	}
	d.format = f
	l := f.layout()
	classes := l.classes()
	for line := range l.lines {
		for pos := range l.width {
			d.sights[line][pos].weigh(classes[line][pos], unrest)
		}
	}
}

// begins reports whether the ink of the first line begins with these symbols, but for one at most.
func (d *decoder) begins(with string) bool {
	wrong := 0
	for i := range len(with) {
		if int(d.sights[0][i].raw) != Index(with[i]) {
			wrong++
		}
	}
	return wrong <= 1
}

// longNumber tells by the ink whether the document number runs over into the optional data, and lays the zone out so.
func (d *decoder) longNumber(l layout) layout {
	if !l.longNumber || d.sights[l.numberCheck.line][l.numberCheck.start].best() != filler {
		return l
	}
	run := 0
	for run < l.optional.size() && d.sights[l.optional.line][l.optional.start+run].best() != filler {
		run++
	}
	if run >= 2 {
		d.lines[l.numberCheck.line][l.numberCheck.start] = '<'
	}
	return l.long(run)
}

// decodeGroups reads the fields that check digits tie together and returns the probability of each: document number,
// birth, expiry, optional data, second optional data.
func (d *decoder) decodeGroups(now time.Time) [maxGroups]float64 {
	l := &d.layout
	comp := l.compositeWeights()
	d.groups = [maxGroups]group{
		newGroup(l.numberCheck, &comp, l.number, l.continuation),
		newGroup(l.birthCheck, &comp, l.birth),
		newGroup(l.expiryCheck, &comp, l.expiry),
		newGroup(l.optionalCheck, &comp, l.optional),
		newGroup(span{}, &comp, l.optional2),
	}
	number := &numberShape
	switch {
	case d.format == FrenchID:
		number = &frenchNumberShape
	case l.state.text(d.strings()) == "EGY" && d.format == TD3:
		number = &egyptNumberShape
	}
	d.speller.spell(&d.groups[0], number, &d.sights, &d.tables[0])
	dates(&d.groups[1], &d.sights, func(yy int) bool {
		return daysIn(birthYear(yy, 2, 29, now), 2) == 29
	}, &d.tables[1])
	if l.expiry.present() {
		dates(&d.groups[2], &d.sights, func(yy int) bool { return daysIn(expiryYear(yy, now), 2) == 29 }, &d.tables[2])
	} else {
		d.speller.spell(&d.groups[2], &optionalShape, &d.sights, &d.tables[2])
	}
	d.speller.spell(&d.groups[3], &optionalShape, &d.sights, &d.tables[3])
	d.speller.spell(&d.groups[4], &optionalShape, &d.sights, &d.tables[4])
	for i := range d.groups {
		d.offers[i] = d.groups[i].offer(&d.tables[i], &d.sights)
	}
	return d.settle()
}

// settle chooses among all groups at once, writes the choice, and returns the probability of each group's word. A choice
// that is less probable than not, or that moves a symbol against clear ink, gives way to the ink; its check digit fails.
func (d *decoder) settle() (confidence [maxGroups]float64) {
	comp := d.layout.compositeWeights()
	c := newComposite(d.layout.compositeCheck, &d.sights)
	c.shift(d.apart(&comp))
	residue, symbol := choose(d.offers[:], &c)
	if at := d.layout.compositeCheck; at.present() {
		d.lines[at.line][at.start] = Alphabet[symbol]
	}
	for i := range d.groups {
		g, t := &d.groups[i], &d.tables[i]
		others := support(d.offers[:], &c, i)
		chosen := d.offers[i].pick[residue[i]]
		ink := t.likeliest()
		confidence[i] = d.posterior(i, chosen.place, &others)
		if confidence[i] < 0.5 || d.movesClearInk(g, &t[chosen.place].word, &t[ink].word) {
			chosen = pick{ink, d.bestCheck(g)}
			confidence[i] = d.posterior(i, ink, &others)
		}
		if g.checked && d.sights[g.check.line][g.check.pos].belief[chosen.check] < failing {
			chosen.check = d.bestCheck(g)
		}
		d.write(g, &t[chosen.place].word, chosen.check)
		for k, s := range t[ink].word[:g.n] {
			d.shaped[g.slots[k].line][g.slots[k].pos] = Alphabet[s]
		}
	}
	return confidence
}

// apart is the residue of what the composite check digit covers beside the groups, as it was read: the names and codes of a FrenchID.
func (d *decoder) apart(comp *weights) (sum int) {
	for i := range d.groups {
		g := &d.groups[i]
		for _, sl := range g.slots[:g.n] {
			comp[sl.line][sl.pos] = 0
		}
		if g.checked {
			comp[g.check.line][g.check.pos] = 0
		}
	}
	for line := range comp {
		for pos, w := range comp[line] {
			if i := Index(d.lines[line][pos]); w > 0 && i >= 0 {
				sum += w * value(i)
			}
		}
	}
	return sum % 10
}

// movesClearInk reports whether a word puts a symbol that the ink all but excludes where the word of the ink has another.
func (d *decoder) movesClearInk(g *group, chosen, ink *word) bool {
	for k := range g.n {
		sl := &g.slots[k]
		if chosen[k] != ink[k] && d.sights[sl.line][sl.pos].belief[chosen[k]] < failing {
			return true
		}
	}
	return false
}

// likeliest is the place whose best word is the most probable without any check digit.
func (t *table) likeliest() int {
	place := 0
	for i := range t {
		if t[i].best > t[place].best {
			place = i
		}
	}
	return place
}

// bestCheck is the best symbol of a group's check digit by its ink alone.
func (d *decoder) bestCheck(g *group) int {
	best, top := -1, 0.0
	g.checkSymbols(&d.sights, func(check int, q float64) {
		if q > top {
			best, top = check, q
		}
	})
	return best
}

// posterior is the probability of the best word of a place among all readings; others is what supports each residue.
func (d *decoder) posterior(i, place int, others *ring) float64 {
	mass, all := 0.0, 0.0
	d.groups[i].checkSymbols(&d.sights, func(check int, q float64) {
		mass += q * d.groups[i].trust(place, check) * others[d.groups[i].leaves(place, check)]
	})
	for r, m := range d.offers[i].mass {
		all += m * others[r]
	}
	if all == 0 {
		return 0
	}
	return min(1, mass*d.tables[i][place].best/all)
}

// write puts a word and its check digit into the lines.
func (d *decoder) write(g *group, w *word, check int) {
	for k, s := range w[:g.n] {
		d.lines[g.slots[k].line][g.slots[k].pos] = Alphabet[s]
	}
	if g.checked {
		d.lines[g.check.line][g.check.pos] = Alphabet[check]
	}
}

// strings is the lines as they stand.
func (d *decoder) strings() []string {
	lines := make([]string, d.format.Lines())
	for i := range lines {
		lines[i] = string(d.lines[i][:d.format.Width()])
	}
	return lines
}

// text is the best symbols of the ink and the lines.
func (d *decoder) text() (raw, lines []string) {
	raw = make([]string, d.format.Lines())
	for i := range raw {
		var row [44]byte
		for pos := range d.format.Width() {
			row[pos] = Alphabet[d.sights[i][pos].raw]
		}
		raw[i] = string(row[:d.format.Width()])
	}
	return raw, d.strings()
}
