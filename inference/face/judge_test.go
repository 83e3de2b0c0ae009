package face

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// scene is a room with a face that moves, seen by a camera with noise.
type scene struct {
	x, y, size, light float64
	room              int
	person            float64
}

// shoot takes a frame of 480 x 360.
func (s scene) shoot(r *rand.Rand) *appliance.Picture {
	const w, h = 480, 360
	p := &appliance.Picture{Width: w, Height: h, Y: make([]byte, w*h)}
	k := float64(s.room)
	for i := range p.Y {
		x, y := float64(i%w)+0.5, float64(i/w)+0.5
		v := 70 + 30*math.Sin(x*(0.013+0.004*k)+k)*math.Cos(y*(0.017+0.003*k)) + 12*math.Sin((x+k*y)*0.11)
		if d := math.Hypot(x-s.x, y-s.y); d < s.size/2 {
			u, t := (x-s.x)/s.size, (y-s.y)/s.size
			v = 195 + 20*math.Sin(u*(9+4*s.person)+s.person) + 20*math.Cos(t*(13-3*s.person)+2*s.person*u)
		}
		v += 5*math.Sin(0.7*x+0.31*y+k) + 4*math.Sin(1.1*y-0.5*x) + 4*math.Sin(0.37*x-0.29*y) // weave and pores
		p.Y[i] = byte(min(max(math.Round(s.light*v+2*r.NormFloat64()), 0), 255))
	}
	return p
}

func reasonsOf(t *testing.T, j *Judge, frames ...*appliance.Picture) appliance.BurstFindings {
	t.Helper()
	out, err := j.Judge(t.Context(), frames)
	if err != nil {
		t.Fatal(err)
	}
	// The scenes of these tests are computed, and move as no face does: TestInjection has others.
	out.Reasons = slices.DeleteFunc(out.Reasons, func(r appliance.Reason) bool { return r == appliance.InjectedMedia })
	return out
}

// Each rule is told by its own reason, and frames of a person who holds still, or moves as a person can, break none.
func TestRules(t *testing.T) {
	still := scene{240, 180, 150, 1, 1, 1}
	with := func(change func(*scene)) scene {
		s := still
		change(&s)
		return s
	}
	r := rand.New(rand.NewPCG(3, 4))
	first, second := meanEmbedder(embedSide, embedLength), meanEmbedder(nearEmbedSide, nearLength)
	m, err := newMatcher(first, second, "model", Scale{0.85, 0.92, 0.96}, 0.1) // the fake's persons have the rim of the disc in common
	if err != nil {
		t.Fatal(err)
	}
	nobody := with(func(s *scene) { s.size = 0 })
	for _, c := range []struct {
		name   string
		frames [3]scene
		want   []appliance.Reason
	}{
		{"still", [3]scene{still, still, still}, nil},
		{"a nod", [3]scene{still, with(func(s *scene) { s.y += 8 }), with(func(s *scene) { s.y += 15 })}, nil},
		{"comes closer", [3]scene{still, with(func(s *scene) { s.size = 165 }), with(func(s *scene) { s.size = 180 })}, nil},
		{"a cloud", [3]scene{still, with(func(s *scene) { s.light = 0.95 }), with(func(s *scene) { s.light = 0.9 })}, nil},
		{"another person", [3]scene{still, still, with(func(s *scene) { s.person = 3.5 })}, []appliance.Reason{appliance.DifferentPersons}},
		{"another room", [3]scene{still, with(func(s *scene) { s.room = 5 }), still}, []appliance.Reason{appliance.UnrealisticSequence}},
		{"jumps aside", [3]scene{still, with(func(s *scene) { s.x = 90 }), still}, []appliance.Reason{appliance.UnrealisticSequence}},
		{"twice as large at once", [3]scene{still, still, with(func(s *scene) { s.size = 290 })}, []appliance.Reason{appliance.UnrealisticSequence}},
		{"nobody", [3]scene{nobody, nobody, nobody}, []appliance.Reason{appliance.NoFaceInFrame}},
	} {
		got := reasonsOf(t, NewRules(testFinder(t), m), c.frames[0].shoot(r), c.frames[1].shoot(r), c.frames[2].shoot(r))
		slices.Sort(got.Reasons)
		if got := slices.Compact(got.Reasons); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
			for _, cue := range reasonsOf(t, NewRules(testFinder(t), m), c.frames[0].shoot(r), c.frames[1].shoot(r), c.frames[2].shoot(r)).Cues {
				t.Logf("%s %.3f", cue.Name, cue.Score)
			}
		}
	}
}

