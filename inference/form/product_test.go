package form

import (
	"context"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/page"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// blind reads nothing.
type blind struct{}

func (blind) Level(_ context.Context, _ vision.Plane, _ vision.Homography, l text.Line) (text.Line, error) {
	return l, nil
}

func (blind) ReadIn(context.Context, vision.Plane, vision.Homography, text.Line) (*text.Reading, error) {
	return &text.Reading{}, nil
}

// inkAt is ink at a place, of which nothing could be read.
func inkAt(t *testing.T, b box) page.Ink {
	t.Helper()
	l := text.Line{Start: appliance.Point{X: b.left, Y: b.y}, End: appliance.Point{X: b.right, Y: b.y}, Height: b.height}
	v := page.View{Width: 100, Height: 60, ToPicture: vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}}
	v.Light = func() vision.Plane { return vision.Plane{} }
	p := page.New(v, []text.Line{l}, blind{}, nil)
	ink, err := p.Read(t.Context(), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return ink
}
