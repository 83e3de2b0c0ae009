package card

import (
	"context"
	"strings"
	"unicode"

	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// secondLook returns how a line is read by the reader of numbers and vowel signs where it holds any: of lines with vowel signs always,
// of those with numbers where it sees another number. Otherwise, and where it cannot read the line, it is r.
func (g *GeneralReader) secondLook(ctx context.Context, luma vision.Plane, p page, l text.Line, r *text.Reading) (*text.Reading, error) {
	vowels := holdsVowels(r.Symbols(), text.Marks(luma, p.h, l))
	if !vowels && !holdsNumber(r.Symbols()) {
		return r, nil
	}
	again, err := g.signs.ReadIn(ctx, luma, p.h, l)
	if err != nil {
		return nil, err
	}
	if !(passage{{Line: l, reading: again}}).legible() {
		return r, nil
	}
	digits, letters := kindsOf(r.Symbols())
	moreDigits, moreLetters := kindsOf(again.Symbols())
	if vowels || 3*moreDigits >= 2*digits && moreLetters <= letters && numberSigns(again.Symbols()) != numberSigns(r.Symbols()) {
		return again, nil
	}
	return r, nil
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

// holdsNumber tells whether a line holds a number of several signs in Arabic-Indic digits, whose separators look like zeros. The number of
// a footnote in brackets is none.
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

// holdsVowels tells whether a line of Arabic has so many small pieces of ink that vowel signs must be among them. Lines of two scanned
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
