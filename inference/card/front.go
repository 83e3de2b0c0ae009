package card

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
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
	introduced := false
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
	if err == nil {
		err = s.readAllStrange(ctx, names, p.names)
	}
	return p, err
}

// readOverlookedNames reads the lines of the name that the detector did not see.
func (s *sheet) readOverlookedNames(ctx context.Context, h *person, names *egypt.Wording) error {
	if h.lacksFirst() {
		if err := s.readFirst(ctx, h); err != nil {
			return err
		}
	}
	return s.readUnseen(ctx, h, names)
}

// seekBirth tells whether a front shows the birth date in its number, wherever that stands. With a serial of its form no other card shows both.
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

// wholeNumber tells whether as many digits were read as a number has.
func (p *frontPrint) wholeNumber() bool {
	return p.number != nil && count(p.number) == egypt.NumberLength
}

// showsBirth tells whether a date is the birth date in the number of a front.
func (p *frontPrint) showsBirth(f figures) bool {
	if !p.wholeNumber() || f == nil || count(f) != dayDigits {
		return false
	}
	number, date := strings.Map(digit, p.number.Text()), strings.Map(digit, f.Text())
	born := map[byte]string{'2': "19", '3': "20"}[number[0]] + number[1:7]
	return date == born || date == born[6:]+born[4:6]+born[:4]
}

// person is what a front says in words.
type person struct {
	title            float64 // height of the lowest title, 0 where none was seen
	names, addresses []entry
	crumbs           []entry // what was left out as no line
	birth            row     // of a birth date among the lines
	incomplete       bool    // as in frontPrint
	labelled         bool    // a label says where the address begins
}

// readPerson reads the lines between the titles and bottom, and parts them into names and address. lower tells that the lines may stand lower than on most cards; higher they may always.
func (s *sheet) readPerson(ctx context.Context, bottom float64, lower bool, names *egypt.Wording) (h person, err error) {
	title, labelled, lines, err := s.readBlock(ctx, bottom)
	if err != nil {
		return h, err
	}
	address := heightOf(labelled, egypt.LabelAddress)
	birth := heightOf(labelled, egypt.LabelBirth)
	ofBirth := func(e entry) bool {
		return e.onlyDate() || math.Abs(e.y()-birth)*viewHeight < e.height()/2 && digitsIn(e.text) >= monthDigits // what follows is of no person
	}
	if i := slices.IndexFunc(lines, ofBirth); i >= 0 {
		h.birth = lines[i].row
		lines = slices.DeleteFunc(lines, ofBirth)
	}
	if len(lines) > leastLines {
		lines, h.crumbs = withoutCrumbs(lines)
	}
	// What stands above the label of the name and holds neither names nor an address is a title or a pattern.
	for label := heightOf(labelled, egypt.LabelName); label < address && len(lines) > 2 && lines[0].y() < label-lines[0].height()/viewHeight && !named(names, lines[0].text) && !beginsAddress(lines); {
		lines = lines[1:]
	}
	for len(lines) > leastLines && lines[0].confidence < crumb && !lines[0].aligned(lines[1:]...) { // of a title or a pattern
		lines = lines[1:]
	}
	for len(lines) > leastLines && saysCard(lines[0].text) {
		lines = lines[1:]
	}
	down := 0.0
	if first, _ := egypt.At(egypt.Front(), egypt.RoleName1); len(lines) > 0 && (lower || lines[0].y() < first.Y) {
		down = lines[0].y() - first.Y
	}
	split, lead := splitAddress(lines, down, names)
	if at := slices.IndexFunc(lines, func(e entry) bool { return e.y() > address-e.height()/2/viewHeight }); at > 0 { // as its label says
		split, lead = at, clearSplit
		if i := slices.IndexFunc(lines[1:at], entry.ofStreet); i >= 0 { // it is that of another part, or stands below what it announces
			split, lead = 1+i, 0
		}
	}
	h.title, h.names, h.addresses, h.labelled = title, lines[:split], lines[split:], address < 1
	h.incomplete = gapped(h.names, pitch(lines)) || lead < clearSplit
	if len(lines) > addressLines && (address < lines[0].y()+lines[0].height()/2/viewHeight || beginsAddress(lines)) {
		h.addressFirst(lines, heightOf(labelled, egypt.LabelName))
	}
	return h, nil
}

