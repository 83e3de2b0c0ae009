package access

import (
	"bytes"
	"net/netip"
	"testing"
	"time"
)

// Sessions are bounded: the one that was used the longest ago makes room.
func TestSessionsBounded(t *testing.T) {
	var s sessions
	now := time.Unix(0, 0)
	first, _ := s.begin([32]byte{}, netip.Addr{}, now)
	for i := range maxSessions {
		s.begin([32]byte{}, netip.Addr{}, now.Add(time.Duration(i+1)*time.Second))
	}
	if _, ok := s.find(first, netip.Addr{}, true, now.Add(5*time.Minute)); ok || len(s.all) != maxSessions {
		t.Errorf("%d sessions are kept, the first is found: %v", len(s.all), ok)
	}
}

// TestTickets: tickets are bounded in number and time, and all differ.
func TestTickets(t *testing.T) {
	var all tickets
	now := time.Now()
	first := all.issue("a", false, now)
	seen := map[string]bool{}
	for range maxTickets {
		seen[all.issue("b", true, now)] = true
	}
	last := all.issue("c", true, now)
	if k, ok := all.find(last, now); !ok || k.key != "c" || bytes.Contains(k.secret[:], []byte(last[:8])) {
		t.Errorf("the youngest: %+v, %v", k, ok)
	}
	if _, ok := all.find(first, now); ok || len(all.all) != maxTickets || len(seen) != maxTickets {
		t.Errorf("%d tickets, %d secrets, the oldest found: %v", len(all.all), len(seen), ok)
	}
	if _, ok := all.find("", now.Add(TicketLife)); ok || len(all.all) != 0 {
		t.Errorf("%d tickets outlive a minute", len(all.all))
	}
}
