// Package holder compares the documents of one transaction: the two sides of a card, the names on an ID and on licences, and whether
// identity documents are one person's, on which it rests whose portrait faces are compared with.
package holder

import (
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance"
)

// Holders is what a comparison of two identity documents shows of their holders.
type Holders int

// The outcomes. Unproven: nothing can be compared, or what agrees is not enough.
const (
	Unproven Holders = iota
	OneHolder
	TwoHolders
)

// holder is what an identity document says of its holder; "" is what it does not say, or what was not read.
type holder struct {
	number, born, sex string
	// name is in Arabic text, latin in Latin letters. doubtful: one of them carries a flag.
	name, latin string
	doubtful    bool
}

// Rules compare what two documents say of their holders. What is nil is not compared.
type Rules struct {
	// SameName says whether two names in Arabic text, or two in Latin letters, can be one holder's; one of them may be cut
	// short, and more may differ where one is doubtful.
	SameName func(a, b string, doubtful bool) bool
	// InLatin says the same of a name in Arabic text and one in Latin letters: same, or certainly another's.
	InLatin func(arabic, latin string) (same, other bool)
	// OfNumber returns the day of birth, YYYY-MM-DD, and the sex that a national number states; "" where it is not valid.
	OfNumber func(number string) (born, sex string)
}

// numberLength is how many digits a national number has. One that was read with more or fewer is not compared.
const numberLength = 14

// of returns what a document says of its holder. A value with low confidence counts: it was given to the caller, and where two
// documents differ one of the values is wrong.
func (r Rules) of(d *appliance.Document) holder {
	said := func(fields ...string) string {
		if len(fields) == 0 || d.Flagged(fields[0], appliance.CodeUnreadable) {
			return ""
		}
		return d.Field(fields[0]).Value
	}
	h := holder{
		number: said(d.Kind.Saying(appliance.MeansNumber)...), born: said(d.Kind.Saying(appliance.MeansBirth)...),
		sex: said(d.Kind.Saying(appliance.MeansSex)...),
	}
	if h.name, h.doubtful = nameOf(d); d.Kind == appliance.Passport {
		h.number, h.latin, h.doubtful = d.PersonalNumber, said("name"), d.Flagged("name")
	}
	if len(h.number) != numberLength || strings.Trim(h.number, "0123456789") != "" {
		h.number = ""
	}
	if h.number != "" && r.OfNumber != nil {
		born, sex := r.OfNumber(h.number)
		if h.born == "" {
			h.born = born
		}
		if h.sex == "" {
			h.sex = sex
		}
	}
	if h.sex != "Male" && h.sex != "Female" { // a passport may leave it open
		h.sex = ""
	}
	return h
}

// Compare says whether two identity documents are one person's: by equal national numbers, or by equal days of birth and names
// that can be the same. A number, a day of birth, a sex or a name that disagrees shows two. Names do not count beside equal
// numbers: they change with a marriage, and long lines are misread.
func (r Rules) Compare(d, e *appliance.Document) Holders {
	a, b := r.of(d), r.of(e)
	differ := func(x, y string) bool { return x != "" && y != "" && x != y }
	switch {
	case differ(a.number, b.number) || differ(a.born, b.born) || differ(a.sex, b.sex):
		return TwoHolders
	case a.number != "" && a.number == b.number:
		return OneHolder
	}
	names := r.names(a, b)
	if names == OneHolder && (a.born == "" || a.born != b.born) {
		return Unproven
	}
	return names
}

// names compares the names alone.
func (r Rules) names(a, b holder) Holders {
	doubtful := a.doubtful || b.doubtful
	alike := func(x, y string) Holders {
		switch {
		case x == "" || y == "" || r.SameName == nil:
			return Unproven
		case r.SameName(x, y, doubtful):
			return OneHolder
		}
		return TwoHolders
	}
	across := func(arabic, latin string) Holders {
		if arabic == "" || latin == "" || r.InLatin == nil {
			return Unproven
		}
		switch same, other := r.InLatin(arabic, latin); {
		case same:
			return OneHolder
		case other && !doubtful:
			return TwoHolders
		}
		return Unproven
	}
	for _, found := range []Holders{alike(a.name, b.name), alike(a.latin, b.latin), across(a.name, b.latin), across(b.name, a.latin)} {
		if found != Unproven {
			return found
		}
	}
	return Unproven
}

// Reference is an identity document that faces are compared with.
type Reference struct {
	appliance.Reference
	Document *appliance.Document
}

// usable says whether a portrait can be compared with a face at all.
func usable(p *appliance.Portrait) bool { return p != nil && len(p.Embedding) > 0 }

// References returns the identity documents that were the reference of a transaction, each after the one before: the first with a
// usable portrait, and those that took its place. A later one does so only where both are shown to be one holder's, so that nobody
// can let the check of one person end with the portrait of another. It follows from the records alone: what was decided when they
// were written is decided again.
func (r Rules) References(t *appliance.Transaction) (all []Reference) {
	for i := range t.Records {
		record := &t.Records[i]
		if j, _ := r.chosen(all, record.Documents); j >= 0 {
			all = append(all, Reference{
				Reference: appliance.Reference{Kind: record.Documents[j].Kind, RequestID: record.RequestID}, Document: &record.Documents[j],
			})
		}
	}
	return all
}

// chosen returns which of the documents of one picture becomes the reference after those that were it, -1 for none, and what that
// means: "" where none of them has a usable portrait. No document of a picture is later than another.
func (r Rules) chosen(before []Reference, documents []appliance.Document) (at int, change appliance.ReferenceChange) {
	at = -1
	for i := range documents {
		d := &documents[i]
		switch {
		case !d.Kind.Identity() || !usable(d.Portrait):
		case len(before) == 0:
			return i, appliance.ReferenceTaken
		case r.Compare(before[len(before)-1].Document, d) == OneHolder:
			return i, appliance.ReferenceReplaced
		default:
			change = appliance.ReferenceKept
		}
	}
	return at, change
}

// flagOtherHolder flags an identity document whose holder is not the one of the transaction: the holder of the reference, and
// while there is none, of the first identity document. before are the documents that the same picture shows ahead of it.
func (r Rules) flagOtherHolder(d *appliance.Document, t *appliance.Transaction, refs []Reference, before []appliance.Document) {
	if !d.Kind.Identity() {
		return
	}
	first := t.FirstIdentityDocument()
	if len(refs) > 0 {
		first = refs[len(refs)-1].Document
	}
	if i := slices.IndexFunc(before, func(d appliance.Document) bool { return d.Kind.Identity() }); first == nil && i >= 0 {
		first = &before[i]
	}
	if first != nil && r.Compare(first, d) == TwoHolders {
		d.Flag("", "", appliance.CodeOtherHolder)
	}
}
