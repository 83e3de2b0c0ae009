package card

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/text"
)

// hardlyLike is the least likeness of a misread label to a wording, where its place tells that it is one.
const hardlyLike = 0.5

// misreadLabels finds the labels that could not be read well: those in a column of labels that have a value beside or below
// them.
func (a cells) misreadLabels(labels []egypt.Phrase, known vocabulary) {
	for i := range a {
		c := &a[i]
		if c.label != "" || len(strings.Fields(c.text)) > 3 || anyDigit(c.text) || known.holds(c.text) ||
			ofTraffic(c.text) || max(likeBeginning(c.text, egypt.LabelUnit), likeBeginning(c.text, egypt.LabelDepartment)) > hardlyLabel {
			continue
		}
		value, most := a.valueBeside(i)
		if value < 0 {
			continue
		}
		for _, p := range labels {
			if p.Text == "المالك" && egypt.Fold(c.text) == "مالك" {
				continue // without the article it is a name
			}
			if titleLabel(p.Label) || minorLabel(p.Label) || a.find(p.Label) >= 0 || known.unlikeness(p.Label, &a[value]) >= unlike {
				continue
			}
			if l := egypt.Likeness(strings.Trim(c.text, signs), p.Text); l > most {
				c.label, c.likeness, most = p.Label, l, l
			}
		}
	}
}

// illegibleLabels finds, on a card whose values stand below labels that are clearly smaller, what stands among these, is as small and as short, and
// has a value below it: a label, though it says nothing. So it is no value itself, nor is its value another label's.
func (a cells) illegibleLabels() {
	const longest = 3 // words
	limit, ok := a.smallLabels()
	if !ok {
		return
	}
	for i := range a {
		c := &a[i]
		beside := func(o cell) bool { return o.introduces() && o.level(c) && o.height() < limit }
		if c.label == "" && c.height() < limit && len(strings.Fields(c.text)) <= longest && slices.ContainsFunc(a, beside) && a.valueBelow(i, limit) {
			c.label = egypt.LabelIllegible
		}
	}
}

// smallLabels tells whether the labels of a card are clearly smaller than its values, which stand below them, and the height between the two.
func (a cells) smallLabels() (limit float64, ok bool) {
	const fewest, smaller = 3, 0.87
	var labels, values []float64
	for i := range a {
		switch c := &a[i]; {
		case c.label == "":
			values = append(values, c.height())
		case c.introduces():
			labels = append(labels, c.height())
		}
	}
	if len(labels) < fewest || len(values) < fewest || middle(labels) > smaller*middle(values) {
		return 0, false
	}
	limit = (middle(labels) + middle(values)) / 2
	below, beside := 0, 0
	for i := range a {
		if !a[i].introduces() || a[i].height() > limit {
			continue
		}
		if left := a.leftOf(i); len(left) > 0 && a[left[0]].label == "" && a[left[0]].height() > limit {
			beside++
		} else if a.valueBelow(i, limit) {
			below++
		}
	}
	return limit, below >= fewest && below > 2*beside
}

// valueBelow tells whether print of a height from a limit on stands below a cell.
func (a cells) valueBelow(i int, limit float64) bool {
	return slices.ContainsFunc(a, func(o cell) bool {
		drop := (o.y() - a[i].y()) * viewHeight
		return o.label == "" && o.height() > limit && drop > 0.8*a[i].height() && drop < columnDrop*o.height() && o.under(&a[i])
	})
}

// middle is the median of some heights.
func middle(heights []float64) float64 {
	slices.Sort(heights)
	return heights[len(heights)/2]
}

// minorLabel tells whether a label announces what is no field, or what is found without it: a word that is hardly like one is none.
func minorLabel(l egypt.Label) bool {
	return slices.Contains(noFields(), l) || l == egypt.LabelOffice || l == egypt.LabelRest || l == egypt.LabelLatinName || l == egypt.LabelLatinNation
}

