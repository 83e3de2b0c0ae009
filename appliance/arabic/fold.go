// Package arabic compares and cleans printed Arabic text: it folds the variants of letters and digits into one, and tells how much two
// texts differ by how easily one is misread for the other. It knows letters, no words and no documents.
package arabic

import (
	"strings"
	"unicode"
)

// Fold writes text for comparison, never for output: one alef, ye, waw and he for their variants, no marks, no tatweel, no
// bidi controls, Western digits, single spaces. Persian and presentation forms become the Arabic letters.
func Fold(text string) string {
	if folded(text) {
		return text
	}
	w := folder{}
	w.Grow(len(text))
	for _, r := range text {
		if letters, ok := presented(r); ok {
			for _, l := range letters {
				w.write(l)
			}
			continue
		}
		w.write(r)
	}
	return w.String()
}

// folded reports whether folding changes nothing, as is mostly known from the letters alone: text is compared far more often than it is
// new.
func folded(text string) bool {
	before := ' '
	for _, r := range text {
		if r == ' ' && before == ' ' || r < ' ' || r > '~' && !Letter(r) || FoldLetter(r) != r {
			return false
		}
		before = r
	}
	return before != ' ' || text == ""
}

// Letter reports whether a letter is one of the Arabic alphabet: no mark, no sign, no form of its own.
func Letter(r rune) bool { return r >= 'ء' && r <= 'غ' || r >= 'ف' && r <= 'ي' }

// folder writes text in its folded form.
type folder struct {
	strings.Builder
	blank bool // is due before the next letter
}

// write writes the folded form of one letter.
func (w *folder) write(r rune) {
	switch {
	case Letter(r):
		r = FoldLetter(r)
	case unicode.IsSpace(r):
		w.blank = w.Len() > 0
		return
	case r == 'ـ' || unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r): // Arabic marks are combining, bidi controls and joiners are format characters
		return
	default:
		r = FoldLetter(foldDigit(r))
	}
	if w.blank {
		w.WriteByte(' ')
		w.blank = false
	}
	w.WriteRune(r)
}

// FoldLetter is the letter that stands for all its variants.
func FoldLetter(r rune) rune {
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
