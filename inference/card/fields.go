package card

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
)

// The confidence below which a value is flagged, and below which it is not returned at all.
const (
	// doubtWords is for fields in a wording, whose confidence is fitted (certainty). Of 21,000 names, addresses and occupations of 6,000 drawn IDs that had no part
	// in anything (seed 91001, 26 November 2026), 0.46 % are wrong without a flag and 26 % right with one; with 0.9 it would be 0.61 and 24 %.
	doubtWords = 0.93
	// doubtInk is for what the ink alone tells. On the 418 serials of the photographs that certainty was fitted on (seeds 7321 and 7322, 20 November 2026), 38 % lie
	// below and 11 % are wrong, 0.2 % without a flag.
	doubtInk        = 0.9
	unreadableWords = 0.05
)

// editor turns what was read into the fields of a document.
type editor struct {
	*appliance.Document
	sheet   *sheet
	now     time.Time
	earlier []appliance.Document
	// spelling is how the words of the card are spelled, as far as it was learnt.
	spelling egypt.Spelling
	// latin is the holder's name in Latin letters, where the card prints it, too.
	latin string
	// sex is the holder's, where the national number surely tells it.
	sex egypt.Sex

	nameWords, addressWords, jobWords, remarkWords *egypt.Wording
}

// add records a field that the ink alone tells.
func (e *editor) add(f appliance.Field) { e.addDoubting(f, doubtInk) }

// addDoubting records a field and says what is doubtful about it: what can hardly be read is not returned.
func (e *editor) addDoubting(f appliance.Field, doubt float64) {
	if f.Value != "" && f.Confidence < unreadableWords {
		f.Repairs = append(f.Repairs, "not returned: hardly readable")
		f.Value = ""
		e.Flag(f.Name, "", appliance.CodeUnreadable)
	}
	switch {
	case f.Value != "" && f.Confidence < doubt:
		e.Flag(f.Name, f.Value, appliance.CodeLowConfidence)
	case f.Value == "" && f.Raw != "" && !e.Flagged(f.Name, appliance.CodeUnreadable): // something is printed there
		e.Flag(f.Name, "", appliance.CodeUnreadable)
	}
	e.Fields = append(e.Fields, f)
}

// learn counts how the words of lines are spelled, which tells how to read the others of the card.
func (e *editor) learn(wording *egypt.Wording, lines ...entry) {
	for _, l := range lines {
		for i := range l.parts {
			e.spelling = e.spelling.Plus(l.parts[i].choice(wording).spelling, 1)
		}
	}
}

// words makes a field of lines of words, one after the other, in the wording of its kind if there is one.
func (e *editor) words(name string, wording *egypt.Wording, lines ...entry) appliance.Field {
	f := appliance.Field{Name: name}
	if len(lines) == 0 {
		return f
	}
	f.Confidence = 1
	var raw, chosen []string
	var parts []*script
	for _, l := range lines {
		raw = append(raw, l.text)
		for i := range slices.Backward(l.parts) {
			parts, chosen = append(parts, &l.parts[i]), append(chosen, l.parts[i].text)
			f.Confidence *= l.parts[i].confidence
		}
	}
	if wording != nil {
		sayings := e.sayings(name, wording, parts)
		for i, v := range sayings {
			if chosen[i] = v.text; v.text != parts[i].text {
				f.Repairs = append(f.Repairs, fmt.Sprintf("%s read as %s, likelier words that the print allows as well", parts[i].text, v.text))
			}
		}
		if f.Confidence = certainty(sayings); slices.ContainsFunc(lines, entry.gapes) {
			f.Confidence = min(f.Confidence, gapedWords)
		}
	}
	f.Raw = strings.Join(raw, " ")
	f.Value = egypt.Clean(strings.Join(chosen, " "))
	if wording != nil && wording == e.addressWords {
		f.Value = egypt.FiveAlone(f.Value)
	}
	f.Quad = e.outline(lines)
	return f
}

// Words stand less than widestBlank heights apart (of 282 fields of another generator's cards all do, of 202 on cards with a spot on the text 19 do not, 24 November 2026):
// where there is more between two, something may hide a third. gapedWords is the confidence that is left then.
const (
	widestBlank = 1.45
	gapedWords  = 0.7
)

