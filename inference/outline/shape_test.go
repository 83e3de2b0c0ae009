package outline

import (
	"math"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// pictured is where a card of width x height lies in a picture of 1600 x 1200 when a lens of that focal length, in
// pixels, sees it leaning by so many radians.
func pictured(width, height, lean, focal float64) (q appliance.Quad) {
	sin, cos := math.Sincos(lean)
	for i, c := range [4][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
		x, y := c[0]*width/2, c[1]*height/2
		scale := focal / (1600 - x*sin)
		q[i] = appliance.Point{X: 800 + x*cos*scale, Y: 600 + y*scale}
	}
	return q
}

// A card of the format ID-1 has its shape however it leans and with any usual lens, and other sheets have not.
func TestOddnessTellsCardsFromOtherSheets(t *testing.T) {
	p := &appliance.Picture{Width: 1600, Height: 1200}
	for _, lean := range []float64{0, 0.2, -0.4, 0.6} {
		for _, focal := range []float64{1400, 1600, 1900} {
			if odd := misshapen(p, pictured(800, 800/idOneShape, lean, focal), shapesOf(0)); odd > 0 {
				t.Errorf("a card that leans by %.1f before a lens of %.0f pixels seems odd by %.3f", lean, focal, odd)
			}
		}
		if odd, _ := lensOf(p, usualFocal).oddness(pictured(800, 1000, lean, 1600), idOneShape); odd > -3*oddShape {
			t.Errorf("a page that leans by %.1f seems odd by %.3f only", lean, odd)
		}
	}
}

// Of an outline that has one side of what lies under a card, one of the proposed shapes is the card's own outline.
func TestReshapedFindsTheCardInAnOutlineTooLarge(t *testing.T) {
	p := &appliance.Picture{Width: 1600, Height: 1200}
	card := pictured(700, 700/idOneShape, 0.3, 1600)
	h, _ := vision.RectToQuad(1, 1, card)
	for name, r := range map[string][4]float64{
		"right": {0, 0, 1.2, 1}, "left": {-0.15, 0, 1, 1}, "bottom": {0, 0, 1, 1.2}, "top": {0, -0.25, 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			large := h.ApplyQuad(appliance.Quad{{X: r[0], Y: r[1]}, {X: r[2], Y: r[1]}, {X: r[2], Y: r[3]}, {X: r[0], Y: r[3]}})
			least := math.Inf(1)
			for _, q := range reshaped(p, large, shapesOf(0)) {
				least = min(least, farthest(q, card)/span(card[0], card[1]))
			}
			if least > 0.02 {
				t.Errorf("the nearest shape is off by %.3f of the width", least)
			}
		})
	}
	if all := reshaped(p, card, shapesOf(0)); len(all) > 0 {
		t.Errorf("a card itself is reshaped: %v", all)
	}
}

// Of an outline of which one side runs askew, since a line of the table was taken for it, one of the proposed shapes is the card's.
func TestReshapedStraightensASide(t *testing.T) {
	p := &appliance.Picture{Width: 1600, Height: 1200}
	for _, lean := range []float64{0, 0.3, -0.5} {
		card := pictured(700, 700/idOneShape, lean, 1600)
		for corner := range card {
			pulled, beside := card, card[(corner+3)%4]
			pulled[corner].X += 0.35 * (card[corner].X - beside.X)
			pulled[corner].Y += 0.35 * (card[corner].Y - beside.Y)
			least := math.Inf(1)
			for _, q := range reshaped(p, pulled, shapesOf(0)) {
				least = min(least, farthest(q, card)/span(card[0], card[1]))
			}
			if least > 0.02 {
				t.Errorf("leaning by %.1f, corner %d pulled: the nearest shape is off by %.3f of the width", lean, corner, least)
			}
		}
	}
}

// The sides that a picture shows decide between outlines: a card wins over the outline of it and what it lies on, and a
// corner that was pulled away from it does not count.
func TestBestOutlineIsTheOneThatIsSeen(t *testing.T) {
	card := appliance.Quad{{X: 120, Y: 90}, {X: 460, Y: 100}, {X: 455, Y: 314}, {X: 115, Y: 304}}
	luma := sheetPicture(640, 480, card, 200, 60)
	p := &appliance.Picture{Width: 640, Height: 480, Y: luma.Pix}
	pulled, large := card, card
	pulled[2] = appliance.Point{X: 500, Y: 350}
	large[1].X, large[2].X = 560, 560
	for name, all := range map[string][]appliance.Quad{
		"first the card": {card, pulled, large}, "first a pulled corner": {pulled, card}, "first too large": {large, pulled, card},
		"too large alone": {large},
	} {
		t.Run(name, func(t *testing.T) {
			got, _ := refine(luma, bestOutline(p, shapesOf(0), appliance.Quad{}, all...))
			if off := farthest(got, card); off > 1 {
				t.Errorf("outline %v is off by %.1f pixels", got, off)
			}
		})
	}
	if got := bestOutline(p, shapesOf(0), card); got != card {
		t.Errorf("without an outline it is %v", got)
	}
}

// Of a region that is several documents, the outline of all together goes when the picture shows that of the one on
// top better, and what no look from near confirmed goes always.
func TestUntangledKeepsWhatIsSeen(t *testing.T) {
	card := appliance.Quad{{X: 120, Y: 90}, {X: 460, Y: 100}, {X: 455, Y: 314}, {X: 115, Y: 304}}
	p := &appliance.Picture{Width: 640, Height: 480, Y: sheetPicture(640, 480, card, 200, 60).Pix}
	union := appliance.Quad{{X: 120, Y: 90}, {X: 600, Y: 40}, {X: 610, Y: 400}, {X: 115, Y: 380}}
	whole := candidate{quad: union, confirmed: true}
	top := candidate{quad: card, doubtful: true, confirmed: true}
	unconfirmed := candidate{quad: card, doubtful: true}
	alone := candidate{quad: card, region: 1}
	corner := candidate{quad: appliance.Quad{{X: 120, Y: 90}, {X: 300, Y: 95.3}, {X: 297, Y: 207}, {X: 117.3, Y: 202}}, doubtful: true, confirmed: true}
	about := candidate{quad: appliance.Quad{{X: 90, Y: 60}, {X: 340, Y: 70}, {X: 340, Y: 260}, {X: 85, Y: 250}}, confirmed: true}
	for name, c := range map[string]struct{ in, want []candidate }{
		"a card on a sheet":   {[]candidate{whole, top}, []candidate{top}},
		"not confirmed":       {[]candidate{whole, unconfirmed}, []candidate{whole}},
		"another region":      {[]candidate{whole, alone}, []candidate{whole, alone}},
		"the same twice":      {[]candidate{top, top}, []candidate{top}},
		"hardly seen":         {[]candidate{about, corner}, []candidate{about}},
		"nothing is doubtful": {[]candidate{whole}, []candidate{whole}},
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
