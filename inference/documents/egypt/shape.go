package egypt

import (
	"cmp"
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance/egypt/plate"
	"github.com/bawab/bawab/inference/ink"
)

//go:embed shapes.txt
var shapesText string

// shape is how high the upper and the lower edge of a letter stand over the lower edge of the digits beside it, and how wide it is, in
// heights of a digit: the median and the spread over faces.
type shape struct{ top, bottom, width [2]float64 }

// shapes are those of the letters of plates, in the forms in which each is printed. Faces differ in their strokes, not in where these
// stand: a reader that knows no letter standing alone takes ر for ل and د for ه, of which the first are low and the last stand on the
// line.
type shapes map[rune][]shape

// plateShapes reads those that are known.
func plateShapes() shapes {
	out := shapes{}
	for line := range strings.Lines(shapesText) {
		var letter string
		var s shape
		if strings.HasPrefix(line, "#") {
			continue
		}
		n, err := fmt.Sscan(line, &letter, &s.top[0], &s.top[1], &s.bottom[0], &s.bottom[1], &s.width[0], &s.width[1])
		if err != nil || n != 7 {
			panic("shapes.txt: " + line)
		}
		out[[]rune(letter)[0]] = append(out[[]rune(letter)[0]], s)
	}
	return out
}

// How far a letter may be from its shape before that speaks against it, and how much it does at most, in nats; more or fewer signs than a
// plate has speak less against it, since two may touch and a stain may be taken for one. measured is what a strip of few samples adds to
// the spread. A strip may rise by tilt heights for each.
const usual, mostAgainst, miscounted, measured, tilt = 1.5, 6.0, 2.0, 0.06, 0.05

// digit is the shape of digits, whose width tells nothing.
func digit() shape { return shape{top: [2]float64{1, 0.04}, bottom: [2]float64{0, 0.02}} }

// like is how much some signs of a row, from the left, are like those of a plate in the places where it has them, 0 to 1. Its number stands
// left or right of its letters. Letters of an unknown face may be like none: that speaks no more against a plate of as many signs than
// another count of signs does, of which no shape is looked at. Else a plate of which a sign was left out would be the likelier.
func (s shapes) like(signs []ink.Extent, p plate.Plate) float64 {
	n := len(p.Number)
	if len(signs) != n+len(p.Letters) || n == 0 {
		return math.Exp(-miscounted)
	}
	least := min(s.against(signs[:n], signs[n:], p.Letters), s.against(signs[len(signs)-n:], signs[:len(signs)-n], p.Letters))
	return math.Exp(-min(least, miscounted))
}

// against is what the extents of letters, from the left, say against them, in nats, where those of digits stand beside them.
func (s shapes) against(digits, letters []ink.Extent, said []rune) (sum float64) {
	var l level
	high := highOf(digits)
	for _, d := range digits {
		l.add(d, high, digit())
	}
	forms := make([]shape, len(letters))
	for i, e := range letters {
		forms[i] = slices.MinFunc(s[said[len(said)-1-i]], func(a, b shape) int {
			return cmp.Compare(l.off(e, high, a), l.off(e, high, b))
		})
	}
	for i, e := range letters {
		l.add(e, high, forms[i])
	}
	for i, e := range letters {
		sum += max(0, min(mostAgainst, l.off(e, high, forms[i])-usual))
	}
	return sum
}

// highOf is the median height of signs.
func highOf(signs []ink.Extent) float64 {
	high := make([]int, len(signs))
	for i, s := range signs {
		high[i] = s.Bottom - s.Top
	}
	slices.Sort(high)
	return float64(max(1, high[len(high)/2]))
}

// level is the line on which the digits of a row stand, fitted to what stands on it by least squares: sums of the weights, the places and
// the heights that each edge of a sign gives it.
type level struct{ n, x, y, xx, xy float64 }

// add has a sign of a shape count.
func (l *level) add(e ink.Extent, high float64, s shape) {
	x := float64(e.Left+e.Right) / 2 / high
	for _, edge := range [2]struct {
		at int
		is [2]float64
	}{{e.Top, s.top}, {e.Bottom, s.bottom}} {
		w := 1 / (edge.is[1]*edge.is[1] + measured*measured)
		y := -float64(edge.at)/high - edge.is[0]
		l.n, l.x, l.y, l.xx, l.xy = l.n+w, l.x+w*x, l.y+w*y, l.xx+w*x*x, l.xy+w*x*y
	}
}

// at is the height of the line at a place.
func (l *level) at(x float64) float64 {
	slope := (l.xy - l.x*l.y/l.n) / (l.xx - l.x*l.x/l.n + 1/(tilt*tilt))
	return (l.y + slope*(l.n*x-l.x)) / l.n
}

// off is half the sum of the squares of how many spreads the measures of a sign are from a shape.
func (l *level) off(e ink.Extent, high float64, s shape) float64 {
	line := l.at(float64(e.Left+e.Right) / 2 / high)
	square := func(of [2]float64, is float64) float64 {
		return (is - of[0]) * (is - of[0]) / (of[1]*of[1] + measured*measured)
	}
	return (square(s.top, -float64(e.Top)/high-line) + square(s.bottom, -float64(e.Bottom)/high-line) +
		square(s.width, float64(e.Right-e.Left)/high)) / 2
}
