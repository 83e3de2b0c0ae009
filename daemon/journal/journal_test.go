package journal

import (
	"sync/atomic"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/store"
)

// BenchmarkDecision measures what a durable decision costs: a record in a transaction of its own and, where the name says
// so, its entry in the journal.
func BenchmarkDecision(b *testing.B) {
	for _, tt := range []struct {
		name      string
		callers   int
		journaled bool
	}{{"1 caller", 1, false}, {"1 caller, journaled", 1, true}, {"16 callers", 16, false}, {"16 callers, journaled", 16, true}} {
		b.Run(tt.name, func(b *testing.B) {
			dir := b.TempDir()
			s := store.New(store.Config{Dir: dir})
			if err := s.Open(b.Context()); err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			j, err := Open(b.Context(), &configs.Config{Data: dir}, s, nil)
			if err != nil {
				b.Fatal(err)
			}
			defer j.Close()
			record := appliancetest.SampleRecord(1)
			decide := func() error {
				id := appliance.NewGUID()
				if err := s.Append(b.Context(), id, record); err != nil || !tt.journaled {
					return err
				}
				return j.Note(
					b.Context(),
					appliance.Decision{Endpoint: record.Endpoint, RequestID: id, TransactionID: id, Documents: record.Documents}.Entry(),
				)
			}
			var left atomic.Int64
			left.Store(int64(b.N))
			done := make(chan error, tt.callers)
			b.ResetTimer()
			for range tt.callers {
				go func() {
					for left.Add(-1) >= 0 {
						if err := decide(); err != nil {
							done <- err
							return
						}
					}
					done <- nil
				}()
			}
			for range tt.callers {
				if err := <-done; err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "decisions/s")
		})
	}
}
