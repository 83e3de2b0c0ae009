package egypt

import (
	"context"
	"math"
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt/number"
	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/page"
	"github.com/bawab/bawab/inference/text"
)

// surelySpelled is the share of a date of a card, or of a year or count of a licence, from which on the reader of words alone is believed:
// of 1,440 such dates on 810 pictures of development (28 November 2026) none was wrong, nor of 598 years and counts on 226 (29 November).
// surelyDated is that of a date of a licence, whose print is smaller: of 584 on 528 none was wrong, with 0.98 one of a stranger's drawing.
const surelySpelled, surelyDated = 0.98, 0.99

// cardNumber reads the number of a national ID.
type cardNumber struct{ field.Number }

// Tells implements field.Telling: nothing else on a card has as many digits. Alone it does not show the kind, for any may show its
// holder's.
func (c cardNumber) Tells(what string) bool { return c.Match(what) == 1 }

// Decode flags a number that the rules put right, unless the reader of words or the other side tells it, too: under a finger a digit looks
// like another.
func (c cardNumber) Decode(ctx context.Context, ink []*page.Ink, known field.Known) (field.Value, error) {
	v, err := c.Number.Decode(ctx, ink, known)
	if v.Text != "" && v.Strange > 0 && v.Spelled < 1 && otherSide(known) == nil {
		v.Codes = append(v.Codes, appliance.CodeLowConfidence)
	}
	return v, err
}

// cardDate is the grammar of a date of a card, of so many digits and separators.
type cardDate struct {
	length, separators int
	decode             decodeDate
}

// decodeDate decodes the digits of a date.
type decodeDate func(digits number.Digits, known field.Known) field.Value

// release is that of a card's release, which has no day. A leading zero may be left out, but where five digits are seen the first was
// mostly overlooked.
func release() cardDate {
	return cardDate{6, 1, func(digits number.Digits, known field.Known) field.Value {
		return valueOf(number.DecodeDate(digits, number.ReleaseRules(known.Now)))
	}}
}

// expiry is that of the last day of a card, seven years after its release.
func expiry() cardDate { return cardDate{8, 2, decodeCardExpiry} }

// Match implements field.Grammar.
func (c cardDate) Match(what string) float64 { return dateLike(what, c.length, c.separators) }

// Lengths implements field.Grammar.
func (c cardDate) Lengths() []int { return []int{c.length} }

// Decode implements field.Grammar.
func (c cardDate) Decode(f field.Figures, known field.Known) field.Value {
	return c.decode(figures{f}, known)
}

// Spell implements field.Grammar.
func (c cardDate) Spell(read *text.Reading, known field.Known) field.Value {
	return spelledDate(c.decode, read, known)
}

func decodeCardExpiry(digits number.Digits, known field.Known) field.Value {
	released := known.Values[releaseField]
	v := valueOf(number.DecodeExpiry(digits, released.Text, released.Share, known.Now))
	switch {
	case v.Text == "":
	case released.Text == "": // it may be the release itself, printed as a day
		v.Codes = append(v.Codes, appliance.CodeLowConfidence)
	default:
		kept := number.KeepsValidity(released.Text, v.Text)
		v.Checks = append(v.Checks, appliance.FieldCheck{Name: "seven_years", Passed: kept})
		if !kept {
			v.Codes = append(v.Codes, appliance.CodeExpirySpan)
		}
	}
	if code := expired(v.Text, known); code != 0 {
		v.Codes = append(v.Codes, code)
	}
	return v
}

// releaseField is the field of a card that holds its release, and firstExpiring the release from which on cards expire.
const (
	releaseField  = "releaseDate"
	firstExpiring = "2009-01-01"
)

// withoutExpiry tells that a card does not expire, or that its expiry was not found.
func withoutExpiry(known field.Known) (v field.Value) {
	if r := known.Values[releaseField].Text; r == "" || r >= firstExpiring {
		v.Codes = []appliance.Code{appliance.CodeUnreadable}
	}
	return v
}

// spelledDate is the date that the reader of words reads; none where it reads something else.
func spelledDate(decode decodeDate, read *text.Reading, known field.Known) field.Value {
	s, ok := spelledOf(read)
	if !ok {
		return field.Value{}
	}
	return decode(s, known)
}

// valueOf is a date as a value.
func valueOf(d number.Date) field.Value {
	v := field.Value{Text: d.Value, Raw: d.Raw, Share: d.Confidence, Repairs: d.Repairs}
	for _, c := range d.Codes {
		v.Codes = append(v.Codes, appliance.Code(c))
	}
	seen := strings.Count(d.Raw, "/") + strings.Count(d.Raw, "-")
	if d.Form.Short() || v.Text != "" && seen == 1 && len(digits(d.Raw)) > 6 { // a digit may be covered, or lost with a separator
		v.Strange, v.Codes = 1, append(v.Codes, appliance.CodeLowConfidence)
	}
	return v
}

// dateLike says how much a text is like a date of so many digits and separators.
func dateLike(what string, length, separators int) float64 {
	n := len(digits(what))
	seen := strings.Count(what, "/") + strings.Count(what, "-") + strings.Count(what, ".")
	other := len([]rune(strings.ReplaceAll(what, " ", ""))) - n - seen
	lacking, more := max(0, separators-seen), max(0, seen-separators)
	return max(0, 1-0.2*math.Abs(float64(n-length))-0.15*math.Max(0, float64(other))-0.5*float64(lacking)-0.1*float64(more))
}
