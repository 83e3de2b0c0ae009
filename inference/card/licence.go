package card

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/text"
)

// No layout of a driving or vehicle licence is confirmed, so nothing on them is looked for at a fixed place. The text is
// taken apart into cells: labels, and the stretches between them. A value belongs to the label at its right or above it,
// and what has no label is told by what it says and by the lines around it.

// cell is a stretch of text on one row that is a label, or a value or a part of one.
type cell struct {
	entry
	label    egypt.Label // what it announces, "" for a value
	likeness float64     // of a label to its wording
	line     int         // its row, counted from the top
	values   []int       // of a label: its value and what belongs to it, by index
	used     bool
	unit     egypt.Label // what the unit behind a number says that it is, "" without one
	begins   bool        // a field: its number stood before it
}

// centre is the middle of the cell as a share of the card's width.
func (c *cell) centre() float64 { return (c.left() + c.right()) / 2 }

// cells are the cells of a card, row by row from the top, each row from right to left.
type cells []cell

// readCells reads all text of a card, cuts it at the labels of a list and settles which value belongs to which label.
func (s *sheet) readCells(ctx context.Context, labels []egypt.Phrase) (cells, error) {
	all, err := s.readRows(ctx, labels)
	if err != nil {
		return nil, err
	}
	if all, err = s.cutFurtherCells(ctx, all, labels); err != nil {
		return nil, err
	}
	if all, err = s.findLabels(ctx, all, labels); err != nil {
		return nil, err
	}
	s.values = all.pair(s.known)
	return all, nil
}

// readRows reads the text of a card row by row, and cuts each piece at the labels that it holds.
func (s *sheet) readRows(ctx context.Context, labels []egypt.Phrase) (all cells, err error) {
	rows := s.smallRows()
	usual := usualHeight(rows)
	line := 0
	add := func(c cell) error {
		c.line = line
		parts, err := s.cutAtLabels(ctx, c, labels)
		all = append(all, parts...)
		return err
	}
	for _, r := range rows {
		var stacked cells
		for _, p := range slices.Backward(r) {
			p.Line = clippedLine(p.Line)
			one, two, err := s.readPiece(ctx, p, usual)
			if err != nil {
				return nil, err
			}
			stacked = append(stacked, two...)
			for _, c := range one {
				if err := add(c); err != nil {
					return nil, err
				}
			}
		}
		line++
		for _, c := range stacked {
			if err := add(c); err != nil {
				return nil, err
			}
			line++
		}
	}
	return all, nil
}

// cutFurtherCells leaves out of cells what is no text of a field, and cuts them where the labels alone do not tell that they are several.
func (s *sheet) cutFurtherCells(ctx context.Context, all cells, labels []egypt.Phrase) (cells, error) {
	all, err := s.withoutOrdinals(ctx, all)
	if err != nil {
		return nil, err
	}
	if all.laidFromLeft(labels) {
		s.fromLeft = max(s.fromLeft, fewestFromLeft)
	}
	if s.fromLeft >= fewestFromLeft {
		if all, err = s.cutFromLeft(ctx, all, labels); err != nil {
			return nil, err
		}
	}
	if s.leaders {
		if all, err = s.withoutDots(ctx, all); err != nil {
			return nil, err
		}
	}
	if all, err = s.cutAtNations(ctx, all.withoutTwins().withoutSeparators(), labels); err != nil {
		return nil, err
	}
	if all, err = s.withoutEnglish(ctx, all); err != nil {
		return nil, err
	}
	if all, err = s.cutBeforeNext(ctx, all, labels); err != nil {
		return nil, err
	}
	return all.joinLabels(labels), nil
}

// findLabels finds the labels that were misread, overlooked or are in English.
func (s *sheet) findLabels(ctx context.Context, all cells, labels []egypt.Phrase) (cells, error) {
	all.misreadLabels(labels, s.known)
	all, err := s.labelsBeside(ctx, all, labels)
	if err != nil {
		return nil, err
	}
	if all, err = s.labelsBetween(ctx, all, labels); err != nil {
		return nil, err
	}
	if all, err = s.cutAtColumns(ctx, all); err != nil {
		return nil, err
	}
	all.illegibleLabels()
	all.inEnglish(labels)
	return all, nil
}

