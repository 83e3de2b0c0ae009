package general

import (
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Property: what is about as long as high and seems to run across the lines of a page lies along them, about its middle and as high as they
// are; a long line keeps its way, as does a stroke that holds too little ink for two digits.
func TestAlongPage(t *testing.T) {
	at := func(x0, y0, x1, y1, height float64) text.Line {
		return text.Line{Start: appliance.Point{X: x0, Y: y0}, End: appliance.Point{X: x1, Y: y1}, Height: height}
	}
	lines := []text.Line{
		at(0, 50, 60, 50, 10), at(100, 50, 140, 50, 10), at(0, 100, 60, 100, 10), at(0, 150, 60, 150, 10),
		at(110, 94, 110, 106, 14), // two digits
		at(200, 20, 200, 50, 10),  // a long line down the page
		at(230, 44, 230, 56, 3),   // a stroke
	}
	got := alongPage(lines)
	if l, want := got[4], at(101.6, 100, 118.4, 100, 10); !cmp.Equal(l, want, cmpopts.EquateApprox(0, 1e-9)) {
		t.Errorf("two digits lie at %+v", l)
	}
	for _, i := range []int{0, 1, 2, 3, 5, 6} {
		if got[i] != lines[i] {
			t.Errorf("line %d has become %+v", i, got[i])
		}
	}
	if down := []text.Line{lines[4], lines[5]}; !slices.Equal(alongPage(down), down) {
		t.Error("a page that runs another way is laid along x")
	}
}
