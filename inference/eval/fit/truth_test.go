package fit

import (
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/form"
	"github.com/bawab/bawab/inference/vision"
)

// Property: print under a truth's line is of its field; a second line of it goes on with the value where that may take one, what no line
// covers is none, and the lines of a series are all the first field's.
func TestRoles(t *testing.T) {
	choices := []form.Choice{{}, {Field: "tree"}, {Field: "note"}, {Field: "note", Further: true}, {Field: "first"}}
	print := func(said string, y float64) form.Stretch {
		return form.Stretch{Said: said, Middle: appliance.Point{X: 50, Y: y}, Choices: choices}
	}
	line := func(role, said string, y float64) printed {
		return printed{[]string{role}, said, vision.RectQuad(40, y-3, 60, y+3)}
	}
	l := lesson{
		description: &form.Description{
			Fields: []form.Field{{Name: "tree"}, {Name: "note", Drawn: "remark"}, {Name: "first"}, {Name: "second"}},
			Series: [][]string{{"first", "second"}},
		},
		values: map[string]string{"tree": "oak", "note": "elm oak"},
		printed: []printed{
			line("tree", "oak", 10), line("tree", "ash", 20), line("remark", "elm", 30), line("remark", "oak", 40),
			line("first", "fir", 50), line("second", "yew", 60),
		},
	}
	got := l.roles([]form.Stretch{
		print("oak", 10), print("ash", 20), print("elm", 30), print("oak", 40), print("fir", 50), print("yew", 60), print("12", 90),
	})
	if want := []int{1, 0, 2, 3, 4, 4, 0}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Property: what stands on the lines of a field is right where its truth has other strokes between the same words, and nothing else is.
func TestShows(t *testing.T) {
	line := func(role, said string) printed { return printed{roles: []string{role}, text: said} }
	l := lesson{
		description: &form.Description{Fields: []form.Field{{Name: "address", Drawn: "place"}, {Name: "note"}}},
		values:      map[string]string{"address": "12 Elm St / Oak - Ashton", "note": "red - blue"},
		printed:     []printed{line("place", "12 Elm St"), line("note", "red"), line("place", "Oak - Ashton :")},
	}
	for _, c := range []struct {
		field, said string
		want        bool
	}{
		{"address", "12 Elm St Oak - Ashton", true},
		{"address", "12 Elm St - Oak - Ashton", false},
		{"address", "12 Elm St Oak Ashton", false},
		{"address", "12 Elm St Oak - Ashtom", false},
		{"note", "red", false}, // its truth has a word more
	} {
		if got := l.shows(c.field, c.said); got != c.want {
			t.Errorf("%s %q: %v", c.field, c.said, got)
		}
	}
}
