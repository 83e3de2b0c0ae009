package face

import (
	"math"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// cropSide is the side of the grey picture of a face on which light, blur and flatness are measured.
const cropSide = 128

// template is where the eyes, the tip of the nose and the corners of the mouth lie in that picture, in shares of its side.
func template() [5]appliance.Point {
	return [5]appliance.Point{{X: .3156, Y: .4616}, {X: .6826, Y: .4616}, {X: .5003, Y: .6405}, {X: .3495, Y: .8247}, {X: .6534, Y: .8233}}
}

// aligned returns the map from a square of the given side, in which a face lies as in a template, to the place of its
// landmarks: the rotation, scale and shift with the least squares of what remains. ok is false for landmarks that fall together.
func aligned(landmarks, ideal [5]appliance.Point, side float64) (h vision.Homography, ok bool) {
	var from, to appliance.Point
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
	h, ok := aligned(landmarks, template(), cropSide)
	return ok && vision.Warp(vision.Luma(p), v.toPicture.Mul(h), cropSide, cropSide, dst)
}

// The mean and the deviation to which each crop is brought, and the least deviation that is taken for a face's: below it there is
// only noise.
const (
	cropMean      = 127.5
	cropDeviation = 56
	leastContrast = 6
)

// equalise brings a crop to one light and contrast.
func equalise(pix []byte) {
	var table [256]byte
	mean, deviation := levels(pix)
	gain := cropDeviation / max(deviation, leastContrast)
	for v := range table {
		table[v] = byte(min(max(math.Round(cropMean+gain*(float64(v)-mean)), 0), 255))
	}
	for i, v := range pix {
		pix[i] = table[v]
	}
}
