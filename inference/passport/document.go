// Package passport reads passports: it tells their pages in a picture by the machine readable zone, turns that into fields, and holds these
// against the print of the page.
package passport

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt/number"
	"github.com/bawab/bawab/appliance/mrz"
	"github.com/bawab/bawab/inference/zone"
)

// Unread is a passport of which nothing could be read.
func Unread(q appliance.Quad) appliance.Document {
	d := appliance.Document{Kind: appliance.Passport, Quad: q}
	for _, f := range d.Kind.Model() {
		d.Fields = append(d.Fields, appliance.Field{Name: f.Name})
		d.Flag(f.Name, "", appliance.CodeUnreadable)
	}
	return d
}

// Says reports whether a line of text holds the word that every data page has in its title.
func Says(line string) bool {
	return slices.ContainsFunc(strings.Fields(line), func(w string) bool { return strings.EqualFold(w, "passport") })
}

// Of turns a zone into the fields of the passport model, or of a document of no known kind where it is another's. now is the time in the
// zone in which documents expire.
func Of(z zone.Reading, now time.Time) appliance.Document {
	d := appliance.Document{Kind: appliance.Passport, Quad: z.Page(), Zone: z.Lines}
	if z.Format != mrz.TD3 || len(z.DocumentCode.Value) > 0 && z.DocumentCode.Value[0] != 'P' {
		d.Kind = appliance.Unknown
		d.Quad = z.Outline()
	}
	name := z.Surname
	name.Value = z.Name()
	name.Confidence = min(z.GivenNames.Confidence, z.Surname.Confidence)
	name.Repairs = append(append([]mrz.Repair(nil), z.Surname.Repairs...), z.GivenNames.Repairs...)
	name.End = max(z.Surname.End, z.GivenNames.End)
	name.Raw = z.Raw[name.Line][name.Start:name.End]

	sex := z.Sex
	sex.Value = map[string]string{"M": "Male", "F": "Female", "X": "X"}[z.Sex.Value]

	add := func(name string, f mrz.Field) { addField(&d, z, name, f) }
	add("country_code", z.IssuingState)
	add("doc_Type", z.DocumentCode)
	add("gender", sex)
	add("name", name)
	add("nationality", z.Nationality)
	add("passport_no", z.DocumentNumber)
	add("Date_of_Birth", z.BirthDate)
	add("Date_of_Expiry", z.ExpiryDate)
	d.PersonalNumber = nationalNumber(z.Reading, now)
	if z.NameTruncated {
		d.Flag("name", name.Value, appliance.CodeLowConfidence)
	}
	if z.ExpiryDate.Value != "" && z.ExpiryDate.Value < now.Format(time.DateOnly) {
		d.Flag("Date_of_Expiry", z.ExpiryDate.Value, appliance.CodeExpired)
	}
	for _, name := range []string{mrz.CheckPersonalNumber, mrz.CheckComposite} {
		if c, ok := z.Check(name); ok && !c.OK {
			d.Flag("", "", appliance.CodeMRZCheck)
			break
		}
	}
	return d
}

// nationalNumber returns the holder's national number out of the zone of an Egyptian passport, whose personal number it is. One that is
// doubtful, or does not state the day of birth that the zone gives as well, is left out: by it documents are told to be one holder's.
func nationalNumber(z mrz.Reading, now time.Time) string {
	if z.Format != mrz.TD3 || z.IssuingState.Value != "EGY" || z.Optional.Doubtful() {
		return ""
	}
	n, err := number.Parse(z.Optional.Value, now)
	if err != nil || n.Birth != z.BirthDate.Value {
		return ""
	}
	return n.Digits
}

// isDate reports whether a field is a date; one that the zone leaves unknown is worth a code, since no value means none is printed
// elsewhere.
func isDate(name string) bool { return name == "Date_of_Birth" || name == "Date_of_Expiry" }

// addField records a field with its evidence and says what is doubtful about it.
func addField(d *appliance.Document, z zone.Reading, name string, f mrz.Field) {
	out := appliance.Field{
		Name:       name,
		Value:      f.Value,
		Confidence: f.Confidence,
		Quad:       z.Quad(f.Line, f.Start, f.End),
		Raw:        f.Raw,
	}
	for _, r := range f.Repairs {
		out.Repairs = append(out.Repairs, fmt.Sprintf("line %d, character %d: %c read as %c, %s", r.Line+1, r.Pos+1, r.From, r.To, r.Why))
	}
	if f.CheckOK != mrz.Unchecked {
		out.Checks = append(out.Checks, appliance.FieldCheck{Name: "check_digit", Passed: f.CheckOK == mrz.Passed})
	}
	d.Fields = append(d.Fields, out)

	if f.CheckOK == mrz.Failed {
		d.Flag(name, f.Value, appliance.CodeMRZCheck)
	}
	switch {
	case f.Value == "" && (f.Reason != mrz.ReasonEmpty || isDate(name) && f.End > f.Start):
		d.Flag(name, "", appliance.CodeUnreadable)
	case f.Doubtful():
		d.Flag(name, f.Value, appliance.CodeLowConfidence)
	}
}
