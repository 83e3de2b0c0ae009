package field

import (
	"context"

	"github.com/bawab/bawab/inference/page"
)

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
