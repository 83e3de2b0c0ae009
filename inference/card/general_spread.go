package card

import (
	"context"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// surelySpread is the legibility from which on a row of signs that were moved together is the number that is read there.
const surelySpread = 0.7

// readSpread reads a picture that shows one number alone, its digits set apart evenly or in boxes. Only what is a digit for
// each sign counts; ok is false for any other picture. Digits of a number follow each other from left to right in every script.
func (g *GeneralReader) readSpread(ctx context.Context, luma vision.Plane) (out []appliance.Line, ok bool, err error) {
	row, place, err := g.spreadIn(ctx, luma)
	if row == nil || err != nil {
		return nil, false, err
	}
	line := appliance.Line{Text: row[0].reading.Text(), Confidence: row.certainty(0), Quad: place.Quad()}
	if line.Confidence < certainLine {
		line.Code = appliance.CodeLowConfidence
	}
	return []appliance.Line{line}, true, nil
}

// spreadIn reads the one number that a picture shows, and says where it stands; the row is nil where it shows anything else.
func (g *GeneralReader) spreadIn(ctx context.Context, luma vision.Plane) (row passage, place text.Line, err error) {
	spread, ok := text.SpreadOf(luma)
	if !ok {
		if luma, ok = text.Unframed(luma); ok {
			spread, ok = text.SpreadOf(luma)
		}
	}
	if !ok {
		return nil, place, nil
	}
	for _, room := range [...]float64{0.12, 0.2, 0.06} {
		plane, line := spread.Closed(room)
		r, err := g.words.Read(ctx, plane, line)
		if err != nil {
			return nil, place, err
		}
		r = g.words.Separated(plane, vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}, []text.Line{line}, []*text.Reading{r})[0]
		next := passage{{Line: line, reading: r}}
		if digitsOf(r, spread.Count()) != "" && legibility(next) >= max(surelySpread, legibility(row)) {
			row = next
		}
	}
	return row, spread.Line(), nil
}

// spreadRows puts numbers whose digits stand apart or in boxes in the place of what was read there.
func (g *GeneralReader) spreadRows(ctx context.Context, luma vision.Plane, p page, strands []strand) ([]strand, error) {
	level(strands)
	var numbers []strand
	taken := func(s strand) bool {
		return slices.ContainsFunc(numbers, func(n strand) bool { return isWithin(s.Line, n.Line) })
	}
	for _, row := range rowsOfPage(strands) {
		if !passage(row).spreadable() || slices.ContainsFunc(row, taken) {
			continue
		}
		number, err := g.spreadRow(ctx, luma, p, row)
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, number...)
	}
	return append(slices.DeleteFunc(slices.Clone(strands), taken), numbers...), nil
}

// spreadRow reads the band of a row as one number: all of its width, since dots that stand apart are not found as text, or else
// what lies about the row. The passage is empty where it is no such number.
func (g *GeneralReader) spreadRow(ctx context.Context, luma vision.Plane, p page, row passage) (passage, error) {
	const beside, above = 2.5, 0.9 // heights of the row
	left, top, right, bottom, height := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1), 0.0
	for _, s := range row {
		height = max(height, s.Height)
		for _, c := range s.Quad() {
			left, right, top, bottom = min(left, c.X), max(right, c.X), min(top, c.Y), max(bottom, c.Y)
		}
	}
	top, bottom = max(0, top-above*height), min(p.hgt, bottom+above*height)
	for _, band := range [...][2]float64{{0, p.w}, {max(0, left-beside*height), min(p.w, right+beside*height)}} {
		crop := vision.Plane{Width: int(band[1] - band[0]), Height: int(bottom - top), Stride: int(band[1] - band[0])}
		if crop.Width <= 0 || crop.Height <= 0 {
			continue
		}
		crop.Pix = make([]byte, crop.Width*crop.Height)
		if !vision.Warp(luma, p.h.Mul(vision.Homography{1, 0, band[0], 0, 1, top, 0, 0, 1}), crop.Width, crop.Height, crop.Pix) {
			continue
		}
		number, place, err := g.spreadIn(ctx, crop)
		if err != nil {
			return nil, err
		}
		if number != nil {
			for _, c := range []*appliance.Point{&place.Start, &place.End} {
				c.X, c.Y = c.X+band[0], c.Y+top
			}
			return passage{{Line: place, reading: number[0].reading}}, nil
		}
	}
	return nil, nil
}

// spreadable tells whether a row may be a number whose digits stand apart: of several digits, and of little but what rules are taken for.
func (r passage) spreadable() bool {
	const share = 0.75
	digits, others, signs := 0, 0, 0
	for _, piece := range r {
		for _, s := range piece.reading.Symbols() {
			switch {
			case unicode.IsDigit(s.Rune):
				digits++
			case !strings.ContainsRune(" []|/1اlIT.", s.Rune):
				others++
			}
			signs++
		}
	}
	return digits >= fewSigns && float64(others) <= (1-share)*float64(signs)
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
