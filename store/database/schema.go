package database

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/folder"
	"github.com/bawab/bawab/store/seal"
	"go.etcd.io/bbolt"
)

// The buckets of the current schema; the package comment says what each holds.
const (
	bucketMeta         = "meta"
	bucketTransactions = "transactions"
	bucketRecords      = "records"
	bucketExpiring     = "expiring"
	bucketGone         = "gone"
	bucketForgetting   = "forgetting"
	bucketKeys         = "keys"
	bucketReviews      = "reviews"
	bucketDrift        = "drift"
)

// The entries of meta.
const (
	metaSchema = "schema"
	// MetaCheck is a sealed constant, which tells a wrong appliance key from damage.
	MetaCheck = "check"
	// MetaIdentity is the sealed seed of the identity.
	MetaIdentity = "identity"
	// MetaJournal is the signed head of the journal. It holds nothing secret, and its signature is its seal.
	MetaJournal = "journal"
)

// Tables are what a database holds, within one transaction of bbolt, and the appliance key that seals it. Their methods write whole
// entries and keep the indexes in step; what they return without a copy is borrowed and ends with the transaction.
type Tables struct {
	key seal.Sealer

	meta, transactions, records, expiring, gone, forgetting, keys, reviews, drift *bbolt.Bucket
}

func openTables(tx *bbolt.Tx, key seal.Sealer) (Tables, error) {
	t := Tables{
		key: key, meta: tx.Bucket([]byte(bucketMeta)),
		transactions: tx.Bucket([]byte(bucketTransactions)), records: tx.Bucket([]byte(bucketRecords)),
		expiring: tx.Bucket([]byte(bucketExpiring)), gone: tx.Bucket([]byte(bucketGone)),
		forgetting: tx.Bucket([]byte(bucketForgetting)), keys: tx.Bucket([]byte(bucketKeys)), reviews: tx.Bucket([]byte(bucketReviews)),
		drift: tx.Bucket([]byte(bucketDrift)),
	}
	for _, b := range []*bbolt.Bucket{t.meta, t.transactions, t.records, t.expiring, t.gone, t.forgetting, t.keys, t.reviews, t.drift} {
		if b == nil {
			return Tables{}, errors.New("a bucket is missing")
		}
	}
	return t, nil
}

// migration lifts a database by one schema version.
type migration func(tx *bbolt.Tx, appliance seal.Sealer) error

// NewestSchema is the version of the schema that this program works with.
func NewestSchema() int { return len(migrations()) }

// migrations holds at index n the step from version n to n + 1. Version 0 is a database that holds its version and
// nothing else: what a new file is for a moment.
func migrations() []migration {
	return []migration{toVersion1, toVersion2, toVersion3, toVersion4, toVersion5}
}

func toVersion1(tx *bbolt.Tx, appliance seal.Sealer) error {
	for _, name := range []string{bucketTransactions, bucketRecords, bucketExpiring, bucketGone, bucketForgetting, bucketKeys} {
		if _, err := tx.CreateBucket([]byte(name)); err != nil {
			return fmt.Errorf("create bucket %s: %w", name, err)
		}
	}
	return tx.Bucket([]byte(bucketMeta)).Put([]byte(MetaCheck), appliance.Seal(nil, seal.PurposeCheck))
}

