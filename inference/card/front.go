package card

import (
	"context"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/bawab/bawab/appliance/egypt"
)

// frontPrint is what the lines of a national ID's front are: empty where nothing was found.
type frontPrint struct {
	datedNumber
	names, addresses []entry
	serial           entry
	// incomplete tells that names and address may not hold all of their lines: it is not clear where the one ends and the other
	// begins, or a line between the names was overlooked.
	incomplete bool
	// headless tells that no title was seen and no label of the name: what is above the lines may be hidden, and the given name with it.
	headless bool
	// unproved tells that nothing but labels says that the number is that of a national ID.
	unproved bool
}

// readFront finds out which line of a front is which, and reads them.
//
// Sources differ by several millimetres about where things stand, so a line's role follows from its place among the
// others and from what it says, and from its place on the card only where those leave it open. names tells which words are
// names.
func (s *sheet) readFront(ctx context.Context, names *egypt.Wording) (p frontPrint, err error) {
	layout := egypt.Front()
	place, _ := egypt.At(layout, egypt.RoleNumber)
	var at int
	if p.datedNumber, at, err = s.numberRowOf(ctx, place.Y-1.5*place.DY, 1); err != nil {
		return p, err
	}
	if p.serial, err = s.readSerial(ctx, &p.datedNumber); err != nil {
		return p, err
	}
	bottom, above := place.Y-place.DY/2, p.above()
	switch {
	case above:
		s.rows = slices.Delete(slices.Clone(s.rows), at, at+1)
		bottom = place.Y + place.DY
	case at >= 0 && s.besideText(p.numberRow): // lines may stand as low as it does
		bottom = place.Y + place.DY
	case at >= 0:
		bottom = s.rows[at].y() - s.rows[at].height()/viewHeight
	}
	h, err := s.readPerson(ctx, bottom, above, names)
	if err == nil && !s.named { // the title that says what it is may be the first, or beside it
		var untitled bool
		if s.named, untitled, err = s.readUppermost(ctx); err == nil && untitled {
			s.untitled = true
			h, err = s.readPerson(ctx, bottom, above, names)
		}
	}
	if above && len(h.names) > 0 && p.numberRow.y() < h.names[0].y() { // what stands in its row is its label
		h.title = max(h.title, p.numberRow.y())
	}
	titled, introduced := s.titled || s.named, false
	if err == nil && s.announced >= announcedFront {
		introduced, err = s.readIntroducedFront(ctx, &h)
	}
	if err == nil && len(h.birth) > 0 {
		err = s.readBirth(ctx, h.birth, &p.datedNumber)
	}
	if err == nil && !s.named && serialLike(p.serial.text) == 1 {
		s.named, err = s.seekBirth(ctx, &p)
		s.named = s.named || s.titled && p.wholeNumber()
	}
	switch {
	case !above || s.named:
	case h.labelled: // as on cards whose titles stand on a dark band
		p.unproved = true
	default: // any card may show its holder's number somewhere
		p.datedNumber = datedNumber{}
	}
	if err == nil && !introduced {
		err = s.readOverlookedNames(ctx, &h, names)
	}
	p.names, p.addresses, p.incomplete = h.names, h.addresses, h.incomplete
	p.headless = !titled && !introduced && !h.called
	if err == nil {
		err = s.readAllStrange(ctx, names, p.names)
	}
	return p, err
}

// seekBirth reports whether a front shows the birth date in its number, wherever that stands. With a serial of its form no other card shows both.
func (s *sheet) seekBirth(ctx context.Context, p *frontPrint) (bool, error) {
	if !p.wholeNumber() || p.showsBirth(p.date) {
		return p.showsBirth(p.date), nil
	}
	const shortest, longest = 3, 14
	for _, r := range s.rows {
		for _, piece := range r {
			if slim := piece.slim(); slim < shortest || slim > longest || piece.inside(p.numberRow) || piece.inside(p.serial.row) {
				continue
			}
			date, err := s.digits(ctx, piece.Line)
			if err != nil {
				return false, err
			}
			if p.showsBirth(date) {
				p.date, p.dateRow = date, row{piece}
				return true, nil
			}
		}
	}
	return false, nil
}

