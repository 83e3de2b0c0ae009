package face

import (
	"bytes"
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// samePixels tells whether two pictures are equal, sample for sample.
func samePixels(a, b *appliance.Picture) bool {
	return a.Width == b.Width && a.Height == b.Height && bytes.Equal(a.Y, b.Y) && bytes.Equal(a.Cb, b.Cb) && bytes.Equal(a.Cr, b.Cr)
}

const (
	likeCell = 16 // samples a side of the cells in which frames are held against each other
	// leastCells is how many cells two frames must both show.
	leastCells = 12
	bands      = 4
)

// still is a frame with its thumb.
type still struct {
	*appliance.Picture
	thumb *thumb
}

func newStill(p *appliance.Picture) *still { return &still{p, newThumb(p)} }

// likeness is how much two frames resemble each other after one was laid over the other. Two frames of a camera differ in the
// grain of the noise and where anything moved; a copy differs by what its coding lost, all over and most in the fine detail.
type likeness struct {
	// unlike holds for each band of detail, fine to coarse, the logarithm of one minus the correlation of the cells: of the
	// worst tenth, the worst quarter and the median.
	unlike [bands][3]float64
	// energy is by how much the detail of one is stronger than that of the other, in the logarithm, for each band.
	energy [bands]float64
	// shared is, for each band, the median over the cells of what the detail of both has in common, as a share of that of the
	// weaker one: of a copy that lost detail it is near 1, of two frames with noise of their own below.
	shared [bands][2]float64
	// apart is the logarithm of by how many levels they differ, in each band: in the calmest quarter of the cells, the median
	// and the liveliest tenth.
	apart [bands][3]float64
	// light is by how much their contrast differs, in the logarithm.
	light float64
	ok    bool // false: they show too little of the same
}

// compareFrames lays b over a and compares them at the resolution of the coarser one, where the grain of a camera's noise shows.
func compareFrames(a, b *still) (whole, l likeness) {
	rough := register(a.thumb, b.thumb)
	finest := len(a.thumb.levels) - 1
	over, shown := rough.placed(b.thumb.levels[finest])
	if whole = compareFields(a.thumb.levels[finest], over, shown, rough.gain); !whole.ok || whole.unlike[2][2] > cannotBeSame {
		return whole, likeness{}
	}
	wa, wb := closeUps(a, b, rough)
	p := placing{sx: 1, sy: 1, gain: rough.gain, offset: rough.offset}
	for range 4 {
		if p.step(wa, wb) < 2e-5 {
			break
		}
	}
	over, shown = p.placed(wb)
	return whole, compareFields(wa, over, shown, p.gain)
}

// cannotBeSame is the logarithm of one minus the correlation of coarse detail from which frames need no closer look: the worst
// copies stay well below.
const cannotBeSame = -2.5

// closeSide is the side of the middle part that is compared closely, in samples.
const closeSide = 192

// closeUps cuts the same part of both out, at the resolution of the coarser one.
func closeUps(a, b *still, p placing) (wa, wb field) {
	// Half a width of a is sx times half a width of b.
	pixels := min(float64(a.Width), float64(b.Width)/p.sx)
	lines := min(float64(a.Height), float64(b.Height)/p.sy)
	u, v := min(closeSide/pixels, 0.92), min(closeSide/lines, 0.92)
	wa = a.cutTo(closeSide, 0, 0, u, v)
	wb = b.cutTo(closeSide, p.dx, p.dy, u*p.sx, v*p.sy)
	return wa, wb
}

// cutTo stretches the part of a picture around (x, y), in coordinates from -1 to 1, that reaches u and v to the sides, to a
// square. Beyond the picture its border goes on.
func (s *still) cutTo(side int, x, y, u, v float64) field {
	w, h := float64(s.Width)/2, float64(s.Height)/2
	kx, ky := 2*u*w/float64(side), 2*v*h/float64(side)
	pix := make([]byte, side*side)
	vision.Warp(vision.Luma(s.Picture), vision.Homography{kx, 0, (x - u + 1) * w, 0, ky, (y - v + 1) * h, 0, 0, 1}, side, side, pix)
	f := field{side, make([]float32, len(pix))}
	for i, v := range pix {
		f.pix[i] = float32(v)
	}
	return f
}

// compareFields compares two squares that lie over each other; gain is that of the light.
func compareFields(a, b field, shown []bool, gain float64) (l likeness) {
	da, db := detail(a), detail(b)
	var cells, common, left [bands][]float64
	var ea, eb [bands]float64
	for cy := range a.side / likeCell {
		for cx := range a.side / likeCell {
			if !cellShown(shown, a.side, cx, cy) {
				continue
			}
			for k := range bands {
				aa, bb, ab := products(da[k], db[k], cx, cy)
				cells[k] = append(cells[k], ab/math.Sqrt((aa+0.5)*(bb+0.5)))
				common[k] = append(common[k], ab/(min(aa, bb)+0.5))
				left[k] = append(left[k], math.Log(max(aa+bb-2*ab, 0)/(likeCell*likeCell)+0.01)/2)
				ea[k], eb[k] = ea[k]+aa, eb[k]+bb
			}
		}
	}
	if len(cells[0]) < leastCells {
		return l
	}
	for k := range bands {
		slices.Sort(cells[k])
		n := len(cells[k])
		for q, at := range [3]int{n / 10, n / 4, n / 2} {
			l.unlike[k][q] = math.Log(1 - min(cells[k][at], 1) + 1e-4)
		}
		slices.Sort(common[k])
		slices.Sort(left[k])
		l.apart[k] = [3]float64{left[k][n/4], left[k][n/2], left[k][n-1-n/10]}
		l.shared[k] = [2]float64{common[k][n/4], common[k][n/2]}
		l.energy[k] = math.Abs(math.Log((ea[k] + 1) / (eb[k] + 1)))
	}
	l.light, l.ok = math.Abs(math.Log(min(max(gain, 0.05), 20))), true
	return l
}

// detail parts a field into bands, fine to coarse.
func detail(f field) (out [bands]field) {
	for k := range bands {
		smooth := f.smoothed(1 << k)
		out[k] = field{f.side, make([]float32, len(f.pix))}
		for i, v := range smooth.pix {
			out[k].pix[i] = f.pix[i] - v
		}
		f = smooth
	}
	return out
}

func cellShown(shown []bool, side, cx, cy int) bool {
	for y := cy * likeCell; y < (cy+1)*likeCell; y++ {
		if slices.Contains(shown[y*side+cx*likeCell:][:likeCell], false) {
			return false
		}
	}
	return true
}

// products sums the squares and the products of two fields over a cell.
func products(a, b field, cx, cy int) (aa, bb, ab float64) {
	for y := cy * likeCell; y < (cy+1)*likeCell; y++ {
		at := y*a.side + cx*likeCell
		for i, v := range a.pix[at : at+likeCell] {
			w := b.pix[at+i]
			aa, bb, ab = aa+float64(v*v), bb+float64(w*w), ab+float64(v*w)
		}
	}
	return aa, bb, ab
}

// samePicture is the probability from which two frames count as one picture.
const samePicture = 0.5

// copyProbability is how likely one of two frames is a copy of the other.
//
// The weights were fitted in November 2026 to 1,705 pairs of consecutive real frames of 9 persons (crops of 200 pixels around the
// face, many of somebody who hardly moves), 600 pairs of drawn frames of 360 to 640 pixels that differ by the noise of the camera
// and by up to 1.2 pixels of motion, and as many copies: coded anew at qualities from 50 to 95 and most of them also resized by 0.6 to
// 1.5, 20 % lighter or darker, cropped by up to 5 % a side, or all of it, some on both sides. At a probability of 0.5 about 4 in
// 2,305 real pairs pass for copies; a quarter of the copies, mostly of low quality, pass for frames. What a copy that is coded so
// badly has lost is just what told it from another frame: it is for the network that tells attacks to refuse.
func copyProbability(a, b *still) float64 {
	whole, near := compareFrames(a, b)
	if !near.ok {
		return 0
	}
	odds := -118.48
	for _, f := range [...]struct{ value, weight, low, high float64 }{
		{whole.unlike[0][1], 1.6498, -5.058, -0.032},
		{whole.apart[0][0], 5.3346, -1.163, 1.33},
		{whole.apart[1][1], -1.4131, -2.031, 1.767},
		{whole.apart[1][2], -1.4195, -1.908, 2.687},
		{whole.unlike[2][2], -1.9421, -9.018, -2.829},
		{whole.apart[2][2], -3.2009, -2.179, 2.808},
		{whole.energy[3], -51.323, 0, 0.259},
		{whole.apart[3][1], 2.9389, -2.287, 1.42},
		{whole.apart[3][2], 1.5742, -2.263, 2.798},
		{near.apart[0][1], -3.4321, -0.841, 1.672},
		{near.apart[0][2], 2.6416, -0.47, 2.695},
		{near.apart[1][2], 2.8029, -1.686, 2.688},
		{near.unlike[2][2], -2.6693, -8.7, -1.845},
		{near.shared[2][1], 99.6194, 0.968, 1.122},
		{near.apart[2][1], -5.1083, -2.206, 1.555},
		{near.apart[2][2], -3.4267, -2.107, 2.692},
		{near.unlike[3][2], 1.6971, -9.057, -3.352},
		{near.apart[3][1], 3.1963, -2.274, 1.42},
		{near.light, 45.8193, 0, 0.224},
	} {
		odds += f.weight * min(max(f.value, f.low), f.high) // what lies beyond the fitted range says no more than its end
	}
	return logistic(odds)
}
