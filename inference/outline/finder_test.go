package outline

import (
	"math"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/vision"
)

// sheetPicture draws a quad of one brightness on a ground of another, each sample the mean of 8 x 8 points.
func sheetPicture(w, h int, q appliance.Quad, sheet, ground byte) vision.Plane {
	p := vision.Plane{Pix: make([]byte, w*h), Width: w, Height: h, Stride: w}
	const fine = 8
	inside := func(x, y float64) bool {
		for i, a := range q {
			b := q[(i+1)%4]
			if (b.X-a.X)*(y-a.Y)-(b.Y-a.Y)*(x-a.X) < 0 {
				return false
			}
		}
		return true
	}
	for y := range h {
		for x := range w {
			n := 0
			for k := range fine * fine {
				if inside(float64(x)+(float64(k%fine)+0.5)/fine, float64(y)+(float64(k/fine)+0.5)/fine) {
					n++
				}
			}
			p.Pix[y*w+x] = byte((int(sheet)*n + int(ground)*(fine*fine-n)) / (fine * fine))
		}
	}
	return p
}

// A rough outline is moved onto the edges of the sheet to a tenth of a pixel, whichever side is lighter.
func TestRefineFindsEdgesToATenthOfAPixel(t *testing.T) {
	truth := appliance.Quad{{X: 61.3, Y: 40.8}, {X: 333.6, Y: 70.2}, {X: 318.9, Y: 243.4}, {X: 48.2, Y: 210.7}}
	rough := truth
	for i, d := range []appliance.Point{{X: 3, Y: -2}, {X: -2.5, Y: 3}, {X: 2, Y: 2}, {X: -3, Y: -1.5}} {
		rough[i].X, rough[i].Y = rough[i].X+d.X, rough[i].Y+d.Y
	}
	for name, tones := range map[string][2]byte{"light sheet": {210, 60}, "dark sheet": {50, 180}, "little contrast": {150, 130}} {
		t.Run(name, func(t *testing.T) {
			got, evidence := refine(sheetPicture(380, 280, truth, tones[0], tones[1]), rough)
			if worst := farthest(got, truth); worst > 0.1 {
				t.Errorf("corners are off by %.2f pixels", worst)
			}
			for i, e := range evidence {
				if e < sideWeakest {
					t.Errorf("side %d has evidence %.2f", i, e)
				}
			}
		})
	}
}

// Where the picture shows no edge, the rough outline stays and the evidence says so.
func TestRefineLeavesWhatItCannotSee(t *testing.T) {
	rough := appliance.Quad{{X: 60, Y: 40}, {X: 330, Y: 40}, {X: 330, Y: 240}, {X: 60, Y: 240}}
	got, evidence := refine(sheetPicture(380, 280, rough, 120, 120), rough)
	if got != rough {
		t.Errorf("got %v, want the rough quad", got)
	}
	for i, e := range evidence {
		if e > 1e-3 {
			t.Errorf("side %d has evidence %v, want none", i, e)
		}
	}
}

// A side beyond the picture is marked and left where it was, while the others are still refined.
func TestRefineMarksSidesBeyondThePicture(t *testing.T) {
	truth := appliance.Quad{{X: 60.4, Y: 40.6}, {X: 430, Y: 40.6}, {X: 430, Y: 240.3}, {X: 60.4, Y: 240.3}}
	rough := truth
	rough[0].X, rough[3].X, rough[0].Y, rough[1].Y = 62, 62, 43, 43
	got, evidence := refine(sheetPicture(380, 280, truth, 220, 40), rough)
	if evidence[1] != OutOfPicture {
		t.Errorf("evidence of the right side is %v", evidence[1])
	}
	if worst := farthest(got, truth); worst > 0.15 {
		t.Errorf("corners are off by %.2f pixels: %v", worst, got)
	}
}

// A side under what covers it is marked as that and not as one beyond the picture.
func TestRefineMarksSidesUnderOthers(t *testing.T) {
	q := appliance.Quad{{X: 60, Y: 40}, {X: 330, Y: 40}, {X: 330, Y: 240}, {X: 60, Y: 240}}
	_, evidence := refine(sheetPicture(380, 280, q, 220, 40), q, vision.RectQuad(300, 0, 380, 280))
	d := Found{Edges: evidence}
	if evidence[1] != UnderOthers || !d.Covered() || d.CutOff() {
		t.Errorf("evidence of the sides is %v: covered %v, cut off %v", evidence, d.Covered(), d.CutOff())
	}
}

