package inference

import (
	"context"
	"errors"
	"sync/atomic"
)

// ErrBudget is returned by Run when the picture has used up the work that it may cost.
var ErrBudget = errors.New("the picture has used up its work")

// What a picture may cost: so much for any, more for each megapixel, and never more than the most. Measured on the 15 sample
// pictures at six sizes from 120 rows up and at six endpoints (27 November 2026, n = 434): what is read of a document or page that can
// be read takes at most 1,200 inferences and 100 GMAC (an ID card on a crowded table, at multi), four in five below 600 and 40. Small
// pictures of several cards took up to 4,400 and 306, thirteen times what the same picture takes at its full size, and found less.
const (
	anyRuns, megaRuns, mostRuns = 1_000, 400, 3_000
	anyMACs, megaMACs, mostMACs = 100e9, 20e9, 240e9
)

// Budget bounds what networks do for one picture. Around each inference the picture is searched, cut and straightened, which costs more
// than a small network does, so inferences count beside their multiply-accumulates. It is safe for concurrent use.
type Budget struct{ runs, macs atomic.Int64 }

// NewBudget makes the budget of a picture of so many pixels.
func NewBudget(pixels int) *Budget {
	b := &Budget{}
	mega := float64(pixels) / 1e6
	b.runs.Store(int64(min(anyRuns+mega*megaRuns, mostRuns)))
	b.macs.Store(int64(min(anyMACs+mega*megaMACs, mostMACs)))
	return b
}

// textRuns is what a page of general text may cost in inferences, whatever its size: at most 800 lines are read, each by up to four
// networks, and numbers of four digits cost 2 ms of one core each.
const textRuns = 4_000

// NewTextBudget makes the budget of a page of general text of so many pixels, whose lines are many and short.
func NewTextBudget(pixels int) *Budget {
	b := NewBudget(pixels)
	b.runs.Store(textRuns)
	return b
}

// budgetKey finds the Budget of a context.
type budgetKey struct{}

// WithBudget returns a context under which inferences are taken from a budget; without one they are not bounded.
func WithBudget(ctx context.Context, b *Budget) context.Context {
	return context.WithValue(ctx, budgetKey{}, b)
}

// spend takes one inference from the Budget of the context, if it has one.
func spend(ctx context.Context, macs int64) error {
	b, ok := ctx.Value(budgetKey{}).(*Budget)
	if ok && (b.runs.Add(-1) < 0 || b.macs.Add(-macs) < 0) {
		return ErrBudget
	}
	return nil
}
