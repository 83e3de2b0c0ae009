package learn

import (
	"cmp"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance/truth"
	"github.com/bawab/bawab/inference/site"
)

// leastPersons is how many persons must have a word for it to be told: with fewer it could tell of one of them.
const leastPersons = 5

// tally counts who has what.
type tally[T comparable] map[T]map[string]bool

func (c tally[T]) add(what T, person string) {
	if c[what] == nil {
		c[what] = map[string]bool{}
	}
	c[what][person] = true
}

// told is what at least leastPersons persons have, in no order.
func (c tally[T]) told() (out []T) {
	for what, persons := range c {
		if len(persons) >= leastPersons {
			out = append(out, what)
		}
	}
	return out
}

// perShare is how many times as frequent as a rare word of the lists a word is that every person has. The commonest words of the lists
// are 60 times as frequent, and stand on about one document in six.
const perShare = 360

// wordsOf lists the words that at least leastPersons persons of the lines have.
func wordsOf(lines []truth.Line) (words []site.Word) {
	persons := map[string]bool{}
	seen := tally[site.Word]{}
	for _, l := range lines {
		persons[l.Person] = true
		for field, value := range l.Documents[0].Fields {
			in := site.LinesOf(l.Documents[0].Kind, field)
			if in == "" {
				continue
			}
			for _, word := range strings.Fields(value) {
				seen.add(site.Word{In: in, Text: word}, l.Person)
			}
		}
	}
	for _, w := range seen.told() {
		w.Often = rounded(min(perShare*float64(len(seen[w]))/float64(len(persons)), site.MostOften))
		if w.Valid() {
			words = append(words, w)
		}
	}
	slices.SortFunc(words, func(a, b site.Word) int { return cmp.Or(cmp.Compare(a.In, b.In), cmp.Compare(a.Text, b.Text)) })
	return words
}