// idealTensor has a step for each 256th.
var idealTensor = inference.Tensor{Scale: 1.0 / 256, ZeroPoint: -128}

// paint writes maps as a perfect network would answer for documents at quads in input pixels.
func paint(s *finderScratch, quads []appliance.Quad, classes []int) {
	for i := range s.out {
		s.out[i] = -128
	}
	set := func(x, y, channel int, p float64) {
		s.out[(y/2*finderBlocks+x/2)*finderChannels+channel] = int8(min(max(math.Round(p*256)-128, -128), 127))
	}
	cell := func(x, y, channel int) int { return (y%2*2+x%2)*cellChannels + channel }
	for d, q := range quads {
		middle := vision.Middle(q)
		for y := range finderGrid {
			for x := range finderGrid {
				p := appliance.Point{X: (float64(x) + 0.5) * finderCell, Y: (float64(y) + 0.5) * finderCell}
				for i, c := range q {
					off := span(p, c) / finderCell
					mark := math.Exp(-off * off / 2.9)
					if old := s.cell(x, y, channelCorners+i); mark > old {
						set(x, y, cell(x, y, channelCorners+i), mark)
					}
				}
				inner := q
				for i := range inner {
					inner[i].X, inner[i].Y = middle.X+(q[i].X-middle.X)*0.9, middle.Y+(q[i].Y-middle.Y)*0.9
				}
				if !vision.Contains(inner, p) {
					continue
				}
				set(x, y, cell(x, y, channelCore), 0.98)
				for class := range kindClasses {
					set(x, y, channelKinds+class, 0)
				}
				set(x, y, channelKinds+classes[d], 0.97)
				at := appliance.Point{X: float64(x/2*2+1) * finderCell, Y: float64(y/2*2+1) * finderCell}
				for i, c := range q {
					set(x, y, channelWays+2*i, ((c.X-at.X)/finderReach+1)/2)
					set(x, y, channelWays+2*i+1, ((c.Y-at.Y)/finderReach+1)/2)
				}
			}
		}
	}
}

// Documents that touch each other come out of perfect maps as themselves: quad, class and orientation, also where one
// stands on its head and one reaches beyond the picture.
func TestCandidatesTellTouchingDocumentsApart(t *testing.T) {
	quads := []appliance.Quad{
		{{X: 20, Y: 20}, {X: 116, Y: 24}, {X: 114, Y: 86}, {X: 18, Y: 82}},
		{{X: 213, Y: 92}, {X: 117, Y: 88}, {X: 117, Y: 26}, {X: 213, Y: 30}},
		{{X: 40, Y: 110}, {X: 170, Y: 120}, {X: 160, Y: 215}, {X: 30, Y: 205}},
	}
	classes := []int{0, 1, 5}
	s := newFinderScratch(idealTensor, idealTensor)
	paint(s, quads, classes)
	found := s.candidates(vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}, 256, 192)
	if len(found) != len(quads) {
		t.Fatalf("found %d documents, want %d", len(found), len(quads))
	}
	for d, q := range quads {
		best := found[0]
		for _, c := range found {
			if span(vision.Middle(c.quad), vision.Middle(q)) < span(vision.Middle(best.quad), vision.Middle(q)) {
				best = c
			}
		}
		if worst := farthest(best.quad, q); worst > 2.5 {
			t.Errorf("document %d: corners are off by %.1f input pixels: %v", d, worst, best.quad)
		}
		if best.class() != classes[d] {
			t.Errorf("document %d: class %d, want %d", d, best.class(), classes[d])
		}
	}
}

// Two documents whose cores run into each other are told apart by where their blocks point: beside the outline of both,
// exactly these two are left for a look from near to confirm.
func TestCandidatesPartMergedCores(t *testing.T) {
	quads := []appliance.Quad{
		{{X: 20, Y: 20}, {X: 180, Y: 20}, {X: 180, Y: 120}, {X: 20, Y: 120}},
		{{X: 110, Y: 90}, {X: 180, Y: 90}, {X: 180, Y: 200}, {X: 110, Y: 200}},
	}
	s := newFinderScratch(idealTensor, idealTensor)
	paint(s, quads, []int{0, 1})
	found := slices.DeleteFunc(s.candidates(vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}, 256, 256), func(c candidate) bool { return !c.doubtful })
	if len(found) != 2 {
		t.Fatalf("found %d documents, want 2", len(found))
	}
	for d, q := range quads {
		near := min(farthest(found[0].quad, q), farthest(found[1].quad, q))
		if near > 6 {
			t.Errorf("document %d: corners are off by %.1f input pixels", d, near)
		}
	}
}

