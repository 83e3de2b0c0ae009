package card

import (
	"context"
	"strings"
	"unicode"

	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// secondLook returns how a line is read by the reader of numbers and vowel signs where it holds any: of lines with vowel signs, in the
// most legible of several cuts, where that is as legible as r, of those with numbers where it sees another number. Otherwise it is r.
func (g *GeneralReader) secondLook(ctx context.Context, luma vision.Plane, p page, l text.Line, r *text.Reading) (*text.Reading, error) {
	vowels := holdsVowels(r.Symbols(), text.Marks(luma, p.h, l))
	if !vowels && !holdsNumber(r.Symbols()) {
		return r, nil
	}
	trims := untrimmed
	if vowels {
		trims = vowelledTrims
	}
	again, err := g.readTrimmed(ctx, luma, p, l, trims)
	if err != nil {
		return nil, err
	}
	seen := passage{{Line: l, reading: again}}
	if !seen.legible() {
		return r, nil
	}
	clearer := vowels && legibility(seen) >= legibility(passage{{Line: l, reading: r}})
	digits, letters := kindsOf(r.Symbols())
	moreDigits, moreLetters := kindsOf(again.Symbols())
	other := 3*moreDigits >= 2*digits && moreLetters <= letters && numberSigns(again.Symbols()) != numberSigns(r.Symbols())
	if clearer || other {
		return again, nil
	}
	return r, nil
}

// trim says how a line is cut beside where it was found: so many heights further down, and so many times as high.
type trim struct{ down, higher float64 }

// untrimmed cuts a line where it was found.
var untrimmed = []trim{{0, 1}}

// vowelledTrims are the cuts of a line with vowel signs. Those above it make the line seem higher by a fifth to a half than its
// letters, and to lie somewhat too high, so that these came out small.
var vowelledTrims = []trim{{0, 1}, {0.08, 1}, {0.08, 0.85}, {0.1, 0.7}}

// readTrimmed reads a line in several cuts by the reader of numbers and vowel signs, and returns the most legible reading.
func (g *GeneralReader) readTrimmed(
	ctx context.Context, luma vision.Plane, p page, l text.Line, trims []trim,
) (best *text.Reading, err error) {
	most := -1.0
	for _, c := range trims {
		at := l.Moved(c.down, c.higher)
		r, err := g.signs.ReadIn(ctx, luma, p.h, at)
		if err != nil {
			return nil, err
		}
		if v := legibility(passage{{Line: at, reading: r}}); v > most {
			best, most = r, v
		}
	}
	return best, nil
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
