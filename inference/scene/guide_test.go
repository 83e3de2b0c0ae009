package scene

import (
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline/outlinetest"
)

// The guide says what hides most of a document, and that there is none when the finder sees no known kind.
func TestGuide(t *testing.T) {
	frame := func(level func(x, y int) byte) *appliance.Picture {
		p := &appliance.Picture{Width: 800, Height: 600, Y: make([]byte, 800*600)}
		for y := range 600 {
			for x := range 800 {
				p.Y[y*800+x] = level(x, y)
			}
		}
		return p
	}
	sharp := func(x, y int) byte { return byte(60 + 120*((x/3+y/3)%2)) }
	smooth := func(x, y int) byte { return byte(60 + x/8 + y/12) }
	glare := func(x, y int) byte {
		if x > 300 && x < 420 && y > 200 && y < 320 {
			return 255
		}
		return sharp(x, y)
	}
	card := func(kind appliance.Kind, x0, y0, x1, y1 float64) outlinetest.Found {
		return outlinetest.Found{{
			Kind: kind, Quad: appliance.Quad{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}},
			Edges: [4]float64{1, 1, 1, 1},
		}}
	}
	front := appliance.NationalIDFront
	for _, tt := range []struct {
		name   string
		finder outlinetest.Found
		level  func(x, y int) byte
		want   appliance.Guidance
	}{
		{"nothing", nil, sharp, appliance.GuideNoDocument},
		{"another sheet", card(appliance.Unknown, 100, 100, 700, 478), sharp, appliance.GuideNoDocument},
		{"good", card(front, 100, 100, 700, 478), sharp, appliance.GuideReady},
		{"cut off", card(front, -50, 100, 550, 478), sharp, appliance.GuideCutOff},
		{"far away", card(front, 100, 100, 300, 226), sharp, appliance.GuideCloser},
		{"a reflection", card(front, 100, 100, 700, 478), glare, appliance.GuideGlare},
		{"blurred", card(front, 100, 100, 700, 478), smooth, appliance.GuideBlurred},
	} {
		if got, err := NewGuide(tt.finder).JudgeFrame(t.Context(), frame(tt.level)); err != nil || got != tt.want {
			t.Errorf("%s: %q, %v, want %q", tt.name, got, err, tt.want)
		}
	}
}
