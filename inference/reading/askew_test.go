package reading

import (
	"context"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/inferencetest"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/outline/outlinetest"
	"github.com/bawab/bawab/inference/vision"
)

// misled finds one outline, and another one when it looks again.
type misled struct {
	outlinetest.Found
	again outline.Found
}

func (m misled) Again(context.Context, *appliance.Picture, outline.Found, appliance.Quad) (outline.Found, error) {
	return m.again, nil
}

// Property: an outline that text runs out of gives way to another only where that holds the text: a part of the card does not take its
// place, however well its sides are seen.
func TestWidenedHoldsThePrint(t *testing.T) {
	truth := goldenTruth(t, "documents")[0].Documents[0]
	p := picture(t, "documents/"+goldenTruth(t, "documents")[0].File)
	whole, _ := vision.RectToQuad(1, 1, inferencetest.Quad(truth.Quad))
	part := func(left, right, seen float64) outline.Found {
		return outline.Found{
			Kind: truth.Kind, Quad: whole.ApplyQuad(vision.RectQuad(left, 0, right, 1)),
			Edges: [4]float64{seen, seen, seen, seen}, Score: 1,
		}
	}
	cut, left, all := part(0, 0.95, 0.5), part(0, 0.36, 1), part(0, 1, 0.6)
	for name, test := range map[string]struct{ again, want outline.Found }{
		"its left":       {left, cut},
		"the whole card": {all, all},
	} {
		tools := cardTools(t)
		tools.Finder = misled{outlinetest.Found{cut}, test.again}
		got, err := NewReader(truth.Kind, tools).Read(t.Context(), p, nil)
		if err != nil || got.Documents[0].Quad != test.want.Quad {
			t.Errorf("%s: %v, not %v, %v", name, got.Documents, test.want.Quad, err)
		}
	}
}
