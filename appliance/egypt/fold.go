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
	// Arabic marks are combining, bidi controls and joiners are format characters.
	if r == 'ـ' || unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r) {
		return
	}
	b.WriteRune(foldLetter(r))
}

// foldLetter is the letter that stands for all its variants.
func foldLetter(r rune) rune {
	switch r {
	case 'أ', 'إ', 'آ', 'ٱ':
		return 'ا'
	case 'ى', 'ی', 'ئ', 'ې', 'ے':
		return 'ي'
	case 'ة', 'ھ', 'ہ', 'ۀ', 'ە', 'ۃ':
		return 'ه'
	case 'ؤ':
		return 'و'
	case 'ک', 'ڪ':
		return 'ك'
	case 'پ':
		return 'ب'
	}
	return r
}
