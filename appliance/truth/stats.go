package truth

import (
	"cmp"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
)

// Count is how a field was read, over all lines of one half: right and sure, right and flagged, wrong and flagged or empty, wrong and
// silent.
type Count struct {
	Kind                                           appliance.Kind
	Field                                          string
	Half                                           string
	N                                              int
	Exact, RightFlagged, WrongFlagged, WrongSilent int
}

// Stats describes a set.
type Stats struct {
	Releases []string
	// Documents counts lines by half and kind, Persons and Days by half.
	Documents     map[string]map[appliance.Kind]int
	Persons, Days map[string]int
	// Fields are by kind, field and half, in this order.
	Fields []Count
	// People counts the decisions of each person who reviewed.
	People map[string]int
}

// Stats counts what the set holds, and how the documents in it were read when they were.
func (s *Set) Stats() Stats {
	out := Stats{
		Releases: s.Manifest.Releases, Documents: map[string]map[appliance.Kind]int{},
		Persons: map[string]int{}, Days: map[string]int{}, People: map[string]int{},
	}
	type cell struct {
		kind        appliance.Kind
		field, half string
	}
	counts := map[cell]*Count{}
	for _, half := range Halves() {
		persons, days := map[string]bool{}, map[string]bool{}
		out.Documents[half] = map[appliance.Kind]int{}
		for _, l := range s.Lines[half] {
			persons[l.Person], days[l.Day] = true, true
			for _, by := range l.People {
				out.People[by]++
			}
			d := l.Documents[0]
			out.Documents[half][d.Kind]++
			for field, truth := range d.Fields {
				at := cell{d.Kind, field, half}
				if counts[at] == nil {
					counts[at] = &Count{Kind: d.Kind, Field: field, Half: half}
				}
				counts[at].add(truth, l.Read[field])
			}
		}
		out.Persons[half], out.Days[half] = len(persons), len(days)
	}
	for _, c := range counts {
		out.Fields = append(out.Fields, *c)
	}
	slices.SortFunc(out.Fields, func(a, b Count) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Field, b.Field), cmp.Compare(a.Half, b.Half))
	})
	return out
}

// add counts one reading.
func (c *Count) add(truth string, r Reading) {
	c.N++
	flagged := slices.ContainsFunc(r.Codes, doubts)
	switch right := truth == r.Value; {
	case right && flagged:
		c.RightFlagged++
	case right:
		c.Exact++
	case flagged || r.Value == "":
		c.WrongFlagged++
	default:
		c.WrongSilent++
	}
}

// doubts reports whether a code says that a value may be wrong; the others are about a document that was read well.
func doubts(c appliance.Code) bool {
	return c.Doubts() && c != appliance.CodeExpirySpan && c != appliance.CodeOtherDocument
}

// Wilson is the 95 % interval of a share of n.
func Wilson(k, n int) (lo, hi float64) {
	if n == 0 {
		return 0, 1
	}
	const z = 1.959964
	p, m := float64(k)/float64(n), float64(n)
	mid, half := p+z*z/(2*m), z*math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return max(0, (mid-half)/(1+z*z/m)), min(1, (mid+half)/(1+z*z/m))
}
