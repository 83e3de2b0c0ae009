package text

import (
	"math"
	"slices"
	"strings"
)

// How several looks at a line are weighed together. Chosen on 29 November 2026 on 192 drawn lines with vowel signs in held-out fonts: the
// card of text_general has the figures.
const (
	togetherWeight = 0.3 // of Letters beside the ink, more than for one look: what stands in doubt here is which look is right
	textsOfLook    = 4   // that are weighed
	// togetherFamiliar is leastFamiliar where another look read the word.
	togetherFamiliar = -3.2
	// bareWeight is that of the looks without vowel signs beside the others, and leastBare the least that they say of a text, in nats below
	// the one that they say is the likeliest: where most of a line was painted over, all is unlikely. Chosen on 30 November 2026 on 480 drawn
	// pictures of two lines; the card of text_general has the figures.
	bareWeight = 0.6
	leastBare  = -8.0
)

// Looks are several readings of one line with vowel signs.
type Looks struct {
	Cuts []*Reading // of the line as it is
	Bare []*Reading // of the line with the vowel signs painted over that can be told from dots
}

// Together is what several looks at one line say where the letters of Arabic words make it likeliest: each sees the same ink in another
// cut, and one that reads all of it well may be less clear about a single sign. What the line says without its vowel signs counts
// beside that: of signs that were taken for dots nothing is left there, but neither is of dots that were taken for signs. It is first where
// that says so.
func (l *Letters) Together(first *Reading, looks Looks) *Reading {
	all := slices.Concat(looks.Cuts, looks.Bare)
	texts := l.gathered(all)
	top := math.Inf(-1)
	for _, text := range texts {
		top = max(top, likeliestBare(looks.Bare, text))
	}
	best, most := "", math.Inf(-1)
	for _, text := range texts {
		v := likeliest(looks.Cuts, text) + togetherWeight*l.whole(text)
		if len(looks.Bare) > 0 {
			v += bareWeight * max(likeliestBare(looks.Bare, text)-top, leastBare)
		}
		if v > most {
			best, most = text, v
		}
	}
	text := l.known(first.text, best, togetherFamiliar)
	if best == "" || text == first.text {
		return first
	}
	out, most := first, math.Inf(-1)
	for _, look := range all {
		if said, ok := look.saying(text); ok && said.logProb > most {
			out, most = said, said.logProb
		}
	}
	return out
}

// gathered are the likeliest texts of each look, and what it was read as.
func (l *Letters) gathered(looks []*Reading) (texts []string) {
	for _, look := range looks {
		found := decode(look.lettersOpen(), lettersWeighed{l, lettersWeight})
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

// likeliestBare is likeliest by looks without vowel signs. These do not tell letters with hamza, which is painted over as well, nor an open
// from a dotted ta at the end of a word, over which a sign that touches another is left.
func likeliestBare(looks []*Reading, text string) float64 {
	withoutHamza := strings.NewReplacer("أ", "ا", "إ", "ا", "آ", "ا", "ؤ", "و", "ئ", "ى")
	otherTa := strings.NewReplacer("ة ", "ه ", "ه ", "ة ")
	most := likeliest(looks, text)
	for _, other := range [...]string{withoutHamza.Replace(text), otherTa.Replace(text + " ")} {
		if other = strings.TrimSpace(other); other != text {
			most = max(most, likeliest(looks, other))
		}
	}
	return most
}
