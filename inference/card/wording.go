package card

import (
	"math"

	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/text"
)

// decoded is what a piece of a line says in the wording of its kind, and how sure that is, 0 to 1: the share of the best
// text among all that some look at the piece allows, each weighed by its mean probability over the looks.
func (w script) decoded(wording *egypt.Wording) (best string, sure float64) {
	if wording == nil || w.decode == nil || w.text == "" {
		return w.text, w.confidence
	}
	looks := w.looks
	if len(looks) == 0 {
		looks = []script{w}
	}
	texts := map[string]text.Hypothesis{}
	for _, look := range looks {
		for _, h := range look.decode(wording) {
			texts[h.Text] = h
		}
	}
	top, total := math.Inf(-1), 0.0
	merits := map[string]float64{}
	for t, h := range texts {
		ink := 0.0
		for _, look := range looks {
			ink += math.Exp(look.score(t)) / float64(len(looks))
		}
		h.Ink = math.Log(ink)
		if merits[t] = h.Merit(); merits[t] > top || merits[t] == top && t < best {
			best, top = t, merits[t]
		}
	}
	for _, m := range merits {
		total += math.Exp(m - top)
	}
	if math.IsInf(top, -1) {
		return w.text, w.confidence
	}
	return best, 1 / total
}
