package burst

import (
	"math/rand/v2"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/burst/bursttest"
)

// relit changes the brightness.
func relit(p *appliance.Picture, gain, offset float64) *appliance.Picture {
	out := *p
	out.Y = make([]byte, len(p.Y))
	for i, v := range p.Y {
		out.Y[i] = byte(min(max(gain*float64(v)+offset, 0), 255))
	}
	return &out
}

// copied makes a copy as one who wants to pass it for another frame would.
func copied(t testing.TB, r *rand.Rand, p *appliance.Picture) (*appliance.Picture, string) {
	kind := []string{"coded", "resized", "brightness", "cropped", "all", "all"}[r.IntN(6)]
	qualities := []int{80, 85, 90, 95}
	left, top, right, bottom, w, h := 0.0, 0.0, 1.0, 1.0, p.Width, p.Height
	if kind == "cropped" || kind == "all" {
		left, top, right, bottom = 0.05*r.Float64(), 0.05*r.Float64(), 1-0.05*r.Float64(), 1-0.05*r.Float64()
		w, h = int(float64(w)*(right-left)), int(float64(h)*(bottom-top))
	}
	if kind == "resized" || kind == "all" {
		s := 0.6 + 0.9*r.Float64()
		w, h = int(s*float64(w)), int(s*float64(h))
	}
	out := bursttest.Part(p, left, top, right, bottom, w, h)
	if kind == "brightness" || kind == "all" {
		out = relit(out, 0.8+0.4*r.Float64(), 40*r.Float64()-20)
	}
	return bursttest.Recoded(t, out, qualities[r.IntN(len(qualities))]), kind
}

// A copy of a frame is told, however it was coded, resized, relit or cropped; two frames of somebody who holds still, each with
// the noise of its own exposure, are not. Frames are coded as a camera codes them.
func TestIdentical(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	const cases = 24
	for i := range cases {
		s := bursttest.At(200+80*r.Float64(), 150+60*r.Float64(), 120+60*r.Float64()).In(r.IntN(7))
		s.Person = 3 * r.Float64()
		a := bursttest.Recoded(t, s.Shoot(r), 90)
		s.X, s.Y = s.X+0.4*r.Float64(), s.Y+0.4*r.Float64() // nobody holds stiller
		if p := CopyProbability(NewFrame(a), NewFrame(bursttest.Recoded(t, s.Shoot(r), 90))); p >= samePicture {
			t.Errorf("real pair %d was taken for a copy: %.3f", i, p)
		}
		b, kind := copied(t, r, a)
		if p := CopyProbability(NewFrame(a), NewFrame(b)); p < samePicture {
			t.Errorf("copy %d, %s, passed: %.3f", i, kind, p)
		}
	}
}

// The steps of JPEG's coding are found in the samples, and a picture that was not coded shows none.
func TestStepsOf(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	raw := bursttest.At(240, 180, 150).In(2).Shoot(r)
	stepsIn := func(p *appliance.Picture) block {
		w := windowOf(p, appliance.Point{X: 240, Y: 180})
		return stepsOf(blocksOf(w.levels(), w.w, w.h))
	}
	// The standard's table at quality 50 and 75, for the lowest frequencies: across, down, diagonal.
	for quality, want := range map[int][3]float32{50: {11, 12, 12}, 75: {6, 6, 6}} {
		if got := stepsIn(bursttest.Recoded(t, raw, quality)); got[1] != want[0] || got[8] != want[1] || got[9] != want[2] {
			t.Errorf("quality %d: %v, %v, %v, want %v", quality, got[1], got[8], got[9], want)
		}
	}
	if got := stepsIn(raw); got[1] > 1 || got[8] > 1 {
		t.Errorf("not coded: %v, %v", got[1], got[8])
	}
}

// An overlay comes to a tenth of a pixel from where a cropped and resized copy lies.
func TestRefine(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	for i := range 5 {
		a := bursttest.At(240, 180, 150).In(i).Shoot(r)
		b := relit(bursttest.Part(a, 0.04, 0.02, 0.97, 0.99, 520, 400), 1.15, -12)
		o := overlayOf(a, b, register(newThumb(a), newThumb(b)))
		w := windowOf(a, appliance.Point{X: 240, Y: 180})
		o.refine(w, w.levels(), b, refineSteps)
		kx, ky := 520/(0.93*480), 400/(0.97*360)
		for _, at := range [2]float64{160, 320} {
			x, y := o.kx*at+o.tx, o.ky*at+o.ty
			if wantX, wantY := kx*(at-0.04*480), ky*(at-0.02*360); max(x-wantX, wantX-x, y-wantY, wantY-y) > 0.1 {
				t.Errorf("room %d: %.3f, %.3f, want %.3f, %.3f", i, x, y, wantX, wantY)
			}
		}
	}
}

// Equal pixels are one picture whatever their file was, and any single other sample is not equal.
func TestSamePixels(t *testing.T) {
	shot := bursttest.At(240, 180, 150).Shoot(rand.New(rand.NewPCG(71, 72)))
	a, b := bursttest.Part(shot, 0, 0, 1, 1, 64, 64), bursttest.Part(shot, 0, 0, 1, 1, 64, 64)
	if !samePixels(a, b) {
		t.Error("equal pictures differ")
	}
	b.Y[77] ^= 1
	if samePixels(a, b) || samePixels(a, bursttest.Part(shot, 0, 0, 1, 1, 64, 65)) {
		t.Error("different pictures are the same")
	}
}

// One picture is found in another one that shows it cropped, larger and in another light.
func TestRegister(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for i := range 10 {
		a := bursttest.At(240, 180, 150).In(i).Shoot(r)
		b := relit(bursttest.Part(a, 0.04, 0.02, 0.97, 0.99, 520, 400), 1.15, -12)
		p := register(newThumb(a), newThumb(b))
		// A place u of a, in shares of its width, lies at (u - 0.04) / 0.93 of b's.
		if sx, dx := 1/0.93, (1-2*0.04)/0.93-1; p.sx < sx-0.01 || p.sx > sx+0.01 || p.dx < dx-0.01 || p.dx > dx+0.01 {
			t.Errorf("room %d: %+v, want sx %.3f, dx %.3f", i, p, sx, dx)
		}
		if p.gain < 0.8 || p.gain > 0.95 {
			t.Errorf("room %d: gain %.3f, want 1/1.15", i, p.gain)
		}
	}
}
