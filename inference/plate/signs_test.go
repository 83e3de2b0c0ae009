package plate

import (
	"math"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt/plate"
)

// Property: what looks like a plate but shows hardly any sign of one is bare; a plate that was read, or of which a sign
// cannot be named, is not, and no other document.
func TestBare(t *testing.T) {
	for name, c := range map[string]struct {
		kind       appliance.Kind
		value, raw string
		want       bool
	}{
		"a window": {appliance.LicensePlate, "", "?? ??", true}, "nothing": {appliance.LicensePlate, "", "", true},
		"a wall": {appliance.LicensePlate, "", "?5?", true}, "a grille": {appliance.LicensePlate, "", "11????1?", true},
		"a hidden sign": {appliance.LicensePlate, "", "3123ى?", false}, "a plate": {appliance.LicensePlate, "ن 1", "1ن", false},
		"a card": {appliance.NationalIDFront, "", "", false},
	} {
		d := appliance.Document{Kind: c.kind, Fields: []appliance.Field{{Name: "result", Value: c.value, Raw: c.raw}}}
		if Bare(d) != c.want {
			t.Errorf("%s: %t", name, !c.want)
		}
	}
	if Bare(appliance.Document{Kind: appliance.LicensePlate}) {
		t.Error("a plate that nobody read is bare")
	}
}

// Property: of plates that cannot be read those are blank that show hardly a sign, and those of which none has a name and that stand in
// rows, as windows do; a foreign plate in one row is not.
func TestBlankPlate(t *testing.T) {
	for raw, want := range map[string]bool{"": true, "1?": true, "????? ?": true, "?? ???": true, "??????": false, "?5?3 ??": false} {
		d := appliance.Document{Kind: appliance.LicensePlate, Fields: []appliance.Field{{Name: "result", Raw: raw}}}
		if Blank(d) != want {
			t.Errorf("%q: %t", raw, !want)
		}
	}
}

// Property: what cannot be read is a plate where at least three of its few signs, in one row, can be named surely; windows, the names of
// whose panes are guesses, are none, nor are panes in two rows, a long number and three signs alone.
func TestShowsSigns(t *testing.T) {
	sign := func(p float64) plate.Sign {
		s := letterAt(0, 1, 3)
		s.Cell[3] = math.Log(p)
		return s
	}
	for name, c := range map[string]struct {
		sure []float64
		rows int
		want bool
	}{
		"two doubtful":  {[]float64{1, 1, 0.95, 0.5, 0.4}, 1, true},
		"windows":       {[]float64{0.5, 0.3, 0.91, 0.6, 0.7}, 1, false},
		"two rows":      {[]float64{1, 1, 1, 1, 0.5}, 2, false},
		"a long number": {[]float64{1, 1, 1, 1, 1, 1, 1, 1}, 1, false},
		"few":           {[]float64{1, 1, 1}, 1, false},
	} {
		g := read{Reading: plate.Reading{Rows: c.rows}}
		for _, p := range c.sure {
			g.signs = append(g.signs, sign(p))
		}
		if g.showsSigns() != c.want {
			t.Errorf("%s: %t", name, !c.want)
		}
	}
}
