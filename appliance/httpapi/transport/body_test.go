package transport

import (
	"errors"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestBodySpeed: the bodies of one key are taken in at a bounded speed, all together; that is no lull, and another key does not feel it.
func TestBodySpeed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const each, lull = 24 << 20, 100 * time.Millisecond
		var speeds bodySpeeds
		began := time.Now()
		take := func(key string) {
			var deadline time.Time
			p := pacer{speed: speeds.of(key), lull: lull, end: began.Add(time.Second), set: func(at time.Time) error {
				if deadline = at; at.Before(time.Now().Add(lull)) {
					t.Errorf("%s has only %v for its next bytes", key, time.Until(at))
				}
				return nil
			}}
			if _, err := io.CopyN(io.Discard, pacedReader{forever{}, &p}, each); err != nil || time.Now().After(deadline) {
				t.Errorf("%s: %v, %v late", key, err, time.Since(deadline))
			}
		}
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() { take("one") })
		}
		take("other")
		if waited := time.Since(began); waited > 0 {
			t.Errorf("another key waited %v", waited)
		}
		all.Wait()
		if took := time.Since(began); took.Round(10*time.Millisecond) != 2*time.Second {
			t.Errorf("96 MiB took %v at 32 MiB at once and 32 MiB a second", took)
		}
	})
}

// forever is a body without an end.
type forever struct{}

func (forever) Read(b []byte) (int, error) { return len(b), nil }

// TestReleaseToWhoReserved: what a body held is given back to the share that it was taken from: that of whoever brought it, all of it.
func TestReleaseToWhoReserved(t *testing.T) {
	b := NewBodies(Limits{Memory: 100})
	for i := range 1000 {
		of := Body{caller: []string{"", "key"}[i%2]}
		if err := errors.Join(b.Reserve(&of, 10), b.Reserve(&of, 10)); err != nil {
			t.Fatal(err)
		}
		b.Release(&of)
	}
	if len(b.memory.held) > 0 || b.memory.free != 100 {
		t.Errorf("%d of 100 bytes are free, held are %v", b.memory.free, b.memory.held)
	}
}
