package plate

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Cell is the evidence for one sign of a plate: the natural logarithm of the probability of each of Signs in
// their order, then of any other sign.
type Cell [classes]float64

const (
	classes   = digitSigns + 17 + 1
	otherSign = classes - 1
)

// Sign is one printed sign, or what may be one.
type Sign struct {
	// X and Y are its middle in a view of the upright plate, where the plate is 2 wide and 1 high.
	X, Y float64
	// There is the probability in 0..1 that a sign is there at all.
	There float64
	Cell  Cell
}

// Reading is what the signs of a plate say.
type Reading struct {
	// Plate is empty where the signs are no plate: no letter or no digit, one that no plate carries, or too many.
	Plate Plate
	// Confidence is the probability in 0..1 that Plate is all that is printed, as far as the evidence can be believed.
	Confidence float64
	// Characters holds the same for each character of Plate.String(); that of a blank is 1.
	Characters []float64
	// Raw is the likeliest sign of each place, rows from top to bottom, left to right; ? is a sign that no plate carries.
	Raw string
	// Printed are the signs that Plate was read from, in the order of its letters and digits.
	Printed []Sign
	// Foreign tells that signs stand there that break the rules of a plate, rather than that too few were seen.
	Foreign bool
	// Rows is 2 for a plate whose digits and letters have a row each, else 1.
	Rows int
}

// Signs at which a plate is read. One that is there with less than leastThere is taken for dirt, and lowers the confidence.
const (
	leastThere = 0.4
	// foreignSign is the probability at which a sign is taken for one that no plate carries.
	foreignSign = 0.5
	// Two rows lie at least this far apart, in heights of the plate, across a line no steeper than that.
	rowGap, rowSlope = 0.17, 0.35
	// How sharply the middle parts digits from letters, in the units of X, and what more signs than a plate carries on one
	// side cost, as a logarithm. Set by judgement.
	middleWidth, crowded = 0.08, 4.0
)

// Decode reads the signs of a plate, which may come in any order: in one row the digits stand left of the letters, in two
// rows, as on motorcycles, each kind has its own.
func Decode(signs []Sign) Reading {
	var there []Sign
	r := Reading{Confidence: 1}
	for _, s := range signs {
		if s.There >= leastThere {
			there = append(there, s)
		} else {
			r.Confidence *= 1 - s.There
		}
	}
	rows := rowsOf(there)
	r.Raw, r.Rows = rawOf(rows), len(rows)
	digits, letters := split(rows)
	r.judge(digits, letters)
	return r
}

// judge fills in what the digits and letters, both from left to right, say.
func (r *Reading) judge(digits, letters []Sign) {
	foreign := 0
	for _, s := range slices.Concat(digits, letters) {
		if math.Exp(s.Cell[otherSign]) > foreignSign {
			foreign++
		}
	}
	many := len(digits) > mostDigits || len(letters) > mostLetters
	r.Foreign = foreign > 0 || many || len(digits)+len(letters) > 2 && (len(digits) == 0 || len(letters) == 0)
	if r.Foreign || len(digits) == 0 || len(letters) == 0 {
		r.Confidence = 0
		return
	}
	slices.Reverse(letters)
	for _, s := range letters {
		at := s.best(digitSigns, otherSign)
		r.Plate.Letters = append(r.Plate.Letters, []rune(Signs)[at])
		r.add(s, at)
		r.Characters = append(r.Characters, 1)
	}
	for _, s := range digits {
		at := s.best(0, digitSigns)
		r.Plate.Number += Signs[at : at+1]
		r.add(s, at)
	}
}

// add counts a sign that was read as the class at.
func (r *Reading) add(s Sign, at int) {
	p := s.There * math.Exp(s.Cell[at])
	r.Characters = append(r.Characters, p)
	r.Confidence *= p
	r.Printed = append(r.Printed, s)
}

// best is the likeliest class from low up to, not including, high.
func (s *Sign) best(low, high int) int {
	at := low
	for i := low; i < high; i++ {
		if s.Cell[i] > s.Cell[at] {
			at = i
		}
	}
	return at
}

// rowsOf sorts signs into one row, or two from top to bottom, each from left to right.
func rowsOf(signs []Sign) [][]Sign {
	across := func(a, b Sign) int { return cmp.Compare(a.X, b.X) }
	rows := [][]Sign{slices.Clone(signs)}
	if sorted, cut := byHeight(signs); cut > 0 {
		rows = [][]Sign{sorted[:cut], sorted[cut:]}
	}
	for _, row := range rows {
		slices.SortFunc(row, across)
	}
	return rows
}

// byHeight sorts signs from top to bottom across a line through all of them that is not steep, and tells before which of them a
// second row begins, 0 for none.
func byHeight(signs []Sign) (sorted []Sign, cut int) {
	n := float64(len(signs))
	var x, y, xx, xy float64
	for _, s := range signs {
		x, y = x+s.X/n, y+s.Y/n
	}
	for _, s := range signs {
		xx, xy = xx+(s.X-x)*(s.X-x), xy+(s.X-x)*(s.Y-y)
	}
	slope := 0.0
	if xx > 0 {
		slope = max(-rowSlope, min(xy/xx, rowSlope))
	}
	height := func(s Sign) float64 { return s.Y - slope*s.X }
	sorted = slices.SortedFunc(slices.Values(signs), func(a, b Sign) int { return cmp.Compare(height(a), height(b)) })
	gap := rowGap
	for i := 1; i < len(sorted); i++ {
		if g := height(sorted[i]) - height(sorted[i-1]); g > gap {
			gap, cut = g, i
		}
	}
	return sorted, cut
}

// split tells digits from letters, both from left to right, by what makes the signs likeliest.
func split(rows [][]Sign) (digits, letters []Sign) {
	if len(rows) == 2 {
		if kindScore(rows[0], rows[1]) > kindScore(rows[1], rows[0]) {
			return rows[0], rows[1]
		}
		return rows[1], rows[0]
	}
	row, best := rows[0], math.Inf(-1)
	for cut := range len(row) + 1 {
		s := kindScore(row[:cut], row[cut:])
		for i := range row {
			// Digits stand in the left half; an outline that is off moves the middle a little.
			side := (row[i].X - 1) / middleWidth
			if i < cut {
				side = -side
			}
			s -= math.Log1p(math.Exp(-side))
		}
		if cut > mostDigits || len(row)-cut > mostLetters {
			s -= crowded
		}
		if s > best {
			best, digits, letters = s, row[:cut], row[cut:]
		}
	}
	return slices.Clone(digits), slices.Clone(letters)
}

// kindScore is the log-probability that these are digits and those letters. A sign that no plate carries is either.
func kindScore(digits, letters []Sign) float64 {
	sum := 0.0
	for i := range digits {
		sum += max(digits[i].Cell[digits[i].best(0, digitSigns)], digits[i].Cell[otherSign])
	}
	for i := range letters {
		sum += max(letters[i].Cell[letters[i].best(digitSigns, otherSign)], letters[i].Cell[otherSign])
	}
	return sum
}

// rawOf writes the likeliest signs, a blank between rows.
func rawOf(rows [][]Sign) string {
	var parts []string
	for _, row := range rows {
		var b strings.Builder
		for i := range row {
			if at := row[i].best(0, classes); at == otherSign {
				b.WriteByte('?')
			} else {
				b.WriteRune([]rune(Signs)[at])
			}
		}
		parts = append(parts, b.String())
	}
	return strings.Join(parts, " ")
}
