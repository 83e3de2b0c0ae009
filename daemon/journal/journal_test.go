package journal

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/store"
)

// A decision names the model set in use, with details or without, and the caller's details stay as they were.
func TestDecisionNamesModels(t *testing.T) {
	dir := t.TempDir()
	s := store.New(store.Config{Dir: dir})
	if err := s.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	j, err := Open(t.Context(), &configs.Config{Data: dir}, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	j.Models = func() string { return "set-7" }
	for _, detail := range []map[string]string{nil, {"code": "0"}} {
		before := maps.Clone(detail)
		if err := j.Note(t.Context(), appliance.Entry{Kind: appliance.EntryDecision, Subject: "ocr/passport", Detail: detail}); err != nil {
			t.Error(err)
		}
		if !maps.Equal(detail, before) {
			t.Errorf("the caller's details are %v, were %v", detail, before)
		}
	}
	named := 0
	if err := filepath.WalkDir(filepath.Join(dir, "audit"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		named += bytes.Count(b, []byte("set-7"))
		return err
	}); err != nil || named != 2 {
		t.Errorf("%d entries name the set, %v", named, err)
	}
}

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
