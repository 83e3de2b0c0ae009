package egypt

import (
	"strings"
	"unicode"
)

// Clean writes text as the service's answers hold it: the printed spelling without tatweel, bidi controls and marks,
// single spaces, presentation forms as letters, dashes of any length as '-', since text does not tell which was meant.
func Clean(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for _, r := range text {
		if letters, ok := presented(r); ok {
			b.WriteString(letters)
			continue
		}
		if unicode.Is(unicode.Pd, r) {
			r = '-'
		}
		if r == 'ـ' || unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r) {
			continue
		}
		b.WriteRune(r)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// NameUnits takes a name apart into names, keeping together the words that are one: عبد and what follows, أبو, أم, ابن,
// بنت, آل and what follows, and what ends in الدين, الله and the like. Units keep their spelling, with single spaces.
func NameUnits(name string) []string {
	words := strings.Fields(Clean(name))
	var units []string
	for len(words) > 0 {
		n := unitSize(words)
		units = append(units, strings.Join(words[:n], " "))
		words = words[n:]
	}
	return units
}

// unitSize is how many of the words make the first name.
func unitSize(words []string) int {
	if len(words) < 2 {
		return len(words)
	}
	first, second := Fold(words[0]), Fold(words[1])
	switch first {
	case "عبد":
		if second == "رب" && len(words) > 2 && strings.HasPrefix(Fold(words[2]), "ال") {
			return 3
		}
		return 2
	case "ابو", "ام", "ابن", "بن", "بنت", "ال":
		return 1 + unitSize(words[1:])
	}
	switch second {
	case "الدين", "الله", "الرب", "الحق", "العابدين", "بالله", "الدوله":
		return 2
	}
	if _, ok := lookUp(compoundNames, first+" "+second); ok {
		return 2
	}
	return 1
}

// lookUp finds the Latin spelling of a folded name in a list.
func lookUp(list, folded string) (string, bool) {
	if folded == "" || strings.ContainsAny(folded, "|=") {
		return "", false
	}
	at := strings.Index(list, "|"+folded+"=")
	if at < 0 {
		return "", false
	}
	entry := list[at+len(folded)+2:]
	return entry[:strings.IndexAny(entry, "=|")], true
}

// lookUpAny searches all lists of single names.
func lookUpAny(folded string) (string, bool) {
	for _, list := range [...]string{menNames, womenNames, copticNames, familyNames, compoundNames, stemNames} {
		if latin, ok := lookUp(list, folded); ok {
			return latin, true
		}
	}
	return "", false
}