// gapes reports whether a line has a blank between signs that is wider than between words.
func (l entry) gapes() bool {
	pieces := slices.SortedFunc(slices.Values(l.row), func(a, b piece) int { return cmp.Compare(a.left(), b.left()) })
	for i, p := range pieces {
		if i > 0 && (p.left()-pieces[i-1].right())*viewWidth > widestBlank*p.Height {
			return true
		}
	}
	return slices.ContainsFunc(l.parts, func(p script) bool { return p.blank() > widestBlank })
}

// blank is the widest blank between signs of a piece, in its heights.
func (p script) blank() (widest float64) {
	last := math.Inf(1)
	for _, s := range p.symbols {
		if s.Rune == ' ' {
			continue
		}
		widest = max(widest, s.Start-last)
		last = s.End
	}
	return widest * p.place.Length() / max(p.place.Height, 1)
}

// sayings are what the pieces of a field say in its wording: each alone, names as names of a man's or a woman's line, and then, where the card prints
// the name in Latin letters, too, as that spells all of them together.
func (e *editor) sayings(name string, wording *egypt.Wording, parts []*script) []saying {
	out, texts := make([]saying, len(parts)), make([]string, len(parts))
	lineage := func(int, string) float64 { return 0 }
	if wording == e.nameWords {
		lineage = func(i int, said string) float64 { return egypt.LogLineage(said, e.firstOf(name, i)) }
	}
	for i, p := range parts {
		out[i] = p.saying(wording, e.spelling, func(said string) float64 { return lineage(i, said) })
		texts[i] = out[i].text
	}
	if _, ok := egypt.LogTranscription(strings.Join(texts, ""), e.latin); !ok {
		return out
	}
	for i, p := range parts {
		before, after := strings.Join(texts[:i], ""), strings.Join(texts[i+1:], "")
		out[i] = p.saying(wording, e.spelling, func(said string) float64 {
			spelled, _ := egypt.LogTranscription(before+said+after, e.latin)
			return spelled + lineage(i, said)
		})
	}
	return out
}

// firstOf is the sex of the person whose name a piece of a name begins with: the holder, or a father or husband.
func (e *editor) firstOf(field string, piece int) egypt.Sex {
	if piece == 0 && field != "last_names" && field != "name_2" && field != "husbandName" {
		return e.sex
	}
	return egypt.Male
}

// sexSure is from which confidence on the sex that the national number tells bears on the reading of names.
const sexSure = 0.98

// outline is the place of one line, or from the first of several to the last.
func (e *editor) outline(lines []entry) appliance.Quad {
	left, right := math.Inf(1), math.Inf(-1)
	for _, l := range lines {
		w := l.whole()
		left, right = min(left, w.Start.X), max(right, w.End.X)
	}
	first, last := lines[0].whole(), lines[len(lines)-1].whole()
	top, bottom := first.Line, last.Line
	top.Start, top.End = along(top.Start, top.End, left), along(top.Start, top.End, right)
	bottom.Start, bottom.End = along(bottom.Start, bottom.End, left), along(bottom.Start, bottom.End, right)
	return e.sheet.band(top, bottom)
}

// missing flags a field that every card has and that was not found.
func (e *editor) missing(name string) {
	e.Fields = append(e.Fields, appliance.Field{Name: name})
	e.Flag(name, "", appliance.CodeUnreadable)
}

// derived makes a field that follows from others, as sure as the least sure of them; it is flagged where one of them is.
func (e *editor) derived(name, value string, confidence float64, from ...string) {
	f := appliance.Field{Name: name, Value: value, Confidence: confidence, DerivedFrom: from}
	for _, code := range []appliance.Code{appliance.CodeUnreadable, appliance.CodeLowConfidence} {
		if slices.ContainsFunc(from, func(n string) bool { return e.Flagged(n, code) }) {
			if value == "" {
				code = appliance.CodeUnreadable
			} else {
				code = appliance.CodeLowConfidence
			}
			e.Flag(name, value, code)
			break
		}
	}
	e.Fields = append(e.Fields, f)
}

// front fills in the fields of a national ID's front.
func (e *editor) front(p frontPrint) {
	number := e.number("idNumber", p.datedNumber, birthCells(p.date), "", 0)
	e.ofNumber(number, p.datedNumber)
	if p.unproved {
		e.doubt("idNumber", "dateOfBirth", "gender", "govern")
	}
	e.learn(e.nameWords, p.names...)
	e.learn(e.addressWords, p.addresses...)
	e.names(p.names)
	e.address(p.addresses)
	if p.incomplete {
		e.doubt("name", "last_names", "last_names_english", "address", "address_1", "address_2")
		if len(egypt.NameUnits(e.Field("first_name").Value)) > 1 { // which may be others
			e.doubt("first_name", "first_name_english")
		}
	}
	if p.headless {
		e.doubt("name", "first_name", "first_name_english", "last_names", "last_names_english")
	}
	e.serial(p.serial)
}

