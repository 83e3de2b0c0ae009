package egypt

import (
	"math"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance/arabic"
)

// Terms is a list of the phrases that a field mostly holds, such as colours or fuels. It is read only and may be shared.
type Terms struct {
	terms    []phrasing
	unlisted float64 // the weight of a string that is not listed against one that is
	closed   bool    // what is like a phrase of the list is that phrase, however clear another string is
}

// phrasing is one phrase with the ways in which typists spell it.
type phrasing struct {
	folded    arabic.Measured
	spellings []string
}

// NewTerms lists phrases as documents print them. Those that differ in a kind of alef, ye or he alone are spellings of one.
func NewTerms(phrases []string) *Terms {
	t, at := &Terms{unlisted: unlisted}, map[string]int{}
	for _, p := range phrases {
		folded, spellings := arabic.Fold(p), spellingsOf(p)
		k, known := at[folded]
		if !known {
			at[folded] = len(t.terms)
			t.terms = append(t.terms, phrasing{arabic.Measure(folded), spellings})
			continue
		}
		for _, s := range spellings {
			if x := &t.terms[k]; !slices.Contains(x.spellings, s) {
				x.spellings = append(x.spellings, s)
			}
		}
	}
	return t
}

// With is the list and what another one, nil for none, holds beside: a phrase that stood twice would halve its own probability.
func (t *Terms) With(more *Terms) *Terms {
	if more == nil {
		return t
	}
	both := &Terms{terms: slices.Clone(t.terms), unlisted: t.unlisted, closed: t.closed}
	for _, m := range more.terms {
		if !slices.ContainsFunc(t.terms, func(x phrasing) bool { return x.folded.Same(m.folded) }) {
			both.terms = append(both.terms, m)
		}
	}
	return both
}

// mostSpellings is how many spellings of a phrase are tried.
const mostSpellings = 32

// spellingsOf lists the ways in which a phrase is typed: ى for a last ي, ه for a last ة, bare alefs, either digits.
func spellingsOf(phrase string) []string {
	out := []string{""}
	letters := []rune(phrase)
	for i, r := range letters {
		last := i+1 == len(letters) || letters[i+1] == ' '
		other := otherSpelling(r)
		switch {
		case r >= '0' && r <= '9':
			other = '٠' + r - '0'
		case other == 0 || other != 'ا' && !last:
			other = r
		}
		n := len(out)
		for k := range n {
			if other != r && len(out) < mostSpellings {
				out = append(out, out[k]+string(other))
			}
			out[k] += string(r)
		}
	}
	return out
}

// Term is the phrase that a field was found to hold.
type Term struct {
	// Value is the printed spelling.
	Value string
	// Confidence is the probability, 0 to 1, that Value is what is printed.
	Confidence float64
	// Listed reports whether it is one of the list.
	Listed bool
}

// What is expected of a field with a list before its ink is seen. Set by judgement on 20 November 2026.
const (
	// unlisted is the weight of a string that is not listed against one that is, hardlyUnlisted that where the list is known
	// to hold all there is.
	unlisted       = 0.005
	hardlyUnlisted = 1e-4
	// spellingTemperature makes up for how sure the recogniser is of the dots of a last letter and of a hamza.
	spellingTemperature = 2.0
	// termLikeness is the least likeness to the best reading of a phrase that is asked for.
	termLikeness = 0.5
	mostTerms    = 8
	// nats is what one unit of Distance costs where there is no ink to ask.
	nats = 5.0
	// almostListed is the likeness to a phrase of a list from which on what is none of it may be that, a thin letter overlooked, however
	// clear the ink is: كانتر as كاتر.
	almostListed = 0.75
	// closedLikeness is the least likeness to a phrase of a closed list against clear ink, word by word, and closedConfidence the most that
	// the phrase is then given, or what is like none: it is flagged.
	closedLikeness   = 0.6
	closedConfidence = 0.5
)

// close makes a list one that holds all there is.
func (t *Terms) close() *Terms {
	t.closed = true
	return t
}

