package egypt

import (
	"math"
	"strings"
	"unicode"

	"github.com/bawab/bawab/appliance/egypt/number"
)

// Vocabulary of driving licences and of the front of car licences: kinds known to law and to the reference, further ones
// from general knowledge. No transcript of a card was available.

// LicenceKinds lists the kinds of driving licences.
func LicenceKinds() *Terms { return NewTerms(phrases(licenceKinds)).close() }

// Uses lists what vehicles are licensed for.
func Uses() *Terms { return NewTerms(phrases(uses)).close() }

// Nationalities lists nationalities as licences print them, and the country or that the holder is a company, which some print instead. One
// that is not listed is taken for another that is.
func Nationalities() *Terms {
	all := []string{"مصر", "شركة مصرية"}
	for _, of := range listed(nationalities) {
		arabic, _, _ := strings.Cut(of, "=")
		for _, said := range phrases(arabic) {
			all = append(all, said, said+"ة")
		}
	}
	return NewTerms(all).close()
}

// Conditions lists what the condition line of a driving licence says mostly.
func Conditions() *Terms {
	var all []string
	for _, pattern := range listed(conditions) {
		all = append(all, expanded(pattern)...)
	}
	return NewTerms(all)
}

// UnitBegins lists how the names of traffic units begin.
func UnitBegins() []string { return listed(units) }

// Departments lists the traffic departments of the governorates.
func Departments() *Terms {
	var names []string
	for _, g := range number.Governorates() {
		names = append(names, "إدارة مرور "+g.Arabic, "الإدارة العامة لمرور "+g.Arabic)
	}
	t := NewTerms(names)
	t.unlisted = hardlyUnlisted
	return t
}

// OnlyCapitals puts capitals in the place of the signs of a line that are none, if most of its letters are, and says how
// sure the ink is of the whole line then.
func OnlyCapitals(text string, score func(string) float64) (shown string, sure float64) {
	signs := []rune(text)
	capitals, others := 0, 0
	for _, r := range signs {
		switch {
		case r >= 'A' && r <= 'Z':
			capitals++
		case r != ' ':
			others++
		}
	}
	if others == 0 || capitals < 2*others {
		return text, 0
	}
	for i, r := range signs {
		if r == ' ' || r >= 'A' && r <= 'Z' {
			continue
		}
		best, top := unicode.ToUpper(r), math.Inf(-1)
		for c := 'A'; c <= 'Z'; c++ {
			signs[i] = c
			if s := score(string(signs)); s > top {
				best, top = c, s
			}
		}
		signs[i] = best
	}
	return string(signs), math.Exp(min(0, score(string(signs))))
}

// NationalitiesEnglish lists what driving licences print for the nationality in Latin letters.
func NationalitiesEnglish() *Terms {
	all := []string{"Egypt", "EGYPT"} // some print the country
	for _, of := range listed(nationalities) {
		_, latin, _ := strings.Cut(of, "=")
		for _, said := range phrases(latin) {
			all = append(all, said, strings.ToUpper(said))
		}
	}
	return NewTerms(all)
}
