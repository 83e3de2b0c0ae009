package appliancetest

import (
	"sync"
	"time"
)

// Clock is a clock that stands still until a test moves it. It starts on 1 March 2026 at noon UTC.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock makes a clock.
func NewClock() *Clock { return &Clock{now: time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)} }

// Now returns the clock's time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock on.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}