// wholeNumber reports whether as many digits were read as a number has.
func (p *frontPrint) wholeNumber() bool {
	return p.number != nil && count(p.number) == egypt.NumberLength
}

// showsBirth reports whether a date is the birth date in the number of a front.
func (p *frontPrint) showsBirth(f figures) bool {
	if !p.wholeNumber() || f == nil || count(f) != dayDigits {
		return false
	}
	number, date := strings.Map(digit, p.number.Text()), strings.Map(digit, f.Text())
	born := map[byte]string{'2': "19", '3': "20"}[number[0]] + number[1:7]
	return date == born || date == born[6:]+born[4:6]+born[:4]
}

// readBlock reads the lines of names and addresses: those right of the portrait, below the titles and above bottom. title is the
// height of the lowest title, 0 where none was seen, and labelled where labels stand that introduce lines.
func (s *sheet) readBlock(ctx context.Context, bottom float64) (title float64, labelled map[egypt.Label]float64, lines []entry, err error) {
	first, _ := egypt.At(egypt.Front(), egypt.RoleTitle1)
	most := 2
	for _, r := range s.block(bottom) {
		if most == 2 && r.y() < first.Y+first.DY/2 && !s.untitled { // so far up there is nothing but the first title
			most, title = 1, r.y()
			continue
		}
		w, err := s.readWords(ctx, r)
		if err != nil {
			return 0, nil, nil, err
		}
		e := entry{r, w}
		if err := s.withoutLatin(ctx, &e); err != nil {
			return 0, nil, nil, err
		}
		lines = append(lines, e)
	}
	all := lines
	s.announced = fieldsAnnounced(all)
	lines = lines[titles(lines, most):]
	if lines, labelled, err = s.withoutLabels(ctx, lines); err != nil {
		return 0, nil, nil, err
	}
	if err := s.readAllFurther(ctx, lines); err != nil {
		return 0, nil, nil, err
	}
	lines = lines[titled(lines):] // one that could not be read at first
	lines = slices.DeleteFunc(lines, entry.onlyLabel)
	if len(labelled) > 0 {
		for i := range lines {
			if _, err := s.withoutLabel(ctx, &lines[i], egypt.FrontPhrases(), 0); err != nil { // likewise
				return 0, nil, nil, err
			}
		}
		lines = slices.DeleteFunc(lines, func(e entry) bool { return len(e.row) == 0 })
	}
	at := titled(all)
	s.titled = at > 0
	s.named = slices.ContainsFunc(all[:at], func(e entry) bool { return ofIdentity(e.text) })
	if above := len(all) - len(lines); above > 0 {
		title = all[above-1].y()
	}
	for i := range lines {
		lines[i].dropScraps()
	}
	return title, labelled, slices.DeleteFunc(lines, func(e entry) bool {
		return !e.worded() || e.confidence < scrap || e.longNumber() || e.holdsSerial() || namesOffice(e.text)
	}), nil
}

// readUppermost reads the titles where most cards have them, closely where they stand on a dark band, and reports whether one says that the card is one of identity, or that the first
// line there is none of the titles, as on a card whose outline leaves them out.
func (s *sheet) readUppermost(ctx context.Context) (named, untitled bool, err error) {
	second, _ := egypt.At(egypt.Front(), egypt.RoleTitle2)
	for i, r := range s.rows[:min(len(s.rows), 2)] {
		if r.y() > second.Y+second.DY/2 {
			break
		}
		e := entry{row: r}
		if e.script, err = s.readWords(ctx, r); err == nil && e.confidence < hardlyInk {
			e.script, err = s.readOnBand(ctx, r)
		}
		if err != nil {
			return false, false, err
		}
		if isTitle(e.text) {
			if s.titled = true; ofIdentity(e.text) {
				return true, false, nil
			}
			continue
		}
		if i > 0 {
			continue
		}
		if at, ok := e.beginsWith(egypt.FrontPhrases()); ok && (at.Phrase.Label == egypt.LabelName || at.Phrase.Label == egypt.LabelAddress) {
			return false, true, nil
		}
	}
	return false, false, nil
}

