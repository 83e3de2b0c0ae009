package appliance

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// Property: no more tasks run than there are workers, no more wait than the queue holds, the rest is refused at
// once, and all that were admitted are done.
func TestQueueBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const workers, waiting, callers = 2, 3, 10
		q := NewQueue(workers, waiting)
		gate := make(chan struct{})
		var running, most, done, refused atomic.Int64
		var all sync.WaitGroup
		for range callers {
			all.Go(func() {
				err := q.Do(t.Context(), func(context.Context) error {
					most.Store(max(most.Load(), running.Add(1)))
					<-gate
					running.Add(-1)
					done.Add(1)
					return nil
				})
				if err != nil {
					if CodeOf(err) != CodeUnavailable {
						t.Errorf("refused with %v", err)
					}
					refused.Add(1)
				}
			})
		}
		synctest.Wait()
		if d := q.Depth(); d != workers+waiting {
			t.Errorf("depth %d, want %d", d, workers+waiting)
		}
		close(gate)
		all.Wait()
		if most.Load() != workers || done.Load() != workers+waiting || refused.Load() != callers-workers-waiting {
			t.Errorf("ran %d at once, did %d, refused %d", most.Load(), done.Load(), refused.Load())
		}
		if q.Depth() != 0 {
			t.Errorf("depth %d after all is done", q.Depth())
		}
	})
}

// Property: a caller that goes away while it waits is let go without its task being run, and its place is free.
func TestQueueCallerGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue(1, 1)
		gate := make(chan struct{})
		go q.Do(t.Context(), func(context.Context) error { <-gate; return nil })
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		gone := make(chan error)
		go func() {
			gone <- q.Do(ctx, func(context.Context) error { t.Error("the task of a caller that went away ran"); return nil })
		}()
		synctest.Wait()
		cancel()
		if err := <-gone; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		close(gate)
		synctest.Wait()
		if err := q.Do(t.Context(), func(context.Context) error { return nil }); err != nil {
			t.Errorf("the queue did not recover: %v", err)
		}
	})
}
