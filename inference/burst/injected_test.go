package burst

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// room is what a camera of the tests sees: a background that stays, and a face that moves before it and bends.
type room struct {
	moved, bent float64
	chroma      bool
}

// shot is one frame of a room: its picture, with grain of the given deviation out of r.
func (m room) shot(r *rand.Rand, grain float64) *appliance.Picture {
	const w, h, face = 480, 400, 170.0
	p := &appliance.Picture{Width: w, Height: h, Y: make([]byte, w*h)}
	detail := func(x, y, k float64) float64 { return math.Sin(x*k)*math.Sin(y*k*1.13) + math.Sin((x+2*y)*k*0.61) }
	level := func(v float64) byte { return byte(min(max(math.Round(v), 0), 255)) }
	for i := range p.Y {
		x, y := float64(i%w), float64(i/w)
		v := 90 + 14*detail(x, y, 0.21)
		if math.Hypot((x-w/2-m.moved)/1, (y-h/2)*0.85) < face/2 {
			u := x - m.moved + m.bent*math.Sin(y/17)
			v = 150 + 12*detail(u, y+m.bent*math.Cos(x/23), 0.16)
		}
		p.Y[i] = level(v + grain*r.NormFloat64())
	}
	if !m.chroma {
		return p
	}
	p.ChromaWidth, p.ChromaHeight = w/2, h/2
	for _, plane := range []*[]byte{&p.Cb, &p.Cr} {
		*plane = make([]byte, w/2*(h/2))
		noise := make([]float64, len(*plane)+w)
		for i := range noise {
			noise[i] = r.NormFloat64()
		}
		for i := range *plane {
			// The grain of colour is coarser than a sample.
			n := (noise[i] + noise[i+1] + noise[i+w/2] + noise[i+w/2+1]) / 2
			(*plane)[i] = level(118 + 2*grain*n)
		}
	}
	return p
}

// seenIn are frames with the face where the room has it.
func seenIn(pictures ...*appliance.Picture) (seen []*Frame) {
	for _, p := range pictures {
		f := NewFrame(p)
		f.Face = &Face{At: appliance.Point{X: 240, Y: 200}, Size: 170}
		seen = append(seen, f)
	}
	return seen
}

// shifted is a picture shifted by whole pixels, with its grain; the border goes on.
func shifted(p *appliance.Picture, dx int) *appliance.Picture {
	move := func(pix []byte, w, dx int) []byte {
		out := make([]byte, len(pix))
		for i := range out {
			out[i] = pix[i/w*w+min(max(i%w-dx, 0), w-1)]
		}
		return out
	}
	q := *p
	q.Y, q.Cb, q.Cr = move(p.Y, p.Width, dx), move(p.Cb, p.ChromaWidth, dx/2), move(p.Cr, p.ChromaWidth, dx/2)
	return &q
}

// bulged is a picture whose sides have moved by the given number of samples, and what lies nearer to its middle by less.
func bulged(p *appliance.Picture, by float64) *appliance.Picture {
	move := func(pix []byte, w int, by float64) []byte {
		out := make([]byte, len(pix))
		for i := range out {
			u := 2*float64(i%w)/float64(w) - 1
			x := min(max(float64(i%w)-by*u*u, 0), float64(w)-1.001)
			at, share := i/w*w+int(x), x-math.Floor(x)
			out[i] = byte(math.Round(float64(pix[at])*(1-share) + float64(pix[at+1])*share))
		}
		return out
	}
	q := *p
	q.Y, q.Cb, q.Cr = move(p.Y, p.Width, by), move(p.Cb, p.ChromaWidth, by/2), move(p.Cr, p.ChromaWidth, by/2)
	return &q
}

// grainy is a picture with new grain in its luma.
func grainy(p *appliance.Picture, r *rand.Rand, deviation float64) *appliance.Picture {
	q := *p
	q.Y = make([]byte, len(p.Y))
	for i, v := range p.Y {
		q.Y[i] = byte(min(max(math.Round(float64(v)+deviation*r.NormFloat64()), 0), 255))
	}
	return &q
}

