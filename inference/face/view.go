package face

import (
	"math"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// view is how the square of a look lies in a picture; it may be turned, or lie on a document in perspective.
type view struct {
	toPicture vision.Homography
}

// wholeView is the whole picture, as large as a square of the given side takes it, in its upper left.
func wholeView(p *appliance.Picture, side float64) view {
	k := float64(max(p.Width, p.Height)) / side
	return view{toPicture: vision.Homography{k, 0, 0, 0, k, 0, 0, 0, 1}}
}

// squareView is a square of the picture, by its middle, its side in pixels and its turn clockwise in radians, as a square of side in.
func squareView(middle appliance.Point, side, turn, in float64) view {
	sin, cos := math.Sincos(turn)
	k := side / in
	a, b := k*cos, k*sin
	return view{toPicture: vision.Homography{a, -b, middle.X - (a-b)*in/2, b, a, middle.Y - (a+b)*in/2, 0, 0, 1}}
}

// within returns the view of a square of another view's square, given there.
func (v view) within(middle appliance.Point, side, turn, in float64) view {
	return view{toPicture: v.toPicture.Mul(squareView(middle, side, turn, in).toPicture)}
}

// turned returns the view turned by 90 degrees clockwise within its square of the given side: what lay on its side stands upright or on
// its head.
func (v view) turned(side float64) view {
	return view{toPicture: v.toPicture.Mul(vision.Homography{0, -1, side, 1, 0, 0, 0, 0, 1})}
}
