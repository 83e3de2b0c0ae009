// Package plate reads what the licence plates of Egypt say, from their signs or from a line of text that shows one: letters and a number
// under the rules, the groups of diplomats, and by the colour of their band whose vehicle it is.
//
// # Unconfirmed facts
//
// Taken from public sources that are weak or disagree, as those of package egypt are:
//
//   - The categories of the bands: tourist, bus and customs rest on weak sources, and of all colours the blue of private ones alone was
//     measured on real plates ([Category]).
//   - Which governorate a plate's last letter stands for is from two lists that agree (endingOf behind [Plate.Governorate]); of
//     endings of two letters no source names the governorates, so they stand for none.
package plate

import (
	"strings"
	"unicode/utf8"

	"github.com/bawab/bawab/appliance/arabic"
)

// Signs are the signs that a licence plate may carry since 2008: nine digits, for zero is never used, then the
// seventeen letters. This is also the order of a Cell.
const Signs = "123456789" + letterSigns

const (
	letterSigns = "أبجدرسصطعفقلمنهوى"
	digitSigns  = 9 // of Signs
)

// The most signs that a plate carries. Auctioned plates carry as little as one letter and one digit.
const (
	mostLetters = 3
	mostDigits  = 4
)

// Plate is what a licence plate says.
type Plate struct {
	// Letters stand in reading order, the rightmost first. A letter that no plate carries is kept as it was read.
	Letters []rune
	// Number holds Western digits.
	Number string
}

// String is the form of the service's result: the letters apart, then the number, as in "س ن ب 1234".
func (p Plate) String() string {
	parts := make([]string, 0, len(p.Letters)+1)
	for _, l := range p.Letters {
		parts = append(parts, string(l))
	}
	if p.Number != "" {
		parts = append(parts, p.Number)
	}
	return strings.Join(parts, " ")
}

// Valid reports whether the plate keeps the rules: one to three of the seventeen letters, one to four digits without zero.
// A plate that breaks them is none of Egypt's of this generation, or misread (3307).
func (p Plate) Valid() bool {
	if len(p.Letters) < 1 || len(p.Letters) > mostLetters || len(p.Number) < 1 || len(p.Number) > mostDigits {
		return false
	}
	for _, l := range p.Letters {
		if !strings.ContainsRune(letterSigns, l) {
			return false
		}
	}
	return strings.Trim(p.Number, "123456789") == ""
}

// Governorate is the code of the governorate that issues plates like this one, where the counts and the last letter tell:
// three digits and three letters are Cairo's, four digits and two letters Giza's, four and three of the governorate of
// the last letter. "" for another ending and for a plate with fewer signs, which was chosen by its owner. Such plates may
// look like another governorate's, so this is no proof.
func (p Plate) Governorate() string {
	if !p.Valid() {
		return ""
	}
	switch [2]int{len(p.Number), len(p.Letters)} {
	case [2]int{3, 3}:
		return "01"
	case [2]int{4, 2}:
		return "21"
	case [2]int{4, 3}:
		return endingOf(p.Letters[2])
	}
	return ""
}

// endingOf is the governorate whose plates end in a letter, "" where none is known.
func endingOf(last rune) string {
	switch last {
	case 'س':
		return "02"
	case 'د':
		return "12"
	case 'ر':
		return "13"
	case 'ق':
		return "14"
	case 'ل':
		return "15"
	case 'ع':
		return "16"
	case 'م':
		return "17"
	case 'ب':
		return "18"
	case 'و':
		return "22"
	case 'ف':
		return "23"
	case 'ن':
		return "24"
	case 'ى':
		return "25"
	case 'ه':
		return "26"
	}
	return ""
}

// Parse reads the printed text of a plate in logical order, as a car licence shows it: letters apart or joined, before
// or after the number, in any digits, with blanks, dashes, bars or tatweel between. It reports whether the text is of that
// form: one group of Arabic letters and one of digits, at most six of each, and nothing else. Whether such a plate keeps the rules says Valid.
func Parse(text string) (Plate, bool) {
	var p Plate
	var groups []bool // for each change of kind: does a number begin
	for _, r := range arabic.FoldDigits(arabic.Nominal(text)) {
		letter, separator := letterOf(r)
		number := r >= '0' && r <= '9'
		switch {
		case separator:
			continue
		case number:
			p.Number += string(r)
		case letter != 0:
			p.Letters = append(p.Letters, letter)
		default:
			return Plate{}, false
		}
		if n := len(groups); n == 0 || groups[n-1] != number {
			groups = append(groups, number)
		}
	}
	if len(groups) != 2 || len(p.Letters) > 6 || len(p.Number) > 6 {
		return Plate{}, false
	}
	return p, true
}

// Carries reports whether a sign is, or may be written for, a letter that plates carry.
func Carries(r rune) bool {
	letter, separator := letterOf(r)
	return separator || letter != 0 && strings.ContainsRune(letterSigns, letter)
}

// letterOf is the form in which plates carry a letter, 0 for anything else; or it tells that r only separates.
func letterOf(r rune) (letter rune, separator bool) {
	if strings.ContainsRune(" \u00a0\t-–—|/\\.،:*", r) {
		return 0, true
	}
	switch folded := arabic.Fold(string(r)); folded {
	case "": // tatweel, marks and controls
		return 0, true
	case "ا":
		return 'أ', false
	case "ي":
		return 'ى', false
	default:
		if l, n := utf8.DecodeRuneInString(folded); n == len(folded) && l >= 'ء' && l <= 'ي' {
			return l, false
		}
	}
	return 0, false
}
