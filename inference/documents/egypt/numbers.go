package egypt

import (
	"math"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/arabic"
	"github.com/bawab/bawab/appliance/egypt/number"
	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/text"
)

// digits keeps Western digits and drops everything else.
func digits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, arabic.FoldDigits(s))
}

// figures are looks at digits as package egypt takes them.
type figures struct{ field.Figures }

// Cells implements number.Digits.
func (k figures) Cells(n int) []number.Cell {
	cells := make([]number.Cell, n)
	for i, c := range k.Figures.Cells(n) {
		cells[i] = c
	}
	return cells
}

// nationalNumber is the grammar of national numbers.
type nationalNumber struct{}

// Match falls with each digit too many or too few and each other sign.
func (nationalNumber) Match(what string) float64 {
	n := len(digits(what))
	other := len([]rune(strings.ReplaceAll(what, " ", ""))) - n
	return max(0, 1-0.15*math.Abs(float64(n-number.Length))-0.1*float64(other))
}

// Lengths implements field.Grammar.
func (nationalNumber) Lengths() []int { return []int{number.Length} }

// Decode implements field.Grammar.
func (nationalNumber) Decode(f field.Figures, known field.Known) field.Value {
	k := figures{f}
	cells, shown := k.Cells(number.Length), digits(k.Text())
	evidence := number.Evidence{
		Length: k.LogLength(number.Length), Text: shown, Score: k.Score, Birth: birthCells(known), Other: otherSide(known), Today: known.Now,
	}
	n := number.Decode(cells, evidence)
	if !keepsGrammar(n) {
		if turned, ok := decodeFromRight(cells, evidence); ok {
			n = turned
		}
	}
	v := field.Value{Text: n.Value, Raw: k.Text(), Share: n.Confidence, Repairs: n.Repairs}
	v.Checks = []appliance.FieldCheck{{Name: field.GrammarCheck, Passed: keepsGrammar(n)}}
	if len(n.Value) == number.Length {
		v.Characters = n.Digits[:]
	}
	if n.Parts.Check != number.CheckUnknown {
		v.Checks = append(v.Checks, appliance.FieldCheck{Name: "check_digit", Passed: n.Parts.Check == number.CheckAgrees})
	}
	for _, c := range n.Codes {
		if c != number.CodeBirthMismatch && c != number.CodeGenderMismatch {
			v.Codes = append(v.Codes, appliance.Code(c))
		}
	}
	if n.Value != shown { // the rules found one that fits: under a finger a digit looks like another
		v.Strange = 1
	}
	return v
}

// keepsGrammar reports whether a number has a century, a day and a governorate.
func keepsGrammar(n number.Reading) bool {
	return !slices.ContainsFunc(n.Codes, func(c number.Code) bool { return c <= number.CodeGovernorate })
}

// turnedGroups says in the evidence what was done to a number.
const turnedGroups = "its groups stand from the right"

// numberGroups are the lengths of the groups in which numbers are printed.
func numberGroups() [][]int {
	return [][]int{{1, 6, 2, 5}, {1, 6, 2, 4, 1}, {1, 2, 2, 2, 2, 5}, {1, 2, 2, 2, 2, 4, 1}}
}

// decodeFromRight decodes a number whose groups stand from the right; ok is false where none of the usual groups keeps grammar and check
// digit.
func decodeFromRight(cells []number.Cell, e number.Evidence) (n number.Reading, ok bool) {
	if len(e.Text) != number.Length {
		return n, false
	}
	shown := e.Text
	e.Score = nil // of the digits as they stand
	for _, groups := range numberGroups() {
		var turned []number.Cell
		e.Text = ""
		end := number.Length
		for _, size := range groups {
			turned, e.Text = append(turned, cells[end-size:end]...), e.Text+shown[end-size:end]
			end -= size
		}
		if n = number.Decode(turned, e); keepsGrammar(n) && n.Parts.Check == number.CheckAgrees {
			n.Repairs = append(n.Repairs, turnedGroups)
			return n, true
		}
	}
	return n, false
}

// Spell implements field.Grammar: fourteen digits that are a number, from the left or, where only that keeps the check digit, with their
// groups from the right.
func (nationalNumber) Spell(r *text.Reading, known field.Known) field.Value {
	s, ok := spelledOf(r)
	if !ok {
		return field.Value{}
	}
	left := spelledNumber(s, number.Length)
	n, err := number.Parse(left.Text, known.Now)
	if err == nil && n.Check != number.CheckDisagrees {
		return left
	}
	s, _ = spelledOf(r.With(fromRight(r.Symbols())))
	right := spelledNumber(s, number.Length)
	if n, err := number.Parse(right.Text, known.Now); err == nil && n.Check == number.CheckAgrees {
		right.Repairs = []string{turnedGroups}
		return right
	}
	if err != nil {
		return field.Value{}
	}
	return left
}

// anyNumber is a number of any length that serials have, without a grammar.
type anyNumber struct{}

// Match is the share of digits among the signs, less for fewer than four.
func (anyNumber) Match(what string) float64 {
	n := len(digits(what))
	return float64(n) / float64(max(len([]rune(strings.ReplaceAll(what, " ", ""))), 4))
}

// Lengths implements field.Grammar.
func (anyNumber) Lengths() []int { return []int{8, 7, 9, 6, 10, 5, 11, 4, 12, 13, 14} }

// Decode takes the likeliest length, and the likeliest digit at each place.
func (a anyNumber) Decode(f field.Figures, _ field.Known) field.Value {
	v := field.Value{Raw: f.Text()}
	best := math.Inf(-1)
	for _, n := range a.Lengths() {
		l := f.LogLength(n)
		if l <= best {
			continue
		}
		number, sum := make([]byte, n), l
		for i, c := range f.Cells(n) {
			d := 0
			for k := range c {
				if c[k] > c[d] {
					d = k
				}
			}
			number[i], sum = byte('0'+d), sum+c[d]
		}
		if sum > best {
			best, v.Text, v.Share = sum, string(number), math.Exp(min(0, sum))
		}
	}
	return v
}

// Spell implements field.Grammar.
func (a anyNumber) Spell(r *text.Reading, _ field.Known) field.Value {
	s, ok := spelledOf(r)
	if !ok {
		return field.Value{}
	}
	return spelledNumber(s, a.Lengths()...)
}

// otherSide is the number as this transaction read it on another document of the holder.
func otherSide(known field.Known) []number.Cell {
	for _, d := range known.Earlier {
		f := d.Field("idNumber")
		if d.Kind.Facts().OtherSide == "" || len(f.Value) != number.Length {
			continue
		}
		return number.CellsOf(f.Value, f.Confidence, f.Characters)
	}
	return nil
}
