package holder

import (
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance"
)

// checkKind flags a document of another kind than its endpoint asks for.
func checkKind(e appliance.Endpoint, d *appliance.Document) {
	if want := e.Kind(); want != appliance.Unknown && d.Kind != want {
		d.Flag("", "", appliance.CodeOtherDocument)
	}
}

// otherSideCheck is the check that compares the numbers of a front and its back.
const otherSideCheck = "other_side"

// compareSides compares the number of a side with that of the other side, as its transaction has it, newest
// first. Of the other side's readings the newest one with a number counts: a side is often photographed again.
//
// A number read with low confidence counts too: both values were given to the caller, and where they differ one of
// them is wrong. A number that could not be read says nothing. together are all documents of the picture, which may show the
// cards of several people: any side with the same number among them is the other one.
func compareSides(d *appliance.Document, together, earlier []appliance.Document) {
	other, number, said := d.Kind.Facts().OtherSide, numberOf(d), d.Saying(appliance.MeansNumber)
	if other == "" || number == "" {
		return
	}
	same := slices.ContainsFunc(together, func(e appliance.Document) bool { return e.Kind == other && numberOf(&e) == number })
	i := slices.IndexFunc(earlier, func(e appliance.Document) bool { return e.Kind == other && numberOf(&e) != "" })
	if i < 0 && !same {
		return
	}
	if same = same || numberOf(&earlier[i]) == number; !same {
		d.Flag(said.Name, number, appliance.CodeNumberDiffers)
		d.Raise(appliance.NumberInconsistent, said.Confidence*earlier[i].Saying(appliance.MeansNumber).Confidence)
	}
	j := slices.IndexFunc(d.Fields, func(f appliance.Field) bool { return f.Name == said.Name })
	d.Fields[j].Checks = append(d.Fields[j].Checks, appliance.FieldCheck{Name: otherSideCheck, Passed: same})
}

// numberOf returns the national number that was read, "" when there is none or it counts as not readable.
func numberOf(d *appliance.Document) string {
	number := d.Saying(appliance.MeansNumber)
	if d.Flagged(number.Name, appliance.CodeUnreadable) {
		return ""
	}
	return number.Value
}

// sameHolderCheck is the check that compares the names of ID and licence.
const sameHolderCheck = "same_name"

// nameOf returns the holder's name and whether it is doubtful; "" where it was not read or only in part.
func nameOf(d *appliance.Document) (name string, doubtful bool) {
	if d.Kind == appliance.NationalIDFront && d.Field("first_name").Value == "" {
		return "", true
	}
	var parts []string
	for i, f := range d.Kind.Saying(appliance.MeansName) {
		value := d.Field(f).Value
		if value == "" && (i == 0 || d.Flagged(f, appliance.CodeUnreadable)) {
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
func compareNames(d *appliance.Document, together, earlier []appliance.Document, same func(a, b string, doubtful bool) bool) {
	name, doubtful := nameOf(d)
	if same == nil || name == "" {
		return
	}
	others := []appliance.Kind{appliance.NationalIDFront}
	if d.Kind == appliance.NationalIDFront {
		others = []appliance.Kind{appliance.DrivingLicense, appliance.CarLicenseFront}
	}
	agrees := func(e appliance.Document) bool {
		other, doubt := nameOf(&e)
		return other != "" && same(name, other, doubtful || doubt)
	}
	for _, kind := range others {
		of := func(e appliance.Document) bool { n, _ := nameOf(&e); return e.Kind == kind && n != "" }
		i := slices.IndexFunc(earlier, of)
		beside := slices.ContainsFunc(together, func(e appliance.Document) bool { return of(e) && agrees(e) })
		if i < 0 && !beside {
			continue
		}
		field := d.Kind.Saying(appliance.MeansName)[0]
		passed := beside || agrees(earlier[i])
		if !passed {
			d.Flag(field, d.Field(field).Value, appliance.CodeNameDiffers)
		}
		j := slices.IndexFunc(d.Fields, func(f appliance.Field) bool { return f.Name == field })
		d.Fields[j].Checks = append(d.Fields[j].Checks, appliance.FieldCheck{Name: sameHolderCheck, Passed: passed})
	}
}

// Comparable reports whether documents of one picture can be compared with each other or with those that their transaction holds.
func Comparable(documents []appliance.Document) bool {
	return len(documents) > 1 || slices.ContainsFunc(documents, func(d appliance.Document) bool {
		n, _ := nameOf(&d)
		return numberOf(&d) != "" || n != "" || d.Kind.Identity()
	})
}

// Judge adds to the documents of one picture what follows from the endpoint that they were read for and from their transaction, and
// returns what they mean for the transaction's reference.
func (r Rules) Judge(e appliance.Endpoint, t *appliance.Transaction, documents []appliance.Document) appliance.ReferenceChange {
	earlier, refs := t.Documents(), r.References(t)
	for i := range documents {
		checkKind(e, &documents[i])
		before := slices.Concat(ofOneHolder(documents, i), earlier)
		compareSides(&documents[i], documents, before)
		compareNames(&documents[i], documents, before, r.SameName)
		r.flagOtherHolder(&documents[i], t, refs, documents[:i])
		documents[i].JudgeFraud()
	}
	_, change := r.chosen(refs, documents)
	return change
}

// ofOneHolder are those of a picture's documents before the i-th that must be its holder's, newest first: where the picture
// shows one of its kind alone, the only ones of theirs. Several of a kind are cards of several people.
func ofOneHolder(documents []appliance.Document, i int) (out []appliance.Document) {
	shown := map[appliance.Kind]int{}
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