// readPiece reads a piece of a row: as one cell, as the lines that it is made of where the detector saw several as one, or as
// none where it is no text.
func (s *sheet) readPiece(ctx context.Context, p piece, usual float64) (one, stacked cells, err error) {
	e := entry{row: row{p}}
	if e.script, err = s.readWords(ctx, e.row); err != nil {
		return nil, nil, err
	}
	if _, found := withoutLeaders(e.script); found {
		return cells{{entry: e}}, nil, nil
	}
	sure := sureness(e.script)
	lost := e.text == "" || sure < halfSure
	if lost || sure < fairly && p.Height > 1.25*usual {
		if stacked, err = s.unstack(ctx, p, usual); err != nil {
			return nil, nil, err
		}
		// Of signs that stand apart, as on a plate, the detector sees one line too high to be read.
		single := len(stacked) == 1 && e.confidence < hardlyInk && stacked[0].confidence > clearly
		if len(stacked) > 1 || lost || single {
			return nil, stacked, nil
		}
	}
	err = s.readAgain(ctx, &e)
	return cells{{entry: e}}, nil, err
}

// lowestGlyph is the least height that the detector gives to print, in view pixels. Words of low letters look lower to it than
// they are.
const lowestGlyph = 3.5

// smallRows are the rows of a card with small text: what the detector saw lower than any text is taken to be nearly as
// high as the other text.
func (s *sheet) smallRows() []row {
	usual := usualHeight(s.rows)
	lines := slices.Clone(s.lines)
	for i, l := range lines {
		if l.Height >= lowestGlyph && l.Height < leastGlyph {
			lines[i].Height = max(leastGlyph, 0.75*usual)
		}
	}
	return rowsOf(lines)
}

// usualHeight is the median height of the pieces of rows.
func usualHeight(rows []row) float64 {
	var heights []float64
	for _, r := range rows {
		for _, p := range r {
			heights = append(heights, p.Height)
		}
	}
	if len(heights) == 0 {
		return leastGlyph
	}
	return middle(heights)
}

// unstack reads a piece that makes no sense as the lines, one close below the other, which the detector saw as one. Where
// one line is longer than the other, the piece lies nearer to it.
func (s *sheet) unstack(ctx context.Context, p piece, usual float64) (cells, error) {
	height := min(usual, p.Height/1.4)
	if p.Height < 1.15*usual || p.Length() < 1.2*height {
		return nil, nil
	}
	type level struct {
		cell
		at float64
	}
	var levels []level
	for _, at := range []float64{-1.5, -0.85, -0.4, 0.4, 0.85, 1.5} {
		l := p
		l.Height = height
		l.Start.Y, l.End.Y = p.Start.Y+at*l.Height, p.End.Y+at*l.Height
		e := entry{row: row{l}}
		var err error
		if e.script, err = s.readWords(ctx, e.row); err != nil {
			return nil, err
		}
		if e.text != "" && sureness(e.script) > clearly {
			levels = append(levels, level{cell{entry: e}, at})
		}
	}
	slices.SortStableFunc(levels, func(a, b level) int { return cmp.Compare(sureness(b.script), sureness(a.script)) })
	var out cells
	for i, l := range levels {
		if !slices.ContainsFunc(levels[:i], func(o level) bool { return math.Abs(o.at-l.at) < 1.2 }) {
			if err := s.readAgain(ctx, &l.entry); err != nil {
				return nil, err
			}
			out = append(out, l.cell)
		}
	}
	slices.SortFunc(out, func(a, b cell) int { return cmp.Compare(a.y(), b.y()) })
	return out, nil
}

// The mean probability of its signs under which a reading is that of a pattern of the ground, from which on it is text
// beyond doubt, and from which on it is no two lines read as one.
const (
	halfSure = 0.5
	clearly  = 0.75
	fairly   = 0.9
)

// sureness is the mean probability of the signs of a reading.
func sureness(w script) float64 {
	sum := 0.0
	for _, s := range w.symbols {
		sum += s.Prob
	}
	return sum / float64(max(len(w.symbols), 1))
}

// word is a word of a reading with its place as shares of the line.
type word struct {
	text       string
	start, end float64
}

// wordsOf lists the words of a reading from right to left; Arabic ones in logical order.
func wordsOf(w script) []word {
	var out []word
	rest := w.symbols
	for len(rest) > 0 {
		n := slices.IndexFunc(rest, func(s text.Symbol) bool { return s.Rune == ' ' })
		if n < 0 {
			n = len(rest)
		}
		number := joinedNumber(rest[:n])
		out = append(append(out, atColons(rest[:number])...), atColons(rest[number:n])...)
		rest = rest[min(n+1, len(rest)):]
	}
	slices.Reverse(out)
	return out
}

// atColons lists the words of signs, given from left to right without blanks: where no blank follows the colon of an Arabic label, the value begins there.
func atColons(signs []text.Symbol) []word {
	if len(signs) == 0 {
		return nil
	}
	for i := 1; i+joinedRun <= len(signs); i++ {
		if signs[i].Rune == ':' && !slices.ContainsFunc(signs[i+1:i+joinedRun], func(s text.Symbol) bool { return !arabicLetter(s.Rune) }) {
			return append([]word{wordOf(signs[:i])}, atColons(signs[i:])...)
		}
	}
	return []word{wordOf(signs)}
}

