package store

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/store/database"
	"github.com/bawab/bawab/store/offline"
	"github.com/bawab/bawab/store/seal"
	"github.com/google/go-cmp/cmp"
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
		for _, b := range []string{"transactions", "records", "expiring", "gone", "forgetting", "keys"} {
			if err := tx.DeleteBucket([]byte(b)); err != nil {
				return err
			}
		}
		meta := tx.Bucket([]byte("meta"))
		return errors.Join(meta.Delete([]byte("check")), meta.Put([]byte("schema"), []byte{0, 0, 0, 0}))
	})
	if r, err := offline.Check(t.Context(), cfg.Folder()); err != nil || r.OK() || r.Schema != 0 {
		t.Fatalf("before: %+v, %v", r, err)
	}
	must(t, s.Open(t.Context()))
	must(t, s.Close())
	if r := wantSound(t, cfg); r.Schema != database.NewestSchema() {
		t.Errorf("after: %+v", r)
	}
}

// A database of version 1, whose ends of life were not bound to the transactions, is lifted with all that it holds; a
// transaction that was damaged before stays so and does not hinder the others.
func TestEndsOfLifeAreBound(t *testing.T) {
	cfg := Config{Dir: t.TempDir()}
	s := openedAndFilled(t, cfg, 3)
	var want []*appliance.Transaction
	for i := range 3 {
		got, err := s.Transaction(t.Context(), numbered(i))
		must(t, err)
		want = append(want, got)
	}
	key := s.db.Key()
	must(t, s.Close())
	inFile(t, cfg, func(tx *bbolt.Tx) error {
		b := tx.Bucket([]byte("transactions"))
		for i := range want {
			id, err := seal.ParseID(numbered(i))
			must(t, err)
			h, err := seal.ParseHeader(b.Get(id[:]))
			must(t, err)
			data, st, err := key.DataKey(id, h)
			must(t, err)
			h.State = data.Seal(st.Bytes(), "bawab store 1: state", id[:])
			h.State[0] ^= byte(i / 2) // the last one is damaged
			must(t, b.Put(id[:], h.Bytes()))
		}
		return tx.Bucket([]byte("meta")).Put([]byte("schema"), []byte{0, 0, 0, 1})
	})
	must(t, s.Open(t.Context()))
	for i := range 2 {
		if got, err := s.Transaction(t.Context(), numbered(i)); err != nil || !cmp.Equal(got, want[i]) {
			t.Errorf("transaction %d: %+v, %v", i, got, err)
		}
	}
	if _, err := s.Transaction(t.Context(), numbered(2)); appliance.CodeOf(err) != appliance.CodeInternal {
		t.Errorf("damaged transaction: %v", err)
	}
	must(t, s.Close())
}

// An end of life that was changed in the file, later or earlier, is damage and no end.
func TestChangedEndOfLife(t *testing.T) {
	for name, by := range map[string]time.Duration{"later": time.Hour, "earlier": -100 * time.Hour} {
		cfg := Config{Dir: t.TempDir()}
		s := openedAndFilled(t, cfg, 1)
		id, err := seal.ParseID(numbered(0))
		must(t, err)
		must(t, s.Close())
		inFile(t, cfg, func(tx *bbolt.Tx) error {
			transactions, expiring := tx.Bucket([]byte("transactions")), tx.Bucket([]byte("expiring"))
			h, err := seal.ParseHeader(bytes.Clone(transactions.Get(id[:])))
			must(t, err)
			must(t, expiring.Delete(append(seal.TimeBytes(h.Expires), id[:]...)))
			h.Expires = h.Expires.Add(by)
			must(t, expiring.Put(append(seal.TimeBytes(h.Expires), id[:]...), nil))
			return transactions.Put(id[:], h.Bytes())
		})
		must(t, s.Open(t.Context()))
		for step, err := range map[string]error{
			"read":   func() error { _, err := s.Transaction(t.Context(), numbered(0)); return err }(),
			"append": s.Append(t.Context(), numbered(0), appliance.Record{}),
			"renew":  s.Renew(t.Context(), numbered(0)),
		} {
			if appliance.CodeOf(err) != appliance.CodeInternal {
				t.Errorf("%s, %s: %v", name, step, err)
			}
		}
		if err := s.Erase(t.Context(), numbered(0)); by > 0 && err != nil {
			t.Errorf("%s, erase: %v", name, err)
		}
		must(t, s.Close())
	}
}

// Copies that a power cut left beside the database go when it is opened next.
func TestLeftovers(t *testing.T) {
	cfg := Config{Dir: t.TempDir()}
	must(t, openedAndFilled(t, cfg, 3).Close())
	before := listing(t, cfg.Dir)
	b, err := os.ReadFile(cfg.Folder().Path())
	must(t, err)
	for _, suffix := range []string{".new", ".salvaged", ".salvaged.new"} {
		write(t, cfg.Folder().Path()+suffix, b)
	}
	s := New(cfg)
	must(t, s.Open(t.Context()))
	must(t, s.Close())
	if after := listing(t, cfg.Dir); strings.Count(after, "\n") != strings.Count(before, "\n") {
		t.Error("copies were left")
	}
}
