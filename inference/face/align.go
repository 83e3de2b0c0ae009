package face

import (
	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// cropSide is the side of the picture of a face that the embedder looks at.
const cropSide = 128

// template is where the eyes, the tip of the nose and the corners of the mouth lie in an aligned face, in shares of its side.
// It is the one of the network from which the embedder was distilled.
func template() [5]appliance.Point {
	return [5]appliance.Point{{X: .3156, Y: .4616}, {X: .6826, Y: .4616}, {X: .5003, Y: .6405}, {X: .3495, Y: .8247}, {X: .6534, Y: .8233}}
}

// aligned returns the map from a square of the given side, in which a face lies as in the template, to the place of its
// landmarks: the rotation, scale and shift with the least squares of what remains. ok is false for landmarks that fall together.
func aligned(landmarks [5]appliance.Point, side float64) (h vision.Homography, ok bool) {
	var from, to appliance.Point
	ideal := template()
	for i, l := range landmarks {
		from.X, from.Y = from.X+ideal[i].X*side/5, from.Y+ideal[i].Y*side/5
		to.X, to.Y = to.X+l.X/5, to.Y+l.Y/5
	}
	var along, across, spread float64
	for i, l := range landmarks {
		x, y := ideal[i].X*side-from.X, ideal[i].Y*side-from.Y
		along += x*(l.X-to.X) + y*(l.Y-to.Y)
		across += x*(l.Y-to.Y) - y*(l.X-to.X)
		spread += x*x + y*y
	}
	// The template is what is mapped, so that the fit weighs each landmark alike: a is the cosine and b the sine, scaled.
	a, b := along/spread, across/spread
	if !(a*a+b*b > 1e-12) {
		return h, false
	}
	return vision.Homography{a, -b, to.X - a*from.X + b*from.Y, b, a, to.Y - b*from.X - a*from.Y, 0, 0, 1}, true
}

// crop writes the aligned face to dst, cropSide x cropSide levels of luma; false where the landmarks are no face's.
func crop(p *appliance.Picture, v view, landmarks [5]appliance.Point, dst []byte) bool {
	h, ok := aligned(landmarks, cropSide)
	return ok && vision.Warp(vision.Luma(p), v.toPicture.Mul(h), cropSide, cropSide, dst)
}
