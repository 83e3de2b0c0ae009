package store

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/store/database"
	"github.com/bawab/bawab/store/offline"
	"github.com/bawab/bawab/store/seal"
	"go.etcd.io/bbolt"
)

// wrappedKeysOf returns the wrapped data keys that are in the file now, by id.
func wrappedKeysOf(t testing.TB, s *Store) map[seal.ID][]byte {
	t.Helper()
	out := map[seal.ID][]byte{}
	for k, v := range entriesIn(t, s.cfg, "transactions") {
		h, err := seal.ParseHeader(v)
		must(t, err)
		out[seal.ID([]byte(k))] = h.Wrapped
	}
	return out
}

func fileHolds(t *testing.T, cfg Config, what []byte) bool {
	t.Helper()
	b, err := os.ReadFile(cfg.Folder().Path())
	must(t, err)
	return bytes.Contains(b, what)
}

// Nothing that a person could be told by is in the file in clear, nor ever was.
func TestNothingInClear(t *testing.T) {
	cfg := Config{Dir: t.TempDir()}
	s := openedAndFilled(t, cfg, 50)
	must(t, s.Close())
	for _, clear := range []string{"A0000", "EL-MASRY", "منى", "client 1", "passport", "Documents", "check digit", "till"} {
		if holds := fileHolds(t, cfg, []byte(clear)); holds != (clear == "till") { // the name of an API key is no secret
			t.Errorf("%q in the file: %v", clear, holds)
		}
	}
}

// After an erasure no copy of the wrapped key is left anywhere in the file, however many copies bbolt made of it, so
// not even the appliance key opens what somebody kept of the values. The others are whole.
func TestErasedKeyIsOverwritten(t *testing.T) {
	for name, erase := range map[string]func(t *testing.T, s *Store, clock *appliancetest.Clock, id string){
		"erase": func(t *testing.T, s *Store, _ *appliancetest.Clock, id string) {
			must(t, s.Erase(t.Context(), id))
		},
		"erase after the end": func(t *testing.T, s *Store, clock *appliancetest.Clock, id string) {
			clock.Advance(appliancetest.TTL)
			if err := s.Erase(t.Context(), id); appliance.CodeOf(err) != appliance.CodeTransactionExpired {
				t.Errorf("erase: %v", err)
			}
		},
		"sweep": func(t *testing.T, s *Store, clock *appliancetest.Clock, id string) {
			clock.Advance(appliancetest.TTL)
			if n, err := s.Sweep(t.Context()); n == 0 || err != nil {
				t.Errorf("sweep: %d, %v", n, err)
			}
		},
		"started anew, then sweep": func(t *testing.T, s *Store, clock *appliancetest.Clock, id string) {
			clock.Advance(appliancetest.TTL + appliance.ExpiredMemory + 1)
			must(t, s.Append(t.Context(), id, appliancetest.SampleRecord(1)))
			_, err := s.Sweep(t.Context())
			must(t, err)
		},
		"power lost before the overwriting": func(t *testing.T, s *Store, _ *appliancetest.Clock, id string) {
			must(t, s.write(t.Context(), "erase", func(tb database.Tables) (refusal, failure error) {
				own, err := seal.ParseID(id)
				must(t, err)
				return nil, tb.Erase(own, s.cfg.Now(), s.cfg.Now())
			}))
			must(t, s.Close())
			must(t, s.Open(t.Context()))
		},
	} {
		t.Run(name, func(t *testing.T) {
			clock := appliancetest.NewClock()
			cfg := Config{Dir: t.TempDir(), TTL: appliancetest.TTL, Now: clock.Now}
			s := openedStore(t, cfg)
			for i := range 40 {
				must(t, s.Append(t.Context(), numbered(i), appliancetest.SampleRecord(i)))
			}
			id, err := seal.ParseID(numbered(7))
			must(t, err)
			wrapped := wrappedKeysOf(t, s)[id]
			if len(wrapped) != seal.WrappedSize || !fileHolds(t, cfg, wrapped) {
				t.Fatal("the wrapped key is not in the file before it is erased: the test looks for the wrong thing")
			}
			for i := range 40 { // copies of the header all over the file
				must(t, s.Renew(t.Context(), numbered(i)))
			}
			erase(t, s, clock, id.String())
			if fileHolds(t, cfg, wrapped) {
				t.Error("a copy of the wrapped key is left in the file")
			}
			must(t, s.Close())
			must(t, s.Open(t.Context()))
			if fileHolds(t, cfg, wrapped) {
				t.Error("a copy of the wrapped key came back")
			}
			if name == "erase" {
				for i := range 40 {
					if got, err := s.Transaction(t.Context(), numbered(i)); i != 7 && (err != nil || len(got.Records) != 1) {
						t.Errorf("transaction %d: %v", i, err)
					}
				}
			}
		})
	}
}