// What a head or the light cannot do in half a second is a jump with its own cue; what they can do is none.
func TestSequence(t *testing.T) {
	still := newStill(scene{240, 180, 150, 1, 1, 1}.shoot(rand.New(rand.NewPCG(1, 1))))
	for name, c := range map[string]struct {
		change func(*appliance.FaceQuality)
		want   string
	}{
		"looks aside":        {func(q *appliance.FaceQuality) { q.Yaw = 40 }, ""},
		"profile at once":    {func(q *appliance.FaceQuality) { q.Yaw = -60 }, CuePoseJump},
		"nods":               {func(q *appliance.FaceQuality) { q.Pitch = 30 }, ""},
		"upside down":        {func(q *appliance.FaceQuality) { q.Roll = 180 }, CuePoseJump},
		"roll past a circle": {func(q *appliance.FaceQuality) { q.Roll = 359 }, ""},
		"a cloud":            {func(q *appliance.FaceQuality) { q.Light = 0.35 }, ""},
		"the light goes out": {func(q *appliance.FaceQuality) { q.Light = 0.2 }, CueLightJump},
	} {
		face := &sighting{size: 150, at: appliance.Point{X: 240, Y: 180}}
		seen := make([]frame, 3)
		for i := range seen {
			seen[i] = frame{still: still, face: face, quality: appliance.FaceQuality{Light: 0.5}}
		}
		c.change(&seen[2].quality)
		var cues []appliance.Cue
		reasons := realistic(seen, &cues)
		raised := ""
		for _, cue := range cues {
			if cue.Raised() {
				raised += cue.Name
			}
		}
		if raised != c.want || (len(reasons) > 0) != (c.want != "") {
			t.Errorf("%s: raised %q, want %q", name, raised, c.want)
		}
	}
}

// A burst is judged by its three frames, and each of its cues is named with a probability.
func TestCues(t *testing.T) {
	j := judgeOf(t, attackNetwork(classLive), attackNetwork(classLive), 0.6)
	r := rand.New(rand.NewPCG(5, 6))
	s := scene{240, 180, 150, 1, 1, 1}
	names := []string{}
	for _, c := range reasonsOf(t, j, tinted(s.shoot(r)), tinted(s.shoot(r)), tinted(s.shoot(r))).Cues {
		names = append(names, c.Name)
		if c.Score < 0 || c.Score > 1 || math.IsNaN(c.Score) {
			t.Errorf("cue %+v", c)
		}
	}
	for _, name := range []string{CueSamePicture, CueOtherPerson, CuePoseJump, CueBackgroundJump, CuePlanarMotion, CueStillFeatures, CueAttack} {
		if !slices.Contains(names, name) {
			t.Errorf("the cue %s is missing", name)
		}
	}
	if _, err := j.Judge(t.Context(), []*appliance.Picture{s.shoot(r)}); err == nil {
		t.Error("one frame was judged")
	}
}

// What is wrong with the frames of a burst is told by its reason, and nothing is left running.
func TestBadFrames(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	s := scene{240, 180, 150, 1, 1, 1}
	frozen := s.shoot(r)
	two := func() *appliance.Picture {
		p := scene{350, 180, 150, 1, 1, 1}.shoot(r)
		for i, v := range drawn(480, 360, spot{130, 180, 150}).Y {
			if v > 100 {
				p.Y[i] = v
			}
		}
		return p
	}
	nobody := scene{240, 180, 0, 1, 1, 1}
	before := runtime.NumGoroutine()
	for _, c := range []struct {
		name   string
		yaw    float64
		frames [3]*appliance.Picture
		want   appliance.Reason
	}{
		{"a profile", 80, [3]*appliance.Picture{s.shoot(r), s.shoot(r), s.shoot(r)}, appliance.LowQuality},
		{"two faces", 0, [3]*appliance.Picture{two(), two(), two()}, appliance.MultipleFacesInFrame},
		{"two faces at the end", 0, [3]*appliance.Picture{s.shoot(r), s.shoot(r), two()}, appliance.MultipleFacesInFrame},
		{"nobody at the end", 0, [3]*appliance.Picture{s.shoot(r), s.shoot(r), nobody.shoot(r)}, appliance.NoFaceInFrame},
		{"a frozen frame", 0, [3]*appliance.Picture{frozen, s.shoot(r), frozen}, appliance.IdenticalImages},
		{"a frozen frame, coded anew", 0, [3]*appliance.Picture{frozen, s.shoot(r), recoded(t, frozen, 80)}, appliance.IdenticalImages},
		{"a frozen frame of another resolution", 0, [3]*appliance.Picture{frozen, s.shoot(r), part(frozen, 0, 0, 1, 1, 640, 480)}, appliance.IdenticalImages},
	} {
		f, err := newFinder(discFinder(), discMarks(c.yaw), Scores{0.5, 0.5, 0.5, 0.95})
		if err != nil {
			t.Fatal(err)
		}
		if got := reasonsOf(t, NewRules(f, testMatcher(t)), c.frames[0], c.frames[1], c.frames[2]); !slices.Contains(got.Reasons, c.want) {
			t.Errorf("%s: %v, want %s", c.name, got.Reasons, c.want)
		}
	}
	if now := runtime.NumGoroutine(); now > before {
		t.Errorf("%d goroutines, %d before", now, before)
	}
}

