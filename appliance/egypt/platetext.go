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

// DecodePlateText finds the plate that a line of text shows: of those that keep the rules and differ in a sign or two from
// the best reading the one that the ink supports best, unless it is clear that the print breaks the rules. ok is false
// where the text is nothing like a plate. score is the log-probability that the ink gives to a text; nil: text stands alone.
func DecodePlateText(text string, confidence float64, score func(string) float64) (p PlateText, ok bool) {
	read, ok := ParsePlate(text)
	if !ok {
		return PlateText{}, false
	}
	p = PlateText{Plate: read, Confidence: confidence}
	if score == nil {
		return p, true
	}
	eastern := FoldDigits(text) != text
	ink := func(p Plate) float64 {
		sum := 0.0
		for _, s := range p.spellings(eastern) {
			sum += math.Exp(min(0, score(s)))
		}
		return sum
	}
	best, top := read, 0.0
	if read.Valid() {
		top = ink(read)
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
	if !read.Valid() && top < brokenPlate*confidence {
		return p, true
	}
	total := max(listed, top)
	return PlateText{best, min(1, top/(total+brokenPlate*max(0, 1-total))), best.String() != read.String()}, true
}

// spellings lists the ways in which a line shows the plate, as recognisers write them.
func (p Plate) spellings(eastern bool) []string {
	number := p.Number
	if eastern {
		number = strings.Map(func(r rune) rune { return r - '0' + '٠' }, number)
	}
	out := []string{""}
	for _, l := range p.Letters {
		n := len(out)
		for k := range n {
			switch l {
			case 'أ':
				out = append(out, out[k]+"ا ")
			case 'ى':
				out = append(out, out[k]+"ي ")
			}
			out[k] += string(l) + " "
		}
	}
	for k := range out {
		out[k] += number
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
