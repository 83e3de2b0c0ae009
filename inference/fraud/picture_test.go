package fraud

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bawab/bawab/appliance"
)

// drawn makes a picture of 800 x 600 pixels out of a function of the place, with noise of a sensor.
func drawn(noise float64, at func(x, y int) (luma, cb, cr float64)) *appliance.Picture {
	const w, h = 800, 600
	rng := rand.New(rand.NewPCG(1, 2))
	p := &appliance.Picture{Width: w, Height: h, ChromaWidth: w, ChromaHeight: h, Y: make([]byte, w*h), Cb: make([]byte, w*h), Cr: make([]byte, w*h)}
	level := func(v float64) byte { return byte(min(max(math.Round(v+noise*rng.NormFloat64()), 0), 255)) }
	for i := range p.Y {
		y, cb, cr := at(i%w, i/w)
		p.Y[i], p.Cb[i], p.Cr[i] = level(y), level(cb), level(cr)
	}
	return p
}

// card is where the drawn documents lie.
func card() appliance.Quad {
	return appliance.Quad{{X: 100, Y: 100}, {X: 700, Y: 100}, {X: 700, Y: 478}, {X: 100, Y: 478}}
}

func onCard(x, y int) bool { return x >= 100 && x < 700 && y >= 100 && y < 478 }

// A card without colours of its own is told from a faintly coloured one also under a coloured lamp that falls off, and a
// picture without any colour says nothing about it.
func TestGreyCopy(t *testing.T) {
	print := func(x, y int) float64 { return 150 + 60*math.Sin(float64(x)/9)*math.Sin(float64(y)/7) }
	cast := func(luma float64, x int) (float64, float64) {
		return 128 - 12*luma/255 - 4*float64(x)/800, 128 + 9*luma/255
	}
	for name, c := range map[string]struct {
		at   func(x, y int) (float64, float64, float64)
		low  float64
		high float64
	}{
		"grey card on a coloured table": {func(x, y int) (float64, float64, float64) {
			l := print(x, y)
			if !onCard(x, y) {
				return l, 90, 160
			}
			cb, cr := cast(l, x)
			return l, cb, cr
		}, 0.7, 1},
		"grey card on a grey table": {func(x, y int) (float64, float64, float64) {
			l := print(x, y)
			cb, cr := cast(l, x)
			return l, cb, cr
		}, 0.7, 1},
		"faintly coloured card": {func(x, y int) (float64, float64, float64) {
			l := print(x, y)
			cb, cr := cast(l, x)
			if (x/40+y/30)%3 == 0 {
				cb, cr = cb+7, cr-5
			}
			return l, cb, cr
		}, 0, 0.2},
		"tinted card with grey print": {func(x, y int) (float64, float64, float64) {
			if x > 150 && x < 300 && y > 150 && y < 350 {
				return 120, 128, 128
			}
			if x > 320 && y%80 < 40 {
				return 40, 128, 128
			}
			return 210, 122, 133
		}, 0, 0.2},
		"faintly coloured card in the dark": {func(x, y int) (float64, float64, float64) {
			l := print(x, y) / 4
			cb, cr := cast(l, x)
			if (x/60+y/50)%3 == 0 {
				cb, cr = cb+2, cr-1.5
			}
			return l, cb, cr
		}, 0, 0.5},
	} {
		if s := greyCopy(drawn(2, c.at), card()); s.Score < c.low || s.Score > c.high {
			t.Errorf("%s: score %.3f, want %g to %g", name, s.Score, c.low, c.high)
		}
	}
	night := drawn(0, func(x, y int) (float64, float64, float64) { return print(x, y), 128, 128 })
	if s := greyCopy(night, card()); s.Score != undecided {
		t.Errorf("a night camera: score %.3f, want %g", s.Score, undecided)
	}
	night.Cb, night.Cr, night.ChromaWidth, night.ChromaHeight = nil, nil, 0, 0
	if s := greyCopy(night, card()); s.Score != undecided {
		t.Errorf("a grey picture: score %.3f, want %g", s.Score, undecided)
	}
}

