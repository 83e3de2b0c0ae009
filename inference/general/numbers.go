package general

import (
	"context"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/bawab/bawab/inference/bidi"
	"github.com/bawab/bawab/inference/ink"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// number is a number in a line, and how the network of numbers reads it.
type number struct {
	line       int     // of the page
	first, end int     // among its signs, the second excluded
	from, to   float64 // shares of the line
	item       bool    // what was read as a letter that numbers an item
	read       *text.Number
}

// numbered returns readings of the lines of one page in which numbers are what the network of numbers reads, where that is likelier.
// The page's numbers that are not in Western digits are all in Arabic-Indic ones or all in Persian ones, whichever their ink is rather:
// the five of the one is the open zero of the other. lines are where they were read, h maps them to the plane.
func (g *Reader) numbered(
	ctx context.Context, luma vision.Plane, h vision.Homography, lines []text.Line, read []*text.Reading,
) ([]*text.Reading, error) {
	found := doubtfulNumbers(read)
	for i, n := range found {
		var err error
		if found[i].read, err = g.numbers.ReadIn(ctx, luma, h, partOf(lines[n.line], n.from, n.to)); err != nil {
			return nil, err
		}
	}
	persian := 0.0
	for _, n := range found {
		if a, b := n.read.LogForm(text.IndicNumber), n.read.LogForm(text.PersianNumber); max(a, b) > n.read.LogForm(text.WesternNumber) {
			persian += b - a
		}
	}
	form, other := text.IndicNumber, text.PersianNumber
	if persian > 0 {
		form, other = other, form
	}
	out := slices.Clone(read)
	for _, n := range slices.Backward(found) { // so that the places of the others stay
		out[n.line] = n.judged(out[n.line], form, other, vision.Sigmoid(math.Abs(persian)))
	}
	return ink.Levelled(luma, h, lines, out), nil
}

// doubtfulNumbers are the numbers of a page of which there may be more to learn, line by line, from left to right.
func doubtfulNumbers(read []*text.Reading) (out []number) {
	sheet, indic := ofFigures(read), false
	all := make([][]number, len(read))
	for i, r := range read {
		symbols := r.Symbols()
		all[i] = numbersIn(symbols)
		indic = indic || slices.ContainsFunc(all[i], func(n number) bool { return slices.ContainsFunc(symbols[n.first:n.end], indicDigit) })
	}
	for i, r := range read {
		symbols, numbers := r.Symbols(), all[i]
		if n, ok := itemIn(symbols); ok && indic {
			numbers = append(numbers, n)
		}
		if sheet && len(numbers) == 0 && len(symbols) > 0 && len(symbols) <= fewSigns { // read as letters: it is short
			numbers = []number{{end: len(symbols), to: 1}}
		}
		for _, n := range numbers {
			if !surelyWestern(symbols[n.first:n.end]) {
				n.line = i
				out = append(out, n)
			}
		}
	}
	return out
}

// indicDigit reports whether a sign is an Arabic-Indic or a Persian digit.
func indicDigit(s text.Symbol) bool { return s.Rune > unicode.MaxASCII && unicode.IsDigit(s.Rune) }

// surelyWestern reports whether a number in Western digits is so sure that nothing is won by reading it again.
func surelyWestern(symbols []text.Symbol) bool {
	const sure = 0.98
	return !slices.ContainsFunc(symbols, func(s text.Symbol) bool { return s.Prob < sure || s.Rune > unicode.MaxASCII })
}

// faint is the least probability that counts.
const faint = 1e-6

// judged is a reading with the number in a form, or in Western digits, where that is likelier than what was read. The page may be in the
// other form: where that makes it another number, it is no surer than that it is not. The network that read the line is asked as well, by
// the least sure of its signs, but for Persian digits, of which it knows seven, and for blanks and full stops, of which it knows little.
func (n number) judged(r *text.Reading, form, other text.NumberForm, sure float64) *text.Reading {
	if n.read.LogForm(text.WesternNumber) > n.read.LogForm(form) {
		form, other = text.WesternNumber, text.WesternNumber
	}
	all := r.Symbols()
	before := all[n.first:n.end]
	signs, prob := n.read.As(form)
	if len(signs) == 0 {
		return r
	}
	now := agreed(before, signs)
	if now == nil {
		const beside = 0.1 // of what else the number may be, that it is what was read before
		surer := math.Log(max(prob, faint) / max(n.read.Prob(form, written(before)), beside*(1-prob), faint))
		zeros, none := strings.NewReplacer(" ", "", ".", "٠").Replace, strings.NewReplacer(" ", "", ".", "").Replace
		if b, s := written(before), written(signs); form != text.PersianNumber && zeros(b) != zeros(s) && none(b) != none(s) {
			surer -= logOdds(before)
		}
		now = n.likelier(before, signs, surer, prob)
	}
	if elsewise, _ := n.read.As(other); unblanked(elsewise) != unblanked(signs) {
		atMost(now, sure)
	}
	if n.item { // nothing tells a Latin letter from a digit of its shape
		atMost(now, 0.5)
	}
	return r.With(slices.Concat(all[:n.first], now, all[n.end:]))
}

// agreed are the signs of a number that two networks read alike, each as sure as the surer one; nil where they do not.
func agreed(before, signs []text.Symbol) []text.Symbol {
	if written(before) != written(signs) {
		return nil
	}
	out := slices.Clone(before)
	for i, s := range signs {
		out[i].Prob = max(out[i].Prob, s.Prob)
	}
	return out
}

// likelier are the signs of a number that two networks read in different ways, by how much surer the one of numbers is, as a logarithm of
// odds, and how sure. No sign is surer than the choice.
func (n number) likelier(before, signs []text.Symbol, surer, prob float64) []text.Symbol {
	out, chosen := slices.Clone(before), vision.Sigmoid(math.Abs(surer))
	if surer > 0 {
		out, chosen = slices.Clone(signs), min(chosen, prob)
		for i, s := range out {
			out[i].Start, out[i].End = n.from+s.Start*(n.to-n.from), n.from+s.End*(n.to-n.from)
		}
	}
	atMost(out, chosen)
	return out
}

// atMost makes no sign surer than that.
func atMost(symbols []text.Symbol, prob float64) {
	for i := range symbols {
		symbols[i].Prob = min(symbols[i].Prob, prob)
	}
}

// logOdds is the logarithm of the odds that the least probable of some signs is right.
func logOdds(symbols []text.Symbol) float64 {
	least := 1 - 1e-3
	for _, s := range symbols {
		if s.Rune != ' ' {
			least = min(least, s.Prob)
		}
	}
	return math.Log(max(least, faint) / (1 - least))
}

// written are signs as they stand from left to right.
func written(symbols []text.Symbol) string {
	out := make([]rune, len(symbols))
	for i, s := range symbols {
		out[i] = s.Rune
	}
	return string(out)
}

// unblanked are signs without the blanks.
func unblanked(symbols []text.Symbol) string { return strings.ReplaceAll(written(symbols), " ", "") }

// numbersIn finds the numbers in a line, without the blanks and the separators that stand apart about them.
func numbersIn(symbols []text.Symbol) (out []number) {
	part := numerals(symbols)
	for i := 0; i < len(symbols); {
		j := i
		for j < len(symbols) && (part[j] || symbols[j].Rune == ' ') {
			j++
		}
		if first, end := trimmed(symbols, i, j); several(symbols[first:end]) {
			from, to := reach(symbols, first, end)
			out = append(out, number{first: first, end: end, from: from, to: to})
		}
		i = j + 1
	}
	return out
}

// numerals reports for each sign of a line whether it may be one of a number: digits and what parts them, and in words with Arabic-Indic
// digits what these may have been misread as. Words of Latin letters with Western digits are no numbers.
func numerals(symbols []text.Symbol) []bool {
	out := make([]bool, len(symbols))
	for _, w := range text.Spans(symbols) {
		word := symbols[w[0]:w[1]]
		indic := slices.ContainsFunc(word, func(s text.Symbol) bool { return s.Rune >= '٠' && s.Rune <= '٩' || s.Rune == '٪' })
		if !indic && slices.ContainsFunc(word, func(s text.Symbol) bool { return bidi.Latin(s.Rune) }) {
			continue
		}
		for i, s := range word {
			misread := !unicode.Is(unicode.Arabic, s.Rune) || strings.ContainsRune("عغء", s.Rune) // the last ones are a six or a four
			out[w[0]+i] = numeral(s) || strings.ContainsRune(".,،:/-–()", s.Rune) || indic && misread
		}
	}
	return out
}

// numeral reports whether a sign is of a number wherever it stands.
func numeral(s text.Symbol) bool { return unicode.IsDigit(s.Rune) || s.Rune == '%' || s.Rune == '٪' }

// trimmed are the bounds of signs without the words at their ends that have neither a digit nor the sign of a share.
func trimmed(symbols []text.Symbol, first, end int) (from, to int) {
	within := symbols[first:end]
	from, to = end, end
	for _, w := range text.Spans(within) {
		if slices.ContainsFunc(within[w[0]:w[1]], numeral) {
			from, to = min(from, first+w[0]), first+w[1]
		}
	}
	return from, to
}

// ofFigures reports whether most of what was read are numbers and nothing else, as on a page of tables.
func ofFigures(read []*text.Reading) bool {
	const least, share = 20, 0.6
	figures := 0
	for _, r := range read {
		if ns := numbersIn(r.Symbols()); len(ns) == 1 && ns[0].end-ns[0].first == len(r.Symbols()) {
			figures++
		}
	}
	return figures >= least && float64(figures) >= share*float64(len(read))
}

// digitLike are the Latin letters that Arabic-Indic digits look like and that rarely number an item of Arabic text themselves.
const digitLike = "VYvyIlOo"

// itemIn is the first word of a line of Arabic where it is one of digitLike alone.
func itemIn(symbols []text.Symbol) (item number, ok bool) {
	words := text.Spans(symbols)
	if len(words) < 2 || !slices.ContainsFunc(symbols, func(s text.Symbol) bool { return unicode.Is(unicode.Arabic, s.Rune) }) {
		return number{}, false
	}
	first, letters := words[len(words)-1], 0
	for _, s := range symbols[first[0]:first[1]] {
		switch {
		case strings.ContainsRune(digitLike, s.Rune):
			letters++
		case !strings.ContainsRune(".,-:", s.Rune):
			return number{}, false
		}
	}
	if letters != 1 {
		return number{}, false
	}
	from, to := reach(symbols, first[0], first[1])
	return number{first: first[0], end: first[1], from: from, to: to, item: true}, true
}

// several reports whether signs are a number of more than one. The number of a footnote, in brackets, has one.
func several(symbols []text.Symbol) bool {
	signs := 0
	for _, s := range symbols {
		if !strings.ContainsRune(" ()", s.Rune) {
			signs++
		}
	}
	return signs > 1 && slices.ContainsFunc(symbols, func(s text.Symbol) bool { return unicode.IsDigit(s.Rune) })
}

// reach is from which to which share of its line a number reaches: to the middle between it and its neighbours.
func reach(symbols []text.Symbol, first, end int) (from, to float64) {
	from, to = text.Cut(symbols, first, end)
	if first > 1 && symbols[first-1].Rune == ' ' {
		from = (symbols[first-2].End + symbols[first].Start) / 2
	}
	if end+1 < len(symbols) && symbols[end].Rune == ' ' {
		to = (symbols[end-1].End + symbols[end+1].Start) / 2
	}
	return from, to
}

// partOf is a line between two shares of its length.
func partOf(l text.Line, from, to float64) text.Line {
	down := (l.Bend(from) + l.Bend(to)) / 2
	out := l.Between(from, to)
	out.Sag = l.Bend((from+to)/2) - down
	return out.Moved(down/max(l.Height, 1e-6), 1)
}