// A card that lies wholly on a sheet of another kind is found beside the sheet, though their cores are one.
func TestCandidatesFindACardOnASheet(t *testing.T) {
	sheet := appliance.Quad{{X: 20, Y: 10}, {X: 220, Y: 10}, {X: 220, Y: 230}, {X: 20, Y: 230}}
	card := appliance.Quad{{X: 60, Y: 70}, {X: 170, Y: 76}, {X: 166, Y: 146}, {X: 56, Y: 140}}
	s := newFinderScratch(idealTensor, idealTensor)
	paint(s, []appliance.Quad{sheet, card}, []int{classUnknown, 1})
	found := s.candidates(vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}, 256, 256)
	if len(found) != 2 || found[0].class() != classUnknown || found[0].doubtful || found[1].class() != 1 || !found[1].doubtful {
		t.Fatalf("found %+v", found)
	}
	for i, q := range []appliance.Quad{sheet, card} {
		if worst := farthest(found[i].quad, q); worst > 6 {
			t.Errorf("document %d: corners are off by %.1f input pixels", i, worst)
		}
	}
}

// What lies on the middle of a larger document is one sighting too many, unless a look from near confirmed a card on another sheet.
func TestDistinctKeepsACardOnASheet(t *testing.T) {
	at := func(class int, side, weight float64, confirmed bool) candidate {
		c := candidate{weight: weight, confirmed: confirmed, quad: appliance.Quad{{X: 100 - side, Y: 100 - side}, {X: 100 + side, Y: 100 - side}, {X: 100 + side, Y: 100 + side}, {X: 100 - side, Y: 100 + side}}}
		c.odds[class] = 1
		return c
	}
	for name, test := range map[string]struct {
		all  []candidate
		want int
	}{
		"a card on a sheet":       {[]candidate{at(classUnknown, 80, 90, true), at(1, 40, 30, true)}, 2},
		"a card nobody confirmed": {[]candidate{at(classUnknown, 80, 90, true), at(1, 40, 30, false)}, 1},
		"the same seen twice":     {[]candidate{at(classUnknown, 80, 90, true), at(1, 78, 30, true)}, 1},
		"two cards":               {[]candidate{at(1, 80, 90, true), at(1, 40, 30, true)}, 1},
	} {
		if got := distinct(test.all); len(got) != test.want {
			t.Errorf("%s: %d documents", name, len(got))
		}
	}
}

// Property: an outline that two surer documents fill is dropped; a sheet below them, one card on a larger document and what is surer than they are stay.
func TestSingleDropsSeveralTakenForOne(t *testing.T) {
	at := func(class int, odds, left, right float64) candidate {
		return as(class, odds, candidate{quad: vision.RectQuad(left, 0, right, 100)})
	}
	left, right := at(0, 0.99, 0, 158), at(1, 0.99, 162, 320)
	for name, test := range map[string]struct {
		all  []candidate
		want int
	}{
		"two cards taken for one": {[]candidate{at(5, 0.5, 0, 320), left, right}, 2},
		"the surest":              {[]candidate{at(5, 0.999, 0, 320), left, right}, 3},
		"a sheet below them":      {[]candidate{at(classUnknown, 0.5, 0, 320), left, right}, 3},
		"one card on a document":  {[]candidate{at(5, 0.5, 0, 320), left}, 2},
		"cards on a large one":    {[]candidate{at(5, 0.5, 0, 900), left, right}, 3},
		"beside each other":       {[]candidate{at(5, 0.5, 400, 700), left, right}, 3},
	} {
		if got := single(test.all); len(got) != test.want {
			t.Errorf("%s: %d documents, want %d", name, len(got), test.want)
		}
	}
}

func BenchmarkRefine(b *testing.B) {
	truth := appliance.Quad{{X: 300.4, Y: 200.2}, {X: 1300.1, Y: 240.3}, {X: 1280.2, Y: 900.4}, {X: 310.3, Y: 880.1}}
	rough := truth
	for i := range rough {
		rough[i].X, rough[i].Y = rough[i].X+float64(5-i*3), rough[i].Y+float64(i*4-6)
	}
	p := sheetPicture(1600, 1200, truth, 220, 40)
	b.ReportAllocs()
	for b.Loop() {
		refine(p, rough)
	}
}
