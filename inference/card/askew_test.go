package card

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/vision"
)

// misled finds one outline, and another one when it looks again.
type misled struct {
	foundBy
	again outline.Found
}

func (m misled) Again(context.Context, *appliance.Picture, outline.Found, appliance.Quad) (outline.Found, error) {
	return m.again, nil
}

// Property: an outline that text runs out of gives way to another only where that holds the text: a part of the card does not take its place, however well its sides are seen.
func TestWidenedHoldsThePrint(t *testing.T) {
	truth := goldenTruth(t, "documents")[0].Documents[0]
	p := picture(t, "documents/"+goldenTruth(t, "documents")[0].File)
	whole, _ := vision.RectToQuad(1, 1, corners(truth.Quad))
	part := func(left, right, seen float64) outline.Found {
		return outline.Found{Kind: truth.Kind, Quad: whole.ApplyQuad(vision.RectQuad(left, 0, right, 1)), Edges: [4]float64{seen, seen, seen, seen}, Score: 1}
	}
	cut, left, all := part(0, 0.95, 0.5), part(0, 0.36, 1), part(0, 1, 0.6)
	for name, test := range map[string]struct{ again, want outline.Found }{
		"its left":       {left, cut},
		"the whole card": {all, all},
	} {
		tools := cardTools(t)
		tools.Finder = misled{foundBy{cut}, test.again}
		got, err := NewReader(truth.Kind, tools).Read(t.Context(), p, nil)
		if err != nil || got.Documents[0].Quad != test.want.Quad {
			t.Errorf("%s: %v, not %v, %v", name, got.Documents, test.want.Quad, err)
		}
	}
}

// Property: in the view the letters of a card keep their shape, whether it is wider than high or stands on its short side, and all of the card is in the view.
func TestLayFlat(t *testing.T) {
	lying, standing := vision.RectQuad(100, 50, 956, 590), vision.RectQuad(100, 50, 640, 906)
	for name, found := range map[string]outline.Found{
		"a licence":             {Kind: appliance.DrivingLicense, Quad: lying},
		"a licence that stands": {Kind: appliance.DrivingLicense, Quad: standing},
		"a sheet that stands":   {Kind: appliance.Unknown, Quad: standing},
		"an ID":                 {Kind: appliance.NationalIDBack, Quad: lying},
		"an ID that stands":     {Kind: appliance.NationalIDBack, Quad: standing},
	} {
		v, ok := layFlat(found)
		o, x, y := v.toPicture.Apply(appliance.Point{X: 400, Y: 100}), v.toPicture.Apply(appliance.Point{X: 401, Y: 100}), v.toPicture.Apply(appliance.Point{X: 400, Y: 101})
		if keeps := math.Abs(math.Log((x.X-o.X)/(y.Y-o.Y))) < 0.01; !ok || !keeps {
			t.Errorf("%s: letters lose their shape", name)
		}
		back, _ := v.toPicture.Inverse()
		corners := back.ApplyQuad(found.Quad)
		if slices.ContainsFunc(corners[:], func(c appliance.Point) bool {
			return c.X < v.left-0.1 || c.Y < -0.1 || c.X > viewWidth+0.1 || c.Y > viewHeight+0.1
		}) {
			t.Errorf("%s: lies at %v in the view", name, corners)
		}
	}
}
