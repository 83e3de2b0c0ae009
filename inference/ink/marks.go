package ink

import (
	"math"

	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// Marks returns how many small pieces of ink a line has, dots, vowel signs and specks: letters without vowel signs have one for
// every two of them, fully vocalised ones mostly more than one each. Where print is small or heavy, signs run together with what is
// beside them, so that a piece that is slanted as a fatha or a kasra counts for four. h maps the line to the plane.
func Marks(p vision.Plane, h vision.Homography, l text.Line) int {
	const high, wide, others = 0.45 * inkHeight, 0.6 * inkHeight, 4
	ink, ok := inkBeside(p, h, l)
	if !ok {
		return 0
	}
	count, slanted := 0, 0
	all, of := ink.pieces()
	for i, s := range all {
		if s.area < speck || float64(s.bottom-s.top) >= high || float64(s.right-s.left) >= wide {
			continue
		}
		count++
		if ink.slanted(of, int32(i), s) {
			slanted++
		}
	}
	return max(count, others*slanted)
}

// slanted reports whether a piece is drawn out and rises to the right, by the axes of the ellipse that spreads as its samples do.
func (b bitmap) slanted(of []int32, piece int32, s stroke) bool {
	const drawnOut, least, most = 2, 8, 65 // times as long as wide; degrees above the horizontal
	var n, x, y, xx, yy, xy float64
	for row := s.top; row < s.bottom; row++ {
		for column := s.left; column < s.right; column++ {
			if of[row*b.width+column] == piece {
				dx, dy := float64(column-s.left), float64(s.bottom-row)
				n, x, y, xx, yy, xy = n+1, x+dx, y+dy, xx+dx*dx, yy+dy*dy, xy+dx*dy
			}
		}
	}
	const within = 1.0 / 12 // of a sample, whose ink spreads over all of it
	xx, yy, xy = xx/n-x*x/n/n+within, yy/n-y*y/n/n+within, xy/n-x*y/n/n
	mean, apart := (xx+yy)/2, math.Hypot((xx-yy)/2, xy)
	angle := math.Atan2(2*xy, xx-yy) / 2 * 180 / math.Pi
	return mean+apart > drawnOut*drawnOut*(mean-apart) && angle > least && angle < most
}

// Widest returns how wide the widest piece of ink of a line is, in pixels of its page; what comes into it from far above or below does not
// count. h maps the line to the plane.
func Widest(p vision.Plane, h vision.Homography, l text.Line) float64 {
	ink, ok := inkBeside(p, h, l)
	if !ok {
		return 0
	}
	widest := 0
	all, _ := ink.pieces()
	for _, s := range all {
		beside := s.bottom < ink.height/2-inkHeight/4 || s.top > ink.height/2+inkHeight/4
		if s.area >= speck && !beside && s.top > 0 && s.bottom < ink.height {
			widest = max(widest, s.right-s.left)
		}
	}
	return float64(widest) * l.Height / inkHeight
}