// saysCard tells whether a line begins with the word for a card, as titles of whatever card do and no name does.
func saysCard(line string) bool {
	first, _, several := strings.Cut(egypt.Fold(line), " ")
	return several && egypt.Likeness(first, "بطاقه") >= exactly
}

// beginsAddress tells whether lines begin with an address: with a word that no name begins with, and the line below ends in a place.
func beginsAddress(lines []entry) bool {
	return lines[0].ofStreet() && egypt.EndsInPlace(lines[1].text)
}

// ofStreet tells whether a line begins with a word that addresses begin with and no name does.
func (e entry) ofStreet() bool {
	words := strings.Fields(e.text)
	return len(words) > 1 && (ofAddress(words[0]) || anyDigit(words[0]))
}

// heightOf is where a label stands of which others tell, as a share of the card's height; 1 where it does not.
func heightOf(labelled map[egypt.Label]float64, l egypt.Label) float64 {
	if y, ok := labelled[l]; ok {
		return y
	}
	return 1
}

// addressFirst parts lines of which the first is labelled as the address: the names begin at their own label, or else, in doubt, below the line that ends in a place. Without
// either the label may be a name that looks like one.
func (h *person) addressFirst(lines []entry, label float64) {
	at := slices.IndexFunc(lines, func(e entry) bool { return e.y() > label-e.height()/2/viewHeight })
	unlabelled := at <= 0
	if unlabelled {
		at = 1 + slices.IndexFunc(lines, func(e entry) bool { return egypt.EndsInPlace(e.text) })
	}
	if at == 0 || at > addressLines {
		return
	}
	h.addresses, h.names, h.title, h.incomplete = lines[:at], lines[at:], 0, unlabelled // the titles stand above the address
}

// lacksFirst tells whether the line of the given name seems to have been overlooked, or of its height only a part was seen.
func (h *person) lacksFirst() bool {
	first, _ := egypt.At(egypt.Front(), egypt.RoleName1)
	others, _ := egypt.At(egypt.Front(), egypt.RoleName2)
	switch len(h.names) {
	case 0:
		return false
	case 1:
		return len(h.addresses) == addressLines && h.names[0].y() > (first.Y+others.Y)/2
	}
	return h.names[0].confidence < 0.75 && h.names[0].height() < 0.65*h.names[1].height()
}

// readFirst reads the given name where it must stand: as far above the other names as lines are apart, or a little nearer, its right
// end above theirs. It stays in doubt.
func (s *sheet) readFirst(ctx context.Context, h *person) error {
	best, others, least := entry{}, h.names, 0.0
	switch {
	case len(others) > 1:
		best, others = others[0], others[1:]
	case len(egypt.NameUnits(others[0].text)) >= leastNames: // it may hold the given name, too, and nothing may stand above it
		least = hardlyInk
	}
	below, apart := others[0].whole(), pitch(slices.Concat(others, h.addresses))*viewHeight
	for _, lines := range []float64{1, 0.75} {
		e, err := s.readShort(ctx, below, -lines*apart, centred(slices.Concat(others, h.addresses)))
		if err != nil {
			return err
		}
		if !isTitle(e.text) && arabicLetters(e.text) > 1 && e.confidence > max(best.confidence, least) {
			best = e
			h.names, h.incomplete = slices.Concat([]entry{e}, others), true
		}
	}
	return nil
}

