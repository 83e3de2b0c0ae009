package vision

import (
	"image"
	"image/color"
	"math"

	"gocv.io/x/gocv"

	"github.com/bawab/bawab/appliance"
)

// maxDecimation is how many source samples one step of the interpolation may jump over. Bilinear interpolation looks
// at two neighbours, so that fine text begins to alias beyond this.
const maxDecimation = 1.5

// maxOversampling bounds the extra samples a side where a strong perspective would ask for more of them.
const maxOversampling = 8

// maxWarped is the most samples a side, of the source and of the destination, with which OpenCV warps: it counts them in
// 16 bits, and its exception for more cannot be caught in Go.
const maxWarped = math.MaxInt16 - 1

// warpPlan says how a Warp keeps from aliasing: the source is first shrunk, no further than its sharpest part in the
// result allows, then sampled at (kx, ky) times the wanted density where one direction shrinks far more than the other,
// then averaged.
type warpPlan struct {
	roi      image.Rectangle // what is touched of the source
	halvings int
	size     image.Point // of the shrunk roi
	kx, ky   int
	method   gocv.InterpolationFlags
}

// Warp samples src through h, which maps the w x hgt destination to src, and writes w*hgt bytes to dst. Beyond the edges
// of src its outermost samples continue. Only the part of src that is needed is read.
//
// Shrinking averages what falls together, so that it does not alias; enlarging is bicubic, because it keeps the edges
// of strokes that bilinear interpolation would smear over the new samples.
//
// It returns false, and dst is zero, when the horizon of h crosses the destination: then h is no photograph of it. The
// same goes for more samples a side than OpenCV takes, which would end the process.
func Warp(src Plane, h Homography, w, hgt int, dst []byte) bool {
	dst = dst[:w*hgt]
	plan, ok := planWarp(src, h, w, hgt)
	if !ok {
		clear(dst)
		return false
	}
	var b bench
	defer b.close()
	from := b.shrink(b.plane(src, plan.roi), plan.halvings, plan.size)
	to := b.plane(Plane{Pix: dst, Width: w, Height: hgt, Stride: w}, image.Rect(0, 0, w, hgt))
	m := b.homography(plan.matrix(h))
	flags := plan.method | gocv.WarpInverseMap
	if plan.kx == 1 && plan.ky == 1 {
		gocv.WarpPerspectiveWithParams(from, &to, m, image.Pt(w, hgt), flags, gocv.BorderReplicate, color.RGBA{})
		return true
	}
	dense := b.empty()
	size := image.Pt(w*plan.kx, hgt*plan.ky)
	gocv.WarpPerspectiveWithParams(from, &dense, m, size, flags, gocv.BorderReplicate, color.RGBA{})
	gocv.Resize(dense, &to, image.Pt(w, hgt), 0, 0, gocv.InterpolationArea)
	return true
}

// matrix returns h between the dense destination and the shrunk region, in OpenCV's coordinates, whose first sample
// has its centre at (0, 0).
func (p warpPlan) matrix(h Homography) Homography {
	fx, fy := float64(p.size.X)/float64(p.roi.Dx()), float64(p.size.Y)/float64(p.roi.Dy())
	h = scaling(fx, fy).Mul(translation(-float64(p.roi.Min.X), -float64(p.roi.Min.Y))).Mul(h)
	h = h.Mul(scaling(1/float64(p.kx), 1/float64(p.ky)))
	return translation(-0.5, -0.5).Mul(h).Mul(translation(0.5, 0.5))
}

// planWarp looks at the four corners and the centre of the destination: h is extreme at a corner in all that counts.
func planWarp(src Plane, h Homography, w, hgt int) (warpPlan, bool) {
	x, y := float64(w), float64(hgt)
	box := [2]appliance.Point{{X: math.Inf(1), Y: math.Inf(1)}, {X: math.Inf(-1), Y: math.Inf(-1)}}
	least, alongX, alongY, sign := math.Inf(1), 0.0, 0.0, 0.0
	for _, c := range [5]appliance.Point{{}, {X: x}, {X: x, Y: y}, {Y: y}, {X: x / 2, Y: y / 2}} {
		d := h[6]*c.X + h[7]*c.Y + h[8]
		if sign == 0 {
			sign = math.Copysign(1, d)
		}
		p := h.Apply(c)
		if !(d*sign > 0) || !(math.Abs(p.X) < 1e9) || !(math.Abs(p.Y) < 1e9) {
			return warpPlan{}, false
		}
		box[0] = appliance.Point{X: min(box[0].X, p.X), Y: min(box[0].Y, p.Y)}
		box[1] = appliance.Point{X: max(box[1].X, p.X), Y: max(box[1].Y, p.Y)}
		dx, dy := h.jacobian(c)
		least = min(least, leastStretch(dx, dy))
		alongX, alongY = max(alongX, math.Hypot(dx.X, dx.Y)), max(alongY, math.Hypot(dy.X, dy.Y))
	}
	plan := warpPlan{method: gocv.InterpolationLinear}
	if max(alongX, alongY) < 1 {
		plan.method = gocv.InterpolationCubic
	}
	halvings, rest := shrinkage(least, max(alongX, alongY))
	shrink := math.Ldexp(rest, halvings)
	plan.halvings = halvings
	plan.kx, plan.ky = oversampling(alongX/shrink), oversampling(alongY/shrink)
	plan.roi.Min.X, plan.roi.Max.X = reach(box[0].X, box[1].X, 1<<halvings, src.Width)
	plan.roi.Min.Y, plan.roi.Max.Y = reach(box[0].Y, box[1].Y, 1<<halvings, src.Height)
	plan.size.X = max(1, int(math.Round(float64(plan.roi.Dx())/shrink)))
	plan.size.Y = max(1, int(math.Round(float64(plan.roi.Dy())/shrink)))
	return plan, max(plan.size.X, plan.size.Y, w*plan.kx, hgt*plan.ky) <= maxWarped
}

// shrinkage returns by how much the source is shrunk first, as halvings and a factor for the rest: enough to bring the
// greatest decimation down to maxDecimation, but never more than the least one, which would cost detail.
func shrinkage(least, greatest float64) (halvings int, rest float64) {
	for least >= 2 && greatest > maxDecimation {
		least, greatest, halvings = least/2, greatest/2, halvings+1
	}
	return halvings, max(1, min(least, greatest/maxDecimation))
}

// oversampling returns how many samples a side stand for one of the destination: none more than that as long as
// neighbours of the interpolation meet, else one for each sample of the source.
func oversampling(decimation float64) int {
	if decimation <= maxDecimation {
		return 1
	}
	return min(maxOversampling, int(math.Ceil(decimation)))
}

// reach returns the samples from..to of a source line of n that cover lo..hi with the neighbours that interpolation
// looks at after shrinking; at least one sample, also for a place outside. The length is a multiple of step wherever
// the line is that long.
func reach(lo, hi float64, step, n int) (from, to int) {
	margin := float64(6 * step)
	from = max(0, min(n-1, int(math.Floor(lo-margin))))
	to = max(from+1, min(n, int(math.Ceil(hi+margin))))
	if to-from < step {
		return max(0, min(from, n-step)), min(n, max(from, 0)+step)
	}
	return from, to - (to-from)%step
}

// leastStretch is the smaller singular value of the matrix with the columns a and b.
func leastStretch(a, b appliance.Point) float64 {
	sum := a.X*a.X + a.Y*a.Y + b.X*b.X + b.Y*b.Y
	det := a.X*b.Y - a.Y*b.X
	root := math.Sqrt(max(0, sum*sum/4-det*det))
	return math.Sqrt(max(0, sum/2-root))
}
