package general

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/bawab/bawab/inference/ink"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// secondLook returns how a line is read by the reader of numbers and vowel signs where it holds any: of lines with vowel signs, in the
// most legible of several cuts, where that is as legible as r, of those with numbers where it sees another number. Otherwise it is r.
// looks are all of them where the line has vowel signs, or may have some and is doubtful.
func (g *Reader) secondLook(
	ctx context.Context, luma vision.Plane, p page, l text.Line, r *text.Reading,
) (_ *text.Reading, looks text.Looks, err error) {
	marks := ink.Marks(luma, p.h, l)
	each := marksOfLetter(r.Symbols(), marks)
	vowels := each > surelyVowels
	if !vowels && !holdsNumber(r.Symbols()) {
		if each > perhapsVowels && (passage{{Line: l, reading: r}}).certainty(marks) < certainLine {
			_, looks, err = g.vowelledLooks(ctx, luma, p, l, r)
		}
		return r, looks, err
	}
	var seen []*text.Reading
	if vowels {
		seen, looks, err = g.vowelledLooks(ctx, luma, p, l, r)
	} else {
		seen, err = g.readTrimmed(ctx, g.signs, luma, p, l, untrimmed)
	}
	if err != nil {
		return nil, looks, err
	}
	again := mostLegible(seen)
	if !(passage{{Line: l, reading: again}}).legible() {
		return r, looks, nil
	}
	clearer := vowels && text.Legibility(again) >= text.Legibility(r)
	digits, letters := kindsOf(r.Symbols())
	moreDigits, moreLetters := kindsOf(again.Symbols())
	other := 3*moreDigits >= 2*digits && moreLetters <= letters && numberSigns(again.Symbols()) != numberSigns(r.Symbols())
	if clearer || other {
		return again, looks, nil
	}
	return r, looks, nil
}

// vowelledLooks reads a line with vowel signs in several cuts. looks are these, the lowest cut by the reader of words, and r, and what the
// line says without its vowel signs.
func (g *Reader) vowelledLooks(
	ctx context.Context, luma vision.Plane, p page, l text.Line, r *text.Reading,
) (seen []*text.Reading, looks text.Looks, err error) {
	seen, err = g.readTrimmed(ctx, g.signs, luma, p, l, vowelledTrims)
	if err != nil {
		return nil, looks, err
	}
	closest, err := g.readTrimmed(ctx, g.words, luma, p, l, vowelledTrims[len(vowelledTrims)-1:])
	if err != nil {
		return nil, looks, err
	}
	looks.Cuts = append(append(closest, seen...), r)
	looks.Bare, err = g.readBare(ctx, luma, p, l)
	return seen, looks, err
}

// readBare reads a line without its vowel signs, by both readers; nothing where it shows none.
func (g *Reader) readBare(ctx context.Context, luma vision.Plane, p page, l text.Line) (looks []*text.Reading, err error) {
	bare, at, ok := ink.Unvowelled(luma, p.h, l)
	if !ok {
		return nil, nil
	}
	here := vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}
	if at, err = g.words.Level(ctx, bare, here, at); err != nil {
		return nil, err
	}
	for _, reader := range []*text.LineReader{g.words, g.signs} {
		r, err := reader.ReadIn(ctx, bare, here, at)
		if err != nil {
			return nil, err
		}
		looks = append(looks, r)
	}
	return looks, nil
}

// trim says how a line is cut beside where it was found: so many heights further down, and so many times as high.
type trim struct{ down, higher float64 }

// untrimmed cuts a line where it was found.
var untrimmed = []trim{{0, 1}}

// vowelledTrims are the cuts of a line with vowel signs. Those above it make the line seem higher by a fifth to a half than its
// letters, and to lie somewhat too high, so that these came out small.
var vowelledTrims = []trim{{0, 1}, {0.08, 1}, {0.08, 0.85}, {0.1, 0.7}}

// readTrimmed reads a line in several cuts.
func (g *Reader) readTrimmed(
	ctx context.Context, reader *text.LineReader, luma vision.Plane, p page, l text.Line, trims []trim,
) (looks []*text.Reading, err error) {
	for _, c := range trims {
		r, err := reader.ReadIn(ctx, luma, p.h, l.Moved(c.down, c.higher))
		if err != nil {
			return nil, err
		}
		looks = append(looks, r)
	}
	return looks, nil
}

// mostLegible is the most legible one of readings, of which there is at least one.
func mostLegible(looks []*text.Reading) *text.Reading {
	return slices.MaxFunc(looks, func(a, b *text.Reading) int { return cmp.Compare(text.Legibility(a), text.Legibility(b)) })
}

// kindsOf counts the digits from 1 to 9, which no separator looks like, and the Latin letters, for which the boxes of digits are taken.
func kindsOf(symbols []text.Symbol) (digits, letters int) {
	for _, s := range symbols {
		switch {
		case unicode.IsDigit(s.Rune) && s.Rune != '0' && s.Rune != '٠':
			digits++
		case unicode.Is(unicode.Latin, s.Rune):
			letters++
		}
	}
	return digits, letters
}

// numberSigns are the signs of which numbers consist, as they stand in a line.
func numberSigns(symbols []text.Symbol) string {
	var out strings.Builder
	for _, s := range symbols {
		if unicode.IsDigit(s.Rune) || isSeparator(s.Rune) || strings.ContainsRune("%٪+=()", s.Rune) {
			out.WriteRune(s.Rune)
		}
	}
	return out.String()
}

// holdsNumber reports whether a line holds a number of several signs in Arabic-Indic digits, whose separators look like zeros. The number
// of a footnote in brackets is none.
func holdsNumber(symbols []text.Symbol) bool {
	before := ' '
	for _, s := range symbols {
		digit, separator := s.Rune >= '٠' && s.Rune <= '٩', isSeparator(s.Rune) || s.Rune == '%' || s.Rune == '٪'
		beforeDigit := before >= '٠' && before <= '٩'
		if digit && (beforeDigit || isSeparator(before) || before == '%' || before == '٪') || beforeDigit && separator {
			return true
		}
		before = s.Rune
	}
	return false
}

// How many small pieces of ink a letter has in lines with vowel signs: lines of two scanned books without them have at most one. Where
// signs run together with each other or with letters, those that have some have fewer, more than the half of plain lines. perhapsVowels was
// chosen on 29 November 2026: the card of text_general has the figures.
const (
	surelyVowels  = 1.0
	perhapsVowels = 0.75
)

// marksOfLetter is how many of so many small pieces of ink a line of Arabic has for each letter; 0 where it has too few letters to tell.
func marksOfLetter(symbols []text.Symbol, marks int) float64 {
	const fewLetters = 4
	letters := 0
	for _, s := range symbols {
		if unicode.Is(unicode.Arabic, s.Rune) && unicode.IsLetter(s.Rune) {
			letters++
		}
	}
	if letters < fewLetters {
		return 0
	}
	return float64(marks) / float64(letters)
}
