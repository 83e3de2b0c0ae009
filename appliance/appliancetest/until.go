package appliancetest

import (
	"testing"
	"time"
)

// Until polls until something holds, and ends the test where that does not come in time.
func Until(t testing.TB, within time.Duration, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	late := time.After(within)
	for !holds() {
		select {
		case <-late:
			t.Fatalf("%s: not in %v", what, within)
		case <-tick.C:
		}
	}
}