// noFields are the labels of which no field has the value.
func noFields() []egypt.Label {
	return []egypt.Label{egypt.LabelSerial, egypt.LabelGovernorate, egypt.LabelBlood, egypt.LabelBirth}
}

// anyDigit tells whether a text holds a digit.
func anyDigit(text string) bool {
	_, digits := digitShare(text)
	return digits > 0
}

// valueBeside is the cell that would be the value of a cell if that was a label, and how like one it must be: left of it where
// it stands in a column of labels with values beside them, below it where they stand below; -1 where there is none.
func (a cells) valueBeside(i int) (value int, like float64) {
	c, column, beside, above := &a[i], 0, 0, false
	for k := range a {
		if a[k].label == "" {
			continue
		}
		if math.Abs(a[k].right()-c.right()) < 0.02 {
			column++
			if left := a.leftOf(k); len(left) > 0 && a[left[0]].label == "" {
				beside++
			}
		}
		drop := (c.y() - a[k].y()) * viewHeight / max(a[k].height(), 1)
		above = above || drop > 0.8 && drop < labelDrop && c.under(&a[k])
	}
	if left := a.leftOf(i); column >= 3 && len(left) > 0 && a[left[0]].label == "" {
		return left[0], hardlyLike
	}
	if column < 1 || above || beside > 1 && 2*beside > column {
		return -1, 0
	}
	for k := range a {
		drop := (a[k].y() - c.y()) * viewHeight / max(c.height(), 1)
		if a[k].label == "" && drop > 0.8 && drop < labelDrop && math.Abs(a[k].right()-c.right()) < 0.03 {
			return k, map[bool]float64{true: hardlyLike, false: fairlyLike}[column > 1]
		}
	}
	return -1, 0
}

// fairlyLike is the least likeness of a misread label of which hardly anything else tells that it is one.
const fairlyLike = 0.65

// joinLabels puts together the labels that the detector saw as two pieces of a line.
func (a cells) joinLabels(labels []egypt.Phrase) cells {
	var out cells
	for i := 0; i < len(a); i++ {
		c := a[i]
		if i+1 < len(a) {
			if next := a[i+1]; next.label == "" && c.line == next.line && next.right() < c.left()+0.01 &&
				(c.left()-next.right())*viewWidth < 2.5*c.height() {
				texts := strings.Fields(c.text + " " + next.text)
				if at, ok := leading(texts, labels); ok && at.To == len(texts) && at.Score >= joinedLike && len(texts) == len(strings.Fields(at.Phrase.Text)) && !titleLabel(at.Phrase.Label) {
					c.row, c.label, c.likeness = row{append(slices.Clone(next.row), c.row...).whole()}, at.Phrase.Label, at.Score
					c.text = strings.Join(texts, " ")
					i++
				}
			}
		}
		out = append(out, c)
	}
	return out
}

// joinedLike is the least likeness of two pieces to a label.
const joinedLike = 0.8

// withoutTwins leaves out the cells that are the same print as one of which more is sure, seen twice: at one height or, where one
// begins with what the other says, nearer to it than another line can stand. Of two labels the one counts that holds the other.
func (a cells) withoutTwins() cells {
	return slices.DeleteFunc(slices.Clone(a), func(c cell) bool {
		return slices.ContainsFunc(a, func(o cell) bool {
			overlap := min(c.right(), o.right()) - max(c.left(), o.left())
			near := 0.45
			if strings.HasPrefix(o.text, c.text) {
				near = 1.1
			}
			same := overlap > 0.7*min(c.right()-c.left(), o.right()-o.left()) && math.Abs(c.y()-o.y())*viewHeight < near*min(c.height(), o.height())
			if !same {
				return false
			}
			if c.label != o.label { // a word of a longer label
				return c.label != "" && o.label != "" && len(c.text) < len(o.text) && strings.Contains(o.text, c.text)
			}
			a, b := gain(c.script), gain(o.script)
			return a < b || a == b && (c.line > o.line || c.line == o.line && c.left() > o.left())
		})
	})
}

