package names

import (
	"strings"
	"unicode"
)

// What it costs, in nats, where a Latin spelling of a name leaves the letters of the Arabic one: a consonant that is missing, strange or
// too many, a long vowel that is missing, a vowel too many, which Arabic text leaves out, and a consonant written twice. Latin lines
// are misread, and holders spell as they like: set by judgement on 23 November 2026.
const (
	lostConsonant, lostVowel = 3.0, 0.6
	addedVowel, doubled      = 0.6, 0.2
	// Amiss is the cost of one letter of a name that is another one in Latin letters, lacks there or is too many.
	Amiss = lostConsonant
	// foreignSpelling is the cost, per Arabic letter, from which on a Latin line is no spelling of a name at all.
	foreignSpelling = 0.9
)

// latinOf are the Latin spellings of an Arabic letter, its usual ones first; the others cost a little. Letters that may be left out
// are mute.
type latinOf struct {
	usual, rare []string
	mute        bool
}

var latinLetters = map[rune]latinOf{
	'ا': {usual: []string{"a", "e"}, rare: []string{"i", "o", "u"}, mute: true},
	'أ': {usual: []string{"a", "e", "o"}, rare: []string{"i", "u"}, mute: true},
	'إ': {usual: []string{"e", "i"}, rare: []string{"a"}, mute: true},
	'آ': {usual: []string{"a", "aa"}, mute: true},
	'ء': {rare: []string{"a", "e"}, mute: true},
	'ؤ': {usual: []string{"o", "ou", "w", "u"}, rare: []string{"a"}, mute: true},
	'ئ': {usual: []string{"e", "y", "i"}, rare: []string{"a"}, mute: true},
	'ع': {usual: []string{"a", "e", "o"}, rare: []string{"i", "u", "aa"}, mute: true},
	'ى': {usual: []string{"a", "y", "i"}, rare: []string{"e"}, mute: true},
	'ي': {usual: []string{"y", "i", "ee"}, rare: []string{"e", "ei", "ai"}, mute: true},
	'و': {usual: []string{"w", "o", "ou", "u"}, rare: []string{"oo", "v"}, mute: true},
	'ة': {usual: []string{"a", "h", "t"}, rare: []string{"e", "ah"}, mute: true},
	'ب': {usual: []string{"b"}, rare: []string{"p"}},
	'ت': {usual: []string{"t"}},
	'ث': {usual: []string{"th"}, rare: []string{"s", "t"}},
	'ج': {usual: []string{"g", "j"}},
	'ح': {usual: []string{"h"}},
	'خ': {usual: []string{"kh"}, rare: []string{"k"}},
	'د': {usual: []string{"d"}},
	'ذ': {usual: []string{"z", "dh", "th"}, rare: []string{"d"}},
	'ر': {usual: []string{"r"}},
	'ز': {usual: []string{"z"}},
	'س': {usual: []string{"s"}, rare: []string{"c"}},
	'ش': {usual: []string{"sh"}, rare: []string{"ch"}},
	'ص': {usual: []string{"s"}},
	'ض': {usual: []string{"d"}, rare: []string{"z", "dh"}},
	'ط': {usual: []string{"t"}},
	'ظ': {usual: []string{"z"}, rare: []string{"dh", "th"}},
	'غ': {usual: []string{"gh"}, rare: []string{"g"}},
	'ف': {usual: []string{"f"}, rare: []string{"v"}},
	'ق': {usual: []string{"k", "q"}, rare: []string{"c"}},
	'ك': {usual: []string{"k"}, rare: []string{"c"}},
	'ل': {usual: []string{"l"}},
	'م': {usual: []string{"m"}},
	'ن': {usual: []string{"n"}},
	'ه': {usual: []string{"h"}, rare: []string{"a", "o"}},
}

// rareSpelling is the cost of a rare spelling of a letter, in nats.
const rareSpelling = 0.4

// LogTranscription says how well a Latin line spells an Arabic name, letter by letter: 0 for a spelling that anyone would use, less by
// some nats for each letter that the two do not share. Blanks count for nothing, since compounds are parted differently. ok is false
// where the line is no spelling of the name at all.
func LogTranscription(arabic, latin string) (logarithm float64, ok bool) {
	from, to := onlyLetters(arabic), strings.ToLower(string(onlyLetters(latin)))
	if len(from) == 0 || to == "" {
		return 0, false
	}
	costs := make([]float64, len(to)+1) // of the letters so far against each beginning of the Latin line
	for j := range len(to) {
		costs[j+1] = costs[j] + added(to, j)
	}
	before := rune(0)
	for _, r := range from {
		costs = nextLetter(r, r == before, to, costs)
		before = r
	}
	cost := costs[len(to)]
	return -cost, cost < foreignSpelling*float64(len(from))
}

// nextLetter are the costs with one more Arabic letter; twice tells that it stands behind one like it, as in الله.
func nextLetter(r rune, twice bool, to string, before []float64) []float64 {
	spelled := latinLetters[r]
	lost := lostConsonant
	switch {
	case spelled.mute:
		lost = lostVowel
	case twice:
		lost = doubled
	}
	out := make([]float64, len(before))
	for j := range out {
		best := before[j] + lost
		if j > 0 {
			best = min(best, out[j-1]+added(to, j-1), before[j-1]+lostConsonant)
		}
		for _, s := range spelled.usual {
			if strings.HasSuffix(to[:j], s) {
				best = min(best, before[j-len(s)])
			}
		}
		for _, s := range spelled.rare {
			if strings.HasSuffix(to[:j], s) {
				best = min(best, before[j-len(s)]+rareSpelling)
			}
		}
		out[j] = best
	}
	return out
}

// added is the cost of the j-th Latin letter where no Arabic one stands for it.
func added(to string, j int) float64 {
	switch {
	case strings.IndexByte("aeiou", to[j]) >= 0:
		return addedVowel
	case j > 0 && to[j] == to[j-1]:
		return doubled
	}
	return lostConsonant
}

// onlyLetters are the letters of a text.
func onlyLetters(s string) (out []rune) {
	for _, r := range s {
		if unicode.IsLetter(r) {
			out = append(out, r)
		}
	}
	return out
}
