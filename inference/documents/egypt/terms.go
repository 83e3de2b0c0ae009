package egypt

import (
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/field"
)

// terms is a list of phrases as a vocabulary.
type terms struct{ *egypt.Terms }

// Choose implements field.Vocabulary.
func (t terms) Choose(text string, logProb float64, score func(string) float64) (phrase string, share float64, listed bool) {
	v := t.Terms.Choose(text, logProb, score)
	return v.Value, v.Confidence, v.Listed
}

// With implements field.Vocabulary.
func (t terms) With(phrases []string) field.Vocabulary {
	return terms{t.Terms.With(egypt.NewTerms(phrases))}
}

// all is a list of all phrases that there are. What is printed clearly and is none of them is kept, in doubt: the list may lack it, and
// a phrase a little like it would be a guess.
type all struct{ terms }

// unlistedShare is the most that a text is given which the list lacks.
const unlistedShare = 0.5

// Choose implements field.Vocabulary.
func (a all) Choose(text string, logProb float64, score func(string) float64) (phrase string, share float64, listed bool) {
	phrase, share, listed = a.terms.Choose(text, logProb, score)
	if !listed {
		share = min(share, unlistedShare)
	}
	return phrase, share, listed
}

// With implements field.Vocabulary.
func (a all) With(phrases []string) field.Vocabulary {
	return all{terms{a.Terms.With(egypt.NewTerms(phrases))}}
}
