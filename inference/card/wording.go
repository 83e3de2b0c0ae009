package card

import (
	"math"
	"strings"

	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/text"
)

// saying is what a piece of a line says in the wording of its kind.
type saying struct {
	text string
	// share is the weight of the text among all that some look at the piece allows.
	share float64
	// ink is the natural logarithm of its probability by the ink, its mean over the looks.
	ink float64
	// strange is how many of its words no list holds.
	strange int
}

// choice are the texts that some look at a piece allows, weighed by their mean probability over the looks and by the wording.
type choice struct {
	wording *egypt.Wording
	texts   []option
	// spelling counts how its words are spelled, as far as the texts agree.
	spelling egypt.Spelling
}

// option is a text and how its words are spelled.
type option struct {
	text.Hypothesis
	spelling egypt.Spelling
}

// choice decodes a piece, once for each wording; nothing where the network cannot tell.
func (w *script) choice(wording *egypt.Wording) choice {
	if w.choices.wording != wording {
		w.choices = w.decoded(wording)
	}
	return w.choices
}

func (w *script) decoded(wording *egypt.Wording) choice {
	c := choice{wording: wording}
	if w.decode == nil || w.text == "" {
		return c
	}
	looks, known := w.all(), map[string]bool{}
	for _, look := range looks {
		for _, h := range look.decode(wording) {
			if known[h.Text] {
				continue
			}
			known[h.Text] = true
			ink := 0.0
			for _, look := range looks {
				ink += math.Exp(look.score(h.Text)) / float64(len(looks))
			}
			h.Ink = math.Log(max(ink, 1e-30))
			c.texts = append(c.texts, option{h, wording.Spelling(h.Text)})
		}
	}
	best, share := c.best(option.Merit)
	for _, h := range c.texts {
		c.spelling = c.spelling.Plus(h.spelling, share*math.Exp(h.Merit()-best.Merit()))
	}
	return c
}

// plain is a text as it is answered.
var plain = strings.NewReplacer("–", "-")

// best returns the text with the most merit, and the share of that of all; those that are answered alike count together.
func (c choice) best(merit func(option) float64) (best option, share float64) {
	merits, top := make([]float64, len(c.texts)), math.Inf(-1)
	for i, h := range c.texts {
		merits[i] = merit(h)
		if m := merits[i]; m > top || m == top && h.Text < best.Text {
			best, top = h, m
		}
	}
	answered, own, total := plain.Replace(best.Text), 0.0, 0.0
	for i, m := range merits {
		total += math.Exp(m - top)
		if plain.Replace(c.texts[i].Text) == answered {
			own += math.Exp(m - top)
		}
	}
	return best, own / max(total, 1)
}

// saying is what a piece says on a card whose words are spelled as a Spelling counts, its own among them. witness is what else is known of
// each text, in nats; nil: nothing.
func (w *script) saying(wording *egypt.Wording, card egypt.Spelling, witness func(text string) float64) saying {
	c := w.choice(wording)
	if len(c.texts) == 0 {
		return saying{text: w.text, share: w.confidence, ink: math.Log(max(w.confidence, 1e-30))}
	}
	elsewhere := card.Plus(c.spelling, -1)
	best, share := c.best(func(h option) float64 {
		merit := h.Merit() + text.WordingWeight*h.spelling.LogHabit(elsewhere)
		if witness != nil {
			merit += witness(h.Text)
		}
		return merit
	})
	return saying{text: best.Text, share: share, ink: best.Ink, strange: strangeWords(best.Text, wording)}
}

// strangeWords counts the Arabic words that no list of the wording holds.
func strangeWords(line string, wording *egypt.Wording) int {
	n := 0
	for _, w := range text.WordsOf(line) {
		if strings.Trim(egypt.FoldDigits(w), "0123456789") == w && !wording.Knows(w) {
			n++
		}
	}
	return n
}

// certainty is the probability that all pieces of a field were read right, in its last letter.
func certainty(sayings []saying) float64 {
	share, ink, strange, signs := 1.0, 0.0, 0, 0
	for _, v := range sayings {
		share *= v.share
		ink += v.ink
		strange += v.strange
		signs += len([]rune(v.text))
	}
	const open = 1e-4
	odds := certaintyBias + certaintyShare*math.Log((share+open)/(1-share+open)) + certaintyInk*math.Log1p(-min(0, ink)) +
		certaintyStrange*float64(min(strange, 3)) + certaintySigns*float64(signs)
	return 1 / (1 + math.Exp(-odds))
}

// The logistic fit of certainty, of 20 November 2026 on 3,808 lines of names, addresses and occupations in photographs of the
// project's generator that no training saw (seeds 7321, normal, and 7322, hard; held-out fonts; true outlines of the cards). The
// card of the network (models/text.md) has its reliability.
const (
	certaintyBias    = 0.636
	certaintyShare   = 0.735
	certaintyInk     = -0.381
	certaintyStrange = -0.864
	certaintySigns   = 0.033
)