// Property: a page without colours counts as a grey copy where it shows a portrait, and is not judged where it shows text alone; one line
// of coloured text is enough colour for either.
func TestGreyPages(t *testing.T) {
	threshold := product(t).thresholds[GreyCopy]
	for name, c := range map[string]struct {
		portrait, coloured, counts bool
		reason                     string
	}{
		"portrait and text":                   {portrait: true, counts: true},
		"text alone":                          {reason: NotJudgedPlain},
		"portrait and a coloured heading":     {portrait: true, coloured: true},
		"text alone, with a coloured heading": {coloured: true, reason: NotJudgedPlain},
	} {
		at := func(x, y int) (float64, float64, float64) {
			switch {
			case !onCard(x, y):
				return 120, 100, 150
			case c.portrait && x > 150 && x < 270 && y > 180 && y < 340:
				return 90, 128, 128
			case x > 330 && x < 640 && y > 160 && y%40 < 18 && (x/4+y/5)%3 == 0:
				return 40, 128, 128
			case c.coloured && x > 330 && x < 430 && y > 130 && y < 152 && (x/4)%3 == 0:
				return 60, 168, 110
			}
			return 210, 128, 128
		}
		s := greyCopy(drawn(2, at), card())
		if counts := s.Score >= threshold && s.NotJudged == ""; counts != c.counts || s.NotJudged != c.reason {
			t.Errorf("%s: score %.3f, %q, measures %.3g", name, s.Score, s.NotJudged, s.Measures)
		}
	}
}

// A portrait without the card's noise stands apart, and one with it does not.
func TestPortraitMeasures(t *testing.T) {
	doc := appliance.Document{Kind: appliance.NationalIDFront, Quad: card()}
	plain := func(x, y int) (float64, float64, float64) { return 140, 128, 128 }
	p := drawn(4, plain)
	same, ok := portraitMeasures(p, doc)
	if !ok || same[0] > 0.2 {
		t.Fatalf("a genuine portrait: %v, %v, want noise at most 0.2 apart", same, ok)
	}
	for y := 130; y < 340; y++ {
		for x := 120; x < 270; x++ {
			p.Y[y*p.Width+x] = byte(140 + x%2)
		}
	}
	other, ok := portraitMeasures(p, doc)
	if !ok || other[0] < 1 {
		t.Errorf("a portrait without noise: %v, %v, want noise at least 1 apart", other, ok)
	}
	if _, ok := portraitMeasures(p, appliance.Document{Kind: appliance.NationalIDBack, Quad: card()}); ok {
		t.Error("the back of an ID has a portrait")
	}
	if _, ok := portraitMeasures(p, appliance.Document{Kind: appliance.NationalIDFront, Quad: appliance.Quad{{X: 9e5}, {X: 9e6}, {X: 9e6, Y: 9e5}, {X: 9e5, Y: 9e5}}}); ok {
		t.Error("a card outside the picture has a portrait")
	}
}

// A piece of a line on other paper is told from its neighbours.
func TestFieldMeasures(t *testing.T) {
	bars := func(paper float64) func(x, y int) (float64, float64, float64) {
		return func(x, y int) (float64, float64, float64) {
			if y%60 < 20 && x%12 < 4 {
				return 40, 128, 128
			}
			return paper, 128, 128
		}
	}
	p := drawn(3, bars(200))
	doc := appliance.Document{Kind: appliance.NationalIDFront, Quad: card()}
	for i, y := range []float64{240, 300, 360} {
		doc.Fields = append(doc.Fields, appliance.Field{Name: string(rune('a' + i)), Quad: appliance.Quad{{X: 300, Y: y}, {X: 660, Y: y}, {X: 660, Y: y + 20}, {X: 300, Y: y + 20}}})
	}
	same, ok := fieldMeasures(p, doc)
	if !ok {
		t.Fatal("three printed fields cannot be measured")
	}
	for y := 296; y < 324; y++ {
		for x := 420; x < 480; x++ {
			if v := &p.Y[y*p.Width+x]; *v > 120 {
				*v = 235
			}
		}
	}
	other, ok := fieldMeasures(p, doc)
	if !ok || other[0] < same[0]+0.2 || other[1] < same[1]+0.1 {
		t.Errorf("other paper under a piece: %.3v, before %.3v", other, same)
	}
	if _, ok := fieldMeasures(p, appliance.Document{}); ok {
		t.Error("a document without fields was measured")
	}
}
