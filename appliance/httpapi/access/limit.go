package access

import (
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// maxTracked bounds how many addresses and keys are remembered.
const maxTracked = 4096

// recent remembers something of those that came last, maxTracked at most. When young has its share, it becomes old, and what was old is
// forgotten: those that go on coming move back to young in time.
type recent[K comparable, V any] struct{ young, old map[K]V }

func (r *recent[K, V]) get(of K) V {
	if v, known := r.young[of]; known {
		return v
	}
	return r.old[of]
}

func (r *recent[K, V]) put(of K, v V) {
	if r.young == nil || len(r.young) == maxTracked/2 {
		r.young, r.old = map[K]V{}, r.young
	}
	r.young[of] = v
}

// Rates holds a token bucket for each address or key: as many requests at once as a minute allows, then they come back evenly.
type Rates[K comparable] struct {
	mu sync.Mutex
	recent[K, *rate.Limiter]
}

// Take uses up one of the requests that somebody may send a minute; 0 sets no limit, and another limit begins anew. It returns how long to
// wait when there is none left, else 0.
func (r *Rates[K]) Take(of K, limit int, now time.Time) time.Duration {
	if limit <= 0 {
		return 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	b := r.get(of)
	if b == nil || b.Burst() != limit {
		b = rate.NewLimiter(rate.Every(time.Minute/time.Duration(limit)), limit)
	}
	r.put(of, b)
	reservation := b.ReserveN(now, 1)
	wait := reservation.DelayFrom(now)
	if wait > 0 {
		reservation.CancelAt(now)
	}
	return wait
}

// wrongKeys counts the wrong keys of each address over the last minute: the times of those that were not refused, oldest first, as many as
// are allowed at most.
type wrongKeys struct {
	mu sync.Mutex
	recent[netip.Addr, []time.Time]
}

// add counts one wrong key. It returns how long the address has to wait when it has used up its minute, else 0.
func (w *wrongKeys) add(a netip.Addr, limit int, now time.Time) (wait time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	times := w.get(a)
	for len(times) > 0 && now.Sub(times[0]) >= time.Minute {
		times = times[1:]
	}
	if len(times) < limit {
		times = append(times, now)
	} else {
		wait = times[0].Add(time.Minute).Sub(now)
	}
	w.put(a, times)
	return wait
}
