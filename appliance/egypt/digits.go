package egypt

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
		switch {
		case r >= '٠' && r <= '٩':
			b.WriteByte('0' + byte(r-'٠'))
		case r >= '۰' && r <= '۹':
			b.WriteByte('0' + byte(r-'۰'))
		default:
			b.WriteString(text[:n])
		}
		text = text[n:]
	}
	return b.String()
}
