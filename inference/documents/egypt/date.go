package egypt

import (
	"math"
	"strings"
	"time"

	"github.com/bawab/bawab/appliance/egypt/number"
	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/text"
)

// date is the grammar of the dates of licences, in either order.
type date struct {
	rules func(today time.Time) number.DateRules
}

// Match falls with each digit too many or too few for a date and each sign that none has.
func (date) Match(what string) float64 {
	n := len(digits(what))
	other := len([]rune(strings.NewReplacer(" ", "", "/", "", "-", "", ".", "").Replace(what))) - n
	missing := 0.0
	switch {
	case n < 6:
		missing = float64(6 - n)
	case n > 8:
		missing = float64(n - 8)
	}
	m := 1 - 0.2*missing - 0.15*math.Max(0, float64(other))
	if !strings.ContainsAny(what, "/-") {
		m -= 0.2
	}
	return max(0, m)
}

// Lengths implements field.Grammar: leading zeros may be left out.
func (date) Lengths() []int { return []int{8, 7, 6} }

// Decode implements field.Grammar.
func (d date) Decode(f field.Figures, known field.Known) field.Value {
	return d.decode(figures{f}, known)
}

// Spell implements field.Grammar.
func (d date) Spell(r *text.Reading, known field.Known) field.Value {
	return spelledDate(d.decode, r, known)
}

func (d date) decode(digits number.Digits, known field.Known) field.Value {
	v := number.DecodeDate(digits, d.rules(known.Now))
	out := field.Value{Text: v.Value, Raw: v.Raw, Share: v.Confidence, Repairs: v.Repairs}
	if v.Form.Short() {
		out.Strange = 1
	}
	out.Malformed = len(v.Codes) > 0 // which code that is, the description's rules say
	return out
}