// readOnBand reads a title on a dark band, which the detector sees higher and lower down than its letters are, and whose base line cannot be told.
func (s *sheet) readOnBand(ctx context.Context, r row) (script, error) {
	const letters, up = 0.72, 0.15 // of the height that was seen
	p := r.whole()
	p.Start.Y, p.End.Y = p.Start.Y-up*p.Height, p.End.Y-up*p.Height
	p.Height *= letters
	return s.words(ctx, p.Line)
}

// doubtedLabel is the confidence under which a line may begin with a label too small to be read with it.
const doubtedLabel = 0.15

// withoutLabels cuts off what introduces names, address and number on some cards. It stands right of them: a line that ends farther right than others is looked at closely, and so
// is one that is read badly or stands beside another with a label. labelled is the height of the first line that each of the labels introduces.
func (s *sheet) withoutLabels(ctx context.Context, lines []entry) (out []entry, labelled map[egypt.Label]float64, err error) {
	lines, labelled = slices.Clone(lines), map[egypt.Label]float64{}
	labels := egypt.FrontPhrases()
	unmistakable := withArticle(labels)
	rights := make([]float64, len(lines))
	for i, l := range lines {
		rights[i] = l.right()
	}
	first := len(lines) // with a label
	for i := range lines {
		out := rights[i] - lines[i].height()/viewWidth
		own, closely := unmistakable, 0
		switch {
		case first < i || slices.ContainsFunc(rights, func(r float64) bool { return r < out }):
			own, closely = labels, mostSmallWords
		case lines[i].confidence < doubtedLabel:
			closely = 1
		}
		y := lines[i].y()
		label, err := s.withoutLabel(ctx, &lines[i], own, closely)
		if err != nil {
			return nil, nil, err
		}
		if label != "" {
			first = min(first, i)
			labelled[label] = min(heightOf(labelled, label), y)
		}
	}
	for i := 0; i < first && first < len(lines); i++ {
		if _, err := s.withoutLabel(ctx, &lines[i], labels, mostSmallWords); err != nil {
			return nil, nil, err
		}
	}
	return slices.DeleteFunc(lines, func(e entry) bool { return len(e.row) == 0 }), labelled, nil
}

// withoutCrumbs parts lines from what is none but a piece of a pattern or a letter's tail: below the first one, in doubt and without
// a word.
func withoutCrumbs(lines []entry) (out, crumbs []entry) {
	for i, e := range lines {
		if i == 0 || e.confidence >= crumb || arabicLetters(e.text) >= shortWord {
			out = append(out, e)
		} else {
			crumbs = append(crumbs, e)
		}
	}
	return out, crumbs
}

// What is less likely to be right than crumb and has fewer Arabic letters than shortWord may be no text at all.
const (
	crumb     = 0.6
	shortWord = 3
)

// marginBegins is where, as a share of the card's width, no line begins any more: what does is text beside the card.
const marginBegins = 0.94

// textColumn is where the lines of a front stand, as shares of the card's width: right of the portrait or, where hardly any of the upper ones reaches the right part and
// some begin where most cards have their portrait, or none stands in the right half below the titles, left of it.
func (s *sheet) textColumn() (left, right float64) {
	const portrait, opposite, upper, long = 0.33, 0.75, 0.62, 0.12
	title, _ := egypt.At(egypt.Front(), egypt.RoleTitle2)
	begins, ends, beyond := 1.0, 0.0, 0
	lefts, rights := 0, 0 // pieces in either half below the titles
	for _, r := range s.rows {
		for _, p := range r {
			if p.y() > upper || p.slim() < 2 { // a patch of the portrait is no line
				continue
			}
			if p.y() > title.Y+title.DY/2 && p.right()-p.left() > long/2 {
				if p.centre() < 0.45 {
					lefts++
				} else {
					rights++
				}
			}
			switch {
			case p.right()-p.left() < long:
			case p.right() > opposite:
				beyond++
			default:
				begins, ends = min(begins, p.left()), max(ends, p.right())
			}
		}
	}
	if (begins > portrait-0.05 || beyond > 1) && (lefts < 2 || rights > 0) { // one may be a stain
		return portrait, 1
	}
	return 0, ends + 0.03
}

// besideText reports whether text stands in the column of the portrait.
func (s *sheet) besideText(r row) bool {
	left, right := s.textColumn()
	return r.right() < left || r.left() > right
}

