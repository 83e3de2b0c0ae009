package egypt

import (
	"strings"
	"unicode"
)

// Fold writes text for comparison, never for output: one alef, ye, waw and he for their variants, no marks, no tatweel, no
// bidi controls, Western digits, single spaces. Persian and presentation forms become the Arabic letters.
func Fold(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for _, r := range FoldDigits(text) {
		if letters, ok := presented(r); ok {
			for _, l := range letters {
				foldRune(&b, l)
			}
			continue
		}
		foldRune(&b, r)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// foldRune writes the folded form of one letter.
func foldRune(b *strings.Builder, r rune) {
	switch r {
	case 'أ', 'إ', 'آ', 'ٱ':
		r = 'ا'
	case 'ى', 'ی', 'ئ', 'ې', 'ے':
		r = 'ي'
	case 'ة', 'ھ', 'ہ', 'ۀ', 'ە', 'ۃ':
		r = 'ه'
	case 'ؤ':
		r = 'و'
	case 'ک', 'ڪ':
		r = 'ك'
	case 'پ':
		r = 'ب'
	case 'ـ':
		return
	}
	// Arabic marks are combining, bidi controls and joiners are format characters.
	if unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r) {
		return
	}
	b.WriteRune(r)
}