// withoutSeparators leaves out the cells that hold nothing but a stroke or a colon, as stands between a label and its value; a colon's
// dots may look like a zero.
func (a cells) withoutSeparators() cells {
	return slices.DeleteFunc(a, func(c cell) bool {
		return c.label == "" && len([]rune(c.text)) <= 2 && strings.Trim(c.text, " ٠0"+signs) == "" && strings.ContainsAny(c.text, signs)
	})
}

// gain is how many signs more than those of two lines read as one a reading has: of a name and one of its words the name counts.
func gain(w script) float64 { return (sureness(w) - clearly) * float64(len(w.symbols)) }

// labelsBeside looks for labels right of the values that have nothing there: the detector takes a column of short labels for
// a stain. It looks where the rightmost print of the card ends.
func (s *sheet) labelsBeside(ctx context.Context, all cells, labels []egypt.Phrase) (cells, error) {
	edge := 0.0
	for _, c := range all {
		edge = max(edge, c.right())
	}
	for _, c := range slices.Clone(all) {
		beside := func(o cell) bool { return o.level(&c) && o.left() > c.centre() }
		if c.label != "" || c.right() > edge-labelWidths()[0] || slices.ContainsFunc(all, beside) {
			continue
		}
		w := c.whole()
		for _, wide := range labelWidths() {
			from := max(w.End.X+0.4*w.Height, (edge-wide)*viewWidth)
			r := row{{text.Line{Start: along(w.Start, w.End, from), End: along(w.Start, w.End, edge*viewWidth+0.1*w.Height), Height: w.Height}}}
			read, err := s.readWords(ctx, r)
			if err != nil {
				return nil, err
			}
			var texts []string
			for _, w := range wordsOf(read) {
				texts = append(texts, w.text)
			}
			if at, ok := egypt.LocateLabel(texts, labels); ok && announces(at, texts) && !all.labelled(at.Phrase.Label, c.y()) {
				all = append(all, cell{entry: entry{r, read}, label: at.Phrase.Label, likeness: min(at.Score, read.confidence+0.5), line: c.line})
				break
			}
		}
	}
	return all, nil
}

// labelsBetween looks for labels where a column of labels leaves out a row: the detector overlooks short words that stand
// alone.
func (s *sheet) labelsBetween(ctx context.Context, all cells, labels []egypt.Phrase) (cells, error) {
	for _, place := range all.gaps() {
		read, err := s.readWords(ctx, place)
		if err != nil {
			return nil, err
		}
		var texts []string
		for _, w := range wordsOf(read) {
			texts = append(texts, strings.Trim(w.text, signs))
		}
		for from := range texts {
			at, ok := leading(texts[from:], labels)
			if ok && from+at.To == len(texts) || ok && from == 0 {
				if !titleLabel(at.Phrase.Label) && all.find(at.Phrase.Label) < 0 {
					all = append(all, cell{entry: entry{place, read}, label: at.Phrase.Label, likeness: min(at.Score, read.confidence+0.5), line: -1})
				}
				break
			}
		}
	}
	return all, nil
}

// gaps are the places of labels that would fill the gaps of columns of labels whose rows are equally far apart.
func (a cells) gaps() (out []row) {
	done := map[int]bool{}
	for i := range a {
		if !a[i].introduces() || done[i] {
			continue
		}
		var column []int
		for k := range a {
			if a[k].introduces() && math.Abs(a[k].right()-a[i].right()) < 0.025 {
				column, done[k] = append(column, k), true
			}
		}
		out = append(out, a.gapsOf(column)...)
	}
	return out
}

