package card

import (
	"context"
	"iter"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/plate"
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
	seen := func(x, w float64) outline.Found {
		return outline.Found{Kind: appliance.LicensePlate, Quad: vision.RectQuad(x, 100, x+w, 100+w/2), Score: 0.9}
	}
	card := outline.Found{Kind: appliance.Passport, Quad: vision.RectQuad(0, 0, 600, 400), Score: 0.9, Edges: [4]float64{1, 1, 1, 1}}
	window := outline.Found{Kind: appliance.Unknown, Quad: vision.RectQuad(1000, 500, 1100, 600), Score: 0.9}
	for name, c := range map[string]struct {
		whole, parts, smallest []outline.Found
		want                   string
		others                 int
	}{
		"two":               {nil, []outline.Found{seen(100, 160), seen(400, 200)}, nil, "ص 2", 1},
		"a window":          {[]outline.Found{window}, []outline.Found{seen(100, 160)}, nil, "س 1", 1},
		"the larger unsure": {nil, []outline.Found{seen(100, 160), seen(700, 200)}, nil, "س 1", 1},
		"near":              {nil, []outline.Found{seen(100, 160)}, []outline.Found{seen(900, 60)}, "س 1", 0},
		"far away":          {nil, []outline.Found{seen(100, 120)}, []outline.Found{seen(900, 60)}, "س 1", 1},
		"outlined better":   {nil, []outline.Found{seen(700, 160), seen(705, 170)}, nil, "ط 33", 0},
		"outlined worse":    {nil, []outline.Found{seen(705, 170), seen(708, 150)}, nil, "ط 33", 0},
		"none read clearly": {nil, []outline.Found{seen(700, 160)}, nil, "", 0},
		"another document":  {[]outline.Found{card}, []outline.Found{seen(100, 160)}, nil, "", 0},
	} {
		f := streetFinder{parts: c.parts, smallest: c.smallest}
		r := NewPlateReader(Tools{Finder: f, Plates: read})
		p := &appliance.Picture{Width: 1200, Height: 800, Y: make([]byte, 1200*800)}
		ctx, watch := stopwatch.New(t.Context())
		s := r.documents.scene(p, c.whole, watch)
		if showsDocument(s) {
			if c.want != "" {
				t.Errorf("%s: shows a document", name)
			}
			continue
		}
		got, ok, err := r.largest(ctx, s, watch)
		if err != nil || ok != (c.want != "") {
			t.Errorf("%s: read %t, %v", name, ok, err)
		}
		if ok && (plate.Number(got.Documents[0]).Value != c.want || len(got.Others) != c.others) {
			t.Errorf("%s: %q with %d others", name, plate.Number(got.Documents[0]).Value, len(got.Others))
		}
	}
}