// onlyLabel reports whether a line is a label and nothing else.
func (e entry) onlyLabel() bool { return e.only(egypt.FrontPhrases()) }

// only reports whether a line is one of some labels and nothing else.
func (e entry) only(labels []egypt.Phrase) bool {
	at, ok := e.beginsWith(labels)
	return ok && at.To == len(strings.Fields(e.text)) && at.Score > 0.9
}

// beginsWith is the label that a line begins with; ok is false where that is none of some.
func (e entry) beginsWith(labels []egypt.Phrase) (at egypt.Located, ok bool) {
	at, ok = egypt.LocateLabel(strings.Fields(e.text), labels)
	return at, ok && at.From == 0
}

// onlyDate reports whether a line is a date and nothing else.
func (e entry) onlyDate() bool {
	if strings.ContainsFunc(e.text, unicode.IsLetter) {
		return false
	}
	return digitsIn(e.text) >= monthDigits && strings.ContainsAny(e.text, printedSeparators) || bareDate.MatchString(strings.Map(digit, egypt.FoldDigits(e.text)))
}

// bareDate are the digits of a date with a day, of which the dots between them may have been overlooked.
var bareDate = regexp.MustCompile(`^((19|20)[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])|(0[1-9]|[12][0-9]|3[01])(0[1-9]|1[0-2])(19|20)[0-9]{2})$`)

// block returns the rows right of the portrait and above bottom.
func (s *sheet) block(bottom float64) []row {
	var rows []row
	var heights []float64
	left, right := s.textColumn()
	for _, r := range s.rows {
		if r = r.between(left, right); len(r) > 0 && r.y() < bottom && r.right() >= right-0.45 && r.left() < marginBegins {
			rows = append(rows, r)
			heights = append(heights, r.height())
		}
	}
	if len(rows) == 0 {
		return nil
	}
	slices.Sort(heights)
	var out []row
	usual := heights[len(heights)/2]
	for _, r := range rows {
		tall := func(p piece) bool { return p.Height >= double*usual }
		if lines := slices.DeleteFunc(slices.Clone(r), tall); len(lines) > 0 { // the others are patches of the portrait
			r = lines
		}
		if r.height() < double*usual || r.whole().slim() < 3 {
			out = append(out, r)
			continue
		}
		upper, lower := r.halves()
		out = append(out, upper, lower)
	}
	return out
}

// double is from how many times the usual height on a row is two lines that the detector saw as one.
const double = 1.75

// halves parts a row that is two lines, one close below the other.
func (r row) halves() (upper, lower row) {
	for _, p := range r {
		shift := 0.42 * p.Height
		p.Height /= 2
		p.Start.Y, p.End.Y = p.Start.Y-shift, p.End.Y-shift
		upper = append(upper, p)
		p.Start.Y, p.End.Y = p.Start.Y+2*shift, p.End.Y+2*shift
		lower = append(lower, p)
	}
	return upper, lower
}

// worded reports whether a line holds Arabic letters or digits, without which it is neither a name nor an address.
func (e entry) worded() bool {
	return strings.ContainsFunc(e.text, func(r rune) bool { return unicode.Is(unicode.Arabic, r) || unicode.IsDigit(r) })
}

// readBirth reads a row as the birth date, if none was read yet.
func (s *sheet) readBirth(ctx context.Context, r row, d *datedNumber) error {
	if d.date != nil {
		return nil
	}
	date, err := s.digits(ctx, r.whole().Line)
	if err == nil && date.LogLength(dayDigits) > certain {
		d.date, d.dateRow = date, r
	}
	return err
}

// holds reports whether a piece is part of the number or of the date beside it.
func (d *datedNumber) holds(p piece) bool {
	x := p.centre() * viewWidth
	start, end := d.numberSpan()
	return p.inside(d.numberRow) && x > start && x < end || d.inDate(p)
}

// inDate reports whether a piece is text of the date.
func (d *datedNumber) inDate(p piece) bool { return p.inside(d.dateRow) }

// inside reports whether a piece lies in a row.
func (p piece) inside(r row) bool {
	return len(r) > 0 && p.centre() >= r.left() && p.centre() <= r.right() && math.Abs(p.y()-r.y()) < r.height()/viewHeight
}
