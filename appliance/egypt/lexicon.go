package egypt

import (
	"slices"
	"strings"
)

// lexicon is a list of words that are frequent in one kind of line.
type lexicon struct {
	entries []entry
	listed  map[string]bool // folded words
}

// entry is one word.
type entry struct {
	folded  []rune
	spelled []rune // as dictionaries have it, letter by letter the same word
}

// nameLexicon holds the words of the name dictionary; compounds also written as one word.
func nameLexicon() *lexicon {
	l := &lexicon{listed: map[string]bool{}}
	l.add("عبد أبو")
	for _, list := range [...]string{menNames, womenNames, copticNames, familyNames, compoundNames} {
		for _, name := range spellings(list) {
			l.add(name)
			l.add(strings.ReplaceAll(name, " ", ""))
		}
	}
	for _, family := range spellings(familyNames) {
		l.add("أبو" + family)
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

// addressLexicon holds words of addresses, and the names, after which streets are called.
func addressLexicon() *lexicon {
	l := nameLexicon()
	l.add(addressWords)
	for _, g := range Governorates() {
		l.add(g.Arabic)
	}
	return l
}

// jobLexicon holds words of occupations and workplaces.
func jobLexicon() *lexicon {
	l := &lexicon{listed: map[string]bool{}}
	l.add(jobWords)
	for _, g := range Governorates() {
		l.add(g.Arabic)
	}
	return l
}

func remarkLexicon() *lexicon {
	l := &lexicon{listed: map[string]bool{}}
	l.add(remarkWords)
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
func (l *lexicon) add(text string) {
	for _, w := range strings.Fields(text) {
		folded := Fold(w)
		if l.listed[folded] {
			continue
		}
		e := entry{[]rune(folded), []rune(w)}
		if len(e.folded) != len(e.spelled) {
			e.spelled = e.folded
		}
		l.listed[folded] = true
		l.entries = append(l.entries, e)
	}
}
