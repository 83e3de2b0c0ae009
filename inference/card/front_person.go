package card

import (
	"context"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/bawab/bawab/appliance/egypt"
)

// readOverlookedNames reads the lines of the name that the detector did not see.
func (s *sheet) readOverlookedNames(ctx context.Context, h *person, names *egypt.Wording) error {
	if h.lacksFirst() {
		if err := s.readFirst(ctx, h); err != nil {
			return err
		}
	}
	return s.readUnseen(ctx, h, names)
}

// person is what a front says in words.
type person struct {
	title            float64 // height of the lowest title, 0 where none was seen
	names, addresses []entry
	crumbs           []entry // what was left out as no line
	birth            row     // of a birth date among the lines
	incomplete       bool    // as in frontPrint
	labelled, called bool    // a label says where the address, and where the name begins
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
	h.title, h.names, h.addresses, h.labelled, h.called = title, lines[:split], lines[split:], address < 1, heightOf(labelled, egypt.LabelName) < 1
	h.incomplete = gapped(h.names, pitch(lines)) || lead < clearSplit
	if len(lines) > addressLines && (address < lines[0].y()+lines[0].height()/2/viewHeight || beginsAddress(lines)) {
		h.addressFirst(lines, heightOf(labelled, egypt.LabelName))
	}
	return h, nil
}

// beginsAddress reports whether lines begin with an address: with a word that no name begins with, and the line below ends in a place.
func beginsAddress(lines []entry) bool {
	return lines[0].ofStreet() && egypt.EndsInPlace(lines[1].text)
}

// ofStreet reports whether a line begins with a word that addresses begin with and no name does.
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

// lacksFirst reports whether the line of the given name seems to have been overlooked, or of its height only a part was seen.
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

// centred reports whether lines have their middles below each other rather than their ends.
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

// aligned reports whether a line ends where one of others does, or has its middle where one has.
func (e entry) aligned(others ...entry) bool {
	near := e.height() / viewWidth
	return slices.ContainsFunc(others, func(o entry) bool {
		return math.Abs(e.right()-o.right()) < near || math.Abs(e.left()+e.right()-o.left()-o.right())/2 < near
	})
}

// allListed reports whether a line is made of listed words alone, one of them of several letters.
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

// gapped reports whether there is room for another line between two, or whether fewer words were found than a name has. On 300
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

// ofAddress reports whether a line of an address may begin with a word and one of names does not.
func ofAddress(word string) bool { return slices.Contains(addressWords(), egypt.Fold(word)) }

// addressWords are those words, folded.
var addressWords = sync.OnceValue(func() []string {
	return strings.Fields("شارع ش حاره عطفه ميدان عزبه كفر قريه ناحيه عماره برج بلوك مساكن حي مركز قسم طريق منشاه نجع درب كورنيش مدينه " +
		"اولاد بني فيلا قطعه منزل شقه ميت محله شبرا زقاق تقسيم جزيره المنطقه")
})
