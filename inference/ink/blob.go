// Package ink says what the ink on and beside a line of text shows without a network: where a line lies that is all of a picture, where
// strokes draw its words out, its single signs, how many marks it has, and what the dots between digits are.
package ink

import (
	"cmp"
	"slices"

	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// The crop in which the ink of a line is looked at: samples for a glyph's height, and heights around the line.
const (
	inkHeight = 24
	inkRoom   = 0.75
	mostInk   = 4096 // columns
)

// blob is a piece of ink beside a line: its box in heights of the line, x from the line's start, y down from its middle. slim is how much
// higher than wide its ink is, as the square of the one less that of the other, and tail how far it thins out downwards, to the third
// power; below zero it is wider, or thins out upwards.
type blob struct {
	left, top, right, bottom, slim, tail float64
	stacked                              bool // of two pieces one above the other
}

func (b blob) x() float64      { return (b.left + b.right) / 2 }
func (b blob) y() float64      { return (b.top + b.bottom) / 2 }
func (b blob) width() float64  { return b.right - b.left }
func (b blob) height() float64 { return b.bottom - b.top }

// inkAt is the ink of a part of a plane, width x height samples that h maps to it; of light text that of the negative. It is false where
// there is none.
func inkAt(p vision.Plane, h vision.Homography, width, height int, light bool) (bitmap, bool) {
	crop := vision.Plane{Pix: make([]byte, width*height), Width: width, Height: height, Stride: width}
	if !vision.Warp(p, h, width, height, crop.Pix) {
		return bitmap{}, false
	}
	if light {
		for i, v := range crop.Pix {
			crop.Pix[i] = 255 - v
		}
	}
	return inkOf(crop)
}

// inkBeside is the ink of a line and of what stands close above, below and beside it: inkHeight samples for its height, and inkRoom
// heights of room on each side. It is false where there is none.
func inkBeside(p vision.Plane, h vision.Homography, l text.Line) (bitmap, bool) {
	length := max(l.Length(), 1e-6)
	cos, sin := (l.End.X-l.Start.X)/length, (l.End.Y-l.Start.Y)/length
	k := l.Height / inkHeight // pixels of the page for a sample
	width, height := int(length/k+2*inkRoom*inkHeight), int((1+2*inkRoom)*inkHeight)
	if width < 1 || width > mostInk {
		return bitmap{}, false
	}
	x, y := -inkRoom*l.Height, -(0.5+inkRoom)*l.Height
	toPage := vision.Homography{k * cos, -k * sin, l.Start.X + x*cos - y*sin, k * sin, k * cos, l.Start.Y + x*sin + y*cos, 0, 0, 1}
	return inkAt(p, h.Mul(toPage), width, height, l.Light)
}

// speck is the fewest samples of a piece of ink that counts.
const speck = 4

// blobsOf returns the ink of a line from left to right.
func blobsOf(p vision.Plane, h vision.Homography, l text.Line) (out []blob) {
	ink, ok := inkBeside(p, h, l)
	if !ok {
		return nil
	}
	paper := byte(vision.Median(ink.grey))
	pieces, of := ink.pieces()
	for i, s := range pieces {
		if s.area >= speck {
			b := blob{left: float64(s.left)/inkHeight - inkRoom, right: float64(s.right)/inkHeight - inkRoom}
			b.slim, b.tail = ink.shape(of, int32(i), s, paper)
			bend := l.Bend(min(max(b.x()*l.Height/max(l.Length(), 1e-6), 0), 1)) / l.Height
			b.top, b.bottom = float64(s.top)/inkHeight-inkRoom-0.5-bend, float64(s.bottom)/inkHeight-inkRoom-0.5-bend
			out = append(out, b)
		}
	}
	slices.SortFunc(out, func(a, b blob) int { return cmp.Compare(a.x(), b.x()) })
	return out
}

// among are those of some pieces of ink whose middles lie between two places.
func among(blobs []blob, left, right float64) []blob {
	return slices.DeleteFunc(slices.Clone(blobs), func(b blob) bool { return b.x() <= left || b.x() >= right })
}

// shape is what the moments of a piece of ink say of it, by how dark its samples are: slim and tail of a blob. A full stop is as wide as
// high, and its own mirror image; a comma has its head on one side. Blur, which spreads ink as far up as down and to the sides, leaves the
// moments as they are, where it makes the boxes of both alike.
func (b bitmap) shape(of []int32, piece int32, s stroke, paper byte) (slim, tail float64) {
	const around, noise = inkHeight / 12, 3 // samples; levels of paper
	ink, x, y := 0.0, 0.0, 0.0
	each := func(do func(x, y, w float64)) {
		for row := max(0, s.top-around); row < min(b.height, s.bottom+around); row++ {
			for column := max(0, s.left-around); column < min(b.width, s.right+around); column++ {
				other := of[row*b.width+column] >= 0 && of[row*b.width+column] != piece
				if dark := int(paper) - noise - int(b.grey.Pix[row*b.grey.Stride+column]); dark > 0 && !other {
					do(float64(column)/inkHeight, float64(row)/inkHeight, float64(dark))
				}
			}
		}
	}
	each(func(column, row, w float64) { ink, x, y = ink+w, x+w*column, y+w*row })
	if ink == 0 {
		return 0, 0
	}
	x, y = x/ink, y/ink
	each(func(column, row, w float64) {
		across, down := column-x, row-y
		slim += w * (down*down - across*across)
		tail += w * down * down * down
	})
	const ofBox = 12 // the square of a box's side to the spread of what fills it
	return ofBox * slim / ink, tail / ink
}
