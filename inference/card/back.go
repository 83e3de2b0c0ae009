package card

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/bawab/bawab/appliance/egypt"
)

// backPrint is what the lines of a national ID's back are: empty where nothing was found.
type backPrint struct {
	datedNumber
	jobs          []entry
	numbered      bool    // the number stands at the top, where only such cards have it
	foot          float64 // below which there is no text but the bar code, as a share of the card's height
	labelled      bool    // a label said where the occupation begins
	employerAlone bool    // labels said that the only one of jobs is the second line
	announced     bool    // labels said what is what; the status is in the order of sex, religion, marital state then
	status        []entry // sex, religion, marital state in whatever order
	stray         bool    // something else stands between them
	unclear       bool    // what stands below them may be an occupation or the husband
	husband       entry
	expiry        figures
	expiryRow     row
}

// readBack finds out which line of a back is which, and reads them: the row of the number comes first, the one with the
// expiry last, and the row of status words mostly parts the occupation above it from the husband's name below.
func (s *sheet) readBack(ctx context.Context, jobs, names *egypt.Wording) (p backPrint, err error) {
	s.rows = withoutMargin(s.rows)
	place, _ := egypt.At(egypt.Back(), egypt.RoleNumber)
	var at int
	if p.datedNumber, at, err = s.numberRowOf(ctx, 0, place.Y+2*place.DY); err != nil {
		return p, err
	}
	lines, err := s.readBackLines(ctx, &p, at)
	if err != nil {
		return p, err
	}
	if introducedBack(lines) {
		err = s.readIntroduced(ctx, &p)
	} else {
		p.assign(lines, jobs, names)
		err = s.introduced(ctx, &p)
	}
	if err != nil {
		return p, err
	}
	if err := s.withoutStatusSigns(ctx, &p); err != nil {
		return p, err
	}
	if err := s.withoutStatusLabels(ctx, &p); err != nil {
		return p, err
	}
	if (at >= 0 || p.announced) && p.statesHolder() { // licences and badges do not
		s.named = true
	}
	if !p.numbered && !s.named { // any card may show its holder's number somewhere
		p.number, p.numberRow = nil, nil
	}
	if err := s.fillStatus(ctx, &p); err != nil {
		return p, err
	}
	if err := s.readFurther(ctx, &p.husband); err != nil {
		return p, err
	}
	if err := s.readAllFurther(ctx, p.jobs); err != nil {
		return p, err
	}
	if err := s.readAllStrange(ctx, jobs, p.jobs); err != nil {
		return p, err
	}
	return p, s.readAllFurther(ctx, p.status)
}

// readBackLines reads the lines between the number, which is row at, and the expiry, which it reads as well. Where the number stands in another place than at the top, they may
// stand above it, too, and down to the edge.
func (s *sheet) readBackLines(ctx context.Context, p *backPrint, at int) (lines []entry, err error) {
	rows, top, lowest, err := s.backRows(ctx, p, at)
	if err != nil {
		return nil, err
	}
	var seen []row
	for _, r := range rows {
		r = slices.DeleteFunc(slices.Clone(r), func(l piece) bool { return p.inDate(l) || l.inside(p.expiryRow) })
		if len(r) == 0 || r.y() <= top || r.y() > p.foot || r.right()-r.left() < 0.03 {
			continue
		}
		seen = append(seen, r)
		parts, err := s.readBackLine(ctx, p, r, len(lines) == 0)
		if err != nil {
			return nil, err
		}
		expires := false
		for _, e := range parts {
			role, err := s.takeDate(ctx, p, e, len(lines) == 0)
			if err != nil {
				return nil, err
			}
			expires = expires || role == egypt.LabelExpires
			if role == "" && (len(e.row) > 1 || arabicLetters(e.text) > 0) {
				lines = append(lines, e)
			}
		}
		if expires && len(lines) > 0 && r.y() > lowest { // the last line, but for the release
			break
		}
		if expires { // others follow where most cards have their bar code
			p.foot = 1
		}
	}
	return s.readFoot(ctx, p, lines, seen)
}