// readShort reads a short line so far below another: on a card with centred lines it has its middle where that has, on others it ends
// where that does. Where a first look shows nothing it is the only one.
func (s *sheet) readShort(ctx context.Context, beside piece, down float64, centred bool) (e entry, err error) {
	end := beside.End.X
	if centred {
		end = beside.centre()*viewWidth + longestFirst*viewWidth/2
	}
	start := along(beside.Start, beside.End, end-longestFirst*viewWidth)
	beside.Start, beside.End, beside.Sag = start, along(beside.Start, beside.End, end), 0
	beside.Start.Y, beside.End.Y = beside.Start.Y+down, beside.End.Y+down
	e.row = row{beside}
	if e.script, err = s.readWords(ctx, e.row); err != nil || e.confidence < scrap {
		return e, err
	}
	err = s.readFurther(ctx, &e)
	return e, err
}

// centred tells whether lines have their middles below each other rather than their ends.
func centred(lines []entry) bool {
	spread := func(x func(entry) float64) float64 {
		least, most := math.Inf(1), math.Inf(-1)
		for _, l := range lines {
			least, most = min(least, x(l)), max(most, x(l))
		}
		return most - least
	}
	return spread(func(l entry) float64 { return (l.left() + l.right()) / 2 }) < spread(entry.right)
}

// longestFirst is how long a given name may be, as a share of the card's width.
const longestFirst = 0.3

// readUnseen reads the short lines that the detector did not see among the names: where the first stands so far below the titles, or
// two so far apart, that there is room for another. Between security printing and the lines around it the network reads a letter or
// two and is not sure of them: only what is surely there, or all in the list of names, is a line. It stays in doubt.
func (s *sheet) readUnseen(ctx context.Context, h *person, names *egypt.Wording) error {
	lines := slices.Concat(h.names, h.addresses)
	if len(h.names) == 0 || len(lines) < leastLines-1 {
		return nil
	}
	usual := pitch(lines)
	for i := len(h.names) - 1; i >= 0; i-- {
		y, up := h.names[i].y(), usual
		switch {
		case i > 0 && y-h.names[i-1].y() > spacious*usual:
			up = (y - h.names[i-1].y()) / 2
		case i > 0 || h.title == 0 || y-h.title <= roomy*usual:
			continue
		}
		e, err := s.readShort(ctx, h.names[i].whole(), -up*viewHeight, centred(lines))
		if err != nil {
			return err
		}
		there := !isTitle(e.text) && arabicLetters(e.text) > 1 &&
			(e.confidence >= surelyThere || e.confidence >= listedThere && allListed(e.text, names))
		if !there && i > 0 {
			e, there = h.crumbBetween(h.names[i-1], h.names[i], usual)
		}
		switch {
		case there:
			h.names, h.incomplete = slices.Insert(slices.Clone(h.names), i, e), true
		case i == 0 && len(egypt.NameUnits(h.names[0].text)) > 1: // hardly a given name
			h.incomplete = true
		}
	}
	return nil
}

// crumbBetween returns what was left out as a crumb but stands between two lines as a line would: as high as they are, in line with one
// of them, and as far from either as lines may be.
func (h *person) crumbBetween(upper, lower entry, usual float64) (entry, bool) {
	for _, e := range h.crumbs {
		apart := min(e.y()-upper.y(), lower.y()-e.y())
		if apart > 0.5*usual && e.height() > 0.7*min(upper.height(), lower.height()) && e.aligned(upper, lower) {
			return e, true
		}
	}
	return entry{}, false
}

// aligned tells whether a line ends where one of others does, or has its middle where one has.
func (e entry) aligned(others ...entry) bool {
	near := e.height() / viewWidth
	return slices.ContainsFunc(others, func(o entry) bool {
		return math.Abs(e.right()-o.right()) < near || math.Abs(e.left()+e.right()-o.left()-o.right())/2 < near
	})
}

