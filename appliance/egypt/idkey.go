package egypt

import "slices"

// The serial of a card (idKey) is capital Latin letters and then digits, so many of each, as two public projects have it.
const (
	IDKeyLetters = 2
	IDKeyDigits  = 7
)

// Form is what a line of known length may say: the signs, capitals and Western digits, that may stand at each of its positions.
type Form []string

// Formed is the likeliest text of a Form on a line.
type Formed struct {
	Text string
	// Share is its probability among all texts of the form, 0 to 1.
	Share float64
	// Fits is the probability, given the ink, that the line holds a text of the form, signs that no position of it allows left out, 0
	// to 1.
	Fits float64
}

// How likely a line that was taken for the serial is none, and how likely one begins otherwise than with two letters, by judgement: the
// form is not confirmed, and where O and 0 or S and 5 cannot be told apart, a person must look.
const (
	strayLine = 0.002
	oddSerial = 0.3
)

// DecodeIDKey is the likeliest serial on a line, of which formed gives the likeliest text of a form, and how sure it is. Where the ink
// clearly shows digits in the place of the letters, they are returned: some such cards are said to exist.
func DecodeIDKey(formed func(Form) Formed) (value string, confidence float64) {
	const capitals, digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
	form := func(signs string) Form {
		return slices.Concat(slices.Repeat(Form{signs}, IDKeyLetters), slices.Repeat(Form{digits}, IDKeyDigits))
	}
	usual, any := formed(form(capitals)), formed(form(capitals+digits))
	asUsual, otherwise := (1-oddSerial)*usual.Fits, oddSerial*max(0, any.Fits-usual.Fits)
	if asUsual+otherwise == 0 {
		return "", 0
	}
	total := asUsual + otherwise + strayLine
	if asUsual >= otherwise {
		return usual.Text, usual.Share * asUsual / total
	}
	return any.Text, any.Share * otherwise / total
}
