package card

import (
	"context"
	"iter"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/stopwatch"
	"github.com/bawab/bawab/inference/vision"
)

// streetFinder finds what it holds in the whole picture, more in parts and the rest in the smallest parts.
type streetFinder struct {
	foundBy
	parts, smallest []outline.Found
}

func (f streetFinder) FindInParts(
	context.Context,
	*appliance.Picture,
	appliance.Kind,
	func(outline.Found) (outline.Judgement, error),
) ([]outline.Found, iter.Seq2[outline.Found, error], error) {
	return f.parts, each(f.smallest), nil
}

// platesAt reads plates by the left edge of their outlines.
type platesAt map[float64]appliance.Field

func (platesAt) Shows(context.Context, *appliance.Picture, appliance.Quad) (bool, error) {
	return true, nil
}

func (p platesAt) ReadIn(_ context.Context, _ *appliance.Picture, q appliance.Quad) (appliance.Document, error) {
	f := p[q[0].X]
	f.Name = "result"
	return appliance.Document{Kind: appliance.LicensePlate, Quad: q, Fields: []appliance.Field{f}}, nil
}

// Property: beside a small plate the others that can be read are named, each once, and the largest is answered, flagged
// where only a part of the picture showed it; what cannot be read is none, and a plate that fills the picture is alone.
func TestPlatesOfAStreet(t *testing.T) {
	at := func(x, w float64) appliance.Quad { return vision.RectQuad(x, 100, x+w, 100+w/2) }
	plate := func(q appliance.Quad) outline.Found {
		return outline.Found{Kind: appliance.LicensePlate, Quad: q, Score: 0.9}
	}
	read := platesAt{
		100: {
			Value:      "س 1",
			Confidence: 0.95,
		}, 400: {Value: "ص 2", Confidence: 0.95}, 700: {Value: "ط 3", Confidence: 0.6}, 900: {Value: "ه 4", Confidence: 0.2},
	}
	for name, c := range map[string]struct {
		main, first float64 // widths of the first plate, and which is answered
		parts       []appliance.Quad
		others      int
		flagged     bool
	}{
		"alone":           {100, 100, nil, 0, false},
		"seen again":      {100, 100, []appliance.Quad{at(104, 100)}, 0, false},
		"a smaller one":   {100, 100, []appliance.Quad{at(400, 60)}, 1, false},
		"a larger one":    {100, 400, []appliance.Quad{at(400, 160)}, 1, true},
		"larger, unclear": {100, 100, []appliance.Quad{at(700, 160)}, 1, false},
		"no plate":        {100, 100, []appliance.Quad{at(900, 60)}, 0, false},
		"three":           {100, 100, []appliance.Quad{at(400, 60), at(700, 50), at(403, 60)}, 2, false},
		"fills a picture": {500, 100, []appliance.Quad{at(700, 60)}, 0, false},
	} {
		f := streetFinder{}
		for _, q := range c.parts {
			f.parts = append(f.parts, plate(q))
		}
		r := &Reader{Tools: Tools{Finder: f, Plates: read}, kind: appliance.LicensePlate}
		p := &appliance.Picture{Width: 1200, Height: 800, Y: make([]byte, 1200*800)}
		d, _ := read.ReadIn(t.Context(), p, at(100, c.main))
		ctx, watch := stopwatch.New(t.Context())
		got, err := r.inStreet(ctx, &scene{Picture: p}, appliance.Reading{Documents: []appliance.Document{d}}, watch)
		if err != nil {
			t.Fatal(err)
		}
		main := got.Documents[0]
		if main.Quad[0].X != c.first || len(got.Others) != c.others || main.Flagged("result") != c.flagged {
			t.Errorf("%s: answers the plate at %v with %d others, %v", name, main.Quad[0].X, len(got.Others), main.Validations)
		}
	}
}

