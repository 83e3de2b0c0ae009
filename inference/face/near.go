package face

import (
	"context"
	"math"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// nearSide is the side of the square that the "landmarks" network looks at, in its pixels.
const nearSide = 192

// The output of the "landmarks" network: x and y of each point, then the depths of four, all from the middle and in sides of the square, then
// the log-odds that the square shows a face, upright and in its middle, divided by presenceUnit.
const (
	featurePoints = 7 // the corners of both eyes, the tip of the nose, the corners of the mouth
	rimPoints     = 36
	meshPoints    = featurePoints + rimPoints
	depths        = 4 // forehead, chin, left and right cheek
	nearValues    = 2*meshPoints + depths + 1
	presenceUnit  = 32
)

// The points whose depth is known, by their places among all.
const (
	forehead   = featurePoints
	chin       = featurePoints + 18
	leftCheek  = featurePoints + 28
	rightCheek = featurePoints + 8
)

const (
	// nearShare is the side of a look from near in longest sides of the face, as the network's makers have it.
	nearShare = 1.5
	// nearLooks is how often a face is looked at from near at most: each time the square lies better. On 1,057 photographs of lfw-dev
	// (27 November 2026) the third look brought the landmarks' 95th percentile from .059 to .049 distances of the eyes off those
	// of two teachers.
	nearLooks = 3
	// settled is the change of place, size (in sizes) and turn (in radians) from which another look brings nothing.
	settled = 0.02
	// surelyUpright is the log-odds of a face from which no other turn is tried. Of 133 photographs of lfw-dev (27 November 2026) 97 %
	// have more when they are upright, and none when they are turned by 90, 180 or 270 degrees, where the most is 8.
	surelyUpright = 10
	// turnedLead is by how much another turn must be surer than none: a profile has log-odds near 0 whichever way it is turned.
	turnedLead = 4
	// mayBe is the log-odds under which a face is none however clearly it was seen from afar. Of 1,057 photographs of lfw-dev and 200
	// portraits on photographed cards (27 November 2026) one has less; portraits painted over with noise had -6.5.
	mayBe = -5
	// clearlySeen is the score of the "faces" network under which a face must be sure from near, as upright ones are: a drawn cartoon has
	// less, and so have the small and half hidden faces that would be overlooked without this rule.
	clearlySeen = 0.7
	// drift is how far the middle of a look from near may lie from where the face was seen, in longest sides of its box there, and
	// growth by which factor its size may differ: beyond that it has slid to another face, and the look before counts.
	drift, growth = 0.35, 1.7
)

// landmarkShift is where the embedder expects the five landmarks, seen from the mesh's, in distances of the eyes along and across the
// face: the mean of what landmarks-regression-retail-0009 says and the mesh.
func landmarkShift() [5]appliance.Point {
	return [5]appliance.Point{{X: 0.015, Y: -0.045}, {X: -0.01, Y: -0.045}, {Y: -0.02}, {Y: -0.02}, {Y: -0.02}}
}

// near looks at a face from near, again and again as it lies better in the square, and the other ways up where it does not stand upright.
// ok is false where that does not confirm a face: the less sure it was from afar, the surer it must be from near.
func (f *Finder) near(ctx context.Context, p *appliance.Picture, s sighting) (best sighting, ok bool, err error) {
	l := f.nearScratch.Get().(*look)
	defer f.nearScratch.Put(l)
	best, presence, err := f.closer(ctx, l, p, s, 0)
	if err != nil {
		return best, false, err
	}
	upright := presence
	for quarter := 1; quarter < 4 && upright < surelyUpright; quarter++ {
		other, odds, err := f.closer(ctx, l, p, s, float64(quarter)*math.Pi/2)
		if err != nil {
			return best, false, err
		}
		if odds > presence && odds > upright+turnedLead {
			best, presence = other, odds
		}
	}
	best.presence = presence
	return best, presence >= f.leastPresence(s.score), nil
}

// leastPresence is the log-odds from near from which a face of a score from afar is one.
func (f *Finder) leastPresence(score float64) float64 {
	switch {
	case score < clearlySeen:
		return max(odds(f.scores.Confirmed), surelyUpright)
	case score < f.scores.Sure:
		return odds(f.scores.Confirmed)
	}
	return min(odds(f.scores.Confirmed), mayBe)
}

// closer looks at a face that stands turned by an angle, and returns it as it lies in the last square with the log-odds that it is one.
func (f *Finder) closer(ctx context.Context, l *look, p *appliance.Picture, s sighting, turn float64) (sighting, float64, error) {
	v := s.view.within(s.middle(), nearShare*s.longest(), turn, nearSide)
	best, presence := s, -float64(presenceUnit)
	for range nearLooks {
		if err := l.run(ctx, f.landmarks, p, v); err != nil {
			return s, 0, err
		}
		c, sure := l.points(s.score)
		now := seen(c, v)
		if !(vision.Distance(now.at, s.at) < drift*s.size && now.size < growth*s.size && s.size < growth*now.size) {
			break
		}
		moved := max(vision.Distance(now.at, best.at)/now.size, math.Abs(now.size/best.size-1), math.Abs(c.roll()))
		best, presence = now, sure
		if moved < settled {
			break
		}
		v = v.within(c.middle(), nearShare*c.longest(), c.roll(), nearSide)
	}
	return best, presence, nil
}

// points reads the output of the "landmarks" network.
func (l *look) points(score float64) (c candidate, presence float64) {
	value := func(i int) float64 { return nearSide * l.value[int(l.out[i])+128] }
	var points [meshPoints]appliance.Point
	for i := range points {
		points[i] = appliance.Point{X: nearSide/2 + value(2*i), Y: nearSide/2 + value(2*i+1)}
	}
	c = candidate{score: score, box: bounds(points[:])}
	c.size = math.Sqrt((c.box[2] - c.box[0]) * (c.box[3] - c.box[1]))
	between := func(a, b appliance.Point) appliance.Point {
		return appliance.Point{X: (a.X + b.X) / 2, Y: (a.Y + b.Y) / 2}
	}
	c.landmarks = [5]appliance.Point{between(points[0], points[1]), between(points[2], points[3]), points[4], points[5], points[6]}
	along := appliance.Point{X: c.landmarks[1].X - c.landmarks[0].X, Y: c.landmarks[1].Y - c.landmarks[0].Y}
	for i, by := range landmarkShift() {
		c.landmarks[i].X += by.X*along.X - by.Y*along.Y
		c.landmarks[i].Y += by.X*along.Y + by.Y*along.X
	}
	// Depth grows away from the camera: the cheek towards which a face turns is the farther one.
	deep := func(k int) float64 { return value(2*meshPoints + k) }
	c.yaw = angle(deep(3)-deep(2), vision.Distance(points[leftCheek], points[rightCheek]))
	c.pitch = angle(deep(0)-deep(1), vision.Distance(points[forehead], points[chin]))
	return c, presenceUnit * l.value[int(l.out[nearValues-1])+128]
}

// angle is that of a slope in degrees.
func angle(rise, run float64) float64 { return math.Atan2(rise, run) * 180 / math.Pi }

// roll is the turn of the line of the eyes in the square, clockwise in radians.
func (c *candidate) roll() float64 {
	return math.Atan2(c.landmarks[1].Y-c.landmarks[0].Y, c.landmarks[1].X-c.landmarks[0].X)
}

// bounds is the box around points; it is never empty, so that it can be looked at.
func bounds(points []appliance.Point) [4]float64 {
	b := [4]float64{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, p := range points {
		b = [4]float64{min(b[0], p.X), min(b[1], p.Y), max(b[2], p.X), max(b[3], p.Y)}
	}
	b[2], b[3] = max(b[2], b[0]+1), max(b[3], b[1]+1)
	return b
}