// gapsOf are the gaps of one column of labels, and the places right above and below it.
func (a cells) gapsOf(column []int) (out []row) {
	const fewest, mostRows = 3, 9 // labels that show how far apart rows are, and rows from one to the next
	if len(column) < fewest {
		return nil
	}
	slices.SortFunc(column, func(i, k int) int { return cmp.Compare(a[i].y(), a[k].y()) })
	var steps []float64
	for n := range column[1:] {
		steps = append(steps, a[column[n+1]].y()-a[column[n]].y())
	}
	step := slices.Sorted(slices.Values(steps))[(len(steps)-1)/3]
	first, last := &a[column[0]], &a[column[len(column)-1]]
	for _, end := range []struct {
		label *cell
		y     float64
	}{{first, first.y() - step}, {last, last.y() + step}} {
		if end.y > 0 && end.y < 1 {
			out = append(out, a.labelPlace(end.y, end.label.right(), end.label.height())...)
		}
	}
	for n, apart := range steps {
		rows := int(math.Round(apart / step))
		if rows < 2 || rows > mostRows || math.Abs(apart/step-float64(rows)) > min(0.35, 0.12*float64(rows)) {
			continue
		}
		upper, lower := &a[column[n]], &a[column[n+1]]
		for r := 1; r < rows; r++ {
			t := float64(r) / float64(rows)
			out = append(out, a.labelPlace(upper.y()*(1-t)+lower.y()*t, upper.right()*(1-t)+lower.right()*t, (upper.height()+lower.height())/2)...)
		}
	}
	return out
}

// labelPlace is where a label of a height would stand at a height of the card and with a right end; nothing where other print
// stands.
func (a cells) labelPlace(y, right, height float64) []row {
	const wide = 0.16 // the width of long labels, as a share of the card's
	left := right - wide
	for k := range a {
		c := &a[k]
		if math.Abs(c.y()-y)*viewHeight >= 0.5*height || c.right() <= left || c.left() > right {
			continue
		}
		if c.left() > right-0.6*wide || c.right() > right-0.02 {
			return nil
		}
		left = max(left, c.right()+0.01)
	}
	return []row{{{text.Line{
		Start: appliance.Point{X: left * viewWidth, Y: y * viewHeight}, End: appliance.Point{X: right*viewWidth + 0.3*height, Y: y * viewHeight}, Height: height,
	}}}}
}

// labelled tells whether a label was found at about a height already.
func (a cells) labelled(label egypt.Label, y float64) bool {
	return slices.ContainsFunc(a, func(c cell) bool {
		return c.label == label && math.Abs(c.y()-y)*viewHeight < 2*c.height()
	})
}

// labelWidths are the widths of short and long labels, as shares of the card's width.
func labelWidths() []float64 { return []float64{0.08, 0.14} }

// cutAtLabels cuts a cell at the labels in it, and reads each part anew.
func (s *sheet) cutAtLabels(ctx context.Context, c cell, labels []egypt.Phrase) (cells, error) {
	if spans, found := withoutLeaders(c.script); found {
		return s.cutAtLeaders(ctx, c, spans, labels)
	}
	words := wordsOf(c.script)
	if len(words) > 1 && strings.Trim(words[0].text, signs) == "" { // what is left of a label that stands apart
		return s.cutFurther(ctx, c, 0, words[1].end-seamRoom*c.height()/c.whole().Length(), labels)
	}
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.text
	}
	at, ok := s.labelAmong(c, words, texts, labels)
	if ok {
		at = fuller(at, texts, labels)
	}
	if !ok || !announces(at, texts) {
		if i := unitAfter(texts); i > 0 {
			return s.cutBefore(ctx, c, words, i, labels)
		}
		if at, ok = beforeSerial(texts, labels); !ok {
			return s.cutAtDate(ctx, c, words, labels)
		}
	}
	for at.To < len(words) && (strings.Trim(words[at.To].text, signs) == "" || bracketed(texts[at.To]) && at.Phrase.Label != egypt.LabelAddress) {
		at.To++
	}
	out := cells{}
	if at.From > 0 { // what stands right of the label
		parts, err := s.cutFurther(ctx, c, words[at.From-1].start+seamRoom*c.height()/c.whole().Length(), 1, labels)
		if err != nil {
			return nil, err
		}
		out = append(out, parts...)
	}
	from, to := 0.0, 1.0
	if at.From > 0 {
		to = (words[at.From].end + words[at.From-1].start) / 2
	}
	if at.To < len(words) {
		from = (words[at.To-1].start + words[at.To].end) / 2
	}
	label := c
	label.row, label.label, label.likeness = row{{cut(c.row[0].Line, from, to)}}, at.Phrase.Label, at.Score
	label.script = script{text: strings.Join(texts[at.From:at.To], " "), confidence: c.confidence, symbols: c.symbols}
	out = append(out, label)
	if at.To == len(words) {
		return out, nil
	}
	parts, err := s.cutFurther(ctx, c, 0, words[at.To].end-seamRoom*c.height()/c.whole().Length(), labels)
	return append(out, parts...), err
}

