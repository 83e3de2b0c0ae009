package store

import (
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
)

// A record costs the same whatever its transaction holds: one more beside all that a transaction may hold
// allocates no more than one beside a few.
func TestCostOfARecord(t *testing.T) {
	s := New(Config{Dir: t.TempDir(), Now: appliancetest.NewClock().Now})
	must(t, s.Open(t.Context()))
	defer s.Close()
	id, r := appliance.NewGUID(), appliancetest.SampleRecord(1)
	// AllocsPerRun adds a call to warm up.
	few := testing.AllocsPerRun(7, func() { must(t, s.Append(t.Context(), id, r)) })
	for range appliance.MostDocuments + appliance.MostFaceResults {
		must(t, s.Append(t.Context(), id, r))
	}
	many := testing.AllocsPerRun(7, func() { must(t, s.Append(t.Context(), id, r)) })
	if many > few*1.25 {
		t.Errorf("a record takes %.0f allocations beside 8 others and %.0f beside 100", few, many)
	}
}

// BenchmarkFullTransaction measures reading a transaction that holds all that one may.
func BenchmarkFullTransaction(b *testing.B) {
	s, id, r := benchStore(b, appliancetest.NewClock()), appliance.NewGUID(), appliancetest.SampleRecord(1)
	for range appliance.MostDocuments + appliance.MostFaceResults {
		must(b, s.Append(b.Context(), id, r))
	}
	for b.Loop() {
		if _, err := s.Transaction(b.Context(), id); err != nil {
			b.Fatal(err)
		}
	}
}
