package egypt

import (
	"math"
	"strings"
	"unicode/utf8"
)

// What it costs to take one letter for another, in units of a letter that is simply wrong.
const (
	costSpelling = 0.1 // one folded letter: ه and ة, ي and ى, أ and ا
	costDots     = 0.4 // letters of one stroke that differ in their dots
	costShape    = 0.6 // other look-alikes
	costBlank    = 0.4 // a blank that is not printed, or not seen
	costWrong    = 1.0
)

// stroke is the same number for letters that share their stroke in some joined form and differ only in dots, and 0 for
// letters without such a twin. Letters are folded.
func stroke(r rune) int {
	switch r {
	case 'ب', 'ت', 'ث', 'ن', 'ي':
		return 1
	case 'ج', 'ح', 'خ':
		return 2
	case 'د', 'ذ':
		return 3
	case 'ر', 'ز':
		return 4
	case 'س', 'ش':
		return 5
	case 'ص', 'ض':
		return 6
	case 'ط', 'ظ':
		return 7
	case 'ع', 'غ':
		return 8
	case 'ف', 'ق':
		return 9
	}
	return 0
}

// shaped tells whether two other letters, digits or signs look alike; a sorts before b.
func shaped(a, b rune) bool {
	switch a<<16 | b {
	case 'د'<<16 | 'ر', 'ر'<<16 | 'و', 'ح'<<16 | 'ع', 'ع'<<16 | 'ف', 'ق'<<16 | 'و', 'ف'<<16 | 'و', 'س'<<16 | 'ص',
		'ك'<<16 | 'ل', 'ا'<<16 | 'ل', 'م'<<16 | 'ه', 'ه'<<16 | 'و':
		return true
	case '0'<<16 | '1', '1'<<16 | '7', '7'<<16 | '8', '0'<<16 | '6', '5'<<16 | '6', '2'<<16 | '3', '.'<<16 | '0', '0'<<16 | '5',
		'0'<<16 | 'O', '0'<<16 | 'Q', 'O'<<16 | 'Q', '0'<<16 | 'D', '1'<<16 | 'I', '1'<<16 | 'l', 'I'<<16 | 'l', '8'<<16 | 'B',
		'5'<<16 | 'S', '2'<<16 | 'Z', '6'<<16 | 'G', '-'<<16 | '.':
		return true
	}
	return false
}

// Distance is how much has to be changed to turn one text into the other, each change by how easily it is misread: 0 for
// equal text, about 1 for each wrong letter. It is symmetric. Texts are compared letter by letter, so that the cost of a
// spelling habit is small but not nothing; Fold first to ignore habits.
func Distance(a, b string) float64 { return distanceWithin(a, b, math.Inf(1)) }

// distanceWithin is the distance where it is at most limit, and else something beyond the limit: most texts are too different
// after a few letters.
func distanceWithin(a, b string, limit float64) float64 {
	if gap := math.Abs(unspaced(a) - unspaced(b)); gap*costWrong > limit {
		return gap * costWrong
	}
	y := []rune(b)
	row := make([]float64, len(y)+1)
	for k, r := range y {
		row[k+1] = row[k] + costGap(r)
	}
	for _, r := range a {
		diagonal := row[0]
		row[0] += costGap(r)
		least := row[0]
		for k, q := range y {
			up := row[k+1]
			row[k+1] = min(up+costGap(r), row[k]+costGap(q), diagonal+costSwap(r, q))
			diagonal = up
			least = min(least, row[k+1])
		}
		if least > limit { // nothing that follows makes it less
			return least
		}
	}
	return row[len(y)]
}

// costGap is what a letter costs that only one text has.
func costGap(r rune) float64 {
	if r == ' ' {
		return costBlank
	}
	return costWrong
}

// costSwap is what it costs to take one letter for another.
func costSwap(a, b rune) float64 {
	if a == b {
		return 0
	}
	if a, b = foldLetter(a), foldLetter(b); a == b {
		return costSpelling
	}
	if s := stroke(a); s != 0 && s == stroke(b) {
		return costDots
	}
	if shaped(min(a, b), max(a, b)) {
		return costShape
	}
	return costWrong
}

// Likeness is 1 for equal texts after folding, falling to 0 as everything differs: the distance as a share of the longer
// text.
func Likeness(a, b string) float64 {
	a, b = Fold(a), Fold(b)
	longest := max(letters(a), letters(b))
	if longest == 0 {
		return 1
	}
	return max(0, 1-Distance(a, b)/longest)
}

// unspaced is the number of letters of a text without its blanks.
func unspaced(text string) float64 { return letters(text) - float64(strings.Count(text, " ")) }

// letters is the length of a text in letters.
func letters(text string) float64 { return float64(utf8.RuneCountInString(text)) }
