package text

import (
	"math"
	"slices"
)

// How several looks at a line are weighed together. Chosen on 29 November 2026 on 192 drawn lines with vowel signs in held-out fonts: the
// card of text_general has the figures.
const (
	togetherWeight = 0.3 // of Letters beside the ink, more than for one look: what stands in doubt here is which look is right
	textsOfLook    = 4   // that are weighed
	// togetherFamiliar is leastFamiliar where another look read the word.
	togetherFamiliar = -3.2
)

// Together is what several looks at one line say where the letters of Arabic words make it likeliest: each sees the same ink in another
// cut, and one that reads all of it well may be less clear about a single sign. It is first where that says so.
func (l *Letters) Together(first *Reading, looks []*Reading) *Reading {
	best, most := "", math.Inf(-1)
	for _, text := range l.gathered(looks) {
		if v := likeliest(looks, text) + togetherWeight*l.whole(text); v > most {
			best, most = text, v
		}
	}
	text := l.known(first.text, best, togetherFamiliar)
	if best == "" || text == first.text {
		return first
	}
	out, most := first, math.Inf(-1)
	for _, look := range looks {
		if said, ok := look.saying(text); ok && said.logProb > most {
			out, most = said, said.logProb
		}
	}
	return out
}

// gathered are the likeliest texts of each look, and what it was read as.
func (l *Letters) gathered(looks []*Reading) (texts []string) {
	for _, look := range looks {
		found := decode(look.lettersOpen(), l)
		found = append(found[:min(len(found), textsOfLook)], Hypothesis{Text: look.text})
		for _, h := range found {
			if h.Text != "" && !slices.Contains(texts, h.Text) {
				texts = append(texts, h.Text)
			}
		}
	}
	return texts
}

// likeliest is the logarithm of the probability of a text by the look that fits it best.
func likeliest(looks []*Reading, text string) float64 {
	most := math.Inf(-1)
	for _, look := range looks {
		most = max(most, look.Score(text))
	}
	return most
}

// whole is the logarithm of the weight of a text.
func (l *Letters) whole(text string) float64 {
	p := lettersBegun{}
	for _, sign := range text {
		p = l.Next(p, sign)
	}
	return l.closed(p)
}
