package text

import (
	"strings"
	"unicode"
)

// Trimmed leaves out the signs about the words between two signs of a line, the second excluded. The outer one of the line stays where it
// links: a value may go on below behind a dash or a bracket, or come with one from above.
func Trimmed(symbols []Symbol, first, end int) (from, to int) {
	goesOn := first == 0 && end > 0 && linking(symbols[0].Rune)
	comes := end == len(symbols) && end > first && linking(symbols[end-1].Rune)
	for first < end && !goesOn && !WordSign(symbols[first].Rune) && !mayBeDigit(symbols, first, first+1) {
		first++
	}
	for first < end && !comes && !WordSign(symbols[end-1].Rune) && !mayBeDigit(symbols, end-1, end-2) {
		end--
	}
	return first, end
}

// mayBeDigit reports whether a sign may be a zero or an eight: in Arabic digits these look like a dot and like an angle, and stand beside
// one.
func mayBeDigit(symbols []Symbol, i, beside int) bool {
	if beside >= 0 && beside < len(symbols) && symbols[beside].Rune == ' ' {
		beside += beside - i
	}
	if !strings.ContainsRune(".^", symbols[i].Rune) || beside < 0 || beside >= len(symbols) {
		return false
	}
	return symbols[beside].Rune > unicode.MaxASCII && unicode.IsDigit(symbols[beside].Rune)
}

// linking reports whether a sign may end a line of a value that goes on below: a dash, a bracket, a comma.
func linking(r rune) bool {
	const arabicComma = 0x060c
	return unicode.In(r, unicode.Pd, unicode.Ps, unicode.Pe) || r == ',' || r == arabicComma
}

// RightToLeft reports whether a text holds letters that are read from right to left.
func RightToLeft(said string) bool {
	return strings.ContainsFunc(said, func(r rune) bool { return unicode.In(r, unicode.Arabic, unicode.Hebrew) && unicode.IsLetter(r) })
}

// WordSign reports whether a sign is a letter or a digit.
func WordSign(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// SignAt is the i-th sign of a line, 0 beyond its ends.
func SignAt(symbols []Symbol, i int) rune {
	if i < 0 || i >= len(symbols) {
		return 0
	}
	return symbols[i].Rune
}

// WordBounds reports whether a word may end or begin between the i-th sign of a line and the next: they are not both letters.
func WordBounds(symbols []Symbol, i int) bool {
	return !unicode.IsLetter(SignAt(symbols, i)) || !unicode.IsLetter(SignAt(symbols, i+1))
}

// WholeWords reports whether the signs from one to another, the last included, are whole words: what stands beside them is no letter.
func WholeWords(symbols []Symbol, first, last int) bool {
	return WordBounds(symbols, first-1) && WordBounds(symbols, last)
}

// BlankBeside is the share of the line between a sign and the next letter or digit on a side of it, by step; -1 where there is none.
func BlankBeside(symbols []Symbol, sign, step int) float64 {
	for i := sign + step; i >= 0 && i < len(symbols); i += step {
		if WordSign(symbols[i].Rune) {
			return max(symbols[i].Start-symbols[sign].End, symbols[sign].Start-symbols[i].End)
		}
	}
	return -1
}
