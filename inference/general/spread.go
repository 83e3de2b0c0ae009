package general

import (
	"context"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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
	row, place, err := g.spreadIn(ctx, luma, 0, luma.Width)
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

// spreadIn reads the one number that a picture shows between two columns, and says where it stands; the row is nil where it shows anything
// else.
func (g *Reader) spreadIn(ctx context.Context, luma vision.Plane, from, to int) (row passage, place text.Line, err error) {
	luma, larger := reduced(luma)
	from, to = int(float64(from)/larger), int(float64(to)/larger)
	spread, ok := ink.SpreadOf(luma, from, to)
	for framed, looks := !ok, 0; framed && !ok && looks < mostFrames; looks++ {
		spread, ok, framed = spread.Unframed()
	}
	if !ok {
		return nil, place, nil
	}
	seen := map[string]bool{}
	for _, room := range [...]float64{0.12, 0.2, 0.06} {
		plane, line := spread.Closed(room)
		r, err := g.readClosed(ctx, plane, line, spread.Count())
		if err != nil {
			return nil, place, err
		}
		next, digits := passage{{Line: line, reading: r, framed: spread.Framed}}, digitsOf(r, spread.Count())
		if digits != "" && legibility(next) >= surelySpread {
			seen[digits] = true
			if legibility(next) >= legibility(row) {
				row = next
			}
		}
	}
	if len(seen) > 1 { // one of the looks is wrong
		signs := slices.Clone(row[0].reading.Symbols())
		atMost(signs, 0.5)
		row[0].reading = row[0].reading.With(signs)
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
	sheet := ofFigures(passage(strands).readings())
	var numbers []strand
	taken := func(s strand) bool {
		return slices.ContainsFunc(numbers, func(n strand) bool { return isWithin(s.Line, n.Line) })
	}
	for _, row := range rowsOf(strands) {
		if slices.ContainsFunc(row.passage, taken) || !row.mayBeSpread(luma, p.h) {
			continue
		}
		if sheet && row.certainty(0) >= certainLine { // hundreds of numbers are not looked at once more each
			continue
		}
		number, err := g.spreadRow(ctx, luma, p, strands, row.passage)
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, number...)
	}
	out := make([]strand, 0, len(strands)+len(numbers))
	for _, s := range strands {
		if i := slices.IndexFunc(numbers, func(n strand) bool { return overlap(s.Line, n.reach()) }); i >= 0 {
			out = append(out, s.beyond(numbers[i].reach())...)
		} else {
			out = append(out, s)
		}
	}
	return append(out, numbers...), nil
}

// mayBeSpread reports whether a row is looked at as a number whose digits stand apart or in boxes: what was read is of such a one, or it is
// doubtful and is of such a one but for its words, or shows boxes.
func (r row) mayBeSpread(luma vision.Plane, h vision.Homography) bool {
	if r.spreadable(false) || r.scattered() {
		return true
	}
	framed := func(s strand) bool { return ink.Framed(luma, h, s.Line) }
	return r.certainty(0) < certainLine && (r.spreadable(true) || slices.ContainsFunc(r.passage, framed))
}

// reach is where a number stands, with the boxes about its first and last digit.
func (s strand) reach() text.Line {
	const beside = 0.4 // of the way from one digit to the next
	if !s.framed {
		return s.Line
	}
	side := beside / float64(max(1, len(s.reading.Symbols())-1))
	return s.Line.Between(-side, 1+side)
}

// overlap reports whether two lines of a page share a part of their row.
func overlap(s, l text.Line) bool {
	_, across := middleOf(l, s)
	return min(s.End.X, l.End.X) > max(s.Start.X, l.Start.X) && math.Abs(across) < 0.8*l.Height
}

// spells reports whether signs are more than one letter or digit: the side of a box is read as one.
func spells(signs []text.Symbol) bool {
	count := 0
	for _, x := range signs {
		if unicode.IsLetter(x.Rune) || unicode.IsDigit(x.Rune) {
			count++
		}
	}
	return count > 1
}

// beyond is what of a piece of text stands before and behind a line in the same row.
func (s strand) beyond(l text.Line) (out []strand) {
	symbols, room := s.reading.Symbols(), 0.3*l.Height
	at := func(x text.Symbol) float64 { return vision.Between(s.Start, s.End, (x.Start+x.End)/2).X }
	before := slices.IndexFunc(symbols, func(x text.Symbol) bool { return at(x) >= l.Start.X-room })
	behind := len(symbols)
	for behind > 0 && at(symbols[behind-1]) > l.End.X+room {
		behind--
	}
	if before < 0 {
		before = len(symbols)
	}
	for _, part := range [...][2]int{{0, before}, {max(before, behind), len(symbols)}} {
		if spells(symbols[part[0]:part[1]]) {
			from, to := text.Cut(symbols, part[0], part[1])
			out = append(out, strand{Line: partOf(s.Line, from, to), reading: s.reading.Part(from, to)})
		}
	}
	return out
}

// spreadRow reads the band of a row as one number: all of its width that is free of words, since dots that stand apart are not found as
// text, or else what lies about the row, and closer where other rows are near. The passage is empty where it is no such number.
func (g *Reader) spreadRow(ctx context.Context, luma vision.Plane, p page, strands []strand, row passage) (passage, error) {
	from, to := row.beside(strands, p.w)
	var corners []appliance.Point
	height := 0.0
	for _, s := range row {
		q := s.Quad()
		corners, height = append(corners, q[:]...), max(height, s.Height)
	}
	left, top, right, bottom := vision.Bounds(corners...)
	const beside = 2.5                                   // heights of the row
	for _, around := range [...]float64{0.9, 0.5, 1.6} { // heights: the last for boxes of which the digits alone were seen
		for _, reach := range [...]float64{math.Inf(1), beside * height} {
			x0, x1 := max(from, left-reach), min(to, right+reach)
			y0, y1 := max(0, top-around*height), min(p.hgt, bottom+around*height)
			number, err := g.spreadAt(ctx, luma, p, x0, y0, int(x1-x0), int(y1-y0))
			if err != nil {
				return nil, err
			}
			if number != nil && !number[0].framed && row.separated() { // its signs are no dirt
				return nil, nil
			}
			// What ends closer to the edge than its digits stand apart may go on beyond.
			if number != nil && (x0 == from || number[0].Start.X-x0 > number.pitch()) && (x1 == to || x1-number[0].End.X > number.pitch()) {
				return number, nil
			}
		}
	}
	return nil, nil
}

// pitch is how far the signs of a number that stand apart are from each other at most, about.
func (r passage) pitch() float64 {
	const uneven = 1.3
	return uneven * r[0].Length() / float64(max(1, len(r[0].reading.Symbols())-1))
}

// beside is from where to where, of so many pixels, the band of a row is free of words about its digits: a number whose digits stand apart
// may have a word before it.
func (r passage) beside(strands []strand, width float64) (from, to float64) {
	from, to = 0, width
	left, right := math.Inf(1), math.Inf(-1) // the digits
	for _, s := range r {
		for _, x := range s.reading.Symbols() {
			if unicode.IsDigit(x.Rune) {
				at := vision.Between(s.Start, s.End, (x.Start+x.End)/2).X
				left, right = min(left, at), max(right, at)
			}
		}
	}
	const inBand, apart = 0.8, 0.15 // heights
	for _, s := range strands {
		middle := vision.Between(s.Start, s.End, 0.5).Y
		for _, word := range s.words() {
			start, end := vision.Between(s.Start, s.End, word[0]), vision.Between(s.Start, s.End, word[1])
			if along := vision.Between(r[0].Start, r[0].End, 0.5).Y; math.Abs(along-middle) > inBand*max(s.Height, r[0].Height) {
				continue
			}
			if room := apart * s.Height; start.X >= right {
				to = min(to, start.X-room)
			} else if end.X <= left {
				from = max(from, end.X+room)
			}
		}
	}
	return from, to
}

// words are where the words of letters stand in what was read that are surely some, as shares of its length.
func (s strand) words() (out [][2]float64) {
	const least, sure, wide = 3, 0.6, 1.2 // letters; of their probabilities the mean; heights
	symbols := s.reading.Symbols()
	for i := 0; i < len(symbols); {
		j, sum := i, 0.0
		for j < len(symbols) && unicode.IsLetter(symbols[j].Rune) && (j == i || !s.apart(symbols[j-1], symbols[j])) {
			sum += symbols[j].Prob
			j++
		}
		if j-i >= least && sum >= sure*float64(j-i) {
			if from, to := symbols[i].Start, symbols[j-1].End; (to-from)*s.Length() >= wide*s.Height {
				out = append(out, [2]float64{from, to})
			}
		}
		i = max(j, i+1)
	}
	return out
}

// apart reports whether two signs stand further from each other than letters of a word: one is a digit that was read as a letter.
func (s strand) apart(a, b text.Symbol) bool {
	const letters = 1 // heights between their middles
	return (b.Start+b.End-a.Start-a.End)/2*s.Length() > letters*s.Height
}

// spreadAt reads a part of a page that shows one number alone, what stands beside it left out; the passage is empty where it shows anything
// else.
func (g *Reader) spreadAt(ctx context.Context, luma vision.Plane, p page, x, y float64, width, height int) (passage, error) {
	if width <= 0 || height <= 0 {
		return nil, nil
	}
	from := min(int(x), height) // what stands on the edge is seen whole
	to := from + width
	x, width = x-float64(from), min(to+height, int(p.w-x)+from)
	crop := vision.Plane{Width: width, Height: height, Stride: width, Pix: make([]byte, width*height)}
	if !vision.Warp(luma, p.h.Mul(vision.Homography{1, 0, x, 0, 1, y, 0, 0, 1}), width, height, crop.Pix) {
		return nil, nil
	}
	number, place, err := g.spreadIn(ctx, crop, from, to)
	if number == nil || err != nil {
		return nil, err
	}
	for _, c := range []*appliance.Point{&place.Start, &place.End} {
		c.X, c.Y = c.X+x, c.Y+y
	}
	return passage{{Line: place, reading: number[0].reading, closed: true, framed: number[0].framed}}, nil
}

// scattered reports whether a row holds signs that stand alone, or digits far apart: all that was found of a number whose digits do.
func (r passage) scattered() bool {
	alone := func(word string) bool {
		sign, size := utf8.DecodeRuneInString(word)
		switch {
		case size != len(word):
			return false
		case unicode.IsDigit(sign):
			return sign != '0' && sign != '٠'
		}
		return unicode.IsLetter(sign) && !strings.ContainsRune("وaAI", sign) // which are words
	}
	far := func(s strand) bool { return s.wider(usualPitch) }
	return slices.ContainsFunc(r, far) || slices.ContainsFunc(strings.Fields(r.printed()), alone)
}

// How far apart the middles of digits stand, in heights: further than usualPitch in few faces, further than widestPitch in none.
const usualPitch, widestPitch = 1.15, 1.5

// wider reports whether digits of a piece stand further apart than that, more than once.
func (s strand) wider(pitch float64) bool {
	const fewest = 2
	last, gaps := math.Inf(1), 0
	for _, x := range s.reading.Symbols() {
		switch at := (x.Start + x.End) / 2 * s.Length(); {
		case unicode.IsDigit(x.Rune):
			if at-last > pitch*s.Height {
				gaps++
			}
			last = at
		case x.Rune != ' ':
			last = math.Inf(1)
		}
	}
	return gaps >= fewest
}

// spreadable reports whether a row may be a number whose digits stand apart, or may be one beside words: of several digits, and of little
// but what rules are taken for.
func (r passage) spreadable(besideWords bool) bool {
	const share = 0.65
	digits, others, signs := 0, 0, 0
	for _, piece := range r {
		var words [][2]float64
		if besideWords {
			words = piece.words()
		}
		for _, s := range piece.reading.Symbols() {
			if slices.ContainsFunc(words, func(w [2]float64) bool { return s.Start >= w[0] && s.End <= w[1] }) {
				continue
			}
			switch {
			case unicode.IsDigit(s.Rune):
				digits++
			case !strings.ContainsRune(" []|/1اآlLIiTt.,،", s.Rune):
				others++
			}
			signs++
		}
	}
	return digits >= fewSigns && float64(others) <= (1-share)*float64(signs)
}

// separated reports whether a row has separators between digits.
func (r passage) separated() bool {
	for _, piece := range r {
		before, separator := false, false // a digit
		for _, s := range piece.reading.Symbols() {
			switch {
			case unicode.IsDigit(s.Rune):
				if separator {
					return true
				}
				before = true
			case isSeparator(s.Rune):
				separator = before
			case s.Rune != ' ':
				before, separator = false, false
			}
		}
	}
	return false
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
