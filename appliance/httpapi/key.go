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

// authorize checks the key of a request, its scope and its rate, in this order. The address that counts wrong keys is
// the connection's own; headers in which a proxy names another one are not believed.
func (s *Server) authorize(c *fiber.Ctx, x *exchange, scope appliance.Scope) error {
	secret, now := c.Get("ApiKey"), s.deps.Now()
	key, err := s.deps.Keys.Authenticate(secret)
	if err != nil {
		if secret == "" {
			return err // no key is no guess
		}
		s.metrics.wrongKeys.Inc()
		if after := s.wrong.add(remote(c), now); after > 0 {
			x.after = after
			return appliance.Errorf(appliance.CodeTooMany, "too many wrong API keys came from this address: wait a minute and send a valid key")
		}
		return err
	}
	x.key = key.Name
	if !key.Allows(scope) {
		return appliance.Errorf(appliance.CodeForbidden, "the API key lacks the scope %s: use a key that has it", scope)
	}
	if after := s.rates.take(key, now); after > 0 {
		x.after = after
		return appliance.Errorf(appliance.CodeTooMany, "the API key has reached its %d requests a minute: wait and try again", key.RatePerMinute)
	}
	return nil
}

func remote(c *fiber.Ctx) netip.Addr {
	if a, ok := c.Context().RemoteAddr().(*net.TCPAddr); ok {
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
	// seen holds the times of the wrong keys that were not refused, oldest first, at most limit of each address.
	seen map[netip.Addr][]time.Time
}

func newWrongKeys(limit int) *wrongKeys {
	return &wrongKeys{limit: limit, seen: map[netip.Addr][]time.Time{}}
}

// add counts one wrong key. It returns how long the address has to wait when it has used up its minute, else 0.
func (w *wrongKeys) add(a netip.Addr, now time.Time) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	times, known := w.seen[a]
	for len(times) > 0 && now.Sub(times[0]) >= time.Minute {
		times = times[1:]
	}
	if len(times) >= w.limit {
		w.seen[a] = times
		return times[0].Add(time.Minute).Sub(now)
	}
	if !known && len(w.seen) >= maxTracked {
		w.forget(now)
	}
	w.seen[a] = append(times, now)
	return 0
}

// forget makes room: for all addresses whose minute is over, or else for the one that has been quiet longest.
func (w *wrongKeys) forget(now time.Time) {
	var quiet netip.Addr
	longest := time.Duration(-1)
	for a, times := range w.seen {
		idle := now.Sub(times[len(times)-1])
		if idle >= time.Minute {
			delete(w.seen, a)
		} else if idle > longest {
			quiet, longest = a, idle
		}
	}
	if len(w.seen) >= maxTracked {
		delete(w.seen, quiet)
	}
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
