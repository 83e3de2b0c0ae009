package face

import (
	"math"
	"testing"

	"github.com/bawab/bawab/appliance"
)

// Faces are found wherever they lie and however small they are beside the picture, with box and landmarks in its pixels, the
// largest first, and without those of the background.
func TestFindFaces(t *testing.T) {
	for name, c := range map[string]struct {
		w, h  int
		spots []spot
		want  int
	}{
		"one in the middle":       {320, 240, []spot{{160, 120, 100}}, 1},
		"one in a corner":         {320, 240, []spot{{50, 190, 90}}, 1},
		"a picture set upright":   {480, 1200, []spot{{240, 900, 200}}, 1},
		"two of nearly one size":  {640, 480, []spot{{180, 200, 160}, {460, 240, 130}}, 2},
		"one in the background":   {640, 480, []spot{{180, 200, 160}, {560, 240, 60}}, 1},
		"far away, seen in parts": {2400, 1800, []spot{{1900, 1500, 60}}, 1},
		"none":                    {320, 240, nil, 0},
	} {
		faces, err := testFinder(t).FindFaces(t.Context(), drawn(c.w, c.h, c.spots...))
		if err != nil {
			t.Fatal(err)
		}
		if len(faces) != c.want {
			t.Errorf("%s: %d faces, want %d", name, len(faces), c.want)
			continue
		}
		for i, f := range faces {
			s := c.spots[i]
			middle := appliance.Point{X: (f.Quad[0].X + f.Quad[2].X) / 2, Y: (f.Quad[0].Y + f.Quad[2].Y) / 2}
			if apart(middle, appliance.Point{X: s.x, Y: s.y}) > 0.05*s.size || math.Abs(f.Quad[1].X-f.Quad[0].X-s.size) > 0.08*s.size {
				t.Errorf("%s: face %d lies at %v, want %v", name, i, f.Quad, s)
			}
			for k, m := range template() {
				want := appliance.Point{X: s.x + (m.X-0.5)*s.size, Y: s.y + (m.Y-0.5)*s.size}
				if apart(f.Landmarks[k], want) > 0.06*s.size {
					t.Errorf("%s: landmark %d of face %d lies at %v, want %v", name, k, i, f.Landmarks[k], want)
				}
			}
		}
	}
}

// What a look from near does not confirm is no face.
func TestUnconfirmed(t *testing.T) {
	net := discFinder()
	whole := net.run
	net.run = func(in, out []int8) {
		if net.runs == 1 {
			whole(in, out)
			return
		}
		for i := range out {
			out[i] = -128
		}
	}
	f, err := newFinder(net, Scores{0.5, 0.5, 0.25})
	if err != nil {
		t.Fatal(err)
	}
	faces, err := f.FindFaces(t.Context(), drawn(320, 240, spot{160, 120, 100}))
	if err != nil || len(faces) != 0 || net.runs < 2 {
		t.Errorf("%d faces after %d looks, %v", len(faces), net.runs, err)
	}
}

// A first look and the look from near have scores of their own, as has a document that shows its holder: what one of them lets
// pass the other may refuse.
func TestScores(t *testing.T) {
	page := &appliance.Document{Kind: appliance.NationalIDFront, Quad: appliance.Quad{{X: 10, Y: 10}, {X: 630, Y: 10}, {X: 630, Y: 401}, {X: 10, Y: 401}}}
	const said = 230.0 / 256 // by the stand-in, of every face
	for _, c := range []struct {
		name          string
		scores        Scores
		seen, printed bool
	}{
		{"all below", Scores{0.5, 0.5, 0.5}, true, true},
		{"not at first sight", Scores{said + 0.01, 0.5, 0.5}, false, true},
		{"not from near", Scores{0.5, said + 0.01, 0.5}, false, true},
		{"not on a document", Scores{0.5, 0.5, said + 0.01}, true, false},
	} {
		f, err := newFinder(discFinder(), c.scores)
		if err != nil {
			t.Fatal(err)
		}
		p := drawn(640, 420, spot{140, 160, 130})
		faces, err := f.FindFaces(t.Context(), p)
		if err != nil || (len(faces) == 1) != c.seen {
			t.Errorf("%s: %d faces, %v", c.name, len(faces), err)
		}
		if _, ok, err := f.holder(t.Context(), p, page); err != nil || ok != c.printed {
			t.Errorf("%s: portrait %v, %v", c.name, ok, err)
		}
	}
	for _, bad := range []Scores{{}, {0.5, 0.5, math.NaN()}, {0.5, 1.1, 0.5}, {-1, 0.5, 0.5}} {
		if _, err := newFinder(discFinder(), bad); err == nil {
			t.Errorf("%v was taken", bad)
		}
	}
}

// Blocks that speak of one face are averaged by their scores; weak ones are left out of the mean, and other faces stay.
func TestCandidates(t *testing.T) {
	net := discFinder()
	l := newLook(net.input, net.output)
	clearMap := func() {
		for i := range l.out {
			l.out[i] = -128
		}
	}
	clearMap()
	encode(l.out, [4]int{100, 100, 140, 140}, 240)
	encode(l.out, [4]int{108, 100, 148, 140}, 240)
	encode(l.out, [4]int{96, 108, 136, 148}, 60)
	encode(l.out, [4]int{10, 10, 50, 50}, 200)
	found := l.candidates(0.2)
	if len(found) != 2 {
		t.Fatalf("%d faces, want 2", len(found))
	}
	if x := found[0].middle().X; math.Abs(x-124) > 0.7 {
		t.Errorf("the mean lies at %g, want 124", x)
	}
	if y := found[0].middle().Y; math.Abs(y-120) > 0.7 {
		t.Errorf("a weak block moved the mean to %g", y)
	}
	if got := l.candidates(0.95); len(got) != 0 {
		t.Errorf("%d faces above the threshold", len(got))
	}
}

// A network of another shape is refused when it is opened, not when it runs.
func TestShapes(t *testing.T) {
	net := discFinder()
	net.output.Shape = []int{1, 32, 32, 16}
	if _, err := newFinder(net, Scores{0.5, 0.5, 0.25}); err == nil {
		t.Error("a finder of 16 channels was opened")
	}
	other := meanEmbedder()
	other.input.Shape = []int{1, 96, 96, 1}
	if _, err := newMatcher(other, "", Scale{0.2, 0.3, 0.4}, 1); err == nil {
		t.Error("a matcher of 96 pixels was opened")
	}
	if _, err := newMatcher(meanEmbedder(), "", Scale{0.2, 0.3, 0.4}, 0.5); err == nil {
		t.Error("a rate that is not calibrated was taken")
	}
	if _, err := newMatcher(meanEmbedder(), "", Scale{0.3, 0.2, 0.4}, 1); err == nil {
		t.Error("thresholds that do not rise were taken")
	}
}

// FuzzCandidates: whatever a network says, no face is without a finite place.
func FuzzCandidates(f *testing.F) {
	f.Add([]byte{0, 127, 200, 255})
	net := discFinder()
	f.Fuzz(func(t *testing.T, raw []byte) {
		if len(raw) == 0 {
			return
		}
		l := newLook(net.input, net.output)
		for i := range l.out {
			l.out[i] = int8(raw[i%len(raw)])
		}
		for _, c := range l.candidates(0.5) {
			s := seen(c, squareView(appliance.Point{X: 5, Y: 5}, 10))
			face := s.face(drawn(64, 64))
			for _, p := range append(face.Landmarks[:], face.Quad[:]...) {
				if math.IsNaN(p.X) || math.IsInf(p.Y, 0) {
					t.Fatalf("%+v", face)
				}
			}
		}
	})
}
