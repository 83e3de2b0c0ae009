package kiosk

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"
)

// A run that stands at its last step has ended, at whatever moment others look at it: a time-out that comes after the customer was shown
// that all is done would erase what the integrator is to have.
func TestLastStepEnds(t *testing.T) {
	erased := func(context.Context, string, string) error { return nil }
	d, err := Open(t.Context(), Flow{Kinds: []string{"national_id"}, Timeout: time.Hour}, Deps{
		Dir: t.TempDir(), Log: slog.New(slog.DiscardHandler), Now: time.Now, Erase: erased,
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if _, err := d.Begin("hall", "national_id"); err != nil {
			t.Fatal(err)
		}
		r := d.runs["hall"]
		var others sync.WaitGroup
		looked := make(chan struct{}, 64)
		for range 2 { // a lock that is waited for so long is handed over in turn
			others.Go(func() {
				for ended := false; !ended; {
					d.mu.Lock()
					ended = r.ended != ""
					if r.step == Done && !ended {
						t.Error("the last step is shown, and the run goes on")
					}
					select {
					case looked <- struct{}{}:
					default:
					}
					<-time.After(2 * time.Millisecond)
					d.mu.Unlock()
				}
			})
		}
		<-looked
		d.move(r, Done)
		others.Wait()
	}
}
