package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/bawab/bawab/inference"
)

// idea is a hypothesis that notes when it is tried.
func idea(tried *[]string, name string, cost float64, o Outcome[string], err error) Hypothesis[string] {
	o.Value = name
	return Hypothesis[string]{Cost: cost, Try: func(context.Context) (Outcome[string], error) {
		*tried = append(*tried, name)
		return o, err
	}}
}

// Property: ideas are tried from the cheapest on and no longer than until one is proved, those that others give rise to in
// their place among the rest.
func TestBestTriesTheCheapestFirst(t *testing.T) {
	var tried []string
	late := idea(&tried, "late", 2.5, Outcome[string]{Score: -9, Proved: true}, nil)
	got, err := Best(t.Context(), 10,
		idea(&tried, "dear", 3, Outcome[string]{Score: 5}, nil),
		idea(&tried, "cheap", 1, Outcome[string]{Score: -2, More: []Hypothesis[string]{late}}, nil),
		idea(&tried, "fair", 2, Outcome[string]{Score: -1}, nil),
	)
	if err != nil || got.Value != "late" || !slices.Equal(tried, []string{"cheap", "fair", "late"}) {
		t.Errorf("found %q after %v, %v", got.Value, tried, err)
	}
}

// Property: without a proof the highest score wins, whatever it cost; a score that is no number never wins.
func TestBestWithoutProof(t *testing.T) {
	var tried []string
	got, err := Best(t.Context(), 10,
		idea(&tried, "odd", 1, Outcome[string]{Score: math.NaN()}, nil),
		idea(&tried, "good", 2, Outcome[string]{Score: -1}, nil),
		idea(&tried, "worse", 3, Outcome[string]{Score: -4}, nil),
	)
	if err != nil || got.Value != "good" || len(tried) != 3 {
		t.Errorf("%+v, %v", got, err)
	}
}

// Property: a kind whose proof never comes costs no more than the bound, and an end of the budget gives what was found until then.
func TestBestEnds(t *testing.T) {
	var tried []string
	var forever func(n int) Hypothesis[string]
	forever = func(n int) Hypothesis[string] {
		return Hypothesis[string]{Cost: 1, Try: func(context.Context) (Outcome[string], error) {
			return Outcome[string]{Value: fmt.Sprint(n), Score: float64(n), More: []Hypothesis[string]{forever(n + 1)}}, nil
		}}
	}
	if got, err := Best(t.Context(), 7, forever(0)); err != nil || got.Value != "6" {
		t.Errorf("endless: %+v, %v", got, err)
	}
	spent := fmt.Errorf("read: %w", inference.ErrBudget)
	first, second := idea(&tried, "first", 1, Outcome[string]{Score: -3}, nil), idea(&tried, "second", 2, Outcome[string]{}, spent)
	got, err := Best(t.Context(), 7, first, second)
	if err != nil || got.Value != "first" {
		t.Errorf("budget: %+v, %v", got, err)
	}
	failed := errors.New("broken")
	if _, err := Best(t.Context(), 7, idea(&tried, "first", 1, Outcome[string]{}, failed)); !errors.Is(err, failed) {
		t.Errorf("a failure: %v", err)
	}
	if _, err := Best[string](t.Context(), 7); !errors.Is(err, ErrNothing) {
		t.Errorf("without ideas: %v", err)
	}
}
