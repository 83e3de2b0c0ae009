package face

import (
	"context"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/inference/vision"
)

// portraitOf reads a document whose upright quad is q and returns its portrait.
func portraitOf(t *testing.T, p *appliance.Picture, k appliance.Kind, q appliance.Quad) *appliance.Portrait {
	t.Helper()
	reader := appliancetest.Reader{ReadFunc: func(context.Context, *appliance.Picture, []appliance.Document) (appliance.Reading, error) {
		return appliance.Reading{Documents: []appliance.Document{{Kind: k, Quad: q}}}, nil
	}}
	reading, err := NewPortraitReader(reader, testFinder(t), testMatcher(t)).Read(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	if stages := reading.Stages; k.Identity() && (len(stages) != 1 || stages[0].Name != "portrait") {
		t.Errorf("stages %v", stages)
	}
	return reading.Documents[0].Portrait
}

// Identity documents get the portrait that lies on them, and none where they show none or one that is too small; other
// documents get none, and faces beside the document do not count.
func TestPortraits(t *testing.T) {
	card := appliance.Quad{{X: 100, Y: 100}, {X: 740, Y: 100}, {X: 740, Y: 503}, {X: 100, Y: 503}}
	small := appliance.Quad{{X: 100, Y: 100}, {X: 200, Y: 100}, {X: 200, Y: 163}, {X: 100, Y: 163}}
	for name, c := range map[string]struct {
		kind  appliance.Kind
		quad  appliance.Quad
		spots []spot
		want  bool
	}{
		"national ID":     {appliance.NationalIDFront, card, []spot{{220, 280, 120}}, true},
		"driving licence": {appliance.DrivingLicense, card, []spot{{220, 280, 100}}, true},
		"passport":        {appliance.Passport, card, []spot{{230, 280, 140}}, true},
		"back":            {appliance.NationalIDBack, card, []spot{{220, 280, 120}}, false},
		"no face":         {appliance.NationalIDFront, card, nil, false},
		"face beside it":  {appliance.NationalIDFront, card, []spot{{800, 560, 100}}, false},
		"too small":       {appliance.NationalIDFront, small, []spot{{118, 128, 22}}, false},
		"no outline":      {appliance.NationalIDFront, appliance.Quad{}, []spot{{220, 280, 120}}, false},
	} {
		got := portraitOf(t, drawn(900, 650, c.spots...), c.kind, c.quad)
		if (got != nil) != c.want {
			t.Errorf("%s: portrait %v, want %v", name, got != nil, c.want)
		}
		if got != nil && (got.Model != "model" || len(got.Embedding) != embedLength+nearLength || got.Quality <= 0 || got.Quality > 1) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// A ghost image never wins: not a smaller one on the left, and not one of nearly the same size on the right.
func TestGhost(t *testing.T) {
	page := &appliance.Document{Kind: appliance.Passport, Quad: appliance.Quad{{X: 50, Y: 50}, {X: 850, Y: 50}, {X: 850, Y: 613}, {X: 50, Y: 613}}}
	for name, c := range map[string]struct {
		spots []spot
		want  spot
	}{
		"small ghost on the right": {[]spot{{220, 250, 180}, {720, 420, 90}}, spot{220, 250, 180}},
		"small ghost on the left":  {[]spot{{130, 450, 80}, {330, 250, 180}}, spot{330, 250, 180}},
		"ghost a little larger":    {[]spot{{220, 250, 170}, {680, 300, 190}}, spot{220, 250, 170}},
	} {
		f := testFinder(t)
		got, ok, err := f.holder(t.Context(), drawn(900, 650, c.spots...), page)
		if err != nil || !ok || vision.Distance(got.at, appliance.Point{X: c.want.x, Y: c.want.y}) > 0.1*c.want.size {
			t.Errorf("%s: %v at %v, %v, want %v", name, ok, got.at, err, c.want)
		}
	}
}

// Where the portrait was painted over, its ghost image does not stand for it: neither a small one nor a large, pale one on the right.
func TestGhostAlone(t *testing.T) {
	page := &appliance.Document{Kind: appliance.Passport, Quad: appliance.Quad{{X: 50, Y: 50}, {X: 850, Y: 50}, {X: 850, Y: 613}, {X: 50, Y: 613}}}
	for name, c := range map[string]struct {
		face spot
		pale bool
		want bool
	}{
		"a portrait":            {spot{220, 250, 170}, false, true},
		"a pale portrait":       {spot{220, 250, 170}, true, true},
		"a small one":           {spot{640, 300, 50}, false, false},
		"a large one":           {spot{680, 300, 170}, true, false},
		"portrait on the right": {spot{680, 300, 170}, false, true},
	} {
		p := drawn(900, 650, c.face)
		if c.pale {
			for i, v := range p.Y {
				p.Y[i] = 135 + (v-60)/12
				if v == 60 {
					p.Y[i] = 110
				}
			}
		}
		if got, ok, err := testFinder(t).holder(t.Context(), p, page); err != nil || ok != c.want {
			t.Errorf("%s: %v at %v, %v, want %v", name, ok, got.at, err, c.want)
		}
	}
}

// A document is looked at flat: from any side its portrait gives the same embedding as straight from above.
func TestPortraitInPerspective(t *testing.T) {
	flat := drawn(900, 650, spot{220, 280, 150})
	straight := appliance.Quad{{X: 50, Y: 100}, {X: 850, Y: 100}, {X: 850, Y: 604}, {X: 50, Y: 604}}
	leaning := appliance.Quad{{X: 250, Y: 60}, {X: 870, Y: 160}, {X: 760, Y: 600}, {X: 60, Y: 480}}
	from, ok := vision.RectToQuad(800, 504, straight)
	if !ok {
		t.Fatal("no map")
	}
	there, ok := vision.RectToQuad(800, 504, leaning)
	if !ok {
		t.Fatal("no map")
	}
	to, _ := there.Inverse()
	photograph := &appliance.Picture{Width: 900, Height: 650, Y: make([]byte, 900*650)}
	vision.Warp(vision.Luma(flat), from.Mul(to), 900, 650, photograph.Y)
	a := portraitOf(t, flat, appliance.NationalIDFront, straight)
	b := portraitOf(t, photograph, appliance.NationalIDFront, leaning)
	if a == nil || b == nil {
		t.Fatalf("portraits %v and %v", a != nil, b != nil)
	}
	if c := Cosine(a.Embedding, b.Embedding); c < 0.9 {
		t.Errorf("cosine %.3f", c)
	}
}
