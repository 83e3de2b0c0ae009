package store

import (
	"path/filepath"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/store/offline"
	"github.com/bawab/bawab/store/seal"
	"go.etcd.io/bbolt"
)

// What was counted stays counted, whatever is done to the database: it is opened again, gets another appliance key, is
// compacted, or restored from a backup. A transaction without attempts is stored as versions wrote it that did not count.
func TestAttemptsStay(t *testing.T) {
	cfg := Config{Dir: t.TempDir()}
	s := openedStore(t, cfg)
	counted, fresh := numbered(1), numbered(2)
	for _, id := range []string{counted, fresh} {
		must(t, s.Append(t.Context(), id, appliancetest.SampleRecord(1)))
	}
	for range 3 {
		must(t, s.Attempt(t.Context(), counted, 3))
	}
	want := func(s *Store, when string) {
		t.Helper()
		for id, n := range map[string]int{counted: 3, fresh: 0} {
			got, err := s.Transaction(t.Context(), id)
			if err != nil || got.Attempts != n || len(got.Records) != 1 {
				t.Errorf("%s: %+v, %v, want %d attempts", when, got, err, n)
			}
		}
		if err := s.Attempt(t.Context(), counted, 3); appliance.CodeOf(err) != appliance.CodeTooManyAttempts {
			t.Errorf("%s: another attempt: %v", when, err)
		}
	}
	want(s, "at once")
	_, err := s.RotateKey(t.Context(), nil)
	must(t, err)
	want(s, "under another key")
	backup := filepath.Join(t.TempDir(), "copy")
	_, err = s.Backup(t.Context(), backup)
	must(t, err)
	must(t, s.Close())
	wantSound(t, cfg)
	s = openedStore(t, cfg)
	want(s, "opened again")
	must(t, s.Close())
	_, err = offline.Restore(t.Context(), cfg.Folder(), backup, "")
	must(t, err)
	s = openedStore(t, cfg)
	want(s, "restored")
	_, err = s.Compact(t.Context())
	must(t, err)
	want(s, "compacted")
	must(t, s.Close())
	inFile(t, cfg, func(tx *bbolt.Tx) error {
		lengths := map[int]int{}
		err := tx.Bucket([]byte("transactions")).ForEach(func(_, v []byte) error {
			lengths[len(v)]++
			if !seal.IsHeader(v) {
				t.Errorf("a header of %d bytes", len(v))
			}
			return nil
		})
		if len(lengths) != 2 {
			t.Errorf("lengths of headers %v: one without attempts is to stay as it was", lengths)
		}
		return err
	})
}
