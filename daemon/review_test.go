package daemon

import (
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/store"
)

// That a picture for review was not kept stands among the warnings, however often they are asked for, until one is kept again.
func TestReviewWarnsUntilKept(t *testing.T) {
	d := &daemon{log: slog.New(slog.DiscardHandler), store: store.New(store.Config{Dir: t.TempDir(), ReviewRoom: 1 << 20})}
	if err := d.store.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer d.store.Close()
	for _, step := range []struct {
		told  []error
		warns bool
	}{
		{nil, false},
		{[]error{errors.New("there are 4096 reviews already")}, true},
		{nil, true},
		{[]error{nil}, false},
		{[]error{nil, errors.New("there are 4096 reviews already")}, true},
	} {
		for _, err := range step.told {
			d.reviewTold(err)
		}
		w := d.reviewWarnings()
		if len(w) > 0 != step.warns || step.warns && (w[0].Code != appliance.WarnReviewFull || !strings.Contains(w[0].Msg, "4096")) {
			t.Errorf("told %v: %+v", step.told, w)
		}
	}
}

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
