package lookalike

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
)

// phrase is words that stand together at one place of a design.
type phrase struct {
	text string
	x, y float64
	n    int // on how many different cards
	seen []spot
}

// spot is where a phrase stands on a card: its line, and the words of it.
type spot struct {
	card     *Card
	line     int
	from, to int
}

// Drafts bound what is written of a design.
const (
	phrasesMost  = 40
	placeApart   = 0.12 // how far apart a phrase may stand from card to card, as a share of width or height
	phraseSigns  = 80
	leastSpread  = 0.05
	valueOfShare = 0.4 // on how many of the cards of a label its value was found
)

// phrases are what at least LeastCards different cards, and half of the group, print at the same place; from top to bottom.
func (g *Group) phrases() []phrase {
	least := max(LeastCards, int(math.Ceil(shareOfGroup*float64(len(g.cards)))))
	on, texts := map[string]int{}, map[string]map[string]int{}
	for _, c := range g.cards {
		for k := range c.keys(true) {
			on[k]++
		}
	}
	found := map[string]*phrase{}
	for _, c := range g.cards {
		for i := range c.lines {
			for _, run := range runs(c.lines[i].words, func(w word) bool { return w.letters && on[w.key] >= least }) {
				key, text := joined(c.lines[i].words[run[0]:run[1]])
				if found[key] == nil {
					found[key], texts[key] = &phrase{}, map[string]int{}
				}
				found[key].seen = append(found[key].seen, spot{c, i, run[0], run[1]})
				texts[key][text]++
			}
		}
	}
	var out []phrase
	for key, p := range found {
		p.text = mostOften(texts[key])
		if p.settle(); p.n >= least && len([]rune(p.text)) <= phraseSigns {
			out = append(out, *p)
		}
	}
	slices.SortFunc(out, func(a, b phrase) int {
		return cmp.Or(cmp.Compare(a.y, b.y), cmp.Compare(b.x, a.x), strings.Compare(a.text, b.text))
	})
	return out[:min(len(out), phrasesMost)]
}

// runs are the stretches of words that hold, as from and to.
func runs(words []word, holds func(word) bool) (out [][2]int) {
	for i := 0; i < len(words); i++ {
		from := i
		for i < len(words) && holds(words[i]) {
			i++
		}
		if i > from {
			out = append(out, [2]int{from, i})
		}
	}
	return out
}

func joined(words []word) (key, text string) {
	for _, w := range words {
		key, text = key+" "+w.key, text+" "+w.text
	}
	return key, strings.TrimSpace(text)
}

func mostOften(texts map[string]int) string {
	return slices.MaxFunc(slices.Sorted(maps.Keys(texts)), func(a, b string) int { return cmp.Compare(texts[a], texts[b]) })
}

// settle finds the place of a phrase, and drops where it stands elsewhere.
func (p *phrase) settle() {
	var xs, ys []float64
	for _, s := range p.seen {
		xs, ys = append(xs, s.card.lines[s.line].x), append(ys, s.card.lines[s.line].y)
	}
	slices.Sort(xs)
	slices.Sort(ys)
	p.x, p.y = xs[len(xs)/2], ys[len(ys)/2]
	p.seen = slices.DeleteFunc(p.seen, func(s spot) bool { return math.Abs(s.card.lines[s.line].y-p.y) > placeApart })
	on := map[*Card]bool{}
	for _, s := range p.seen {
		on[s.card] = true
	}
	p.n = len(on)
}

// Draft is the begin of a description that somebody finishes: labels and regions, in the files of docs/adding-a-document.md.
type Draft struct{ Kind, Description, Labels string }

// Draft writes what the cards of a group have in common. A group of less than LeastCards different cards has nothing that may be told.
func (g *Group) Draft() (d Draft, ok bool) {
	phrases := g.phrases()
	if len(phrases) == 0 {
		return d, false
	}
	name := fnv.New32a()
	for _, p := range phrases {
		_, _ = name.Write([]byte(p.text)) // a hash takes everything
	}
	d.Kind = fmt.Sprintf("card_%08x", name.Sum32())
	values := valuesOf(phrases)
	var labels, fields strings.Builder
	title := ""
	for i, p := range phrases {
		label := fmt.Sprintf("l%d", i+1)
		v, found := values[i].region(p.n)
		if !found && title == "" {
			label, title = "title", "title title\n"
		}
		fmt.Fprintf(&labels, "%s: %s\n", label, p.text)
		if found {
			fmt.Fprintf(&fields, "field f%d %s label %s at %.2f %.2f %.2f %.2f\n", i+1, v.decoder, label, v.x, v.y, v.w, v.h)
		}
	}
	head := fmt.Sprintf(
		"# A draft from %d different cards that look alike, %.2f times as wide as high. Name kind, fields and labels, mend wordings, choose\n"+
			"# decoders, and say which fields are required and which one proves the kind.\n",
		g.Different,
		g.Aspect,
	)
	d.Description = head + "kind " + d.Kind + "\n" + title + "\n" + fields.String()
	d.Labels = fmt.Sprintf("# Labels that %d different cards have in common.\n", g.Different) + labels.String()
	return d, true
}