// allListed tells whether a line is made of listed words alone, one of them of several letters.
func allListed(line string, names *egypt.Wording) bool {
	return arabicLetters(line) >= shortWord && !slices.ContainsFunc(strings.Fields(line), func(w string) bool { return !names.Knows(w) })
}

// spacious is from how many times the distance of neighbouring lines on there may be another between two names. What is read there
// with the confidence surelyThere, or listedThere if the list has it, is one. On 600 drawn fronts (23 November 2026) 76 places are looked
// at: the five with a line give 4, 39, 57, 80 and 98 % and listed names, the others up to 32 % and none.
const (
	spacious    = 1.25
	surelyThere = 0.7
	listedThere = 0.02
)

// leastLines are those that every front has: two of names and two of the address.
const leastLines = 2 + addressLines

// roomy is from how many times the distance of neighbouring lines on there is room for another between the titles and the first.
const roomy = 1.7

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

// holdsSerial tells whether a line is a serial, with its label or without.
func (e entry) holdsSerial() bool {
	return serialLike(e.text) == 1 || slices.ContainsFunc(strings.Fields(e.text), func(w string) bool { return serialLike(w) == 1 })
}

// longNumber tells whether a line holds more digits than any house has.
func (e entry) longNumber() bool { return digitsIn(e.text) >= fewestDigits }

// readUppermost reads the titles where most cards have them, closely where they stand on a dark band, and tells whether one says that the card is one of identity, or that the first
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

// What is less likely to be right than crumb and has fewer Arabic letters than shortWord may be no print at all.
const (
	crumb     = 0.6
	shortWord = 3
)

// marginBegins is where, as a share of the card's width, no line begins any more: what does is print beside the card.
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

// besideText tells whether print stands in the column of the portrait.
func (s *sheet) besideText(r row) bool {
	left, right := s.textColumn()
	return r.right() < left || r.left() > right
}

// onlyLabel tells whether a line is a label and nothing else.
func (e entry) onlyLabel() bool { return e.only(egypt.FrontPhrases()) }

// only tells whether a line is one of some labels and nothing else.
func (e entry) only(labels []egypt.Phrase) bool {
	at, ok := e.beginsWith(labels)
	return ok && at.To == len(strings.Fields(e.text)) && at.Score > 0.9
}

// beginsWith is the label that a line begins with; ok is false where that is none of some.
func (e entry) beginsWith(labels []egypt.Phrase) (at egypt.Located, ok bool) {
	at, ok = egypt.LocateLabel(strings.Fields(e.text), labels)
	return at, ok && at.From == 0
}

// onlyDate tells whether a line is a date and nothing else.
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

// worded tells whether a line holds Arabic letters or digits, without which it is neither a name nor an address.
func (e entry) worded() bool {
	return strings.ContainsFunc(e.text, func(r rune) bool { return unicode.Is(unicode.Arabic, r) || unicode.IsDigit(r) })
}

// titles returns how many of the upper lines of a front are titles: they say so, or stand where titles stand and are too
// small or faint to be read.
func titles(lines []entry, most int) int {
	title, _ := egypt.At(egypt.Front(), egypt.RoleTitle2)
	name, _ := egypt.At(egypt.Front(), egypt.RoleName1)
	best, at, sum := 0.0, 0, 0.0
	for i, e := range lines[:min(len(lines), most)] {
		odds := max(-2.5, min(2.5, 30*((title.Y+name.Y)/2-e.y())))
		switch {
		case isTitle(e.text) && e.y() < 0.4:
			odds += 6
		case e.confidence > 0.1:
			odds -= 4
		case e.confidence < 1e-3:
			odds++
		}
		if sum += odds; sum > best {
			best, at = sum, i+1
		}
	}
	// On a card whose edges were missed, titles stand lower and have other lines above them, but still say what they are.
	return max(at, titled(lines))
}

