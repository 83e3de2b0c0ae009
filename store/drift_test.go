package store

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/bawab/bawab/store/offline"
	"github.com/google/go-cmp/cmp"
	"go.etcd.io/bbolt"
)

// Counts outlive a restart, a change of the appliance key, a compaction, the restore of an older backup and a salvage, and a database from
// before there were any is lifted.
func TestDriftKept(t *testing.T) {
	cfg := Config{Dir: filepath.Join(t.TempDir(), "data")}
	s := openedStore(t, cfg)
	must(t, s.KeepDrift(t.Context(), map[string][]byte{"state": []byte(`{}`), "day 2026-11-01": []byte(`{"a":1}`)}, nil))
	saved := cfg.Dir + ".saved"
	_, err := s.Backup(t.Context(), saved)
	must(t, err)
	must(
		t,
		s.KeepDrift(t.Context(), map[string][]byte{"state": []byte(`{"b":2}`), "day 2026-11-02": []byte(`{}`)}, []string{"day 2026-11-01"}),
	)
	want := map[string][]byte{"state": []byte(`{"b":2}`), "day 2026-11-02": []byte(`{}`)}
	wantKept := func(when string) {
		t.Helper()
		got, err := s.Drift(t.Context())
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", when, err, diff)
		}
	}
	again := func(when string, do func() error) {
		t.Helper()
		must(t, s.Close())
		must(t, do())
		must(t, s.Open(t.Context()))
		wantKept(when)
	}
	wantKept("kept")
	again("restored", func() error {
		_, err := offline.Restore(t.Context(), cfg.Folder(), saved, "")
		return err
	})
	_, err = s.RotateKey(t.Context(), nil)
	must(t, err)
	_, err = s.Compact(t.Context())
	must(t, err)
	again("opened again", func() error { return nil })
	again("salvaged", func() error {
		b, err := os.ReadFile(cfg.Folder().Path())
		must(t, err)
		b[0] ^= 1
		write(t, cfg.Folder().Path(), b)
		_, err = offline.Salvage(t.Context(), cfg.Folder())
		return err
	})
	must(t, s.Close())
	inFile(t, cfg, func(tx *bbolt.Tx) error {
		must(t, tx.DeleteBucket([]byte("drift")))
		return tx.Bucket([]byte("meta")).Put([]byte("schema"), []byte{0, 0, 0, 4})
	})
	must(t, s.Open(t.Context()))
	want = map[string][]byte{}
	wantKept("lifted")
}
