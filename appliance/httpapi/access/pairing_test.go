package access

import (
	"errors"
	"net/netip"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
)

// TestPairingOnce: while the key of a screen is being made no other screen waits and nobody else has the code; a key that could not be made
// leaves the code as it was.
func TestPairingOnce(t *testing.T) {
	var p Pairings
	now, at := time.Now(), netip.MustParseAddr("10.0.0.9")
	shown, cookie := p.Ask("", at, now)
	full, calls := errors.New("the disk is full"), 0
	_, err := p.LetIn(shown.Code, now, func(netip.Addr) (string, error) { return "", full })
	if !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
	from, err := p.LetIn(shown.Code[:4]+"-"+shown.Code[4:], now, func(of netip.Addr) (string, error) {
		calls++
		if !p.mu.TryLock() {
			t.Error("every screen waits for the disk")
			return "secret", nil
		}
		p.mu.Unlock()
		if waits, fresh := p.Ask(cookie, at, now); fresh != "" || waits.Secret != "" {
			t.Errorf("meanwhile the screen has %+v, a new cookie %v", waits, fresh != "")
		}
		_, err := p.LetIn(shown.Code, now, func(netip.Addr) (string, error) { calls++; return "", nil })
		if appliance.CodeOf(err) != appliance.CodeNotFound {
			t.Errorf("a second operator: %v", err)
		}
		return "secret", nil
	})
	if in, _ := p.Ask(cookie, at, now); err != nil || from != at || calls != 1 || in.Secret != "secret" {
		t.Errorf("%v, %v, %d keys made, the screen has %+v", from, err, calls, in)
	}
}

// TestPairingsOfAddress: one address has so many codes and no more, so it does not push out what another screen shows; all together are
// bounded, too.
func TestPairingsOfAddress(t *testing.T) {
	var p Pairings
	now, screen, flood := time.Now(), netip.MustParseAddr("10.0.0.9"), netip.MustParseAddr("10.0.0.66")
	first, cookie := p.Ask("", screen, now)
	for range 3 * maxPairings {
		p.Ask("", flood, now)
	}
	if again, fresh := p.Ask(cookie, screen, now); fresh != "" || again.Code != first.Code || len(p.all) != 1+pairingsOfAddress {
		t.Errorf("the screen shows %q, then %q, of %d codes", first.Code, again.Code, len(p.all))
	}
	for range maxPairings {
		flood = flood.Next()
		p.Ask("", flood, now)
	}
	if _, fresh := p.Ask(cookie, screen, now); fresh == "" || len(p.all) != maxPairings {
		t.Errorf("%d codes, the oldest still among them: %v", len(p.all), fresh == "")
	}
}
