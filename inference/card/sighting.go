package card

import (
	"math"
	"slices"

	"github.com/bawab/bawab/inference/text"
)

// How much of a line of another look must be known for it to be the same print, and how little for it to be print that was
// overlooked: between the two it is print of which a part was seen.
const (
	samePrint  = 0.75
	otherPrint = 0.3
)

// withOverlooked adds to lines those of another look that they do not hold. Where they hold one part of such a line, that takes
// the part's place; several parts stay, since two columns may have been seen as one line. Of a line that both saw alike, the height
// and the level are the mean of what each measured.
func withOverlooked(lines, other []text.Line) []text.Line {
	known := slices.Clone(lines)
	for _, l := range other {
		covered, part, parts := 0.0, 0, 0
		for i, k := range known {
			if share := coverage(l, k); share > 0 {
				covered, part, parts = covered+share, i, parts+1
			}
		}
		switch {
		case covered < otherPrint:
			lines = append(lines, l)
		case parts == 1 && covered < samePrint && l.Height < 1.3*known[part].Height:
			lines[part] = l
		case parts == 1 && coverage(known[part], l) >= samePrint && max(l.Height, known[part].Height) < alike*min(l.Height, known[part].Height):
			lines[part] = averaged(known[part], l)
		}
	}
	return lines
}

// alike is how much higher one look may see a line than another where both saw the same.
const alike = 1.4

// averaged is a line with the mean height and level of itself and another view of it.
func averaged(l, o text.Line) text.Line {
	shift := (piece{o}.level() - piece{l}.level()) / 2
	l.Start.Y, l.End.Y, l.Height = l.Start.Y+shift, l.End.Y+shift, (l.Height+o.Height)/2
	return l
}

// coverage is the share of a line's length at which another one lies on its height.
func coverage(l, o text.Line) float64 {
	shared := min(l.End.X, o.End.X) - max(l.Start.X, o.Start.X)
	if shared <= 0 || !abreast(l, o) {
		return 0
	}
	return shared / max(l.End.X-l.Start.X, 1)
}

// abreast tells whether two lines stand on one height.
func abreast(l, o text.Line) bool {
	return math.Abs(piece{l}.level()-piece{o}.level()) <= 0.6*max(l.Height, o.Height)
}
