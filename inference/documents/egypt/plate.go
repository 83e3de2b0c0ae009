package egypt

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/arabic"
	"github.com/bawab/bawab/appliance/egypt/plate"
	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/ink"
	"github.com/bawab/bawab/inference/text"
)

// plateLine is the grammar of what plates of vehicles show: letters that stand alone, and a number.
type plateLine struct{ shapes shapes }

// fewestLetters is how many letters plates have at least: of fewer, one was overlooked. mostLetters is how many they have at the most.
const fewestLetters, mostLetters = 2, 3

// mostFigures is how many digits the number of a plate is taken for at most, one too many, and mostGroup how many each of the two groups of
// a diplomat's has, which shows no letters.
const mostFigures, mostGroup = 5, 4

// plateMarks are the signs about those of a plate; parting ones stand between them, a blank or what the sides of boxes are read as.
const plateMarks, partingMarks = " :-–،.,*|", " ()[]|\\/"

// plateSigns are how many letters of a line stand alone, how many stand in words, and how many digits and zeros it has.
type plateSigns struct{ single, joined, figures, zeros int }

// plateSignsOf counts the signs of some words. Beside a number a lone digit is a misread letter.
func plateSignsOf(words []string) (s plateSigns) {
	number := slices.ContainsFunc(words, func(w string) bool { return len(digits(w)) > 1 })
	for _, w := range words {
		w = strings.Trim(w, plateMarks)
		n, signs := len(digits(w)), utf8.RuneCountInString(w)
		switch {
		case signs == 1 && (number || n == 0):
			s.single++
			continue
		case signs > n+1:
			s.joined += signs - n
		case signs > n:
			s.single++
		}
		s.figures += n
		s.zeros += strings.Count(w, "0")
	}
	return s
}

// Match is high for a number of three or four digits and a few letters that stand alone. Beside these a lone digit is the number, as some
// owners' plates have it.
func (plateLine) Match(what string) float64 {
	words := strings.FieldsFunc(arabic.FoldDigits(arabic.Clean(what)), func(r rune) bool { return strings.ContainsRune(partingMarks, r) })
	s := plateSignsOf(words)
	letters := s.single + s.joined
	if s.figures < 2 && !s.short(words) || s.figures > figuresOf(letters, len(words)) || letters > 2*mostLetters || dated(what) {
		return 0
	}
	return s.like(words)
}

// short reports whether signs of some words are letters and one digit at one end of them: elsewhere it is a misread letter.
func (s plateSigns) short(words []string) bool {
	letters := s.single + s.joined
	if s.figures != 1 || letters < fewestLetters || letters > mostLetters {
		return false
	}
	outer := digits(words[0]) == words[0] || digits(words[len(words)-1]) == words[len(words)-1]
	return outer && (s.joined == 0 || lettersOfPlates(words))
}

// like says, 0 to 1, how much signs of so many words are like those of a plate.
func (s plateSigns) like(words []string) float64 {
	letters := s.single + s.joined
	like := 0.4 + 0.15*float64(min(s.single, mostLetters)) - 0.08*float64(s.joined) - 0.1*float64(s.zeros)
	switch {
	case letters > 0 && s.figures < 3 && lettersOfPlates(words):
		like -= 0.04
	case letters > 0 && s.figures < 3:
		like -= 0.08
	case s.single == 2 && s.joined == 0 && lettersOfPlates(words): // contract: most governorates have plates of two letters
		like += 0.15
	case letters == 0 && len(words) == 2: // geometry: two groups
		like += 0.15
	case letters == 0:
		like -= 0.2
	}
	if s.joined > 0 && letters <= mostLetters {
		like += 0.3
		if lettersOfPlates(words) {
			like += 0.15
		}
	}
	return max(0, like)
}

// lettersOfPlates reports whether all letters of some words are such as plates have: of most short words one is not.
func lettersOfPlates(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool {
		return strings.ContainsFunc(arabic.Nominal(w), func(r rune) bool { return unicode.IsLetter(r) && !plate.Carries(r) })
	})
}

// figuresOf is how many digits a plate of so many letters and words has at most.
func figuresOf(letters, words int) int {
	if letters == 0 && words == 2 { // geometry: two groups
		return 2 * mostGroup
	}
	return mostFigures
}

// dated reports whether strokes part the numbers of a line, as in a date. They may part the letters of a plate, and these from its number.
func dated(what string) bool {
	numbers := 0
	for _, p := range strings.Split(what, "/") {
		if digits(p) != "" {
			numbers++
		}
	}
	return numbers > 1
}

