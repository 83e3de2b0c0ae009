package appliance

import (
	"context"
	"slices"
	"strings"
)

// Flag adds a code to the validation of a field, once; field "" is the document as a whole.
func (d *Document) Flag(field, value string, code Code) {
	for i := range d.Validations {
		if v := &d.Validations[i]; v.Field == field {
			if !slices.Contains(v.Errors, code) {
				v.Errors = append(v.Errors, code)
			}
			return
		}
	}
	d.Validations = append(d.Validations, Validation{Field: field, Value: value, Errors: []Code{code}})
}

// Unflag takes a code from a field.
func (d *Document) Unflag(field string, code Code) {
	for i := range d.Validations {
		if v := &d.Validations[i]; v.Field == field {
			v.Errors = slices.DeleteFunc(v.Errors, func(c Code) bool { return c == code })
		}
	}
	d.Validations = slices.DeleteFunc(d.Validations, func(v Validation) bool { return len(v.Errors) == 0 })
}

// Flagged reports whether the field carries one of the codes, or with no codes any at all.
func (d *Document) Flagged(field string, codes ...Code) bool {
	return slices.ContainsFunc(d.Validations, func(v Validation) bool {
		return v.Field == field && slices.ContainsFunc(v.Errors, func(c Code) bool { return len(codes) == 0 || slices.Contains(codes, c) })
	})
}

// Codes lists the codes that the field carries.
func (d *Document) Codes(field string) (codes []Code) {
	for _, v := range d.Validations {
		if v.Field == field {
			codes = append(codes, v.Errors...)
		}
	}
	return codes
}

