package plate

import (
	"context"
	"iter"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/stopwatch"
	"github.com/bawab/bawab/inference/vision"
)

// parts finds what it holds in parts of a picture, and nothing in the smallest ones.
type parts []outline.Found

func (f parts) FindInParts(
	context.Context,
	*appliance.Picture,
	appliance.Kind,
	func(outline.Found) (outline.Judgement, error),
) ([]outline.Found, iter.Seq2[outline.Found, error], error) {
	return f, func(func(outline.Found, error) bool) {}, nil
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
// where only a part of the picture showed it. What cannot be read is named where its signs surely are a plate's, else it is none, and a
// plate that fills the picture is alone.
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
		1000: {Raw: "4136صر?", Checks: []appliance.FieldCheck{{Name: showsSigns, Passed: true}}},
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
		"unreadable":      {100, 100, []appliance.Quad{at(1000, 160)}, 1, false},
		"not twice":       {100, 100, []appliance.Quad{at(400, 60), at(1000, 160), at(1000, 150)}, 2, false},
		"three":           {100, 100, []appliance.Quad{at(400, 60), at(700, 50), at(403, 60)}, 2, false},
		"fills a picture": {500, 100, []appliance.Quad{at(700, 60)}, 0, false},
	} {
		var f parts
		for _, q := range c.parts {
			f = append(f, plate(q))
		}
		p := &appliance.Picture{Width: 1200, Height: 800, Y: make([]byte, 1200*800)}
		d, _ := read.ReadIn(t.Context(), p, at(100, c.main))
		ctx, watch := stopwatch.New(t.Context())
		got, err := NewStreet(f, read, p, watch).Beside(ctx, appliance.Reading{Documents: []appliance.Document{d}})
		if err != nil {
			t.Fatal(err)
		}
		main := got.Documents[0]
		if main.Quad[0].X != c.first || len(got.Others) != c.others || main.Flagged("result") != c.flagged {
			t.Errorf("%s: answers the plate at %v with %d others, %v", name, main.Quad[0].X, len(got.Others), main.Validations)
		}
	}
}
