// Package search tries what a picture may show, the cheapest idea first, until one is proved or the budget ends. What an idea is,
// an outline, a way in which a document lies in it, a kind, is the caller's.
package search

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/bawab/bawab/inference"
)

// Hypothesis is one idea of what a picture shows. Trying it gives a T.
type Hypothesis[T any] struct {
	// Cost is what trying it costs, in any unit; of two that cost the same the first is tried first.
	Cost float64
	// Try reads the picture so.
	Try func(ctx context.Context) (Outcome[T], error)
}

// Outcome is what a hypothesis gave.
type Outcome[T any] struct {
	Value T
	// Score is the log-likelihood of what was read: the higher the better. NaN counts as the lowest.
	Score float64
	// Proved tells that nothing else need be tried.
	Proved bool
	// More are hypotheses that this one gave rise to, such as another kind that a title names.
	More []Hypothesis[T]
}

// Found is the best of what was tried.
type Found[T any] struct {
	Outcome[T]
	// Second is the score of the next best, -Inf where there is none: where it is close, what was found is in doubt.
	Second float64
	// Tried counts the hypotheses, and Spent tells that the budget ended before all were tried.
	Tried int
	Spent bool
}

// ErrNothing is returned where no hypothesis could be tried.
var ErrNothing = errors.New("nothing to try")

// Best tries hypotheses, the cheapest first, until one is proved or most have been tried, and returns the best. When the work that
// the context allows ends, what was found until then counts; any other error of a hypothesis ends the search.
func Best[T any](ctx context.Context, most int, hypotheses ...Hypothesis[T]) (Found[T], error) {
	found := Found[T]{Second: math.Inf(-1)}
	found.Score = math.Inf(-1)
	open := slices.Clone(hypotheses)
	for len(open) > 0 && found.Tried < most {
		slices.SortStableFunc(open, func(a, b Hypothesis[T]) int { return cmp.Compare(a.Cost, b.Cost) })
		next := open[0]
		open = open[1:]
		o, err := next.Try(ctx)
		if errors.Is(err, inference.ErrBudget) && found.Tried > 0 {
			found.Spent = true
			return found, nil
		}
		if err != nil {
			return found, err
		}
		found.take(o)
		if found.Proved {
			return found, nil
		}
		open = append(open, o.More...)
	}
	found.Spent = len(open) > 0
	if found.Tried == 0 {
		return found, ErrNothing
	}
	return found, nil
}

// take keeps the better of an outcome and what was found before.
func (f *Found[T]) take(o Outcome[T]) {
	if math.IsNaN(o.Score) {
		o.Score = math.Inf(-1)
	}
	f.Tried++
	if f.Tried == 1 || o.Proved || o.Score > f.Score {
		f.Second = f.Score
		o.More = nil
		f.Outcome = o
		return
	}
	f.Second = max(f.Second, o.Score)
}