// textsOf is what words say.
func textsOf(words []word) []string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.text
	}
	return texts
}

// joinedRun is how many signs of each script two words have at least that were read as one.
const joinedRun = 3

// joinedNumber is how many signs, given from left to right without blanks, belong to a number that was read as one with the Arabic word
// right of it; 0 where there is none. With a colon or a dash between them either may be short.
func joinedNumber(signs []text.Symbol) int {
	arabic := func(s text.Symbol) bool { return arabicLetter(s.Rune) }
	n := slices.IndexFunc(signs, arabic)
	if n <= 0 || slices.ContainsFunc(signs[n:], func(s text.Symbol) bool { return !arabic(s) }) {
		return 0
	}
	least := joinedRun
	if strings.ContainsRune(":-", signs[n-1].Rune) && unicode.IsDigit(signs[0].Rune) {
		least = 2
	}
	if n < least || len(signs)-n < least {
		return 0
	}
	return n
}

// wordOf is the word of some signs, given from left to right.
func wordOf(symbols []text.Symbol) word {
	signs := make([]rune, len(symbols))
	for i, s := range symbols {
		signs[i] = s.Rune
	}
	if slices.ContainsFunc(signs, arabicLetter) {
		slices.Reverse(signs)
	}
	return word{string(signs), symbols[0].Start, symbols[len(symbols)-1].End}
}

// arabicLetter reports whether a sign is a letter of the Arabic script; its digits run the other way.
func arabicLetter(r rune) bool { return unicode.Is(unicode.Arabic, r) && unicode.IsLetter(r) }

// arabicLetters counts them.
func arabicLetters(line string) (n int) {
	for _, r := range line {
		if arabicLetter(r) {
			n++
		}
	}
	return n
}

// latinLetter reports whether a sign is a Latin letter.
func latinLetter(r rune) bool { return unicode.Is(unicode.Latin, r) }

// find returns the first label of a kind, -1 where there is none.
func (a cells) find(label egypt.Label) int {
	return slices.IndexFunc(a, func(c cell) bool { return c.label == label })
}

// level reports whether two cells stand on one height.
func (c *cell) level(o *cell) bool { return c.entry.level(o.entry) }

// level reports whether two lines stand on one height.
func (e entry) level(o entry) bool {
	return math.Abs(e.y()-o.y())*viewHeight < 0.6*max(e.height(), o.height())
}

// leftOf lists the cells level with one and left of it, from right to left.
func (a cells) leftOf(i int) (out []int) {
	for k := range a {
		if k != i && a[k].level(&a[i]) && a[k].centre() < a[i].left() && a[k].right() < a[i].centre() {
			out = append(out, k)
		}
	}
	slices.SortFunc(out, func(x, y int) int { return cmp.Compare(a[y].right(), a[x].right()) })
	return out
}

// valueOf returns the cells of a label's value that nothing else took, nil where it has none.
func (a cells) valueOf(label int) []int {
	values := slices.Clone(a[label].values)
	return slices.DeleteFunc(values, func(i int) bool { return a[i].used })
}

// labelDrop is how far below its label, in heights of the label, a value may stand.
const labelDrop = 3.2

// under reports whether a cell lies below another one at least in part.
func (c *cell) under(l *cell) bool {
	overlap := min(c.right(), l.right()) - max(c.left(), l.left())
	return overlap > 0.3*min(c.right()-c.left(), l.right()-l.left())
}

// take marks cells as used and returns them as one entry: the pieces of one row from left to right.
func (a cells) take(indices ...int) entry {
	indices = slices.Clone(indices)
	slices.SortFunc(indices, func(i, k int) int { return cmp.Compare(a[i].left(), a[k].left()) })
	var e entry
	for _, i := range indices {
		a[i].used = true
		e.row = append(e.row, a[i].row...)
		e.parts = append(e.parts, a[i].parts...)
	}
	e.join()
	return e
}

// digitShare is the share of digits and separators among the signs of a text, and how many digits there are.
func digitShare(s string) (share float64, digits int) {
	signs, good := 0, 0
	for _, r := range egypt.FoldDigits(s) {
		if r == ' ' {
			continue
		}
		signs++
		switch {
		case r >= '0' && r <= '9':
			digits++
			good++
		case strings.ContainsRune("/-.", r):
			good++
		}
	}
	return float64(good) / float64(max(signs, 1)), digits
}

// digitsIn counts the digits of a text.
func digitsIn(text string) int {
	_, digits := digitShare(text)
	return digits
}

// latinShare is the share of Latin letters among the letters of a text.
func latinShare(s string) float64 {
	latin, all := 0, 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			all++
			if latinLetter(r) {
				latin++
			}
		}
	}
	return float64(latin) / float64(max(all, 1))
}