// Choose finds the phrase that the ink supports best, text being its best reading, and score the log-probability that the
// ink gives to any other text; nil: a distance from text stands for it. Clear ink that is none of the list is kept, doubtful if that is
// closed or it is almost a phrase of it.
func (t *Terms) Choose(text string, logProb float64, score func(string) float64) Term {
	text = arabic.Clean(text)
	raw := Term{Value: text, Confidence: math.Exp(min(0, logProb))}
	if text == "" {
		return Term{}
	}
	if score == nil {
		score = func(s string) float64 { return logProb - nats*arabic.Distance(text, s) }
	}
	sum := map[string]float64{} // of the spellings that count as one
	best, top := "", 0.0
	for _, near := range t.near(text) {
		for _, s := range near.spellings {
			p := math.Exp(min(0, score(s)))
			sum[s] += p
			if p > top {
				best, top = s, p
			}
		}
	}
	listed, spelled := 0.0, 0.0
	for s, p := range sum {
		listed += p
		if top > 0 && arabic.Fold(s) == arabic.Fold(best) {
			spelled += math.Pow(p/top, 1/spellingTemperature)
		}
	}
	own := raw.Confidence
	if _, ok := sum[text]; ok {
		own = 0
	}
	if t.closed && (best == "" || t.unlisted*own > top) {
		if near := t.likeliest(text, score); near != "" && wordsAlike(text, near) >= closedLikeness {
			return Term{Value: near, Confidence: closedConfidence, Listed: true}
		}
	}
	if best == "" || t.unlisted*own > top {
		return t.outside(raw, best)
	}
	folded := 0.0 // the probability of the phrase, however it is spelled
	for s, p := range sum {
		if arabic.Fold(s) == arabic.Fold(best) {
			folded += p
		}
	}
	return Term{Value: best, Confidence: folded / (listed + t.unlisted*max(0, 1-listed)) / spelled, Listed: true}
}

// outside is a text that is none of the list, near being the phrase most like it: in doubt where the list holds all there is, or where the
// text is almost that phrase.
func (t *Terms) outside(text Term, near string) Term {
	if t.closed || arabic.Likeness(text.Value, near) >= almostListed {
		text.Confidence = min(text.Confidence, closedConfidence)
	}
	return text
}

// wordsAlike is the likeness of two phrases of as many words by the words that are least alike: one word of two may be quite another one,
// though the phrases are much alike. Others are compared as a whole.
func wordsAlike(a, b string) float64 {
	first, second := strings.Fields(a), strings.Fields(b)
	if len(first) != len(second) {
		return arabic.Likeness(a, b)
	}
	least := 1.0
	for i := range first {
		least = min(least, arabic.Likeness(first[i], second[i]))
	}
	return least
}

// likeliest is the spelling of a phrase of the list, one a little like a text, that the ink supports best, however little; "" where
// the ink tells of none.
func (t *Terms) likeliest(text string, score func(string) float64) (best string) {
	most := math.Inf(-1)
	for _, near := range t.near(text) {
		for _, s := range near.spellings {
			if v := score(s); v > most {
				best, most = s, v
			}
		}
	}
	return best
}

// Likeness is how much a text is like the phrase of the list that it is most like, 0 to 1.
func (t *Terms) Likeness(text string) float64 {
	folded, best, likeliest := arabic.Measure(arabic.Fold(text)), 0.0, 0
	atLeast := folded.AtLeast()
	atMost := make([]float64, len(t.terms)) // what each phrase can be alike
	for i, x := range t.terms {
		atMost[i] = 1 - atLeast(x.folded)/max(folded.Size(), x.folded.Size(), 1)
		if atMost[i] > atMost[likeliest] {
			likeliest = i
		}
	}
	for i := range t.terms { // the likeliest first: it spares looking at most others
		k := (likeliest + i) % len(t.terms)
		if atMost[k] >= best {
			best = max(best, folded.Likeness(t.terms[k].folded, best))
		}
	}
	return best
}

// Holds reports whether a text is a phrase of the list, however it is spelled.
func (t *Terms) Holds(text string) bool {
	folded := arabic.Measure(arabic.Fold(text))
	return slices.ContainsFunc(t.terms, func(x phrasing) bool { return x.folded.Same(folded) })
}

// near lists the phrases that are most like a text, the nearest first.
func (t *Terms) near(text string) []phrasing {
	type neighbour struct {
		phrasing
		likeness float64
	}
	var found []neighbour
	folded := arabic.Measure(arabic.Fold(text))
	for _, x := range t.terms {
		if l := folded.Likeness(x.folded, 0); l >= termLikeness {
			found = append(found, neighbour{x, l})
		}
	}
	slices.SortStableFunc(found, func(a, b neighbour) int {
		switch {
		case a.likeness > b.likeness:
			return -1
		case a.likeness < b.likeness:
			return 1
		}
		return 0
	})
	out := make([]phrasing, min(len(found), mostTerms))
	for i := range out {
		out[i] = found[i].phrasing
	}
	return out
}

// Foreign reports whether a text is unlike all phrases of the list.
func (t *Terms) Foreign(text string) bool { return t.Likeness(text) < termLikeness }
