package egypt

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bawab/bawab/appliance/arabic"
	"github.com/bawab/bawab/appliance/egypt/names"
	"github.com/bawab/bawab/appliance/egypt/number"
)

// lexicon is a list of words that are frequent in one kind of line.
type lexicon struct {
	entries []entry
	listed  map[string]bool // folded words
}

// entry is one word.
type entry struct {
	folded  []rune
	spelled []rune  // as dictionaries have it, letter by letter the same word
	often   float64 // how many times as frequent as a rare word of such lines
}

// nameLexicon holds the words of the name dictionary; compounds also written as one word.
func nameLexicon() *lexicon {
	l := &lexicon{listed: map[string]bool{}}
	l.add("عبد أبو", usual)
	l.add(wordList(frequentNames), usual)
	for _, name := range slices.Concat(names.Men(), names.Women(), names.Coptic(), names.Families(), names.Compounds()) {
		l.add(name, rare)
		l.add(strings.ReplaceAll(name, " ", ""), rare)
	}
	for _, family := range names.Families() {
		l.add("أبو"+family, rare)
	}
	for _, stem := range names.Stems() {
		l.add("ال"+stem, rare)
	}
	for _, stem := range slices.Concat(names.Stems(), names.Men()) {
		if stem, ok := strings.CutPrefix(stem, "ال"); ok || utf8.RuneCountInString(stem) < 3 {
			l.add(stem, rare)
			continue
		}
		l.add("عبدال"+stem, rare)
	}
	return l
}

// addressLexicon holds words of addresses, and the names, after which streets are called.
func addressLexicon() *lexicon {
	l := &lexicon{listed: map[string]bool{}}
	l.add(wordList(addressWords), usual)
	for _, g := range number.Governorates() {
		l.add(g.Arabic, usual)
	}
	for _, e := range nameLexicon().entries {
		e.often = rare
		l.put(e)
	}
	return l
}

// jobLexicon holds words of occupations and workplaces.
func jobLexicon() *lexicon {
	l := &lexicon{listed: map[string]bool{}}
	l.add(wordList(jobWords), rare)
	l.prefix()
	for _, g := range number.Governorates() {
		l.add(g.Arabic, rare)
	}
	return l
}

func remarkLexicon() *lexicon {
	l := &lexicon{listed: map[string]bool{}}
	l.add(wordList(remarkWords), rare)
	return l
}

// How frequent words are: the hundred usual names, of which most persons bear one, and what streets and places are called, against the rest.
const (
	rare     = 1
	usual    = 4
	prefixed = 0.3 // with a preposition or and before it
)

// add takes in the words of a text; the first spelling of a word counts, and how often that is.
func (l *lexicon) add(text string, often float64) {
	for _, w := range strings.Fields(text) {
		e := entry{[]rune(arabic.Fold(w)), []rune(w), often}
		if len(e.folded) != len(e.spelled) {
			e.spelled = e.folded
		}
		l.put(e)
	}
}

// prefix takes in each word as it stands behind the prepositions and the and that are written as one with it: in, for, and.
func (l *lexicon) prefix() {
	for _, e := range l.entries {
		word := string(e.spelled)
		l.add("ب"+word, prefixed)
		if stem, ok := strings.CutPrefix(word, "ال"); ok {
			l.add("لل"+stem+" و"+word, prefixed)
		}
	}
}

// put takes in a word that is not listed yet.
func (l *lexicon) put(e entry) {
	if folded := string(e.folded); !l.listed[folded] {
		l.listed[folded] = true
		l.entries = append(l.entries, e)
	}
}
