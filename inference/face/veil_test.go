package face

import (
	"math"
	"testing"

	"github.com/bawab/bawab/appliance"
)

// coloured is a picture of 200 x 200 with half as many colour differences, those of skin above the line and the given ones below.
func coloured(line int, cb, cr byte) *appliance.Picture {
	p := &appliance.Picture{Width: 200, Height: 200, Y: make([]byte, 200*200), ChromaWidth: 100, ChromaHeight: 100, Cb: make([]byte, 100*100), Cr: make([]byte, 100*100)}
	for i := range p.Cb {
		p.Cb[i], p.Cr[i] = 110, 150
		if i/100*2 >= line {
			p.Cb[i], p.Cr[i] = cb, cr
		}
	}
	return p
}

// reddened is a picture whose skin has another colour.
func reddened(p *appliance.Picture, cb, cr byte) *appliance.Picture {
	for i := range p.Cb {
		if p.Cb[i] == 110 && p.Cr[i] == 150 {
			p.Cb[i], p.Cr[i] = cb, cr
		}
	}
	return p
}

// A mask is told by its colour, white, black or blue; skin, a chin in shadow, lips and grey pictures are none, and a face at the
// border of the picture is looked at as far as there is one.
func TestVeil(t *testing.T) {
	face := [5]appliance.Point{{X: 75, Y: 80}, {X: 125, Y: 80}, {X: 100, Y: 105}, {X: 80, Y: 130}, {X: 120, Y: 130}}
	at := func(x, y float64) (moved [5]appliance.Point) {
		for i, m := range face {
			moved[i] = appliance.Point{X: m.X + x, Y: m.Y + y}
		}
		return moved
	}
	lips := coloured(200, 0, 0)
	for y := 63; y < 68; y++ {
		for x := 40; x < 60; x++ {
			lips.Cr[y*100+x] = 190
		}
	}
	for _, c := range []struct {
		name    string
		picture *appliance.Picture
		marks   [5]appliance.Point
		veiled  bool
	}{
		{"skin", coloured(200, 0, 0), face, false},
		{"a white or black mask", coloured(100, 128, 128), face, true},
		{"a blue mask", coloured(100, 150, 110), face, true},
		{"a beard", coloured(110, 118, 140), face, false},
		{"a beard in red light", reddened(coloured(100, 100, 158), 86, 174), face, false},
		{"a white mask in red light", reddened(coloured(100, 128, 128), 86, 174), face, true},
		{"lips", lips, face, false},
		{"a collar", coloured(132, 128, 128), face, false},
		{"grey", &appliance.Picture{Width: 200, Height: 200, Y: make([]byte, 200*200)}, face, false},
		{"at the border", coloured(200, 0, 0), at(90, 90), false},
		{"far outside", coloured(200, 0, 0), at(-1e9, 1e9), false},
	} {
		if got := veil(c.picture, c.marks); got > mostOther != c.veiled || got < 0 || got > 1 || math.IsNaN(got) {
			t.Errorf("%s: %.2f of the lower half has another colour", c.name, got)
		}
	}
	s := &sighting{view: squareView(appliance.Point{X: 100, Y: 100}, nearSide, 0, nearSide)}
	for i, m := range face {
		s.landmarks[i] = appliance.Point{X: m.X + nearSide/2 - 100, Y: m.Y + nearSide/2 - 100}
	}
	if q := s.quality(coloured(100, 128, 128)); q.Covered < maskCovers || q.Covered <= mostCovered {
		t.Errorf("a mask covers %.2f", q.Covered)
	}
	if q := s.quality(coloured(200, 0, 0)); q.Covered != 0 {
		t.Errorf("skin covers %.2f", q.Covered)
	}
}
