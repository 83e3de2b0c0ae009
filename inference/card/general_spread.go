package card

import (
	"context"
	"strings"
	"unicode"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// surelySpread is the legibility from which on a row of signs that were moved together is the number that is read there.
const surelySpread = 0.7

// readSpread reads a picture that shows one number alone, its digits set apart evenly. Only what is a digit for each sign counts; ok is
// false for any other picture. Digits of a number follow each other from left to right in every script.
func (g *GeneralReader) readSpread(ctx context.Context, luma vision.Plane) (out []appliance.Line, ok bool, err error) {
	spread, ok := text.SpreadOf(luma)
	if !ok {
		return nil, false, nil
	}
	best := appliance.Line{Quad: spread.Line().Quad()}
	for _, room := range [...]float64{0.12, 0.2, 0.06} {
		plane, line := spread.Closed(room)
		r, err := g.words.Read(ctx, plane, line)
		if err != nil {
			return nil, false, err
		}
		r = g.words.Separated(plane, vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}, []text.Line{line}, []*text.Reading{r})[0]
		number, legible := digitsOf(r, spread.Count()), legibility([]strand{{reading: r}})
		if number != "" && legible >= surelySpread && legible > best.Confidence {
			best.Text, best.Confidence = number, legible
		}
	}
	return []appliance.Line{best}, best.Text != "", nil
}

// digitsOf is what a reading says where that is so many digits and nothing else; else "".
func digitsOf(r *text.Reading, count int) string {
	var b strings.Builder
	for _, s := range r.Symbols() {
		switch {
		case unicode.IsDigit(s.Rune):
			b.WriteRune(s.Rune)
			count--
		case s.Rune != ' ':
			return ""
		}
	}
	if count != 0 {
		return ""
	}
	return b.String()
}