// labelAmong finds the label among the words of a cell. Amid them it is one where it stands apart, or where the card is laid out from left to right.
func (s *sheet) labelAmong(c cell, words []word, texts []string, labels []egypt.Phrase) (at egypt.Located, ok bool) {
	at, ok = egypt.LocateLabel(texts, labels)
	if at.From > 1 && at.Phrase.Label == egypt.LabelEnglish { // it may be the second half of a label in two languages
		if own, found := egypt.LocateLabel(texts[:at.From], labels); found && own.From > 0 && own.To == at.From {
			at = own
		}
	}
	switch {
	case at.From == 0 || at.Phrase.Label == egypt.LabelEnglish:
	case beforeEnglish(texts[at.To:]):
		s.fromLeft++
	case s.fromLeft < fewestFromLeft && !standsApart(words, at.From, c):
		return leading(texts, labels)
	}
	return at, ok
}

// cutFurther reads the part of a cell between two shares of its length and cuts it at the labels in it, unless it is hardly shorter
// than the cell: there the same cut would be found again for ever.
func (s *sheet) cutFurther(ctx context.Context, c cell, from, to float64, labels []egypt.Phrase) (cells, error) {
	part, err := s.part(ctx, c, from, to)
	if err != nil {
		return nil, err
	}
	if part.whole().Length() > c.whole().Length()-0.3*c.height() {
		return cells{part}, nil
	}
	return s.cutAtLabels(ctx, part, labels)
}

// leading finds a label that the first words make up: the one that they are most like, and of two alike the longer one.
func leading(words []string, labels []egypt.Phrase) (best egypt.Located, ok bool) {
	const perWord = 0.05 // what a word more may cost
	most, least := 0.0, leadingLike
	if len(words) > 0 && ofAddress(words[0]) {
		least = exactly
	}
	for n := 1; n <= min(3, len(words)); n++ {
		text := strings.Trim(strings.Join(words[:n], " "), signs)
		for _, p := range labels {
			like := egypt.Likeness(text, p.Text)
			if merit := like + perWord*float64(n); like >= least && merit > most {
				best, most, ok = egypt.Located{Phrase: p, Score: like, To: n}, merit, true
			}
		}
	}
	return best, ok
}

// beforeSerial finds the label, misread, that stands before a number of a chassis or an engine: the script tells where it ends.
func beforeSerial(words []string, labels []egypt.Phrase) (best egypt.Located, ok bool) {
	n := slices.IndexFunc(words, func(w string) bool {
		_, digits := digitShare(w)
		return digits >= 4 && len([]rune(w)) >= 6 && !slices.ContainsFunc([]rune(w), arabicLetter) && !dateLike(w)
	})
	if n < 1 || n > 2 {
		return best, false
	}
	most, text := hardlyLike, strings.Trim(strings.Join(words[:n], " "), signs)
	for _, p := range labels {
		if l := egypt.Likeness(text, p.Text); (p.Label == egypt.LabelChassis || p.Label == egypt.LabelMotor) && l > most {
			best, most, ok = egypt.Located{Phrase: p, Score: l, To: n}, l, true
		}
	}
	return best, ok
}

