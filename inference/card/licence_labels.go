package card

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/text"
)

// hardlyLike is the least likeness of a misread label to a wording, where its place tells that it is one.
const hardlyLike = 0.5

// seats are the wordings of seats and loads, of which licences and their remarks speak and which are no field.
var seats = sync.OnceValue(func() []egypt.Phrase { return egypt.PhrasesOf(egypt.LabelPassengers, egypt.LabelLoad) })

// introducing counts the labels of values.
func (a cells) introducing() (n int) {
	for i := range a {
		if a[i].introduces() {
			n++
		}
	}
	return n
}

// labelledCard is from how many labels on a card labels its values.
const labelledCard = 4

// misreadLabels finds the labels that could not be read well: those in a column of labels that have a value beside or below
// them.
func (a cells) misreadLabels(labels []egypt.Phrase, known vocabulary) {
	lacksName := a.find(egypt.LabelName) < 0 && a.introducing() >= labelledCard
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
		said := strings.Trim(c.text, signs)
		// Without the article it is a name, but a card that labels its values labels that of the name, too.
		owner := egypt.Fold(said) == "مالك"
		if owner && lacksName && slices.ContainsFunc(labels, func(p egypt.Phrase) bool { return p.Label == egypt.LabelName }) {
			c.label, c.likeness, lacksName = egypt.LabelName, surely, false
			continue
		}
		if slices.ContainsFunc(seats(), func(p egypt.Phrase) bool { return egypt.Likeness(said, p.Text) >= joinedLike }) {
			c.label = egypt.LabelOther
			continue
		}
		if owner {
			continue
		}
		if p, like, ok := a.likeLabel(said, c.confidence > clearPrint, &a[value], most, labels, known); ok {
			c.label, c.likeness = p, like
		}
	}
}

// likeLabel finds the label that a text is most like, more than least, and that has no place on the card yet; clear says that the text was read well, so that it is hardly
// another one. A name is hardly one at all: حنان and السيد are not العنوان and القيود. value is what it would announce.
func (a cells) likeLabel(said string, clear bool, value *cell, least float64, labels []egypt.Phrase, known vocabulary) (label egypt.Label, like float64, ok bool) {
	like = least
	cut, name := cutShort(said, labels), egypt.IsName(said)
	for _, p := range labels {
		if titleLabel(p.Label) || minorLabel(p.Label) || a.find(p.Label) >= 0 || known.unlikeness(p.Label, value) >= unlike {
			continue
		}
		l := egypt.Likeness(said, p.Text)
		if p.Label == cut {
			l = max(l, fairlyLike)
		}
		enough := fairlyLike
		if name || len([]rune(p.Text)) <= shortLabel {
			enough = exactly
		}
		if (clear || name) && l < enough { // it says something else
			continue
		}
		loose := p.Label == egypt.LabelRemarks || p.Label == egypt.LabelCondition // what these announce is like no list
		if l > like && (!loose || l > fairlyLike) {
			label, like, ok = p.Label, l, true
		}
	}
	return label, like, ok
}

// cutShort is the label of which a text is the first words alone, as of محل the label of an address; "" where it is none, or several begin so.
func cutShort(said string, labels []egypt.Phrase) (label egypt.Label) {
	begin := egypt.Fold(said) + " "
	for _, p := range labels {
		if !strings.HasPrefix(egypt.Fold(p.Text), begin) || p.Label == label {
			continue
		}
		if label != "" {
			return ""
		}
		label = p.Label
	}
	return label
}

// clearPrint is the confidence above which a line says what was read.
const clearPrint = 0.9

// shortLabel is how many letters a label has at most that one letter more makes a name of: اسم and باسم.
const shortLabel = 3

// inEnglish takes the English labels of a card for what they announce where hardly an Arabic one stands on it.
func (a cells) inEnglish(labels []egypt.Phrase) {
	const few, enough = 1, 4
	arabic := 0
	for i := range a {
		if a[i].introduces() {
			arabic++
		}
	}
	if arabic > few {
		return
	}
	english, means := egypt.PhrasesOf(egypt.LabelEnglish), map[int]egypt.Label{}
	for i := range a {
		if a[i].label != egypt.LabelEnglish {
			continue
		}
		at, ok := egypt.LocateLabel(strings.Fields(a[i].text), english)
		if ok && slices.ContainsFunc(labels, func(p egypt.Phrase) bool { return p.Label == at.Phrase.Means }) {
			means[i] = at.Phrase.Means
		}
	}
	if len(means) < enough {
		return
	}
	for i, label := range means {
		a[i].label = label
	}
}

