package daemon

import (
	"testing"
	"time"
)

// patience bounds every wait for something that must come.
const patience = 20 * time.Second

// until polls a condition until it holds.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	late := time.After(patience)
	for !holds() {
		select {
		case <-late:
			t.Fatalf("%s: not in %v", what, patience)
		case <-tick.C:
		}
	}
}