// leadingLike is the least likeness of the first words to a label.
const leadingLike = 0.75

// fuller is a label with the words after it that belong to it, misread: those of a longer wording of the same label, or of the year of
// the model, whose label begins like that of the model.
func fuller(at egypt.Located, words []string, labels []egypt.Phrase) egypt.Located {
	for _, p := range labels {
		to := at.From + len(strings.Fields(p.Text))
		fits := p.Label == at.Phrase.Label || p.Label == egypt.LabelModelYear && at.Phrase.Label == egypt.LabelModel
		if !fits || to <= at.To || to > len(words) || !strings.HasPrefix(p.Text, at.Phrase.Text+" ") {
			continue
		}
		if rest, want := strings.Join(words[at.To:to], " "), p.Text[len(at.Phrase.Text)+1:]; egypt.Likeness(strings.Trim(rest, signs), want) >= hardlyLike {
			at.Phrase, at.To = p, to
		}
	}
	return at
}

// signs stand between a label and its value.
const signs = ":.;،؛-–|!'/"

// standsApart tells whether a wider gap than between words parts a word from the one right of it, or one of the two is a number:
// then another column begins there.
func standsApart(words []word, i int, c cell) bool {
	gap := (words[i-1].start - words[i].end) * c.whole().Length()
	_, digits := digitShare(words[i-1].text)
	return gap > columnGap*c.height() || digits > 0
}

// columnGap is the least gap between columns, in heights.
const columnGap = 0.9

// cutAtColumns cuts the values that reach below two labels beside each other where the left one ends: the detector saw the
// values of two columns as one line.
func (s *sheet) cutAtColumns(ctx context.Context, all cells) (cells, error) {
	var out cells
	for i := range all {
		c := all[i]
		at, ok := all.columnEnd(i)
		if !ok || len(c.row) != 1 {
			out = append(out, c)
			continue
		}
		w := c.whole()
		share := (at*viewWidth - w.Start.X) / max(w.End.X-w.Start.X, 1)
		words := wordsOf(c.script)
		n := slices.IndexFunc(words, func(w word) bool { return w.end < share+0.8*c.height()/c.whole().Length() })
		if n <= 0 || words[n-1].start < share-0.3*c.height()/c.whole().Length() {
			out = append(out, c)
			continue
		}
		room := seamRoom * c.height() / w.Length()
		right, err := s.part(ctx, c, words[n-1].start-room, 1)
		if err != nil {
			return nil, err
		}
		left, err := s.part(ctx, c, 0, words[n].end+room)
		if err != nil {
			return nil, err
		}
		out = append(out, right, left)
	}
	return out, nil
}

// cutAtNations cuts the cells in which a nationality in English stands beside Arabic print that is none: the detector saw the values, or the label,
// of two columns as one line.
func (s *sheet) cutAtNations(ctx context.Context, all cells, labels []egypt.Phrase) (out cells, err error) {
	const like, alike = 0.85, 0.75
	english, arabic := egypt.NationalitiesEnglish(), s.known[egypt.LabelNationality]
	for _, c := range all {
		words := wordsOf(c.script) // from right to left
		n := slices.IndexFunc(words, func(w word) bool { return english.Likeness(w.text) > like })
		if c.label != "" || len(c.row) != 1 || len(words) < 2 || n != 0 && n != len(words)-1 {
			out = append(out, c)
			continue
		}
		rest := words[1:]
		if n > 0 {
			rest = words[:n]
		}
		var beside string
		for _, w := range rest {
			beside += w.text + " "
		}
		if arabicLetters(beside) < shortWord || arabic.Likeness(beside) > alike {
			out = append(out, c)
			continue
		}
		parts, err := s.cutBefore(ctx, c, words, max(n, 1), labels)
		if err != nil {
			return nil, err
		}
		right, err := s.cutAtLabels(ctx, parts[0], labels)
		if err != nil {
			return nil, err
		}
		out = append(append(out, right...), parts[1:]...)
	}
	return out, nil
}

