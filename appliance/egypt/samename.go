package egypt

import "strings"

// How far a doubtful name may differ: the share of its letters, and the least likeness of the first name. Set by judgement
// on 20 November 2026.
const (
	nameMisread = 0.25
	firstName   = 0.5
	// leastName is how many letters a name must have that the other one only begins with.
	leastName = 5
)

// SameName tells whether two printed names can be one holder's: equal after folding, blanks aside, or one of them cut short,
// in the middle of a word or after one, but not to the first name alone. Where one is doubtful, a quarter of the letters
// may differ, but not the whole first name.
func SameName(a, b string, doubtful bool) bool {
	a, b = Fold(a), Fold(b)
	first, second := firstWord(a), firstWord(b)
	short, long := strings.ReplaceAll(a, " ", ""), strings.ReplaceAll(b, " ", "")
	if letters(short) > letters(long) {
		short, long = long, short
	}
	if short == "" {
		return false
	}
	if short == long {
		return true
	}
	if letters(short) < leastName || !strings.Contains(a, " ") || !strings.Contains(b, " ") {
		return false
	}
	if strings.HasPrefix(long, short) {
		return true
	}
	if !doubtful || Likeness(first, second) < firstName {
		return false
	}
	signs := []rune(long)
	n := len([]rune(short))
	for k := max(1, n-2); k <= min(len(signs), n+2); k++ {
		if Distance(short, string(signs[:k])) <= nameMisread*float64(n) {
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
