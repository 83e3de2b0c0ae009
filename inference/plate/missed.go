package plate

import (
	"math"
	"slices"

	"github.com/bawab/bawab/appliance/egypt"
)

// box is where a stroke lies in a view.
type box struct{ left, top, right, bottom int }

func (b box) width() int  { return b.right - b.left + 1 }
func (b box) height() int { return b.bottom - b.top + 1 }

// missed reports whether a view shows a digit one that was not found: a stroke as high as the digits that were, narrow, on their height,
// and beside one of them. Where ones stand close to other digits the network at times finds them not.
func (k *ink) missed(digits []egypt.PlateSign) bool {
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
	high := float64(heights[len(heights)/2])
	for id, b := range k.boxes {
		if id == 0 || slices.Contains(own, int16(id)) {
			continue
		}
		const narrow, lowest, highest, aside, near = 0.45, 0.8, 1.2, 0.12, 0.6 // of the height of digits
		const rimX, barX = 0.04, 0.45                                          // between the rim and the bar in the middle
		alike := float64(b.height()) > lowest*high && float64(b.height()) < highest*high && float64(b.width()) < narrow*high
		level := math.Abs(float64(b.top+b.bottom)/2-middle) < aside*high
		beside := float64(b.left) < float64(right)+near*high && float64(b.right) > float64(left)-near*high
		x := (float64(b.left+b.right)/2/viewWidth - margin) / (1 - 2*margin) // share of the plate's width
		if alike && level && beside && x > rimX && x < barX {
			return true
		}
	}
	return false
}
