package face

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/burst"
	"github.com/bawab/bawab/inference/burst/bursttest"
	"github.com/bawab/bawab/inference/vision"
)

type scene = bursttest.Scene

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
	still := bursttest.At(240, 180, 150)
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
	nobody := with(func(s *scene) { s.Size = 0 })
	for _, c := range []struct {
		name   string
		frames [3]scene
		want   []appliance.Reason
	}{
		{"still", [3]scene{still, still, still}, nil},
		{"a nod", [3]scene{still, with(func(s *scene) { s.Y += 8 }), with(func(s *scene) { s.Y += 15 })}, nil},
		{"comes closer", [3]scene{still, with(func(s *scene) { s.Size = 165 }), with(func(s *scene) { s.Size = 180 })}, nil},
		{"a cloud", [3]scene{still, with(func(s *scene) { s.Light = 0.95 }), with(func(s *scene) { s.Light = 0.9 })}, nil},
		{"another person", [3]scene{still, still, with(func(s *scene) { s.Person = 3.5 })}, []appliance.Reason{appliance.DifferentPersons}},
		{"another room", [3]scene{still, with(func(s *scene) { s.Room = 5 }), still}, []appliance.Reason{appliance.UnrealisticSequence}},
		{"jumps aside", [3]scene{still, with(func(s *scene) { s.X = 90 }), still}, []appliance.Reason{appliance.UnrealisticSequence}},
		{"twice as large at once", [3]scene{still, still, with(func(s *scene) { s.Size = 290 })}, []appliance.Reason{appliance.UnrealisticSequence}},
		{"nobody", [3]scene{nobody, nobody, nobody}, []appliance.Reason{appliance.NoFaceInFrame}},
	} {
		got := reasonsOf(t, NewRules(testFinder(t), m), c.frames[0].Shoot(r), c.frames[1].Shoot(r), c.frames[2].Shoot(r))
		slices.Sort(got.Reasons)
		if got := slices.Compact(got.Reasons); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
			for _, cue := range reasonsOf(t, NewRules(testFinder(t), m), c.frames[0].Shoot(r), c.frames[1].Shoot(r), c.frames[2].Shoot(r)).Cues {
				t.Logf("%s %.3f", cue.Name, cue.Score)
			}
		}
	}
}

// A burst is judged by its three frames, and each of its cues is named with a probability.
func TestCues(t *testing.T) {
	j := judgeOf(t, attackNetwork(classLive), attackNetwork(classLive), 0.6)
	r := rand.New(rand.NewPCG(5, 6))
	s := bursttest.At(240, 180, 150)
	names := []string{}
	for _, c := range reasonsOf(t, j, tinted(s.Shoot(r)), tinted(s.Shoot(r)), tinted(s.Shoot(r))).Cues {
		names = append(names, c.Name)
		if c.Score < 0 || c.Score > 1 || math.IsNaN(c.Score) {
			t.Errorf("cue %+v", c)
		}
	}
	for _, name := range []string{
		burst.CueSamePicture, CueOtherPerson, burst.CuePoseJump, burst.CueBackgroundJump, burst.CuePlanarMotion, CueStillFeatures, CueAttack,
	} {
		if !slices.Contains(names, name) {
			t.Errorf("the cue %s is missing", name)
		}
	}
	if _, err := j.Judge(t.Context(), []*appliance.Picture{s.Shoot(r)}); err == nil {
		t.Error("one frame was judged")
	}
}

// What is wrong with the frames of a burst is told by its reason, and nothing is left running.
func TestBadFrames(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	s := bursttest.At(240, 180, 150)
	frozen := s.Shoot(r)
	two := func() *appliance.Picture {
		p := bursttest.At(350, 180, 150).Shoot(r)
		for i, v := range drawn(480, 360, spot{130, 180, 150}).Y {
			if v > 100 {
				p.Y[i] = v
			}
		}
		return p
	}
	nobody := bursttest.At(240, 180, 0)
	before := runtime.NumGoroutine()
	for _, c := range []struct {
		name   string
		yaw    float64
		frames [3]*appliance.Picture
		want   appliance.Reason
	}{
		{"a profile", 80, [3]*appliance.Picture{s.Shoot(r), s.Shoot(r), s.Shoot(r)}, appliance.LowQuality},
		{"two faces", 0, [3]*appliance.Picture{two(), two(), two()}, appliance.MultipleFacesInFrame},
		{"two faces at the end", 0, [3]*appliance.Picture{s.Shoot(r), s.Shoot(r), two()}, appliance.MultipleFacesInFrame},
		{"nobody at the end", 0, [3]*appliance.Picture{s.Shoot(r), s.Shoot(r), nobody.Shoot(r)}, appliance.NoFaceInFrame},
		{"a frozen frame", 0, [3]*appliance.Picture{frozen, s.Shoot(r), frozen}, appliance.IdenticalImages},
		{"a frozen frame, coded anew", 0, [3]*appliance.Picture{frozen, s.Shoot(r), bursttest.Recoded(t, frozen, 80)}, appliance.IdenticalImages},
		{"a frozen frame of another resolution", 0, [3]*appliance.Picture{frozen, s.Shoot(r), bursttest.Part(frozen, 0, 0, 1, 1, 640, 480)}, appliance.IdenticalImages},
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
		if err := j.See(t.Context(), bursttest.At(240, 180, 150).Shoot(r)); (err == nil) != (i < 3) {
			t.Errorf("frame %d: %v", i+1, err)
		}
	}
}

// Frames of different sizes, grey ones and tiny ones are judged like others: nothing fails.
func TestOddFrames(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	s := bursttest.At(240, 180, 150)
	p := s.Shoot(r)
	whole := func(w, h int) *appliance.Picture { return bursttest.Part(p, 0, 0, 1, 1, w, h) }
	for name, frames := range map[string][3]*appliance.Picture{
		"three resolutions": {p, bursttest.Part(s.Shoot(r), 0, 0, 1, 1, 640, 480), bursttest.Part(s.Shoot(r), 0, 0, 1, 1, 320, 240)},
		"tiny":              {whole(64, 64), whole(64, 70), whole(90, 64)},
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
