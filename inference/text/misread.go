package text

import (
	"maps"
	"slices"

	"github.com/bawab/bawab/inference/ctc"
)

// Misread says what a reader makes of a face that it does not know: for a sign that it reads, which others are truly printed, with their
// shares of all such signs, 0 to 1 together. What they leave is the sign itself.
type Misread map[rune]map[rune]float64

// With is what is misread by m, but for the signs of which more says it.
func (m Misread) With(more Misread) Misread {
	if len(more) == 0 {
		return m
	}
	out := maps.Clone(more)
	for read, printed := range m {
		if out[read] == nil {
			out[read] = printed
		}
	}
	return out
}

// itself is the share of a sign that is printed where it is read.
func (m Misread) itself(read rune) float64 {
	rest := 1.0
	for _, share := range m[read] {
		rest -= share
	}
	return max(rest, 0)
}

// misreads is a Misread by the classes of an alphabet.
type misreads struct {
	printed map[int][]ctc.Likely // by the class that is read
	read    map[int][]ctc.Likely // by the class that is printed
}

// newMisreads is nil where an alphabet holds nothing that is misread.
func newMisreads(m Misread, alphabet []rune) *misreads {
	c := &misreads{map[int][]ctc.Likely{}, map[int][]ctc.Likely{}}
	class := func(sign rune) int { return slices.Index(alphabet, sign) + 1 }
	link := func(read, printed int, share float64) {
		if read > 0 && printed > 0 && share > 0 {
			c.printed[read] = append(c.printed[read], ctc.Likely{Class: printed, Share: share})
			c.read[printed] = append(c.read[printed], ctc.Likely{Class: read, Share: share})
		}
	}
	for _, read := range slices.Sorted(maps.Keys(m)) {
		link(class(read), class(read), m.itself(read))
		for _, printed := range slices.Sorted(maps.Keys(m[read])) {
			link(class(read), class(printed), m[read][printed])
		}
	}
	if len(c.printed) == 0 {
		return nil
	}
	for printed := range c.read { // a sign that nothing else is printed for is read as itself
		if c.printed[printed] == nil {
			c.read[printed] = append(c.read[printed], ctc.Likely{Class: printed, Share: 1})
		}
	}
	return c
}

// printedFor are the classes that may be printed where one is read.
func (c *misreads) printedFor(read int) []ctc.Likely {
	if c != nil && c.printed[read] != nil {
		return c.printed[read]
	}
	return []ctc.Likely{{Class: read, Share: 1}}
}

// readFor are the classes that may be read where one is printed.
func (c *misreads) readFor(printed int) []ctc.Likely {
	if c != nil && c.read[printed] != nil {
		return c.read[printed]
	}
	return []ctc.Likely{{Class: printed, Share: 1}}
}

// Through is the same look by a reader of which it is known what it misreads. Its symbols, its text and its confidence stay what was read;
// how likely texts are changes, and what may be printed instead.
func (r *Reading) Through(m Misread) *Reading {
	out := *r
	out.misreads = newMisreads(m, r.alphabet)
	return &out
}
