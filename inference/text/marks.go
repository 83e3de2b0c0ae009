package text

import "github.com/bawab/bawab/inference/vision"

// Marks returns how many small pieces of ink a line has: dots, vowel signs and specks. Letters without vowel signs have one for
// every two of them, fully vocalised ones three or four. h maps the line to the plane.
func Marks(p vision.Plane, h vision.Homography, l Line) int {
	const high, wide = 0.45, 0.6 // heights of the line
	count := 0
	for _, b := range blobsOf(p, h, l) {
		if b.height() < high && b.width() < wide {
			count++
		}
	}
	return count
}
