package text

import (
	"maps"
	"math"
	"slices"
)

// Misread says what a reader makes of a face that it does not know: for a sign that it reads, which others are truly printed, with their
// shares of all such signs, 0 to 1 together. What they leave is the sign itself.
type Misread map[rune]map[rune]float64

// With is what is misread by m, but for the signs of which more says it.
func (m Misread) With(more Misread) Misread {
	if len(more) == 0 {
		return m
	}
	out := maps.Clone(more)
	for read, printed := range m {
		if out[read] == nil {
			out[read] = printed
		}
	}
	return out
}

// itself is the share of a sign that is printed where it is read.
func (m Misread) itself(read rune) float64 {
	rest := 1.0
	for _, share := range m[read] {
		rest -= share
	}
	return max(rest, 0)
}

// misreads is a Misread by the classes of an alphabet.
type misreads struct {
	printed map[int][]likely // by the class that is read
	read    map[int][]likely // by the class that is printed
}

// likely is a class with its share.
type likely struct {
	class int
	share float64
}

// newMisreads is nil where an alphabet holds nothing that is misread.
func newMisreads(m Misread, alphabet []rune) *misreads {
	c := &misreads{map[int][]likely{}, map[int][]likely{}}
	class := func(sign rune) int { return slices.Index(alphabet, sign) + 1 }
	link := func(read, printed int, share float64) {
		if read > 0 && printed > 0 && share > 0 {
			c.printed[read] = append(c.printed[read], likely{printed, share})
			c.read[printed] = append(c.read[printed], likely{read, share})
		}
	}
	for _, read := range slices.Sorted(maps.Keys(m)) {
		link(class(read), class(read), m.itself(read))
		for _, printed := range slices.Sorted(maps.Keys(m[read])) {
			link(class(read), class(printed), m[read][printed])
		}
	}
	if len(c.printed) == 0 {
		return nil
	}
	for printed := range c.read { // a sign that nothing else is printed for is read as itself
		if c.printed[printed] == nil {
			c.read[printed] = append(c.read[printed], likely{printed, 1})
		}
	}
	return c
}

// printedFor are the classes that may be printed where one is read.
func (c *misreads) printedFor(read int) []likely {
	if c != nil && c.printed[read] != nil {
		return c.printed[read]
	}
	return []likely{{read, 1}}
}

// readFor are the classes that may be read where one is printed.
func (c *misreads) readFor(printed int) []likely {
	if c != nil && c.read[printed] != nil {
		return c.read[printed]
	}
	return []likely{{printed, 1}}
}

// Through is the same look by a reader of which it is known what it misreads. Its symbols, its text and its confidence stay what was read;
// how likely texts are changes, and what may be printed instead.
func (r *Reading) Through(m Misread) *Reading {
	out := *r
	out.misreads = newMisreads(m, r.alphabet)
	return &out
}

// scoreThrough is score where each class may be read as others: the sum over all that may be read for what is printed. Two signs in a row
// need a blank between them where they are read alike, not where they are printed alike.
func (l *lattice) scoreThrough(m *misreads, printed []int) float64 {
	s := spelling{read: make([][]likely, len(printed)), signs: make([][]float64, len(printed)), blanks: make([]float64, len(printed)+1)}
	for i, class := range printed {
		s.read[i] = m.readFor(class)
		s.signs[i] = make([]float64, len(s.read[i]))
	}
	s.blanks[0] = 1 // as if a blank had come before the first column
	total := 0.0
	for t := range l.columns {
		sum := s.step(l.column(t))
		if sum == 0 {
			return math.Inf(-1)
		}
		s.scale(sum)
		total += math.Log(sum)
	}
	return total + math.Log(s.blanks[len(printed)]+s.behind(len(printed), -1))
}

// spelling holds the probabilities of the paths that spell the beginnings of a text, as far as the columns were seen.
type spelling struct {
	read   [][]likely  // what may be read for each sign
	signs  [][]float64 // paths that end on that
	blanks []float64   // paths that end on a blank before each sign, and after the last
}

// step takes in a column and returns the sum of all paths.
func (s *spelling) step(p []float64) (sum float64) {
	for i := len(s.blanks) - 1; i >= 0; i-- { // from the end, so that what stands before is of the column before
		if i < len(s.signs) {
			for k, r := range s.read[i] {
				s.signs[i][k] = p[r.class] * (s.signs[i][k] + r.share*(s.blanks[i]+s.behind(i, r.class)))
				sum += s.signs[i][k]
			}
		}
		s.blanks[i] = p[0] * (s.blanks[i] + s.behind(i, -1))
		sum += s.blanks[i]
	}
	return sum
}

// behind is the sum of the paths that end on the sign before the i-th, without those on a class.
func (s *spelling) behind(i, class int) (sum float64) {
	if i == 0 {
		return 0
	}
	for k, r := range s.read[i-1] {
		if r.class != class {
			sum += s.signs[i-1][k]
		}
	}
	return sum
}

// scale divides all.
func (s *spelling) scale(by float64) {
	for _, values := range append(s.signs[:len(s.signs):len(s.signs)], s.blanks) {
		for k := range values {
			values[k] /= by
		}
	}
}
