package egypt

import (
	"math/bits"
	"slices"
	"strings"
)

// Lexicon is a list of words that are frequent in one kind of line. It is read only and may be shared.
type Lexicon struct {
	entries []entry
	index   map[string]int // place of a folded word in entries
	// places says that a line may end in a governorate.
	places bool
}

// entry is one word.
type entry struct {
	folded  []rune
	spelled []rune // as dictionaries have it, letter by letter the same word
	mask    uint64 // the letters it has
}

// NewNameLexicon holds the words of the name dictionary; compounds also written as one word.
func NewNameLexicon() *Lexicon {
	l := &Lexicon{index: map[string]int{}}
	l.add("عبد أبو")
	for _, list := range [...]string{menNames, womenNames, copticNames, familyNames, compoundNames} {
		for _, name := range spellings(list) {
			l.add(name)
			l.add(strings.ReplaceAll(name, " ", ""))
		}
	}
	for _, stem := range spellings(stemNames) {
		l.add("ال" + stem)
	}
	for _, stem := range slices.Concat(spellings(stemNames), spellings(menNames)) {
		if stem, ok := strings.CutPrefix(stem, "ال"); ok || letters(stem) < 3 {
			l.add(stem)
			continue
		}
		l.add("عبدال" + stem)
	}
	return l
}

// NewAddressLexicon holds words of addresses, and the names, after which streets are called.
func NewAddressLexicon() *Lexicon {
	l := NewNameLexicon()
	l.places = true
	l.add(addressWords)
	for _, g := range Governorates() {
		l.add(g.Arabic)
	}
	return l
}

// NewJobLexicon holds words of occupations and workplaces.
func NewJobLexicon() *Lexicon {
	l := &Lexicon{index: map[string]int{}}
	l.add(jobWords)
	for _, g := range Governorates() {
		l.add(g.Arabic)
	}
	return l
}

// spellings lists the Arabic spelling of a name list.
func spellings(list string) []string {
	names := strings.Split(strings.Trim(list, "|"), "|")
	for i, n := range names {
		folded, latin, _ := strings.Cut(n, "=")
		names[i] = folded
		if _, spelled, ok := strings.Cut(latin, "="); ok {
			names[i] = spelled
		}
	}
	return names
}

// add takes in the words of a text; the first spelling of a word counts.
func (l *Lexicon) add(text string) {
	for _, w := range strings.Fields(text) {
		folded := Fold(w)
		if _, ok := l.index[folded]; ok {
			continue
		}
		e := entry{[]rune(folded), []rune(w), 0}
		if len(e.folded) != len(e.spelled) {
			e.spelled = e.folded
		}
		e.mask = mask(e.folded)
		l.index[folded] = len(l.entries)
		l.entries = append(l.entries, e)
	}
}

// mask has a bit for each letter that a word has.
func mask(word []rune) (m uint64) {
	for _, r := range word {
		m |= 1 << (r % 64)
	}
	return m
}

// Knows tells whether a word is listed, in whatever spelling.
func (l *Lexicon) Knows(word string) bool {
	_, ok := l.index[Fold(word)]
	return ok
}

// mostNear is how many words near lists.
const mostNear = 12

// near lists the words that differ from a word in little, the nearest first, in the spelling of the word where the letters
// are the same.
func (l *Lexicon) near(word string) []string {
	letters := []rune(Fold(word))
	reach, changes := 1.0, 2
	if len(letters) >= 5 {
		reach, changes = 2.0, 4
	}
	type neighbour struct {
		at       int
		distance float64
	}
	var found []neighbour
	m := mask(letters)
	for i := range l.entries {
		e := &l.entries[i]
		if bits.OnesCount64(e.mask^m) > changes || max(len(e.folded)-len(letters), len(letters)-len(e.folded)) > changes/2 {
			continue
		}
		// A short word is only ever completed.
		if len(letters) < 3 && len(e.folded) <= len(letters) {
			continue
		}
		if d := distance(letters, e.folded); d <= reach {
			found = append(found, neighbour{i, d})
		}
	}
	slices.SortStableFunc(found, func(a, b neighbour) int {
		switch {
		case a.distance < b.distance:
			return -1
		case a.distance > b.distance:
			return 1
		}
		return 0
	})
	var out []string
	for _, n := range found[:min(len(found), mostNear)] {
		out = append(out, respell([]rune(Clean(word)), letters, &l.entries[n.at])...)
	}
	return out
}

// respell writes an entry in the spelling of a word, as far as they have the same letters; where a last letter that has two
// spellings is new, in both. folded is the word's folded form.
func respell(word, folded []rune, e *entry) []string {
	if len(word) != len(folded) {
		word = folded
	}
	out := slices.Clone(e.spelled)
	kept := align(folded, e.folded)
	for i, k := range kept {
		if k >= 0 {
			out[i] = word[k]
		}
	}
	spelled := []string{string(out)}
	last := len(out) - 1
	if last < 0 || kept[last] >= 0 {
		return spelled
	}
	const twins = "ةهىي"
	if i := strings.IndexRune(twins, out[last]); i >= 0 {
		out[last] = []rune(twins)[i/2^1]
		spelled = append(spelled, string(out))
	}
	return spelled
}

// align finds for each letter of a word the same letter of another one, -1 where there is none, so that most letters are
// kept in their order.
func align(from, to []rune) []int {
	// best[i][k] is how many letters of from[i:] and to[k:] can be kept.
	best := make([][]int, len(from)+1)
	for i := range best {
		best[i] = make([]int, len(to)+1)
	}
	for i := len(from) - 1; i >= 0; i-- {
		for k := len(to) - 1; k >= 0; k-- {
			best[i][k] = max(best[i+1][k], best[i][k+1])
			if from[i] == to[k] {
				best[i][k] = max(best[i][k], 1+best[i+1][k+1])
			}
		}
	}
	kept := make([]int, len(to))
	i := 0
	for k := range to {
		kept[k] = -1
		for i < len(from) && best[i+1][k] == best[i][k] && best[i][k] > 0 {
			i++
		}
		if i < len(from) && from[i] == to[k] && best[i][k] == 1+best[i+1][k+1] {
			kept[k] = i
			i++
		}
	}
	return kept
}
