package card

import (
	"math"

	"github.com/bawab/bawab/inference/text"
)

// otherPrint is how much of a line must lie on one of another look for it not to be print that was overlooked.
const otherPrint = 0.3

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
