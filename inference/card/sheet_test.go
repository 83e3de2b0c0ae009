package card

import (
	"math"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
)

// Property: how the detector bends or turns a short word drops it from no row and moves it to no other; long text keeps its slope.
func TestShortWordsAreLevel(t *testing.T) {
	bent := text.Line{Start: appliance.Point{X: 100, Y: 60}, End: appliance.Point{X: 136, Y: 72}, Height: 10, Sag: -9}
	rows := rowsOf([]text.Line{bent})
	if len(rows) != 1 || math.Abs(rows[0][0].Start.Y-60) > 1e-9 || math.Abs(rows[0][0].End.Y-60) > 1e-9 {
		t.Errorf("a short word: %v", rows)
	}
	if rows := rowsOf([]text.Line{{Start: appliance.Point{X: 100, Y: 60}, End: appliance.Point{X: 300, Y: 160}, Height: 10}}); len(rows) != 0 {
		t.Errorf("a steep line is print of the card: %v", rows)
	}
}

// Property: a line that ends at the right side of the view is read beyond it, any other as far as it reaches.
func TestClippedLine(t *testing.T) {
	for end, want := range map[float64]float64{viewWidth: viewWidth + 15, viewWidth - 0.5: viewWidth + 14.5, viewWidth - 2: viewWidth - 2} {
		l := text.Line{Start: appliance.Point{X: 300, Y: 50}, End: appliance.Point{X: end, Y: 50}, Height: 10}
		if got := clippedLine(l).End; got != (appliance.Point{X: want, Y: 50}) {
			t.Errorf("to %v: %v, want %v", end, got, want)
		}
	}
}