// titled returns how many of the upper lines end with the last one that reads like a title.
func titled(lines []entry) (at int) {
	for i, e := range lines[:min(len(lines), 4)] {
		if isTitle(e.text) && e.y() < 0.5 {
			at = i + 1
		}
	}
	return at
}

// ofIdentity tells whether a title says that it is a card of identity: other papers of the state name the republic or the authority of civil status, too, and say that they are cards.
func ofIdentity(title string) bool {
	words := strings.Fields(egypt.Fold(title))
	holds := func(own string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return egypt.Likeness(w, own) >= identityLike })
	}
	if slices.ContainsFunc(identityWords(), holds) || holds("بطاقه") && (holds(nationalWord) || slices.ContainsFunc(words, beginsTitle)) {
		return true
	}
	return slices.ContainsFunc(ofNation(), holds) && slices.ContainsFunc(words, func(w string) bool { return slices.Contains(cardNames(), w) })
}

// beginsTitle tells whether a folded word begins as تحقيق does, the rest of which glare may hide.
func beginsTitle(word string) bool { return strings.HasPrefix(word, "تحق") }

// identityLike is the least likeness of a word to one of identity.
const identityLike = 0.7

// titleWords are the folded words of the two titles that names do not hold.
func titleWords() []string {
	return slices.Concat([]string{"جمهوريه", "بطاقه", "البطاقه", nationalWord}, cardNames(), identityWords())
}

// nationalWord is that of بطاقة الرقم القومي, another title of the card; labels of the number have it on other cards, too.
const nationalWord = "القومي"

// identityWords are those of them that other cards of the state do not have.
func identityWords() []string { return []string{"تحقيق", "الشخصيه", "شخصيه"} }

// cardNames and ofNation are those of هوية وطنية, البطاقة القومية, هوية المواطن and الهوية المصرية, as the card is called elsewhere.
func cardNames() []string { return []string{"الهويه", "هويه"} }

func ofNation() []string {
	return []string{"الوطنيه", "وطنيه", "القوميه", "قوميه", "المواطن", "المصريه"}
}

// titleNames are those that are like names.
func titleNames() []string { return append(ofNation(), "العربيه") }

// officeWords are those of the offices that old cards name: وزارة الداخلية and مصلحة الأحوال المدنية. Names come near to some.
func officeWords() []string {
	return []string{"وزاره", "الداخليه", "مصلحه", "الاحوال", "للاحوال", "المدنيه"}
}

// isTitle tells whether a line is one of the titles, some letters misread: two of their words, of which no name has one, or such a
// one alone.
func isTitle(line string) bool {
	words := strings.Fields(egypt.Fold(line))
	hits, likeNames := 0, 0
	for _, w := range words {
		like := func(t string) bool {
			least := 0.75
			if t == nationalWord { // streets are القومية
				least = clearTitle
			}
			return egypt.Likeness(w, t) >= least
		}
		switch {
		case slices.ContainsFunc(titleWords(), like), beginsTitle(w):
			hits++
		case slices.ContainsFunc(titleNames(), like):
			likeNames++
		}
	}
	card := slices.Contains(words, "بطاقه") && slices.Contains(words, "الرقم") // القومي may be misread
	return hits > 0 && (hits+likeNames >= 2 || len(words) == 1) || namesOffice(line) || card
}

// namesOffice tells whether a line names the office that issued a card, or its head.
func namesOffice(line string) bool {
	offices := 0
	for w := range strings.FieldsSeq(egypt.Fold(line)) {
		if slices.ContainsFunc(officeWords(), func(t string) bool { return egypt.Likeness(w, t) >= clearTitle }) {
			offices++
		}
	}
	return offices >= 2
}

// clearTitle is the least likeness to a word of titles of one that streets and names are like.
const clearTitle = 0.87

