package access

import (
	"net/netip"
	"testing"
	"time"
)

// TestMemoryOfRates: however many addresses call, the memory for them is bounded, and the one that calls on stays
// limited.
func TestMemoryOfRates(t *testing.T) {
	r, now, first := Rates[netip.Addr]{}, time.Unix(1e9, 0), netip.MustParseAddr("10.255.255.255")
	r.Take(first, 1, now)
	for n := range 3 * maxTracked {
		r.Take(netip.AddrFrom4([4]byte{10, byte(n >> 16), byte(n >> 8), byte(n)}), 1, now)
		if tracked := len(r.young) + len(r.old); tracked > maxTracked {
			t.Fatalf("%d addresses", tracked)
		}
		if n%1000 == 0 && r.Take(first, 1, now) == 0 {
			t.Fatal("the persistent address was forgotten")
		}
	}
}

// TestMemoryOfAddresses: however many addresses guess, the memory for them is bounded, and the one that guesses now is
// not forgotten for them.
func TestMemoryOfAddresses(t *testing.T) {
	w, now := wrongKeys{}, time.Unix(1e9, 0)
	first := netip.MustParseAddr("10.255.255.255")
	for n := range 3 * maxTracked {
		now = now.Add(time.Millisecond)
		w.add(netip.AddrFrom4([4]byte{10, byte(n >> 16), byte(n >> 8), byte(n)}), 2, now)
		if tracked := len(w.young) + len(w.old); tracked > maxTracked {
			t.Fatalf("%d addresses", tracked)
		}
		if n%1000 == 0 {
			w.add(first, 2, now)
		}
	}
	if w.add(first, 2, now) == 0 {
		t.Error("the persistent address was forgotten")
	}
	if wait := w.add(first, 2, now.Add(time.Minute)); wait != 0 {
		t.Errorf("a minute later it still has to wait %v", wait)
	}
}
