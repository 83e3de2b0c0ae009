package egypt

import (
	"math"
	"strings"
)

// PlateText is a plate as a line of text shows it.
type PlateText struct {
	Plate
	// Confidence is the probability in 0..1 that the plate is right.
	Confidence float64
	// Repaired tells whether the grammar of plates changed what was read.
	Repaired bool
}

// Weights set by judgement on 20 November 2026.
const (
	// brokenPlate is the weight of a text that breaks the rules of plates against one that keeps them.
	brokenPlate = 0.01
	plateRounds = 2
)

// DecodePlateText finds the plate that a line of text shows: of those that keep the rules the one that the ink supports
// best, looked for around the best reading, unless it is clear that the print breaks the rules. ok is false where the text
// is nothing like a plate. score is the log-probability that the ink gives to a text; nil: text stands alone.
func DecodePlateText(text string, confidence float64, score func(string) float64) (p PlateText, ok bool) {
	read, exact := ParsePlate(text)
	if score == nil {
		return PlateText{Plate: read, Confidence: confidence}, exact
	}
	eastern := FoldDigits(text) != text
	ink := func(p Plate) float64 {
		sum := 0.0
		for _, s := range p.spellings(eastern) {
			sum += math.Exp(min(0, score(s)))
		}
		return sum
	}
	best, top := Plate{}, 0.0
	for _, start := range nearPlates(text) {
		if v := ink(start); v > top || best.Number == "" {
			best, top = start, v
		}
	}
	if best.Number == "" {
		return PlateText{Plate: read, Confidence: confidence}, exact
	}
	listed := 0.0
	for range plateRounds {
		listed = 0
		from := best
		for _, n := range from.neighbours() {
			if !n.Valid() {
				continue
			}
			v := ink(n)
			listed += v
			if v > top {
				best, top = n, v
			}
		}
		if best.String() == from.String() {
			break
		}
	}
	if exact && !read.Valid() && top < brokenPlate*confidence {
		return PlateText{Plate: read, Confidence: confidence}, true
	}
	return PlateText{best, min(1, top/(listed+brokenPlate*max(0, 1-listed))), best.String() != read.String()}, true
}

// nearPlates lists plates that keep the rules and whose signs a text holds in their order, whatever else it holds.
func nearPlates(text string) (out []Plate) {
	var letters []rune
	number := ""
	for _, r := range FoldDigits(present(text)) {
		if r >= '1' && r <= '9' {
			number += string(r)
		} else if l, _ := plateLetter(r); l != 0 && strings.ContainsRune(plateLetters, l) {
			letters = append(letters, l)
		}
	}
	if len(letters) > 2*maxPlateLetters || len(number) > 2*maxPlateDigits {
		return nil
	}
	for _, l := range parts(letters, maxPlateLetters) {
		for _, n := range parts([]rune(number), maxPlateDigits) {
			if p := (Plate{l, string(n)}); p.Valid() {
				out = append(out, p)
			}
		}
	}
	return out
}

// parts lists the ways to leave out signs so that at most n are left.
func parts(signs []rune, n int) [][]rune {
	if len(signs) <= n {
		return [][]rune{signs}
	}
	var out [][]rune
	for i := range signs {
		rest := append(append([]rune{}, signs[:i]...), signs[i+1:]...)
		out = append(out, parts(rest, n)...)
	}
	return out
}

// spellings lists the ways in which recognisers write the line of a plate: with and without blanks between the letters, a
// letter as one that looks like it.
func (p Plate) spellings(eastern bool) []string {
	number := p.Number
	if eastern {
		number = strings.Map(func(r rune) rune { return r - '0' + '٠' }, number)
	}
	letters := [][]rune{p.Letters}
	for i, l := range p.Letters {
		if twin, ok := map[rune]rune{'أ': 'ا', 'ى': 'ي', 'ه': '٥'}[l]; ok {
			other := append([]rune{}, p.Letters...)
			other[i] = twin
			letters = append(letters, other)
		}
	}
	var out []string
	for _, l := range letters {
		for joined := range 1 << max(0, len(l)-1) { // a bit for each gap that shows no blank
			text := ""
			for i, r := range l {
				if text += string(r); i == len(l)-1 || joined>>i&1 == 0 {
					text += " "
				}
			}
			out = append(out, text+number)
		}
	}
	return out
}

// neighbours lists the plates that differ from one in a sign: another one, one less, one more. The plate itself is among them.
func (p Plate) neighbours() []Plate {
	out := []Plate{p}
	letters, digits := []rune(plateLetters), []rune("123456789")
	for _, v := range variants(p.Letters, letters) {
		out = append(out, Plate{v, p.Number})
	}
	for _, v := range variants([]rune(p.Number), digits) {
		out = append(out, Plate{p.Letters, string(v)})
	}
	return out
}

// variants lists the strings that differ from one in a sign.
func variants(signs, alphabet []rune) (out [][]rune) {
	edit := func(i, drop int, put ...rune) {
		v := append(append(append([]rune{}, signs[:i]...), put...), signs[i+drop:]...)
		out = append(out, v)
	}
	for i := range signs {
		edit(i, 1)
		for _, a := range alphabet {
			if a != signs[i] {
				edit(i, 1, a)
			}
		}
	}
	for i := 0; i <= len(signs); i++ {
		for _, a := range alphabet {
			edit(i, 0, a)
		}
	}
	return out
}
