package sheet

import (
	"bytes"
	"math"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/sheet/sheettest"
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
			if odd := Misshapen(p, pictured(800, 800/idOneShape, lean, focal), shapesOf(0)); odd > 0 {
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
				least = min(least, Farthest(q, card)/Span(card[0], card[1]))
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
				least = min(least, Farthest(q, card)/Span(card[0], card[1]))
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
	luma := sheettest.Picture(640, 480, card, 200, 60)
	p := &appliance.Picture{Width: 640, Height: 480, Y: luma.Pix}
	pulled, large := card, card
	pulled[2] = appliance.Point{X: 500, Y: 350}
	large[1].X, large[2].X = 560, 560
	for name, all := range map[string][]appliance.Quad{
		"first the card": {card, pulled, large}, "first a pulled corner": {pulled, card}, "first too large": {large, pulled, card},
		"too large alone": {large},
	} {
		t.Run(name, func(t *testing.T) {
			got, _ := Refine(luma, Best(p, shapesOf(0), nil, appliance.Quad{}, all...))
			if off := Farthest(got, card); off > 1 {
				t.Errorf("outline %v is off by %.1f pixels", got, off)
			}
		})
	}
	if got := Best(p, shapesOf(0), nil, card); got != card {
		t.Errorf("without an outline it is %v", got)
	}
}

// shapesOf are the shapes of the documents of a class, which are the kinds of the contract in their order.
func shapesOf(class int) (shapes []float64) {
	for _, s := range appliance.Contract()[class].Sizes {
		shapes = append(shapes, s.Shape())
	}
	return shapes
}

// driving is the class of driving licences.
const driving = 5

// An outline of a card by which it would stand on its short side is turned by a quarter; one that lies as a card does, or whose shape
// nobody knows, stays, and so does a licence, which may stand.
func TestSidewise(t *testing.T) {
	card := appliance.Quad{{X: 120, Y: 90}, {X: 460, Y: 100}, {X: 455, Y: 314}, {X: 115, Y: 304}}
	p := &appliance.Picture{Width: 640, Height: 480}
	turned := appliance.Quad{card[3], card[0], card[1], card[2]}
	if got := Sidewise(p, turned, shapesOf(0)); got != card {
		t.Errorf("a card on its short side: %v, want %v", got, card)
	}
	if got := Sidewise(p, card, shapesOf(0)); got != card {
		t.Errorf("a card that lies right: %v", got)
	}
	if got := Sidewise(p, turned, nil); got != turned {
		t.Errorf("a sheet of no known shape: %v", got)
	}
	if got := Sidewise(p, turned, shapesOf(driving)); got != turned {
		t.Errorf("a licence on its short side: %v", got)
	}
}

// A licence that stands on its short side is as well-shaped as one that lies, while of two outlines of which the picture shows the
// same sides that of the lying one is believed.
func TestStandingLicence(t *testing.T) {
	lying := appliance.Quad{{X: 120, Y: 90}, {X: 460, Y: 100}, {X: 455, Y: 314}, {X: 115, Y: 304}}
	standing := appliance.Quad{lying[1], lying[2], lying[3], lying[0]}
	p := &appliance.Picture{Width: 640, Height: 480, Y: sheettest.Picture(640, 480, lying, 200, 60).Pix}
	shapes := shapesOf(driving)
	if odd := Misshapen(p, standing, shapes); odd > 0 {
		t.Errorf("the standing one seems odd by %.3f", odd)
	}
	lies, _ := Visible(p, lying, shapes)
	stands, _ := Visible(p, standing, shapes)
	if lies <= stands || stands < lies-0.5 {
		t.Errorf("of the lying one %.2f sides are seen, of the standing one %.2f; want less, by half a side at most", lies, stands)
	}
}

// A card's outline has a card's shape on any of its sides and before a usual lens; a sheet of paper's and a plate's have not.
func TestCardShaped(t *testing.T) {
	p := &appliance.Picture{Width: 640, Height: 480}
	card := appliance.Quad{{X: 120, Y: 90}, {X: 460, Y: 100}, {X: 455, Y: 314}, {X: 115, Y: 304}}
	upright := appliance.Quad{card[1], card[2], card[3], card[0]}
	var tilted appliance.Quad // by 30 degrees
	for i, c := range [4][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
		tilted[i] = lensOf(p, usualFocal).seen(space{c[0] * idOneShape / 2, c[1] * math.Cos(math.Pi/6) / 2, 2 - c[1]*math.Sin(math.Pi/6)/2})
	}
	paper := appliance.Quad{{X: 100, Y: 60}, {X: 400, Y: 60}, {X: 400, Y: 270}, {X: 100, Y: 270}}
	plate := appliance.Quad{{X: 100, Y: 60}, {X: 450, Y: 60}, {X: 450, Y: 230}, {X: 100, Y: 230}}
	for name, test := range map[string]struct {
		q    appliance.Quad
		want bool
	}{"a card": {card, true}, "on its side": {upright, true}, "tilted": {tilted, true}, "paper": {paper, false}, "a plate": {plate, false}, "a point": {appliance.Quad{}, false}} {
		if got := CardShaped(p, test.q); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// Property: where a part of a document was taken for all of it, the sides beside the wrong one go on beyond it; at its own corners none does.
func TestGoesOn(t *testing.T) {
	p := &appliance.Picture{Width: 500, Height: 400, Y: bytes.Repeat([]byte{60}, 500*400)}
	for y := 100; y < 300; y++ {
		for x := 100; x < 420; x++ {
			p.Y[y*p.Width+x] = 200
		}
	}
	whole := vision.RectQuad(100, 100, 420, 300)
	part := vision.RectQuad(100, 100, 330, 300)
	for side := range whole {
		if goesOn(p, whole, side) {
			t.Errorf("the whole goes on beyond side %d", side)
		}
		if want := side == 1; goesOn(p, part, side) != want {
			t.Errorf("a part goes on beyond side %d: %v", side, !want)
		}
	}
}
