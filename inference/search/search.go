// Package search tries what a picture may show, the cheapest idea first, until one is proved or the budget ends. What an idea is,
// an outline, a way in which a document lies in it, a kind, is the caller's.
package search

import (
	"cmp"
	"context"
	"errors"
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

// ErrNothing is returned where no hypothesis could be tried.
var ErrNothing = errors.New("nothing to try")

// Best tries hypotheses, the cheapest first, until one is proved or most have been tried, and returns the best. When the work that
// the context allows ends, what was found until then counts; any other error of a hypothesis ends the search.
func Best[T any](ctx context.Context, most int, hypotheses ...Hypothesis[T]) (best Outcome[T], err error) {
	open, tried := slices.Clone(hypotheses), 0
	for ; len(open) > 0 && tried < most && !best.Proved; tried++ {
		slices.SortStableFunc(open, func(a, b Hypothesis[T]) int { return cmp.Compare(a.Cost, b.Cost) })
		o, err := open[0].Try(ctx)
		if errors.Is(err, inference.ErrBudget) && tried > 0 {
			break
		}
		if err != nil {
			return best, err
		}
		open = append(open[1:], o.More...)
		if tried == 0 || o.Proved || cmp.Compare(o.Score, best.Score) > 0 {
			best = o
		}
	}
	if tried == 0 {
		return best, ErrNothing
	}
	return best, nil
}
