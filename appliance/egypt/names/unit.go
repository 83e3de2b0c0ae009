// Package names holds a dictionary of Egyptian names and what follows from it: which words of a name go together, whether two names are one
// holder's, how a name is written in Latin letters, and how well a Latin line spells one. nameMisread and firstName of [Same] are set by
// judgement alone.
package names

import (
	"strings"

	"github.com/bawab/bawab/appliance/arabic"
)

// Units takes a name apart into names, keeping together the words that are one: عبد and what follows, أبو, أم, ابن,
// بنت, آل and what follows, and what ends in الدين, الله and the like. Units keep their spelling, with single spaces.
func Units(name string) []string {
	words := strings.Fields(arabic.Clean(name))
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
	first, second := arabic.Fold(words[0]), arabic.Fold(words[1])
	switch first {
	case "عبد":
		if second == "رب" && len(words) > 2 && strings.HasPrefix(arabic.Fold(words[2]), "ال") {
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
	if _, ok := knownCompounds()[first+" "+second]; ok {
		return 2
	}
	return 1
}