// splitAddress returns how many of the lines between titles and number are names; the rest is the address. Nothing is
// printed beside them that tells, so each line speaks for itself by its place and its words, and a wider gap between two
// lines speaks for the end of the names there. The lines stand so far down, as a share of the card's height, from where most cards have them. lead is by how much, as log-odds, this beats the next best place to part them.
func splitAddress(lines []entry, down float64, names *egypt.Wording) (at int, lead float64) {
	best, second := math.Inf(-1), math.Inf(-1)
	most := addressLines
	if n := len(lines); n > 0 {
		if whole, _ := inOneLine(lines[n-1].text); whole {
			most = 1
		}
	}
	for k := 0; k <= len(lines); k++ {
		sum := 0.0
		for i, e := range lines {
			if v := addressLike(e, down, i == len(lines)-1, names); i < k {
				sum -= v
			} else {
				sum += v
			}
		}
		if k > 0 && k < len(lines) {
			sum += 2 * (lines[k].y() - lines[k-1].y() - pitch(lines)) / pitch(lines)
		}
		switch n := len(lines) - k; {
		case n > most:
			sum -= furtherLine
		case n == most-1 && n > 0:
			sum -= lackingLine
		}
		if sum > best {
			best, second, at = sum, best, k
		} else {
			second = max(second, sum)
		}
	}
	return at, best - second
}

// An address is printed in two lines; a third one between names and number is a stray, or more likely a name that no list holds,
// which then looks like neither. Of 295 drawn fronts both were found in 294 (22 November 2026); fewer are believed more readily than
// that, because a name that is taken for a place is worse than a flag. As log-odds, set by judgement.
const (
	addressLines = 2
	furtherLine  = 4
	lackingLine  = 3
)

// clearSplit is the lead from which on it is clear where the names end. On 150 drawn fronts, one in twenty lies below (20 November
// 2026).
const clearSplit = 5

// gapped tells whether there is room for another line between two, or whether fewer words were found than a name has. On 300
// drawn fronts neighbouring lines of a name are at most 1.4 times as far apart as usual (20 November 2026).
func gapped(names []entry, pitch float64) bool {
	words := 0
	for i, e := range names {
		if words += len(strings.Fields(e.text)); i > 0 && e.y()-names[i-1].y() > 1.6*pitch {
			return true
		}
	}
	return words < leastNames
}

// leastNames is of how many words the name on a card is made at least: one's own, the father's and the grandfather's.
const leastNames = 3

// pitch is the median distance of neighbouring lines, as a share of the card's height.
func pitch(lines []entry) float64 {
	if len(lines) < 2 {
		return 1
	}
	var gaps []float64
	for i := range lines[1:] {
		gaps = append(gaps, lines[i+1].y()-lines[i].y())
	}
	slices.Sort(gaps)
	return max(gaps[(len(gaps)-1)/2], 0.01)
}

// addressLike says how much more a line looks like an address than like a name, as log-odds set by judgement. down is as in splitAddress.
func addressLike(e entry, down float64, last bool, names *egypt.Wording) float64 {
	name, _ := egypt.At(egypt.Front(), egypt.RoleName2)
	address, _ := egypt.At(egypt.Front(), egypt.RoleAddress1)
	odds := max(-3, min(3, 30*(e.y()-down-(name.Y+address.Y)/2)))
	words, known := strings.Fields(egypt.Fold(e.text)), 0
	if anyDigit(e.text) {
		odds += 3
	}
	if len(words) > 1 && !strings.ContainsFunc(words[0], unicode.IsLetter) { // the number of a house
		words = words[1:]
		odds += 3
	}
	if strings.ContainsAny(e.text, "-–/,،") {
		odds += 2
	}
	if len(words) > 0 && ofAddress(words[0]) {
		odds += 3
	}
	for _, w := range words {
		if names.Knows(w) {
			known++
		}
	}
	odds -= 4 * float64(known) / float64(max(1, len(words)))
	if known > 0 && known == len(words) {
		odds--
	}
	if last && egypt.EndsInPlace(e.text) {
		odds += 1
	}
	return odds
}

