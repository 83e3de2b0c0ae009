package burst

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/burst/bursttest"
)

// What a head or the light cannot do in half a second is a jump with its own cue; what they can do is none.
func TestSequence(t *testing.T) {
	still := NewFrame(bursttest.At(240, 180, 150).Shoot(rand.New(rand.NewPCG(1, 1))))
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
		seen := make([]*Frame, 3)
		for i := range seen {
			f := *still
			f.Face = &Face{Size: 150, At: appliance.Point{X: 240, Y: 180}, Quality: appliance.FaceQuality{Light: 0.5}}
			seen[i] = &f
		}
		c.change(&seen[2].Face.Quality)
		var out appliance.BurstFindings
		JudgeSequence(seen, &out)
		raised := ""
		for _, cue := range out.Cues {
			if cue.Raised() {
				raised += cue.Name
			}
		}
		if raised != c.want || (len(out.Reasons) > 0) != (c.want != "") {
			t.Errorf("%s: raised %q, want %q", name, raised, c.want)
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