// A revoked API key leaves nothing behind either.
func TestRevokedKeyIsOverwritten(t *testing.T) {
	cfg := Config{Dir: t.TempDir()}
	s := openedStore(t, cfg)
	for _, name := range []string{"a longer name", "another"} {
		must(t, s.AddKey(t.Context(), appliancetest.SampleKey(name)))
	}
	must(t, s.RevokeKey(t.Context(), "a longer name"))
	if fileHolds(t, cfg, []byte("a longer name")) || !fileHolds(t, cfg, []byte("another")) {
		t.Error("the wrong key was overwritten")
	}
}

// Overwriting under load never touches a page that a reader or a later commit still needs.
func TestEraseUnderLoad(t *testing.T) {
	s := openedStore(t, Config{Dir: t.TempDir()})
	keep := appliance.NewGUID()
	must(t, s.Append(t.Context(), keep, appliancetest.SampleRecord(1)))
	const workers, rounds = 8, 40
	var wg sync.WaitGroup
	reads := make([]int, workers)
	for w := range workers {
		wg.Go(func() {
			for i := range rounds {
				id := appliance.NewGUID()
				if err := s.Append(t.Context(), id, appliancetest.SampleRecord(i)); err != nil {
					t.Errorf("append: %v", err)
				}
				if got, err := s.Transaction(t.Context(), keep); err != nil || len(got.Records) == 0 {
					t.Errorf("read: %v", err)
				} else {
					reads[w]++
				}
				if err := s.Erase(t.Context(), id); err != nil {
					t.Errorf("erase: %v", err)
				}
				if err := s.Append(t.Context(), keep, appliancetest.SampleRecord(i)); err != nil {
					t.Errorf("append: %v", err)
				}
			}
		})
	}
	wg.Wait()
	got, err := s.Transaction(t.Context(), keep)
	if err != nil || len(got.Records) != 1+workers*rounds {
		t.Errorf("%d records, %v, want %d", len(got.Records), err, 1+workers*rounds)
	}
	for w, n := range reads {
		if n != rounds {
			t.Errorf("worker %d read %d times, want %d", w, n, rounds)
		}
	}
}

