package vision

import (
	"math"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
)

// TestHomographyTakesCornersToCorners proves that the maps between rectangle and quad meet all four corners in both
// directions, keep straight lines straight, and undo each other.
func TestHomographyTakesCornersToCorners(t *testing.T) {
	quads := map[string]appliance.Quad{
		"rectangle":     {{X: 10, Y: 20}, {X: 210, Y: 20}, {X: 210, Y: 120}, {X: 10, Y: 120}},
		"parallelogram": {{X: 10, Y: 20}, {X: 210, Y: 50}, {X: 260, Y: 150}, {X: 60, Y: 120}},
		"perspective":   {{X: 310, Y: 220}, {X: 1410, Y: 180}, {X: 1530, Y: 1150}, {X: 120, Y: 1020}},
		"upside down":   {{X: 1500, Y: 1100}, {X: 100, Y: 1000}, {X: 300, Y: 200}, {X: 1400, Y: 150}},
		"far away":      {{X: 1e5, Y: 1e5}, {X: 1e5 + 30, Y: 1e5 + 1}, {X: 1e5 + 31, Y: 1e5 + 20}, {X: 1e5 - 2, Y: 1e5 + 22}},
	}
	const w, h = 125, 88
	corners := appliance.Quad{{}, {X: w}, {X: w, Y: h}, {Y: h}}
	for name, q := range quads {
		t.Run(name, func(t *testing.T) {
			there, ok1 := RectToQuad(w, h, q)
			back, ok2 := there.Inverse()
			if !ok1 || !ok2 {
				t.Fatal("refused")
			}
			for i, p := range there.ApplyQuad(corners) {
				near(t, p, q[i])
			}
			for i, p := range back.ApplyQuad(q) {
				near(t, p, corners[i])
			}
			p := appliance.Point{X: 31, Y: 57}
			near(t, back.Mul(there).Apply(p), p)
			a, b, m := there.Apply(appliance.Point{X: 5, Y: 3}), there.Apply(appliance.Point{X: 105, Y: 83}), there.Apply(appliance.Point{X: 55, Y: 43})
			if cross := (b.X-a.X)*(m.Y-a.Y) - (b.Y-a.Y)*(m.X-a.X); math.Abs(cross) > 1e-6*math.Hypot(b.X-a.X, b.Y-a.Y) {
				t.Errorf("line bent: cross product %g", cross)
			}
		})
	}
}

func near(t *testing.T, got, want appliance.Point) {
	t.Helper()
	if !(math.Hypot(got.X-want.X, got.Y-want.Y) < 1e-6) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestQuadsWithoutAMapAreRefused proves that no homography comes out of a quad or rectangle that has none.
func TestQuadsWithoutAMapAreRefused(t *testing.T) {
	good := appliance.Quad{{}, {X: 100}, {X: 100, Y: 100}, {Y: 100}}
	tests := []struct {
		name string
		w, h float64
		q    appliance.Quad
	}{
		{"zero quad", 10, 10, appliance.Quad{}},
		{"one point", 10, 10, appliance.Quad{{X: 5, Y: 5}, {X: 5, Y: 5}, {X: 5, Y: 5}, {X: 5, Y: 5}}},
		{"a line", 10, 10, appliance.Quad{{}, {X: 10, Y: 10}, {X: 20, Y: 20}, {X: 30, Y: 30}}},
		{"three on a line", 10, 10, appliance.Quad{{}, {X: 50}, {X: 100}, {Y: 100}}},
		{"folded", 10, 10, appliance.Quad{{}, {X: 100, Y: 100}, {X: 100}, {Y: 100}}},
		{"hollow", 10, 10, appliance.Quad{{}, {X: 100}, {X: 20, Y: 20}, {Y: 100}}},
		{"mirrored", 10, 10, appliance.Quad{{}, {Y: 100}, {X: 100, Y: 100}, {X: 100}}},
		{"two corners in one", 10, 10, appliance.Quad{{}, {}, {X: 100, Y: 100}, {Y: 100}}},
		{"not a number", 10, 10, appliance.Quad{{}, {X: math.NaN()}, {X: 100, Y: 100}, {Y: 100}}},
		{"infinite", 10, 10, appliance.Quad{{}, {X: math.Inf(1)}, {X: 100, Y: 100}, {Y: 100}}},
		{"no width", 0, 10, good},
		{"negative height", 10, -1, good},
		{"width not a number", math.NaN(), 10, good},
		{"infinite height", 10, math.Inf(1), good},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if m, ok := RectToQuad(tc.w, tc.h, tc.q); ok {
				t.Errorf("RectToQuad gave %v", m)
			}
		})
	}
	if m, ok := (Homography{1, 2, 3, 2, 4, 6, 0, 0, 1}).Inverse(); ok {
		t.Errorf("a singular map has the inverse %v", m)
	}
}

// A convex polygon clipped by a half plane keeps the part within it, whichever way it runs.
func TestClip(t *testing.T) {
	square := []appliance.Point{{X: 0, Y: 0}, {X: 4, Y: 0}, {X: 4, Y: 4}, {X: 0, Y: 4}}
	for name, test := range map[string]struct {
		a, b, c, want float64 // inside where a x + b y + c is not negative
	}{
		"all":    {1, 0, 1, 16},
		"half":   {-1, 0, 2, 8},
		"corner": {-1, -1, 2, 2},
		"edge":   {-1, 0, 0, 0},
		"none":   {-1, 0, -1, 0},
	} {
		inside := func(p appliance.Point) float64 { return test.a*p.X + test.b*p.Y + test.c }
		if got := Area(Clip(square, inside)); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%s: area %v, want %v", name, got, test.want)
		}
		turned := slices.Clone(square)
		slices.Reverse(turned)
		if got := Area(Clip(turned, inside)); math.Abs(got+test.want) > 1e-9 {
			t.Errorf("%s, the other way round: area %v, want %v", name, got, -test.want)
		}
	}
}
