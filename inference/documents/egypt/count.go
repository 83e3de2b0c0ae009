package egypt

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt/number"
	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/page"
	"github.com/bawab/bawab/inference/text"
)

// count is the grammar of a number between two: a year of make, how many cylinders there are, how large they are.
type count struct {
	low, high int
	// likely is how much a number between them is like such a value.
	likely float64
	// year tells that it is a year, at most the next one, and size that it is that of an engine, which its cylinders bound.
	year, size bool
}

// The numbers that a vehicle may have: years of make, cylinders, cubic centimetres.
const (
	firstModel    = 1930
	lastModel     = 2099
	mostCylinders = 16
	leastVolume   = 40
	mostVolume    = 30000
	// leastEach and mostEach are how many cubic centimetres of one cylinder are believed: those of the largest lorries have 2,700, and engines
	// of one cylinder alone may be smaller.
	leastEach, mostEach = 100, 3000
)

// Match implements field.Grammar.
func (c count) Match(what string) float64 {
	shown := digits(what)
	other := len([]rune(strings.ReplaceAll(what, " ", ""))) - len(shown)
	n, err := strconv.Atoi(shown)
	if err != nil || other > 2*len(shown) {
		return 0
	}
	m := c.likely - 0.15*float64(other)
	if n < c.low || n > c.high {
		m -= 0.5
	}
	return max(0, m)
}

// Lengths implements field.Grammar.
func (c count) Lengths() (out []int) {
	for n := len(strconv.Itoa(c.high)); n >= len(strconv.Itoa(c.low)); n-- {
		out = append(out, n)
	}
	return out
}

// Decode implements field.Grammar.
func (c count) Decode(f field.Figures, known field.Known) field.Value {
	return c.decode(figures{f}, f.Text(), known)
}

// Spell implements field.Grammar.
func (c count) Spell(r *text.Reading, known field.Known) field.Value {
	s, ok := spelledOf(r)
	if !ok {
		return field.Value{}
	}
	return c.decode(s, s.Said, known)
}

// counted reads a number beside which a unit may stand.
type counted struct{ field.Number }

// Decode implements field.Decoder.
func (c counted) Decode(ctx context.Context, ink []*page.Ink, known field.Known) (field.Value, error) {
	return c.Number.Decode(ctx, []*page.Ink{withoutUnit(ink[0])}, known)
}

// withoutUnit is the print of a number without its unit.
func withoutUnit(ink *page.Ink) *page.Ink {
	symbols := ink.Reading().Symbols()
	if first, end, ok := besideUnit(symbols); ok {
		return new(ink.Part(text.Cut(symbols, first, end)))
	}
	return ink
}

// besideUnit is the one word that is a number, from one sign up to another, where other words are none; ok is false where there is none. A
// unit may end in a digit, as سم٣ does.
func besideUnit(symbols []text.Symbol) (first, end int, ok bool) {
	var numbers [][2]int
	words := text.Spans(symbols)
	for _, w := range words {
		if !slices.ContainsFunc(symbols[w[0]:w[1]], func(x text.Symbol) bool { return !unicode.IsDigit(x.Rune) }) {
			numbers = append(numbers, w)
		}
	}
	if len(numbers) != 1 || len(words) == 1 {
		return 0, 0, false
	}
	return numbers[0][0], numbers[0][1], true
}

func (c count) decode(shown number.Digits, raw string, known field.Known) field.Value {
	high := c.high
	if c.year {
		high = min(high, known.Now.Year()+1)
	}
	n := number.DecodeCount(shown, c.low, high)
	v := field.Value{Text: n.Value, Raw: raw, Share: n.Confidence}
	if v.Text != digits(raw) {
		v.Strange = 1
	}
	size, unread := strconv.Atoi(v.Text)
	cylinders, unknown := strconv.Atoi(known.Values["cylinder"].Text)
	if c.size && unread == nil && unknown == nil {
		v.Malformed = size > mostEach*cylinders || cylinders > 1 && size < leastEach*cylinders
		v.Checks = []appliance.FieldCheck{{Name: "size", Passed: !v.Malformed}}
	}
	return v
}
