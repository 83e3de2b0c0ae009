package page

import (
	"context"
	"fmt"

	"github.com/bawab/bawab/inference/ink"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// Wider is the stretch led on to its left and right by so many heights at most, up to what else stands on its row: the detector overlooks
// signs that stand alone. Single signs beside it are taken in.
func (i *Ink) Wider(ctx context.Context, left, right float64) (Ink, error) {
	return i.page.ReadLine(ctx, i.wider(left, right), i.Row)
}

// Signs are the signs of the stretch, led on in the same way, from the left, as far as they can be told from each other. They are not read.
func (i *Ink) Signs(left, right float64) []ink.Extent {
	l := i.wider(left, right)
	return ink.SignsIn(i.page.plane(l), i.page.ToPicture, l)
}

// wider is the line of the stretch led on to its left and right.
func (i *Ink) wider(left, right float64) text.Line {
	l := i.Line()
	from, to := i.free(l)
	return grown(l, min(left, max(0, l.Start.X-from)/l.Height), min(right, max(0, to-l.End.X)/l.Height))
}

// grown is a line led on by so many heights at either end that is not cut.
func grown(l text.Line, left, right float64) text.Line {
	start, end, height := l.Start, l.End, l.Height/max(l.Length(), 1e-9)
	if !l.CutStart {
		l.Start = vision.Between(start, end, -left*height)
	}
	if !l.CutEnd {
		l.End = vision.Between(start, end, 1+right*height)
	}
	return l
}

// free is how far to the left and to the right of a line its row holds nothing but single signs.
func (i *Ink) free(l text.Line) (from, to float64) {
	j := i.page.judged
	to = i.page.Width
	for _, o := range i.page.Rows[i.Row] {
		if o.Length() < j.LoneSign*l.Height || o.End.X > l.Start.X && o.Start.X < l.End.X {
			continue
		}
		if o.End.X <= l.Start.X {
			from = max(from, o.End.X+j.SignRoom*l.Height)
		} else {
			to = min(to, o.Start.X-j.SignRoom*l.Height)
		}
	}
	return from, to
}

// ClosedUp reads the stretch with its signs moved together, in several heights, and returns the signs as they stand; there are no looks
// where they stand close already.
func (i *Ink) ClosedUp(ctx context.Context) (looks []*text.Reading, signs []ink.Extent, err error) {
	l := i.Line()
	closed, line, signs, ok := ink.ClosedUpIn(i.page.plane(l), i.page.ToPicture, l)
	if !ok {
		return nil, signs, nil
	}
	upright := vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}
	j := i.page.judged
	for _, factor := range [...]float64{j.ClosedUp, j.ClosedLower, j.ClosedHigher} {
		look := line
		look.Height *= factor
		r, err := i.page.words.ReadIn(ctx, closed, upright, look)
		if err != nil {
			return nil, nil, fmt.Errorf("read signs moved together: %w", err)
		}
		looks = append(looks, r)
	}
	return looks, signs, nil
}
