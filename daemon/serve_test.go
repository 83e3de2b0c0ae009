package daemon

import (
	"math"
	"runtime/debug"
	"testing"
)

// The daemon bounds the memory that Go holds beside what is in use, and an operator's own bound stays.
func TestCollectEarly(t *testing.T) {
	percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(math.MaxInt64)
	t.Cleanup(func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	})
	if CollectEarly([]string{"GOMEMLIMIT=1GiB", "GOGC=70"}); debug.SetMemoryLimit(-1) != math.MaxInt64 || debug.SetGCPercent(100) != 100 {
		t.Error("the operator's own bounds were changed")
	}
	if CollectEarly(nil); debug.SetMemoryLimit(-1) != heapGoal || debug.SetGCPercent(100) >= 100 {
		t.Error("no bound was set")
	}
}
