package appliance

import (
	"slices"
	"strings"
)

// PersonErasure says what was destroyed of a person, and which files of the data folder still hold some of it.
type PersonErasure struct {
	Transactions, Reviews int
	Damaged               int // transactions and reviews that stay because they do not open, so that nobody knows whom they mention
	Elsewhere             []string
}

// Mentions reports whether a transaction is about the person of a national or passport number.
func (t *Transaction) Mentions(number string) bool {
	return slices.ContainsFunc(t.Documents(), func(d Document) bool { return d.Mentions(number) })
}

// CheckPersonNumber says what no national or passport number is.
func CheckPersonNumber(number string) error {
	if n := PlainNumber(number); len(n) < 5 || len(n) > 32 || strings.Trim(n, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "" {
		return Errorf(CodeBadRequest, "a national or passport number has 5 to 32 letters and digits")
	}
	return nil
}

// Mentions reports whether a document is about the person of a national or passport number, as it was read or as the zone carries it.
func (d *Document) Mentions(number string) bool {
	number = PlainNumber(number)
	if number == "" {
		return false
	}
	return PlainNumber(d.PersonalNumber) == number || slices.ContainsFunc(d.NumberFields(), func(name string) bool {
		return PlainNumber(d.Field(name).Value) == number
	})
}

// NumberFields are the fields that may name a person by a number: of a kind that a model pack brings each of them.
func (d *Document) NumberFields() (names []string) {
	for _, f := range d.Model {
		names = append(names, f.Name)
	}
	if d.Kind == Passport {
		return append(names, "passport_no")
	}
	return append(names, d.Kind.Saying(MeansNumber)...)
}

// HolderFields are the fields whose value tells whose the document is.
func (d *Document) HolderFields() (names []string) {
	if d.Model == nil {
		return d.NumberFields()
	}
	for _, f := range d.Model {
		if f.Holder {
			names = append(names, f.Name)
		}
	}
	return names
}

// PlainNumber is a number without blanks, and with capital letters.
func PlainNumber(s string) string { return strings.ToUpper(strings.Join(strings.Fields(s), "")) }
