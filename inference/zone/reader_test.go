package zone

import (
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/line"
)

// Property: of the zones in a near view the one counts that was looked for, not the larger one of the page beside it, and no crumb of text.
func TestNearestZone(t *testing.T) {
	at := func(y float64) appliance.Quad {
		return appliance.Quad{{X: 0, Y: y}, {X: 400, Y: y}, {X: 400, Y: y + 40}, {X: 0, Y: y + 40}}
	}
	for name, test := range map[string]struct {
		zones []line.Zone
		want  int
	}{
		"alone, elsewhere":     {[]line.Zone{{Quad: at(0), Cells: 50}}, 0},
		"a larger one beside":  {[]line.Zone{{Quad: at(0), Cells: 60}, {Quad: at(210), Cells: 50}}, 1},
		"a crumb beside":       {[]line.Zone{{Quad: at(180), Cells: 60}, {Quad: at(230), Cells: 10}}, 0},
		"the larger is nearer": {[]line.Zone{{Quad: at(240), Cells: 60}, {Quad: at(0), Cells: 50}}, 0},
	} {
		if got := nearestZone(test.zones, appliance.Point{X: 200, Y: 250}); got != test.zones[test.want].Quad {
			t.Errorf("%s: %v", name, got)
		}
	}
}
