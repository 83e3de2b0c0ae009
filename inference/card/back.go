package card

import (
	"cmp"
	"context"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/text"
)

// backPrint is what the lines of a national ID's back are: empty where nothing was found.
type backPrint struct {
	datedNumber
	jobs          []entry
	numbered      bool    // the number stands at the top, where only such cards have it
	foot          float64 // below which there is no print but the bar code, as a share of the card's height
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

// takeDate reads a part of a line that is a date of the card, and tells which; "" where it is none.
func (s *sheet) takeDate(ctx context.Context, p *backPrint, e entry, first bool) (role egypt.Label, err error) {
	role = e.dateRole(first)
	below, err := s.dateBelow(ctx, e)
	if err != nil {
		return "", err
	}
	if len(below.row) > 0 {
		role = e.datedLabel()
	}
	if role == egypt.LabelExpires && p.expiry != nil && e.phrased() == 0 && e.dateLabel() == "" { // above it
		role = egypt.LabelIssued
	}
	switch role {
	case egypt.LabelIssued:
		err = s.readRelease(ctx, p, e)
	case egypt.LabelExpires:
		err = s.readExpiryOf(ctx, p, e)
	}
	return role, err
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

// holdsDate tells whether a word of a line in one piece is a whole date, however badly its label was read, or all its words are dates.
func (e entry) holdsDate() bool {
	words := strings.Fields(egypt.FoldDigits(e.text))
	other := func(w string) bool { return !aloneDate.MatchString(w) && !monthAlone.MatchString(w) }
	return slices.ContainsFunc(words, aloneDate.MatchString) && (len(e.row) == 1 || !slices.ContainsFunc(words, other))
}

// withoutDay tells whether a line holds a date without a day, and none with one.
func (e entry) withoutDay() bool {
	words := strings.Fields(egypt.FoldDigits(e.text))
	return slices.ContainsFunc(words, monthAlone.MatchString) && !slices.ContainsFunc(words, aloneDate.MatchString)
}

// aloneDate is a date with a day and nothing else.
var aloneDate = regexp.MustCompile(`^([0-9]{4}[/.-][0-9]{1,2}[/.-][0-9]{1,2}|[0-9]{1,2}[/.-][0-9]{1,2}[/.-][0-9]{4})$`)

// ofDots tells whether a line is a row of dots, which are read as zeros.
func (e entry) ofDots() bool { return digitsIn(e.text) > 2*dayDigits && arabicLetters(e.text) == 0 }

// readReleaseBelow reads the release where it stands below the expiry: its label says so.
func (s *sheet) readReleaseBelow(ctx context.Context, p *backPrint) error {
	const most = 2 // what else stands there is a bar code
	looked := 0
	for _, r := range s.rows {
		if r.y() <= p.expiryRow.y()+r.height()/2/viewHeight {
			continue
		}
		if looked++; looked > most {
			break
		}
		w, err := s.readWords(ctx, r)
		if err != nil {
			return err
		}
		if e := (entry{r, w}); e.dateLabel() == egypt.LabelIssued {
			return s.readRelease(ctx, p, e)
		}
	}
	return nil
}

// apart parts a line that holds both dates of the card, each with what stands right of it, or labels of dates below it; other lines are returned as they are.
func (s *sheet) apart(ctx context.Context, e entry) (out []entry, err error) {
	if len(e.parts) != len(e.row) {
		return []entry{e}, nil
	}
	if labels, err := s.aboveDates(ctx, e); err != nil || len(labels) > 0 {
		return labels, err
	}
	roles := map[egypt.Label]bool{}
	end := len(e.row) // of the pieces that are not taken yet
	for i, p := range slices.Backward(e.row) {
		if i > 0 && !anyDigit(e.parts[i].text) { // the label of what follows
			continue
		}
		own := entry{e.row[i:end], script{parts: e.parts[i:end]}}
		own.join()
		parts := []entry{own}
		if seams := datedSeams(e.parts[i]); end == i+1 && len(seams) > 0 {
			if parts, err = s.cutAt(ctx, p, seams); err != nil {
				return nil, err
			}
		}
		for _, part := range parts {
			roles[part.dateRole(false)] = true
		}
		out, end = append(out, parts...), i
	}
	if len(out) > 1 && roles[egypt.LabelIssued] && roles[egypt.LabelExpires] && !roles[""] {
		return out, nil
	}
	return []entry{e}, nil
}

// aboveDates are the pieces of a line, from right to left, that are labels of dates below them, behind what else stands in the line; none where no piece is.
func (s *sheet) aboveDates(ctx context.Context, e entry) (out []entry, err error) {
	var rest entry
	for i, p := range slices.Backward(e.row) {
		own := entry{row{p}, script{parts: e.parts[i : i+1]}}
		own.join()
		below, err := s.dateBelow(ctx, own)
		if err != nil {
			return nil, err
		}
		if len(below.row) > 0 {
			out = append(out, own)
			continue
		}
		rest.row, rest.parts = append(row{p}, rest.row...), append([]script{e.parts[i]}, rest.parts...)
	}
	if len(out) == 0 || len(rest.row) == 0 {
		return out, nil
	}
	rest.join()
	return append([]entry{rest}, out...), nil
}

// cutAt reads the parts of a piece between seams, shares of it, from right to left.
func (s *sheet) cutAt(ctx context.Context, p piece, seams []float64) (out []entry, err error) {
	to := 1.0
	for _, from := range append(seams, 0) {
		own, err := s.stretch(ctx, p, from, to)
		if err != nil {
			return nil, err
		}
		out, to = append(out, own), from
	}
	return out, nil
}

// stretch reads what of a piece lies between two shares of it.
func (s *sheet) stretch(ctx context.Context, p piece, from, to float64) (e entry, err error) {
	e.row = row{piece{cut(p.Line, from, to)}}
	e.script, err = s.readWords(ctx, e.row)
	return e, err
}

// datedSeams are the places of a piece, as shares of it from right to left, where the label of a date follows another date.
func datedSeams(w script) (seams []float64) {
	words := wordsOf(w)
	texts := textsOf(words)
	for k := 1; k < len(words); k++ {
		dated := anyDigit(texts[k-1]) && strings.ContainsAny(strings.Join(texts[:k], ""), printedSeparators)
		if !dated {
			continue
		}
		if at, ok := egypt.LocateLabel(texts[k:], dateLabels()); ok && at.From == 0 {
			seams = append(seams, (words[k-1].start+words[k].end)/2)
		}
	}
	return seams
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

// withoutStatusSigns parts the words of the status where bars or the like stand between them.
func (s *sheet) withoutStatusSigns(ctx context.Context, p *backPrint) (err error) {
	p.status = slices.Clone(p.status)
	for i := range p.status {
		e := &p.status[i]
		if len(e.parts) != 1 {
			continue
		}
		words, rest := wordsOf(e.parts[0]), row{}
		for from := 0; from < len(words); {
			to := from
			for to < len(words) && !isSigns(words[to].text) {
				to++
			}
			if to > from {
				end, begin := reach(words, from, to)
				rest = append(rest, piece{cut(e.row[0].Line, end, begin)})
			}
			from = to + 1
		}
		if len(rest) < 2 || len(rest) > statusFields {
			continue
		}
		slices.Reverse(rest) // from left to right, as all rows
		e.row = rest
		if e.script, err = s.readWords(ctx, rest); err != nil {
			return err
		}
	}
	return nil
}

// withoutStatusLabels cuts off what stands right of a word of the status in its piece: a label too small to be read with it.
func (s *sheet) withoutStatusLabels(ctx context.Context, p *backPrint) (err error) {
	if p.announced {
		return nil
	}
	p.status = slices.Clone(p.status)
	for i := range p.status {
		e, found := &p.status[i], false
		r := slices.Clone(e.row)
		for k, part := range e.parts {
			words := wordsOf(part)
			n := slices.IndexFunc(words, func(w word) bool { return likeStatus(w.text) > unlikeStatus && arabicLetters(w.text) > 0 })
			if n > 0 && ofStatus(words[n].text) && !ofStatus(part.text) {
				r[k], found = piece{cut(r[k].Line, 0, (words[n-1].start+words[n].end)/2)}, true
			}
		}
		if !found {
			continue
		}
		e.row = r
		if e.script, err = s.readWords(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// introducedBack tells whether lines of a back hold labels of what most backs print without: at least two of the employer, the sex, the religion and the
// marital status.
func introducedBack(lines []entry) bool {
	labels, found := egypt.BackPhrases(), map[egypt.Label]bool{}
	for _, e := range lines {
		for _, l := range labelsIn(strings.Fields(e.text), labels) {
			found[l] = true
		}
	}
	n := 0
	for _, l := range []egypt.Label{egypt.LabelEmployer, egypt.LabelSex, egypt.LabelReligion, egypt.LabelMarital} {
		if found[l] {
			n++
		}
	}
	return n >= 2
}

// labelsIn are the labels among words.
func labelsIn(words []string, labels []egypt.Phrase) []egypt.Label {
	at, ok := egypt.LocateLabel(words, labels)
	if !ok {
		return nil
	}
	return append(append(labelsIn(words[:at.From], labels), at.Phrase.Label), labelsIn(words[at.To:], labels)...)
}

// readIntroduced reads what the labels of a back announce, as on a licence.
func (s *sheet) readIntroduced(ctx context.Context, p *backPrint) error {
	above := *s
	above.lines = slices.DeleteFunc(slices.Clone(s.lines), func(l text.Line) bool { return piece{l}.y() > p.foot })
	all, err := above.readCells(ctx, egypt.IntroducedPhrases())
	if err != nil {
		return err
	}
	all.partWork()
	value := func(l egypt.Label) (e entry, ok bool) {
		i := all.find(l)
		if i < 0 {
			return e, false
		}
		v := all.valueOf(i)
		return all.take(v...), len(v) > 0
	}
	job, employed := value(egypt.LabelJob)
	if employed {
		p.jobs = []entry{job}
	}
	if employer, ok := value(egypt.LabelEmployer); ok {
		p.jobs = append(p.jobs, employer)
		p.employerAlone = !employed
	}
	p.labelled, p.announced = true, true
	status := make([]entry, statusFields)
	for i, l := range []egypt.Label{egypt.LabelSex, egypt.LabelReligion, egypt.LabelMarital} {
		status[i], _ = value(l)
	}
	for i := range all {
		if v := all.valueOf(i); all[i].label == egypt.LabelHusband && len(v) > 0 {
			e := all.take(v...)
			if m, _ := egypt.MatchWord(e.text, egypt.StatusWords()); m.Score >= egypt.ClearStatus && len(status[m.Word.Vocabulary].row) == 0 { // behind الحالة الزوجية
				status[m.Word.Vocabulary] = e
			} else {
				p.husband = e
			}
		}
	}
	if err := s.unlabelledStatus(ctx, all, status); err != nil {
		return err
	}
	if !employed {
		job, ok, err := s.behindMisread(ctx, all, egypt.LabelJob)
		if err != nil {
			return err
		}
		if ok {
			p.jobs, p.employerAlone, p.unclear = append([]entry{job}, p.jobs...), false, true
		}
	} else if all.find(egypt.LabelEmployer) < 0 {
		if i := all.belowValue(all[all.find(egypt.LabelJob)].values); i >= 0 {
			p.jobs = append(p.jobs, all.take(all.beside(i)...))
		}
	}
	if err := s.partStatus(ctx, status); err != nil {
		return err
	}
	if err := s.widenStatus(ctx, status); err != nil {
		return err
	}
	p.status = slices.DeleteFunc(status, func(e entry) bool { return len(e.row) == 0 })
	p.stray = p.stray || slices.ContainsFunc(all, func(c cell) bool {
		return !c.used && c.label == "" && c.confidence >= crumb && arabicLetters(c.text) >= shortWord && !isTitle(c.text)
	})
	return nil
}

// unlabelledStatus finds the words of the status that stand without a label beside the others, or with one that was misread.
func (s *sheet) unlabelledStatus(ctx context.Context, all cells, status []entry) (err error) {
	for i := range all {
		c := &all[i]
		if c.label != "" || c.used {
			continue
		}
		words := wordsOf(c.script)
		m, _ := egypt.MatchWord(c.text, egypt.StatusWords())
		if len(words) > 1 && m.Score < egypt.ClearStatus {
			m, _ = egypt.MatchWord(words[len(words)-1].text, egypt.StatusWords())
		}
		if v := int(m.Word.Vocabulary); m.Score >= egypt.ClearStatus && len(status[v].row) == 0 {
			if status[v], err = s.lastWord(ctx, all.take(i), words); err != nil {
				return err
			}
		}
	}
	return nil
}

// lastWord is the last of the words of a line in one piece.
func (s *sheet) lastWord(ctx context.Context, e entry, words []word) (entry, error) {
	if len(words) < 2 || len(e.row) != 1 {
		return e, nil
	}
	_, to := reach(words, len(words)-1, len(words))
	return s.stretch(ctx, e.row[0], 0, to)
}

// behindMisread is what stands behind a label that can hardly be read and begins a line of which nothing else is known.
func (s *sheet) behindMisread(ctx context.Context, all cells, label egypt.Label) (e entry, ok bool, err error) {
	const like = 0.6
	for i := range all {
		c := &all[i]
		words := wordsOf(c.script)
		if c.label != "" || c.used || len(c.row) != 1 || len(words) < 2 || !slices.ContainsFunc(egypt.CardPhrasesOf(label), func(p egypt.Phrase) bool { return egypt.Likeness(words[0].text, p.Text) >= like }) {
			continue
		}
		_, to := reach(words, 1, len(words))
		e, err = s.stretch(ctx, all.take(i).row[0], 0, to)
		return e, err == nil, err
	}
	return e, false, nil
}

// partWork makes the upper of two employers the occupation where nothing else is labelled as that, or the only one: العمل may announce either.
func (a cells) partWork() {
	var employers []int
	for i := range a {
		if a[i].label == egypt.LabelEmployer {
			employers = append(employers, i)
		}
	}
	if len(employers) == 0 || a.find(egypt.LabelJob) >= 0 {
		return
	}
	upper := slices.MinFunc(employers, func(i, k int) int { return cmp.Compare(a[i].y(), a[k].y()) })
	if len(employers) > 1 || strings.Trim(egypt.Fold(a[upper].text), " "+signs) == "العمل" {
		a[upper].label = egypt.LabelJob
	}
}

// belowValue is the cell without a label close below a value, in its column; -1 where there is none.
func (a cells) belowValue(value []int) int {
	if len(value) == 0 {
		return -1
	}
	v := &a[value[0]]
	return slices.IndexFunc(a, func(c cell) bool {
		drop := (c.y() - v.y()) * viewHeight / max(v.height(), c.height())
		return !c.used && c.label == "" && drop > 0.8 && drop < columnDrop && c.under(v) && arabicLetters(c.text) >= shortWord && !anyDigit(c.text)
	})
}

// partStatus parts what was taken for one word of the status and holds several, as where the label between two could not be read, or a sign beside it: each goes where it belongs.
func (s *sheet) partStatus(ctx context.Context, status []entry) error {
	for i := range status {
		e := status[i]
		if len(e.parts) != len(e.row) || len(strings.Fields(e.text)) == 1 && ofStatus(e.text) {
			continue
		}
		taken := false
		for n, part := range e.parts {
			words := wordsOf(part)
			for k, w := range words {
				m, _ := egypt.MatchWord(w.text, egypt.StatusWords())
				v := int(m.Word.Vocabulary)
				if m.Score < egypt.ClearStatus || len(status[v].row) > 0 && v != i {
					continue
				}
				from, to := reach(words, k, k+1)
				own, err := s.stretch(ctx, e.row[n], from, to)
				if err != nil {
					return err
				}
				status[v], taken = own, taken || v == i
			}
		}
		if !taken { // it holds none of its own
			status[i] = entry{}
		}
	}
	return nil
}

// widenStatus reads a word in the form of a man beside a woman's sex farther to the left, where its ending may stand: the detector may have seen the two apart.
func (s *sheet) widenStatus(ctx context.Context, status []entry) error {
	sex := func(e entry) egypt.Sex {
		m, _ := egypt.MatchWord(e.text, egypt.StatusWords())
		return m.Word.Sex
	}
	if sex(status[egypt.VocabularySex]) != egypt.Female {
		return nil
	}
	for i := range status {
		e := &status[i]
		if len(e.parts) != 1 || sex(*e) != egypt.Male {
			continue
		}
		const room = 2.5 // heights
		l := e.row.whole().Line
		l.Start = along(l.Start, l.End, max(0, l.Start.X-room*l.Height))
		wide := entry{row: row{piece{l}}}
		var err error
		if wide.script, err = s.readWords(ctx, wide.row); err != nil {
			return err
		}
		if sex(wide) == egypt.Female && ofStatus(wide.text) {
			*e = wide
		}
	}
	return nil
}

// withoutMargin leaves out of rows what stands alone at the left side of a card, where backs have an ornament and no print begins: with it, a short line looks
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

// fillStatus reads the empty stretches of a status row that shows less than three words, up to the right end of the lines
// around it: the words are short and easily overlooked. Where nothing is printed, what is read fits no vocabulary.
func (s *sheet) fillStatus(ctx context.Context, p *backPrint) error {
	if p.announced {
		return nil
	}
	pieces := p.statusPieces()
	words, right, height := 0, 0.0, 0.0
	for _, e := range pieces {
		words += len(strings.Fields(e.text))
		height = max(height, e.height())
	}
	if words == 0 || words >= 3 {
		return nil
	}
	for _, e := range p.jobs {
		right = max(right, e.whole().End.X)
	}
	level := pieces[0].whole()
	for _, e := range pieces { // from right to left
		this := e.whole()
		gap := row{{text.Line{Start: along(level.Start, level.End, this.End.X+0.4*height), End: along(level.Start, level.End, right), Height: height}}}
		right = this.Start.X - 0.4*height
		if gap[0].End.X-gap[0].Start.X < 2*height {
			continue
		}
		e, err := s.readGap(ctx, gap)
		if err != nil {
			return err
		}
		switch {
		case e.isStatus() && e.text != "":
			p.status = append(slices.Clone(p.status), e)
		case e.worded() && e.confidence > strayWord:
			p.stray = true
		}
	}
	return nil
}

// readGap reads the stretch between two words. The ends of these may reach into it: where it says nothing of the status, its longest
// word, read by itself, may.
func (s *sheet) readGap(ctx context.Context, gap row) (entry, error) {
	w, err := s.readWords(ctx, gap)
	whole := entry{gap, w}
	inner, ok := whole.inner()
	if err != nil || whole.isStatus() || !ok {
		return whole, err
	}
	if w, err = s.readWords(ctx, inner); err == nil && (entry{inner, w}).isStatus() {
		return entry{inner, w}, nil
	}
	return whole, err
}

// inner is the longest part of a line that stands apart from its ends; ok is false where nothing does.
func (e entry) inner() (r row, ok bool) {
	l := e.whole()
	em, longest := l.Height/l.Length(), 0.0 // as shares of the line
	for _, g := range groupsOf(e.symbols, em) {
		if wide := g[1] - g[0]; wide > longest && g[0] >= 0.5*em && g[1] <= 1-0.5*em {
			part := l
			part.Start, part.End, part.Sag = between(l.Start, l.End, g[0]-0.5*em), between(l.Start, l.End, g[1]+0.5*em), 0
			r, longest = row{part}, wide
		}
	}
	return r, longest > 0
}

// groupsOf are the stretches of signs, from left to right, between which apart or more is blank; all are shares of their line.
func groupsOf(symbols []text.Symbol, apart float64) (groups [][2]float64) {
	for _, s := range symbols {
		switch n := len(groups); {
		case s.Rune == ' ':
		case n > 0 && s.Start-groups[n-1][1] < apart:
			groups[n-1][1] = s.End
		default:
			groups = append(groups, [2]float64{s.Start, s.End})
		}
	}
	return groups
}

// strayWord is the confidence from which on letters in an empty stretch are print and not the card's pattern.
const strayWord = 0.02

// dateLabels are the labels of the two dates on the back of a card.
var dateLabels = sync.OnceValue(func() []egypt.Phrase {
	own := slices.DeleteFunc(egypt.BackPhrases(), func(p egypt.Phrase) bool { return p.Label != egypt.LabelIssued && p.Label != egypt.LabelExpires })
	english := slices.DeleteFunc(egypt.PhrasesOf(egypt.LabelEnglish), func(p egypt.Phrase) bool {
		return p.Means != egypt.LabelIssued && p.Means != egypt.LabelExpires
	})
	for i := range english {
		english[i].Label = english[i].Means
	}
	return slices.Concat(own, egypt.PhrasesOf(egypt.LabelIssued, egypt.LabelExpires), english)
})

// dateLabel is the one of them that a line holds; "" where it holds none.
func (e entry) dateLabel() egypt.Label {
	at, _ := egypt.LocateLabel(strings.Fields(e.text), dateLabels())
	return at.Phrase.Label
}

// expiryWords are the folded words of the phrase that introduces the expiry date, with what is printed in their place.
func expiryWords() []string {
	return []string{"البطاقه", "ساريه", "صاريه", "صالحه", "حتي"}
}

// ofCard tells whether a line says that it speaks of the card.
func (e entry) ofCard() bool {
	return slices.ContainsFunc(strings.Fields(egypt.Fold(e.text)), func(w string) bool {
		return max(egypt.Likeness(w, "البطاقه"), egypt.Likeness(w, "بطاقه")) >= 0.75
	})
}

// phrased is how many words of the phrase that introduces the expiry date a line holds.
func (e entry) phrased() (words int) {
	for _, w := range strings.FieldsFunc(egypt.Fold(e.text), func(r rune) bool { return r == ' ' || r == ':' }) { // no blank may stand behind a colon
		if slices.ContainsFunc(expiryWords(), func(x string) bool { return egypt.Likeness(w, x) >= 0.75 }) {
			words++
		}
	}
	return words
}

// saysExpiry tells whether a line says that it is the expiry.
func (e entry) saysExpiry() bool { return e.phrased() >= 2 || e.dateLabel() == egypt.LabelExpires }

// monthAlone is a date without a day, as releases are.
var monthAlone = regexp.MustCompile(`^([0-9]{4}[/.-][0-9]{1,2}|[0-9]{1,2}[/.-][0-9]{4})$`)

// dateRole tells which date of the card a line is, "" where it is none: its label or the phrase of the expiry says so. Without either a release is a date without a day or, above all
// words, one left of the middle or with too few digits for a day.
func (e entry) dateRole(first bool) egypt.Label {
	label, phrased := e.dateLabel(), e.phrased()
	digits := digitsIn(e.text)
	parted := strings.ContainsAny(e.text, printedSeparators)
	bare := digits >= 3 && parted && arabicLetters(e.text) == 0
	dated := phrased >= 2 || phrased == 1 && digits >= 2 || digits >= 3 && strings.Contains(e.text, "/") || digits >= monthDigits || bare
	switch {
	case label != "" && digits >= 2:
		return label
	case !dated:
		return ""
	case label == egypt.LabelIssued,
		label == "" && phrased == 0 && (e.withoutDay() || bare && digits < monthDigits || first && (e.right() < 0.5 || digits < dayDigits && parted)):
		return egypt.LabelIssued
	}
	return egypt.LabelExpires
}

// readRelease reads the release from a line of its own, if none was read yet or a label says that this is it: beside the number something else may have been taken for it.
func (s *sheet) readRelease(ctx context.Context, p *backPrint, e entry) error {
	if p.date != nil && e.dateLabel() != egypt.LabelIssued {
		return nil
	}
	places, err := s.datePlaces(ctx, e)
	if err != nil {
		return err
	}
	date, l, err := s.seekDate(ctx, places, dateDigits)
	if err == nil && date == nil {
		date, l, err = s.spelledDate(ctx, places, monthDigits, dayDigits)
	}
	if date != nil {
		p.date, p.dateRow = date, row{{l}}
	}
	return err
}

// readExpiryOf reads the expiry from its line.
func (s *sheet) readExpiryOf(ctx context.Context, p *backPrint, e entry) (err error) {
	s.named = e.phrased() >= 2 && (p.numbered || e.ofCard()) // badges have such phrases, too
	places, err := s.datePlaces(ctx, e)
	if err == nil {
		p.expiryRow, p.expiry, err = s.readExpiry(ctx, places)
	}
	return err
}

// spelledDate is the date of so many digits that the reader of words sees in the first of some places that shows it one, however its parts are parted: the reader of digits
// knows neither dots nor blanks between them. It is in doubt; nil where none shows one.
func (s *sheet) spelledDate(ctx context.Context, places []text.Line, lengths ...int) (figures, text.Line, error) {
	for _, l := range places {
		w, err := s.words(ctx, l)
		if err != nil {
			return nil, l, err
		}
		w.symbols = withoutSigns(w.symbols)
		d, ok := spelledOf(w).(spelled)
		if ok && slices.Contains(lengths, len(d.signs)) && strings.ContainsAny(w.text, printedSeparators) {
			d.confidence = min(d.confidence, eitherDate)
			return d, l, nil
		}
	}
	return nil, text.Line{}, nil
}

// withoutSigns leaves out the signs of a label at the ends of a reading.
func withoutSigns(symbols []text.Symbol) []text.Symbol {
	isSign := func(s text.Symbol) bool { return s.Rune == ' ' || strings.ContainsRune(signs, s.Rune) }
	for len(symbols) > 0 && isSign(symbols[0]) {
		symbols = symbols[1:]
	}
	for len(symbols) > 0 && isSign(symbols[len(symbols)-1]) {
		symbols = symbols[:len(symbols)-1]
	}
	return symbols
}

// mostLow is how many of the lowest rows of a back are read for the expiry where none stands above the bar code.
const mostLow = 2

// readLowExpiry reads the expiry of a card that prints it below its bar code.
func (s *sheet) readLowExpiry(ctx context.Context, p *backPrint) error {
	barcode, _ := egypt.At(egypt.Back(), egypt.RoleBarcode)
	for _, r := range slices.Backward(s.rows[max(0, len(s.rows)-mostLow):]) {
		if r.y() <= barcode.Y-barcode.DY {
			return nil
		}
		w, err := s.readWords(ctx, r)
		if err != nil {
			return err
		}
		if e := (entry{r, w}); e.saysExpiry() || e.holdsDate() && e.dateLabel() == "" { // its label may be too small to be read
			return s.readLowDates(ctx, p, e)
		}
	}
	return nil
}

// readLowDates reads the expiry from its line, and the release that may stand beside it.
func (s *sheet) readLowDates(ctx context.Context, p *backPrint, e entry) error {
	parts, err := s.apart(ctx, e)
	if err != nil {
		return err
	}
	for _, part := range parts {
		role := part.dateRole(false)
		if len(parts) > 1 && role == "" && part.datedLabel() == "" { // what stands beside the label of a date below
			continue
		}
		read := s.readExpiryOf
		if part.dateLabel() == egypt.LabelIssued || len(parts) > 1 && role == egypt.LabelIssued {
			read = s.readRelease
		}
		if err := read(ctx, p, part); err != nil {
			return err
		}
	}
	return nil
}

// readHighExpiry reads the expiry of a card that prints it above the number: then other lines stand where most cards have their bar code.
func (s *sheet) readHighExpiry(ctx context.Context, p *backPrint, above []row) error {
	for _, r := range above {
		w, err := s.readWords(ctx, r)
		if err != nil {
			return err
		}
		if e := (entry{r, w}); e.saysExpiry() {
			p.foot = 1
			return s.readExpiryOf(ctx, p, e)
		}
	}
	return nil
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

// datedLabel is the label of a date that a line holds or, where it holds the phrase of the expiry, that of an expiry; else "".
func (e entry) datedLabel() egypt.Label {
	if e.phrased() >= 2 || e.phrased() == 1 && e.ofCard() {
		return egypt.LabelExpires
	}
	return e.dateLabel()
}

// datePlaces are the stretches in which the date that a line announces may stand: below it or in it.
func (s *sheet) datePlaces(ctx context.Context, e entry) ([]text.Line, error) {
	below, err := s.dateBelow(ctx, e)
	switch {
	case err != nil:
		return nil, err
	case len(below.row) > 0:
		return below.dateLines(), nil
	}
	places := e.dateLines()
	if len(e.parts) == len(e.row) {
		for i, part := range e.parts { // right of its label, as on cards that are laid out from left to right
			if digitsIn(part.text) >= monthDigits && arabicLetters(part.text) == 0 {
				places = append(places, e.row[i].Line)
			}
		}
	}
	return places, nil
}

// dateBelow is what stands close below the label of a date where that is one and nothing else; empty where it is not, or the label's own line shows it.
func (s *sheet) dateBelow(ctx context.Context, label entry) (below entry, err error) {
	if digitsIn(label.text) > 0 || label.datedLabel() == "" {
		return below, nil
	}
	for _, r := range s.rows {
		r = slices.DeleteFunc(slices.Clone(r), func(p piece) bool { return p.left() > label.right() || p.right() < label.left() })
		if len(r) == 0 {
			continue
		}
		drop := (r.y() - label.y()) * viewHeight / max(r.height(), label.height())
		if drop <= 0.5 {
			continue
		}
		if drop > columnDrop {
			break
		}
		w, err := s.readWords(ctx, r)
		if e := (entry{r, w}); err != nil || e.onlyDate() {
			return e, err
		}
		break
	}
	return below, nil
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

// readExpiry reads the first of places that shows a date with a day, or else the first.
func (s *sheet) readExpiry(ctx context.Context, places []text.Line) (row, figures, error) {
	var first figures
	for i, l := range places {
		_, date, err := s.readSurely(ctx, l, dayDigits)
		if err != nil {
			return nil, nil, err
		}
		if date.LogLength(dayDigits) > certain {
			return row{{l}}, date, nil
		}
		if i == 0 {
			first = date
		}
	}
	date, l, err := s.spelledDate(ctx, places, dayDigits)
	if err != nil || date != nil && date.LogLength(dayDigits) > first.LogLength(dayDigits) {
		return row{{l}}, date, err
	}
	return row{{places[0]}}, first, nil
}

// dateLines returns the stretches of a line in which its date may stand, left of its words: what the detector saw there, with
// room at both ends for digits that it overlooked, and all that a date can fill, since a pattern may have drawn its eye away.
// Where the line is in several pieces, the words end in the first piece that holds any.
func (e entry) dateLines() []text.Line {
	for i, part := range e.parts {
		share, ok := wordsBegin(part.symbols)
		if !ok {
			continue
		}
		date := slices.Clone(e.row[:i])
		words := e.row[i].Start.X - 0.3*e.row[i].Height
		if share > 0.1 {
			date = append(date, piece{cut(e.row[i].Line, 0, share)})
			words = date[i].End.X
		}
		rest := piece{cut(e.row[i].Line, share, 1)}
		if len(date) == 0 {
			return []text.Line{rest.before()}
		}
		return []text.Line{date.reaching(0, words), rest.before()}
	}
	return []text.Line{e.row.reaching(0, viewWidth)}
}

// seekExpiry looks for the expiry where no line could be read that shows its words: left of the lowest lines.
func (s *sheet) seekExpiry(ctx context.Context, p *backPrint, rows []row) error {
	var places []text.Line
	for _, r := range slices.Backward(rows[max(0, len(rows)-2):]) {
		places = append(places, r[0].before())
	}
	date, l, err := s.seekDate(ctx, places, func(figures) []int { return []int{dayDigits} })
	if date != nil {
		p.expiry, p.expiryRow = date, row{{l}}
	}
	return err
}

// before is the stretch left of words in which their date stands where the detector saw none: as long as a date with a day
// and the gap between them may be.
func (p piece) before() text.Line {
	const longest = 15 // glyph heights
	l := p.Line
	l.Start, l.End, l.Sag = along(p.Start, p.End, max(0.02*viewWidth, p.Start.X-longest*p.Height)), along(p.Start, p.End, p.Start.X-0.4*p.Height), 0
	return l
}

// wordsBegin returns where in a line, as a share of its length, the leftmost word begins: a letter that others follow.
func wordsBegin(symbols []text.Symbol) (share float64, ok bool) {
	for i, s := range symbols {
		letters := 0
		for _, next := range symbols[i:min(i+4, len(symbols))] {
			if unicode.IsLetter(next.Rune) {
				letters++
			}
		}
		if unicode.IsLetter(s.Rune) && letters >= 3 {
			if i == 0 {
				return 0, true
			}
			return (symbols[i-1].End + s.Start) / 2, true
		}
	}
	return 1, false
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

// saysHusband tells whether the label of a line says that it names the husband.
func (e entry) saysHusband() bool {
	_, ok := e.beginsWith(egypt.HusbandPhrases())
	return ok
}

// ofHusband tells whether a line below the status without his label names the husband and is no occupation: it holds more words of names than of occupations. clear tells
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

// isStatus tells whether a line is the row of sex, religion and marital state: by its words or, where they cannot be read
// yet, by its form, single words far apart.
func (e entry) isStatus() bool {
	hits := statusWords(e)
	long := slices.ContainsFunc(e.row, func(p piece) bool { return p.slim() > 7 })
	return hits >= 2 || hits == 1 && len(strings.Fields(e.text)) == 1 || len(e.row) >= 2 && !long && !e.saysWork()
}

// saysWork tells whether a line begins with a label of the occupation or the employer.
func (e entry) saysWork() bool {
	at, ok := e.beginsWith(egypt.BackPhrases())
	return ok && (at.Phrase.Label == egypt.LabelJob || at.Phrase.Label == egypt.LabelEmployer)
}

// statusFields is how many words tell sex, religion and marital state.
const statusFields = 3

// statusWords counts the words of lines that are like those of sex, religion and marital state.
func statusWords(lines ...entry) (hits int) { return countWords(lines, ofStatus) }

// countWords counts the words of lines that have a property.
func countWords(lines []entry, has func(word string) bool) (n int) {
	for _, e := range lines {
		for _, w := range strings.Fields(e.text) {
			if has(w) {
				n++
			}
		}
	}
	return n
}

// statesHolder tells whether a back says its holder's sex, religion or marital state: two of them, and clearly where the number stands in another place than at the top.
func (p *backPrint) statesHolder() bool {
	if p.numbered {
		return statusWords(p.status...) >= 2
	}
	clear := func(w string) bool { return likeStatus(w) >= egypt.ClearStatus && arabicLetters(w) > 0 }
	return countWords(p.status, clear) >= 2
}

// ofStatus tells whether a text is like a word of sex, religion or marital state.
func ofStatus(text string) bool { return likeStatus(text) > 0.7 }

// unlikeStatus is the likeness up to which a text is none of these words, misread.
const unlikeStatus = 0.5

// likeStatus is the likeness of a text to the word of sex, religion or marital state that it is most like.
func likeStatus(text string) float64 {
	m, _ := egypt.MatchWord(text, egypt.StatusWords())
	return m.Score
}

// back fills in the fields of a national ID's back.
func (e *editor) back(p backPrint) {
	pieces := p.statusPieces()
	var candidates []egypt.Candidate
	for _, l := range pieces {
		candidates = append(candidates, egypt.Candidate{Text: l.text, LogProb: math.Log(max(l.confidence, 1e-30)), Score: l.score})
	}
	s := egypt.DecodeStatus(candidates)
	number := e.number("idNumber", p.datedNumber, nil, s.Gender, s.Sex.Confidence)
	place := func(c egypt.Choice) appliance.Field {
		f := appliance.Field{Value: c.Value, Confidence: c.Confidence, Raw: c.Printed}
		if c.Line >= 0 {
			f.Quad = e.sheet.quad(pieces[c.Line].row)
		}
		return f
	}
	e.gender(s, place(s.Sex), number)
	for _, f := range []struct {
		name   string
		choice egypt.Choice
	}{{"religion", s.Religion}, {"maritalStatus", s.Marital}} {
		field := place(f.choice)
		field.Name = f.name
		e.add(field)
		// Nothing printed is a reading, too; without its row, or beside a word that was not understood, it is none. Every
		// holder has a marital state.
		open := len(p.status) == 0 || p.stray || field.Confidence < doubtInk || len(pieces) > understood(s)
		if field.Value == "" && (open || f.name == "maritalStatus") {
			e.Flag(f.name, "", appliance.CodeUnreadable)
		}
	}
	e.dates(p)
	e.learn(e.jobWords, p.jobs...)
	e.learn(e.nameWords, filled(p.husband)...)
	e.jobs(p)
	e.husband(p.husband)
	if p.unclear {
		e.doubt("job", "jobTitle", "husbandName")
	}
}

// understood is how many pieces of the status row gave a value.
func understood(s egypt.Status) int {
	lines := map[int]bool{}
	for _, c := range []egypt.Choice{s.Sex, s.Religion, s.Marital} {
		if c.Line >= 0 {
			lines[c.Line] = true
		}
	}
	return len(lines)
}

// statusPieces are the pieces of the status row from right to left, also where the detector saw it as several rows; where it takes two rows, those of the upper one first.
func (p *backPrint) statusPieces() []entry {
	var out []entry
	for _, l := range p.status {
		for i, part := range l.parts {
			out = append(out, entry{l.row[i : i+1], part})
		}
	}
	if p.announced {
		return out
	}
	slices.SortStableFunc(out, func(a, b entry) int { return cmp.Compare(a.y(), b.y()) })
	for from := 0; from < len(out); {
		to := from + 1
		for to < len(out) && (out[to].y()-out[to-1].y())*viewHeight <= 1.5*out[to].height() {
			to++
		}
		slices.SortStableFunc(out[from:to], func(a, b entry) int { return cmp.Compare(b.left(), a.left()) })
		from = to
	}
	return out
}

// gender records the printed sex. Where it cannot be read, the number tells it.
func (e *editor) gender(s egypt.Status, f appliance.Field, n egypt.Number) {
	f.Name, f.Value = "gender", string(s.Gender)
	switch {
	case s.Gender == "" && n.Parts.Sex == "":
		e.missing(f.Name)
	case s.Gender == "":
		e.derived(f.Name, string(n.Parts.Sex), n.Sex, "idNumber")
	default:
		if n.Parts.Sex != "" {
			agrees := n.Parts.Sex == s.Gender
			f.Checks = append(f.Checks, appliance.FieldCheck{Name: "number", Passed: agrees})
			if agrees { // both would have to be wrong
				f.Confidence = 1 - (1-f.Confidence)*(1-n.Sex)
			}
		}
		e.add(f)
	}
	for _, c := range slices.Concat(s.Codes, n.Codes) {
		if c == egypt.CodeGender || c == egypt.CodeGenderMismatch {
			e.Flag(f.Name, f.Value, appliance.Code(c))
		}
	}
}

// jobs records the occupation and the line below it.
func (e *editor) jobs(p backPrint) {
	switch {
	case len(p.jobs) == 0:
		e.missing("job")
		e.missing("jobTitle")
	case p.secondAlone():
		e.missing("job")
		f := e.words("jobTitle", e.jobWords, p.jobs[0])
		e.addDoubting(f, doubtWords)
		e.Flag(f.Name, f.Value, appliance.CodeLowConfidence)
	default:
		e.addWords("job", e.jobWords, p.jobs[0])
		e.addWords("jobTitle", e.jobWords, p.jobs[1:]...)
	}
}

// secondAlone tells whether the one line that was found between number and status lies where the second one is printed:
// further from the number than from the status, or behind its label. Then the detector has overlooked the occupation, often a single short word.
func (p backPrint) secondAlone() bool {
	if p.employerAlone {
		return true
	}
	if len(p.jobs) != 1 || p.labelled || len(p.numberRow) == 0 || len(p.status) == 0 || p.status[0].y() < p.jobs[0].y() {
		return false
	}
	line, above := p.jobs[0].y(), p.numberRow.y()
	if len(p.dateRow) > 0 { // which may stand below the number
		above = max(above, p.dateRow.y())
	}
	return line-above > 1.5*(p.status[0].y()-line)
}

// husband records the husband's name.
func (e *editor) husband(l entry) {
	if len(l.row) == 0 || arabicLetters(l.text) == 0 { // at most a label in English
		e.Fields = append(e.Fields, appliance.Field{Name: "husbandName"})
		return
	}
	e.addWords("husbandName", e.nameWords, l)
}

// dates records release and expiry. Cards from before 2009 have no expiry.
func (e *editor) dates(p backPrint) {
	v := egypt.DecodeValidity(p.date, p.expiry, e.now)
	e.date("releaseDate", v.Release, p.dateRow)
	if p.expiry == nil && v.Release.Value != "" && v.Release.Value < firstExpiring {
		e.Fields = append(e.Fields, appliance.Field{Name: "idExpiry"})
		return
	}
	e.date("idExpiry", v.Expiry, p.expiryRow)
	if e.Field("idExpiry").Value == "" { // which of the two the one date is, is a guess
		e.doubt("releaseDate")
	}
	if v.Release.Value != "" && v.Expiry.Value != "" {
		f := &e.Fields[len(e.Fields)-1]
		f.Checks = append(f.Checks, appliance.FieldCheck{Name: "seven_years", Passed: !slices.Contains(v.Expiry.Codes, egypt.CodeExpirySpan)})
	}
}

// firstExpiring is the release from which on cards end at a printed date.
const firstExpiring = "2009-01-01"

// unreadableDate is the confidence under which a date is not returned: it is then more likely wrong than right.
const unreadableDate = 0.3

// date records a printed date.
func (e *editor) date(name string, d egypt.Date, r row) {
	f := appliance.Field{Name: name, Value: d.Value, Confidence: d.Confidence, Quad: e.sheet.quad(r), Raw: d.Raw, Repairs: d.Repairs}
	if d.Confidence < unreadableDate {
		f.Value = ""
	}
	for _, c := range d.Codes {
		if f.Value != "" || !followsFromDate(c) {
			e.Flag(name, f.Value, appliance.Code(c))
		}
	}
	switch {
	case f.Value == "":
		e.Flag(name, "", appliance.CodeUnreadable)
	case d.Doubtful():
		e.Flag(name, f.Value, appliance.CodeLowConfidence)
	}
	e.Fields = append(e.Fields, f)
}

// followsFromDate tells whether a code says something of the date itself, which cannot be said of one that is not returned.
func followsFromDate(c egypt.Code) bool { return c == egypt.CodeExpired || c == egypt.CodeExpirySpan }