// backRows are the rows of a back in which its lines may stand: below top where the number heads the card, else all others; lowest is where the number stands that does not.
func (s *sheet) backRows(ctx context.Context, p *backPrint, at int) (rows []row, top, lowest float64, err error) {
	place, _ := egypt.At(egypt.Back(), egypt.RoleNumber)
	barcode, _ := egypt.At(egypt.Back(), egypt.RoleBarcode)
	rows, p.foot = s.rows, barcode.Y-barcode.DY
	switch {
	case at >= 0 && rows[at].y() > place.Y+2*place.DY: // as on licences, which have such numbers, too
		lowest = rows[at].y()
		rows, p.foot = slices.Delete(slices.Clone(rows), at, at+1), 1
	case at >= 0:
		top, p.numbered = rows[at].y()+rows[at].height()/2/viewHeight, true
		err = s.readHighExpiry(ctx, p, rows[:at])
	}
	return rows, top, lowest, err
}

// numberLabels are the wordings of labels of the national number.
var numberLabels = sync.OnceValue(func() []egypt.Phrase { return egypt.PhrasesOf(egypt.LabelNumber) })

// readBackLine reads a row, the first of the lines or a further one, and parts it where it holds several; none where it is no line.
func (s *sheet) readBackLine(ctx context.Context, p *backPrint, r row, first bool) (parts []entry, err error) {
	e := entry{row: r}
	if e.script, err = s.readWords(ctx, r); err != nil {
		return nil, err
	}
	if e.confidence < hardlyInk { // what it says decides what it is
		if err := s.readFurther(ctx, &e); err != nil {
			return nil, err
		}
	}
	if err := s.withoutLatin(ctx, &e); err != nil {
		return nil, err
	}
	if e.dropScraps() && e.isStatus() {
		p.stray = true
	}
	// Below others, or the number, an office employs the holder.
	office := isTitle(e.text) && !p.numbered && first
	short := e.confidence < crumb && arabicLetters(e.text) <= shortWord && !anyDigit(e.text) // no occupation is
	if !e.worded() || e.confidence < scrap && !e.holdsDate() || office || e.ofDots() || e.only(numberLabels()) || short {
		return nil, nil
	}
	return s.apart(ctx, e)
}

// readFoot reads what stands below the lines of a back, of which seen are all rows that were looked at, and returns the lines with those found there.
func (s *sheet) readFoot(ctx context.Context, p *backPrint, lines []entry, seen []row) ([]entry, error) {
	if p.expiry == nil {
		if err := s.readLowExpiry(ctx, p); err != nil {
			return nil, err
		}
		low, err := s.readLowLines(ctx, p, lines)
		if err != nil {
			return nil, err
		}
		lines = append(lines, low...)
	}
	if p.expiry == nil {
		if err := s.seekExpiry(ctx, p, seen); err != nil {
			return nil, err
		}
		lines = slices.DeleteFunc(lines, func(e entry) bool { return p.expiry != nil && e.y() >= p.expiryRow.y()-0.02 })
	}
	if p.expiry != nil && (p.date == nil || !p.numbered) {
		return lines, s.readReleaseBelow(ctx, p)
	}
	return lines, nil
}

// ofDots reports whether a line is a row of dots, which are read as zeros.
func (e entry) ofDots() bool { return digitsIn(e.text) > 2*dayDigits && arabicLetters(e.text) == 0 }

// stretch reads what of a piece lies between two shares of it.
func (s *sheet) stretch(ctx context.Context, p piece, from, to float64) (e entry, err error) {
	e.row = row{piece{cut(p.Line, from, to)}}
	e.script, err = s.readWords(ctx, e.row)
	return e, err
}