// speckled is a picture with new grain in its colours too.
func speckled(p *appliance.Picture, r *rand.Rand, luma, colours float64) *appliance.Picture {
	q := grainy(p, r, luma)
	for _, plane := range []*[]byte{&q.Cb, &q.Cr} {
		*plane = append([]byte(nil), *plane...)
		noise := make([]float64, len(*plane)+p.Width)
		for i := range noise {
			noise[i] = colours * r.NormFloat64()
		}
		for i, v := range *plane {
			n := (noise[i] + noise[i+1] + noise[i+p.Width/2] + noise[i+p.Width/2+1]) / 2
			(*plane)[i] = byte(min(max(math.Round(float64(v)+n), 0), 255))
		}
	}
	return q
}

// pasted lays the face of one picture, which a room has moved, over another one.
func pasted(still, under *appliance.Picture) *appliance.Picture {
	q := *under
	lay := func(from, to []byte, w, h int) []byte {
		out := append([]byte(nil), to...)
		for i := range out {
			if math.Hypot(float64(i%w-w/2), float64(i/w-h/2)) < float64(w)/4 {
				out[i] = from[i]
			}
		}
		return out
	}
	q.Y = lay(still.Y, under.Y, under.Width, under.Height)
	q.Cb, q.Cr = lay(still.Cb, under.Cb, under.ChromaWidth, under.ChromaHeight), lay(still.Cr, under.Cr, under.ChromaWidth, under.ChromaHeight)
	return &q
}

// Frames of a camera, with grain of their own and a face that moves and bends, be it hardly, raise no cue; frames of one still share their
// grain, bend as one picture or do not move at all, and each is told by its cue.
func TestInjection(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	colour := room{chroma: true}
	still := colour.shot(r, 2)
	for name, c := range map[string]struct {
		frames []*appliance.Picture
		want   []string
	}{
		"a camera": {[]*appliance.Picture{still, room{1.5, 1.2, true}.shot(r, 2), room{3, -1, true}.shot(r, 2)}, nil},
		"a camera in grey": {
			[]*appliance.Picture{room{}.shot(r, 2), room{moved: 1.5, bent: 1.2}.shot(r, 2), room{moved: 3, bent: -1}.shot(r, 2)},
			nil,
		},
		"new grain on one still": {
			[]*appliance.Picture{grainy(still, r, 3), grainy(still, r, 3), grainy(still, r, 3)},
			[]string{CueSharedGrain, CueCopiedColours, CueNoMotion},
		},
		"one still, moved": {
			[]*appliance.Picture{still, grainy(shifted(still, 4), r, 3), grainy(shifted(still, 8), r, 3)},
			[]string{CueSharedGrain, CueNoMotion},
		},
		"one still, bent": {
			[]*appliance.Picture{still, bulged(still, 2), bulged(still, 4)},
			[]string{CueSharedGrain, CueCalmFace, CueOneMap},
		},
		"a camera before somebody who hardly moves": {
			[]*appliance.Picture{colour.shot(r, 1), room{0.08, 0.03, true}.shot(r, 1), room{0.16, 0.03, true}.shot(r, 1)},
			nil,
		},
		"new grain in colours, too": {
			[]*appliance.Picture{speckled(still, r, 9, 5.6), speckled(shifted(still, 2), r, 9, 5.6), speckled(shifted(still, 4), r, 9, 5.6)},
			[]string{CueCopiedColours},
		},
		"one face before a camera's room": {
			[]*appliance.Picture{still, pasted(still, room{3, 1, true}.shot(r, 2)), pasted(still, room{6, 1, true}.shot(r, 2))},
			[]string{CueSharedGrain, CueCalmFace, CueNoMotion},
		},
		"a person who is a statue": {[]*appliance.Picture{still, colour.shot(r, 2), colour.shot(r, 2)}, []string{CueNoMotion}},
	} {
		var out appliance.BurstFindings
		JudgeInjection(seenIn(c.frames...), &out)
		raised := map[string]bool{}
		for _, cue := range out.Cues {
			if math.IsNaN(cue.Score) || cue.Score < 0 || cue.Score > 1 {
				t.Errorf("%s: %+v", name, cue)
			}
			if cue.Raised() {
				raised[cue.Name] = true
			}
		}
		want := map[string]bool{}
		for _, n := range c.want {
			want[n] = true
		}
		if len(raised) != len(want) {
			t.Errorf("%s: raised %v, want %v: %+v", name, raised, c.want, out.Cues)
		}
		for n := range want {
			if !raised[n] {
				t.Errorf("%s: %s is not raised: %+v", name, n, out.Cues)
			}
		}
		if got := len(out.Reasons) > 0; got != (len(want) > 0) {
			t.Errorf("%s: reasons %v", name, out.Reasons)
		}
	}
}

