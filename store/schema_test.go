package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"
)

// until polls for a condition for ten seconds.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(10 * time.Second); !ok(); <-tick.C {
		if time.Now().After(deadline) {
			t.Fatalf("never came true: %s", what)
		}
	}
}

// A database of version 0 is lifted to the current one when it is opened.
func TestOldVersionIsLifted(t *testing.T) {
	cfg := Config{Dir: t.TempDir()}
	s := New(cfg)
	must(t, s.Open(t.Context()))
	must(t, s.Close())
	inFile(t, cfg, func(tx *bbolt.Tx) error {
		for _, b := range []string{bucketTransactions, bucketRecords, bucketExpiring, bucketGone, bucketForgetting, bucketKeys} {
			if err := tx.DeleteBucket([]byte(b)); err != nil {
				return err
			}
		}
		meta := tx.Bucket([]byte(bucketMeta))
		return errors.Join(meta.Delete([]byte(metaCheck)), meta.Put([]byte(metaSchema), []byte{0, 0, 0, 0}))
	})
	if r, err := Check(t.Context(), cfg); err != nil || r.OK() || r.Schema != 0 {
		t.Fatalf("before: %+v, %v", r, err)
	}
	must(t, s.Open(t.Context()))
	must(t, s.Close())
	if r := wantSound(t, cfg); r.Schema != 1 {
		t.Errorf("after: %+v", r)
	}
}

// Steps run in order from the version of the file, all in one commit: when one fails the file stays as it was.
func TestMigrationSteps(t *testing.T) {
	key, err := newSealer(make([]byte, keySize))
	must(t, err)
	path := filepath.Join(t.TempDir(), "test.db")
	must(t, createDatabase(path, key, nil))
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: time.Second})
	must(t, err)
	defer db.Close()

	var ran []string
	step := func(name string, err error) migration {
		return func(tx *bbolt.Tx, _ sealer) error {
			ran = append(ran, name)
			_, created := tx.CreateBucket([]byte(name))
			return errors.Join(created, err)
		}
	}
	state := func() (version uint32, buckets int) {
		must(t, db.View(func(tx *bbolt.Tx) error {
			version, _ = schemaVersion(tx)
			return tx.ForEach(func([]byte, *bbolt.Bucket) error { buckets++; return nil })
		}))
		return version, buckets
	}
	_, before := state()
	broken := errors.New("no")
	if err := migrate(db, key, append(migrations(), step("two", nil), step("three", broken))); !errors.Is(err, broken) {
		t.Errorf("got %v, want the failure of the step", err)
	}
	if v, n := state(); v != 1 || n != before || len(ran) != 2 {
		t.Errorf("after a failed step: version %d, %d buckets, ran %v", v, n, ran)
	}
	ran = nil
	for range 2 {
		must(t, migrate(db, key, append(migrations(), step("two", nil), step("three", nil))))
	}
	if v, n := state(); v != 3 || n != before+2 || len(ran) != 2 || ran[0] != "two" {
		t.Errorf("after: version %d, %d buckets, ran %v", v, n, ran)
	}
	wantError(t, migrate(db, key, migrations()), "newer bawab", "schema 3")
}

// Copies that a power cut left beside the database go when it is opened next.
func TestLeftovers(t *testing.T) {
	cfg := Config{Dir: t.TempDir()}
	must(t, openedAndFilled(t, cfg, 3).Close())
	before := listing(t, cfg.Dir)
	b, err := os.ReadFile(cfg.path())
	must(t, err)
	for _, suffix := range []string{".new", ".salvaged", ".salvaged.new"} {
		write(t, cfg.path()+suffix, b)
	}
	s := New(cfg)
	must(t, s.Open(t.Context()))
	must(t, s.Close())
	if after := listing(t, cfg.Dir); strings.Count(after, "\n") != strings.Count(before, "\n") {
		t.Error("copies were left")
	}
}
