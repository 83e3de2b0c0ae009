package scene

import (
	"math"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// Property: in the view the letters of a card keep their shape, whether it is wider than high or stands on its short side, and all of the
// card is in the view.
func TestLayFlat(t *testing.T) {
	lying, standing := vision.RectQuad(100, 50, 956, 590), vision.RectQuad(100, 50, 640, 906)
	for name, found := range map[string]outline.Found{
		"a licence":             {Kind: appliance.DrivingLicense, Quad: lying},
		"a licence that stands": {Kind: appliance.DrivingLicense, Quad: standing},
		"a sheet that stands":   {Kind: appliance.Unknown, Quad: standing},
		"an ID":                 {Kind: appliance.NationalIDBack, Quad: lying},
		"an ID that stands":     {Kind: appliance.NationalIDBack, Quad: standing},
	} {
		v, ok := LayFlat(Card{Found: found})
		o, x, y := v.ToPicture.Apply(appliance.Point{X: 400, Y: 100}), v.ToPicture.Apply(appliance.Point{X: 401, Y: 100}),
			v.ToPicture.Apply(appliance.Point{X: 400, Y: 101})
		if keeps := math.Abs(math.Log((x.X-o.X)/(y.Y-o.Y))) < 0.01; !ok || !keeps {
			t.Errorf("%s: letters lose their shape", name)
		}
		back, _ := v.ToPicture.Inverse()
		corners := back.ApplyQuad(found.Quad)
		if slices.ContainsFunc(corners[:], func(c appliance.Point) bool {
			return c.X < v.left-0.1 || c.Y < -0.1 || c.X > viewWidth+0.1 || c.Y > viewHeight+0.1
		}) {
			t.Errorf("%s: lies at %v in the view", name, corners)
		}
	}
}

// Property: print that runs out of a side that is hardly seen may go on there; up to a side that is seen it may reach, and one line may be
// noise.
func TestPrintThatRunsOut(t *testing.T) {
	line := func(right float64) text.Line {
		return text.Line{Start: appliance.Point{X: 300, Y: 50}, End: appliance.Point{X: right, Y: 50}, Height: 10}
	}
	for name, test := range map[string]struct {
		seen  float64
		ends  []float64
		doubt bool
	}{
		"hardly seen": {0.2, []float64{511, 480, 511}, true}, "seen": {0.9, []float64{511, 480, 511}, false},
		"one line": {0.2, []float64{511, 480}, false}, "none": {0.2, nil, false},
	} {
		var v Flat
		v.Edges[Right] = test.seen
		var lines []text.Line
		for _, x := range test.ends {
			lines = append(lines, line(x))
		}
		if got := v.RunsOut(lines); got != test.doubt {
			t.Errorf("%s: runs out %v", name, got)
		}
	}
}