// enlarged is a picture three times as wide and high, interpolated.
func enlarged(p *appliance.Picture) *appliance.Picture {
	const k = 3
	enlarge := func(pix []byte, w, h int) []byte {
		out := make([]byte, k*w*k*h)
		src := vision.Plane{Pix: pix, Width: w, Height: h, Stride: w}
		vision.Warp(src, vision.Homography{1.0 / k, 0, 0, 0, 1.0 / k, 0, 0, 0, 1}, k*w, k*h, out)
		return out
	}
	q := *p
	q.Y = enlarge(p.Y, p.Width, p.Height)
	q.Cb, q.Cr = enlarge(p.Cb, p.ChromaWidth, p.ChromaHeight), enlarge(p.Cr, p.ChromaWidth, p.ChromaHeight)
	q.Width, q.Height, q.ChromaWidth, q.ChromaHeight = k*p.Width, k*p.Height, k*p.ChromaWidth, k*p.ChromaHeight
	return &q
}

// Whoever enlarges a still and adds noise to each frame hides its grain at that size, and not at the one to which faces are brought: there
// the noise is averaged away. A camera's own large frames are none.
func TestEnlargedStill(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	still := room{chroma: true}.shot(r, 2)
	large := enlarged(still)
	forged := []*appliance.Picture{speckled(large, r, 8, 6), speckled(shifted(large, 4), r, 8, 6), speckled(shifted(large, 8), r, 8, 6)}
	taken := []*appliance.Picture{large, enlarged(room{1.5, 1.2, true}.shot(r, 2)), enlarged(room{3, -1, true}.shot(r, 2))}
	for name, c := range map[string]struct {
		frames []*appliance.Picture
		shared bool
	}{"enlarged": {forged, true}, "taken": {taken, false}} {
		seen := seenIn(c.frames...)
		for i := range seen {
			seen[i].Face = &Face{At: appliance.Point{X: 720, Y: 600}, Size: 510}
		}
		if found := injectionOf(seen); (found.shared >= mostShared) != c.shared {
			t.Errorf("%s: the frames share %.2f of their grain", name, found.shared)
		}
	}
}

// Small faces may share more, since detail of the skin lies where the grain is.
func TestSharedGrainOfSmallFaces(t *testing.T) {
	for _, small := range []bool{false, true} {
		found := injection{shared: 0.42, small: small, copied: math.Inf(-1), change: math.Inf(1), moved: math.Inf(1), stray: math.Inf(1)}
		for _, cue := range found.cues() {
			if cue.Raised() != (cue.Name == CueSharedGrain && !small) {
				t.Errorf("small %v: %+v", small, cue)
			}
		}
	}
}

// Of frames without a face, with one too small, or of which only a corner is in sight, nothing is told.
func TestInjectionUnknown(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	still := room{chroma: true}.shot(r, 2)
	for name, change := range map[string]func(*Frame){
		"no face":    func(f *Frame) { f.Face = nil },
		"small face": func(f *Frame) { f.Face.Size = 40 },
		"a corner":   func(f *Frame) { f.Face.At, f.Face.Size = appliance.Point{X: 479, Y: 399}, 57 },
	} {
		seen := seenIn(still, grainy(still, r, 2), grainy(still, r, 2))
		change(seen[1])
		if name != "no face" {
			change(seen[0])
			change(seen[2])
		}
		var out appliance.BurstFindings
		if JudgeInjection(seen, &out); len(out.Reasons) > 0 {
			t.Errorf("%s: %v, %+v", name, out.Reasons, out.Cues)
		}
	}
}

// BenchmarkInjection is what the cues cost for a burst of webcam frames.
func BenchmarkInjection(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	seen := seenIn(room{chroma: true}.shot(r, 2), room{1.5, 1.2, true}.shot(r, 2), room{3, -1, true}.shot(r, 2))
	for b.Loop() {
		injectionOf(seen)
	}
}
