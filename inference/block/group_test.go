package block

import (
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/sheet"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// printBlock is so many lines of text below each other from (x, y) on, level or turned by a quarter.
func printBlock(x, y float64, count int, upright bool) (lines []text.Line) {
	for i := range count {
		down := y + 30*float64(i)
		l := text.Line{Start: appliance.Point{X: x, Y: down}, End: appliance.Point{X: x + 150 - 10*float64(i), Y: down}, Height: 12}
		if upright {
			l.Start, l.End = appliance.Point{X: x + 30*float64(i), Y: y}, appliance.Point{X: x + 30*float64(i), Y: y + 150}
		}
		lines = append(lines, l)
	}
	return lines
}

// Property: print that no document holds is grouped by where it stands and how it runs, the largest group first; a line or two are no card.
func TestGroups(t *testing.T) {
	beside, turned := printBlock(0, 0, 4, false), printBlock(170, 0, 5, true)
	far, few := printBlock(0, 400, 6, false), printBlock(400, 400, 2, false)
	var sizes []int
	for _, group := range Groups(slices.Concat(beside, turned, far, few), nil) {
		sizes = append(sizes, len(group))
	}
	if !slices.Equal(sizes, []int{5, 6, 4}) { // 750, 675 and 540 pixels of text
		t.Errorf("groups of %v lines", sizes)
	}
	got := Groups(slices.Concat(beside, far), []appliance.Quad{vision.RectQuad(-10, 390, 200, 600)})
	if len(got) != 1 || got[0][0].Start.Y != 0 {
		t.Errorf("beside a document: %v", got)
	}
}

// Property: wherever on a card its text stands, one of the places that it may lie at is about its own.
func TestPlaces(t *testing.T) {
	card := vision.RectQuad(0, 0, 430, 270)
	for name, block := range map[string]Lines{
		"to the right":      printBlock(260, 60, 6, false),
		"in the upper half": slices.Concat(printBlock(20, 20, 4, false), printBlock(260, 20, 4, false)),
		"all over":          slices.Concat(printBlock(20, 30, 8, false), printBlock(260, 30, 8, false)),
	} {
		best := 0.0
		for _, q := range block.Places() {
			if block.HeldBy(q) < Mostly {
				t.Errorf("%s: a place holds %.2f of the print", name, block.HeldBy(q))
			}
			best = max(best, min(sheet.Overlap(card, q), sheet.Overlap(q, card)))
		}
		if best < 0.55 {
			t.Errorf("%s: the best of the places holds %.2f of the card", name, best)
		}
	}
}
