package names

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bawab/bawab/appliance/arabic"
)

// How far a doubtful name may differ: the share of its letters, and the least likeness of the first name. Set by judgement
// on 20 November 2026.
const (
	nameMisread = 0.25
	firstName   = 0.5
	// leastName is how many letters a name must have that the other one only begins with.
	leastName = 5
)

// Same reports whether two printed names can be one holder's: equal after folding, blanks aside, or one of them cut short,
// in the middle of a word or after one, but not to the first name alone. Where one is doubtful, a quarter of the letters
// may differ, but not the whole first name.
func Same(a, b string, doubtful bool) bool {
	a, b = arabic.Fold(a), arabic.Fold(b)
	first, second := firstWord(a), firstWord(b)
	short, long := strings.ReplaceAll(a, " ", ""), strings.ReplaceAll(b, " ", "")
	if utf8.RuneCountInString(short) > utf8.RuneCountInString(long) {
		short, long = long, short
	}
	if short == "" {
		return false
	}
	if short == long {
		return true
	}
	if utf8.RuneCountInString(short) < leastName || !strings.Contains(a, " ") || !strings.Contains(b, " ") {
		return false
	}
	if strings.HasPrefix(long, short) {
		return true
	}
	if !doubtful || arabic.Likeness(first, second) < firstName {
		return false
	}
	signs := []rune(long)
	n := len([]rune(short))
	for k := max(1, n-2); k <= min(len(signs), n+2); k++ {
		if arabic.Distance(short, string(signs[:k])) <= nameMisread*float64(n) {
			return true
		}
	}
	return false
}

// firstWord is what stands before the first blank.
func firstWord(name string) string {
	word, _, _ := strings.Cut(name, " ")
	return word
}

// leastShared is how many words of a name must be spelled where the other script has more of them.
const leastShared = 2

// InLatin compares a name in Arabic text with one in Latin letters, as a passport has it. same: every letter of both has its
// counterpart, with the usual freedom of spelling, and so has the first name by itself; the longer of the two may go on. other:
// neither is so. In between lie brothers with like first names, and names of which one script leaves words out.
//
// Of 20,000 names drawn out of 90, which the generator of passports spells by a table of its own (27 November 2026), all were the
// same as their own spelling, also without its last word, and none was another's; of 20,000 pairs of strangers 41 were the same
// (0.2 %, 0.15 to 0.28) and 19,413 another's; with another first name alone 1.5 % were the same and 24 % another's.
func InLatin(arabic, latin string) (same, other bool) {
	units, words := Units(arabic), strings.Fields(latin)
	if len(units) == 0 || len(words) == 0 {
		return false, false
	}
	spelled := func(units, words []string) bool {
		_, ok := LogTranscription(strings.Join(units, ""), strings.Join(words, ""))
		return ok
	}
	first, whole := false, spelled(units, words)
	for n := 1; n <= len(words); n++ {
		first = first || spelled(units[:1], words[:n])
		whole = whole || n >= leastShared && spelled(units, words[:n])
	}
	for n := leastShared; n < len(units); n++ {
		whole = whole || spelled(units[:n], words)
	}
	return first && whole, !first && !whole
}

// mostWords is of how many words a compound consists at most, as ABD EL RAHMAN.
const mostWords = 3

// NameByName compares a name in Arabic text with one in Latin letters, name by name: worst is the cost, in nats, of the name whose letters
// are spelled worst, and ok is false where they are not parted alike, since a blank is lost or one has a word more. A compound, as
// عبد الرحمن, is one name in as many words as either script parts it into.
func NameByName(arabic, latin string) (worst float64, ok bool) {
	words := strings.Fields(latin)
	costs := make([]float64, len(words)+1) // of the names so far against each beginning of the Latin words
	for i := range costs[1:] {
		costs[i+1] = math.Inf(1)
	}
	for _, unit := range Units(arabic) {
		next, most := make([]float64, len(costs)), 1
		if compound(unit) {
			most = mostWords
		}
		for to := range next {
			next[to] = math.Inf(1)
			for from := max(0, to-most); from < to; from++ {
				if l, spelled := LogTranscription(unit, strings.Join(words[from:to], "")); spelled {
					next[to] = min(next[to], max(costs[from], -l))
				}
			}
		}
		costs = next
	}
	worst = costs[len(words)]
	return worst, len(words) > 0 && !math.IsInf(worst, 1)
}

// compound reports whether a name may be several words in Latin letters: one of several words, and one that such words are written into.
func compound(unit string) bool {
	folded := arabic.Fold(unit)
	begins, ends := func(s string) bool { return strings.HasPrefix(folded, s) }, func(s string) bool { return strings.HasSuffix(folded, s) }
	return strings.Contains(unit, " ") || slices.ContainsFunc([]string{"عبد", "ابو", "ال"}, begins) ||
		slices.ContainsFunc([]string{"الله", "الدين"}, ends)
}
