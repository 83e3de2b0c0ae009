package face

import (
	"math"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
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
			if vision.Distance(middle, appliance.Point{X: s.x, Y: s.y}) > 0.05*s.size || math.Abs(f.Quad[1].X-f.Quad[0].X-s.size) > 0.08*s.size {
				t.Errorf("%s: face %d lies at %v, want %v", name, i, f.Quad, s)
			}
			for k, m := range template() {
				want := appliance.Point{X: s.x + (m.X-0.5)*s.size, Y: s.y + (m.Y-0.5)*s.size}
				if vision.Distance(f.Landmarks[k], want) > 0.06*s.size {
					t.Errorf("%s: landmark %d of face %d lies at %v, want %v", name, k, i, f.Landmarks[k], want)
				}
			}
		}
	}
}

// What a look from near does not confirm is no face.
func TestUnconfirmed(t *testing.T) {
	marks := discMarks(0)
	marks.run = func(_, out []int8) {
		clear(out)
		out[nearValues-1] = -128
	}
	f, err := newFinder(discFinder(), marks, Scores{Seen: 0.5, Printed: 0.25, Confirmed: 0.5, Sure: 0.95})
	if err != nil {
		t.Fatal(err)
	}
	faces, err := f.FindFaces(t.Context(), drawn(320, 240, spot{160, 120, 100}))
	if err != nil || len(faces) != 0 || marks.runs == 0 {
		t.Errorf("%d faces after %d looks from near, %v", len(faces), marks.runs, err)
	}
}

// The less sure a face was from afar, the surer it must be from near.
func TestDoubtful(t *testing.T) {
	for _, c := range []struct {
		far, near float64 // a score, and log-odds
		want      bool
	}{
		{0.55, 14, true}, {0.55, 8, false}, {0.75, 8, true}, {0.75, -3, false}, {0.97, -3, true}, {0.97, -7, false},
	} {
		far, near := discFinder(), discMarks(0)
		find, see := far.run, near.run
		far.run = func(in, out []int8) {
			find(in, out)
			for i := 0; i < len(out); i += anchorValues {
				if out[i] > -128 {
					out[i] = int8(math.Round(c.far*256) - 128)
				}
			}
		}
		near.run = func(in, out []int8) {
			see(in, out)
			out[nearValues-1] = int8(math.Round(c.near / presenceUnit * 160))
		}
		f, err := newFinder(far, near, Scores{Seen: 0.4, Printed: 0.25, Confirmed: 0.98, Sure: 0.95})
		if err != nil {
			t.Fatal(err)
		}
		faces, err := f.FindFaces(t.Context(), drawn(320, 240, spot{160, 120, 100}))
		if err != nil || (len(faces) == 1) != c.want {
			t.Errorf("score %g from afar, log-odds %g from near: %d faces, want one: %v, %v", c.far, c.near, len(faces), c.want, err)
		}
	}
}

// A face that lies on its side or stands on its head is turned: its landmarks stand in the picture where they are, and it is shown
// upright in its view. One that stands upright is never turned, and where every turn is as doubtful none is.
func TestTurnedFaces(t *testing.T) {
	const w, h = 320, 240
	for _, c := range []struct {
		name     string
		up       float64 // the turn, clockwise in degrees, at which the stand-in sees the face upright
		sure     int8    // what it says there
		want     float64
		doubtful int8 // and at other turns
	}{
		{"upright", 0, 100, 0, -100},
		{"on its right side", 90, 100, 90, -100},
		{"on its head", 180, 100, 180, -100},
		{"on its left side", 270, 100, 270, -100},
		{"a profile", 90, 20, 0, 10},
	} {
		p := drawn(w, h, spot{160, 120, 100})
		// A bright mark tells the stand-in how the square lies: it is beyond the disc's edge at the turn.
		sin, cos := math.Sincos(c.up * math.Pi / 180)
		mark := spot{160 + 62*sin, 120 - 62*cos, 0}
		for i := range p.Y {
			if math.Hypot(float64(i%w)-mark.x, float64(i/w)-mark.y) < 7 {
				p.Y[i] = 120
			}
		}
		marks := discMarks(0)
		see := marks.run
		marks.run = func(in, out []int8) {
			see(in, out)
			out[nearValues-1] = c.doubtful
			if lumaOf(in, nearSide)(nearSide/2, nearSide/2-79) > 90 {
				out[nearValues-1] = c.sure
			}
		}
		f, err := newFinder(discFinder(), marks, Scores{Seen: 0.5, Printed: 0.25, Confirmed: 0.5, Sure: 0.95})
		if err != nil {
			t.Fatal(err)
		}
		found, err := f.find(t.Context(), p)
		if err != nil || len(found) != 1 {
			t.Errorf("%s: %d faces, %v", c.name, len(found), err)
			continue
		}
		face := found[0].face(p)
		got := math.Mod(face.Quality.Roll+360+5, 360) - 5
		if math.Abs(got-c.want) > 4 || vision.Distance(found[0].at, appliance.Point{X: 160, Y: 120}) > 4 {
			t.Errorf("%s: turned by %.0f degrees at %v, want %g", c.name, got, found[0].at, c.want)
		}
		if len(face.Quality.Faults) > 0 {
			t.Errorf("%s: %v", c.name, face.Quality.Faults)
		}
	}
}

