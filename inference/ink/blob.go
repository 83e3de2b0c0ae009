// Package ink says what the ink on and beside a line of text shows without a network: where a line lies that is all of a picture, where
// strokes draw its words out, its single signs, how many marks it has, and what it is without its vowel signs
// or the boxes about its signs.
package ink

import (
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// The crop in which the ink of a line is looked at: samples for a glyph's height, and heights around the line.
const (
	inkHeight = 24
	inkRoom   = 0.75
	mostInk   = 4096 // columns
)

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
	toPage, width, height := cropOf(l)
	if width < 1 || width > mostInk {
		return bitmap{}, false
	}
	return inkAt(p, h.Mul(toPage), width, height, l.Light)
}

// cropOf maps the samples of that crop to the page; it is width x height.
func cropOf(l text.Line) (toPage vision.Homography, width, height int) {
	k := l.Height / inkHeight // pixels of the page for a sample
	toPage = along(l, -inkRoom*l.Height, -(0.5+inkRoom)*l.Height, k)
	return toPage, int(max(l.Length(), 1e-6)/k + 2*inkRoom*inkHeight), int((1 + 2*inkRoom) * inkHeight)
}

// along maps a crop that is level with a line to its page, k pixels for a sample: from x pixels along the line on, and y below it.
func along(l text.Line, x, y, k float64) vision.Homography {
	length := max(l.Length(), 1e-6)
	cos, sin := (l.End.X-l.Start.X)/length, (l.End.Y-l.Start.Y)/length
	return vision.Homography{k * cos, -k * sin, l.Start.X + x*cos - y*sin, k * sin, k * cos, l.Start.Y + x*sin + y*cos, 0, 0, 1}
}

// speck is the fewest samples of a piece of ink that counts.
const speck = 4
