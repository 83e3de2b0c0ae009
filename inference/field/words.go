package field

import (
	"context"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/bawab/bawab/inference/page"
	"github.com/bawab/bawab/inference/text"
)

// Language is what is known of lines of one kind of words.
type Language interface {
	// Match says, 0 to 1, how much a text is like such a line.
	Match(what string) float64
	// Decode returns the texts that a look at the ink and the language allow, the best first.
	Decode(look *text.Reading) []text.Hypothesis
	// Knows reports whether a word is one of the language's.
	Knows(word string) bool
	// Witness is what else is known of each text of a line, in nats: another field may spell the same. whole is the value with the
	// text in its place.
	Witness(said, whole string, line int, known Known) float64
	// Clean writes a value as answers hold it.
	Clean(value string) string
	// Odd is what speaks against a whole value, printed in so many lines, 0 where nothing does.
	Odd(value string, lines int) float64
}

// Words reads lines of running words.
type Words struct{ Language Language }

// Match implements Decoder.
func (w Words) Match(what string) float64 { return w.Language.Match(what) }

// option is a text that some look at a line allows, with its mean log-probability over the looks and what the language makes of it.
type option struct {
	text.Hypothesis
	merit float64
}

// Decode implements Decoder.
func (w Words) Decode(ctx context.Context, ink []*page.Ink, known Known) (Value, error) {
	if err := lookAgain(ctx, ink); err != nil {
		return Value{}, err
	}
	lines, said := make([][]option, len(ink)), make([]string, len(ink))
	for i, k := range ink {
		var err error
		if lines[i], err = w.optionsOf(ctx, k); err != nil {
			return Value{}, err
		}
		said[i] = k.Text()
		if len(lines[i]) > 0 {
			said[i] = likeliest(lines[i]).Text
		}
	}
	v := Value{Share: 1}
	v.Raw, _ = joined(ink)
	for i := range ink {
		whole := func(o option) string { return strings.Join(slices.Concat(said[:i], []string{o.Text}, said[i+1:]), " ") }
		merit := func(o option) float64 { return o.merit + w.Language.Witness(o.Text, whole(o), i, known) }
		if len(lines[i]) == 0 {
			v.Share *= ink[i].Confidence()
			v.Ink += logOf(ink[i].Confidence())
			continue
		}
		best := chosen(lines[i], merit)
		said[i] = best.Text
		v.Share *= shareOf(lines[i], best, merit, w.Language)
		v.Ink += best.Ink
	}
	v.Text = w.Language.Clean(strings.Join(said, " "))
	v.Strange, v.Odd = w.strange(v.Text), w.Language.Odd(v.Text, len(ink))
	return v, nil
}

// optionsOf are the texts that the looks at a line allow together. A line whose words no list holds, though the network is sure of
// them, is looked at once more: in a face that it does not know it takes one letter for another in one size, not in the next. The
// further looks count where they leave fewer such words: unusual words that are clearly printed stay as they are.
func (w Words) optionsOf(ctx context.Context, k *page.Ink) ([]option, error) {
	options := w.options(k.Looks())
	if len(options) == 0 || len(k.Looks()) > 1 {
		return options, nil
	}
	strange := w.strange(likeliest(options).Text)
	if strange == 0 {
		return options, nil
	}
	if err := k.LookUntilAgreed(ctx); err != nil {
		return nil, err
	}
	if again := w.options(k.Looks()); len(again) > 0 && w.strange(likeliest(again).Text) < strange {
		return again, nil
	}
	return options, nil
}

// options are the texts that some looks at a line allow together.
func (w Words) options(looks []*text.Reading) (out []option) {
	seen := map[string]bool{}
	for _, look := range looks {
		for _, h := range w.Language.Decode(look) {
			if seen[h.Text] || h.Text == "" {
				continue
			}
			seen[h.Text] = true
			p := 0.0
			for _, l := range looks {
				p += math.Exp(l.Score(h.Text)) / float64(len(looks))
			}
			h.Ink = logOf(p)
			out = append(out, option{h, h.Merit()})
		}
	}
	return out
}

// likeliest is the option with the most merit of its own.
func likeliest(all []option) option { return chosen(all, func(o option) float64 { return o.merit }) }

// chosen is the option with the most merit.
func chosen(all []option, merit func(option) float64) (best option) {
	most := math.Inf(-1)
	for _, o := range all {
		if m := merit(o); m > most || m == most && o.Text < best.Text {
			best, most = o, m
		}
	}
	return best
}

// shareOf is the share of an option among all; those that are answered alike count together.
func shareOf(all []option, best option, merit func(option) float64, l Language) float64 {
	top, own, total := merit(best), 0.0, 0.0
	answer := l.Clean(best.Text)
	for _, o := range all {
		p := math.Exp(merit(o) - top)
		total += p
		if l.Clean(o.Text) == answer {
			own += p
		}
	}
	return own / max(total, 1e-30)
}

// strange counts the words without digits that the language does not know.
func (w Words) strange(line string) float64 {
	n := 0.0
	for _, word := range text.WordsOf(line) {
		if !strings.ContainsFunc(word, unicode.IsDigit) && !w.Language.Knows(word) {
			n++
		}
	}
	return n
}
