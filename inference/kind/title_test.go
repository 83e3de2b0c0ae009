package kind

import (
	"testing"

	"github.com/bawab/bawab/inference/form"
)

// Property: a kind is called by the first wording of its first title, and by nothing where it has none.
func TestTitle(t *testing.T) {
	d := form.Description{Labels: []form.Label{
		{Name: "tree", Wordings: []string{"Tree"}}, {Name: "card", Wordings: []string{"Forest card", "Card"}},
	}}
	if got := titleOf(&d); got != "" {
		t.Errorf("without a title it is called %q", got)
	}
	if d.Titles = []string{"card", "tree"}; titleOf(&d) != "Forest card" {
		t.Errorf("it is called %q", titleOf(&d))
	}
}
