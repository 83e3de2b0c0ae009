// Package label finds the labels of documents in lines of print that were read, by an edit distance in which what the network takes for
// possible is cheap. It knows no document: wordings are its callers'.
package label

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/bawab/bawab/inference/text"
)

// Found is a label found in a line.
type Found struct {
	Label string
	// Wording is what of it is printed, Cost how much is against that, in nats.
	Wording string
	Cost    float64
	// From and To are its place as shares of the line, from the left. First and Last are its outer signs, by index.
	From, To    float64
	First, Last int
	// Within tells that nothing parts it from the words before it, Runs that nothing parts it from those behind it, Vague that it runs on
	// and many of its signs are wrong. What stands behind it is on the side of its value.
	Within, Runs, Vague bool
	// RightToLeft tells that its script runs so, ToRight that its value stands to its right.
	RightToLeft, ToRight bool
}

// Each is what is against a label for each of its signs.
func (f *Found) Each() float64 { return f.Cost / float64(len([]rune(f.Wording))) }

// Begins reports whether no word of its line stands on the side of a label where its value does not.
func (f *Found) Begins(symbols []text.Symbol) bool {
	before := symbols[:f.First]
	if !f.ToRight {
		before = symbols[f.Last+1:]
	}
	return !slices.ContainsFunc(before, func(x text.Symbol) bool { return text.WordSign(x.Rune) })
}

// asRead are the outer signs of a label by index, the one next to its value last, and the step from one sign to the next towards that.
func (f *Found) asRead() (first, last, step int) {
	if !f.ToRight {
		return f.Last, f.First, -1
	}
	return f.First, f.Last, 1
}

// Finder finds wordings in lines. It is read only once all wordings are added, and may be shared then.
type Finder struct {
	*Judged
	wordings []wording
	variants func(rune) []rune
	whole    func(said string) bool
}

// New is a finder without wordings. variants are the signs that count as one, whole reports whether a text is a whole value.
func New(variants func(rune) []rune, whole func(said string) bool, j *Judged) *Finder {
	return &Finder{Judged: j, variants: variants, whole: whole}
}

// Add adds a wording of a label.
func (s *Finder) Add(label, said string) { s.wordings = append(s.wordings, s.newWording(label, said)) }

// wording is one wording as it is printed, its signs from left to right.
type wording struct {
	label, text string
	signs       []rune
	missing     []float64 // what it costs that each sign is not printed
	size        int       // how many they are without punctuation
	rtl         bool
	// limit is the cost up to which it is found anywhere, begun that where a label stands.
	limit, begun float64
}

func (j *Judged) newWording(label, said string) wording {
	w := wording{label: label, text: said, signs: []rune(said), rtl: text.RightToLeft(said)}
	if w.rtl {
		slices.Reverse(w.signs)
	}
	for _, s := range w.signs {
		cost := j.MissingSign
		switch {
		case unicode.IsPunct(s):
			cost = j.NoMark
		case s == ' ':
			cost = j.AnyBlank
		}
		if w.missing = append(w.missing, cost); !unicode.IsPunct(s) {
			w.size++
		}
	}
	w.limit = j.MostCost * float64(w.size)
	if w.size <= j.ShortSigns {
		w.limit = j.ShortCost * float64(w.size)
	}
	if w.begun = w.limit; w.size >= j.FairSigns {
		w.begun = j.BegunCost * float64(w.size)
	}
	return w
}

