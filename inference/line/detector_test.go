package line

import (
	"context"
	"math"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/inferencetest"
	"github.com/bawab/bawab/inference/vision"
)

const golden = "../../models/samples/documents"

// Property: the network for lower pictures is the square one: on the golden cards the detector that has both takes the lower one where a
// card fits into it, and sees the same text.
func TestLowerDetector(t *testing.T) {
	square, _ := inferencetest.Product(t, "lines")
	wide, _ := inferencetest.Product(t, "lines_wide")
	one, both := NewDetector(square), NewDetector(square, wide)
	const width, height = 512, 323
	cards, cells, apart := 0, 0, 0
	for _, card := range inferencetest.Truth(t, golden) {
		luma := vision.Luma(inferencetest.Picture(t, golden, card.File))
		for _, d := range card.Documents {
			h, ok := vision.RectToQuad(width, height, corners(d.Quad))
			if !ok {
				continue
			}
			a, err := one.DetectAt(context.Background(), luma, h, width, height, 1)
			if err != nil {
				t.Fatal(err)
			}
			b, err := both.DetectAt(context.Background(), luma, h, width, height, 1)
			if err != nil {
				t.Fatal(err)
			}
			cards++
			for cell := range int32(a.width * a.height) {
				if p, q := a.at(cell, channelText), b.at(cell, channelText); p > 0.5 || q > 0.5 {
					cells++
					if math.Abs(float64(p-q)) > 0.3 {
						apart++
					}
				}
			}
		}
	}
	if cards == 0 || float64(apart) > 0.02*float64(cells) {
		t.Errorf("%d cards: of %d cells of print %d differ", cards, cells, apart)
	}
}

// Property: a map is seen with whatever takes the least work: a card as a whole by the lower network, two rows of tiles by the square one.
func TestCheapestWindow(t *testing.T) {
	d := &Detector{windows: []window{{nil, mapSide}, {nil, 88}}}
	for _, test := range []struct{ width, height, rows int }{
		{128, 81, 88}, {128, 88, 88}, {128, 96, 128}, {320, 202, 128}, {203, 128, 128}, {200, 60, 88},
	} {
		if got := d.cheapest(test.width, test.height).rows; got != test.rows {
			t.Errorf("%d x %d cells: windows of %d rows, want %d", test.width, test.height, got, test.rows)
		}
	}
}

func corners(q [4][2]float64) (out appliance.Quad) {
	for i, p := range q {
		out[i] = appliance.Point{X: p[0], Y: p[1]}
	}
	return out
}
