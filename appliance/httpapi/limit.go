package httpapi

import (
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// addressRates holds a token bucket for each address: as many requests at once as a minute allows, then they come back
// evenly. Like wrongKeys it remembers maxTracked addresses at most, and those that go on calling stay among them.
type addressRates struct {
	mu         sync.Mutex
	limit      int
	young, old map[netip.Addr]*rate.Limiter
}

func newAddressRates() *addressRates {
	return &addressRates{young: map[netip.Addr]*rate.Limiter{}}
}

// set changes the requests of a minute; 0 sets no limit.
func (r *addressRates) set(limit int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.limit != limit {
		r.limit, r.young, r.old = limit, map[netip.Addr]*rate.Limiter{}, nil
	}
}

// take uses up one request of the address. It returns how long to wait when there is none left, else 0.
func (r *addressRates) take(a netip.Addr, now time.Time) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.limit <= 0 {
		return 0
	}
	b, known := r.young[a]
	if !known {
		if b = r.old[a]; b == nil {
			b = rate.NewLimiter(rate.Every(time.Minute/time.Duration(r.limit)), r.limit)
		}
		r.young[a] = b
		if len(r.young) >= maxTracked/2 {
			r.young, r.old = map[netip.Addr]*rate.Limiter{}, r.young
		}
	}
	reservation := b.ReserveN(now, 1)
	wait := reservation.DelayFrom(now)
	if wait > 0 {
		reservation.CancelAt(now)
	}
	return wait
}