// Find returns the labels in a line that is slim times as long as its letters are high, from left to right, no two of which share a sign:
// of two that do, the one that more speaks for. fromLeft tells that labels stand left of their values, whatever their script.
func (s *Finder) Find(r *text.Reading, slim float64, fromLeft bool) []Found {
	costs := newCosts(r, slim, s.variants, s.Judged)
	costs.fromLeft = fromLeft
	costs.value = func(first, last int) bool {
		return s.whole(r.Part(costs.symbols[first].Start, costs.symbols[last].End).Text())
	}
	var all []Found
	for _, w := range s.wordings {
		for _, f := range costs.spots(w) {
			if f.Within = !costs.standsApart(&f); !f.Within || strings.Contains(w.text, " ") {
				all = append(all, f)
			}
		}
	}
	merit := func(f Found) float64 { return float64(len([]rune(f.Wording))) - s.CostMerit*f.Cost } // the more of it is printed, the more
	slices.SortStableFunc(all, func(a, b Found) int {
		return cmp.Or(cmp.Compare(merit(b), merit(a)), cmp.Compare(len(b.Wording), len(a.Wording)))
	})
	var out []Found
	for _, f := range all {
		if !slices.ContainsFunc(out, func(o Found) bool { return f.First <= o.Last && o.First <= f.Last }) {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b Found) int { return cmp.Compare(a.First, b.First) })
	return out
}

// signCosts are the signs of a line and what it costs to take each for another one.
type signCosts struct {
	*Judged
	reading  *text.Reading
	symbols  []text.Symbol
	slim     float64 // how many times its height the line is long
	variants func(rune) []rune
	known    map[rune]signCost
	each     [][]float64 // what the signs of the wording at hand cost
	fromLeft bool
	// value reports whether what stands from one sign to another, the last included, is a whole value.
	value func(first, last int) bool
}

// signCost is what it costs that each sign of a line is a certain one, and the least of that.
type signCost struct {
	each  []float64
	least float64
}

func newCosts(r *text.Reading, slim float64, variants func(rune) []rune, j *Judged) *signCosts {
	return &signCosts{Judged: j, reading: r, symbols: r.Symbols(), slim: slim, variants: variants, known: map[rune]signCost{}}
}

// costs is what it costs that each sign of the line is one of a wording. Many wordings have the same signs.
func (c *signCosts) costs(sign rune) signCost {
	if known, ok := c.known[sign]; ok {
		return known
	}
	variants := c.variants(sign) // they are the same in wordings
	weights, k := make([]float64, len(c.symbols)), signCost{make([]float64, len(c.symbols)), math.Inf(1)}
	for _, v := range variants {
		for i, weight := range c.reading.SignWeights(v) {
			weights[i] = max(weights[i], weight)
		}
	}
	for i, x := range c.symbols {
		if !slices.Contains(variants, x.Rune) {
			k.each[i] = max(0, min(c.WrongSign, math.Log(max(x.Prob, 1e-9)/max(weights[i], 1e-9))))
		}
		k.least = min(k.least, k.each[i])
	}
	c.known[sign] = k
	return k
}

// blank is how wide the blank beside a sign is, in heights of the line, in the direction of a step; less than 0 where nothing stands there.
func (c *signCosts) blank(sign, step int) float64 {
	return text.BlankBeside(c.symbols, sign, step) * c.slim
}

// standsApart reports whether a label begins its line, stands apart from what is before it, farther than its words do, or has a colon
// behind it. Latin letters that a digit touches are a part of a number.
func (c *signCosts) standsApart(f *Found) bool {
	first, _, step := f.asRead()
	gap, usual := c.blank(first, -step), 0.0
	if blanks := text.Blanks(c.symbols); len(blanks) > 1 { // one of them is that before the label
		usual = slices.Min(blanks) * c.slim
	}
	touched := !f.RightToLeft && (unicode.IsDigit(text.SignAt(c.symbols, f.First-1)) || unicode.IsDigit(text.SignAt(c.symbols, f.Last+1)))
	return !touched && (gap < 0 || gap > max(c.Apart, c.Wider*usual)) || c.colon(f)
}

// colon reports whether a colon stands behind a label.
func (c *signCosts) colon(f *Found) bool {
	_, last, step := f.asRead()
	return text.SignAt(c.symbols, last+step) == ':' || text.SignAt(c.symbols, last+2*step) == ':' // geometry: a blank may stand before it
}

// runs reports whether what stands behind a label is no farther from it than a word: no colon, and no blank that a label has before it.
func (c *signCosts) runs(f *Found) bool {
	_, last, step := f.asRead()
	gap := c.blank(last, step)
	return gap >= 0 && gap < c.Apart && !c.colon(f)
}

