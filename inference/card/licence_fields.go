package card

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
)

// filled is a list of the entry, or of nothing where it is empty.
func filled(e entry) []entry {
	if len(e.row) == 0 {
		return nil
	}
	return []entry{e}
}

// free makes a field of lines of words, without the label that introduces them, if it was read with them.
func (e *editor) free(name string, wording *egypt.Wording, label egypt.Label, lines ...entry) appliance.Field {
	lines, _ = withoutCrumbs(lines)
	if label == egypt.LabelName && len(lines) > 0 && lines[0].ofCompany() {
		wording = nil // of persons
	}
	f := e.words(name, wording, lines...)
	if at, ok := egypt.FindLabel(f.Value, egypt.PhrasesOf(label)); ok && at.Before == "" && at.After != "" && at.Score > 0.85 {
		f.Value = at.After
	}
	f.Value = trimmed(withoutLabelRest(f.Value))
	if label == egypt.LabelName {
		f.Value = withoutOffice(betweenLetters(f.Value))
		if own := inArabic(f.Value); wording != nil && own != f.Value {
			f.Repairs = append(f.Repairs, f.Value+" read as "+own+", a name in Arabic letters")
			f.Value, f.Confidence = own, min(f.Confidence, halfSure)
		}
	}
	return f
}

// inArabic leaves the words with Latin letters, as of a label in English, out of a name that has Arabic ones.
func inArabic(name string) string {
	if arabicLetters(name) == 0 {
		return name
	}
	return strings.Join(slices.DeleteFunc(strings.Fields(name), func(w string) bool { return strings.ContainsFunc(w, latinLetter) }), " ")
}

// trimmed is a value without the signs around it: separators, and what a frame or an ornament beside it was read as.
func trimmed(value string) string { return strings.Trim(value, " "+signs+ornaments) }

// wholeAddress makes the field of the address of a licence. One that does not end in a governorate may lack its last line, one that is a place
// alone its first.
func (e *editor) wholeAddress(lines []entry) {
	f := e.free("address", e.addressWords, egypt.LabelAddress, lines...)
	e.add(f)
	e.printed(f.Name)
	if f.Value != "" && (!egypt.EndsInListedPlace(f.Value) || placeAlone(f.Value) || egypt.LetterOrOne(f.Value)) {
		e.doubt(f.Name)
	}
}

// placeAlone reports whether an address names no street and no house.
func placeAlone(address string) bool {
	const most = 4 // words, without strokes
	words := strings.FieldsFunc(egypt.Fold(address), func(r rune) bool { return strings.ContainsRune(" -–/", r) })
	street := len(words) > 0 && ofAddress(words[0]) && !slices.Contains([]string{"مركز", "قسم", "مدينه", "حي"}, words[0])
	return len(words) <= most && !anyDigit(address) && !street
}

// doubtLines puts the fields that may have several lines in doubt where these stand above their labels: of which the first lines are is a guess then.
func (e *editor) doubtLines() {
	if e.sheet.values == aboveLabel {
		e.doubt("name", "name_2", "nameArabic", "nameEnglish", "address")
	}
}

// betweenLetters is a name without what stands before or behind it and holds no letter: a picture in the place of a label, or the card's
// pattern, is read as a sign.
func betweenLetters(name string) string {
	return strings.TrimFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.Is(unicode.Mn, r) })
}

// withoutOffice leaves out of a name the label of the next column, إدارة or وحدة, or of the name itself, cut short, which was read with it: no name has these words.
func withoutOffice(name string) string {
	words := strings.Fields(name)
	for len(words) > 0 && slices.Contains([]string{"اداره", "الاداره", "وحده", "الوحده", "الاسم", "الاس"}, egypt.Fold(words[len(words)-1])) {
		words = words[:len(words)-1]
	}
	return strings.Join(words, " ")
}

