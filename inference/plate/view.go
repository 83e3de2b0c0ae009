package plate

import (
	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// The tensors of the "plates" network: a grey view of a plate in; out, for each cell of 4 x 4 input pixels, the logit that a
// sign's middle lies there and those of the classes of plate.Cell.
const (
	viewWidth, viewHeight = 192, 96
	cell                  = 4
	columns, rows         = viewWidth / cell, viewHeight / cell
	classes               = 27
	channels              = 1 + classes
)

// margin is the part of the view's width and height that lies beyond the plate on every side, so that an outline that
// is a little too small cuts nothing off. Training has the same.
const margin = 0.05

// onPlate maps a view to the plate's unit square, where (0, 0) is its top left corner and (1, 1) its bottom right one.
func onPlate() vision.Homography {
	w, h := viewWidth*(1-2*margin), viewHeight*(1-2*margin)
	return vision.Homography{1 / w, 0, -margin * viewWidth / w, 0, 1 / h, -margin * viewHeight / h, 0, 0, 1}
}

// onPicture maps a view of the plate that q outlines to the picture; false where q outlines nothing.
func onPicture(q appliance.Quad) (vision.Homography, bool) {
	h, ok := vision.RectToQuad(1, 1, q)
	return h.Mul(onPlate()), ok
}

// How the grey levels of a view are drawn apart: these shares of its pixels become black and white, but levels that
// lie closer than leastSpan only as far as if they lay that far apart, lest noise become text. As in training
// (plate_data.stretch).
const (
	darkShare, lightShare = 0.02, 0.98
	leastSpan             = 64
)

// stretch draws the levels of a view apart, and writes it as the network's input.
func stretch(view []byte, in []int8) {
	var counts [256]int
	for _, v := range view {
		counts[v]++
	}
	level := func(share float64) int {
		left := int(share * float64(len(view)-1))
		for v, n := range counts {
			if left -= n; left < 0 {
				return v
			}
		}
		return 255
	}
	low, high := level(darkShare), level(lightShare)
	gain := 255 / float64(max(high-low, leastSpan))
	var table [256]int8
	for v := range table {
		table[v] = int8(int(max(0, min(float64(v-low)*gain, 255))) - 128)
	}
	for i, v := range view {
		in[i] = table[v]
	}
}
