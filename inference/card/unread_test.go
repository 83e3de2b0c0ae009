package card

import (
	"context"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline"
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
	id := func(d appliance.Document) bool { return tools.byLook(d.Kind) && tools.numbered(d) }
	if err != nil || len(got.Documents) < 2 || !slices.ContainsFunc(got.Documents, id) {
		t.Errorf("several: %d, %v", len(got.Documents), err)
	}
	got, err = NewReader(appliance.NationalIDFront, tools).Read(t.Context(), picture(t, "id_front.jpg"), nil)
	if err != nil || got.Documents[0].Kind != appliance.NationalIDFront || !tools.numbered(got.Documents[0]) {
		t.Errorf("one: %+v, %v", got.Documents, err)
	}
}
