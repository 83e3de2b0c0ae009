package egypt

import (
	"fmt"
	"strings"
	"unicode"
)

// The serial of a card is two capital Latin letters and seven digits, as two public projects have it.
const (
	keyLetters = 2
	keyDigits  = 7
)

// keyTied is how much likelier, in nats, the ink may find a letter than the digit that its place asks for, or the other way
// round, and still give way: these pairs are drawn alike, so that a recogniser without context is often sure of the wrong one.
const keyTied = 6.0

// repairedKey is the confidence of a serial that the pattern repaired: never enough to go unflagged.
const repairedKey = 0.5

// IDKey is the card's own serial.
type IDKey struct {
	// Value is what is printed, capital letters and Western digits, without blanks.
	Value string
	// Repairs says in words where Value differs from the reading.
	Repairs []string
	// Confidence caps that of the reading: 1, or less where something was repaired.
	Confidence float64
	// Codes holds CodeIDKey where Value breaks the pattern.
	Codes []Code
}

// DecodeIDKey reads a serial under its pattern. A letter in a digit's place becomes the digit that it looks like, O 0, I 1
// and so on, and the other way round, unless the ink is clearly against it; a repair is doubtful. What does not fit the
// pattern comes back as printed, with its code.
func DecodeIDKey(c Candidate) IDKey {
	printed := keySigns(c.Text)
	k := IDKey{Value: string(printed), Confidence: 1}
	if len(printed) == 0 {
		return k
	}
	if len(printed) != keyLetters+keyDigits {
		k.Codes = []Code{CodeIDKey}
		return k
	}
	repaired := append([]rune(nil), printed...)
	var repairs []string
	for i, r := range printed {
		if i < keyLetters && r >= 'A' && r <= 'Z' || i >= keyLetters && r >= '0' && r <= '9' {
			continue
		}
		twin := keyTwin(r, i < keyLetters)
		if twin == 0 || !c.allows(repaired, i, twin) {
			k.Codes = []Code{CodeIDKey}
			return k
		}
		repaired[i] = twin
		repairs = append(repairs, fmt.Sprintf("sign %d: %c read as %c, pattern", i+1, r, twin))
	}
	k.Value = string(repaired)
	if k.Repairs = repairs; len(repairs) > 0 {
		k.Confidence = repairedKey
	}
	return k
}

// keySigns is the Latin letters and digits of a text; any other letter stays too, so that the pattern fails.
func keySigns(text string) []rune {
	var out []rune
	for _, r := range strings.ToUpper(FoldDigits(text)) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			out = append(out, r)
		}
	}
	return out
}

// allows tells whether the ink leaves room for another sign in a place of the reading.
func (c *Candidate) allows(signs []rune, i int, twin rune) bool {
	if c.Score == nil {
		return true
	}
	other := append([]rune(nil), signs...)
	other[i] = twin
	return c.Score(string(other)) >= c.LogProb-keyTied*float64(1+differences(signs, keySigns(c.Text)))
}

// differences is at how many places two texts of one length differ.
func differences(a, b []rune) int {
	n := 0
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}

// keyTwin is the letter or the digit that a sign of the other sort looks like, 0 for none.
func keyTwin(r rune, letter bool) rune {
	const digits, twins = "0158264", "OISBZGA"
	if letter {
		if i := strings.IndexRune(digits, r); i >= 0 {
			return rune(twins[i])
		}
		return 0
	}
	switch r {
	case 'Q', 'D':
		return '0'
	case 'L':
		return '1'
	}
	if i := strings.IndexRune(twins, r); i >= 0 {
		return rune(digits[i])
	}
	return 0
}
