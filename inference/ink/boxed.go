package ink

import (
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// WithoutBoxes is a picture without the boxes around the signs of a dark line, or the teeth between them, as forms print them for numbers.
// It is not ok where the line has none. h maps the line to the picture.
func WithoutBoxes(p vision.Plane, h vision.Homography, l text.Line) (out vision.Plane, ok bool) {
	if l.Light {
		return p, false
	}
	s, ok := rowBeside(p, h, l)
	if !ok {
		return p, false
	}
	boxes, signs := s.boxes()
	if signs < fewestSpread || !s.oneByOne(boxes, signs) {
		return p, false
	}
	out = p
	out.Pix = slices.Clone(p.Pix)
	fromCrop, _, _ := cropOf(l)
	s.paintOver(out, h.Mul(fromCrop), boxes)
	return out, true
}

// oneByOne reports whether boxes stand about signs one by one, with as many sides as signs or more: a frame about words has two.
func (s Spread) oneByOne(boxes []int, signs int) bool {
	sides := 0
	for _, i := range boxes {
		sides += s.sides(i)
	}
	return sides >= signs
}

// sides is how many upright strokes a frame has.
func (s Spread) sides(piece int) (n int) {
	const share = 0.7 // of its height
	f, within := s.ink[piece], false
	for x := f.left; x < f.right; x++ {
		ink := 0
		for y := f.top; y < f.bottom; y++ {
			if s.of[y*s.plane.Width+x] == int32(piece) {
				ink++
			}
		}
		upright := float64(ink) >= share*float64(f.bottom-f.top)
		if upright && !within {
			n++
		}
		within = upright
	}
	return n
}

// paintOver paints pieces, and the grey around their strokes, in the tone of the paper near them. toPicture maps the row to the picture.
func (s Spread) paintOver(p vision.Plane, toPicture vision.Homography, pieces []int) {
	toRow, ok := toPicture.Inverse()
	if !ok {
		return
	}
	paper := s.paper()
	for _, i := range pieces {
		f := s.ink[i]
		q := toPicture.ApplyQuad(vision.RectQuad(float64(f.left)-1, float64(f.top)-1, float64(f.right)+1, float64(f.bottom)+1))
		left, top, right, bottom := vision.Bounds(q[:]...)
		for y := max(0, int(top)); y < min(p.Height, int(bottom)+1); y++ {
			for x := max(0, int(left)); x < min(p.Width, int(right)+1); x++ {
				at := toRow.Apply(appliance.Point{X: float64(x), Y: float64(y)})
				if s.near(int32(i), int(math.Round(at.X)), int(math.Round(at.Y))) {
					p.Pix[y*p.Stride+x] = paper[min(max(int(at.X), 0), len(paper)-1)]
				}
			}
		}
	}
}

// near reports whether a sample belongs to a piece or to no other one beside it.
func (s Spread) near(piece int32, x, y int) bool {
	const around = 2 // samples
	w, h := s.plane.Width, s.plane.Height
	if x < 0 || y < 0 || x >= w || y >= h || s.of[y*w+x] >= 0 && s.of[y*w+x] != piece {
		return false
	}
	for ny := max(y-around, 0); ny <= min(y+around, h-1); ny++ {
		for nx := max(x-around, 0); nx <= min(x+around, w-1); nx++ {
			if s.of[ny*w+nx] == piece {
				return true
			}
		}
	}
	return false
}

// paper is the mean tone of the paper in each column and those about it.
func (s Spread) paper() []byte {
	const around = 24 // columns
	w, h := s.plane.Width, s.plane.Height
	sum, count := make([]int, w+1), make([]int, w+1)
	for x := range w {
		sum[x+1], count[x+1] = sum[x], count[x]
		for y := range h {
			if s.of[y*w+x] < 0 {
				sum[x+1] += int(s.plane.Pix[y*s.plane.Stride+x])
				count[x+1]++
			}
		}
	}
	out := make([]byte, w)
	for x := range out {
		from, to := max(0, x-around), min(w, x+around+1)
		out[x] = byte((sum[to] - sum[from]) / max(1, count[to]-count[from]))
	}
	return out
}
