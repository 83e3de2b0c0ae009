package card

import (
	"context"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// blind is a finder that sees documents only where it is sent.
type blind struct{ tracer }

func (blind) Find(context.Context, *appliance.Picture) ([]outline.Found, error) { return nil, nil }

func (blind) FindHidden(context.Context, *appliance.Picture, []outline.Found) ([]outline.Found, error) {
	return nil, nil
}

func (blind) FindTurned(context.Context, *appliance.Picture, int) ([]outline.Found, error) {
	return nil, nil
}

// Property: cards that the finder does not see are found about their text, among several and where one is asked for.
func TestFoundByPrint(t *testing.T) {
	tools := cardTools(t)
	tools.Finder = blind{tools.Finder}
	got, err := NewMultiReader(tools).Read(t.Context(), picture(t, "multi.jpg"), nil)
	if err != nil || len(got.Documents) < 2 || !slices.ContainsFunc(got.Documents, func(d appliance.Document) bool { return tools.byLook(d.Kind) && tools.numbered(d) }) {
		t.Errorf("several: %d, %v", len(got.Documents), err)
	}
	got, err = NewReader(appliance.NationalIDFront, tools).Read(t.Context(), picture(t, "id_front.jpg"), nil)
	if err != nil || got.Documents[0].Kind != appliance.NationalIDFront || !tools.numbered(got.Documents[0]) {
		t.Errorf("one: %+v, %v", got.Documents, err)
	}
}

// printBlock is so many lines of text below each other from (x, y) on, level or turned by a quarter.
func printBlock(x, y float64, count int, upright bool) (lines []text.Line) {
	for i := range count {
		l := text.Line{Start: appliance.Point{X: x, Y: y + 30*float64(i)}, End: appliance.Point{X: x + 150 - 10*float64(i), Y: y + 30*float64(i)}, Height: 12}
		if upright {
			l.Start, l.End = appliance.Point{X: x + 30*float64(i), Y: y}, appliance.Point{X: x + 30*float64(i), Y: y + 150}
		}
		lines = append(lines, l)
	}
	return lines
}

// Property: print that no document holds is grouped by where it stands and how it runs, the largest group first; a line or two are no card.
func TestUnread(t *testing.T) {
	beside, turned, far, few := printBlock(0, 0, 4, false), printBlock(170, 0, 5, true), printBlock(0, 400, 6, false), printBlock(400, 400, 2, false)
	var sizes []int
	for _, group := range unread(slices.Concat(beside, turned, far, few), nil) {
		sizes = append(sizes, len(group))
	}
	if !slices.Equal(sizes, []int{5, 6, 4}) { // 750, 675 and 540 pixels of text
		t.Errorf("groups of %v lines", sizes)
	}
	if got := unread(slices.Concat(beside, far), []appliance.Quad{vision.RectQuad(-10, 390, 200, 600)}); len(got) != 1 || got[0][0].Start.Y != 0 {
		t.Errorf("beside a document: %v", got)
	}
}

// Property: wherever on a card its text stands, one of the places that it may lie at is about its own.
func TestPlaces(t *testing.T) {
	card := vision.RectQuad(0, 0, 430, 270)
	for name, block := range map[string]run{
		"to the right": printBlock(260, 60, 6, false), "in the upper half": slices.Concat(printBlock(20, 20, 4, false), printBlock(260, 20, 4, false)), "all over": slices.Concat(printBlock(20, 30, 8, false), printBlock(260, 30, 8, false)),
	} {
		best := 0.0
		for _, q := range block.places() {
			if block.heldBy(q) < mostlyHeld {
				t.Errorf("%s: a place holds %.2f of the print", name, block.heldBy(q))
			}
			best = max(best, min(outline.Overlap(card, q), outline.Overlap(q, card)))
		}
		if best < 0.55 {
			t.Errorf("%s: the best of the places holds %.2f of the card", name, best)
		}
	}
}
