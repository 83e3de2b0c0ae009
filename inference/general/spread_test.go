package general

import (
	"math"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
)

// Property: what stands before and behind a number in its row is left of a piece of text that was read over both, where it stood.
func TestBeyondNumber(t *testing.T) {
	symbols := printedSigns("مقر ٣ ٤ ٥")
	for i := range symbols {
		symbols[i].Start, symbols[i].End = float64(i)/9, float64(i+1)/9
	}
	s := strand{Line: text.Line{Start: appliance.Point{X: 100, Y: 50}, End: appliance.Point{X: 280, Y: 50}, Height: 20}}
	s.reading = new(text.Reading).With(symbols)
	rest := s.beyond(text.Line{Start: appliance.Point{X: 190, Y: 50}, End: appliance.Point{X: 400, Y: 50}, Height: 20})
	if len(rest) != 1 || rest[0].Start.X != 100 || rest[0].End.X < 160 || rest[0].End.X > 190 {
		t.Errorf("beside the number stands %+v", rest)
	}
	if rest := s.beyond(text.Line{Start: appliance.Point{X: 90, Y: 50}, End: appliance.Point{X: 300, Y: 50}, Height: 20}); len(rest) != 0 {
		t.Errorf("beside a number over all of it stands %+v", rest)
	}
}

// Property: digits further apart than in any face are told, and words that end there; a letter far from a word is none of it.
func TestDigitsApart(t *testing.T) {
	at := func(line string, places ...float64) strand {
		symbols := printedSigns(line)
		for i := range symbols {
			symbols[i].Start, symbols[i].End, symbols[i].Prob = (places[i]-5)/400, (places[i]+5)/400, 1
		}
		return strand{Line: text.Line{End: appliance.Point{X: 400}, Height: 20}, reading: new(text.Reading).With(symbols)}
	}
	for _, c := range []struct {
		s      strand
		wide   bool
		letter float64 // where the word begins, 0 for none
	}{
		{at("١٢٣٤", 10, 50, 90, 130), true, 0},
		{at("١٢٣٤", 10, 25, 40, 55), false, 0},
		{at("ا٢مقرلا", 10, 50, 90, 102, 114, 126, 138), false, 85},
		{at("اقم رلا", 10, 50, 62, 70, 82, 94, 106), false, 77},
	} {
		word := 0.0
		if w := c.s.words(); len(w) > 0 {
			word = 400 * w[0][0]
		}
		if got := c.s.wider(widestPitch); got != c.wide || math.Abs(word-c.letter) > 0.01 {
			t.Errorf("%q: far apart %v, a word at %v", written(c.s.reading.Symbols()), got, word)
		}
	}
}

// Property: separators between digits are told from those before or behind a number, and beside words.
func TestSeparatedDigits(t *testing.T) {
	for line, want := range map[string]bool{
		"٠٤.٠٤.٢٠٢٣": true, "٦٧٥ . ٢٥ غلبملا": true, "12/30": true,
		".٦٧٥٢٥": false, "٦٧٥٢٥.": false, "٣ . ةدام ٤": false, "١٢٣ ٤٥": false, "": false,
	} {
		if got := (passage{{reading: new(text.Reading).With(printedSigns(line))}}).separated(); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

// Property: a row of digits and of what the sides of boxes are read as may be a number whose digits stand apart; beside words that are
// surely some it is none unless these are left out.
func TestSpreadable(t *testing.T) {
	read := func(line string) row {
		symbols := printedSigns(line)
		for i := range symbols {
			n := float64(len(symbols))
			symbols[i].Start, symbols[i].End, symbols[i].Prob = float64(i)/n, float64(i+1)/n, 1
		}
		at := text.Line{End: appliance.Point{X: 15 * float64(len(symbols))}, Height: 20}
		return row{passage: passage{{Line: at, reading: new(text.Reading).With(symbols)}}}
	}
	for line, want := range map[string][2]bool{
		"[٢|٩|٠|١|٧]": {true, true}, "١٢٣٤": {false, false}, "١٢٣٤٥ باسحلا مقر ديدجلا": {false, true},
		"بستغ٢,٩,٠,١,٧": {true, true},
	} {
		r := read(line)
		if got := [2]bool{r.spreadable(false), r.spreadable(true)}; got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}
