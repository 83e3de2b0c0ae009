package card

import (
	"math"

	"github.com/bawab/bawab/inference/text"
)

// How much of a line of another look must be known for it to be the same print, and how little for it to be print that was
// overlooked: between the two it is print of which a part was seen.
const (
	samePrint  = 0.75
	otherPrint = 0.3
)

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
