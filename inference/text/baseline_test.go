package text

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/inferencetest"
	"github.com/bawab/bawab/inference/vision"
)

const golden = "../../models/samples/documents"

// drawnLine is a line of words in a golden picture.
type drawnLine struct {
	file string
	Line
}

// drawnLines are the lines of words of the golden pictures.
func drawnLines(t *testing.T) (out []drawnLine) {
	t.Helper()
	for _, card := range inferencetest.Truth(t, golden) {
		for _, d := range card.Documents {
			for _, l := range d.Lines {
				if strings.HasPrefix(l.Role, "name") || strings.HasPrefix(l.Role, "address") || strings.HasPrefix(l.Role, "job") {
					out = append(out, drawnLine{card.File, lineOf(l.Quad)})
				}
			}
		}
	}
	return out
}

// lineOf is the line whose glyph boxes have a quad as outline.
func lineOf(q [4][2]float64) Line {
	middle := func(a, b [2]float64) appliance.Point {
		return appliance.Point{X: (a[0] + b[0]) / 2, Y: (a[1] + b[1]) / 2}
	}
	side := func(a, b [2]float64) float64 { return math.Hypot(a[0]-b[0], a[1]-b[1]) }
	return Line{Start: middle(q[0], q[3]), End: middle(q[1], q[2]), Height: (side(q[0], q[3]) + side(q[1], q[2])) / 2}
}

// Property: the product's network finds where letters stand and how high they are, however wrong the detector has both by what it errs
// on cards; a long line by its middle.
func TestLevel(t *testing.T) {
	r := LineReader{baseline: productBaseline(t)}
	for _, wrong := range []moves{{0, 1}, {0.2, 1.3}, {-0.2, 1.3}, {0.2, 0.77}, {-0.2, 0.77}} {
		putRight(t, &r, wrong, [2]moves{{0.05, 0.08}, {0.12, 0.22}})
	}
}

// Property: the rows of lines tell without the network where letters stand and how high they are, where the detector errs by what it
// mostly does.
func TestLevelByRows(t *testing.T) {
	rows, err := NewRows(inferencetest.Numbers(t))
	if err != nil {
		t.Fatal(err)
	}
	r := LineReader{baseline: productBaseline(t), rows: rows}
	for _, wrong := range []moves{{0, 1}, {0.07, 1.1}, {-0.07, 1.1}, {0.07, 0.9}, {-0.07, 0.9}} {
		putRight(t, &r, wrong, [2]moves{{0.05, 0.08}, {0.12, 0.22}})
	}
}

// Property: of numbers of which one lacks the error names it.
func TestNewRowsRefuses(t *testing.T) {
	numbers, lacks := inferencetest.Numbers(t), RowWeight(3, RowHigher)
	delete(numbers, lacks)
	if _, err := NewRows(numbers); err == nil || !strings.Contains(err.Error(), lacks) {
		t.Errorf("%v", err)
	}
}

// moves are how a line is moved: down, in its heights, and how many times as high it is made.
type moves struct{ down, higher float64 }

func productBaseline(t *testing.T) *baseline {
	t.Helper()
	net, _ := inferencetest.Product(t, "baseline")
	b, err := newBaseline(net)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// putRight holds how far a reader finds lines that are moved from where they stand: the median and what nine of ten keep within.
func putRight(t *testing.T, r *LineReader, wrong moves, within [2]moves) {
	t.Helper()
	pictures := map[string]vision.Plane{}
	var lower, higher []float64
	for _, l := range drawnLines(t) {
		luma, ok := pictures[l.file]
		if !ok {
			luma = vision.Luma(inferencetest.Picture(t, golden, l.file))
			pictures[l.file] = luma
		}
		got, err := r.Level(t.Context(), luma, identity(), l.Moved(wrong.down, wrong.higher))
		if err != nil {
			t.Fatal(err)
		}
		down, high := l.Moves(got)
		lower, higher = append(lower, math.Abs(down)), append(higher, math.Abs(math.Log(high)))
	}
	slices.Sort(lower)
	slices.Sort(higher)
	n := len(lower)
	t.Logf("%+v: %d lines, middle within %.3f and %.3f (median, 90 %%), height within %.3f and %.3f", wrong, n,
		lower[n/2], lower[n*9/10], higher[n/2], higher[n*9/10])
	if n < 20 || lower[n/2] > within[0].down || lower[n*9/10] > within[1].down ||
		higher[n/2] > within[0].higher || higher[n*9/10] > within[1].higher {
		t.Errorf("%+v is not put right", wrong)
	}
}
