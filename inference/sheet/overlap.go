package sheet

import (
	"math"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// Overlap is the share of a that lies on b.
func Overlap(a, b appliance.Quad) float64 {
	const steps = 32
	h, ok := vision.RectToQuad(steps, steps, a)
	if !ok {
		return 0
	}
	count := 0
	for y := range steps {
		for x := range steps {
			if b.Contains(h.Apply(appliance.Point{X: float64(x) + 0.5, Y: float64(y) + 0.5})) {
				count++
			}
		}
	}
	return float64(count) / (steps * steps)
}

// OnePlace reports whether two outlines show one thing: much of either lies on the other.
func OnePlace(a, b appliance.Quad) bool {
	const much = 0.3
	return max(Overlap(a, b), Overlap(b, a)) > much
}

// Alike reports whether two outlines differ too little for what they show to be read otherwise.
func Alike(a, b appliance.Quad) bool {
	const alike = 0.95
	return min(Overlap(a, b), Overlap(b, a)) > alike
}

// EdgeWithin says from 0 to 1 how well the outline of q stands out where it runs through another document: the grey
// levels' steps across it that go the same way all along. runs is false where it does not run through it.
func EdgeWithin(p vision.Plane, q, other appliance.Quad) (sure float64, runs bool) {
	const samples, half, apart = 96, 3, 1.5
	strength, count := 0.0, 0
	for i := range q {
		side := Line{q[i], q[(i+1)%4]}
		var steps [2*half + 1]float64
		n := 0
		for k := range samples {
			t := (float64(k) + 0.5) / samples
			if !other.Contains(side.at(t, 0)) {
				continue
			}
			n++
			for d := range steps {
				outer, inner := side.at(t, float64(d-half)+apart), side.at(t, float64(d-half)-apart)
				a, _ := lumaAt(p, outer.X, outer.Y)
				b, _ := lumaAt(p, inner.X, inner.Y)
				g := float64(a - b)
				steps[d] += g / (math.Abs(g) + sideSoftness)
			}
		}
		best := 0.0
		for _, s := range steps {
			best = max(best, math.Abs(s))
		}
		strength, count = strength+best, count+n
	}
	return strength / max(float64(count), 1), count > 0
}