// ofAddress tells whether a line of an address may begin with a word and one of names does not.
func ofAddress(word string) bool { return slices.Contains(addressWords(), egypt.Fold(word)) }

// addressWords are those words, folded.
var addressWords = sync.OnceValue(func() []string {
	return strings.Fields("شارع ش حاره عطفه ميدان عزبه كفر قريه ناحيه عماره برج بلوك مساكن حي مركز قسم طريق منشاه نجع درب كورنيش مدينه " +
		"اولاد بني فيلا قطعه منزل شقه ميت محله شبرا زقاق تقسيم جزيره المنطقه")
})

// readSerial finds the card's serial: the most serial-like of the lines below the names, wherever they stand, but for the
// row of the number. A birth date that stands among them is taken, too, where none was found beside the number.
func (s *sheet) readSerial(ctx context.Context, d *datedNumber) (best entry, err error) {
	place, _ := egypt.At(egypt.Front(), egypt.RoleSerial)
	var candidates []row
	for _, r := range s.rows {
		for _, p := range r {
			p = p.leftOfNumber(d)
			if p.y() > place.Y-3*place.DY && p.slim() > 3 && p.slim() < 16 && !d.holds(p) {
				p.Height *= serialHeight
				candidates = append(candidates, row{p})
			}
		}
	}
	left, _ := s.textColumn()
	below := left == 0 // the portrait, which is on the right
	if below {
		behind, err := s.behindNumber(ctx, d)
		if err != nil {
			return best, err
		}
		candidates = append(candidates, behind...)
	}
	away := func(r row) float64 {
		x := r[0].centre()
		if below {
			x = 1 - x
		}
		return place.Distance(x, r.y())
	}
	slices.SortStableFunc(candidates, func(a, b row) int { return cmp.Compare(away(a), away(b)) })
	most := 0.0
	for _, r := range candidates[:min(len(candidates), 3)] {
		w, err := s.readWords(ctx, r)
		if err != nil {
			return best, err
		}
		if (entry{r, w}).onlyDate() {
			if err := s.readBirth(ctx, r, d); err != nil {
				return best, err
			}
			continue
		}
		e := entry{r, w}
		if err := s.withoutSerialLabel(ctx, &e); err != nil {
			return best, err
		}
		if v := serialLike(e.text); v > most {
			best, most = e, v
		}
		if most == 1 && (d.date != nil || len(d.numberRow) > 0 && !d.above()) { // beside the number it was looked for
			break
		}
	}
	if most < likeSerial || digitsIn(best.text) <= egypt.IDKeyDigits/2 { // words in Latin letters are a little like one
		if e, err := s.readSerialElsewhere(ctx, d); err != nil || len(e.row) > 0 {
			return e, err
		}
	}
	err = s.readFurther(ctx, &best)
	return best, err
}

// withoutSerialLabel leaves of a line in several words the one that is a serial, if one is: the others announce it.
func (s *sheet) withoutSerialLabel(ctx context.Context, e *entry) (err error) {
	if len(e.parts) != 1 {
		return nil
	}
	words := wordsOf(e.parts[0])
	at := slices.IndexFunc(words, func(w word) bool { return serialLike(w.text) == 1 })
	if at < 0 || len(words) == 1 {
		return nil
	}
	from, to := reach(words, at, at+1)
	e.row = row{piece{cut(e.row[0].Line, from, to)}}
	e.script, err = s.readWords(ctx, e.row)
	return err
}

// above tells whether the number of a front stands over the names or among the lines, and not at the foot.
func (d *datedNumber) above() bool {
	place, _ := egypt.At(egypt.Front(), egypt.RoleNumber)
	return len(d.numberRow) > 0 && d.numberRow.y() < place.Y-1.5*place.DY
}

// likeSerial is the least likeness to a serial of what may be one that was misread.
const likeSerial = 0.5