// withoutLabelRest leaves out of a value the words of a longer label of which only the first was taken for one. No name and no address has
// them.
func withoutLabelRest(value string) string {
	words := strings.Fields(value)
	rest := func(w string) bool {
		return slices.Contains([]string{"بالكامل", "بالانجليزيه", "باللاتينيه"}, egypt.Fold(w))
	}
	for len(words) > 0 && rest(words[0]) {
		words = words[1:]
	}
	for len(words) > 0 && rest(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	return strings.Join(words, " ")
}

// printed flags a field that every card of its kind has and that was not read.
func (e *editor) printed(name string) {
	if e.Field(name).Value == "" {
		e.Flag(name, "", appliance.CodeUnreadable)
	}
}

// term makes a field of a line that mostly holds a phrase of a list.
func (e *editor) term(name string, terms *egypt.Terms, l entry) appliance.Field {
	f := e.words(name, nil, filled(l)...)
	if f.Value = strings.Trim(f.Value, " "+signs); f.Value == "" {
		return f
	}
	t := e.sheet.expected(e.Kind, name, terms).Choose(f.Value, math.Log(max(l.confidence, 1e-30)), l.pooled())
	if t.Value != f.Value {
		f.Repairs = append(f.Repairs, f.Value+" read as "+t.Value+", which such a field holds")
	}
	f.Value, f.Confidence = t.Value, t.Confidence
	f.Checks = append(f.Checks, appliance.FieldCheck{Name: "vocabulary", Passed: t.Listed})
	return f
}

// unit makes a field of a traffic unit: after the words that all begin with, a place.
func (e *editor) unit(name string, l entry) appliance.Field {
	f := e.words(name, e.addressWords, filled(l)...)
	f.Value = onceUnit(trimmed(f.Value))
	if f.Value == "" || l.score == nil {
		return f
	}
	u, odd := egypt.ChooseUnit(f.Value, l.score)
	if u.Value != f.Value {
		f.Repairs = append(f.Repairs, f.Value+" read as "+u.Value+": units begin with such words")
	}
	if f.Value, f.Confidence = u.Value, max(f.Confidence, u.Confidence); odd {
		f.Confidence = min(f.Confidence, halfSure)
	}
	own := e.sheet.own[e.Kind].terms[name]
	if own == nil {
		return f
	}
	t := own.Choose(f.Value, math.Log(max(f.Confidence, 1e-30)), l.pooled())
	if !t.Listed {
		return f
	}
	if t.Value != f.Value {
		f.Repairs = append(f.Repairs, f.Value+" read as "+t.Value+", which is a unit here")
	}
	f.Value, f.Confidence = t.Value, t.Confidence
	return f
}

// onceUnit leaves out the label before the name of a unit that begins with the same word: وحدة / وحدة مرور.
func onceUnit(unit string) string {
	words := strings.Fields(unit)
	n := 1
	for n < len(words) && isSigns(words[n]) {
		n++
	}
	if n < len(words) && egypt.Fold(words[0]) == "وحده" && egypt.Fold(words[n]) == "وحده" {
		words = words[n:]
	}
	return strings.Join(words, " ")
}

// sureLabel is the likeness from which on a label is told from another one that begins alike.
const sureLabel = 0.85

// eitherDate is the most confidence of a date of which it is not clear which of the two it is: one that is flagged.
const eitherDate = 0.8

// validDates records when a licence was issued and when it ends. Where the two can only be the other way round, their labels
// were misread.
func (e *editor) validDates(issuedName, expiryName string, issued, expiry printedDate) {
	decode := func(issued, expiry printedDate) (i, x egypt.Date) {
		i, x = issued.dateOf(egypt.LicenceReleaseRules(e.now)), expiry.dateOf(egypt.LicenceExpiryRules(e.now))
		return i, x
	}
	i, x := decode(issued, expiry)
	if i.Value == "" || x.Value == "" || i.Value > x.Value {
		if other, end := decode(expiry, issued); other.Value != "" && end.Value != "" && other.Value < end.Value {
			issued, expiry, i, x = expiry, issued, other, end
			issued.doubtful, expiry.doubtful = true, true
		}
	}
	// A card writes all its dates alike: a lone day or month of one digit may have lost the other.
	issued.doubtful = issued.doubtful || i.Form.Short() && !x.Form.Short()
	expiry.doubtful = expiry.doubtful || x.Form.Short() && !i.Form.Short()
	if issued.doubtful || i.Value != "" && x.Value != "" && i.Value > x.Value {
		i.Confidence = min(i.Confidence, eitherDate)
	}
	if expiry.doubtful || i.Value != "" && x.Value != "" && i.Value > x.Value {
		x.Confidence = min(x.Confidence, eitherDate)
	}
	if egypt.Expired(x.Value, e.now) {
		x.Codes = append(x.Codes, egypt.CodeExpired)
	}
	e.date(issuedName, i, issued.row)
	e.date(expiryName, x, expiry.row)
}
