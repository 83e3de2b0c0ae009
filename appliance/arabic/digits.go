package arabic

import (
	"strings"
	"unicode/utf8"
)

// FoldDigits writes Arabic-Indic digits (U+0660 to U+0669) and their extended, Persian forms (U+06F0 to U+06F9) as Western
// 0 to 9. Everything else stays as it is, bytes that are no UTF-8 included.
func FoldDigits(text string) string {
	if !strings.ContainsAny(text, "٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹") {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		if western := foldDigit(r); western != r {
			b.WriteRune(western)
		} else { // bytes that are no UTF-8, too
			b.WriteString(text[:n])
		}
		text = text[n:]
	}
	return b.String()
}

// foldDigit is the Western form of a digit; what is none stays as it is.
func foldDigit(r rune) rune {
	switch {
	case r >= '٠' && r <= '٩':
		return '0' + r - '٠'
	case r >= '۰' && r <= '۹':
		return '0' + r - '۰'
	}
	return r
}