// A value that was moved to another transaction, another position or another bucket does not open: the transaction
// says that it is damaged instead of showing somebody else's data, and the check names it.
func TestMovedValues(t *testing.T) {
	for name, move := range map[string]func(records, transactions *bbolt.Bucket, a, b seal.ID) error{
		"record to another transaction": func(records, transactions *bbolt.Bucket, a, b seal.ID) error {
			return records.Put(append(a[:], seal.Sequence(1)...), bytes.Clone(records.Get(append(b[:], seal.Sequence(1)...))))
		},
		"records swapped within one": func(records, transactions *bbolt.Bucket, a, _ seal.ID) error {
			one, two := append(a[:], seal.Sequence(1)...), append(a[:], seal.Sequence(2)...)
			v1, v2 := bytes.Clone(records.Get(one)), bytes.Clone(records.Get(two))
			if err := records.Put(one, v2); err != nil {
				return err
			}
			return records.Put(two, v1)
		},
		"wrapped key of another": func(records, transactions *bbolt.Bucket, a, b seal.ID) error {
			va, vb := bytes.Clone(transactions.Get(a[:])), transactions.Get(b[:])
			copy(va[8:], vb[8:])
			return transactions.Put(a[:], va)
		},
		"state of another": func(records, transactions *bbolt.Bucket, a, b seal.ID) error {
			va, vb := bytes.Clone(transactions.Get(a[:])), transactions.Get(b[:])
			copy(va[8+seal.WrappedSize:], vb[8+seal.WrappedSize:])
			return transactions.Put(a[:], va)
		},
		"state as record": func(records, transactions *bbolt.Bucket, a, _ seal.ID) error {
			return records.Put(append(a[:], seal.Sequence(1)...), bytes.Clone(transactions.Get(a[:])[8+seal.WrappedSize:]))
		},
		"last record dropped": func(records, transactions *bbolt.Bucket, a, _ seal.ID) error {
			return records.Delete(append(a[:], seal.Sequence(2)...))
		},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := Config{Dir: t.TempDir()}
			s := New(cfg)
			must(t, s.Open(t.Context()))
			defer s.Close()
			for range 2 {
				for i := range 2 {
					must(t, s.Append(t.Context(), numbered(i), appliancetest.SampleRecord(i)))
				}
			}
			a, err := seal.ParseID(numbered(0))
			must(t, err)
			b, err := seal.ParseID(numbered(1))
			must(t, err)
			must(t, s.Close())
			inFile(t, cfg, func(tx *bbolt.Tx) error {
				return move(tx.Bucket([]byte("records")), tx.Bucket([]byte("transactions")), a, b)
			})
			must(t, s.Open(t.Context())) // which overwrites the pages where a salvage would find the true values

			got, err := s.Transaction(t.Context(), a.String())
			if got != nil {
				t.Errorf("it opened: %+v", got)
			}
			wantError(t, err, "damaged", "bawab store check")
			if got, err := s.Transaction(t.Context(), b.String()); err != nil || len(got.Records) != 2 {
				t.Errorf("the other one: %v", err)
			}
			r, err := s.Check(t.Context())
			if err != nil || r.OK() || !bytes.Contains([]byte(r.Problems[0]), []byte(a.String())) {
				t.Errorf("check: %+v, %v", r, err)
			}
			must(t, s.Close())
			saved, err := offline.Salvage(t.Context(), cfg.Folder())
			if err != nil || saved.Transactions != 1 || len(saved.Lost) != 1 || saved.Lost[0] != a.String() {
				t.Errorf("salvage: %+v, %v", saved, err)
			}
			wantSound(t, cfg)
		})
	}
}

// The sweeper erases without being asked, and stops with its context.
func TestRun(t *testing.T) {
	clock := appliancetest.NewClock()
	s := openedStore(t, Config{Dir: t.TempDir(), Now: clock.Now})
	must(t, s.Append(t.Context(), numbered(1), appliancetest.SampleRecord(1)))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		s.Run(ctx, time.Millisecond)
		close(done)
	}()
	clock.Advance(time.Hour)
	until(t, "the transaction is swept", func() bool {
		r, err := s.Check(t.Context())
		return err == nil && r.Transactions == 0 && r.Expired == 1
	})
	cancel()
	<-done
}

// sealedValuesOf returns what the file holds of a transaction, and how its content reads in clear.
func sealedValuesOf(t *testing.T, s *Store, idText string) [][]byte {
	t.Helper()
	id, err := seal.ParseID(idText)
	must(t, err)
	var values [][]byte
	must(t, s.view(t.Context(), "look", func(tb database.Tables) error {
		values = tb.SealedValues(id)
		return nil
	}))
	return values
}