// readSerialElsewhere finds a serial at any height beside the lines, below the portrait or at the level of the titles, or else among them, behind its label; empty where none surely stands there.
func (s *sheet) readSerialElsewhere(ctx context.Context, d *datedNumber) (e entry, err error) {
	const side = 0.35 // of the card's width
	for _, beside := range []bool{true, false} {
		for _, r := range s.rows {
			for _, p := range r {
				if p.slim() < 4 || beside && p.slim() > 16 || beside != (p.right() <= side || p.left() >= 1-side) || d.holds(p) {
					continue
				}
				if beside {
					p.Height *= serialHeight
				}
				e := entry{row: row{p}}
				if e.script, err = s.readWords(ctx, e.row); err != nil {
					return entry{}, err
				}
				if e.holdsSerial() {
					err = s.withoutSerialLabel(ctx, &e)
					return e, err
				}
			}
		}
	}
	return entry{}, nil
}

// leftOfNumber is what of a piece stands left of the number, where the detector saw both as one.
func (p piece) leftOfNumber(d *datedNumber) piece {
	start := d.numberStart() - 0.5*p.Height
	if !p.inside(d.numberRow) || start-p.Start.X < 3*p.Height || p.End.X < start {
		return p
	}
	return piece{cut(p.Line, 0, (start-p.Start.X)/(p.End.X-p.Start.X))}
}

// behindNumber is the last word right of the number and its label, where the detector saw them all as one.
func (s *sheet) behindNumber(ctx context.Context, d *datedNumber) ([]row, error) {
	_, end := d.numberSpan()
	for _, r := range s.rows {
		for _, p := range r {
			if !p.inside(d.numberRow) || p.Start.X > end || p.End.X-end < leastSlim*p.Height {
				continue
			}
			rest := cut(p.Line, (end-p.Start.X)/(p.End.X-p.Start.X), 1)
			w, err := s.words(ctx, rest)
			if err != nil {
				return nil, err
			}
			if words := wordsOf(w); len(words) > 1 {
				last := piece{cut(rest, (words[0].start+words[1].end)/2, 1)}
				last.Height *= serialHeight
				return []row{{last}}, nil
			}
		}
	}
	return nil, nil
}

// serialHeight is what of the height that the detector sees in small Latin print is the letters' own (300 drawn
// photographs, November 2026).
const serialHeight = 0.75

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

// holds tells whether a piece is part of the number or of the date beside it.
func (d *datedNumber) holds(p piece) bool {
	x := p.centre() * viewWidth
	start, end := d.numberSpan()
	return p.inside(d.numberRow) && x > start && x < end || d.inDate(p)
}

// inDate tells whether a piece is print of the date.
func (d *datedNumber) inDate(p piece) bool { return p.inside(d.dateRow) }

// inside tells whether a piece lies in a row.
func (p piece) inside(r row) bool {
	return len(r) > 0 && p.centre() >= r.left() && p.centre() <= r.right() && math.Abs(p.y()-r.y()) < r.height()/viewHeight
}

// serialForm is what a serial looks like.
func serialForm() *regexp.Regexp {
	return regexp.MustCompile(fmt.Sprintf("^[A-Z]{%d}[0-9]{%d}$", egypt.IDKeyLetters, egypt.IDKeyDigits))
}

// serialLike says from 0 to 1 how much a text looks like a serial.
func serialLike(line string) float64 {
	line = strings.Trim(strings.ToUpper(strings.ReplaceAll(egypt.FoldDigits(line), " ", "")), signs) // those of a label
	if serialForm().MatchString(line) {
		return 1
	}
	signs, good := []rune(line), 0
	for _, r := range signs {
		if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			good++
		}
	}
	if len(signs) < 5 || len(signs) > 13 {
		return 0
	}
	return 0.9 * float64(good) / float64(len(signs)) * (1 - math.Abs(float64(len(signs)-9))/9)
}
