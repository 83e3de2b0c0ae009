package store

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/proof"
	"github.com/bawab/bawab/store/seal"
	"go.etcd.io/bbolt"
)

// Identity returns the key pair with which this appliance signs. It is made with the database and stays the same as long
// as anything of the database is kept: a check opens it, a salvage, a backup and a new appliance key carry it over.
func (s *Store) Identity(ctx context.Context) (*proof.Identity, error) {
	var id *proof.Identity
	err := s.view(ctx, "read identity", func(t tables) (err error) {
		id, err = openIdentity(s.sealer, t.meta.Get([]byte(metaIdentity)))
		return err
	})
	return id, err
}

// newIdentitySeed draws the secret of a new identity.
func newIdentitySeed() []byte {
	seed := make([]byte, ed25519.SeedSize)
	rand.Read(seed)
	return seed
}

// putIdentity seals the seed of an identity.
func putIdentity(key seal.Sealer, meta *bbolt.Bucket, seed []byte) error {
	return meta.Put([]byte(metaIdentity), key.Seal(seed, seal.PurposeIdentity))
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