// doubt flags what was read of fields.
func (e *editor) doubt(names ...string) {
	for _, name := range names {
		if f := e.Field(name); f.Value != "" {
			e.Flag(name, f.Value, appliance.CodeLowConfidence)
		}
	}
}

// unreadableNumber is the confidence under which a number is not returned: it is then more likely wrong than right.
const unreadableNumber = 0.3

// keepsRules reports whether a number is one under the grammar: its length, its date and its governorate.
func keepsRules(n egypt.Number) bool {
	return !slices.ContainsFunc(n.Codes, func(c egypt.Code) bool { return c <= egypt.CodeGovernorate })
}

// number decodes the national number and records it as a field.
func (e *editor) number(name string, d datedNumber, birth []egypt.Cell, sex egypt.Sex, sure float64) egypt.Number {
	if len(d.numberRow) == 0 {
		e.missing(name)
		return egypt.Number{}
	}
	other := e.otherSide()
	n := egypt.DecodeNumber(d.number.Cells(egypt.NumberLength), egypt.Evidence{
		Length: d.number.LogLength(egypt.NumberLength), Text: strings.Map(digit, d.number.Text()), Score: d.number.Score,
		Birth: birth, Sex: sex, SexConfidence: sure, Other: other, Today: e.now,
	})
	f := appliance.Field{
		Name: name, Value: n.Value, Confidence: n.Confidence, Quad: e.sheet.quad(d.numberRow), Raw: d.number.Text(), Repairs: n.Repairs,
		Checks: []appliance.FieldCheck{
			{Name: "grammar", Passed: keepsRules(n)},
		},
	}
	if len(n.Value) == egypt.NumberLength {
		f.Characters = n.Digits[:]
	}
	if n.Parts.Check != egypt.CheckUnknown {
		f.Checks = append(f.Checks, appliance.FieldCheck{Name: "check_digit", Passed: n.Parts.Check == egypt.CheckAgrees})
	}
	if n.Value == "" || n.Confidence < unreadableNumber {
		f.Value, f.Characters, n = "", nil, egypt.Number{Raw: n.Raw}
		e.Flag(name, "", appliance.CodeUnreadable)
	}
	for _, c := range n.Codes {
		// The printed date and gender have fields of their own.
		if c != egypt.CodeBirthMismatch && c != egypt.CodeGenderMismatch {
			e.Flag(name, f.Value, appliance.Code(c))
		}
	}
	// Where the number is not what the first look showed and nothing else tells it, the text may be hidden: under a finger a digit
	// looks like another, and the rules find one that fits.
	repaired := f.Value != strings.Map(digit, d.number.Text()) && birth == nil && other == nil
	if f.Value != "" && (repaired || n.Doubtful()) {
		e.Flag(name, f.Value, appliance.CodeLowConfidence)
	}
	if n.Sex >= sexSure {
		e.sex = n.Parts.Sex
	}
	e.Fields = append(e.Fields, f)
	return n
}

// otherSide returns the number that this transaction read on the other side of the card, for a driving licence on either
// side of the ID, as evidence for this one; nil when there is none.
func (e *editor) otherSide() []egypt.Cell {
	others := map[appliance.Kind][]appliance.Kind{
		appliance.NationalIDFront: {appliance.NationalIDBack},
		appliance.NationalIDBack:  {appliance.NationalIDFront},
		appliance.DrivingLicense:  {appliance.NationalIDFront, appliance.NationalIDBack},
	}[e.Kind]
	i := slices.IndexFunc(e.earlier, func(d appliance.Document) bool {
		return slices.Contains(others, d.Kind) && len(d.Field("idNumber").Value) == egypt.NumberLength
	})
	if i < 0 {
		return nil
	}
	f := e.earlier[i].Field("idNumber")
	return egypt.CellsOf(f.Value, f.Confidence, f.Characters)
}

// birthCells is the printed birth date as evidence; nil unless it surely has eight digits: it shares its place with an
// image that depends on the angle.
func birthCells(f figures) []egypt.Cell {
	if f == nil || f.LogLength(dayDigits) < certain {
		return nil
	}
	return f.Cells(dayDigits)
}

