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

// perShare is how many times as frequent as a rare word of the lists a word is that every person has. The commonest words of the lists
// are 60 times as frequent, and stand on about one document in six.
const perShare = 360

// wordsOf lists the words that at least leastPersons persons of the lines have.
func wordsOf(lines []truth.Line) (words []site.Word) {
	persons := map[string]bool{}
	seen := map[[2]string]map[string]bool{} // group and word, persons
	for _, l := range lines {
		persons[l.Person] = true
		for group, fields := range site.Groups() {
			for _, field := range fields {
				for _, word := range strings.Fields(l.Documents[0].Fields[field]) {
					at := [2]string{group, word}
					if seen[at] == nil {
						seen[at] = map[string]bool{}
					}
					seen[at][l.Person] = true
				}
			}
		}
	}
	for at, by := range seen {
		if len(by) < leastPersons {
			continue
		}
		w := site.Word{In: at[0], Text: at[1], Often: rounded(min(perShare*float64(len(by))/float64(len(persons)), site.MostOften))}
		if w.Valid() {
			words = append(words, w)
		}
	}
	slices.SortFunc(words, func(a, b site.Word) int { return cmp.Or(cmp.Compare(a.In, b.In), cmp.Compare(a.Text, b.Text)) })
	return words
}
