package card

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/text"
)

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

// holdsDate reports whether a word of a line in one piece is a whole date, however badly its label was read, or all its words are dates.
func (e entry) holdsDate() bool {
	words := strings.Fields(egypt.FoldDigits(e.text))
	other := func(w string) bool { return !aloneDate.MatchString(w) && !monthAlone.MatchString(w) }
	return slices.ContainsFunc(words, aloneDate.MatchString) && (len(e.row) == 1 || !slices.ContainsFunc(words, other))
}

// withoutDay reports whether a line holds a date without a day, and none with one.
func (e entry) withoutDay() bool {
	words := strings.Fields(egypt.FoldDigits(e.text))
	return slices.ContainsFunc(words, monthAlone.MatchString) && !slices.ContainsFunc(words, aloneDate.MatchString)
}

// aloneDate is a date with a day and nothing else.
var aloneDate = regexp.MustCompile(`^([0-9]{4}[/.-][0-9]{1,2}[/.-][0-9]{1,2}|[0-9]{1,2}[/.-][0-9]{1,2}[/.-][0-9]{4})$`)

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

// ofCard reports whether a line says that it speaks of the card.
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

// saysExpiry reports whether a line says that it is the expiry.
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
		d, ok := spelledOf(w).(text.Spelled)
		if ok && slices.Contains(lengths, len(d.Signs)) && strings.ContainsAny(w.text, printedSeparators) {
			d.Confidence = min(d.Confidence, eitherDate)
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
