package card

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/text"
)

// surelyRead is the probability of a number or date from which on it is not looked at again.
const surelyRead = 0.98

// wellCounted is the probability that views beside a line are not worth their time above.
const wellCounted = 0.5

// readCloser reads digits again that were not surely read. Where they stand far apart, or a pattern lies under them, the
// detector takes their line for higher or longer than it is, and they get small in the recogniser's window. What the network
// sees by chance in one sampling of faint text is rarely there in the next, so the looks that agree on the likeliest count of
// digits, one of lengths, are taken together.
//
// l is the line as f read it; the line returned is the one of the best look.
func (s *sheet) readCloser(ctx context.Context, l text.Line, f figures, lengths ...int) (text.Line, figures, error) {
	best, n := merit(f, lengths)
	if best > math.Log(surelyRead) {
		return l, f, nil
	}
	all := []look{{l, f, best}}
	level, err := s.level(ctx, l)
	if err != nil {
		return l, nil, err
	}
	for _, views := range [][]text.Line{append(closer(l, f.Symbols()), higher(level, digitsHigher)), beside(l)} {
		for _, l := range views {
			f, err := s.digits(ctx, l)
			if err != nil {
				return l, nil, err
			}
			m, count := merit(f, lengths)
			if m > best {
				best, n = m, count
			}
			all = append(all, look{l, f, m})
		}
		if best > math.Log(wellCounted) {
			break
		}
	}
	slices.SortStableFunc(all, func(a, b look) int { return cmp.Compare(b.merit, a.merit) })
	agreed := joint{all[0].figures}
	for _, k := range all[1:] {
		if k.LogLength(n) > certain {
			agreed = append(agreed, k.figures)
		}
	}
	return all[0].line, agreed, nil
}

// look is one reading of digits.
type look struct {
	line text.Line
	figures
	merit float64
}

// lower is the height of a line, as a share of what the detector saw, at which digits that stand far apart lie in the strip as
// digits do that stand close (300 drawn photographs, November 2026).
const lower = 0.72

// squeezed is from how many heights of its digits on a line is longer than the recogniser's window, which squeezes it.
const squeezed = 24

// closer returns other views of a line in which signs were found: lower, and, where a view is squeezed, without what is beyond the
// signs.
func closer(l text.Line, signs []text.Symbol) []text.Line {
	low := l
	low.Height *= lower
	views := []text.Line{low}
	if len(signs) < 2 {
		return views
	}
	room := l.Height / max(l.Length(), 1)
	from, to := max(0, signs[0].Start-room), min(1, signs[len(signs)-1].End+room)
	for _, view := range []text.Line{l, low} {
		if view.Length() > squeezed*view.Height {
			views = append(views, cut(view, from, to))
		}
	}
	return views
}

// beside returns views of a line that the detector saw too low, or above or below where it is, so that the feet or the heads
// of its digits are cut off, or too short.
func beside(l text.Line) []text.Line {
	var views []text.Line
	for _, v := range []struct{ height, down, left float64 }{{1.35, 0, 0}, {1.15, 0.25, 0}, {1.15, -0.25, 0}, {1.15, 0, 3}} {
		view := l
		view.Start = along(l.Start, l.End, max(0, l.Start.X-v.left*l.Height))
		view.Start.Y += v.down * l.Height
		view.End.Y += v.down * l.Height
		view.Height *= v.height
		views = append(views, view)
	}
	return views
}

// digitsHigher is how much higher than by their base line digits are cut, as the detector mostly sees those that are surely read.
const digitsHigher = 1.12

// merit is the log-probability of the likeliest digits of one of several lengths, and that length.
func merit(f figures, lengths []int) (best float64, n int) {
	return text.Likeliest(lengths, f.LogLength, f.Cells)
}

// joint is several readings of the same digits, the best first, which stands for the signs.
type joint []figures

// Text returns the signs of the best look.
func (k joint) Text() string { return k[0].Text() }

// Symbols returns the signs of the best look.
func (k joint) Symbols() []text.Symbol { return k[0].Symbols() }

// LogLength returns the mean log-probability of n digits.
func (k joint) LogLength(n int) float64 {
	return k.mean(func(f figures) float64 { return f.LogLength(n) })
}

// Score returns the mean log-probability of these digits.
func (k joint) Score(digits string) float64 {
	return k.mean(func(f figures) float64 { return f.Score(digits) })
}

func (k joint) mean(of func(figures) float64) float64 {
	sum := 0.0
	for _, f := range k {
		sum += of(f)
	}
	return sum / float64(len(k))
}

// Cells returns the mean log-probabilities of the digits at each position, brought to a sum of one.
func (k joint) Cells(n int) []egypt.Cell {
	looks := make([][]egypt.Cell, len(k))
	for i, f := range k {
		looks[i] = f.Cells(n)
	}
	return text.MeanCells(looks)
}
