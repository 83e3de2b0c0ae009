package httpapi

import (
	"crypto/sha256"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/gofiber/fiber/v2"
	"golang.org/x/time/rate"
)

// authorize checks the key of a request, its rate and its scope, in this order: what a key may not do counts too. The address that counts wrong keys is
// the connection's own; headers in which a proxy names another one are not believed.
func (s *Server) authorize(c *fiber.Ctx, x *exchange, scope appliance.Scope) error {
	key, err := s.identify(c, x)
	if err != nil {
		return err
	}
	x.key = key.Name
	x.caller = appliance.Caller{Key: key.Name, Admin: key.Allows(appliance.ScopeAdmin)}
	if after := s.rates.take(key, s.deps.Now()); after > 0 {
		x.after = after
		return appliance.Errorf(appliance.CodeTooMany, "the API key has reached its %d requests a minute: wait and try again", key.RatePerMinute)
	}
	if err := bound(c, &key); err != nil {
		return err
	}
	if !key.Allows(scope) {
		return appliance.Errorf(appliance.CodeForbidden, "the API key lacks the scope %s: use a key that has it", scope)
	}
	return nil
}

func remote(c *fiber.Ctx) netip.Addr { return addressOf(c.Context().RemoteAddr()) }

func addressOf(a net.Addr) netip.Addr {
	if a, ok := a.(*net.TCPAddr); ok {
		return a.AddrPort().Addr().Unmap().WithZone("")
	}
	return netip.Addr{}
}

// maxTracked bounds how many addresses and keys are remembered.
const maxTracked = 4096

// wrongKeys counts the wrong keys of each address over the last minute.
type wrongKeys struct {
	limit int
	mu    sync.Mutex
	// young and old hold the times of the wrong keys that were not refused, oldest first, at most limit of each
	// address. When young has its share, it becomes old, and what was old is forgotten: addresses that go on guessing
	// move back to young in time.
	young, old map[netip.Addr][]time.Time
}

func newWrongKeys(limit int) *wrongKeys {
	return &wrongKeys{limit: limit, young: map[netip.Addr][]time.Time{}}
}

// set changes how many wrong keys an address may send a minute.
func (w *wrongKeys) set(limit int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.limit = limit
}

// add counts one wrong key. It returns how long the address has to wait when it has used up its minute, else 0.
func (w *wrongKeys) add(a netip.Addr, now time.Time) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	times, known := w.young[a]
	if !known {
		times = w.old[a]
	}
	for len(times) > 0 && now.Sub(times[0]) >= time.Minute {
		times = times[1:]
	}
	wait := time.Duration(0)
	if len(times) < w.limit {
		times = append(times, now)
	} else {
		wait = times[0].Add(time.Minute).Sub(now)
	}
	w.young[a] = times
	if len(w.young) >= maxTracked/2 {
		w.young, w.old = map[netip.Addr][]time.Time{}, w.young
	}
	return wait
}

// keyRates holds a token bucket for each key with a limit: as many requests at once as a minute allows, then they come
// back evenly.
type keyRates struct {
	mu      sync.Mutex
	buckets map[[sha256.Size]byte]*rate.Limiter
}

func newKeyRates() *keyRates { return &keyRates{buckets: map[[sha256.Size]byte]*rate.Limiter{}} }

// take uses up one request of the key. It returns how long to wait when there is none left, else 0.
func (r *keyRates) take(k appliance.Key, now time.Time) time.Duration {
	if k.RatePerMinute <= 0 {
		return 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	b := r.buckets[k.Hash]
	if b == nil {
		r.forget(now)
		b = rate.NewLimiter(rate.Every(time.Minute/time.Duration(k.RatePerMinute)), k.RatePerMinute)
		r.buckets[k.Hash] = b
	}
	reservation := b.ReserveN(now, 1)
	wait := reservation.DelayFrom(now)
	if wait > 0 {
		reservation.CancelAt(now)
	}
	return wait
}

// forget drops the buckets that are full again once there are many: revoked keys leave theirs behind.
func (r *keyRates) forget(now time.Time) {
	if len(r.buckets) < maxTracked {
		return
	}
	for h, b := range r.buckets {
		if b.TokensAt(now) >= float64(b.Burst()) {
			delete(r.buckets, h)
		}
	}
}