// illegibleLabels finds, on a card whose values stand below labels that are clearly smaller, what stands among these, is as small and as
// short, and has a value below it: a label, though it says nothing. So it is no value itself, nor is its value another label's. A number
// or a day beside a small label is its value.
func (a cells) illegibleLabels() {
	const longest, figures = 3, 0.6 // words, and the share of digits of what is none
	limit, ok := a.smallLabels()
	if !ok {
		return
	}
	for i := range a {
		c := &a[i]
		beside := func(o cell) bool { return o.introduces() && o.level(c) && o.height() < limit }
		if share, _ := digitShare(c.text); share >= figures || c.label != "" || c.height() >= limit || len(strings.Fields(c.text)) > longest {
			continue
		}
		if slices.ContainsFunc(a, beside) && a.valueBelow(i, limit) {
			c.label = egypt.LabelIllegible
		}
	}
}

// smallLabels reports whether the labels of a card are clearly smaller than its values, which stand below them, and the height between
// the two.
func (a cells) smallLabels() (limit float64, ok bool) {
	const fewest, smaller, closely = 3, 0.87, 1.5
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
		if left := a.leftOf(i); len(left) > 0 && a[left[0]].label == "" && (a[left[0]].height() > limit || (a[i].left()-a[left[0]].right())*viewWidth < closely*a[i].height()) {
			beside++
		} else if a.valueBelow(i, limit) {
			below++
		}
	}
	return limit, below >= fewest && below > 2*beside
}

// valueBelow reports whether text of a height from a limit on stands below a cell.
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

// minorLabel reports whether a label announces what is no field, or what is found without it: a word that is hardly like one is none.
func minorLabel(l egypt.Label) bool {
	return slices.Contains(noFields(), l) || l == egypt.LabelOffice || l == egypt.LabelRest || l == egypt.LabelLatinName || l == egypt.LabelLatinNation
}

// noFields are the labels of which no field has the value.
func noFields() []egypt.Label {
	return []egypt.Label{egypt.LabelSerial, egypt.LabelGovernorate, egypt.LabelBlood, egypt.LabelBirth, egypt.LabelOther}
}

// anyDigit reports whether a text holds a digit.
func anyDigit(text string) bool { return digitsIn(text) > 0 }

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

// withoutTwins leaves out the cells that are the same text as one of which more is sure, seen twice: at one height or, where one
// begins or ends with what the other says, nearer to it than another line can stand. Of two labels the one counts that holds the other.
func (a cells) withoutTwins() cells {
	return slices.DeleteFunc(slices.Clone(a), func(c cell) bool {
		return slices.ContainsFunc(a, func(o cell) bool {
			overlap := min(c.right(), o.right()) - max(c.left(), o.left())
			near, shared := 0.45, 0.7
			if t := strings.Trim(c.text, " "+signs); strings.HasPrefix(o.text, t) || strings.HasSuffix(o.text, t) {
				near, shared = 1.1, 0.5
			}
			same := overlap > shared*min(c.right()-c.left(), o.right()-o.left()) && math.Abs(c.y()-o.y())*viewHeight < near*min(c.height(), o.height())
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
// a stain. It looks where the rightmost text of the card ends.
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
			texts := textsOf(wordsOf(read))
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

// labelPlace is where a label of a height would stand at a height of the card and with a right end; nothing where other text
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

// labelled reports whether a label was found at about a height already.
func (a cells) labelled(label egypt.Label, y float64) bool {
	return slices.ContainsFunc(a, func(c cell) bool {
		return c.label == label && math.Abs(c.y()-y)*viewHeight < 2*c.height()
	})
}

// labelWidths are the widths of short and long labels, as shares of the card's width.
func labelWidths() []float64 { return []float64{0.08, 0.14} }
