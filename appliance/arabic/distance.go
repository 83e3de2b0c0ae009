package arabic

import (
	"math"
	"slices"
	"strings"
	"sync"
)

// What it costs to take one letter for another, in tenths of a letter that is simply wrong.
const (
	costSpelling = 1 // one folded letter: ه and ة, ي and ى, أ and ا
	costDots     = 4 // letters of one stroke that differ in their dots
	costShape    = 6 // other look-alikes
	costBlank    = 4 // a blank that is not printed, or not seen
	costWrong    = 10
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

// shaped reports whether two other letters, digits or signs look alike; a sorts before b.
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
func Distance(a, b string) float64 { return Measure(a).distance(Measure(b), math.MaxInt32) }

// Measured is a text made ready to be compared with many others.
type Measured struct {
	letters []rune
	blanks  int // of the letters
}

// Measure makes a text ready to be compared.
func Measure(text string) Measured { return Measured{[]rune(text), strings.Count(text, " ")} }

// Same reports whether both are one text.
func (m Measured) Same(o Measured) bool { return slices.Equal(m.letters, o.letters) }

// Size is the length in letters, blanks included.
func (m Measured) Size() float64 { return float64(len(m.letters)) }

// distance is the distance of two texts where it is at most limit, and else something beyond the limit: most texts are too different
// after a few letters.
func (m Measured) distance(o Measured, limit float64) float64 {
	most := limit * costWrong
	if gap := costWrong * abs(len(m.letters)-m.blanks-len(o.letters)+o.blanks); float64(gap) > most {
		return float64(gap) / costWrong
	}
	var short [64]int32 // on the stack, as nearly all texts are that short
	row, swaps := append(short[:0], 0), swapCosts()
	for k, q := range o.letters {
		row = append(row, row[k]+costGap(q))
	}
	for _, r := range m.letters {
		diagonal, left, gap := row[0], row[0]+costGap(r), costGap(r)
		row[0] = left
		least := left
		for k, q := range o.letters {
			up := row[k+1]
			left = min(up+gap, left+costGap(q), diagonal+swaps.of(r, q))
			row[k+1], diagonal = left, up
			least = min(least, left)
		}
		if float64(least) > most { // nothing that follows makes it less
			return float64(least) / costWrong
		}
	}
	return float64(row[len(o.letters)]) / costWrong
}

// AtLeast gives of any text a bound below its distance: what its letters cost, each taken for the letter of m that is nearest to it.
func (m Measured) AtLeast() func(o Measured) float64 {
	var known [256]int32 // one more than what a letter costs; 0 where that is not known yet
	swaps := swapCosts()
	return func(o Measured) float64 {
		sum := int32(0)
		for _, r := range o.letters {
			at := tabled(r)
			if at < uint(len(known)) && known[at] > 0 {
				sum += known[at] - 1
				continue
			}
			least := costGap(r)
			for _, q := range m.letters {
				least = min(least, swaps.of(r, q))
			}
			if sum += least; at < uint(len(known)) {
				known[at] = least + 1
			}
		}
		return float64(sum) / costWrong
	}
}

func abs(n int) int { return max(n, -n) }

// costGap is what a letter costs that only one text has.
func costGap(r rune) int32 {
	if r == ' ' {
		return costBlank
	}
	return costWrong
}

// costSwap is what it costs to take one letter for another.
func costSwap(a, b rune) int32 {
	if a == b {
		return 0
	}
	if a, b = FoldLetter(a), FoldLetter(b); a == b {
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

// swapTable holds what it costs to take one of the letters that are compared by the million, ASCII and Arabic ones, for another.
type swapTable [256][256]uint8

var swapCosts = sync.OnceValue(func() *swapTable {
	var t swapTable
	letter := func(n int) rune {
		if n < 128 {
			return rune(n)
		}
		return 0x600 + rune(n-128)
	}
	for a := range t {
		for b := range t {
			t[a][b] = uint8(costSwap(letter(a), letter(b)))
		}
	}
	return &t
})

// of is costSwap.
func (t *swapTable) of(a, b rune) int32 {
	if x, y := tabled(a), tabled(b); x < 256 && y < 256 {
		return int32(t[x][y])
	}
	return costSwap(a, b)
}

// tabled is where a letter stands in the table, 256 where it does not.
func tabled(r rune) uint {
	switch {
	case r < 128:
		return uint(r)
	case r >= 0x600 && r < 0x680:
		return uint(r-0x600) + 128
	}
	return 256
}

// Likeness is 1 for equal texts after folding, falling to 0 as everything differs: the distance as a share of the longer
// text.
func Likeness(a, b string) float64 { return Measure(Fold(a)).Likeness(Measure(Fold(b)), 0) }

// Likeness is the likeness of folded texts where it is more than least, and else something that is not.
func (m Measured) Likeness(o Measured, least float64) float64 {
	longest := max(m.Size(), o.Size())
	if longest == 0 {
		return 1
	}
	return max(0, 1-m.distance(o, (1-least)*longest)/longest)
}
