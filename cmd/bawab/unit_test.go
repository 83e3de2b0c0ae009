package main

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/appliance/httpapi"
	"github.com/bawab/bawab/store"
)

// A last day is valid to its end in Cairo, a duration counts from now, and anything else is refused.
func TestParseExpiry(t *testing.T) {
	zone, err := egypt.Cairo()
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 20, 15, 0, 0, 0, zone)
	tests := []struct {
		in   string
		want time.Time
		ok   bool
	}{
		{"", time.Time{}, true},
		{"2026-11-20", time.Date(2026, 11, 21, 0, 0, 0, 0, zone), true},
		{"2026-11-19", time.Time{}, false},
		{"90d", time.Date(2027, 2, 18, 15, 0, 0, 0, zone), true},
		{"24h", time.Date(2026, 11, 21, 15, 0, 0, 0, zone), true},
		{"0d", time.Time{}, false},
		{"-1h", time.Time{}, false},
		{"2027-02-30", time.Time{}, false},
		{"99999999d", time.Time{}, false},
		{"soon", time.Time{}, false},
	}
	for _, tt := range tests {
		got, err := parseExpiry(tt.in, now)
		if !got.Equal(tt.want) || (err == nil) != tt.ok {
			t.Errorf("%q: got %v, %v; want %v", tt.in, got, err, tt.want)
		}
	}
}

// Each broken part of a machine makes its check fail with a hint, and a sound one does not.
func TestDoctorChecks(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	open := t.TempDir()
	if err := os.Chmod(open, 0o755); err != nil {
		t.Fatal(err)
	}
	closed := t.TempDir()
	if err := os.Chmod(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		got  appliance.Check
		ok   bool
	}{
		{"clock that was never set", checkClock(time.Unix(0, 0)), false},
		{"clock", checkClock(now), true},
		{"no key", checkKeys(nil, now), false},
		{"ended key", checkKeys([]appliance.Key{{Name: "a", Expires: now}}, now), false},
		{"one valid key", checkKeys([]appliance.Key{{Name: "a", Expires: now}, {Name: "b"}}, now), true},
		{"open folder", checkFolder(open), false},
		{"closed folder", checkFolder(closed), true},
		{"folder to be made", checkFolder(filepath.Join(closed, "new")), true},
		{"another version", checkDaemon(httpapi.Status{Version: "other"})[0], false},
		{"this version", checkDaemon(httpapi.Status{Version: version})[0], true},
		{"damaged store", reportChecks(store.Report{Problems: []string{"bad"}})[1], false},
	}
	for _, tt := range tests {
		if tt.got.OK != tt.ok || !tt.ok && tt.got.Hint == "" {
			t.Errorf("%s: got %+v", tt.name, tt.got)
		}
	}
}

// hanging is a reader that returns when it is let go.
type hanging chan struct{}

func (h hanging) Read(context.Context, *appliance.Picture, []appliance.Document) (appliance.Reading, error) {
	h <- struct{}{} // says that it runs
	<-h
	return appliance.Reading{}, nil
}

// The vigil knows how long the oldest reading has been under way, and forgets it when it returns.
func TestVigil(t *testing.T) {
	v, h := newVigil(), make(hanging)
	if got := v.oldest(time.Now()); got != 0 {
		t.Errorf("%v before any reading", got)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if _, err := v.over(h).Read(t.Context(), nil, nil); err != nil {
			t.Error(err)
		}
	}()
	<-h
	if got := v.oldest(time.Now().Add(time.Hour)); got < time.Hour || got > time.Hour+patience {
		t.Errorf("%v after an hour", got)
	}
	h <- struct{}{}
	<-done
	if got := v.oldest(time.Now().Add(time.Hour)); got != 0 {
		t.Errorf("%v after the reading", got)
	}
}

// The daemon bounds the memory that Go holds beside what is in use, and an operator's own bound stays.
func TestCollectEarly(t *testing.T) {
	percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(math.MaxInt64)
	t.Cleanup(func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	})
	if collectEarly([]string{"GOMEMLIMIT=1GiB", "GOGC=70"}); debug.SetMemoryLimit(-1) != math.MaxInt64 || debug.SetGCPercent(100) != 100 {
		t.Error("the operator's own bounds were changed")
	}
	if collectEarly(nil); debug.SetMemoryLimit(-1) != heapGoal || debug.SetGCPercent(100) >= 100 {
		t.Error("no bound was set")
	}
}
