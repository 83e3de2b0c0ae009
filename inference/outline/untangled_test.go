package outline

import (
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/sheet/sheettest"
)

// as returns a candidate of a class that is so sure.
func as(class int, odds float64, c candidate) candidate {
	c.odds[class] = odds
	return c
}

// Of a region that may be several documents, what the picture shows more of and what is surer of its kind stays: all together or one of
// them. What no look from near confirmed goes, and so does what is of no known kind and hardly seen, but not what is clearly seen.
func TestUntangledKeepsWhatIsSeen(t *testing.T) {
	card := appliance.Quad{{X: 120, Y: 90}, {X: 460, Y: 100}, {X: 455, Y: 314}, {X: 115, Y: 304}}
	p := &appliance.Picture{Width: 640, Height: 480, Y: sheettest.Picture(640, 480, card, 200, 60).Pix}
	union := appliance.Quad{{X: 120, Y: 90}, {X: 600, Y: 40}, {X: 610, Y: 400}, {X: 115, Y: 380}}
	whole := as(0, 0.8, candidate{quad: union, confirmed: true})
	top := as(0, 0.99, candidate{quad: card, doubtful: true, confirmed: true})
	unsure := as(0, 0.1, candidate{quad: card, doubtful: true, confirmed: true})
	seen := as(0, 0.99, candidate{quad: card, confirmed: true})
	unconfirmed := as(0, 0.99, candidate{quad: card, doubtful: true})
	alone := as(0, 0.99, candidate{quad: card, region: 1})
	corner := candidate{quad: appliance.Quad{{X: 120, Y: 90}, {X: 300, Y: 95.3}, {X: 297, Y: 207}, {X: 117.3, Y: 202}}, doubtful: true, confirmed: true}
	about := as(classUnknown, 0.99, candidate{quad: appliance.Quad{{X: 90, Y: 60}, {X: 340, Y: 70}, {X: 340, Y: 260}, {X: 85, Y: 250}}, confirmed: true})
	for name, c := range map[string]struct{ in, want []candidate }{
		"a card on a sheet":               {[]candidate{whole, top}, []candidate{top}},
		"not confirmed":                   {[]candidate{whole, unconfirmed}, []candidate{whole}},
		"another region":                  {[]candidate{whole, alone}, []candidate{whole, alone}},
		"the same twice, one less sure":   {[]candidate{unsure, top, seen}, []candidate{top}},
		"a part of a card":                {[]candidate{seen, as(0, 0.99, corner)}, []candidate{seen}},
		"hardly seen, of no kind":         {[]candidate{about, as(classUnknown, 0.99, corner)}, []candidate{about}},
		"clearly seen, of an unsure kind": {[]candidate{about, as(classUnknown, 0.5, top)}, []candidate{as(classUnknown, 0.5, top)}},
		"hardly seen, of a kind":          {[]candidate{about, as(0, 0.99, corner)}, []candidate{as(0, 0.99, corner)}},
		"nothing is doubtful":             {[]candidate{whole}, []candidate{whole}},
	} {
		t.Run(name, func(t *testing.T) {
			got := untangled(p, c.in)
			same := len(got) == len(c.want)
			for i := range min(len(got), len(c.want)) {
				same = same && got[i].quad == c.want[i].quad
			}
			if !same {
				t.Errorf("kept %d candidates, want %d: %v", len(got), len(c.want), got)
			}
		})
	}
}

// A look from near that leads away from an outline of which the picture shows the sides is not believed; one that leads to it is.
func TestAstray(t *testing.T) {
	card := appliance.Quad{{X: 120, Y: 90}, {X: 460, Y: 100}, {X: 455, Y: 314}, {X: 115, Y: 304}}
	p := &appliance.Picture{Width: 640, Height: 480, Y: sheettest.Picture(640, 480, card, 200, 60).Pix}
	elsewhere, beside := card, card
	for i := range card {
		elsewhere[i].X, beside[i].X = card[i].X+90, card[i].X+5
	}
	right, wrong := as(0, 0.9, candidate{quad: card}), as(0, 0.9, candidate{quad: elsewhere})
	if !astray(p, right, wrong) || astray(p, wrong, right) || astray(p, right, as(0, 0.9, candidate{quad: beside})) {
		t.Errorf("away %v, back %v, hardly moved %v; want true, false, false", astray(p, right, wrong), astray(p, wrong, right), astray(p, right, as(0, 0.9, candidate{quad: beside})))
	}
}
