package face

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/burst/bursttest"
	"github.com/bawab/bawab/inference/vision"
)

// moved turns the landmarks of the template by an angle in degrees, scales them by size and puts them at (x, y).
func moved(size, degrees, x, y float64) (marks [5]appliance.Point) {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	for i, m := range template() {
		u, v := (m.X-0.5)*size, (m.Y-0.5)*size
		marks[i] = appliance.Point{X: x + u*cos - v*sin, Y: y + u*sin + v*cos}
	}
	return marks
}

// The box for the networks of attacks goes with the face: it moves, grows and turns as the landmarks do, and its quarter turns are those
// nearest to the roll.
func TestAttackBox(t *testing.T) {
	upright, _ := attackBox(moved(100, 0, 0, 0))
	for _, c := range []struct {
		size, degrees, x, y float64
		turn                int
	}{{100, 0, 0, 0, 0}, {100, 0, 300, 200, 0}, {250, 30, 10, 20, 0}, {100, -40, 7, 9, 0}, {100, 90, 50, 60, 1}, {80, 180, 50, 60, 2}, {80, 185, 5, 6, 2}, {100, -90, 50, 60, 3}, {100, 300, 0, 0, 3}} {
		box, turn := attackBox(moved(c.size, c.degrees, c.x, c.y))
		sin, cos := math.Sincos(c.degrees * math.Pi / 180)
		k := c.size / 100
		want := appliance.Point{X: c.x + k*(upright.middle.X*cos-upright.middle.Y*sin), Y: c.y + k*(upright.middle.X*sin+upright.middle.Y*cos)}
		if vision.Distance(box.middle, want) > 1e-6 || math.Abs(box.side-k*upright.side) > 1e-6 || turn != c.turn {
			t.Errorf("%+v: middle %v, side %.2f, turn %d; want %v, %.2f", c, box.middle, box.side, turn, want, k*upright.side)
		}
	}
	aside := moved(100, 0, 0, 0)
	aside[2].X += 10 // looks to the right of the picture: the head lies to the left of its features
	if box, _ := attackBox(aside); box.middle.X > upright.middle.X-3 {
		t.Errorf("a nose aside moves the middle from %.1f to %.1f", upright.middle.X, box.middle.X)
	}
}

// The crop is cut by the makers' rule: it keeps its size and is shifted inside the picture, never reaches beyond it, and ends on whole
// pixels. The cases are worked out by their program's integers.
func TestAttackCropInside(t *testing.T) {
	for _, c := range []struct {
		middle, length float64
		n              int
		from, to       float64
	}{
		{320, 200, 640, 220, 421},
		{320.4, 200.5, 640, 220, 421},
		{50, 200, 640, 0, 201},
		{620, 200, 640, 439, 640},
		{100, 639, 640, 0, 640},
		{0, 10, 640, 0, 11},
		{-30, 10, 640, 0, 11},
	} {
		if from, to := inside(c.middle, c.length, c.n); from != c.from || to != c.to {
			t.Errorf("%+v: %g to %g", c, from, to)
		}
	}
}

// A face in a picture that lies on its side or stands on its head gives the crop of the upright picture.
func TestAttackCropTurns(t *testing.T) {
	const w, h = 160, 120
	upright := &appliance.Picture{Width: w, Height: h, Y: make([]byte, w*h), ChromaWidth: w, ChromaHeight: h, Cb: make([]byte, w*h), Cr: make([]byte, w*h)}
	for i := range upright.Y {
		upright.Y[i], upright.Cb[i], upright.Cr[i] = byte(i*7%251), byte(i*3%97+80), byte(i*5%89+90)
	}
	marks := moved(40, 4, 60, 70)
	var want, got [3 * attackSide * attackSide]byte
	box, turn := attackBox(marks)
	attackCrop(upright, box, turn, nearSpan, want[:])
	for quarters := 1; quarters < 4; quarters++ {
		p := &appliance.Picture{Width: w, Height: h}
		if quarters%2 == 1 {
			p.Width, p.Height = h, w
		}
		back := unturned(quarters, float64(p.Width), float64(p.Height))
		p.ChromaWidth, p.ChromaHeight = p.Width, p.Height
		p.Y, p.Cb, p.Cr = make([]byte, w*h), make([]byte, w*h), make([]byte, w*h)
		for i := range upright.Y {
			at := back.Apply(appliance.Point{X: float64(i%w) + 0.5, Y: float64(i/w) + 0.5})
			to := int(at.Y)*p.Width + int(at.X)
			p.Y[to], p.Cb[to], p.Cr[to] = upright.Y[i], upright.Cb[i], upright.Cr[i]
		}
		var turnedMarks [5]appliance.Point
		for i, m := range marks {
			turnedMarks[i] = back.Apply(m)
		}
		box, turn := attackBox(turnedMarks)
		if attackCrop(p, box, turn, nearSpan, got[:]); turn != quarters || got != want {
			t.Errorf("%d quarter turns: found %d, same crop %v", quarters, turn, got == want)
		}
	}
}

// Landmarks that fall together, or lie far outside the picture, still give a crop out of the picture.
func TestAttackCropDegenerate(t *testing.T) {
	p := &appliance.Picture{Width: 64, Height: 64, Y: make([]byte, 64*64)}
	for i := range p.Y {
		p.Y[i] = 77
	}
	for _, marks := range [][5]appliance.Point{{}, moved(0, 0, 30, 30), moved(1e6, 10, 0, 0), moved(40, 0, -500, 900), moved(40, 200, 1e9, -1e9)} {
		box, turn := attackBox(marks)
		for _, span := range []float64{nearSpan, wideSpan} {
			var rgb [3 * attackSide * attackSide]byte
			attackCrop(p, box, turn, span, rgb[:])
			for i, v := range rgb {
				if v != 77 {
					t.Fatalf("%v: sample %d is %d", marks, i, v)
				}
			}
		}
	}
}

