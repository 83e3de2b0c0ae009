package passport

import (
	_ "embed" // the lists lie beside this file
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/bawab/bawab/appliance/arabic"
	"github.com/bawab/bawab/appliance/mrz"
)

//go:embed nations.txt
var nations string

//go:embed sexes.txt
var sexes string

// listed are the words of each line of a list, comments left out.
func listed(list string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for line := range strings.Lines(list) {
			if words := strings.Fields(line); len(words) > 0 && words[0] != "#" && !yield(words) {
				return
			}
		}
	}
}

// parsedNations are the words of nations by the codes of their states, and the codes, in the order of nations, by the words.
var parsedNations = sync.OnceValues(func() (byCode, byWord map[string][]string) {
	byCode, byWord = map[string][]string{}, map[string][]string{}
	for words := range listed(nations) {
		byCode[words[0]] = words[1:]
		for _, word := range words[1:] {
			byWord[word] = append(byWord[word], words[0])
		}
	}
	return byCode, byWord
})

// demonymsOf are the words by which passports of a state print its nationality; nil where none is known.
func demonymsOf(code string) []string {
	byCode, _ := parsedNations()
	return byCode[code]
}

// states are the codes of those whose nationality a printed word names, by its code or as passports print it.
func states(word string) (codes []string) {
	if len(word) == 3 && mrz.KnownState(word) {
		return []string{word}
	}
	_, byWord := parsedNations()
	return byWord[word]
}

// alikeNation is how alike a printed word and that of a nationality are at the least that mean the same.
const alikeNation = 0.8

// sameNation returns how sure a word is that means a state and that a label names as the nationality or that stands alone: the names of
// states hold such words as well.
func sameNation(lines []pageLine, own string) (sure float64) {
	demonyms := demonymsOf(own)
	for _, l := range lines {
		named, words := isNation(l, lines), latinWords(l)
		for _, word := range words {
			alike := slices.ContainsFunc(demonyms, func(w string) bool { return arabic.Likeness(w, word) >= alikeNation })
			means := named && (alike || word == own) || alone(words) && slices.Contains(demonyms, word)
			if counts := l.sure(word); counts >= surePrint && means {
				sure = max(sure, counts)
			}
		}
	}
	return sure
}

// otherNation returns how sure a word is that means another state than the zone's and that its label names as the nationality, or that
// stands alone and means a nationality.
func otherNation(lines []pageLine, own string) (sure float64) {
	if own == "" {
		return 0
	}
	for _, l := range lines {
		named, words := isNation(l, lines), latinWords(l)
		for _, word := range words {
			codes, counts, least := states(word), l.sure(word), surePrint
			if !named {
				least = veryPrint
			}
			if len(codes) > 0 && !slices.Contains(codes, own) && counts >= least && (named || len(word) > 3 && alone(words)) {
				sure = max(sure, counts)
			}
		}
	}
	return sure
}

// isNation reports whether a label names a line as the nationality.
func isNation(l pageLine, lines []pageLine) bool {
	return labelled(l, lines, "NATIONALITY", "NATIONALITE", "CITIZENSHIP")
}

// alone reports whether words are a nationality and no more.
func alone(words []string) bool {
	return len(slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "CITIZEN" || strings.HasSuffix(w, "CITIZEN") })) == 1
}
