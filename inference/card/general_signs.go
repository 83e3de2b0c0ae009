package card

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// secondLook returns how a line is read by the reader of numbers and vowel signs where it holds any: of lines with vowel signs, in the
// most legible of several cuts, where that is as legible as r, of those with numbers where it sees another number. Otherwise it is r.
// looks are all of them where the line has vowel signs.
func (g *GeneralReader) secondLook(
	ctx context.Context, luma vision.Plane, p page, l text.Line, r *text.Reading,
) (_ *text.Reading, looks []*text.Reading, err error) {
	vowels := holdsVowels(r.Symbols(), text.Marks(luma, p.h, l))
	if !vowels && !holdsNumber(r.Symbols()) {
		return r, nil, nil
	}
	trims := untrimmed
	if vowels {
		trims = vowelledTrims
	}
	seen, err := g.readTrimmed(ctx, g.signs, luma, p, l, trims)
	if err != nil {
		return nil, nil, err
	}
	if vowels {
		closest, err := g.readTrimmed(ctx, g.words, luma, p, l, trims[len(trims)-1:])
		if err != nil {
			return nil, nil, err
		}
		looks = append(append(closest, seen...), r)
	}
	again := mostLegible(seen)
	if !(passage{{Line: l, reading: again}}).legible() {
		return r, looks, nil
	}
	clearer := vowels && legibilityOf(again) >= legibilityOf(r)
	digits, letters := kindsOf(r.Symbols())
	moreDigits, moreLetters := kindsOf(again.Symbols())
	other := 3*moreDigits >= 2*digits && moreLetters <= letters && numberSigns(again.Symbols()) != numberSigns(r.Symbols())
	if clearer || other {
		return again, looks, nil
	}
	return r, looks, nil
}

// trim says how a line is cut beside where it was found: so many heights further down, and so many times as high.
type trim struct{ down, higher float64 }

// untrimmed cuts a line where it was found.
var untrimmed = []trim{{0, 1}}

// vowelledTrims are the cuts of a line with vowel signs. Those above it make the line seem higher by a fifth to a half than its
// letters, and to lie somewhat too high, so that these came out small.
var vowelledTrims = []trim{{0, 1}, {0.08, 1}, {0.08, 0.85}, {0.1, 0.7}}

// readTrimmed reads a line in several cuts.
func (g *GeneralReader) readTrimmed(
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
	return slices.MaxFunc(looks, func(a, b *text.Reading) int { return cmp.Compare(legibilityOf(a), legibilityOf(b)) })
}

// legibilityOf is the legibility of what was read in one line.
func legibilityOf(r *text.Reading) float64 { return legibility([]strand{{reading: r}}) }

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

// holdsVowels reports whether a line of Arabic has so many small pieces of ink that vowel signs must be among them. Lines of two scanned
// books without them have at most one for each letter.
func holdsVowels(symbols []text.Symbol, marks int) bool {
	const fewLetters, plain = 4, 1.0
	letters := 0
	for _, s := range symbols {
		if unicode.Is(unicode.Arabic, s.Rune) && unicode.IsLetter(s.Rune) {
			letters++
		}
	}
	return letters >= fewLetters && float64(marks) > plain*float64(letters)
}
