package field

import (
	"context"
	"math"
	"unicode"

	"github.com/bawab/bawab/inference/page"
	"github.com/bawab/bawab/inference/text"
)

// isDigit tells whether a sign is a digit of any script.
func isDigit(r rune) bool { return unicode.IsDigit(r) }

// Spelling settles how a line is spelled that no list can hold, such as a name in capitals.
type Spelling interface {
	// Match says, 0 to 1, how much a text is like such a line.
	Match(what string) float64
	// Settle is the text as it is spelled, what its share is among other spellings, and whether it is odd: like none that is known.
	Settle(what string, confidence float64, score func(string) float64) (text string, share float64, odd bool)
}

// Plain reads lines that the ink alone tells.
type Plain struct{ Spelling Spelling }

// Match implements Decoder.
func (p Plain) Match(what string) float64 { return p.Spelling.Match(what) }

// Decode implements Decoder.
func (p Plain) Decode(ctx context.Context, ink []*page.Ink, _ Known) (Value, error) {
	if err := lookAgain(ctx, ink); err != nil {
		return Value{}, err
	}
	v := Value{Share: 1}
	v.Raw, _ = joined(ink)
	for i, k := range ink {
		said, share, odd := p.Spelling.Settle(k.Text(), k.Confidence(), k.Score)
		if odd {
			v.Strange++
		}
		if i > 0 {
			v.Text += " "
		}
		v.Text += said
		v.Share *= share
		v.Ink += max(k.Score(said), logOf(0))
	}
	return v, nil
}

// Serial reads a number of capitals and digits whose form is known, such as that of a card.
type Serial struct {
	// Form says what may stand at each place.
	Form text.Form
}

// Match implements Decoder: the share of the places that hold what they may.
func (s Serial) Match(what string) float64 {
	n, at := 0, 0
	for _, r := range what {
		if r == ' ' {
			continue
		}
		if at < len(s.Form) && holds(s.Form[at], r) {
			n++
		}
		at++
	}
	return float64(n) / float64(max(at, len(s.Form), 1))
}

func holds(allowed string, r rune) bool {
	for _, a := range allowed {
		if a == unicode.ToUpper(r) {
			return true
		}
	}
	return false
}

// Decode implements Decoder.
func (s Serial) Decode(ctx context.Context, ink []*page.Ink, _ Known) (Value, error) {
	if err := lookAgain(ctx, ink[:1]); err != nil {
		return Value{}, err
	}
	v := Value{Raw: ink[0].Text(), Ink: math.Inf(-1)}
	for _, look := range ink[0].Looks() {
		if f := look.Formed(s.Form); f.Text != "" && f.Share*f.Fits > v.Share {
			v.Text, v.Share, v.Ink = f.Text, f.Share*f.Fits, logOf(f.Fits)
		}
	}
	return v, nil
}
