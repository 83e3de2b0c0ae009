package store

import (
	"runtime"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
)

// What ended is forgotten after a day: whatever has come and gone, the buckets that remember are empty then, and so is
// the file of everything else.
func TestEndedIsForgotten(t *testing.T) {
	clock := appliancetest.NewClock()
	cfg := Config{Dir: t.TempDir(), Now: clock.Now, TTL: appliancetest.TTL}
	s := openedStore(t, cfg)
	most := 0
	for day := range 6 {
		for i := range 40 {
			must(t, s.Append(t.Context(), numbered(100*day+i), appliancetest.SampleRecord(i)))
		}
		must(t, s.Erase(t.Context(), numbered(100*day)))
		clock.Advance(appliancetest.TTL)
		_, err := s.Sweep(t.Context())
		must(t, err)
		r, err := s.Check(t.Context())
		must(t, err)
		most = max(most, r.Expired)
		clock.Advance(12 * time.Hour)
	}
	if most > 3*40 {
		t.Errorf("%d ended transactions remembered at once, want those of a day", most)
	}
	clock.Advance(appliance.ExpiredMemory + 1)
	_, err := s.Sweep(t.Context())
	must(t, err)
	for _, name := range []string{"transactions", "records", "expiring", "gone", "forgetting"} {
		if n := len(entriesIn(t, cfg, name)); n != 0 {
			t.Errorf("bucket %s still has %d entries", name, n)
		}
	}
}

// A clock that was years ahead and is set right again leaves no transaction that lives for years, and no memory of one:
// the next sweep gives them the life that they should have had. Corrections of seconds change nothing.
func TestClockWasAhead(t *testing.T) {
	clock := appliancetest.NewClock()
	cfg := Config{Dir: t.TempDir(), Now: clock.Now, TTL: appliancetest.TTL}
	s := openedStore(t, cfg)
	must(t, s.Append(t.Context(), numbered(1), appliancetest.SampleRecord(1)))
	clock.Advance(5 * 365 * 24 * time.Hour)
	for i := 2; i < 5; i++ {
		must(t, s.Append(t.Context(), numbered(i), appliancetest.SampleRecord(i)))
	}
	must(t, s.Erase(t.Context(), numbered(4)))
	clock.Advance(-5 * 365 * 24 * time.Hour)
	_, err := s.Sweep(t.Context())
	must(t, err)
	for i := 2; i < 4; i++ {
		got, err := s.Transaction(t.Context(), numbered(i))
		if err != nil || len(got.Records) != 1 || got.Expires.Sub(clock.Now()) != appliancetest.TTL {
			t.Errorf("transaction %d: %+v, %v", i, got, err)
		}
	}
	clock.Advance(-30 * time.Second)
	before, err := s.Transaction(t.Context(), numbered(2))
	must(t, err)
	_, err = s.Sweep(t.Context())
	must(t, err)
	if after, err := s.Transaction(t.Context(), numbered(2)); err != nil || !after.Expires.Equal(before.Expires) {
		t.Errorf("after a small correction: %+v, %v", after, err)
	}
	clock.Advance(appliancetest.TTL + time.Minute)
	if n, err := s.Sweep(t.Context()); n != 3 || err != nil {
		t.Errorf("%d erased, %v, want all", n, err)
	}
	clock.Advance(appliance.ExpiredMemory + time.Hour)
	_, err = s.Sweep(t.Context())
	must(t, err)
	if r, err := s.Check(t.Context()); err != nil || r.Expired != 0 || r.Transactions != 0 {
		t.Errorf("still remembered: %+v, %v", r, err)
	}
}

// A store through which thousands of transactions pass stays as it is: neither its memory nor its file grows with them.
func TestStaysFlat(t *testing.T) {
	clock := appliancetest.NewClock()
	cfg := Config{Dir: memoryFolder(t), Now: clock.Now, TTL: appliancetest.TTL}
	s := New(cfg)
	must(t, s.Open(t.Context()))
	rounds, n := 30, 0
	if testing.Short() {
		rounds = 12
	}
	measure := func() (heap uint64, size int64) {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		size, err := s.Size()
		must(t, err)
		return m.HeapAlloc, size
	}
	var heap uint64
	var size int64
	for round := range rounds {
		for range 100 {
			must(t, s.Append(t.Context(), numbered(n), appliancetest.SampleRecord(n)))
			n++
		}
		clock.Advance(appliance.ExpiredMemory / 5)
		_, err := s.Sweep(t.Context())
		must(t, err)
		if round == rounds/2 {
			heap, size = measure()
		}
	}
	endHeap, endSize := measure()
	if endHeap > heap+heap/20+64<<10 || endSize > size {
		t.Errorf("after %d transactions %d bytes of memory and %d of file, after %d %d and %d", n/2, heap, size, n, endHeap, endSize)
	}
	must(t, s.Close())
	wantSound(t, cfg)
}
