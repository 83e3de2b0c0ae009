package arabic

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
