package database

import (
	"crypto/ed25519"
	"crypto/rand"
	"errors"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/proof"
	"github.com/bawab/bawab/store/seal"
	"go.etcd.io/bbolt"
)

// newIdentitySeed draws the secret of a new identity.
func newIdentitySeed() []byte {
	seed := make([]byte, ed25519.SeedSize)
	rand.Read(seed)
	return seed
}

// putIdentity seals the seed of an identity.
func putIdentity(meta *bbolt.Bucket, key seal.Sealer, seed []byte) error {
	return meta.Put([]byte(MetaIdentity), key.Seal(seed, seal.PurposeIdentity))
}

// PutIdentity puts down the identity that a seed makes.
func (t Tables) PutIdentity(seed []byte) error { return putIdentity(t.meta, t.key, seed) }

// Identity returns the key pair with which this appliance signs.
func (t Tables) Identity() (*proof.Identity, error) {
	return openIdentity(t.key, t.meta.Get([]byte(MetaIdentity)))
}

// openIdentity opens a sealed identity.
func openIdentity(key seal.Sealer, sealed []byte) (*proof.Identity, error) {
	seed, err := key.Open(sealed, seal.PurposeIdentity)
	if err == nil {
		var id *proof.Identity
		if id, err = proof.NewIdentity(seed); err == nil {
			return id, nil
		}
	}
	return nil, &appliance.Error{
		Code: appliance.CodeInternal, Op: "read identity", Msg: "the stored identity of the appliance is damaged",
		Hint: seal.HintCheck, Err: errors.Join(errIdentity, err),
	}
}

var errIdentity = errors.New("the identity does not open")

// JournalHead returns the signed head of the journal; nil where none was kept.
func (t Tables) JournalHead() []byte { return t.meta.Get([]byte(MetaJournal)) }

// PutJournalHead puts down the signed head of the journal.
func (t Tables) PutJournalHead(head []byte) error { return t.meta.Put([]byte(MetaJournal), head) }
