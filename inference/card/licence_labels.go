package card

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/inference/text"
)

// hardlyLike is the least likeness of a misread label to a wording, where its place tells that it is one.
const hardlyLike = 0.5

// misreadLabels finds the labels that could not be read well: those in a column of labels that have a value beside them.
func (a cells) misreadLabels(labels []egypt.Phrase) {
	for i := range a {
		c := &a[i]
		if c.label != "" || len(strings.Fields(c.text)) > 3 {
			continue
		}
		column := 0
		for k := range a {
			if a[k].label != "" && math.Abs(a[k].right()-c.right()) < 0.02 {
				column++
			}
		}
		left := a.leftOf(i)
		if column < 3 || len(left) == 0 || a[left[0]].label != "" {
			continue
		}
		most := hardlyLike
		for _, p := range labels {
			if l := egypt.Likeness(strings.Trim(c.text, signs), p.Text); l > most && a.find(p.Label) < 0 {
				c.label, c.likeness, most = p.Label, l, l
			}
		}
	}
}

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
			if at, ok := egypt.LocateLabel(texts, labels); ok && announces(at, texts) {
				all = append(all, cell{entry: entry{r, read}, label: at.Phrase.Label, likeness: min(at.Score, read.confidence+0.5), line: c.line})
				break
			}
		}
	}
	return all, nil
}

// labelWidths are the widths of short and long labels, as shares of the card's width.
func labelWidths() []float64 { return []float64{0.08, 0.14} }

// cutAtLabels cuts a cell at the labels in it, and reads each part anew.
func (s *sheet) cutAtLabels(ctx context.Context, c cell, labels []egypt.Phrase) (cells, error) {
	words := wordsOf(c.script)
	if len(words) > 1 && strings.Trim(words[0].text, signs) == "" { // what is left of a label that stands apart
		rest, err := s.part(ctx, c, 0, words[1].end-seamRoom*c.height()/c.whole().Length())
		if err != nil {
			return nil, err
		}
		return s.cutFurther(ctx, c, rest, labels)
	}
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.text
	}
	at, ok := egypt.LocateLabel(texts, labels)
	if ok && at.From > 0 && !standsApart(words, at.From, c) {
		at, ok = leading(texts, labels)
	}
	if !ok || !announces(at, texts) {
		return s.cutAtDate(ctx, c, words, labels)
	}
	for at.To < len(words) && strings.Trim(words[at.To].text, signs) == "" {
		at.To++
	}
	out := cells{}
	if at.From > 0 { // what stands right of the label
		right, err := s.part(ctx, c, words[at.From-1].start+seamRoom*c.height()/c.whole().Length(), 1)
		if err != nil {
			return nil, err
		}
		parts, err := s.cutFurther(ctx, c, right, labels)
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
	left, err := s.part(ctx, c, 0, words[at.To].end-seamRoom*c.height()/c.whole().Length())
	if err != nil {
		return nil, err
	}
	parts, err := s.cutFurther(ctx, c, left, labels)
	return append(out, parts...), err
}

// cutFurther cuts a part of a cell at the labels in it, unless it is hardly shorter than the cell: there the same cut would be
// found again for ever.
func (s *sheet) cutFurther(ctx context.Context, c, part cell, labels []egypt.Phrase) (cells, error) {
	if part.whole().Length() > c.whole().Length()-0.3*c.height() {
		return cells{part}, nil
	}
	return s.cutAtLabels(ctx, part, labels)
}

// leading finds a label that the first words make up.
func leading(words []string, labels []egypt.Phrase) (best egypt.Located, ok bool) {
	const perWord = 0.05 // what a word more may cost
	most := 0.0
	for n := 1; n <= min(3, len(words)); n++ {
		at, found := egypt.LocateLabel(words[:n], labels)
		if merit := at.Score + perWord*float64(n); found && at.From == 0 && at.To == n && merit > most {
			best, most, ok = at, merit, true
		}
	}
	return best, ok
}

// signs stand between a label and its value.
const signs = ":.;،؛-–|!'"

// standsApart tells whether a wider gap than between words parts a word from the one right of it, or one of the two is a number:
// then another column begins there.
func standsApart(words []word, i int, c cell) bool {
	gap := (words[i-1].start - words[i].end) * c.whole().Length()
	_, digits := digitShare(words[i-1].text)
	return gap > columnGap*c.height() || digits > 0
}

// columnGap is the least gap between columns, in heights.
const columnGap = 0.9

// cutAtDate cuts a cell at a date in it, for which no label could be read.
func (s *sheet) cutAtDate(ctx context.Context, c cell, words []word, labels []egypt.Phrase) (cells, error) {
	i := slices.IndexFunc(words, func(w word) bool { return dateLike(w.text) })
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
	left, err := s.part(ctx, c, 0, words[i+1].end-room)
	if err != nil {
		return nil, err
	}
	parts, err := s.cutFurther(ctx, c, left, labels)
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
	if letters <= 5 && at.Score < 0.85 {
		return false
	}
	interior := at.From > 0
	return !interior || strings.Contains(at.Phrase.Text, " ") || at.Score > 0.9 && strings.HasPrefix(words[at.From], "ال")
}

// part reads a stretch of a cell of one piece, from one share of its length to another.
func (s *sheet) part(ctx context.Context, c cell, from, to float64) (cell, error) {
	c.row, c.label = row{{cut(c.row[0].Line, max(0, from), min(1, to))}}, ""
	var err error
	if c.script, err = s.readWords(ctx, c.row); err != nil {
		return c, err
	}
	return c, s.readAgain(ctx, &c.entry)
}
