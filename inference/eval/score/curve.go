package score

import (
	"cmp"
	"slices"
)

// Parting returns the area under the curve of attacks against genuine scores, and the error rate at the threshold at
// which both kinds of error are nearest to each other (their mean); zeros without either.
func Parting(genuine, attacks []float64) (auc, eer float64) {
	if len(genuine) == 0 || len(attacks) == 0 {
		return 0, 0
	}
	slices.Sort(genuine)
	slices.Sort(attacks)
	below := func(sorted []float64, x float64) float64 {
		at, _ := slices.BinarySearchFunc(sorted, x, func(v, x float64) int { return cmp.Compare(v, x) })
		return float64(at)
	}
	notAbove := func(sorted []float64, x float64) float64 {
		at, _ := slices.BinarySearchFunc(sorted, x, func(v, x float64) int {
			if v <= x {
				return -1
			}
			return 1
		})
		return float64(at)
	}
	gap := 2.0
	for _, x := range append(slices.Clone(attacks), genuine...) {
		missed := below(attacks, x) / float64(len(attacks))
		refused := 1 - below(genuine, x)/float64(len(genuine))
		if d := max(missed-refused, refused-missed); d < gap {
			gap, eer = d, (missed+refused)/2
		}
	}
	for _, x := range attacks {
		auc += (below(genuine, x) + notAbove(genuine, x)) / 2
	}
	return auc / float64(len(attacks)*len(genuine)), eer
}

// Accepted is the other side of a share of errors.
func Accepted(errors Share) (s Share) {
	s.Count(errors.Of-errors.OK, errors.Of)
	return s
}
