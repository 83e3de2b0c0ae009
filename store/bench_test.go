package store

import (
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
)

func benchStore(b *testing.B, clock *appliancetest.Clock) *Store {
	b.Helper()
	s := New(Config{Dir: b.TempDir(), Now: clock.Now})
	must(b, s.Open(b.Context()))
	b.Cleanup(func() { must(b, s.Close()) })
	return s
}

// BenchmarkAppend measures a durable record in a transaction of its own, by one caller and by many at once, who share the
// cost of a sync.
func BenchmarkAppend(b *testing.B) {
	for name, callers := range map[string]int{"1 caller": 1, "16 callers": 16, "64 callers": 64} {
		b.Run(name, func(b *testing.B) {
			s, r := benchStore(b, appliancetest.NewClock()), appliancetest.SampleRecord(1)
			var left atomic.Int64
			left.Store(int64(b.N))
			done := make(chan error, callers)
			b.ResetTimer()
			for range callers {
				go func() {
					for left.Add(-1) >= 0 {
						if err := s.Append(b.Context(), appliance.NewGUID(), r); err != nil {
							done <- err
							return
						}
					}
					done <- nil
				}()
			}
			for range callers {
				must(b, <-done)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "appends/s")
		})
	}
}

// fill puts n transactions of one record each into a store.
func fill(b *testing.B, s *Store, n int) {
	b.Helper()
	r := appliancetest.SampleRecord(1)
	done := make(chan error, 64)
	var next atomic.Int64
	for range cap(done) {
		go func() {
			for i := next.Add(1); i <= int64(n); i = next.Add(1) {
				if err := s.Append(b.Context(), numbered(int(i)), r); err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range cap(done) {
		must(b, <-done)
	}
}

// BenchmarkTransaction measures reading one of 10,000 transactions.
func BenchmarkTransaction(b *testing.B) {
	s := benchStore(b, appliancetest.NewClock())
	fill(b, s, 10000)
	b.ResetTimer()
	for i := range b.N {
		if _, err := s.Transaction(b.Context(), numbered(1+i%10000)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkErase measures the erasure of one among 1,000 transactions, overwriting and sync included.
func BenchmarkErase(b *testing.B) {
	s := benchStore(b, appliancetest.NewClock())
	fill(b, s, 1000)
	for b.Loop() {
		id := appliance.NewGUID()
		must(b, s.Append(b.Context(), id, appliancetest.SampleRecord(1)))
		must(b, s.Erase(b.Context(), id))
	}
}

// BenchmarkSweep10000 measures the erasure of 10,000 transactions that ended.
func BenchmarkSweep10000(b *testing.B) {
	for range b.N {
		b.StopTimer()
		clock := appliancetest.NewClock()
		s := benchStore(b, clock)
		fill(b, s, 10000)
		clock.Advance(time.Hour)
		b.StartTimer()
		if n, err := s.Sweep(b.Context()); n != 10000 || err != nil {
			b.Fatal(n, err)
		}
	}
}

// BenchmarkOpen10000 measures start-up with 10,000 transactions: structure, indexes and API keys are verified.
func BenchmarkOpen10000(b *testing.B) {
	s := benchStore(b, appliancetest.NewClock())
	fill(b, s, 10000)
	b.ResetTimer()
	for range b.N {
		must(b, s.Close())
		must(b, s.Open(b.Context()))
	}
	size, err := s.Size()
	must(b, err)
	b.ReportMetric(float64(size)/1e6, "MB")
}

// BenchmarkBackup measures a backup of 10,000 transactions, every value opened.
func BenchmarkBackup(b *testing.B) {
	s := benchStore(b, appliancetest.NewClock())
	fill(b, s, 10000)
	for b.Loop() {
		path := filepath.Join(b.TempDir(), "saved")
		_, err := s.Backup(b.Context(), path)
		must(b, errors.Join(err, os.Remove(path)))
	}
}

// BenchmarkRotateKey measures a change of the appliance key under 10,000 transactions.
func BenchmarkRotateKey(b *testing.B) {
	s := benchStore(b, appliancetest.NewClock())
	fill(b, s, 10000)
	for b.Loop() {
		_, err := s.RotateKey(b.Context(), nil)
		must(b, err)
	}
}

// BenchmarkCompact measures the rewriting of 10,000 transactions.
func BenchmarkCompact(b *testing.B) {
	s := benchStore(b, appliancetest.NewClock())
	fill(b, s, 10000)
	for b.Loop() {
		_, err := s.Compact(b.Context())
		must(b, err)
	}
}
