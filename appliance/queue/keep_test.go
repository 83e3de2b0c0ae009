package queue

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// Property: what a task keeps is its own until it ends, once however often it asks, and another's only then or when it is given before.
func TestKeepLastsAsLongAsTheTask(t *testing.T) {
	for name, early := range map[string]bool{"until the end": false, "given before": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				work, rare := New(2, 2), New(1, 2)
				kept, gate := make(chan func(), 2), make(chan struct{})
				for range 2 {
					go func() {
						err := work.Do(t.Context(), func(ctx context.Context) error {
							give, err := rare.Keep(ctx)
							if err != nil {
								return err
							}
							if _, err := rare.Keep(ctx); err != nil {
								return err
							}
							kept <- give
							<-gate
							return nil
						})
						if err != nil {
							t.Error(err)
						}
					}()
				}
				synctest.Wait()
				if len(kept) != 1 || rare.Depth() != 2 {
					t.Fatalf("%d keep it, %d there", len(kept), rare.Depth())
				}
				give := <-kept
				if early {
					give()
					give()
				} else {
					gate <- struct{}{}
				}
				synctest.Wait()
				if len(kept) != 1 {
					t.Error("the next does not get it")
				}
				close(gate)
				synctest.Wait()
				if rare.Depth() != 0 {
					t.Errorf("%d are still kept", rare.Depth())
				}
			})
		})
	}
}

// Property: who has gone waits no longer to keep something, and outside of a task nothing is kept.
func TestKeepOfWhoHasGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		work, rare := New(1, 0), New(1, 1)
		gate := make(chan struct{})
		go rare.Do(t.Context(), func(context.Context) error { <-gate; return nil })
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := work.Do(ctx, func(ctx context.Context) error {
			_, err := rare.Keep(ctx)
			return err
		})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		if _, err := rare.Keep(t.Context()); err != nil || rare.Depth() != 1 {
			t.Errorf("outside of a task: %v, %d there", err, rare.Depth())
		}
		close(gate)
		synctest.Wait()
		if rare.Depth() != 0 {
			t.Errorf("%d are still there", rare.Depth())
		}
	})
}

// Property: what is to be done in quiet times is done once after the last task, and not between two that follow each other.
func TestWhenQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var done atomic.Int64
		q := New(1, 0)
		q.WhenQuiet(2*time.Second, func() { done.Add(1) })
		pass := func(d time.Duration) {
			time.Sleep(d)
			synctest.Wait()
		}
		task := func() {
			if err := q.Do(t.Context(), func(context.Context) error { return nil }); err != nil {
				t.Error(err)
			}
		}
		pass(time.Minute)
		if done.Load() != 0 {
			t.Error("done before any task")
		}
		task()
		pass(time.Second)
		task()
		pass(1500 * time.Millisecond)
		if done.Load() != 0 {
			t.Error("done between two tasks")
		}
		pass(time.Minute)
		if n := done.Load(); n != 1 {
			t.Errorf("done %d times", n)
		}
	})
}
