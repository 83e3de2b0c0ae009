package plate

import (
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// Property: sharp signs have a sharpness near 1, blank metal and what is no plate at all 0.
func TestSharpness(t *testing.T) {
	const w, h = 384, 192
	bars := &appliance.Picture{Width: w, Height: h, Y: make([]byte, w*h)}
	for i := range bars.Y {
		if i%w/16%2 == 0 {
			bars.Y[i] = 255
		}
	}
	blank := &appliance.Picture{Width: w, Height: h, Y: make([]byte, w*h)}
	whole := vision.RectQuad(0, 0, w, h)
	if got := sharpness(bars, whole); got < 0.9 || got > 1 {
		t.Errorf("bars: %v", got)
	}
	if got := sharpness(blank, whole); got != 0 {
		t.Errorf("blank: %v", got)
	}
	if got := sharpness(bars, appliance.Quad{}); got != 0 {
		t.Errorf("no plate: %v", got)
	}
}
