package face

import (
	"math"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// The aligned square lies over the landmarks as in the template, for any turn, scale and shift of a face.
func TestAligned(t *testing.T) {
	for _, c := range []struct{ angle, scale, x, y float64 }{{0, 1, 0, 0}, {30, 2, 50, -20}, {-170, 0.1, 1000, 3}, {90, 40, 0, 0}} {
		sin, cos := math.Sincos(c.angle * math.Pi / 180)
		var marks [5]appliance.Point
		for i, p := range template() {
			x, y := p.X*cropSide*c.scale, p.Y*cropSide*c.scale
			marks[i] = appliance.Point{X: cos*x - sin*y + c.x, Y: sin*x + cos*y + c.y}
		}
		h, ok := aligned(marks, template(), cropSide)
		if !ok {
			t.Fatalf("%+v: not aligned", c)
		}
		for i, p := range template() {
			if got := h.Apply(appliance.Point{X: p.X * cropSide, Y: p.Y * cropSide}); vision.Distance(got, marks[i]) > 1e-6*c.scale*cropSide {
				t.Errorf("%+v: landmark %d at %v, want %v", c, i, got, marks[i])
			}
		}
	}
	if _, ok := aligned([5]appliance.Point{}, template(), cropSide); ok {
		t.Error("landmarks that fall together were aligned")
	}
}

// An embedding has unit length and does not change with the light, the place, the turn or the size of a face, within what
// sampling takes; that of another face is another one.
func TestEmbed(t *testing.T) {
	const w, h = 400, 300
	shade := func(x, y float64, other bool) float64 {
		if other {
			return 120 + 60*math.Sin(x*17)*math.Cos(y*5)
		}
		return 120 + 60*math.Sin(x*9+1)*math.Sin(y*13)
	}
	face := func(x0, y0, size, angle, gain float64, other bool) (*appliance.Picture, appliance.Face) {
		p := &appliance.Picture{Width: w, Height: h, Y: make([]byte, w*h)}
		sin, cos := math.Sincos(angle * math.Pi / 180)
		for i := range p.Y {
			x, y := float64(i%w)+0.5-x0, float64(i/w)+0.5-y0
			p.Y[i] = byte(math.Round(min(max(gain*shade((cos*x+sin*y)/size, (cos*y-sin*x)/size, other), 0), 255)))
		}
		f := appliance.Face{}
		for k, m := range template() {
			x, y := (m.X-0.5)*size, (m.Y-0.5)*size
			f.Landmarks[k] = appliance.Point{X: x0 + cos*x - sin*y, Y: y0 + sin*x + cos*y}
		}
		return p, f
	}
	m := testMatcher(t)
	embed := func(p *appliance.Picture, f appliance.Face) appliance.Embedding {
		e, err := m.Embed(t.Context(), p, f)
		if err != nil {
			t.Fatal(err)
		}
		if n := Cosine(e, e); math.Abs(n-1) > 1e-4 {
			t.Errorf("length %g", n)
		}
		return e
	}
	want := embed(face(200, 150, 120, 0, 1, false))
	for name, e := range map[string]appliance.Embedding{
		"darker": embed(face(200, 150, 120, 0, 0.4, false)), "elsewhere": embed(face(120, 170, 120, 0, 1, false)),
		"turned": embed(face(200, 150, 120, 40, 1, false)), "larger": embed(face(200, 150, 190, 0, 1, false)),
	} {
		if c := Cosine(want, e); c < 0.99 {
			t.Errorf("%s: cosine %.3f", name, c)
		}
	}
	if c := Cosine(want, embed(face(200, 150, 120, 0, 1, true))); c > 0.5 {
		t.Errorf("another face: cosine %.3f", c)
	}
	if _, err := m.Embed(t.Context(), drawn(64, 64), appliance.Face{}); err == nil {
		t.Error("a face without landmarks was embedded")
	}
}

// The scale rises over all cosines, and has the stated similarities at the calibrated ones.
func TestScale(t *testing.T) {
	s := Scale{0.2, 0.31, 0.45}
	for cosine, want := range map[float64]float64{-1: 0, -2: 0, 0: 0.2, 0.2: 0.4, 0.31: 0.5, 0.45: 0.6, 1: 1, 1.001: 1} {
		if got := s.Similarity(cosine); math.Abs(got-want) > 1e-9 {
			t.Errorf("cosine %g: %g, want %g", cosine, got, want)
		}
	}
	last := -1.0
	for c := -1.0; c <= 1; c += 0.01 {
		if got := s.Similarity(c); got < last {
			t.Errorf("it falls at %g", c)
		} else {
			last = got
		}
	}
	for rate, want := range map[float64]float64{1: 0.4, 0.1: 0.5, 0.01: 0.6} {
		if got, ok := Threshold(rate); !ok || got != want {
			t.Errorf("rate %g %%: %g", rate, got)
		}
	}
}