// ofNumber records what follows from the number: birth date, governorate and gender. Without a number the birth date is the printed one, in doubt.
func (e *editor) ofNumber(n egypt.Number, d datedNumber) {
	if n.Parts.Birth == "" && d.date != nil {
		e.date("dateOfBirth", egypt.DecodeDate(d.date, egypt.BirthRules(e.now)), d.dateRow)
		e.doubt("dateOfBirth")
	} else {
		e.birth(n, d)
	}
	e.derived("govern", n.Parts.Governorate.Arabic, n.Place, "idNumber")
	e.derived("gender", string(n.Parts.Sex), n.Sex, "idNumber")
}

// unreadableDate is the confidence under which a date is not returned: it is then more likely wrong than right.
const unreadableDate = 0.3

// date records a printed date.
func (e *editor) date(name string, d egypt.Date, r row) {
	f := appliance.Field{Name: name, Value: d.Value, Confidence: d.Confidence, Quad: e.sheet.quad(r), Raw: d.Raw, Repairs: d.Repairs}
	if d.Confidence < unreadableDate {
		f.Value = ""
	}
	if losesSeparator(d.Raw) {
		d.Confidence = min(d.Confidence, eitherDate)
		f.Confidence = d.Confidence
	}
	for _, c := range d.Codes {
		e.Flag(name, f.Value, appliance.Code(c))
	}
	switch {
	case f.Value == "":
		e.Flag(name, "", appliance.CodeUnreadable)
	case d.Doubtful():
		e.Flag(name, f.Value, appliance.CodeLowConfidence)
	}
	e.Fields = append(e.Fields, f)
}

// losesSeparator reports whether a date with a day shows one separator of two: a digit may be lost with the other, as in 2026/130.
func losesSeparator(raw string) bool {
	count := func(r rune) bool { return strings.ContainsRune(printedSeparators, r) }
	return len(strings.FieldsFunc(raw, count)) == 2 && digitsIn(raw) > monthDigits
}

// birth records the birth date of a number, checked against the printed one.
func (e *editor) birth(n egypt.Number, d datedNumber) {
	e.derived("dateOfBirth", n.Parts.Birth, n.Birth, "idNumber")
	if d.date == nil {
		return
	}
	birth := &e.Fields[len(e.Fields)-1]
	birth.Quad, birth.Raw = e.sheet.quad(d.dateRow), d.date.Text()
	if birthCells(d.date) == nil {
		return
	}
	differs := slices.Contains(n.Codes, egypt.CodeBirthMismatch)
	birth.Checks = append(birth.Checks, appliance.FieldCheck{Name: "printed_date", Passed: !differs})
	if differs {
		e.Flag("dateOfBirth", birth.Value, appliance.CodeBirthMismatch)
	}
}

// names records the lines of names: the first holds the first name, the others the rest.
func (e *editor) names(lines []entry) {
	const first, last = "first_name", "last_names"
	switch {
	case len(lines) >= 2:
		e.nameOf(first, lines[:1])
		e.nameOf(last, lines[1:])
	case len(lines) == 1 && len(egypt.NameUnits(lines[0].text)) >= leastNames:
		e.nameInOneLine(first, last, lines[0])
	default:
		e.nameOf(first, lines)
		e.nameOf(last, nil)
	}
	confidence := 1.0
	for _, name := range []string{first, last} {
		f := e.Field(name)
		confidence *= f.Confidence
		e.derived(name+"_english", egypt.Transliterate(f.Value), f.Confidence, name)
	}
	e.derived("name", strings.TrimSpace(e.Field(first).Value+" "+e.Field(last).Value), confidence, first, last)
}

// nameOf records a part of the name, which is missing without lines.
func (e *editor) nameOf(name string, lines []entry) {
	if len(lines) == 0 {
		e.missing(name)
		return
	}
	f := e.words(name, e.nameWords, lines...)
	f.Value = betweenLetters(f.Value)
	e.addDoubting(f, doubtWords)
}

// nameInOneLine records both parts of a name that one line seems to hold. Cards print them in two: that of the first name may have been overlooked, so
// both stay in doubt.
func (e *editor) nameInOneLine(first, last string, line entry) {
	f := e.words(first, e.nameWords, line)
	units := egypt.NameUnits(betweenLetters(f.Value))
	given := min(1, len(units))
	f.Value = strings.Join(units[:given], " ")
	e.addDoubting(f, doubtWords)
	f.Name, f.Value = last, strings.Join(units[given:], " ")
	e.addDoubting(f, doubtWords)
	e.doubt(first, last)
}