// Those who stand by are no second face: they are smaller, at the rim or cut off. Two of one size side by side are two.
func TestForeground(t *testing.T) {
	for name, c := range map[string]struct {
		spots []spot
		want  int
	}{
		"side by side":          {[]spot{{200, 240, 150}, {440, 240, 150}}, 2},
		"in the corner":         {[]spot{{320, 240, 150}, {580, 70, 120}}, 1},
		"cut off by the border": {[]spot{{300, 240, 150}, {628, 240, 150}}, 1},
		"much smaller":          {[]spot{{320, 240, 180}, {480, 240, 90}}, 1},
	} {
		faces, err := testFinder(t).FindFaces(t.Context(), drawn(640, 480, c.spots...))
		if err != nil || len(faces) != c.want {
			t.Errorf("%s: %d faces, want %d, %v", name, len(faces), c.want, err)
		}
	}
}

// A picture and a document that shows its holder have scores of their own, and the look from near has the last word.
func TestScores(t *testing.T) {
	page := &appliance.Document{Kind: appliance.NationalIDFront, Quad: appliance.Quad{{X: 10, Y: 10}, {X: 630, Y: 10}, {X: 630, Y: 401}, {X: 10, Y: 401}}}
	const said = 230.0 / 256 // by the stand-in, of every face
	for _, c := range []struct {
		name          string
		scores        Scores
		seen, printed bool
	}{
		{"all below", Scores{0.5, 0.5, 0.5, 0.95}, true, true},
		{"not in a picture", Scores{said + 0.01, 0.5, 0.5, 0.95}, false, true},
		{"not on a document", Scores{0.5, said + 0.01, 0.5, 0.95}, true, false},
		{"not from near", Scores{0.5, 0.5, 1 - 1e-12, 0.95}, false, false},
		{"not from near, but surely from afar", Scores{0.5, 0.5, 1 - 1e-12, said - 0.01}, true, true},
	} {
		f, err := newFinder(discFinder(), discMarks(0), c.scores)
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
	for _, bad := range []Scores{{}, {0.5, 0.5, math.NaN(), 0.5}, {0.5, 1.1, 0.5, 0.5}, {-1, 0.5, 0.5, 0.5}, {0.5, 0.5, 0.5, 1}} {
		if _, err := newFinder(discFinder(), discMarks(0), bad); err == nil {
			t.Errorf("%v was taken", bad)
		}
	}
}

// Of anchors that speak of one face the surest counts, and other faces stay.
func TestCandidates(t *testing.T) {
	net, grid := discFinder(), anchors()
	l := newLook(squareSide, net.input, net.output)
	for i := range l.out {
		l.out[i] = -128
	}
	encode(l.out, grid, [4]int{100, 100, 140, 140}, 200)
	encode(l.out, grid, [4]int{108, 100, 148, 140}, 240)
	encode(l.out, grid, [4]int{10, 10, 50, 50}, 180)
	found := l.candidates(grid, 0.2)
	if len(found) != 2 {
		t.Fatalf("%d faces, want 2", len(found))
	}
	if x := found[0].middle().X; math.Abs(x-128) > 0.7 {
		t.Errorf("the surest lies at %g, want 128", x)
	}
	if got := l.candidates(grid, 0.95); len(got) != 0 {
		t.Errorf("%d faces above the threshold", len(got))
	}
}

// A network of another shape is refused when it is opened, not when it runs.
func TestShapes(t *testing.T) {
	net := discFinder()
	net.output.Shape = []int{1, 5875, 6}
	if _, err := newFinder(net, discMarks(0), Scores{0.5, 0.25, 0.5, 0.95}); err == nil {
		t.Error("a finder of six values was opened")
	}
	first, second := meanEmbedder(embedSide, embedLength), meanEmbedder(nearEmbedSide, nearLength)
	if _, err := newMatcher(second, second, "", Scale{0.2, 0.3, 0.4}, 1); err == nil {
		t.Error("a matcher whose first network is the second one was opened")
	}
	if _, err := newMatcher(first, first, "", Scale{0.2, 0.3, 0.4}, 1); err == nil {
		t.Error("a matcher whose second network is the first one was opened")
	}
	if _, err := newMatcher(first, second, "", Scale{0.2, 0.3, 0.4}, 0.5); err == nil {
		t.Error("a rate that is not calibrated was taken")
	}
	if _, err := newMatcher(first, second, "", Scale{0.3, 0.2, 0.4}, 1); err == nil {
		t.Error("thresholds that do not rise were taken")
	}
}

// FuzzCandidates: whatever the networks say, no face is without a finite place.
func FuzzCandidates(f *testing.F) {
	f.Add([]byte{0, 127, 200, 255})
	fill := func(l *look, raw []byte) {
		for i := range l.out {
			l.out[i] = int8(raw[i%len(raw)])
		}
	}
	far, near, grid := discFinder(), discMarks(0), anchors()
	f.Fuzz(func(t *testing.T, raw []byte) {
		if len(raw) == 0 {
			return
		}
		l := newLook(squareSide, far.input, far.output)
		fill(l, raw)
		all := l.candidates(grid, 0.5)
		l = newLook(nearSide, near.input, near.output)
		fill(l, raw)
		c, _ := l.points(0.5)
		for _, c := range append(all, c) {
			s := seen(c, squareView(appliance.Point{X: 5, Y: 5}, 10, 1, nearSide))
			face := s.face(drawn(64, 64))
			for _, p := range append(face.Landmarks[:], face.Quad[:]...) {
				if math.IsNaN(p.X) || math.IsInf(p.Y, 0) {
					t.Fatalf("%+v", face)
				}
			}
		}
	})
}
