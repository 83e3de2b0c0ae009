package card

import (
	"strings"
	"unicode"
)

// trimmed is a value without the signs around it: separators, and what a frame or an ornament beside it was read as.
func trimmed(value string) string { return strings.Trim(value, " "+signs+ornaments) }

// betweenLetters is a name without what stands before or behind it and holds no letter: a picture in the place of a label, or the card's
// pattern, is read as a sign.
func betweenLetters(name string) string {
	return strings.TrimFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.Is(unicode.Mn, r) })
}

// sureLabel is the likeness from which on a label is told from another one that begins alike.
const sureLabel = 0.85

// eitherDate is the most confidence of a date of which it is not clear which of the two it is: one that is flagged.
const eitherDate = 0.8
