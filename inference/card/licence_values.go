package card

import (
	"cmp"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance/egypt"
)

// beside returns a cell and the free ones of its row that only a small gap parts from it.
func (a cells) beside(i int) []int {
	out := []int{i}
	grow := func(k, from int) bool {
		if k < 0 || k >= len(a) || a[k].line != a[i].line || a[k].label != "" || a[k].used {
			return false
		}
		l, r := &a[k], &a[from]
		if l.left() > r.left() {
			l, r = r, l
		}
		if (r.left()-l.right())*viewWidth > sameLine*max(l.height(), r.height()) || a[k].speckBeside(&a[from]) {
			return false
		}
		out = append(out, k)
		return true
	}
	for k := i + 1; grow(k, k-1); k++ {
	}
	for k := i - 1; grow(k, k+1); k-- {
	}
	return out
}

// speckBeside reports whether a cell beside another one is a stain that was read as a sign or two.
func (c *cell) speckBeside(o *cell) bool {
	return len([]rune(c.text)) <= 2 && c.height() < 0.8*o.height() && c.confidence < surePiece
}

// sameLine is the widest gap within a line of free text, in heights.
const sameLine = 4.5

// The least likeness to a label's words that counts: where a line must be there, and where it may be missing.
const (
	hardlyLabel = 0.55
	surely      = 0.75
)

// likeBeginning is how much the first words of a text are like those of a label.
func likeBeginning(line string, label egypt.Label) float64 {
	words, most := strings.Fields(line), 0.0
	for _, p := range egypt.PhrasesOf(label) {
		n := len(strings.Fields(p.Text))
		if len(words) > n {
			most = max(most, egypt.Likeness(strings.Join(words[:n], " "), p.Text))
		}
	}
	return most
}

// inOrder sorts lines from the top, those beside each other from right to left.
func inOrder[T any](lines []T, line func(T) entry) {
	slices.SortStableFunc(lines, func(x, y T) int { return cmp.Compare(line(x).y(), line(y).y()) })
	for from, to := 0, 0; from < len(lines); from = to {
		for to = from + 1; to < len(lines) && line(lines[from]).level(line(lines[to])); to++ {
		}
		slices.SortStableFunc(lines[from:to], func(x, y T) int { return cmp.Compare(line(y).right(), line(x).right()) })
	}
}