// toVersion2 binds the ends of life to the sealed states. A transaction that does not open stays as it is, and will say so.
func toVersion2(tx *bbolt.Tx, appliance seal.Sealer) error {
	const before seal.Purpose = "bawab store 1: state"
	b := tx.Bucket([]byte(bucketTransactions))
	lifted := map[seal.ID]seal.Header{}
	err := b.ForEach(func(k, v []byte) error {
		h, err := seal.ParseHeader(v)
		if err != nil || len(k) != len(seal.ID{}) {
			return nil
		}
		id := seal.ID(k)
		data, err := appliance.Unwrap(h.Wrapped, seal.PurposeDataKey, id)
		if err != nil {
			return nil
		}
		if plain, err := data.Open(h.State, before, id[:]); err == nil {
			state := data.Seal(plain, seal.PurposeState, id[:], seal.TimeBytes(h.Expires))
			lifted[id] = seal.Header{Expires: h.Expires, Wrapped: bytes.Clone(h.Wrapped), State: state}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("read transactions: %w", err)
	}
	for id, h := range lifted {
		if err := b.Put(id[:], h.Bytes()); err != nil {
			return fmt.Errorf("bind the end of a transaction: %w", err)
		}
	}
	return nil
}

// toVersion3 gives the appliance its identity. It is the first step that must not be made with a wrong key.
func toVersion3(tx *bbolt.Tx, appliance seal.Sealer) error {
	meta := tx.Bucket([]byte(bucketMeta))
	if _, err := appliance.Open(meta.Get([]byte(MetaCheck)), seal.PurposeCheck); err != nil {
		return ErrWrongKey()
	}
	if meta.Get([]byte(MetaIdentity)) != nil {
		return nil
	}
	return putIdentity(meta, appliance, newIdentitySeed())
}

// toVersion4 makes room for reviews.
func toVersion4(tx *bbolt.Tx, _ seal.Sealer) error {
	if _, err := tx.CreateBucketIfNotExists([]byte(bucketReviews)); err != nil {
		return fmt.Errorf("create bucket %s: %w", bucketReviews, err)
	}
	return nil
}

// toVersion5 makes room for counts.
func toVersion5(tx *bbolt.Tx, _ seal.Sealer) error {
	if _, err := tx.CreateBucketIfNotExists([]byte(bucketDrift)); err != nil {
		return fmt.Errorf("create bucket %s: %w", bucketDrift, err)
	}
	return nil
}

// idsOf returns the ids that are the keys of a bucket.
func idsOf(b *bbolt.Bucket) (ids []seal.ID) {
	c := b.Cursor()
	for k, _ := c.First(); k != nil; k, _ = c.Next() {
		ids = append(ids, seal.ID(k))
	}
	return ids
}

// schemaVersion reads the version of a database; ok is false when it was not written by this program.
func schemaVersion(tx *bbolt.Tx) (version uint32, ok bool) {
	meta := tx.Bucket([]byte(bucketMeta))
	if meta == nil {
		return 0, false
	}
	v := meta.Get([]byte(metaSchema))
	if len(v) != 4 {
		return 0, false
	}
	return binary.BigEndian.Uint32(v), true
}

// migrate lifts the database to the newest version that steps lead to, in one commit: all of it or nothing.
func migrate(db *bbolt.DB, key seal.Sealer, steps []migration) error {
	var version uint32
	ok := false
	if err := db.View(func(tx *bbolt.Tx) error {
		version, ok = schemaVersion(tx)
		return nil
	}); err != nil {
		return fmt.Errorf("read schema version: %w", err)
	}
	newest := uint32(len(steps))
	switch {
	case !ok:
		return errForeign()
	case version > newest:
		return &appliance.Error{
			Code: appliance.CodeUnavailable, Op: "open store",
			Msg:  fmt.Sprintf("the database was written by a newer bawab (schema %d, this one knows %d)", version, newest),
			Hint: "install that version again, or use another data folder",
		}
	case version == newest:
		return nil
	}
	err := db.Update(func(tx *bbolt.Tx) error {
		for n := version; n < newest; n++ {
			if err := steps[n](tx, key); err != nil {
				return fmt.Errorf("from schema %d: %w", n, err)
			}
		}
		return tx.Bucket([]byte(bucketMeta)).Put([]byte(metaSchema), binary.BigEndian.AppendUint32(nil, newest))
	})
	if err != nil {
		return fmt.Errorf("migrate store: %w", err)
	}
	return nil
}

// Create makes a database of the current schema under a temporary name, lets fill put something into it, and
// gives it its name only when it is complete and on disk. Fill may be nil.
func Create(path string, key seal.Sealer, fill func(Tables) error) error {
	part := path + SuffixNew
	if err := os.Remove(part); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("remove an unfinished database: %w", err)
	}
	db, err := bbolt.Open(part, 0o600, &bbolt.Options{Timeout: time.Second})
	if err != nil {
		return fmt.Errorf("create database: %w", err)
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		meta, err := tx.CreateBucket([]byte(bucketMeta))
		if err != nil {
			return err
		}
		return meta.Put([]byte(metaSchema), make([]byte, 4))
	})
	if err == nil {
		err = migrate(db, key, migrations())
	}
	if err == nil && fill != nil {
		err = db.Update(func(tx *bbolt.Tx) error {
			t, err := openTables(tx, key)
			if err != nil {
				return err
			}
			return fill(t)
		})
	}
	if err := errors.Join(err, db.Close(), folder.Give(part, filepath.Dir(path))); err != nil {
		return errors.Join(fmt.Errorf("create database: %w", err), os.Remove(part))
	}
	if err := os.Rename(part, path); err != nil {
		return fmt.Errorf("create database: %w", err)
	}
	return SyncFolder(filepath.Dir(path))
}
