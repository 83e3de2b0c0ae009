package plate

import (
	"math"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt/plate"
	"github.com/bawab/bawab/inference/vision"
)

// Property: wherever an outline lies, the groups that are read within it lead to the outline of the diplomat's plate.
func TestAboutGroups(t *testing.T) {
	outline := vision.RectQuad(300, 200, 700, 400)
	left, right := appliance.Point{X: 400, Y: 200 + 200*digitsY}, appliance.Point{X: 600, Y: 200 + 200*digitsY}
	for name, q := range map[string]appliance.Quad{
		"its own":    outline,
		"of the car": vision.RectQuad(100, 100, 900, 500),
		"aside":      vision.RectQuad(350, 180, 800, 405),
		"too small":  vision.RectQuad(320, 260, 690, 445),
	} {
		toPicture, _ := vision.RectToQuad(2, 1, q)
		toPlate, _ := toPicture.Inverse()
		l, r := toPlate.Apply(left), toPlate.Apply(right)
		got := aboutGroups(q, plate.Diplomatic{LeftX: l.X, LeftY: l.Y, RightX: r.X, RightY: r.Y})
		for i, c := range got {
			if math.Hypot(c.X-outline[i].X, c.Y-outline[i].Y) > 0.2*200 || math.Abs(c.X-outline[i].X) > 1 {
				t.Errorf("%s: %v", name, got)
				break
			}
		}
	}
}

// Property: between digits that stand wide apart a sign of no name is room where there is no ink, and doubted; one of ink stays, and so
// does a digit.
func TestRoomBetweenDigits(t *testing.T) {
	const digit, other = 5, 26
	in := make([]int8, viewWidth*viewHeight)
	for i := range in {
		in[i] = 100
	}
	for y := 50; y < 64; y++ { // a blot on the right
		for x := range 10 {
			in[y*viewWidth+x+viewWidth*7/10] = -100
		}
	}
	for name, c := range map[string]struct {
		x     float64
		class int
		left  int
		gap   bool
	}{
		"room": {0.5, other, 0, true}, "a digit": {0.5, digit, 1, false}, "a blot": {1.5, other, 1, false},
		"room of the other half": {1.2, other, 0, false},
	} {
		g := read{seen: []plate.Sign{letterAt(c.x, 0.9, c.class)}, strokes: inkOf(in)}
		if signs, gap := g.withoutGaps(); len(signs) != c.left || gap != c.gap {
			t.Errorf("%s: %d left, %t", name, len(signs), gap)
		}
	}
}
