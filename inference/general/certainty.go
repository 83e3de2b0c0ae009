package general

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/ink"
	"github.com/bawab/bawab/inference/vision"
)

// certainLine is the certainty under which a line of general text carries the code of a field read with low confidence. Of
// 1,119 lines of drawn pages (27 November 2026, fonts held out of training, 14 to 60 pixels) 57 of the 274 wrong ones are above
// it, and 149 of the 845 right ones below.
const certainLine = 0.75

// certainty is the probability, 0 to 1, that all signs of a row are right: a logistic fit to the same lines, 208 of drawn
// photographs of pages and 150 of two scanned books. marks is how many small pieces of ink the row has. Few signs of a long row
// may be wrong although their mean is high, small text and vowel signs mislead the recogniser without its doubting, and so do
// separators among Arabic-Indic digits.
func (r passage) certainty(marks int) float64 {
	const (
		begin, mean, least, second = -1.03, -0.445, -0.352, -0.263
		long, small, vowels, mixed = -0.669, 0.948, -1.003, 0.554
		smallText                  = 14.0      // pixels of a glyph
		plainMarks, mostMarks      = 0.9, 1.5  // for each Arabic letter
		fewLetters, usualMarks     = 4, 0.6    // where there are too few letters to tell
		floor                      = 0.001     // of a doubt
		leastProb                  = 1.0 / 1e6 // of a sign
	)
	var all, ink []float64
	letters, digits, separators, height := 0, false, false, 0.0
	for _, piece := range r {
		height = max(height, piece.Height)
		for _, s := range piece.reading.Symbols() {
			p := math.Log(max(s.Prob, leastProb))
			all = append(all, p)
			if s.Rune == ' ' {
				continue
			}
			ink = append(ink, p)
			switch {
			case unicode.Is(unicode.Arabic, s.Rune) && unicode.IsLetter(s.Rune):
				letters++
			case s.Rune >= '٠' && s.Rune <= '٩':
				digits = true
			case isSeparator(s.Rune):
				separators = true
			}
		}
	}
	if len(ink) == 0 {
		return 0
	}
	slices.Sort(ink)
	sum := 0.0
	for _, p := range all {
		sum += p
	}
	share := usualMarks
	if letters >= fewLetters {
		share = float64(marks) / float64(letters)
	}
	x := begin + mean*math.Log(floor-sum/float64(len(all))) + least*math.Log(floor-ink[0]) + second*math.Log(floor-ink[min(1, len(ink)-1)]) +
		long*math.Log(float64(len(all))) + small*min(0, math.Log(max(height, 1)/smallText)) + vowels*min(max(share-plainMarks, 0), mostMarks)
	if digits && separators {
		x += mixed
	}
	return 1 / (1 + math.Exp(-x))
}

// isSeparator reports whether a sign stands between the parts of numbers.
func isSeparator(r rune) bool {
	return r == '.' || r == ',' || r == '،' || r == ':' || r == '/' || r == '-'
}

// lineOf is the line of text that a row is, with what is to be doubted of it; page reports whether the page runs from right to left,
// common is the height of its common row.
func (r passage) lineOf(luma vision.Plane, h vision.Homography, page bool, common float64) appliance.Line {
	marks := 0
	for _, piece := range r {
		marks += ink.Marks(luma, h, piece.Line)
	}
	out := appliance.Line{Text: r.text(page), Confidence: r.certainty(marks), Quad: h.ApplyQuad(r.quad())}
	far := func(s strand) bool { return !s.closed && s.wider(widestPitch) }
	if r.apart() || slices.ContainsFunc(r, far) || r.stray(common) { // zeros, which are dots, are easily lost
		out.Confidence = min(out.Confidence, certainLine/2)
	}
	if out.Confidence < certainLine {
		out.Code = appliance.CodeLowConfidence
	}
	return out
}

// stray reports whether a row is a sign or two that are far lower than the common row of the page: vowel signs that fell off the line
// below read as a digit, of 0.28 of the common height where that was seen, however sure the network is of it.
func (r passage) stray(common float64) bool {
	const fewSigns, low = 2, 0.5
	height := 0.0
	for _, piece := range r {
		height = max(height, piece.Height)
	}
	signs := strings.ReplaceAll(r.printed(), " ", "")
	return utf8.RuneCountInString(signs) <= fewSigns && height < low*common
}

// apart reports whether most of a row are single digits with blanks between.
func (r passage) apart() bool {
	const few = 3
	words := strings.Fields(r.printed())
	single := 0
	for _, w := range words {
		if d := []rune(w); len(d) == 1 && unicode.IsDigit(d[0]) {
			single++
		}
	}
	return single >= few && 2*single > len(words)
}

// unreadable reports whether a row that is not legible is text nevertheless, such as a calligraphic title: of many different
// letters, at least as high as the common row of the page, and rather believed than noise is.
func (r passage) unreadable(common float64) bool {
	const leastBelieved = 0.3
	letters, height := 0, 0.0
	for _, piece := range r {
		height = max(height, piece.Height)
		for _, s := range piece.reading.Symbols() {
			if unicode.IsLetter(s.Rune) {
				letters++
			}
		}
	}
	return letters > fewSigns && height >= common && !repeats(r.printed()) && legibility(r) >= leastBelieved
}

// likeOthers reports whether a row that is not legible is about as high as the common row of its page. On a sheet of figures it is one of
// them then; what is far lower or higher is a rule or a stain.
func (r passage) likeOthers(common float64) bool {
	const lower, higher = 0.5, 2
	height := 0.0
	for _, piece := range r {
		height = max(height, piece.Height)
	}
	return height > lower*common && height < higher*common
}