// Property: where no plate is seen in the whole picture, the largest that is read clearly in its parts is answered and the
// others are named; the smallest parts are looked at where all plates are far away. Another document that clearly lies
// there is read instead.
func TestStreetSeenInParts(t *testing.T) {
	read := platesAt{
		100: {Value: "س 1", Confidence: 0.95},
		400: {Value: "ص 2", Confidence: 0.95},
		700: {Value: "ط 3", Confidence: 0.6},
		705: {Value: "ط 33", Confidence: 0.97},
		708: {Value: "ط 8", Confidence: 0.55},
		900: {Value: "ه 4", Confidence: 0.9},
	}
	plate := func(x, w float64) outline.Found {
		return outline.Found{Kind: appliance.LicensePlate, Quad: vision.RectQuad(x, 100, x+w, 100+w/2), Score: 0.9}
	}
	card := outline.Found{Kind: appliance.Passport, Quad: vision.RectQuad(0, 0, 600, 400), Score: 0.9, Edges: [4]float64{1, 1, 1, 1}}
	window := outline.Found{Kind: appliance.Unknown, Quad: vision.RectQuad(1000, 500, 1100, 600), Score: 0.9}
	for name, c := range map[string]struct {
		whole, parts, smallest []outline.Found
		want                   string
		others                 int
	}{
		"two":               {nil, []outline.Found{plate(100, 160), plate(400, 200)}, nil, "ص 2", 1},
		"a window":          {[]outline.Found{window}, []outline.Found{plate(100, 160)}, nil, "س 1", 1},
		"the larger unsure": {nil, []outline.Found{plate(100, 160), plate(700, 200)}, nil, "س 1", 1},
		"near":              {nil, []outline.Found{plate(100, 160)}, []outline.Found{plate(900, 60)}, "س 1", 0},
		"far away":          {nil, []outline.Found{plate(100, 120)}, []outline.Found{plate(900, 60)}, "س 1", 1},
		"outlined better":   {nil, []outline.Found{plate(700, 160), plate(705, 170)}, nil, "ط 33", 0},
		"outlined worse":    {nil, []outline.Found{plate(705, 170), plate(708, 150)}, nil, "ط 33", 0},
		"none read clearly": {nil, []outline.Found{plate(700, 160)}, nil, "", 0},
		"another document":  {[]outline.Found{card}, []outline.Found{plate(100, 160)}, nil, "", 0},
	} {
		f := streetFinder{parts: c.parts, smallest: c.smallest}
		r := &Reader{Tools: Tools{Finder: f, Plates: read}, kind: appliance.LicensePlate}
		p := &appliance.Picture{Width: 1200, Height: 800, Y: make([]byte, 1200*800)}
		ctx, watch := stopwatch.New(t.Context())
		got, ok, err := r.readStreet(ctx, &scene{Picture: p, found: c.whole}, watch)
		if err != nil || ok != (c.want != "") {
			t.Errorf("%s: read %t, %v", name, ok, err)
			continue
		}
		if ok && (numberOf(got.Documents[0]).Value != c.want || len(got.Others) != c.others) {
			t.Errorf("%s: %q with %d others", name, numberOf(got.Documents[0]).Value, len(got.Others))
		}
	}
}

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
		if bare(d) != c.want {
			t.Errorf("%s: %t", name, !c.want)
		}
	}
	if bare(appliance.Document{Kind: appliance.LicensePlate}) {
		t.Error("a plate that nobody read is bare")
	}
}

// Property: of plates that cannot be read those are blank that show hardly a sign, and those of which none has a name and that stand in
// rows, as windows do; a foreign plate in one row is not.
func TestBlankPlate(t *testing.T) {
	for raw, want := range map[string]bool{"": true, "1?": true, "????? ?": true, "?? ???": true, "??????": false, "?5?3 ??": false} {
		d := appliance.Document{Kind: appliance.LicensePlate, Fields: []appliance.Field{{Name: "result", Raw: raw}}}
		if blankPlate(d) != want {
			t.Errorf("%q: %t", raw, !want)
		}
	}
}
