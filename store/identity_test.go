package store

import (
	"bytes"
	"os"
	"testing"

	"github.com/bawab/bawab/appliance"
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
	var seed []byte
	must(t, s.db.View(func(tx *bbolt.Tx) (err error) {
		seed, err = s.sealer.Open(tx.Bucket([]byte(bucketMeta)).Get([]byte(metaIdentity)), seal.PurposeIdentity)
		return err
	}))
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
		meta := tx.Bucket([]byte(bucketMeta))
		must(t, meta.Delete([]byte(metaIdentity)))
		return meta.Put([]byte(metaSchema), []byte{0, 0, 0, 2})
	})
	key, err := os.ReadFile(cfg.Dir + "/" + keyName)
	must(t, err)
	write(t, cfg.Dir+"/"+keyName, make([]byte, seal.KeySize))
	wantError(t, New(cfg).Open(t.Context()), "not the one that sealed")
	write(t, cfg.Dir+"/"+keyName, key)
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
					meta := tx.Bucket([]byte(bucketMeta))
					v := bytes.Clone(meta.Get([]byte(metaIdentity)))
					v[20] ^= 1
					return meta.Put([]byte(metaIdentity), v)
				})
				wantError(t, New(cfg).Open(t.Context()), "damaged", "bawab store salvage")
				inFile(t, cfg, func(tx *bbolt.Tx) error { return tx.Bucket([]byte(bucketKeys)).Put([]byte("x"), []byte("y")) })
				inFile(t, cfg, func(tx *bbolt.Tx) error { return tx.Bucket([]byte(bucketKeys)).Delete([]byte("x")) })
				zeroFreePages(t, cfg)
			}
			b, err := os.ReadFile(cfg.path())
			must(t, err)
			b[0] ^= 1
			write(t, cfg.path(), b)
			r, err := Salvage(t.Context(), cfg)
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

// zeroFreePages overwrites the free pages of a closed store, as an open one does after every erasure.
func zeroFreePages(t *testing.T, cfg Config) {
	t.Helper()
	s := &Store{cfg: cfg.withDefaults()}
	db, err := bbolt.Open(cfg.path(), 0o600, &bbolt.Options{
		OpenFile: func(name string, flag int, mode os.FileMode) (f *os.File, err error) {
			s.file, err = os.OpenFile(name, flag, mode)
			return s.file, err
		},
	})
	must(t, err)
	s.db = db
	must(t, s.scrub())
	must(t, db.Close())
}
