package store

import (
	"bytes"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/store/database"
	"github.com/bawab/bawab/store/offline"
	"github.com/bawab/bawab/store/seal"
	"go.etcd.io/bbolt"
)

// publicKey returns the public key of an open store's identity.
func publicKey(t *testing.T, s *Store) []byte {
	t.Helper()
	id, err := s.Identity(t.Context())
	must(t, err)
	return id.Public()
}

// The identity is made with the database, no two appliances share one, it stays over a restart, and its seed never lies
// in the file in clear.
func TestIdentity(t *testing.T) {
	cfg := Config{Dir: t.TempDir()}
	s := openedStore(t, cfg)
	first := publicKey(t, s)
	other := openedStore(t, Config{Dir: t.TempDir()})
	if bytes.Equal(first, publicKey(t, other)) {
		t.Error("two appliances have one identity")
	}
	seed, err := s.db.Key().Open(entriesIn(t, cfg, "meta")["identity"], seal.PurposeIdentity)
	must(t, err)
	if len(seed) != 32 || fileHolds(t, cfg, seed) {
		t.Errorf("a seed of %d bytes lies in the file in clear, or is none", len(seed))
	}
	must(t, s.Close())
	if _, err := s.Identity(t.Context()); appliance.CodeOf(err) != appliance.CodeUnavailable {
		t.Errorf("closed: %v", err)
	}
	must(t, s.Open(t.Context()))
	if !bytes.Equal(first, publicKey(t, s)) {
		t.Error("the identity changed with a restart")
	}
}

// A database from before there were identities gets one when it is opened, and not with a wrong key.
func TestIdentityIsAdded(t *testing.T) {
	cfg := Config{Dir: t.TempDir()}
	s := openedAndFilled(t, cfg, 2)
	must(t, s.Close())
	inFile(t, cfg, func(tx *bbolt.Tx) error {
		meta := tx.Bucket([]byte("meta"))
		must(t, meta.Delete([]byte("identity")))
		return meta.Put([]byte("schema"), []byte{0, 0, 0, 2})
	})
	key, err := os.ReadFile(cfg.Dir + "/" + database.KeyName)
	must(t, err)
	write(t, cfg.Dir+"/"+database.KeyName, make([]byte, seal.KeySize))
	wantError(t, New(cfg).Open(t.Context()), "not the one that sealed")
	write(t, cfg.Dir+"/"+database.KeyName, key)
	must(t, s.Open(t.Context()))
	first := publicKey(t, s)
	must(t, s.Close())
	must(t, s.Open(t.Context()))
	if !bytes.Equal(first, publicKey(t, s)) {
		t.Error("the identity changed with a restart")
	}
	must(t, s.Close())
	wantSound(t, cfg)
}

// A salvage keeps the identity where it can be read, and says so where it made a new one; a damaged one keeps the store
// from opening.
func TestIdentityInDamage(t *testing.T) {
	for name, lose := range map[string]bool{"kept": false, "lost": true} {
		t.Run(name, func(t *testing.T) {
			cfg := Config{Dir: t.TempDir()}
			s := openedAndFilled(t, cfg, 3)
			first := publicKey(t, s)
			must(t, s.Close())
			if lose {
				inFile(t, cfg, func(tx *bbolt.Tx) error {
					meta := tx.Bucket([]byte("meta"))
					v := bytes.Clone(meta.Get([]byte("identity")))
					v[20] ^= 1
					return meta.Put([]byte("identity"), v)
				})
				wantError(t, New(cfg).Open(t.Context()), "damaged", "bawab store salvage")
				inFile(t, cfg, func(tx *bbolt.Tx) error { return tx.Bucket([]byte("keys")).Put([]byte("x"), []byte("y")) })
				inFile(t, cfg, func(tx *bbolt.Tx) error { return tx.Bucket([]byte("keys")).Delete([]byte("x")) })
				dropFreePages(t, cfg)
			}
			b, err := os.ReadFile(cfg.Folder().Path())
			must(t, err)
			b[0] ^= 1
			write(t, cfg.Folder().Path(), b)
			r, err := offline.Salvage(t.Context(), cfg.Folder())
			if err != nil || r.NewIdentity != lose || r.Transactions != 3 {
				t.Fatalf("%+v, %v", r, err)
			}
			must(t, s.Open(t.Context()))
			defer s.Close()
			if bytes.Equal(first, publicKey(t, s)) == lose {
				t.Errorf("the identity is not what the report says: %+v", r)
			}
		})
	}
}

// dropFreePages rewrites the file of a closed store without the pages that hold nothing.
func dropFreePages(t *testing.T, cfg Config) {
	t.Helper()
	path := cfg.Folder().Path()
	from, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: time.Second})
	must(t, err)
	to, err := bbolt.Open(path+".fresh", 0o600, nil)
	must(t, err)
	must(t, errors.Join(bbolt.Compact(to, from, 0), to.Close(), from.Close(), os.Rename(path+".fresh", path)))
}