// introduced cuts off the labels of the occupation and of the husband's name.
func (s *sheet) introduced(ctx context.Context, p *backPrint) error {
	closely := func(e entry) int {
		if e.confidence < surePiece {
			return mostSmallWords
		}
		return 0
	}
	if len(p.jobs) > 0 {
		whole := p.jobs[0].row
		if _, err := s.withoutLabel(ctx, &p.jobs[0], firstJobPhrases(), closely(p.jobs[0])); err != nil {
			return err
		}
		p.labelled = len(p.jobs[0].row) < len(whole) || p.jobs[0].right() < whole.right()
		if len(p.jobs[0].row) == 0 {
			p.jobs = p.jobs[1:]
		} else if err := s.withEmployer(ctx, p); err != nil {
			return err
		}
	}
	if len(p.jobs) > 1 {
		p.jobs = slices.Clone(p.jobs)
		if _, err := s.withoutLabel(ctx, &p.jobs[1], secondJobPhrases(), 0); err != nil {
			return err
		}
		p.jobs = slices.DeleteFunc(p.jobs, func(e entry) bool { return len(e.row) == 0 })
	}
	_, err := s.withoutLabel(ctx, &p.husband, egypt.HusbandPhrases(), closely(p.husband))
	return err
}

// withEmployer parts the line of the occupation that goes on with the label of the employer.
func (s *sheet) withEmployer(ctx context.Context, p *backPrint) error {
	e := p.jobs[0]
	if len(e.parts) != 1 || len(p.jobs) > 1 {
		return nil
	}
	words := wordsOf(e.parts[0])
	texts := textsOf(words)
	at, ok := egypt.LocateLabel(texts, secondJobPhrases())
	if !ok || at.From == 0 || at.To == len(words) || at.Score < exactly || !colonAfter(texts, at.To) && !strings.Contains(at.Phrase.Text, " ") {
		return nil
	}
	first, _ := reach(words, 0, at.From)
	_, second := reach(words, at.To, len(words))
	job, err := s.stretch(ctx, e.row[0], first, 1)
	if err != nil {
		return err
	}
	employer, err := s.stretch(ctx, e.row[0], 0, second)
	if err == nil {
		p.jobs = []entry{job, employer}
	}
	return err
}

// firstJobPhrases are the wordings that introduce the occupation: العمل may be its label or that of the line below it.
func firstJobPhrases() []egypt.Phrase {
	work := slices.DeleteFunc(secondJobPhrases(), func(p egypt.Phrase) bool { return p.Text != "العمل" })
	return append(egypt.CardPhrasesOf(egypt.LabelJob), work...)
}

// secondJobPhrases are the wordings that introduce the line below the occupation.
func secondJobPhrases() []egypt.Phrase {
	return slices.DeleteFunc(egypt.BackPhrases(), func(p egypt.Phrase) bool { return p.Label != egypt.LabelEmployer })
}

// withoutMargin leaves out of rows what stands alone at the left side of a card, where backs have an ornament and no text begins: with it, a short line looks
// like the words of the status.
func withoutMargin(rows []row) (out []row) {
	const margin = 0.1 // of the card's width
	for _, r := range rows {
		if r = slices.DeleteFunc(slices.Clone(r), func(p piece) bool { return p.right() < margin }); len(r) > 0 {
			out = append(out, r)
		}
	}
	return out
}

