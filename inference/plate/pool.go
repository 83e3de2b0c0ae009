package plate

import (
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt/plate"
)

const (
	// sameSign is how far apart, in the units of a sign's place, two looks may see one sign.
	sameSign = 0.1
	// sharedSign is the probability from which on a sign is one that all looks must see.
	sharedSign = 0.4
)

// pooled puts the signs of several looks at one plate together, in the place of the first: what one look takes for another letter the
// others mostly do not. ok is false where the looks do not see the same signs.
func pooled(looks []read) (together plate.Reading, ok bool) {
	signs := looks[0].shared()
	for _, l := range looks[1:] {
		left := l.shared()
		toFirst, ok := looks[0].unit().Inverse()
		if !ok || len(left) != len(signs) {
			return together, false
		}
		toFirst = toFirst.Mul(l.unit())
		for k := range signs {
			at := slices.IndexFunc(left, func(s plate.Sign) bool {
				p := toFirst.Apply(appliance.Point{X: s.X / 2, Y: s.Y})
				return math.Hypot(2*p.X-signs[k].X, p.Y-signs[k].Y) < sameSign
			})
			if at < 0 {
				return together, false
			}
			signs[k].There += left[at].There
			for c, v := range left[at].Cell {
				signs[k].Cell[c] += v
			}
			left = slices.Delete(left, at, at+1)
		}
	}
	for k := range signs {
		signs[k].There /= float64(len(looks))
		signs[k].Cell = mean(signs[k].Cell, float64(len(looks)))
	}
	return plate.Decode(signs), true
}

// shared are the signs of a look that the others must see, too.
func (g *read) shared() []plate.Sign {
	return slices.DeleteFunc(slices.Clone(g.signs), func(s plate.Sign) bool { return s.There < sharedSign })
}

// mean is the evidence of so many looks, summed, as probabilities that add up to one.
func mean(sums plate.Cell, looks float64) plate.Cell {
	total := 0.0
	for i := range sums {
		sums[i] /= looks
		total += math.Exp(sums[i])
	}
	for i := range sums {
		sums[i] -= math.Log(total)
	}
	return sums
}
