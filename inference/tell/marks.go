package tell

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bawab/bawab/appliance"
)

// Marks are what shows that a document is of a kind, by the names of labels and fields of its description. The zero value has none.
type Marks struct {
	// Number is the field by which a document is known.
	Number string
	// Weights are what labels, found on a card by any description, say for the kind. Where there are any, only they tell it: how its
	// documents look is not known well enough.
	Weights map[string]float64
	// Shows are what counts as a label where that is missing.
	Shows []Show
	// Own are labels that cards of other offices do not have: all of those name their holder, and number and date themselves. Plain ones
	// are no words of theirs that were misread, and Against are labels that only they have.
	Own, Plain, Against []string
	// Vital are fields of which at least one is printed on every document, near its foot or its head.
	Vital []string
	// Heads are fields that stand at its head: of each group at least one.
	Heads [][]string
	// Only are values that cards of clubs, schools and businesses do not have.
	Only []Only
	// Instead are fields that, all of a group, show whose the document is where its number is hidden.
	Instead []Group
}

// Show says that print like a value counts as a label. Match is how much it is like one, 0 to 1.
type Show struct {
	Label string
	Match func(what string) float64
}

// Only is a value of any of some fields that only documents of the state have.
type Only struct {
	Fields []string
	// With are words of which it has one; nil where any value counts. Signs is how many it has at least.
	With  []string
	Signs int
	// Covered tells that it counts only where something lies on the document and may hide what says more.
	Covered bool
}

// Group is some fields, each with a value, Surely where that must be read surely.
type Group struct {
	Fields []string
	Surely bool
}

// ByPrint reports whether only its print tells the kind.
func (m *Marks) ByPrint() bool { return len(m.Weights) > 0 }

// Lacking reports whether none of the vital fields was read, where there are any.
func (m *Marks) Lacking(d appliance.Document) bool { return len(m.Vital) > 0 && lacks(d, m.Vital) }

// Wanting reports whether any of the vital fields was not read.
func (m *Marks) Wanting(d appliance.Document) bool {
	return slices.ContainsFunc(m.Vital, func(name string) bool { return d.Field(name).Value == "" })
}

// Headless reports whether all of what stands at the head was missed in one group.
func (m *Marks) Headless(d appliance.Document) bool {
	return slices.ContainsFunc(m.Heads, func(fields []string) bool { return lacks(d, fields) })
}

// lacks reports whether no field of some has a value.
func lacks(d appliance.Document, fields []string) bool {
	return !slices.ContainsFunc(fields, func(name string) bool { return d.Field(name).Value != "" })
}

// ShowsHolder reports whether a document shows whose it is in place of its number; surely is the confidence from which on a value is.
func (m *Marks) ShowsHolder(d appliance.Document, surely float64) bool {
	return slices.ContainsFunc(m.Instead, func(g Group) bool {
		return !slices.ContainsFunc(g.Fields, func(name string) bool {
			f := d.Field(name)
			return f.Value == "" || g.Surely && f.Confidence < surely
		})
	})
}

// OfAnyone reports whether a document of the kind, which does not say what it is, may be the card of a club, a school, a business or
// another office: something was read, but nothing that such a card does not say as well.
func (m *Marks) OfAnyone(d appliance.Document) bool {
	some := slices.ContainsFunc(d.Fields, func(f appliance.Field) bool { return f.Value != "" })
	return some && len(m.Only) > 0 && !slices.ContainsFunc(m.Only, func(o Only) bool { return o.on(d) })
}

// NumberTells reports whether the number alone shows that a document is none of a club: any card may show its holder's.
func (m *Marks) NumberTells() bool {
	return slices.ContainsFunc(m.Only, func(o Only) bool { return !o.Covered && slices.Contains(o.Fields, m.Number) })
}

// on reports whether a document has such a value.
func (o *Only) on(d appliance.Document) bool {
	if o.Covered && !d.Capture.Covered {
		return false
	}
	return slices.ContainsFunc(o.Fields, func(name string) bool {
		value := d.Field(name).Value
		has := func(word string) bool { return slices.Contains(o.With, word) }
		return value != "" && utf8.RuneCountInString(value) >= o.Signs && (len(o.With) == 0 || slices.ContainsFunc(strings.Fields(value), has))
	})
}
