package watch

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
)

// longest bounds every wait for something that must come.
const longest = 20 * time.Second

// ended waits for the end of a check that was begun and reports whether the watchdog may be fed.
func ended(t *testing.T, c *Check) bool {
	t.Helper()
	appliancetest.Until(t, longest, "the check ends", func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return !c.running
	})
	select {
	case <-c.Passed:
		return true
	default:
		return false
	}
}

// The watchdog is fed after a reading that came out as at the start, also where the store says why it fails; it is not
// after one that failed, came out differently or has not ended.
func TestCheck(t *testing.T) {
	var text, failure atomic.Value
	text.Store("PRINT")
	failure.Store([]error{nil, nil}) // of the reading and of the store
	hang := make(chan struct{})
	var hangs atomic.Bool
	unfit := 0
	c := NewCheck(func(context.Context) error { return failure.Load().([]error)[1] }, func(error) { unfit++ })
	read := func(context.Context) (string, error) {
		if hangs.Load() {
			<-hang
		}
		return text.Load().(string), failure.Load().([]error)[0]
	}
	if err := c.Open(t.Context(), read); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, text  string
		read, store error
		fed         bool
		problem     string
	}{
		{"sound", "PRINT", nil, nil, true, ""},
		{"reading fails", "PRINT", errors.New("no memory"), nil, false, "no memory"},
		{"another reading", "PR1NT", nil, nil, false, `"PR1NT" where it was "PRINT"`},
		{"full disk", "PRINT", nil, errors.New("no space"), true, "no space"},
		{"sound again", "PRINT", nil, nil, true, ""},
	} {
		text.Store(tt.text)
		failure.Store([]error{tt.read, tt.store})
		c.Begin(t.Context())
		fed := ended(t, c)
		if fed != tt.fed {
			t.Errorf("%s: fed %v", tt.name, fed)
		}
		if told := unfit > 0; told == fed {
			t.Errorf("%s: fed %v, but unfit %v", tt.name, tt.fed, told)
		}
		unfit = 0
		err := c.Problem()
		if (err == nil) != (tt.problem == "") || err != nil && !strings.Contains(err.Error(), tt.problem) {
			t.Errorf("%s: got %v", tt.name, err)
		}
	}
	hangs.Store(true)
	for range 3 {
		c.Begin(t.Context())
	}
	select {
	case <-c.Passed:
		t.Error("fed while the reading hangs")
	case hang <- struct{}{}:
	}
	hangs.Store(false)
	if !ended(t, c) {
		t.Error("not fed after the hanging one has ended")
	}
	text.Store("")
	var e *appliance.Error
	if err := c.Open(t.Context(), read); !errors.As(err, &e) || e.Hint == "" {
		t.Errorf("networks that read nothing start with %v", err)
	}
}

// A clock that is put forward or back is noticed once and remembered for a day; gentle corrections are not jumps.
func TestClock(t *testing.T) {
	now := time.Now()
	var w Clock
	if by := w.Look(now); by != 0 {
		t.Errorf("the first look finds %v", by)
	}
	if by := w.Look(now.Add(time.Hour)); by != 0 {
		t.Errorf("an hour later: %v", by)
	}
	for _, by := range []time.Duration{time.Second, -2 * time.Second, 3 * time.Second, -24 * time.Hour} {
		var w Clock
		jumps := by.Abs() > clockSlack
		if got := w.judge(now, by); (got == by) != jumps {
			t.Errorf("%v: judged %v", by, got)
		}
		if _, got := w.Jump(now.Add(time.Hour)); (got == by) != jumps {
			t.Errorf("%v: remembered %v", by, got)
		}
		if _, got := w.Jump(now.Add(25 * time.Hour)); got != 0 {
			t.Errorf("%v: still remembered %v after a day", by, got)
		}
	}
}
