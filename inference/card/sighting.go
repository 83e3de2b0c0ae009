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
// the part's place; several parts stay, since two columns may have been seen as one line.
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
		}
	}
	return lines
}

// coverage is the share of a line's length at which another one lies on its height.
func coverage(l, o text.Line) float64 {
	shared := min(l.End.X, o.End.X) - max(l.Start.X, o.Start.X)
	apart := math.Abs(piece{l}.level() - piece{o}.level())
	if shared <= 0 || apart > 0.6*max(l.Height, o.Height) {
		return 0
	}
	return shared / max(l.End.X-l.Start.X, 1)
}