// address records the lines of the address: the first, and what follows it. Some are printed in one line.
func (e *editor) address(lines []entry) {
	first, second, whole, parted := lines, lines, false, false
	if len(lines) == 1 {
		whole, parted = inOneLine(lines[0].text)
	}
	switch {
	case len(lines) >= 2:
		first, second = lines[:1], lines[1:]
	case len(lines) == 1 && egypt.EndsInPlace(lines[0].text) && !whole:
		first = nil
	default:
		second = nil
	}
	confidence := 1.0
	for _, part := range []struct {
		name  string
		lines []entry
	}{{"address_1", first}, {"address_2", second}} {
		switch {
		case len(part.lines) > 0:
		case whole:
			e.Fields = append(e.Fields, appliance.Field{Name: part.name})
			continue
		default:
			e.missing(part.name)
			confidence = 0
			continue
		}
		f, dated := e.words(part.name, e.addressWords, part.lines...), false
		f.Value, dated = withoutDates(trimmed(f.Value))
		confidence *= f.Confidence
		e.addDoubting(f, doubtWords)
		if dated || egypt.LetterOrOne(f.Value) {
			e.doubt(part.name)
		}
	}
	if whole && !parted {
		e.doubt("address_1")
	}
	if f := e.Field("address_2"); f.Value != "" && !egypt.EndsInListedPlace(f.Value) { // it may be cut off, or misread
		e.doubt(f.Name)
	}
	e.derived("address", strings.TrimSpace(e.Field("address_1").Value+" "+e.Field("address_2").Value), confidence, "address_1", "address_2")
}

// withoutDates leaves out of an address the dates that were read with it, and reports whether there were any: what stands beside it may have been taken for a part of it.
func withoutDates(address string) (rest string, dated bool) {
	words := strings.Fields(address)
	kept := slices.DeleteFunc(slices.Clone(words), dateLike)
	return strings.Join(kept, " "), len(kept) < len(words)
}

// inOneLine reports whether a line holds both parts of an address: it begins as the first does, ends in a governorate, and has at least two words between them,
// since streets are called by places as well. parted tells that it parts the governorate from the rest as cards do.
func inOneLine(line string) (whole, parted bool) {
	words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" -–/", r) })
	begun := 0
	for begun < len(words) && (anyDigit(words[begun]) || ofAddress(words[begun])) && !ofPlace(words[begun]) {
		begun++
	}
	whole = begun > 0 && len(words)-begun > 2 && egypt.EndsInPlace(line)
	return whole, whole && strings.ContainsAny(line, "-–/")
}

// ofPlace reports whether the second line of an address may begin with a word.
func ofPlace(word string) bool {
	return slices.Contains([]string{"مركز", "قسم", "مدينه", "حي"}, egypt.Fold(word))
}

// serial records the card's serial: two letters and seven digits.
func (e *editor) serial(l entry) {
	const name = "idKey"
	if len(l.row) == 0 {
		e.missing(name)
		return
	}
	f := appliance.Field{Name: name, Raw: l.text, Quad: e.outline([]entry{l})}
	f.Value, f.Confidence = l.serial()
	if shown := strings.ReplaceAll(l.text, " ", ""); f.Value != "" && f.Value != shown {
		f.Repairs = append(f.Repairs, fmt.Sprintf("%s read as %s, a serial is two letters and seven digits", shown, f.Value))
	}
	formed := serialForm().MatchString(f.Value)
	f.Checks = []appliance.FieldCheck{{Name: "form", Passed: formed}}
	e.add(f)
	if l.gapes() { // something may hide a sign
		e.doubt(name)
	}
	if value := e.Field(name).Value; !formed && value != "" {
		e.Flag(name, value, appliance.CodeIDKey)
	}
}

// serial returns the likeliest serial on a line, of all looks at it, and how sure it is. Where the ink clearly shows digits in the place
// of the letters, they are returned: some such cards are said to exist.
func (e entry) serial() (value string, confidence float64) {
	for _, part := range e.parts {
		for _, look := range part.all() {
			if look.formed == nil {
				continue
			}
			if v, sure := egypt.DecodeIDKey(look.formed); sure > confidence {
				value, confidence = v, sure
			}
		}
	}
	return value, confidence
}