// tinted is a picture with chroma that changes from place to place, so that it is no grey one.
func tinted(p *appliance.Picture) *appliance.Picture {
	p.ChromaWidth, p.ChromaHeight = p.Width, p.Height
	p.Cb, p.Cr = make([]byte, len(p.Y)), make([]byte, len(p.Y))
	for i := range p.Y {
		p.Cb[i], p.Cr[i] = byte(118+i%p.Width/8%20), byte(118+i/p.Width/8%20)
	}
	return p
}

// attackNetwork says how likely each class is from the level of the middle of what it sees: a bright middle is of class.
func attackNetwork(class int) *fakeNetwork {
	return &fakeNetwork{
		input:  inference.Tensor{Shape: []int{1, attackSide, attackSide, 3}, Scale: 1.0 / 255, ZeroPoint: -128},
		output: inference.Tensor{Shape: []int{1, attackClasses}, Scale: 0.05, ZeroPoint: 7},
		run: func(in, out []int8) {
			out[0], out[1], out[2] = 7, 7, 7
			out[class] = max(in[3*(attackSide/2*attackSide+attackSide/2)+1], 0) + 7
		},
	}
}

// judgeOf is a judge whose networks for attacks are fakes.
func judgeOf(t *testing.T, near, wide *fakeNetwork, accept float64) *Judge {
	t.Helper()
	a, err := newAttackFinder(near, wide, accept)
	if err != nil {
		t.Fatal(err)
	}
	return &Judge{finder: testFinder(t), matcher: testMatcher(t), attacks: a}
}

// Both networks look at each frame, and the mean of their probabilities decides: an attack has its reason and its cue, whether it is told
// for a print or for a screen; a grey burst is of low quality and no attack; without a face there is no score.
func TestAttack(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	person, nobody := bursttest.At(240, 180, 150), bursttest.At(240, 180, 0)
	for _, c := range []struct {
		name       string
		near, wide int
		accept     float64
		scene      scene
		grey       bool
		want       []appliance.Reason
		low, high  float64 // of the score
	}{
		{"living", classLive, classLive, 0.6, person, false, nil, 0.8, 1},
		{"a print", 0, 0, 0.6, person, false, []appliance.Reason{appliance.PresentationAttack}, 0, 0.2},
		{"a screen", 2, 2, 0.6, person, false, []appliance.Reason{appliance.PresentationAttack}, 0, 0.2},
		{"the networks disagree", classLive, 0, 0.6, person, false, nil, 0.4, 0.6},
		{"they disagree, strictly", 0, classLive, 0.4, person, false, []appliance.Reason{appliance.PresentationAttack}, 0.4, 0.6},
		{"grey", 0, 0, 0.6, person, true, []appliance.Reason{appliance.LowQuality}, 0, 0},
		{"nobody", 0, 0, 0.6, nobody, false, []appliance.Reason{appliance.NoFaceInFrame}, 0, 0},
	} {
		near, wide := attackNetwork(c.near), attackNetwork(c.wide)
		var frames [3]*appliance.Picture
		for i := range frames {
			if frames[i] = c.scene.Shoot(r); !c.grey {
				frames[i] = tinted(frames[i])
			}
		}
		got := reasonsOf(t, judgeOf(t, near, wide, c.accept), frames[0], frames[1], frames[2])
		// Drawn frames are made ones, which other cues may tell.
		reasons := slices.DeleteFunc(got.Reasons, func(r appliance.Reason) bool { return r == appliance.InjectedMedia })
		slices.Sort(reasons)
		if reasons = slices.Compact(reasons); !slices.Equal(reasons, c.want) || got.Score < c.low || got.Score > c.high {
			t.Errorf("%s: %v, score %.3f; want %v, %g to %g", c.name, reasons, got.Score, c.want, c.low, c.high)
		}
		runs, judged := 0, got.Score > 0
		if judged {
			runs = 3
		}
		if near.runs != runs || wide.runs != runs {
			t.Errorf("%s: the networks ran %d and %d times, want %d each", c.name, near.runs, wide.runs, runs)
		}
		if has := slices.ContainsFunc(got.Cues, func(q appliance.Cue) bool { return q.Name == CueAttack && q.Threshold == c.accept }); has != judged {
			t.Errorf("%s: cue of an attack: %v", c.name, has)
		}
	}
}

// Networks of other shapes and thresholds that are no probability are refused.
func TestAttackRefuses(t *testing.T) {
	good, other := attackNetwork(0), attackNetwork(0)
	other.input.Shape = []int{1, 128, 128, 3}
	for name, c := range map[string]struct {
		near, wide *fakeNetwork
		accept     float64
	}{"near": {other, good, 0.5}, "wide": {good, other, 0.5}, "none": {good, good, 0}, "certain": {good, good, 1}, "no number": {good, good, math.NaN()}} {
		if _, err := newAttackFinder(c.near, c.wide, c.accept); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// A frame takes no memory beside the scratch it is given.
func TestAttackTakesNoMemory(t *testing.T) {
	s, net := new(attackScratch), attackNetwork(classLive)
	if n := testing.AllocsPerRun(5, func() {
		if _, err := s.live(t.Context(), net); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%g allocations", n)
	}
}