// A burst has three frames: no verdict comes before the third, and a fourth is refused.
func TestJudgement(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	j := NewRules(testFinder(t), testMatcher(t)).Begin()
	for i := range 4 {
		if _, err := j.Conclude(t.Context()); (err == nil) != (i == 3) {
			t.Errorf("after %d frames: %v", i, err)
		}
		if err := j.See(t.Context(), scene{240, 180, 150, 1, 1, 1}.shoot(r)); (err == nil) != (i < 3) {
			t.Errorf("frame %d: %v", i+1, err)
		}
	}
}

// Frames of different sizes, grey ones and tiny ones are judged like others: nothing fails.
func TestOddFrames(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	s := scene{240, 180, 150, 1, 1, 1}
	p := s.shoot(r)
	for name, frames := range map[string][3]*appliance.Picture{
		"three resolutions": {p, part(s.shoot(r), 0, 0, 1, 1, 640, 480), part(s.shoot(r), 0, 0, 1, 1, 320, 240)},
		"tiny":              {part(p, 0, 0, 1, 1, 64, 64), part(p, 0, 0, 1, 1, 64, 70), part(p, 0, 0, 1, 1, 90, 64)},
		"black":             {drawn(64, 64), {Width: 64, Height: 64, Y: make([]byte, 64*64)}, {Width: 300, Height: 64, Y: make([]byte, 300*64)}},
	} {
		got := reasonsOf(t, NewRules(testFinder(t), testMatcher(t)), frames[0], frames[1], frames[2])
		if name == "three resolutions" && slices.Contains(got.Reasons, appliance.UnrealisticSequence) {
			t.Errorf("%s: %v", name, got.Reasons)
		}
		for _, c := range got.Cues {
			if math.IsNaN(c.Score) {
				t.Errorf("%s: %+v", name, c)
			}
		}
	}
}

// A sheet that is moved moves as one plane; a head that moves before its background does not, and where nothing moves nothing
// is said.
func TestPlanarMotion(t *testing.T) {
	texture := func(dx, dy, headX float64) field {
		f := field{thumbSide, make([]float32, thumbSide*thumbSide)}
		for i := range f.pix {
			x, y := float64(i%thumbSide)-dx, float64(i/thumbSide)-dy
			if math.Hypot(x-64, y-64) < 32 {
				x -= headX
			}
			f.pix[i] = float32(120 + 40*math.Sin(x*0.31)*math.Sin(y*0.27) + 30*math.Sin((x+2*y)*0.17))
		}
		return f
	}
	a := texture(0, 0, 0)
	if s := planarMotion(a, texture(3, -2, 0)); s < 0.9 {
		t.Errorf("a sheet: %.3f", s)
	}
	if s := planarMotion(a, texture(0, 0, 4)); s > 0.3 {
		t.Errorf("a head: %.3f", s)
	}
	if s := planarMotion(a, a); s != 0.5 {
		t.Errorf("nothing moves: %.3f", s)
	}
}

// The parts of a face that move lie where the template puts eyes and mouth, whatever the side of the aligned face is.
func TestMovingParts(t *testing.T) {
	ideal, parts := template(), movingParts()
	mouth := appliance.Point{X: (ideal[3].X + ideal[4].X) / 2, Y: (ideal[3].Y + ideal[4].Y) / 2}
	for i, want := range []appliance.Point{ideal[0], ideal[1], mouth} {
		p := parts[i].samples()
		middle := appliance.Point{X: float64(p[0]+p[2]) / 2 / cropSide, Y: float64(p[1]+p[3]) / 2 / cropSide}
		if vision.Distance(middle, want) > 0.02 {
			t.Errorf("part %d is around %v, the template has %v", i, middle, want)
		}
	}
}
