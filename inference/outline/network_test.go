package outline

import (
	"bufio"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/inferencetest"
	"github.com/bawab/bawab/inference/sheet"
	"github.com/bawab/bawab/inference/vision"
)

// productFinder opens the product's own network.
func productFinder(t testing.TB) *Finder {
	t.Helper()
	n, _ := inferencetest.Product(t, "documents")
	f, err := New(n)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func find(t testing.TB, f *Finder, p *appliance.Picture) []Found {
	found, err := f.Find(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// sample decodes a committed sample picture.
func sample(t testing.TB, file string) *appliance.Picture {
	t.Helper()
	return inferencetest.Picture(t, "../../models/samples", file)
}

// placed is a document of a committed picture's truth.
type placed struct {
	Kind appliance.Kind
	Quad [4][2]float64
}

// truths reads a folder of committed pictures: their names and the documents on each.
func truths(t testing.TB, folder string) (files []string, documents [][]placed) {
	file, err := os.Open(filepath.Join("../../models/samples", folder, "truth.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var truth struct {
			placed
			File      string
			Documents []placed
		}
		if err := json.Unmarshal(lines.Bytes(), &truth); err != nil {
			t.Fatal(err)
		}
		if truth.Documents == nil {
			truth.Documents = []placed{truth.placed}
		}
		files, documents = append(files, filepath.Join(folder, truth.File)), append(documents, truth.Documents)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return files, documents
}

// What the product finds must not get worse: of the documents on the committed photographs, so many are found as what
// they are, and of these so many the right way up with their corners within 2 % of their width. Most of the passports lie on
// other sheets, which is where the finder is weakest.
func TestFindCommittedPictures(t *testing.T) {
	const tolerance = 0.02
	f := productFinder(t)
	for folder, floor := range map[string]struct{ known, placed int }{"golden": {11, 7}, "documents": {18, 16}} {
		known, good := 0, 0
		files, documents := truths(t, folder)
		for i, file := range files {
			found := find(t, f, sample(t, file))
			for _, d := range documents[i] {
				var want appliance.Quad
				for i, c := range d.Quad {
					want[i] = appliance.Point{X: c[0], Y: c[1]}
				}
				least, kind := math.Inf(1), appliance.Kind("")
				for _, g := range found {
					if off := sheet.Farthest(g.Quad, want) / sheet.Span(want[0], want[1]); off < least {
						least, kind = off, g.Kind
					}
				}
				if kind == d.Kind {
					known++
				}
				if least > tolerance || kind != d.Kind {
					t.Logf("%s: %s found as %q, corners off by %.3f of the width", file, d.Kind, kind, least)
					continue
				}
				good++
			}
		}
		if known < floor.known || good < floor.placed {
			t.Errorf("%s: %d kinds and %d places right, the floors are %d and %d", folder, known, good, floor.known, floor.placed)
		}
	}
}

// turned returns p turned clockwise by a quarter.
func turned(p *appliance.Picture) *appliance.Picture {
	quarter := func(pix []byte, w, h int) []byte {
		out := make([]byte, len(pix))
		for y := range h {
			for x := range w {
				out[x*h+h-1-y] = pix[y*w+x]
			}
		}
		return out
	}
	return &appliance.Picture{
		Width: p.Height, Height: p.Width, Y: quarter(p.Y, p.Width, p.Height),
		Cb: quarter(p.Cb, p.ChromaWidth, p.ChromaHeight), Cr: quarter(p.Cr, p.ChromaWidth, p.ChromaHeight),
		ChromaWidth: p.ChromaHeight, ChromaHeight: p.ChromaWidth,
	}
}

// Turning the picture by quarters turns the quad with it and changes nothing else; looking at it turned changes nothing.
func TestFindTurnsWithThePicture(t *testing.T) {
	f, p := productFinder(t), sample(t, "passport.jpg")
	first := find(t, f, p)
	if len(first) == 0 {
		t.Fatal("nothing found")
	}
	want, upright := first[0].Quad, p
	for quarter := 1; quarter < 4; quarter++ {
		seen, err := f.FindTurned(t.Context(), upright, quarter)
		if err != nil || len(seen) == 0 || sheet.Farthest(seen[0].Quad, first[0].Quad) > 0.01*sheet.Span(first[0].Quad[0], first[0].Quad[1]) {
			t.Errorf("seen turned by %d quarters: %+v, %v, want %+v", quarter, seen, err, first[0])
		}
		for i, c := range want {
			want[i] = appliance.Point{X: float64(p.Height) - c.Y, Y: c.X}
		}
		p = turned(p)
		found := find(t, f, p)
		if len(found) == 0 || found[0].Kind != first[0].Kind {
			t.Errorf("%d quarters: found %+v, want a %s", quarter, found, first[0].Kind)
			continue
		}
		if off := sheet.Farthest(found[0].Quad, want) / sheet.Span(want[0], want[1]); off > 0.01 {
			t.Errorf("%d quarters: corners are off by %.4f of the width", quarter, off)
		}
	}
}

// Property: one look at a whole picture shows a plate in it, clearly, and no card; of what it shows only that is followed which is taken,
// or seen so clearly that nobody is asked.
func TestGlance(t *testing.T) {
	f, p := productFinder(t), sample(t, "plate.jpg")
	g, err := f.Glance(t.Context(), p)
	if err != nil || !g.Shows(appliance.LicensePlate, 0.8) || g.Shows(appliance.NationalIDFront, 0.2) {
		t.Fatalf("%+v, %v", g, err)
	}
	for name, c := range map[string]struct {
		clearly float64
		take    bool
		want    int
	}{"taken": {2, true, 1}, "not taken": {2, false, 0}, "seen clearly": {0.8, false, 1}} {
		asked := false
		only, err := g.Only(appliance.LicensePlate, 0.2, c.clearly, func(appliance.Quad) (bool, error) {
			asked = true
			return c.take, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		found, err := f.Follow(t.Context(), p, only)
		if err != nil || len(found) != c.want || only.Empty() != (c.want == 0) || asked != (c.clearly > 1) {
			t.Errorf("%s: %+v, asked %t, %v", name, found, asked, err)
		}
	}
}

// inParts yields all that is found in parts of p.
func inParts(t *testing.T, f *Finder, p *appliance.Picture) iter.Seq2[Found, error] {
	doubted := func(Found) (Judgement, error) { return Doubtful, nil }
	first, rest, err := f.FindInParts(t.Context(), p, appliance.LicensePlate, doubted)
	if err != nil {
		t.Fatal(err)
	}
	return func(yield func(Found, error) bool) {
		for _, d := range first {
			if !yield(d, nil) {
				return
			}
		}
		rest(yield)
	}
}

// Property: a plate that takes an eighth or a twentieth of the picture's width is found in its parts where it lies, nothing of another kind with it; a picture of one pixel has parts, too.
func TestFindInParts(t *testing.T) {
	f, street := productFinder(t), sample(t, "plate.jpg")
	large := find(t, f, street)[0].Quad
	for _, smaller := range []int{4, 10} {
		p := flatPicture(street.Width, street.Height, 110, 128, 128)
		at := appliance.Point{X: float64(p.Width) * 0.6, Y: float64(p.Height) * 0.55}
		plateOnly := func(from, to []byte, width, height int) { // what lies around it would be an outline of its own
			left, top := int(at.X)*width/p.Width, int(at.Y)*height/p.Height
			for y := int(large[0].Y) * height / p.Height / smaller; y < int(large[2].Y)*height/p.Height/smaller; y++ {
				for x := int(large[3].X) * width / p.Width / smaller; x < int(large[2].X)*width/p.Width/smaller; x++ {
					sum := 0
					for i := range smaller * smaller {
						sum += int(from[(y*smaller+i/smaller)*width+x*smaller+i%smaller])
					}
					to[(top+y)*width+left+x] = byte(sum / smaller / smaller)
				}
			}
		}
		plateOnly(street.Y, p.Y, p.Width, p.Height)
		plateOnly(street.Cb, p.Cb, p.ChromaWidth, p.ChromaHeight)
		plateOnly(street.Cr, p.Cr, p.ChromaWidth, p.ChromaHeight)
		want := large
		for i, c := range large {
			want[i] = appliance.Point{X: at.X + c.X/float64(smaller), Y: at.Y + c.Y/float64(smaller)}
		}
		seen := false
		for found, err := range inParts(t, f, p) {
			if err != nil || found.Kind != appliance.LicensePlate {
				t.Errorf("1/%d: %+v, %v", smaller, found, err)
			}
			seen = seen || sheet.Farthest(found.Quad, want) < 0.1*sheet.Span(want[0], want[1])
		}
		if !seen {
			t.Errorf("1/%d: nothing is found at %v", smaller, want)
		}
	}
	for _, err := range inParts(t, f, flatPicture(1, 1, 110, 128, 128)) {
		if err != nil {
			t.Error(err)
		}
	}
}

// Property: those with the most merit are kept, the first ones first, each place once, and no more than asked for; those with less than the least are not.
func TestForemost(t *testing.T) {
	at := func(x, core float64) likely {
		return likely{candidate: candidate{core: core, quad: appliance.Quad{{X: x}, {X: x + 100}, {X: x + 100, Y: 50}, {X: x, Y: 50}}}}
	}
	all := []likely{at(0, 0.9), at(10, 0.95), at(500, 0.97), at(900, 0.5), at(1300, 0.86)}
	for most, want := range map[int][]float64{2: {500, 10}, 9: {500, 10, 1300}} {
		var got []float64
		for _, c := range foremost(all, func(c likely) float64 { return c.core }, 0.85, most) {
			got = append(got, c.quad[0].X)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d: %v, want %v", most, got, want)
		}
	}
}

// Property: what reaches the side of a part of a picture goes on beyond it, but where that is the picture's own side.
func TestPartCuts(t *testing.T) {
	p, box := &appliance.Picture{Width: 400, Height: 400}, func(left, top, right, bottom float64) appliance.Quad {
		return appliance.Quad{{X: left, Y: top}, {X: right, Y: top}, {X: right, Y: bottom}, {X: left, Y: bottom}}
	}
	for name, test := range map[string]struct {
		view part
		q    appliance.Quad
		want bool
	}{
		"within":                 {part{100, 100, 200, 200}, box(120, 120, 280, 280), false},
		"beyond the left":        {part{100, 100, 200, 200}, box(102, 120, 280, 280), true},
		"beyond the right":       {part{100, 100, 200, 200}, box(120, 120, 298, 280), true},
		"beyond the top":         {part{100, 100, 200, 200}, box(120, 101, 280, 280), true},
		"beyond the bottom":      {part{100, 100, 200, 200}, box(120, 120, 280, 299), true},
		"at the picture's side":  {part{0, 0, 200, 200}, box(0, 0, 180, 180), false},
		"at the picture's other": {part{200, 200, 200, 200}, box(220, 220, 400, 400), false},
	} {
		if got := test.view.cuts(p, test.q); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// A picture of any size can be looked at turned, also one whose sides halving leaves samples out of.
func TestFindTurnedSizes(t *testing.T) {
	f := productFinder(t)
	for _, size := range [][2]int{{1315, 986}, {986, 1315}, {1315, 1315}, {1023, 17}, {7, 5}, {259, 258}} {
		p := flatPicture(size[0], size[1], 120, 128, 128)
		for quarters := range 4 {
			if _, err := f.FindTurned(t.Context(), p, quarters); err != nil {
				t.Errorf("%d x %d turned by %d quarters: %v", size[0], size[1], quarters, err)
			}
		}
	}
}

// flatPicture returns a picture of one colour with a little noise.
func flatPicture(w, h int, luma, cb, cr byte) *appliance.Picture {
	cw, ch := (w+1)/2, (h+1)/2
	p := &appliance.Picture{Width: w, Height: h, Y: make([]byte, w*h), Cb: make([]byte, cw*ch), Cr: make([]byte, cw*ch), ChromaWidth: cw, ChromaHeight: ch}
	noise := rand.New(rand.NewPCG(uint64(w), uint64(h)))
	for i := range p.Y {
		p.Y[i] = byte(min(255, int(luma)+noise.IntN(5)))
	}
	for i := range p.Cb {
		p.Cb[i], p.Cr[i] = cb, cr
	}
	return p
}

// A picture without a document holds none: an empty page, a table, darkness.
func TestFindNothingWhereNothingIs(t *testing.T) {
	f := productFinder(t)
	for name, p := range map[string]*appliance.Picture{
		"white page": flatPicture(1200, 1600, 250, 128, 128),
		"grey":       {Width: 800, Height: 600, Y: flatPicture(800, 600, 120, 0, 0).Y},
		"wood":       flatPicture(1600, 1200, 110, 100, 150),
		"darkness":   flatPicture(640, 480, 3, 128, 128),
	} {
		t.Run(name, func(t *testing.T) {
			for _, d := range find(t, f, p) {
				t.Errorf("found a %s with score %.2f at %v", d.Kind, d.Score, d.Quad)
			}
		})
	}
}

// sane tells why a found document cannot be right; "" for one that can.
func sane(d Found, w, h int) string {
	if !sheet.Convex(d.Quad) {
		return fmt.Sprintf("quad %v is not convex", d.Quad)
	}
	if area := sheet.SeenArea(d.Quad, float64(w), float64(h)); !(area > 0) {
		return fmt.Sprintf("quad %v covers %v of the picture", d.Quad, area)
	}
	if !(d.Score >= 0 && d.Score <= 1) {
		return fmt.Sprintf("score %v", d.Score)
	}
	return ""
}

// Pictures of any size and shape give sane documents or none.
func FuzzFindSizes(f *testing.F) {
	finder := productFinder(f)
	for _, s := range [][2]uint16{{64, 64}, {1, 1}, {65, 3001}, {3000, 64}, {255, 257}, {641, 479}} {
		f.Add(s[0], s[1], true, uint64(1))
		f.Add(s[0], s[1], false, uint64(2))
	}
	f.Fuzz(func(t *testing.T, width, height uint16, colour bool, seed uint64) {
		w, h := int(width%3000)+1, int(height%3000)+1
		p := flatPicture(w, h, 100, byte(seed), byte(seed>>8))
		noise := rand.New(rand.NewPCG(seed, 1))
		for range 20 {
			x, y := noise.IntN(w), noise.IntN(h)
			for r := y; r < min(h, y+h/4+1); r++ {
				row := p.Y[r*w+x : r*w+min(w, x+w/4+1)]
				for i := range row {
					row[i] ^= byte(seed >> 16)
				}
			}
		}
		if !colour {
			p.Cb, p.Cr, p.ChromaWidth, p.ChromaHeight = nil, nil, 0, 0
		}
		for _, d := range find(t, finder, p) {
			if why := sane(d, w, h); why != "" {
				t.Error(why)
			}
		}
	})
}

// Whatever the network answers, candidates are finite and a convex quad each.
func FuzzCandidates(f *testing.F) {
	f.Add(uint64(1), byte(0))
	f.Add(uint64(2), byte(200))
	f.Fuzz(func(t *testing.T, seed uint64, bias byte) {
		s := newFinderScratch(idealTensor, idealTensor)
		noise := rand.New(rand.NewPCG(seed, seed))
		for i := range s.out {
			s.out[i] = int8(min(noise.IntN(256)+int(bias), 255) - 128)
		}
		for _, c := range s.candidates(vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}, 256, 192) {
			var odds float64
			for _, p := range c.odds {
				odds += p
			}
			if !sheet.Convex(c.quad) || math.Abs(odds-1) > 1e-6 {
				t.Errorf("quad %v, probabilities sum to %v", c.quad, odds)
			}
		}
	})
}

func BenchmarkFind(b *testing.B) {
	f, p := productFinder(b), sample(b, "passport.jpg")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f.Find(b.Context(), p); err != nil {
			b.Fatal(err)
		}
	}
}
