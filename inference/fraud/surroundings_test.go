package fraud

import (
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
)

// The view shows the document in its place, upright whichever way it lies in the picture, the table around it, and nothing
// (zero in all planes) beyond the picture; a grey picture has no chroma.
func TestSurroundingsView(t *testing.T) {
	p := drawn(0, func(x, y int) (float64, float64, float64) {
		switch {
		case !onCard(x, y):
			return 40, 100, 150
		case y < 289:
			return 200, 128, 128 // the upper half of the card
		}
		return 120, 128, 128
	})
	s := newSurroundings(nil).scratch.New().(*surroundingsScratch)
	level := func(x, y int) [3]int {
		at := 3 * (y*roundWidth + x)
		return [3]int{int(s.in[at]) + 128, int(s.in[at+1]) + 128, int(s.in[at+2]) + 128}
	}
	check := func(name string, upper, lower, table [3]int) {
		for _, want := range []struct {
			x, y  int
			level [3]int
		}{
			{roundLeft + 3, roundTop + 3, upper},
			{roundLeft + cardWidth - 4, roundTop + 3, upper},
			{roundLeft + 3, roundTop + cardHeight - 4, lower},
			{roundLeft + cardWidth - 4, roundTop + cardHeight - 4, lower},
			{roundLeft - 5, roundTop + 5, table},
			{roundLeft + cardWidth + 4, roundTop + 5, table},
			{roundLeft + 5, roundTop - 5, table},
			{2, 2, [3]int{}},
			{roundWidth - 3, 2, [3]int{}},
		} {
			got := level(want.x, want.y)
			for i := range got {
				if d := got[i] - want.level[i]; d < -2 || d > 2 {
					t.Errorf("%s: at %d, %d %v, want %v", name, want.x, want.y, got, want.level)
					break
				}
			}
		}
	}
	light, dark, table := [3]int{200, 128, 128}, [3]int{120, 128, 128}, [3]int{40, 100, 150}
	if !s.lay(p, card()) {
		t.Fatal("an upright card cannot be laid")
	}
	check("upright", light, dark, table)
	turned := card()
	slices.Reverse(turned[:])
	turned = appliance.Quad{turned[1], turned[0], turned[3], turned[2]} // the corners by name, half a turn on
	if !s.lay(p, turned) {
		t.Fatal("a turned card cannot be laid")
	}
	check("turned", dark, light, table)
	p.Cb, p.Cr, p.ChromaWidth, p.ChromaHeight = nil, nil, 0, 0
	if !s.lay(p, card()) {
		t.Fatal("a grey card cannot be laid")
	}
	grey := func(v int) [3]int { return [3]int{v, 128, 128} }
	check("grey", grey(200), grey(120), grey(40))
}
