package inference

import (
	"context"
	"sync/atomic"
)

// Work counts what networks did: their inferences and the multiply-accumulates of those. The zero Work is ready; it is
// safe for concurrent use and must not be copied.
type Work struct{ runs, macs atomic.Int64 }

// Total returns the inferences so far and their multiply-accumulates.
func (w *Work) Total() (runs, macs int64) { return w.runs.Load(), w.macs.Load() }

// workKey finds the Work of a context.
type workKey struct{}

// WithWork returns a context under which every inference is added to w, in place of a Work that ctx had before. It
// saves every layer between a reader and a network from passing counts up.
func WithWork(ctx context.Context, w *Work) context.Context {
	return context.WithValue(ctx, workKey{}, w)
}

// count adds one inference to the Work of the context, if it has one.
func count(ctx context.Context, macs int64) {
	if w, ok := ctx.Value(workKey{}).(*Work); ok {
		w.runs.Add(1)
		w.macs.Add(macs)
	}
}