// Decode implements rowOfSigns.
func (r plateLine) Decode(looks []*text.Reading, signs []ink.Extent) field.Value {
	all := make([]plate.Look, len(looks))
	for i, l := range looks {
		l = ofPlate(l)
		all[i] = plate.Look{Text: l.Text(), Confidence: l.Confidence(), Score: l.Score}
	}
	known := map[string]float64{} // each look asks for the same plates
	beside := func(p plate.Plate) float64 {
		like, ok := known[p.String()]
		if !ok {
			like = r.shapes.like(signs, p)
			known[p.String()] = like
		}
		return like
	}
	best, most := 0, -1.0
	for i := range all {
		if alone, _ := plate.DecodeText(beside, all[i]); alone.Confidence > most {
			best, most = i, alone.Confidence
		}
	}
	all[0], all[best] = all[best], all[0]
	p, ok := plate.DecodeText(beside, all...)
	v := field.Value{Raw: all[0].Text}
	if groups := diplomatic(ofPlate(looks[best]).Symbols(), signs); groups != "" && len(p.Letters) == 0 {
		v.Text, v.Share, v.Odd = groups, all[0].Confidence, 1 // its letters may have been overlooked
		v.Checks = []appliance.FieldCheck{{Name: "diplomatic_groups", Passed: true}}
		return v
	}
	if !ok {
		return v
	}
	v.Text, v.Share, v.Ink = p.String(), p.Confidence, math.Log(max(p.Confidence, 1e-30))
	if p.Repaired {
		v.Repairs = append(v.Repairs, v.Raw+" read as "+v.Text+", the form of plates")
	}
	v.Checks = []appliance.FieldCheck{{Name: "plate_rules", Passed: p.Valid()}}
	if !p.Valid() {
		v.Malformed, v.Codes = true, []appliance.Code{appliance.CodePlateRule}
	}
	if len(p.Letters) < fewestLetters {
		v.Odd = 1
	}
	return v
}

// diplomatic are the two groups of digits of a diplomat's plate, the left one first; "" where signs from left to right are anything else.
// Where they are read as one number the ink tells the groups.
func diplomatic(signs []text.Symbol, ink []ink.Extent) string {
	said := ""
	for _, x := range signs {
		if x.Rune != ' ' && !unicode.IsDigit(x.Rune) {
			return ""
		}
		said += string(x.Rune)
	}
	groups := strings.Fields(arabic.FoldDigits(said))
	if len(groups) == 1 {
		n := leftGroup(ink, len(groups[0]))
		groups = []string{groups[0][:n], groups[0][n:]}
	}
	amiss := func(g string) bool { return g == "" || len(g) > mostGroup }
	if len(groups) != 2 || slices.ContainsFunc(groups, amiss) { // geometry: two groups
		return ""
	}
	return strings.Join(groups, " ")
}

// groupGap is the least gap between the two groups of a diplomat's plate, in heights of the digits, and groupTwice how many times as wide
// it is as any other.
const groupGap, groupTwice = 1.5, 2.0

// leftGroup is how many of n digits stand left of a gap much wider than all others, by their ink from the left; 0 where none is. The line
// between two boxes may stand in it, a sign more.
func leftGroup(signs []ink.Extent, n int) int {
	if n == 0 || len(signs) != n && len(signs) != n+1 {
		return 0
	}
	if len(signs) > n {
		wide := func(i int) int { return signs[i+1].Left - signs[i-1].Right }
		line := 1
		for i := 2; i < n; i++ {
			if wide(i) > wide(line) {
				line = i
			}
		}
		signs = slices.Delete(slices.Clone(signs), line, line+1)
	}
	widest, second, at := 0, 0, 0
	for i := 1; i < len(signs); i++ {
		switch gap := signs[i].Left - signs[i-1].Right; {
		case gap > widest:
			widest, second, at = gap, widest, i
		case gap > second:
			second = gap
		}
	}
	if float64(widest) < groupGap*highOf(signs) || float64(widest) < groupTwice*float64(second) {
		return 0
	}
	return at
}

// ofPlate is what a look shows of a plate.
func ofPlate(r *text.Reading) *text.Reading {
	symbols := r.Symbols()
	first, end := plateSpan(symbols)
	if first == end || end-first == len(symbols) {
		return r
	}
	return r.Part(text.Cut(symbols, first, end))
}

// plateSpan is from which to which sign a row shows a plate, the last excluded: without words about it and what stands beyond them, which
// may be a label that could not be read.
func plateSpan(symbols []text.Symbol) (first, end int) {
	end = len(symbols)
	for from := 0; from < end; from++ {
		to := from
		for to < end && unicode.IsLetter(symbols[to].Rune) {
			to++
		}
		if to-from > mostLetters && numberIn(symbols[:from]) {
			return first, max(first, from-1)
		}
		if to-from > mostLetters {
			first = min(to+1, end)
		}
		from = to
	}
	return first, end
}

// numberIn reports whether signs hold a number, of two digits at least.
func numberIn(symbols []text.Symbol) bool {
	n := 0
	for _, x := range symbols {
		if unicode.IsDigit(x.Rune) {
			n++
		}
	}
	return n > 1
}

// Lacks implements rowOfSigns.
func (plateLine) Lacks(what string) (maybe, surely bool) {
	letters := 0
	for _, r := range what {
		if r != ' ' && (r < '0' || r > '9') {
			letters++
		}
	}
	groups := letters == 0 && strings.Contains(what, " ") // of a diplomat's plate, which has none
	return letters < mostLetters, letters < fewestLetters && !groups
}
