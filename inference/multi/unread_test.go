package multi

import (
	"context"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/outline/outlinetest"
	"github.com/bawab/bawab/inference/reading"
	"github.com/bawab/bawab/inference/reading/readingtest"
)

// blind is a finder that sees documents only where it is sent.
type blind struct{ *outline.Finder }

func (blind) Find(context.Context, *appliance.Picture) ([]outline.Found, error) { return nil, nil }

func (blind) FindHidden(context.Context, *appliance.Picture, []outline.Found) ([]outline.Found, error) {
	return nil, nil
}

func (blind) FindTurned(context.Context, *appliance.Picture, int) ([]outline.Found, error) {
	return nil, nil
}

// Property: cards that the finder does not see are found about their text, among several and where one is asked for.
func TestFoundByPrint(t *testing.T) {
	tools, finder := readingtest.Tools(t), blind{outlinetest.Finder(t)}
	got, err := several(tools, finder, nil, nil).Read(t.Context(), readingtest.Picture(t, "multi.jpg"), nil)
	id := func(d appliance.Document) bool { return tools.ByLook(d.Kind) && tools.Numbered(d) }
	if err != nil || len(got.Documents) < 2 || !slices.ContainsFunc(got.Documents, id) {
		t.Errorf("several: %d, %v", len(got.Documents), err)
	}
	tools.Finder = finder
	got, err = reading.NewReader(appliance.NationalIDFront, tools).Read(t.Context(), readingtest.Picture(t, "id_front.jpg"), nil)
	if err != nil || got.Documents[0].Kind != appliance.NationalIDFront || !tools.Numbered(got.Documents[0]) {
		t.Errorf("one: %+v, %v", got.Documents, err)
	}
}
