package daemon

import (
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/configs"
)

// The kinds that the configuration takes are those that can be kept, and none at all stands for every kind of document.
func TestReviewKindsOfConfiguration(t *testing.T) {
	var kinds []string
	for _, k := range appliance.ReviewKinds() {
		kinds = append(kinds, string(k))
	}
	if got := configs.ReviewKinds(); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(kinds))) {
		t.Errorf("the configuration takes %v, the appliance keeps %v", got, kinds)
	}
	if r := reviewRules(configs.Review{Share: 50, Flagged: true}); len(r.Kinds) > 0 || r.Share != 0.5 || !r.Flagged {
		t.Errorf("got %+v", r)
	}
	want := []appliance.Kind{appliance.ReviewLiveness, "student_card"}
	if r := reviewRules(configs.Review{Share: 100, Kinds: []string{"liveness", "kinds/student_card"}}); !slices.Equal(r.Kinds, want) {
		t.Errorf("got %+v", r)
	}
}
