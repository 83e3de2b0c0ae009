package watch

import (
	"sync"
	"time"
)

// The limits of a clock that behaves.
const (
	// clockSlack is how far the wall clock may move away from the kernel's steady one between two looks. Time servers
	// that correct gently stay far below.
	clockSlack = 2 * time.Second
	// jumpMemory is how long a jump is worth a warning.
	jumpMemory = 24 * time.Hour
)

// Clock notices when the wall clock jumps, by which documents and transactions expire. A machine that slept looks the
// same. It is safe for concurrent use.
type Clock struct {
	mu     sync.Mutex
	last   time.Time
	jumped time.Time // by the clock after the jump
	by     time.Duration
}

// Look takes the time of now, with its monotonic reading, and returns how far the clock has jumped since the last look.
func (w *Clock) Look(now time.Time) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	last := w.last
	w.last = now
	if last.IsZero() {
		return 0
	}
	return w.judge(now, now.Round(0).Sub(last.Round(0))-now.Sub(last))
}

func (w *Clock) judge(now time.Time, by time.Duration) time.Duration {
	if by.Abs() <= clockSlack {
		return 0
	}
	w.jumped, w.by = now, by
	return by
}

// Jump returns the last jump while it is worth a warning, else 0.
func (w *Clock) Jump(now time.Time) (at time.Time, by time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.by == 0 || now.Sub(w.jumped) > jumpMemory {
		return time.Time{}, 0
	}
	return w.jumped, w.by
}
