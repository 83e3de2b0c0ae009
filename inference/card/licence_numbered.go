package card

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bawab/bawab/appliance/egypt"
)

// ordinal is what the number of a field looks like, as licences of many countries have them: 4a.
var ordinal = regexp.MustCompile(`^\.?([0-9]{1,2})[a-dA-D]?\.?$`)

// fewestOrdinals is how many lines must begin with numbers that rise from the top for these to be the numbers of fields.
const fewestOrdinals = 5

// withoutOrdinals cuts off the numbers of fields where the lines of a card begin with them: each such line begins a field.
func (s *sheet) withoutOrdinals(ctx context.Context, all cells) (cells, error) {
	left, right, ok := all.ordinals()
	if !ok {
		return all, nil
	}
	var out, alone cells
	for _, c := range all {
		c.begins = slices.ContainsFunc(alone, func(o cell) bool { return o.level(&c) })
		words := wordsOf(c.script) // from right to left
		if len(c.row) != 1 || len(words) == 0 || c.right() < left || c.right() > right+0.02 {
			out = append(out, c)
			continue
		}
		short := len([]rune(words[0].text)) <= len("10a.") && arabicLetters(words[0].text) == 0
		switch {
		case !short || c.startOf(words[0]) < left-0.02:
			out = append(out, c)
		case len(words) > 1:
			part, err := s.part(ctx, c, 0, words[1].end+c.seam())
			if err != nil {
				return nil, err
			}
			part.begins = true
			out = append(out, part)
		default: // the number alone: what is left of it begins the field
			alone = append(alone, c)
		}
	}
	return out, nil
}

// startOf is where a word of a cell of one piece begins, at the left, as a share of the card's width.
func (c *cell) startOf(w word) float64 {
	l := c.whole()
	return (l.Start.X + w.start*(l.End.X-l.Start.X)) / viewWidth
}

// ordinals is the column, as shares of the card's width, in which the numbers of fields stand that rise from the top; ok is false where there are none.
func (a cells) ordinals() (left, right float64, ok bool) {
	type numbered struct {
		y, left, right float64
		n              int
	}
	var found []numbered
	for i := range a {
		c := &a[i]
		words := wordsOf(c.script)
		if len(c.row) != 1 || len(words) == 0 || slices.ContainsFunc(a, func(o cell) bool { return o.level(c) && o.left() > c.centre() }) {
			continue
		}
		m := ordinal.FindStringSubmatch(egypt.FoldDigits(strings.TrimSpace(words[0].text)))
		if m == nil {
			continue
		}
		n, _ := strconv.Atoi(m[1])
		found = append(found, numbered{c.y(), c.startOf(words[0]), c.right(), n})
	}
	slices.SortFunc(found, func(x, y numbered) int { return cmp.Compare(x.y, y.y) })
	last, rising, lefts := 0, 0, []float64(nil)
	for _, f := range found {
		if f.n >= last && f.n <= last+3 {
			last, rising, lefts, right = f.n, rising+1, append(lefts, f.left), max(right, f.right)
		}
	}
	if rising < fewestOrdinals {
		return 0, 0, false
	}
	return slices.Min(lefts), right, true
}
