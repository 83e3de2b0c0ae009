package text

import (
	"fmt"
	"math"

	"github.com/bawab/bawab/inference/vision"
)

// Rows tell where the letters of a line stand, and how high they are, from what the rows of its strip show: 1,500 multiply-adds where the
// network of base lines, from whose answers they are learned, takes 7.3 million. They are safe for concurrent use.
type Rows struct {
	units  [][]float64 // of each unit the weights of the traits
	lower  []float64   // of each unit, how far down it moves a line, in heights
	higher []float64   // of each unit, how much higher it makes a line, as a logarithm
}

// RowUnits is how many units weigh the rows. With 16 the height differs from that of the network of base lines by 0.063 on licences of a
// stranger's drawer, with 32 by 0.059, by a weighted sum of the rows alone by 0.073 (29 November 2026, root of the mean square).
const RowUnits = 24

// The traits of a strip: those of its rows, two by two, how long the line is, and one that is always 1.
const (
	rowPair   = 2
	rowTraits = 3
)

// RowWeight is the name of the number by which a unit weighs a trait of a strip, or by which it moves a line down or makes it higher.
func RowWeight(unit int, of string) string { return fmt.Sprintf("level %02d %s", unit, of) }

// What a unit does to a line: the names of these numbers.
const (
	RowLower  = "lower"
	RowHigher = "higher"
)

// RowTraits are the names of the traits, in their order.
func RowTraits() (names []string) {
	for _, trait := range [rowTraits]string{"ink", "uneven", "edges"} {
		for row := range baselineStrip().height / rowPair {
			names = append(names, fmt.Sprintf("%s %02d", trait, row))
		}
	}
	return append(names, "slim", "any")
}

// NewRows are rows with numbers by their names; others may stand among them.
func NewRows(numbers map[string]float64) (*Rows, error) {
	missing := ""
	number := func(unit int, of string) float64 {
		v, ok := numbers[RowWeight(unit, of)]
		if !ok {
			missing = RowWeight(unit, of)
		}
		return v
	}
	r := &Rows{}
	for unit := range RowUnits {
		var weights []float64
		for _, trait := range RowTraits() {
			weights = append(weights, number(unit, trait))
		}
		r.units = append(r.units, weights)
		r.lower, r.higher = append(r.lower, number(unit, RowLower)), append(r.higher, number(unit, RowHigher))
	}
	if missing != "" {
		return nil, fmt.Errorf("make rows: there is no number %q", missing)
	}
	return r, nil
}

// Level says how far down a line must be moved, in its heights, and how many times as high it must be, by the traits of its strip.
func (r *Rows) Level(traits []float64) (lower, higher float64) {
	for unit, weights := range r.units {
		sum := 0.0
		for i, w := range weights {
			sum += w * traits[i]
		}
		sum = math.Tanh(sum)
		lower += r.lower[unit] * sum
		higher += r.higher[unit] * sum
	}
	return lower, math.Exp(higher)
}

// RowsOf are the traits of the strip of a line, which h maps to the plane.
func (r *LineReader) RowsOf(p vision.Plane, h vision.Homography, l Line) []float64 {
	b := r.baseline
	s := b.scratch.Get().(*cutterScratch)
	defer b.scratch.Put(s)
	f := b.cut(p, h, l, s)
	slim := f.Length() / max(l.Height, 1e-6)
	end := max(b.margin+rowTraits, min(f.samples-b.margin+1, b.margin+1+int(b.glyphs*slim+0.5)))
	half := b.height / rowPair
	out := make([]float64, rowTraits*half, rowTraits*half+2)
	for y := range b.height {
		ink, uneven, edges := rowOf(s.pix[y*f.samples+b.margin : y*f.samples+end])
		out[y/rowPair] += ink / rowPair
		out[half+y/rowPair] += uneven / rowPair
		out[2*half+y/rowPair] += edges / rowPair
	}
	return append(out, slim/10, 1)
}

// rowOf is how dark the samples of a row are, how far they differ from that, and from each to the next: 0 is paper, 1 is ink.
func rowOf(row []byte) (ink, uneven, edges float64) {
	last := row[0]
	for _, v := range row {
		dark := float64(math.MaxUint8-v) / math.MaxUint8
		ink += dark
		uneven += dark * dark
		edges += math.Abs(float64(v)-float64(last)) / math.MaxUint8
		last = v
	}
	n := float64(len(row))
	ink /= n
	return ink, math.Sqrt(max(0, uneven/n-ink*ink)), edges / n
}

// By is the reader that finds where letters stand by rows, and asks the network of base lines only for lines that are sought.
func (r *LineReader) By(rows *Rows) *LineReader {
	out := *r
	out.rows = rows
	return &out
}
