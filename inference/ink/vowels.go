package ink

import (
	"math"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// The crop of a line whose vowel signs are painted over: samples for a glyph's height, of which a sign's stroke has some, and heights above
// and below.
const (
	vowelHeight = 40
	vowelRoom   = 0.9
)

// Unvowelled returns a line on paper of its own without its vowel signs, and where it lies there; h maps the line to the plane. It is
// false where none was found. A vowel sign is a small piece of ink above or below the letters that a thin stroke draws: a dot, or some
// that touch each other, is as thick as it is high. The hamza goes with them.
func Unvowelled(p vision.Plane, h vision.Homography, l text.Line) (vision.Plane, text.Line, bool) {
	ink, at, ok := inkAround(p, h, l)
	if !ok {
		return vision.Plane{}, l, false
	}
	// Letters on the line reach above its foot by more than marks below it do, and less far up than those above.
	const high, wide, above, below = 0.6 * vowelHeight, 0.8 * vowelHeight, 0.25 * vowelHeight, 0.02 * vowelHeight
	_, base := baseLine(ink.rows())
	found := false
	all, of := ink.pieces()
	for i, s := range all {
		if float64(s.bottom-s.top) > high || float64(s.right-s.left) > wide || s.area < speck ||
			float64(s.bottom) > float64(base)-above && float64(s.top) < float64(base)+below {
			continue
		}
		if ink.thin(of, int32(i), s) {
			ink.paintOver(of, int32(i), s)
			found = true
		}
	}
	return ink.grey, at, found
}

// inkAround is the ink of a line and of what stands above and below it, as large as vowel signs are told by, and where the line is there.
func inkAround(p vision.Plane, h vision.Homography, l text.Line) (b bitmap, at text.Line, ok bool) {
	length := max(l.Length(), 1e-6)
	k, room := l.Height/vowelHeight, vowelRoom*l.Height // pixels of the page for a sample; pixels
	width, height := int((length+2*room)/k), int((1+2*vowelRoom)*vowelHeight)
	if width < 1 || width > mostInk {
		return bitmap{}, l, false
	}
	b, ok = inkAt(p, h.Mul(along(l, -room, -l.Height/2-room, k)), width, height, l.Light)
	at = l
	at.Light, at.Height, at.Sag = false, vowelHeight, l.Sag/k
	middle := (0.5 + vowelRoom) * vowelHeight
	at.Start = appliance.Point{X: room / k, Y: middle}
	at.End = appliance.Point{X: room/k + length/k, Y: middle}
	return b, at, ok
}

// thin reports whether a piece of ink is drawn by a thin stroke: of more than so many discs as large as fit into it. Single dots have 1 to
// 1.3, three that touch each other about 3; a slanted vowel sign has 4 and more, a ring 6.
func (b bitmap) thin(of []int32, piece int32, s stroke) bool {
	const discs = 3.4
	r := b.inscribed(of, piece, s)
	return float64(s.area) > discs*math.Pi*r*r
}

// inscribed is the radius of the largest disc in a piece of ink, by distances of 3 to the samples beside and 4 to those at the corners of
// one (Borgefors, "Distance transformations in digital images", 1986).
func (b bitmap) inscribed(of []int32, piece int32, s stroke) float64 {
	width, height := s.right-s.left+2, s.bottom-s.top+2
	far := make([]int, width*height) // with a rim of paper
	at := func(x, y int) bool { return of[(s.top+y-1)*b.width+s.left+x-1] == piece }
	most := 0
	for y := 1; y < height-1; y++ {
		for x := 1; x < width-1; x++ {
			if at(x, y) {
				i := y*width + x
				far[i] = min(far[i-1]+3, far[i-width]+3, far[i-width-1]+4, far[i-width+1]+4)
			}
		}
	}
	for y := height - 2; y > 0; y-- {
		for x := width - 2; x > 0; x-- {
			i := y*width + x
			far[i] = min(far[i], far[i+1]+3, far[i+width]+3, far[i+width+1]+4, far[i+width-1]+4)
			most = max(most, far[i])
		}
	}
	return float64(most)/3 - 0.5
}

// paintOver paints a piece of ink and the grey around its strokes in the tone of the paper beside it.
func (b bitmap) paintOver(of []int32, piece int32, box stroke) {
	const beside = 4 // samples
	sum, count := 0, 0
	for y := max(box.top-beside, 0); y < min(box.bottom+beside, b.height); y++ {
		for x := max(box.left-beside, 0); x < min(box.right+beside, b.width); x++ {
			edge := y < box.top-beside/2 || y >= box.bottom+beside/2 || x < box.left-beside/2 || x >= box.right+beside/2
			if edge && of[y*b.width+x] < 0 {
				sum, count = sum+int(b.grey.Pix[y*b.grey.Stride+x]), count+1
			}
		}
	}
	if count > 0 {
		erase(b.grey, of, piece, box, byte(sum/count))
	}
}
