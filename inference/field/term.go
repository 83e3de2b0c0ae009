package field

import (
	"context"

	"github.com/bawab/bawab/inference/page"
)

// Vocabulary is the list of phrases that a field mostly holds.
type Vocabulary interface {
	// Likeness is how much a text is like the phrase that it is most like, 0 to 1.
	Likeness(what string) float64
	// Holds reports whether a text is one of the phrases, however it is spelled.
	Holds(what string) bool
	// Choose finds the phrase that the ink supports best: logProb is that of text, its best reading, and score gives that of any other.
	Choose(text string, logProb float64, score func(string) float64) (phrase string, share float64, listed bool)
	// With is the vocabulary with further phrases.
	With(phrases []string) Vocabulary
}

// Term reads a phrase of a vocabulary.
type Term struct{ Vocabulary Vocabulary }

// Expecting implements Expecting.
func (t Term) Expecting(values []string) Decoder { return Term{t.Vocabulary.With(values)} }

// Match implements Decoder.
func (t Term) Match(what string) float64 { return t.Vocabulary.Likeness(what) }

// Decode implements Decoder.
func (t Term) Decode(ctx context.Context, ink []*page.Ink, _ Known) (Value, error) {
	if err := lookAgain(ctx, ink); err != nil {
		return Value{}, err
	}
	for _, height := range [...]float64{ink[0].Judged().TallWord, ink[0].Judged().TallestWord} {
		if len(ink) != 1 || t.Vocabulary.Holds(ink[0].Text()) {
			break
		}
		if err := ink[0].Look(ctx, height); err != nil {
			return Value{}, err
		}
	}
	raw, confidence := joined(ink)
	if len(ink) == 1 {
		for _, look := range ink[0].Looks() { // a look that is a phrase of the list counts before one that is not
			if t.Vocabulary.Holds(look.Text()) && (!t.Vocabulary.Holds(raw) || look.Confidence() > confidence) {
				raw, confidence = look.Text(), look.Confidence()
			}
		}
	}
	v := Value{Raw: raw, Ink: logOf(confidence)}
	var score func(string) float64 // of one line; several have none
	if len(ink) == 1 {
		score = ink[0].Score
	}
	var listed bool
	if v.Text, v.Share, listed = t.Vocabulary.Choose(raw, v.Ink, score); !listed {
		v.Strange = 1
	}
	if score != nil {
		v.Ink = score(v.Text)
	}
	return v, nil
}