// After a proven erasure no byte string of the folder, nor of a backup, a compaction, a rotation or a restart made later,
// holds the plaintext, a sealed value or a wrapped key of the transaction, and the old appliance key opens nothing of it.
func TestEraseProven(t *testing.T) {
	cfg := Config{Dir: t.TempDir()}
	s := openedAndFilled(t, cfg, 30)
	id := numbered(7)
	secret := "PLAINTEXT-OF-A-PERSON"
	for n := range 4 {
		r := appliancetest.SampleRecord(n)
		r.RequestID = string(bytes.Repeat([]byte(secret), 1+n*100))
		must(t, s.Append(t.Context(), id, r))
	}
	for i := range 30 { // copies all over the file
		must(t, s.Renew(t.Context(), numbered(i)))
	}
	values := append(sealedValuesOf(t, s, id), []byte(secret))
	oldKey := s.db.Key()
	e, err := s.EraseProven(t.Context(), id)
	size, _ := s.Size()
	if err != nil || e.Records != 5 || e.Searched != size || len(e.Elsewhere) != 0 {
		t.Fatalf("%+v, %v", e, err)
	}
	nothingLeft := func(step string) {
		t.Helper()
		must(t, filepath.WalkDir(cfg.Dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			b, err := os.ReadFile(path)
			for _, v := range values {
				for at := 0; at+16 <= len(v); at += 16 {
					if bytes.Contains(b, v[at:at+16]) {
						t.Errorf("%s: %s still holds byte %d of a value of %d bytes", step, path, at, len(v))
						break
					}
				}
			}
			return err
		}))
	}
	nothingLeft("erase")
	// The old key is tried on every place of the file where a wrapped key could begin.
	own, err := seal.ParseID(id)
	must(t, err)
	file, err := os.ReadFile(cfg.Folder().Path())
	must(t, err)
	for at := 0; at+seal.WrappedSize <= len(file); at++ {
		if file[at] == 0 && file[at+1] == 0 {
			continue
		}
		if _, err := oldKey.Open(file[at:at+seal.WrappedSize], seal.PurposeDataKey, own[:]); err == nil {
			t.Fatalf("the data key opens at byte %d", at)
		}
	}
	_, err = s.Backup(t.Context(), filepath.Join(cfg.Dir, "saved"))
	must(t, err)
	nothingLeft("backup")
	_, err = s.Compact(t.Context())
	must(t, err)
	nothingLeft("compaction")
	_, err = s.RotateKey(t.Context(), nil)
	must(t, err)
	nothingLeft("rotation")
	must(t, s.Close())
	must(t, s.Open(t.Context()))
	nothingLeft("restart")
	must(t, s.Close())
	wantSound(t, cfg)
}

// What cannot be erased says so: an unknown transaction, one that was erased already, and one that ended. Copies that the
// erasure does not reach are named.
func TestEraseProvenSays(t *testing.T) {
	clock := appliancetest.NewClock()
	cfg := Config{Dir: t.TempDir(), Now: clock.Now}
	s := openedAndFilled(t, cfg, 3)
	defer s.Close()
	for id, want := range map[string]appliance.Code{numbered(99): appliance.CodeTransactionUnknown, "x": appliance.CodeBadRequest} {
		if _, err := s.EraseProven(t.Context(), id); appliance.CodeOf(err) != want {
			t.Errorf("%s: %v", id, err)
		}
	}
	kept := filepath.Join(cfg.Dir, "bawab.db.damaged-1")
	b, err := os.ReadFile(cfg.Folder().Path())
	must(t, err)
	write(t, kept, b)
	if e, err := s.EraseProven(t.Context(), numbered(0)); err != nil || len(e.Elsewhere) != 1 || e.Elsewhere[0] != kept {
		t.Errorf("%+v, %v", e, err)
	}
	must(t, os.Remove(kept))
	if _, err := s.EraseProven(t.Context(), numbered(0)); appliance.CodeOf(err) != appliance.CodeTransactionExpired {
		t.Errorf("again: %v", err)
	}
	clock.Advance(time.Hour) // ended, not swept yet
	if e, err := s.EraseProven(t.Context(), numbered(1)); err != nil || e.Records != 1 {
		t.Errorf("ended: %+v, %v", e, err)
	}
}

// The search finds a sample wherever it lies, also across the borders of what is read at a time.
func TestSearchFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	sample := bytes.Repeat([]byte("s"), sampleSize)
	for _, at := range []int{0, 1, 1<<20 - sampleSize, 1<<20 - 5, 1 << 20, 2<<20 - 1, 3<<20 - sampleSize} {
		b := make([]byte, 3<<20)
		copy(b[at:], sample)
		write(t, path, b)
		if found, _, err := searchFile(t.Context(), path, [][]byte{sample}); !found || err != nil {
			t.Errorf("at %d: %v, %v", at, found, err)
		}
	}
	write(t, path, make([]byte, 3<<20))
	if found, n, err := searchFile(t.Context(), path, [][]byte{sample}); found || n != 3<<20 || err != nil {
		t.Errorf("absent: %v, %d, %v", found, n, err)
	}
}
