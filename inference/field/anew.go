package field

import (
	"context"
	"math"

	"github.com/bawab/bawab/inference/page"
)

// LogOdds are the log-odds of a share, at most about 9.
func LogOdds(share float64) float64 {
	const open = 1e-4
	return math.Log((share + open) / (1 - share + open))
}

// Anew reads the print of a value in further cuts, each for itself, and tells how many of them show another value, and by how much more
// they show this one than it shows itself, in nats: their mean.
func Anew(ctx context.Context, ink []*page.Ink, was Value, read func([]*page.Ink) (Value, error)) (others int, gain float64, err error) {
	j := ink[0].Judged()
	cuts := [...]struct{ down, higher float64 }{{0, j.AnewLower}, {j.AnewDown, 1}}
	for _, cut := range cuts {
		anew := make([]*page.Ink, len(ink))
		for n, k := range ink {
			i, err := k.Anew(ctx, cut.down, cut.higher)
			if err != nil {
				return 0, 0, err
			}
			anew[n] = &i
		}
		v, err := read(anew)
		if err != nil {
			return 0, 0, err
		}
		odds := LogOdds(v.Share)
		if v.Text != was.Text {
			others++
			odds = -max(0, odds)
		}
		gain += (odds - LogOdds(was.Share)) / float64(len(cuts))
	}
	return others, gain, nil
}
