package text

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/bawab/bawab/inference/bidi"
	"github.com/bawab/bawab/inference/ctc"
)

// Symbol is one printed sign of a line.
type Symbol struct {
	Rune rune
	// Prob is the network's probability of the sign where it is surest of it, 0 to 1, uncalibrated.
	Prob float64
	// Start and End are its place as shares of the line's length, from the left end of upright text (Line.Start): 0 to
	// 1, and a little beyond at the ends. They are estimates, good to about half a sign.
	Start, End float64
}

// Reading is a line of text that was read. It is immutable.
type Reading struct {
	lattice  *ctc.Lattice
	alphabet []rune
	symbols  []Symbol
	text     string
	logProb  float64
	// origin and step say where along the line a column lies: origin + step x column, as a share of its length.
	origin, step float64
	misreads     *misreads // nil where nothing is known to be misread
}

func newReading(l *ctc.Lattice, alphabet []rune, share func(column float64) float64) *Reading {
	runs := l.BestPath()
	r := &Reading{
		lattice:  l,
		alphabet: alphabet,
		symbols:  symbols(runs, alphabet, share, symbolReach),
		origin:   share(0),
		step:     share(1) - share(0),
	}
	r.text = spaced(bidi.Logical(r.visual()))
	if len(runs) > 0 {
		r.logProb = l.Score(ctc.ClassesOf(runs))
	}
	return r
}

// symbolReach is how many columns a sign may extend beyond its spike where no neighbour bounds it.
const symbolReach = 2

// visual returns the signs as printed.
func (r *Reading) visual() []rune {
	out := make([]rune, len(r.symbols))
	for i, s := range r.symbols {
		out[i] = s.Rune
	}
	return out
}

// Text returns the line in logical order, its words one space apart; "" when nothing was read. It runs from right to left as a whole
// where it has more Arabic letters than Latin ones.
func (r *Reading) Text() string { return r.text }

// TextFrom is Text for a line that is known to run from right to left as a whole, or from left to right, whatever its letters.
func (r *Reading) TextFrom(rtl bool) string {
	return spaced(bidi.LogicalFrom(r.visual(), rtl))
}

// spaced is a line with its words one space apart.
func spaced(line []rune) string { return strings.Join(strings.Fields(string(line)), " ") }

// Symbols returns the signs in visual order, from left to right as printed, spaces included. They belong to r.
func (r *Reading) Symbols() []Symbol { return r.symbols }

// With is the reading with other signs in the place of its own, from left to right; itself where they are the same.
func (r *Reading) With(symbols []Symbol) *Reading {
	if slices.Equal(symbols, r.symbols) {
		return r
	}
	again := *r
	again.symbols = symbols
	again.text = spaced(bidi.Logical(again.visual()))
	return &again
}

// Confidence returns the network's probability that the whole of Text is what is printed, 0 to 1, uncalibrated; 0
// when nothing was read.
func (r *Reading) Confidence() float64 {
	if len(r.symbols) == 0 {
		return 0
	}
	return min(1, math.Exp(r.logProb))
}

// Legibility is the geometric mean of the probabilities of all signs of some readings, 0 to 1; 0 when there are none.
func Legibility(read ...*Reading) float64 {
	sum, count := 0.0, 0
	for _, r := range read {
		for _, s := range r.symbols {
			sum += math.Log(max(s.Prob, 1e-6))
			count++
		}
	}
	if count == 0 {
		return 0
	}
	return math.Exp(sum / float64(count))
}

// Score returns the natural logarithm of the probability, given the ink, that exactly this text in logical order is
// printed, diacritics and tatweel aside, which networks do not read; -Inf when it holds a sign that the network does
// not know, nor reads as others, or does not fit into the line.
func (r *Reading) Score(text string) float64 {
	bare := strings.Map(func(s rune) rune {
		if s == 'ـ' || unicode.Is(unicode.Mn, s) {
			return -1
		}
		return s
	}, text)
	signs := bidi.Visual([]rune(bare))
	classes, known := classesFor(signs, r.alphabet)
	if known && r.misreads == nil {
		return r.lattice.Score(classes)
	}
	read, ok := r.readFor(signs)
	if !ok {
		return math.Inf(-1)
	}
	return r.lattice.ScoreThrough(read)
}

// standIns are what is read for a sign of which the networks have no class.
func standIns(sign rune) string {
	if sign == '×' {
		return "xX*+%٪«»"
	}
	return ""
}

// readFor are the classes that may be read for each of some signs; ok is false where one is known by no reader.
func (r *Reading) readFor(signs []rune) (read [][]ctc.Likely, ok bool) {
	for _, sign := range signs {
		if class := slices.Index(r.alphabet, sign) + 1; class > 0 {
			read = append(read, r.misreads.readFor(class))
			continue
		}
		var likely []ctc.Likely
		others := []rune(standIns(sign))
		for _, other := range others {
			if class := slices.Index(r.alphabet, other) + 1; class > 0 {
				likely = append(likely, ctc.Likely{Class: class, Share: 1 / float64(len(others))})
			}
		}
		if len(likely) == 0 {
			return nil, false
		}
		read = append(read, likely)
	}
	return read, true
}

// serialSigns are what a number of capitals and digits holds.
const serialSigns = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-"

// ScoreSerial returns what Score does for a line that holds nothing but one number of capitals, Western digits and dashes: gaps
// within it count for nothing, small letters as capitals and digits by their value. The function may be kept; calls of it share
// what they have in common.
func (r *Reading) ScoreSerial() func(serial string) float64 {
	const other = 1 + len(serialSigns)
	signs := []rune(serialSigns)
	l := merged(r.lattice, r.alphabet, other+1, func(s rune) int {
		if s == ' ' {
			return 0
		}
		if at := strings.IndexRune(serialSigns, plainSign(s)); at >= 0 {
			return 1 + at
		}
		return other
	})
	return func(serial string) float64 {
		classes, ok := classesFor([]rune(serial), signs)
		if !ok {
			return math.Inf(-1)
		}
		return l.Score(classes)
	}
}

// Spans are the words among the signs of a line: where each begins, and the sign behind it.
func Spans(symbols []Symbol) (out [][2]int) {
	for i, x := range symbols {
		switch {
		case x.Rune == ' ':
		case i == 0 || symbols[i-1].Rune == ' ':
			out = append(out, [2]int{i, i + 1})
		default:
			out[len(out)-1][1] = i + 1
		}
	}
	return out
}

// symbols turns runs into symbols. CTC marks a symbol with a spike somewhere on it; its borders are put halfway to its
// neighbours' spikes, but no further than reach columns from the ends of its own.
func symbols(runs []ctc.Run, alphabet []rune, share func(column float64) float64, reach float64) []Symbol {
	out := make([]Symbol, len(runs))
	for i, r := range runs {
		start, end := float64(r.Start)-reach, float64(r.End)+reach
		if i > 0 {
			start = max(start, float64(runs[i-1].End+r.Start)/2)
		}
		if i+1 < len(runs) {
			end = min(end, float64(r.End+runs[i+1].Start)/2)
		}
		out[i] = Symbol{Rune: alphabet[r.Class-1], Prob: r.P, Start: share(start), End: share(end)}
	}
	return out
}

// classesFor returns the classes of runes, or false when the alphabet lacks one of them.
func classesFor(runes, alphabet []rune) ([]int, bool) {
	out := make([]int, len(runes))
	for i, r := range runes {
		c := slices.Index(alphabet, r)
		if c < 0 {
			return nil, false
		}
		out[i] = c + 1
	}
	return out, true
}
