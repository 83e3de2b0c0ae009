package fraud

import (
	"image"
	"math"
	"testing"

	"gonum.org/v1/gonum/dsp/fourier"

	"github.com/bawab/bawab/appliance"
)

// dotted is a ground of round dots of a pitch in pixels, of half the card's brightness at most.
func dotted(pitch, strength float64) func(x, y int) float64 {
	return func(x, y int) float64 {
		at := func(v int) float64 { return math.Cos(2 * math.Pi * float64(v) / pitch) }
		return 200 - strength*max(0, at(x)+at(y)-1)
	}
}

// TestOwnPattern proves that a ground of dots too coarse for a printer is told from a printer's screen, also where both are there and the
// screen is the stronger, from print in rows beside a plain ground and from noise. The card is 600 pixels wide.
func TestOwnPattern(t *testing.T) {
	coarse, screen := dotted(8, 14), dotted(4, 50)
	rows := func(x, y int) float64 {
		const row, high, stroke = 40, 12, 5
		if letter := uint32(x/stroke+97*(y/row)+13*(y%row/4)) * 2654435761; x > 400 && y%row < high && letter>>30 > 1 {
			return 60
		}
		return 200
	}
	for name, test := range map[string]struct {
		at   func(x, y int) float64
		want bool
	}{
		"75 dots over a card":        {coarse, true},
		"a screen of 150 dots":       {screen, false},
		"dots and a stronger screen": {func(x, y int) float64 { return coarse(x, y) + screen(x, y) - 200 }, false},
		"rows of print":              {rows, false},
		"noise":                      {func(int, int) float64 { return 200 }, false},
	} {
		p := drawn(3, func(x, y int) (float64, float64, float64) {
			if onCard(x, y) {
				return test.at(x, y), 128, 128
			}
			return 90, 128, 128
		})
		if got := ownPattern(p, card()); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
	if ownPattern(&appliance.Picture{Width: 100, Height: 900, Y: make([]byte, 90000)}, card()) {
		t.Error("a picture narrower than a square has a pattern")
	}
}

// TestSpectrumTakesNoMemory proves that squares are transformed in the memory of their spectrum.
func TestSpectrumTakesNoMemory(t *testing.T) {
	p := &appliance.Picture{Width: patternSide, Height: patternSide, Y: make([]byte, patternSide*patternSide)}
	s := spectrum{fft: fourier.NewCmplxFFT(patternSide)}
	if n := testing.AllocsPerRun(3, func() { s.add(p, image.Point{}) }); n > 0 {
		t.Errorf("%g allocations a square", n)
	}
}
