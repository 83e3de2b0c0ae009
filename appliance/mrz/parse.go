package mrz

import (
	"errors"
	"strings"
	"time"
)

// ErrShape is returned by Parse for text that is no machine readable zone by its shape.
var ErrShape = errors.New("not three lines of 30, two of 36 or two of 44 machine readable symbols")

// Parse reads the plain text of a zone. Blank lines and blanks around lines are ignored, lower case counts as upper; no
// symbol is changed. The only error is ErrShape: wrong check digits, impossible dates and unknown states are said in the
// Reading. Parse knows nothing of the ink, so Confidence is 1, or 0 for a field that holds a symbol its positions do not
// allow or whose check digit fails. now chooses centuries by its calendar day in its own location.
func Parse(lines []string, now time.Time) (Reading, error) {
	clean := make([]string, 0, 3)
	for _, line := range lines {
		line = strings.ToUpper(strings.TrimSpace(line))
		if line == "" {
			continue
		}
		for i := 0; i < len(line); i++ {
			if Index(line[i]) < 0 {
				return Reading{}, ErrShape
			}
		}
		clean = append(clean, line)
	}
	if len(clean) == 0 {
		return Reading{}, ErrShape
	}
	f, ok := formatOf(clean)
	if !ok {
		return Reading{}, ErrShape
	}
	r := interpret(f, f.layout().resolve(clean), clean, clean, now)
	l := f.layout()
	classes := l.classes()
	for _, field := range r.fields() {
		field.Confidence = 1
		if !field.inClass(&classes) {
			field.Reason = ReasonSymbol
		}
		if field.CheckOK == Failed || field.Reason == ReasonSymbol {
			field.Confidence = 0
		}
	}
	return r, nil
}

// inClass reports whether the symbols of a field are all allowed where they stand.
func (f *Field) inClass(classes *[3][44]Class) bool {
	for pos := f.Start; pos < f.End; pos++ {
		if !classes[f.Line][pos].Has(f.Text[pos-f.Start]) {
			return false
		}
	}
	return true
}

// interpret says what lines mean under a layout. It leaves confidences and repairs to its callers.
func interpret(f Format, l layout, lines, raw []string, now time.Time) Reading {
	r := Reading{Format: f, Lines: lines, Raw: raw, Checks: l.checks(lines)}
	cut := func(s span) Field {
		return Field{Text: s.text(lines), Raw: s.text(raw), Line: s.line, Start: s.start, End: s.end}
	}
	r.DocumentCode = cut(l.code).trimmed()
	r.IssuingState = cut(l.state).state()
	r.Nationality = cut(l.nationality).state()
	r.DocumentNumber = cut(l.number)
	r.DocumentNumber.Text += l.continuation.text(lines)
	r.DocumentNumber.Raw += l.continuation.text(raw)
	r.DocumentNumber = r.DocumentNumber.trimmed()
	r.Optional = cut(l.optional).trimmed()
	r.Optional2 = cut(l.optional2).trimmed()
	r.Sex = cut(l.sex).sex()

	r.BirthDate, r.ExpiryDate = cut(l.birth), cut(l.expiry)
	r.BirthDate.Value, r.BirthDate.Other, r.BirthDate.Reason = parseBirth(r.BirthDate.Text, r.IssuingState.Value, r.Optional.Text, now)
	r.ExpiryDate.Value, r.ExpiryDate.Reason = parseExpiry(r.ExpiryDate.Text, now)

	n := splitName(l.name.text(lines))
	r.NameTruncated = n.truncated
	r.Surname, r.GivenNames = cut(l.name.from(0, n.surnameEnd)), cut(l.name.from(n.givenStart, n.givenEnd))
	r.Surname.Value, r.GivenNames.Value = n.surname, n.given
	if l.given.present() {
		r.Surname, r.GivenNames = cut(l.name).trimmed(), cut(l.given).trimmed()
		r.NameTruncated = n.truncated || !strings.HasSuffix(r.GivenNames.Text, "<")
	}
	for _, field := range []*Field{&r.Surname, &r.GivenNames} {
		if field.Value == "" {
			field.Reason = ReasonEmpty
		}
	}
	r.DocumentNumber.CheckOK = r.verdict(CheckDocumentNumber)
	r.BirthDate.CheckOK = r.verdict(CheckBirthDate)
	r.ExpiryDate.CheckOK = r.verdict(CheckExpiryDate)
	r.Optional.CheckOK = r.verdict(CheckPersonalNumber)
	return r
}

// verdict is the outcome of one check digit.
func (r *Reading) verdict(name string) Verdict {
	c, ok := r.Check(name)
	switch {
	case !ok:
		return Unchecked
	case c.OK:
		return Passed
	}
	return Failed
}

// trimmed gives a field of letters and digits its value: no fillers at the ends, a single space for those inside.
func (f Field) trimmed() Field {
	f.Value = spaced(f.Text)
	if f.Value == "" {
		f.Reason = ReasonEmpty
	}
	return f
}

// state gives a field with a state code its value, and doubts a code that nobody issued.
func (f Field) state() Field {
	f = f.trimmed()
	if f.Reason == "" && !KnownState(f.Value) {
		f.Reason = ReasonUnknownState
	}
	return f
}

// sex gives the sex its value; the filler means that none is stated.
func (f Field) sex() Field {
	switch f.Text {
	case "M", "F":
		f.Value = f.Text
	case "<", "X":
		f.Value = "X"
	default:
		f.Reason = ReasonSymbol
	}
	return f
}