// readLowLines reads the lines above an expiry that stands where most cards have their bar code already: what is not clear is that. Without an expiry, as where the picture
// cuts the card off, they are all lines if those above are introduced by labels, or else the next line alone, where its label says that it names the husband.
func (s *sheet) readLowLines(ctx context.Context, p *backPrint, above []entry) (lines []entry, err error) {
	foot := 1.0
	switch {
	case p.expiry != nil:
		foot = p.expiryRow.y()
	case !introducedBack(above):
		return s.readLowHusband(ctx, p.foot)
	}
	for _, r := range s.rows {
		if r.y() <= p.foot || r.y() >= foot-r.height()/viewHeight {
			continue
		}
		e := entry{row: r}
		if e.script, err = s.readWords(ctx, r); err != nil {
			return nil, err
		}
		switch label := e.datedLabel(); {
		case label == egypt.LabelIssued:
			if err := s.readLowDates(ctx, p, e); err != nil {
				return nil, err
			}
		case label == "" && !e.onlyDate() && e.worded() && (e.confidence >= crumb || statusWords(e) >= 2):
			lines = append(lines, e)
		}
	}
	p.foot = foot
	return lines, nil
}

// readLowHusband reads the first line below foot if its label says that it names the husband.
func (s *sheet) readLowHusband(ctx context.Context, foot float64) ([]entry, error) {
	at := slices.IndexFunc(s.rows, func(r row) bool { return r.y() > foot })
	if at < 0 {
		return nil, nil
	}
	e := entry{row: s.rows[at]}
	var err error
	if e.script, err = s.readWords(ctx, e.row); err != nil {
		return nil, err
	}
	if !e.saysHusband() {
		return nil, nil
	}
	return []entry{e}, nil
}

// assign gives the lines between the number and the expiry their roles. The row of the status is one that says so, or else one that looks like it; with nothing above it the
// occupation stands below it. The wordings tell the names of a husband from an occupation.
func (p *backPrint) assign(lines []entry, jobs, names *egypt.Wording) {
	first := slices.IndexFunc(lines, func(e entry) bool { return statusWords(e) >= 2 })
	if first < 0 {
		first = slices.IndexFunc(lines, entry.isStatus)
	}
	if first < 0 {
		sex, _ := egypt.At(egypt.Back(), egypt.RoleSex)
		first = slices.IndexFunc(lines, func(e entry) bool { return e.y() > sex.Y-sex.DY/2 })
		if first < 0 {
			first = len(lines)
		}
		p.jobs = lines[:first]
		return
	}
	last := first
	for last < len(lines) && lines[last].isStatus() {
		last++
	}
	// A single word above it may belong to it, unless it has three without; then the word is an occupation that is like one of them.
	for first > 0 && lines[first-1].isStatus() && statusWords(lines[first-1]) == 1 && statusWords(lines[first:last]...) < statusFields {
		first--
	}
	p.jobs, p.status = lines[:first], lines[first:last]
	below := lines[last:]
	if n := len(below); first == 0 && n > 0 {
		at, husband, clear := slices.IndexFunc(below, entry.saysHusband), false, true
		if at < 0 {
			at = n
			if husband, clear = below[n-1].ofHusband(jobs, names); husband {
				at--
			}
		}
		if at+1 < n && below[at].only(egypt.HusbandPhrases()) { // above what it introduces
			below = slices.Delete(slices.Clone(below), at, at+1)
		}
		p.jobs, p.unclear = slices.Delete(slices.Clone(below), at, min(at+1, len(below))), !clear
		below = below[at:]
	}
	if len(below) > 0 {
		p.husband = below[0]
	}
}

// saysHusband reports whether the label of a line says that it names the husband.
func (e entry) saysHusband() bool {
	_, ok := e.beginsWith(egypt.HusbandPhrases())
	return ok
}

// ofHusband reports whether a line below the status without his label names the husband and is no occupation: it holds more words of names than of occupations. clear tells
// that it holds more of either, or says that it is none.
func (e entry) ofHusband(jobs, names *egypt.Wording) (husband, clear bool) {
	if _, ok := e.beginsWith(egypt.BackPhrases()); ok {
		return false, true
	}
	lead := 0
	for _, w := range strings.Fields(e.text) {
		if names.Knows(egypt.Fold(w)) {
			lead++
		}
		if jobs.Knows(egypt.Fold(w)) {
			lead--
		}
	}
	return lead > 0, lead != 0
}
