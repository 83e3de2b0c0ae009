package plate

import (
	"math"
	"slices"

	"github.com/bawab/bawab/appliance/egypt/plate"
)

// box is where a stroke lies in a view.
type box struct{ left, top, right, bottom int }

func (b box) width() int  { return b.right - b.left + 1 }
func (b box) height() int { return b.bottom - b.top + 1 }

// missed reports whether a view shows a digit one that was not found: a stroke as high as the digits that were, narrow, on their height,
// and beside one of them. Where ones stand close to other digits the network at times finds them not.
func (k *ink) missed(digits []plate.Sign) bool {
	var own []int16
	var heights []int
	left, right, middle := math.MaxInt, 0, 0.0
	for _, s := range digits {
		id := k.at(s)
		if id == 0 || slices.Contains(own, id) {
			return false // digits that touch tell nothing
		}
		b := k.boxes[id]
		own, heights = append(own, id), append(heights, b.height())
		left, right = min(left, b.left), max(right, b.right)
		middle += float64(b.top+b.bottom) / 2 / float64(len(digits))
	}
	if len(own) == 0 {
		return false
	}
	slices.Sort(heights)
	row := digitRow{left: float64(left), right: float64(right), middle: middle, high: float64(heights[len(heights)/2])}
	for id, b := range k.boxes {
		if id != 0 && !slices.Contains(own, int16(id)) && row.fits(b) {
			return true
		}
	}
	return false
}

// digitRow is where the digits of a view stand: from its left to its right, with the middle on a height, and how high they are.
type digitRow struct{ left, right, middle, high float64 }

// fits reports whether a stroke may be a digit one of the row.
func (r digitRow) fits(b box) bool {
	const narrow, lowest, highest, aside, near = 0.45, 0.8, 1.2, 0.12, 0.6 // of the height of digits
	const rimX, barX = 0.04, 0.45                                          // between the rim and the bar in the middle
	high, x := float64(b.height()), (float64(b.left+b.right)/2/viewWidth-margin)/(1-2*margin)
	alike := high > lowest*r.high && high < highest*r.high && float64(b.width()) < narrow*r.high
	level := math.Abs(float64(b.top+b.bottom)/2-r.middle) < aside*r.high
	beside := float64(b.left) < r.right+near*r.high && float64(b.right) > r.left-near*r.high
	return alike && level && beside && x > rimX && x < barX
}