// columnEnd is the right end of a label above the left part of a value whose right part stands below another label.
func (a cells) columnEnd(i int) (right float64, ok bool) {
	c := &a[i]
	if c.label != "" {
		return 0, false
	}
	above := func(l *cell) bool {
		drop := (c.y() - l.y()) * viewHeight / max(l.height(), 1)
		return l.label != "" && l.label != egypt.LabelEnglish && drop > 0.8 && drop < labelDrop
	}
	ends := false // another label ends where the value does
	for k := range a {
		if l := &a[k]; above(l) && math.Abs(l.right()-c.right()) < 0.04 {
			ends = true
		} else if above(l) && l.right() > c.left()+0.04 && l.right() < c.right()-0.08 {
			right, ok = l.right(), true
		}
	}
	return right, ok && ends
}

// fewestFromLeft is how many lines that begin at the left with a label show that a card is laid out so.
const fewestFromLeft = 3

// cutFromLeft cuts the cells of a card that is laid out from left to right at the labels that seemed to be words of a value, and leaves out
// the numbers before the labels.
func (s *sheet) cutFromLeft(ctx context.Context, all cells, labels []egypt.Phrase) (cells, error) {
	var out cells
	for _, c := range all {
		parts := cells{c}
		if c.label == "" && len(c.row) == 1 {
			var err error
			if parts, err = s.cutAtLabels(ctx, c, labels); err != nil {
				return nil, err
			}
		}
		out = append(out, parts...)
	}
	return slices.DeleteFunc(slices.Clone(out), func(c cell) bool {
		const longest = 3 // signs
		labelled := func(o cell) bool { return o.label != "" && o.level(&c) && o.left() > c.centre() }
		valued := func(o cell) bool { return o.label != "" && o.level(&c) && o.right() < c.centre() }
		return c.label == "" && len([]rune(c.text)) <= longest && anyDigit(c.text) && slices.ContainsFunc(out, labelled) && !slices.ContainsFunc(out, valued)
	}), nil
}

// bracketed tells whether a word is what brackets add to a label: the unit of its value, or that it is in English.
func bracketed(word string) bool {
	const longest = 7 // signs
	return len([]rune(word)) <= longest && strings.ContainsAny(word, "()")
}

// beforeEnglish tells whether the words left of a label are the same in English, and perhaps the number of the entry: so begins a line of a card that is laid
// out from left to right, whose value stands right of both.
func beforeEnglish(words []string) bool {
	at, ok := egypt.LocateLabel(words, egypt.PhrasesOf(egypt.LabelEnglish))
	return ok && at.From == 0 && at.Score >= exactly && !slices.ContainsFunc(words[at.To:], func(w string) bool { return len([]rune(w)) > 3 || !anyDigit(w) })
}

// longNumber tells whether a word is a number longer than any but the national number.
func longNumber(text string) bool {
	share, digits := digitShare(text)
	return share > 0.9 && digits >= 12
}

// unitAfter returns with which of the words of a line that begins with a traffic department, or shows a plate before, a unit begins; 0 where
// none does.
func unitAfter(words []string) int {
	const shortest = 3 // words of a department
	department := likeBeginning(strings.Join(words, " "), egypt.LabelDepartment) >= leadingLike
	for i := 1; i+1 < len(words); i++ {
		like := func(p egypt.Phrase) bool { return egypt.Likeness(words[i]+" "+words[i+1], p.Text) >= leadingLike }
		if (department && i >= shortest || anyDigit(words[i-1])) && slices.ContainsFunc(egypt.PhrasesOf(egypt.LabelUnit), like) {
			return i
		}
	}
	return 0
}

