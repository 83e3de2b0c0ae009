package audit

import (
	"sync/atomic"
	"testing"
)

// BenchmarkNote measures durable entries, by one caller and by sixteen at once.
func BenchmarkNote(b *testing.B) {
	for name, callers := range map[string]int{"1 caller": 1, "16 callers": 16} {
		b.Run(name, func(b *testing.B) {
			j := New(Config{Dir: b.TempDir(), Identity: identity(b, 1)})
			if err := j.Open(b.Context()); err != nil {
				b.Fatal(err)
			}
			defer j.Close()
			var left atomic.Int64
			left.Store(int64(b.N))
			done := make(chan error, callers)
			b.ResetTimer()
			for range callers {
				go func() {
					for left.Add(-1) >= 0 {
						if err := j.Note(b.Context(), decision(1)); err != nil {
							done <- err
							return
						}
					}
					done <- nil
				}()
			}
			for range callers {
				if err := <-done; err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "entries/s")
		})
	}
}
