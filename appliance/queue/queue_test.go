package queue

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/bawab/bawab/appliance"
)

// Property: no more tasks run than there are workers, no more wait than the queue holds, the rest is refused at
// once, and all that were admitted are done.
func TestQueueBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const workers, waiting, callers = 2, 3, 10
		q := New(workers, waiting)
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
					if appliance.CodeOf(err) != appliance.CodeUnavailable {
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
		q := New(1, 1)
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

// Property: a caller who floods the queue neither keeps another out of it nor takes the last worker from him.
func TestQueueIsFair(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const workers, waiting = 2, 6
		q := New(workers, waiting)
		flood := appliance.WithCaller(t.Context(), appliance.Caller{Key: "flood"})
		other := appliance.WithCaller(t.Context(), appliance.Caller{Key: "other"})
		gate := make(chan struct{})
		var all sync.WaitGroup
		var refused, running atomic.Int64
		send := func(n int) {
			for range n {
				all.Go(func() {
					if q.Do(flood, func(context.Context) error { running.Add(1); <-gate; running.Add(-1); return nil }) != nil {
						refused.Add(1)
					}
				})
			}
			synctest.Wait()
		}
		send(workers + waiting)
		if running.Load() != workers {
			t.Fatalf("a caller alone runs %d tasks, want %d", running.Load(), workers)
		}
		done := make(chan error, 1)
		go func() { done <- q.Do(other, func(context.Context) error { return nil }) }()
		synctest.Wait()
		if refused.Load() != 1 {
			t.Fatalf("%d tasks of the flood gave way, want 1", refused.Load())
		}
		gate <- struct{}{}
		if err := <-done; err != nil {
			t.Errorf("the other caller: %v", err)
		}
		synctest.Wait()
		send(3)
		if running.Load() != workers-1 {
			t.Errorf("the flood runs %d tasks while another caller is about, want %d", running.Load(), workers-1)
		}
		if err := q.Do(other, func(context.Context) error { return nil }); err != nil {
			t.Errorf("the other caller again: %v", err)
		}
		close(gate)
		all.Wait()
		if q.Depth() != 0 {
			t.Errorf("depth %d after all is done", q.Depth())
		}
	})
}
