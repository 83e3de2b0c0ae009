package sheet

import (
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/sheet/sheettest"
)

// A rough outline is moved onto the edges of the sheet to a tenth of a pixel, whichever side is lighter.
func TestRefineFindsEdgesToATenthOfAPixel(t *testing.T) {
	truth := appliance.Quad{{X: 61.3, Y: 40.8}, {X: 333.6, Y: 70.2}, {X: 318.9, Y: 243.4}, {X: 48.2, Y: 210.7}}
	rough := truth
	for i, d := range []appliance.Point{{X: 3, Y: -2}, {X: -2.5, Y: 3}, {X: 2, Y: 2}, {X: -3, Y: -1.5}} {
		rough[i].X, rough[i].Y = rough[i].X+d.X, rough[i].Y+d.Y
	}
	for name, tones := range map[string][2]byte{"light sheet": {210, 60}, "dark sheet": {50, 180}, "little contrast": {150, 130}} {
		t.Run(name, func(t *testing.T) {
			got, evidence := Refine(sheettest.Picture(380, 280, truth, tones[0], tones[1]), rough)
			if worst := Farthest(got, truth); worst > 0.1 {
				t.Errorf("corners are off by %.2f pixels", worst)
			}
			for i, e := range evidence {
				if e < Weakest {
					t.Errorf("side %d has evidence %.2f", i, e)
				}
			}
		})
	}
}

// Where the picture shows no edge, the rough outline stays and the evidence says so.
func TestRefineLeavesWhatItCannotSee(t *testing.T) {
	rough := appliance.Quad{{X: 60, Y: 40}, {X: 330, Y: 40}, {X: 330, Y: 240}, {X: 60, Y: 240}}
	got, evidence := Refine(sheettest.Picture(380, 280, rough, 120, 120), rough)
	if got != rough {
		t.Errorf("got %v, want the rough quad", got)
	}
	for i, e := range evidence {
		if e > 1e-3 {
			t.Errorf("side %d has evidence %v, want none", i, e)
		}
	}
}

// A side beyond the picture is marked and left where it was, while the others are still refined.
func TestRefineMarksSidesBeyondThePicture(t *testing.T) {
	truth := appliance.Quad{{X: 60.4, Y: 40.6}, {X: 430, Y: 40.6}, {X: 430, Y: 240.3}, {X: 60.4, Y: 240.3}}
	rough := truth
	rough[0].X, rough[3].X, rough[0].Y, rough[1].Y = 62, 62, 43, 43
	got, evidence := Refine(sheettest.Picture(380, 280, truth, 220, 40), rough)
	if evidence[1] != OutOfPicture {
		t.Errorf("evidence of the right side is %v", evidence[1])
	}
	if worst := Farthest(got, truth); worst > 0.15 {
		t.Errorf("corners are off by %.2f pixels: %v", worst, got)
	}
}

func BenchmarkRefine(b *testing.B) {
	truth := appliance.Quad{{X: 300.4, Y: 200.2}, {X: 1300.1, Y: 240.3}, {X: 1280.2, Y: 900.4}, {X: 310.3, Y: 880.1}}
	rough := truth
	for i := range rough {
		rough[i].X, rough[i].Y = rough[i].X+float64(5-i*3), rough[i].Y+float64(i*4-6)
	}
	p := sheettest.Picture(1600, 1200, truth, 220, 40)
	b.ReportAllocs()
	for b.Loop() {
		Refine(p, rough)
	}
}
