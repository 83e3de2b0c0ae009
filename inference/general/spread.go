package general

import (
	"context"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/ink"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// surelySpread is the legibility from which on a row of signs that were moved together is the number that is read there.
const surelySpread = 0.7

// mostFrames is how often frames are looked for: paler ones show when the darker ones are gone.
const mostFrames = 2

// readSpread reads a picture that shows one number alone, its digits set apart evenly or in boxes. Only what is a digit for
// each sign counts; ok is false for any other picture. Digits of a number follow each other from left to right in every script.
func (g *Reader) readSpread(ctx context.Context, luma vision.Plane) (out []appliance.Line, ok bool, err error) {
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

// piecesSide is the longer side, in pixels, of a picture whose pieces of ink are told apart, which takes five bytes a pixel: forty signs
// that fill it stand 30 high.
const piecesSide = 2400

// reduced returns a picture of at most piecesSide, and by how much larger the given one is.
func reduced(luma vision.Plane) (small vision.Plane, larger float64) {
	if max(luma.Width, luma.Height) <= piecesSide {
		return luma, 1
	}
	small = vision.Plane{Pix: make([]byte, piecesSide*piecesSide), Stride: piecesSide}
	small.Width, small.Height = vision.FittedSize(luma.Width, luma.Height, piecesSide)
	scale, _ := vision.Fit(luma, piecesSide, small.Pix)
	return small, 1 / scale
}

// enlarged is a line of a reduced picture in the one that was reduced.
func enlarged(l text.Line, by float64) text.Line {
	l.Start.X, l.Start.Y, l.End.X, l.End.Y = l.Start.X*by, l.Start.Y*by, l.End.X*by, l.End.Y*by
	l.Height, l.Sag = l.Height*by, l.Sag*by
	return l
}

// spreadIn reads the one number that a picture shows, and says where it stands; the row is nil where it shows anything else.
func (g *Reader) spreadIn(ctx context.Context, luma vision.Plane) (row passage, place text.Line, err error) {
	luma, larger := reduced(luma)
	spread, ok := ink.SpreadOf(luma)
	for framed, looks := !ok, 0; framed && !ok && looks < mostFrames; looks++ {
		if luma, framed = spread.Unframed(); framed {
			spread, ok = ink.SpreadOf(luma)
		}
	}
	if !ok {
		return nil, place, nil
	}
	for _, room := range [...]float64{0.12, 0.2, 0.06} {
		plane, line := spread.Closed(room)
		r, err := g.readClosed(ctx, plane, line, spread.Count())
		if err != nil {
			return nil, place, err
		}
		next := passage{{Line: line, reading: r}}
		if digitsOf(r, spread.Count()) != "" && legibility(next) >= max(surelySpread, legibility(row)) {
			row = next
		}
	}
	return row, enlarged(spread.Line(), larger), nil
}

// readClosed reads signs that were moved together: as the network of numbers does where it sees as many digits.
func (g *Reader) readClosed(ctx context.Context, plane vision.Plane, l text.Line, count int) (*text.Reading, error) {
	r, err := g.words.Read(ctx, plane, l)
	if err != nil {
		return nil, err
	}
	again, err := g.numbered(ctx, plane, vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}, []text.Line{l}, []*text.Reading{r})
	if err != nil {
		return nil, err
	}
	if digitsOf(again[0], count) != "" {
		return again[0], nil
	}
	return r, nil
}

// spreadRows puts numbers whose digits stand apart or in boxes in the place of what was read there.
func (g *Reader) spreadRows(ctx context.Context, luma vision.Plane, p page, strands []strand) ([]strand, error) {
	level(strands)
	sheet := ofFigures(passage(strands).readings())
	var numbers []strand
	taken := func(s strand) bool {
		return slices.ContainsFunc(numbers, func(n strand) bool { return isWithin(s.Line, n.Line) })
	}
	for _, row := range rowsOfPage(strands) {
		if !passage(row).spreadable() || slices.ContainsFunc(row, taken) {
			continue
		}
		if sheet && passage(row).certainty(0) >= certainLine { // hundreds of numbers are not looked at once more each
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
// what lies about the row, and closer where other rows are near. The passage is empty where it is no such number.
func (g *Reader) spreadRow(ctx context.Context, luma vision.Plane, p page, row passage) (passage, error) {
	left, top, right, bottom, height := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1), 0.0
	for _, s := range row {
		height = max(height, s.Height)
		for _, c := range s.Quad() {
			left, right, top, bottom = min(left, c.X), max(right, c.X), min(top, c.Y), max(bottom, c.Y)
		}
	}
	const beside = 2.5 // heights of the row
	for _, around := range [...]float64{0.9, 0.5} {
		for _, reach := range [...]float64{math.Inf(1), beside * height} {
			x0, x1 := max(0, left-reach), min(p.w, right+reach)
			y0, y1 := max(0, top-around*height), min(p.hgt, bottom+around*height)
			number, err := g.spreadAt(ctx, luma, p, x0, y0, int(x1-x0), int(y1-y0))
			if number != nil || err != nil {
				return number, err
			}
		}
	}
	return nil, nil
}

// spreadAt reads a part of a page that shows one number alone; the passage is empty where it shows anything else.
func (g *Reader) spreadAt(ctx context.Context, luma vision.Plane, p page, x, y float64, width, height int) (passage, error) {
	if width <= 0 || height <= 0 {
		return nil, nil
	}
	crop := vision.Plane{Width: width, Height: height, Stride: width, Pix: make([]byte, width*height)}
	if !vision.Warp(luma, p.h.Mul(vision.Homography{1, 0, x, 0, 1, y, 0, 0, 1}), width, height, crop.Pix) {
		return nil, nil
	}
	number, place, err := g.spreadIn(ctx, crop)
	if number == nil || err != nil {
		return nil, err
	}
	for _, c := range []*appliance.Point{&place.Start, &place.End} {
		c.X, c.Y = c.X+x, c.Y+y
	}
	return passage{{Line: place, reading: number[0].reading}}, nil
}

// spreadable reports whether a row may be a number whose digits stand apart: of several digits, and of little but what rules are taken for.
func (r passage) spreadable() bool {
	const share = 0.65
	digits, others, signs := 0, 0, 0
	for _, piece := range r {
		for _, s := range piece.reading.Symbols() {
			switch {
			case unicode.IsDigit(s.Rune):
				digits++
			case !strings.ContainsRune(" []|/1اآlLIiTt.", s.Rune):
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
