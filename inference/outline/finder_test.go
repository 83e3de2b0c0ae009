package outline

import (
	"math"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/sheet"
	"github.com/bawab/bawab/inference/sheet/sheettest"
	"github.com/bawab/bawab/inference/vision"
)

// A side under what covers it is marked as that and not as one beyond the picture.
func TestRefineMarksSidesUnderOthers(t *testing.T) {
	q := appliance.Quad{{X: 60, Y: 40}, {X: 330, Y: 40}, {X: 330, Y: 240}, {X: 60, Y: 240}}
	_, evidence := sheet.Refine(sheettest.Picture(380, 280, q, 220, 40), q, vision.RectQuad(300, 0, 380, 280))
	d := Found{Edges: evidence}
	if evidence[1] != sheet.UnderOthers || !d.Covered() || d.CutOff() {
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
					off := sheet.Span(p, c) / finderCell
					mark := math.Exp(-off * off / 2.9)
					if old := s.cell(x, y, channelCorners+i); mark > old {
						set(x, y, cell(x, y, channelCorners+i), mark)
					}
				}
				inner := q
				for i := range inner {
					inner[i].X, inner[i].Y = middle.X+(q[i].X-middle.X)*0.9, middle.Y+(q[i].Y-middle.Y)*0.9
				}
				if !inner.Contains(p) {
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

// TestFits proves that a finder is made of no network whose classes are not the kinds of the contract.
func TestFits(t *testing.T) {
	kinds, network := appliance.Contract(), inference.Tensor{Shape: []int{1, finderBlocks, finderBlocks, finderChannels}}
	wider := inference.Tensor{Shape: []int{1, finderBlocks, finderBlocks, finderChannels + 1}}
	for name, test := range map[string]struct {
		out   inference.Tensor
		kinds []appliance.Facts
		fits  bool
	}{
		"the program's": {network, kinds, true}, "one kind more": {network, append(kinds[:len(kinds):len(kinds)], appliance.Facts{}), false},
		"one kind fewer": {network, kinds[1:], false}, "a class more": {wider, kinds, false},
	} {
		if err := fits(test.out, test.kinds); (err == nil) != test.fits {
			t.Errorf("%s: %v", name, err)
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
			if sheet.Span(vision.Middle(c.quad), vision.Middle(q)) < sheet.Span(vision.Middle(best.quad), vision.Middle(q)) {
				best = c
			}
		}
		if worst := sheet.Farthest(best.quad, q); worst > 2.5 {
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
		near := min(sheet.Farthest(found[0].quad, q), sheet.Farthest(found[1].quad, q))
		if near > 6 {
			t.Errorf("document %d: corners are off by %.1f input pixels", d, near)
		}
	}
}

// A card that lies wholly on a sheet of another kind is found beside the sheet, though their cores are one.
func TestCandidatesFindACardOnASheet(t *testing.T) {
	paper := appliance.Quad{{X: 20, Y: 10}, {X: 220, Y: 10}, {X: 220, Y: 230}, {X: 20, Y: 230}}
	card := appliance.Quad{{X: 60, Y: 70}, {X: 170, Y: 76}, {X: 166, Y: 146}, {X: 56, Y: 140}}
	s := newFinderScratch(idealTensor, idealTensor)
	paint(s, []appliance.Quad{paper, card}, []int{classUnknown, 1})
	found := s.candidates(vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}, 256, 256)
	if len(found) != 2 || found[0].class() != classUnknown || found[0].doubtful || found[1].class() != 1 || !found[1].doubtful {
		t.Fatalf("found %+v", found)
	}
	for i, q := range []appliance.Quad{paper, card} {
		if worst := sheet.Farthest(found[i].quad, q); worst > 6 {
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