// value is what stands at a label of a card: where, and of which form. Its text is not kept.
type value struct {
	x, y    float64
	decoder string
}

type values []value

// claim says that a line is the value of a phrase, and how far away.
type claim struct {
	phrase int
	far    float64
}

// claim lets a label that fills its line claim the lines near it that are no labels and that no nearer label has.
func (s spot) claim(phrase int, claims map[int]claim, taken map[int]bool) {
	own := s.card.lines[s.line]
	if s.to < len(own.words) {
		return
	}
	for j, l := range s.card.lines {
		far, near := distance(own, l)
		if old, claimed := claims[j]; near && !taken[j] && (!claimed || far < old.far) {
			claims[j] = claim{phrase, far}
		}
	}
}

// valuesOf finds for each phrase what stands behind or below it, card by card. A line belongs to the nearest label.
func valuesOf(phrases []phrase) []values {
	out := make([]values, len(phrases))
	taken := map[*Card]map[int]bool{} // lines that are labels through and through
	for i, p := range phrases {
		for _, s := range p.seen {
			if taken[s.card] == nil {
				taken[s.card] = map[int]bool{}
			}
			taken[s.card][s.line] = true
			if l := s.card.lines[s.line]; s.to < len(l.words) {
				rest := l.words[s.to:]
				out[i] = append(out[i], value{l.x, l.y, decoderOf(rest)})
			}
		}
	}
	claims := map[*Card]map[int]claim{}
	for c := range taken {
		claims[c] = map[int]claim{}
	}
	for i, p := range phrases {
		for _, s := range p.seen {
			s.claim(i, claims[s.card], taken[s.card])
		}
	}
	for c, lines := range claims {
		for j, owner := range lines {
			out[owner.phrase] = append(out[owner.phrase], value{c.lines[j].x, c.lines[j].y, decoderOf(c.lines[j].words)})
		}
	}
	return out
}

// distance is how far a line stands from a label; near tells that it stands beside it or right below.
func distance(label, l line) (far float64, near bool) {
	dx, dy := math.Abs(l.x-label.x)-l.w-label.w, l.y-label.y
	beside := math.Abs(dy) < max(label.h, l.h)
	below := dy > 0 && dy < 5*max(label.h, 0.02) && dx < 0
	return max(dx, 0) + math.Abs(dy), beside || below
}

// decoderOf guesses which decoder reads a value.
func decoderOf(words []word) string {
	digits, letters := 0, 0
	for _, w := range words {
		for _, r := range w.text {
			if unicode.IsDigit(r) {
				digits++
			} else {
				letters++
			}
		}
	}
	switch {
	case letters > 0 || digits == 0:
		return "line"
	case len(words) == 3 && digits >= 6 && digits <= 8:
		return "date"
	}
	return "digits"
}

// region is where the values of a label stand and what reads them, where they were found on enough of n cards.
func (v values) region(n int) (r struct {
	x, y, w, h float64
	decoder    string
}, found bool,
) {
	if len(v) == 0 || float64(len(v)) < valueOfShare*float64(n) {
		return r, false
	}
	kinds := map[string]int{}
	var xs, ys []float64
	for _, one := range v {
		kinds[one.decoder]++
		xs, ys = append(xs, one.x), append(ys, one.y)
	}
	r.decoder = mostOften(kinds)
	r.x, r.w = spread(xs)
	r.y, r.h = spread(ys)
	return r, true
}

// spread is the median and how far most stand from it.
func spread(list []float64) (middle, most float64) {
	slices.Sort(list)
	middle = list[len(list)/2]
	return min(max(middle, 0), 1), max(leastSpread, (list[len(list)*9/10]-list[len(list)/10])/2)
}
