package egypt

import (
	"math"
	"testing"
)

// A layout names each role once, keeps every place on the card, lists rows from the top, and its places are told apart by
// their centres.
func TestLayouts(t *testing.T) {
	for name, layout := range map[string][]Place{"front": Front()} {
		seen := map[Role]bool{}
		for i, p := range layout {
			if seen[p.Role] {
				t.Errorf("%s: %s twice", name, p.Role)
			}
			seen[p.Role] = true
			if p.X-p.W/2 < 0 || p.X+p.W/2 > 1 || p.Y-p.H/2 < 0 || p.Y+p.H/2 > 1 || p.DX <= 0 || p.DY <= 0 || p.Right > 1 {
				t.Errorf("%s: %s leaves the card: %+v", name, p.Role, p)
			}
			if i > 0 && (p.Row < layout[i-1].Row || p.Row == layout[i-1].Row && p.X >= layout[i-1].X) {
				t.Errorf("%s: %s is out of order", name, p.Role)
			}
			if found, ok := At(layout, p.Role); !ok || found != p {
				t.Errorf("%s: %s finds %+v", name, p.Role, found)
			}
			for _, other := range layout {
				if other.Role != p.Role && other.Distance(p.X, p.Y) <= p.Distance(p.X, p.Y) {
					t.Errorf("%s: the centre of %s belongs to %s", name, p.Role, other.Role)
				}
			}
		}
	}
	if _, ok := At(Front(), "expiry"); ok {
		t.Error("the front shows an expiry date")
	}
}

// Distance counts in tolerances, along the worse of the two axes.
func TestPlaceDistance(t *testing.T) {
	p := Place{X: 0.5, Y: 0.5, DX: 0.2, DY: 0.1}
	for _, test := range []struct{ x, y, want float64 }{{0.5, 0.5, 0}, {0.7, 0.5, 1}, {0.3, 0.45, 1}, {0.5, 0.3, 2}} {
		if got := p.Distance(test.x, test.y); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%v %v: %v, want %v", test.x, test.y, got, test.want)
		}
	}
}
