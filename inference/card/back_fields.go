package card

import (
	"math"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
)

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

// secondAlone reports whether the one line that was found between number and status lies where the second one is printed:
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
	if losesSeparator(d.Raw) {
		d.Confidence = min(d.Confidence, eitherDate)
		f.Confidence = d.Confidence
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

// losesSeparator reports whether a date with a day shows one separator of two: a digit may be lost with the other, as in 2026/130.
func losesSeparator(raw string) bool {
	count := func(r rune) bool { return strings.ContainsRune(printedSeparators, r) }
	return len(strings.FieldsFunc(raw, count)) == 2 && digitsIn(raw) > monthDigits
}

// followsFromDate reports whether a code says something of the date itself, which cannot be said of one that is not returned.
func followsFromDate(c egypt.Code) bool { return c == egypt.CodeExpired || c == egypt.CodeExpirySpan }
