package general

import (
	"math"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/ink"
	"github.com/bawab/bawab/inference/layout"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// withoutFallen are rows without those that vowel signs above or below a line of letters were taken for: much lower than a line with such
// signs, within its ends and close to it, doubtful, and of pieces of ink that are no larger than signs.
func withoutFallen(rows []row, luma vision.Plane, h vision.Homography) []row {
	var lines []text.Line
	for _, r := range rows {
		for _, s := range r.passage {
			lines = append(lines, s.Line)
		}
	}
	common := commonHeight(lines)
	var out []row
	for _, r := range rows {
		letters := slices.IndexFunc(rows, func(other row) bool { return other.mayLose(r.place) })
		if letters < 0 || !r.fellOff(rows[letters], luma, h, common) {
			out = append(out, r)
		}
	}
	return out
}

// mayLose reports whether signs of a line of letters may lie where another row was found. Of 23 such rows of drawn pages and books the
// height was at most 0.57 and the distance 0.8 to 1.5 of the height of their lines (30 November 2026); one more stood at 0.5.
func (r row) mayLose(signs layout.Extent) bool {
	const low, near, far, inside = 0.6, 0.4, 1.7, 0.7
	down, height := math.Abs(r.place.Below(signs)), r.place.Height
	return signs.Height < low*height && down > near*height && down < far*height && r.place.Shared(signs) > inside*signs.Width()
}

// fellOff reports whether a row is what fell off a line: this has vowel signs, and the row is doubtful and of small pieces of ink alone.
func (r row) fellOff(letters row, luma vision.Plane, h vision.Homography, common float64) bool {
	const sign, lowest = 0.65, 0.4 // heights of the line: none of 100 signs of the same rows was wider than 0.6
	least := surelyVowels
	if r.place.Height < lowest*letters.place.Height { // which letters hardly are
		least = perhapsVowels
	}
	if r.lineOf(luma, h, false, common).Code != appliance.CodeLowConfidence {
		return false
	}
	for _, piece := range r.passage {
		if ink.Widest(luma, h, piece.Line) > sign*letters.place.Height {
			return false
		}
	}
	return slices.ContainsFunc(letters.passage, func(s strand) bool {
		return marksOfLetter(s.reading.Symbols(), ink.Marks(luma, h, s.Line)) > least
	})
}