// cutBefore cuts a cell of one piece between two of its words.
func (s *sheet) cutBefore(ctx context.Context, c cell, words []word, i int, labels []egypt.Phrase) (cells, error) {
	room := seamRoom * c.height() / c.whole().Length()
	right, err := s.part(ctx, c, words[i-1].start+room, 1)
	if err != nil {
		return nil, err
	}
	parts, err := s.cutFurther(ctx, c, 0, words[i].end-room, labels)
	return append(cells{right}, parts...), err
}

// cutAtDate cuts a cell at a date or a national number in it, for which no label could be read.
func (s *sheet) cutAtDate(ctx context.Context, c cell, words []word, labels []egypt.Phrase) (cells, error) {
	i := slices.IndexFunc(words, func(w word) bool { return dateLike(w.text) || longNumber(w.text) })
	if i < 0 || len(words) == 1 {
		return cells{c}, nil
	}
	room := seamRoom * c.height() / c.whole().Length()
	var out cells
	if i > 0 {
		right, err := s.part(ctx, c, words[i-1].start+room, 1)
		if err != nil {
			return nil, err
		}
		out = append(out, right)
	}
	date, err := s.part(ctx, c, words[i].start-room, words[i].end+room)
	if err != nil {
		return nil, err
	}
	out = append(out, date)
	if i+1 == len(words) {
		return out, nil
	}
	parts, err := s.cutFurther(ctx, c, 0, words[i+1].end-room, labels)
	return append(out, parts...), err
}

// dateLike tells whether a word looks like a date: digits enough, in three groups or as many as a date in full has. House
// numbers are shorter.
func dateLike(text string) bool {
	share, digits := digitShare(text)
	separators := 0
	for _, r := range text {
		if strings.ContainsRune("/-.", r) {
			separators++
		}
	}
	return share > 0.7 && digits <= 10 && (digits >= 5 && separators == 2 || digits >= dayDigits && separators > 0)
}

// seamRoom is by how much, in heights, a stretch that was cut off ends before the word that it holds does: the recogniser
// looks as far beyond its end and more.
const seamRoom = 0.15

// announces tells whether a phrase among words is a label: alike enough for its length, and at the right end of the words
// or made of several words itself. Names and streets hold some of the words that are labels elsewhere.
func announces(at egypt.Located, words []string) bool {
	letters := len([]rune(at.Phrase.Text))
	switch {
	case at.Phrase.Label == egypt.LabelEnglish:
		return at.Score >= exactly
	case at.Score < exactly && slices.Contains(likeValues(), at.Phrase.Label):
		return false
	case letters <= 5 && at.Score < 0.85, ofAddress(words[at.From]) && at.Score < exactly:
		return false
	}
	interior := at.From > 0
	return !interior || strings.Contains(at.Phrase.Text, " ") || at.Score > 0.9 && strings.HasPrefix(words[at.From], "ال")
}

// exactly is the least likeness of a label that values come near to: names in Latin letters to an English one, those of likeValues, or
// شارع التحرير to تاريخ التحرير.
const exactly = 0.88

// likeValues are the labels of which values lack only the article: وحدة مرور, محافظة.
func likeValues() []egypt.Label { return []egypt.Label{egypt.LabelOffice, egypt.LabelGovernorate} }

// part reads a stretch of a cell of one piece, from one share of its length to another.
func (s *sheet) part(ctx context.Context, c cell, from, to float64) (cell, error) {
	c.row, c.label = row{{cut(c.row[0].Line, max(0, from), min(1, to))}}, ""
	var err error
	if c.script, err = s.readWords(ctx, c.row); err != nil {
		return c, err
	}
	return c, s.readAgain(ctx, &c.entry)
}