// AllCodes are the codes of all fields and of the document as a whole, in rising order and each once.
func (d *Document) AllCodes() []Code {
	var codes []Code
	for _, v := range d.Validations {
		codes = append(codes, v.Errors...)
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// checkKind flags a document of another kind than its endpoint asks for.
func checkKind(e Endpoint, d *Document) {
	if want := e.Kind(); want != Unknown && d.Kind != want {
		d.Flag("", "", CodeOtherDocument)
	}
}

// The field that front and back of a national ID share, and the check that compares the two.
const (
	numberField    = "idNumber"
	otherSideCheck = "other_side"
)

// compareSides compares the number of a national ID with that of the other side, as its transaction has it, newest
// first. Of the other side's readings the newest one with a number counts: a side is often photographed again.
//
// A number read with low confidence counts too: both values were given to the caller, and where they differ one of
// them is wrong. A number that could not be read says nothing. together are all documents of the picture, which may show the
// cards of several people: any side with the same number among them is the other one.
func compareSides(d *Document, together, earlier []Document) {
	other, number := d.Kind.Facts().OtherSide, d.number()
	if other == "" || number == "" {
		return
	}
	same := slices.ContainsFunc(together, func(e Document) bool { return e.Kind == other && e.number() == number })
	i := slices.IndexFunc(earlier, func(e Document) bool { return e.Kind == other && e.number() != "" })
	if i < 0 && !same {
		return
	}
	if same = same || earlier[i].number() == number; !same {
		d.Flag(numberField, number, CodeNumberDiffers)
		d.raise(NumberInconsistent, d.Field(numberField).Confidence*earlier[i].Field(numberField).Confidence)
	}
	j := slices.IndexFunc(d.Fields, func(f Field) bool { return f.Name == numberField })
	d.Fields[j].Checks = append(d.Fields[j].Checks, FieldCheck{Name: otherSideCheck, Passed: same})
}

// number returns the national number that was read, "" when there is none or it counts as not readable.
func (d *Document) number() string {
	if d.Flagged(numberField, CodeUnreadable) {
		return ""
	}
	return d.Field(numberField).Value
}

// sameHolderCheck is the check that compares the names of ID and licence.
const sameHolderCheck = "same_name"

// name returns the holder's name and whether it is doubtful; "" where it was not read or only in part.
func (d *Document) name() (name string, doubtful bool) {
	if d.Kind == NationalIDFront && d.Field("first_name").Value == "" {
		return "", true
	}
	var parts []string
	for i, f := range d.Kind.Saying(MeansName) {
		value := d.Field(f).Value
		if value == "" && (i == 0 || d.Flagged(f, CodeUnreadable)) {
			return "", true
		}
		doubtful = doubtful || d.Flagged(f)
		parts = append(parts, value)
	}
	return strings.TrimSpace(strings.Join(parts, " ")), doubtful
}

// compareNames compares the name of an ID with those of the licences of its transaction, newest first, and the other way
// round; together are all documents of the picture. Of each kind the newest reading with a name counts. What a name
// may differ by says same: more where one of the names is doubtful, since then that is known already.
func compareNames(d *Document, together, earlier []Document, same func(a, b string, doubtful bool) bool) {
	name, doubtful := d.name()
	if same == nil || name == "" {
		return
	}
	others := []Kind{NationalIDFront}
	if d.Kind == NationalIDFront {
		others = []Kind{DrivingLicense, CarLicenseFront}
	}
	agrees := func(e Document) bool {
		other, doubt := e.name()
		return other != "" && same(name, other, doubtful || doubt)
	}
	for _, kind := range others {
		of := func(e Document) bool { n, _ := e.name(); return e.Kind == kind && n != "" }
		i := slices.IndexFunc(earlier, of)
		beside := slices.ContainsFunc(together, func(e Document) bool { return of(e) && agrees(e) })
		if i < 0 && !beside {
			continue
		}
		field := d.Kind.Saying(MeansName)[0]
		passed := beside || agrees(earlier[i])
		if !passed {
			d.Flag(field, d.Field(field).Value, CodeNameDiffers)
		}
		j := slices.IndexFunc(d.Fields, func(f Field) bool { return f.Name == field })
		d.Fields[j].Checks = append(d.Fields[j].Checks, FieldCheck{Name: sameHolderCheck, Passed: passed})
	}
}

// judge adds to the documents of a reading what their reader cannot know: the endpoint that they were read for and
// what their transaction holds by now. It returns what they mean for the transaction's reference. The caller holds the
// transaction's lock.
func (a *Appliance) judge(ctx context.Context, r ReadRequest, documents []Document) (ReferenceChange, error) {
	t := &Transaction{}
	if len(documents) > 1 || slices.ContainsFunc(documents, func(d Document) bool { n, _ := d.name(); return d.number() != "" || n != "" || d.Kind.Identity() }) {
		var err error
		// Read anew: a request at the same time may have recorded the other side since this one began.
		if t, err = a.soFar(ctx, r.TransactionID); err != nil {
			return "", err
		}
		if err = t.room(len(documents), 0); err != nil {
			return "", err
		}
	}
	earlier, refs := t.Documents(), a.holders.references(t)
	for i := range documents {
		checkKind(r.Endpoint, &documents[i])
		before := slices.Concat(ofOneHolder(documents, i), earlier)
		compareSides(&documents[i], documents, before)
		compareNames(&documents[i], documents, before, a.holders.SameName)
		a.holders.flagOtherHolder(&documents[i], t, refs, documents[:i])
		documents[i].judgeFraud()
	}
	_, change := a.holders.chosen(refs, documents)
	return change, nil
}

// ofOneHolder are those of a picture's documents before the i-th that must be its holder's, newest first: where the picture shows one of its kind alone, the
// only ones of theirs. Several of a kind are cards of several people.
func ofOneHolder(documents []Document, i int) (out []Document) {
	shown := map[Kind]int{}
	for _, d := range documents {
		shown[d.Kind]++
	}
	if shown[documents[i].Kind] > 1 {
		return nil
	}
	for _, d := range slices.Backward(documents[:i]) {
		if shown[d.Kind] == 1 {
			out = append(out, d)
		}
	}
	return out
}