// parted reports whether the blank behind a label is wider than those between the words that stand there.
func (c *signCosts) parted(f *Found) bool {
	_, last, step := f.asRead()
	widest := c.UsualBlank
	for i := last + step; i >= 0 && i < len(c.symbols); i += step {
		if text.WordSign(c.symbols[i].Rune) {
			widest = max(widest, c.blank(i, step))
		}
	}
	return c.blank(last, step) > c.Wider*widest
}

// stands reports whether a label of many wrong letters may be one: it begins its line or, of several words, stands apart, and is no value.
func (c *signCosts) stands(f *Found, w wording) bool {
	marked := w.size >= c.LongSigns || c.colon(f) || c.parted(f)
	return marked && (f.Begins(c.symbols) || strings.Contains(w.text, " ") && c.standsApart(f)) && !c.value(f.First, f.Last)
}

// path is the cheapest way to have a part of a wording end at a sign of the line: its cost, and the sign at which it begins.
type path struct {
	cost  float64
	first int
}

// prepare takes up a wording, and reports whether that can be cheap enough wherever its signs stand: most lack too many of theirs.
func (c *signCosts) prepare(w wording) bool {
	sum := 0.0
	c.each = c.each[:0]
	for n, sign := range w.signs {
		cost := c.costs(sign)
		if sum += min(cost.least, w.missing[n]); sum > max(w.limit, w.begun) {
			return false
		}
		c.each = append(c.each, cost.each)
	}
	return true
}

// spots finds a wording in the line wherever it is cheap enough: the cheapest of each stretch.
func (c *signCosts) spots(w wording) (out []Found) {
	if !c.prepare(w) {
		return nil
	}
	before, row := make([]path, len(w.signs)+1), make([]path, len(w.signs)+1)
	best := Found{Cost: math.Inf(1)}
	done := func() {
		if best.Cost <= w.limit || best.Cost <= w.begun && c.stands(&best, w) {
			best.Runs = c.runs(&best)
			best.Vague = best.Runs && best.Cost > w.limit
			out = append(out, best)
		}
		best = Found{Cost: math.Inf(1)}
	}
	for n, missing := range w.missing {
		before[n+1].cost = before[n].cost + missing
	}
	for i := range c.symbols {
		row[0] = c.begin(before[0], i)
		for n := 1; n <= len(w.signs); n++ {
			row[n] = c.step(before, row, i, n, w.missing[n-1], c.each[n-1][i])
		}
		end := row[len(w.signs)]
		if best.Cost < math.Inf(1) && end.first > best.Last {
			done()
		}
		if end.cost < best.Cost && end.first <= i && text.WholeWords(c.symbols, end.first, i) {
			best = Found{Label: w.label, Wording: w.text, Cost: end.cost, First: end.first, Last: i, RightToLeft: w.rtl}
			best.ToRight = !w.rtl || c.fromLeft
			best.From, best.To = c.symbols[end.first].Start, c.symbols[i].End
		}
		before, row = row, before
	}
	done()
	return out
}

// begin is the cheapest way to have a wording begin behind the i-th sign: with a word, or with the surplus of one that began before.
func (c *signCosts) begin(before path, i int) path {
	if i+1 == len(c.symbols) || text.WordBounds(c.symbols, i) {
		return path{0, i + 1}
	}
	return path{before.cost + c.SurplusSign, before.first}
}

// step is the cheapest way to have the first n signs of a wording end at the i-th sign of the line, which costs taken as the last of
// them, and missing if that is not printed.
func (c *signCosts) step(before, row []path, i, n int, missing, taken float64) path {
	surplus := c.SurplusSign
	if c.symbols[i].Rune == ' ' {
		surplus = c.AnyBlank
	}
	best := path{before[n-1].cost + taken, before[n-1].first}
	for _, o := range [...]path{{before[n].cost + surplus, before[n].first}, {row[n-1].cost + missing, row[n-1].first}} {
		if o.cost < best.cost {
			best = o
		}
	}
	return best
}
