package database

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/store/seal"
)

// rewrap seals with another key everything that the appliance key sealed; it counts, and what does not open besides.
func (t Tables) rewrap(to seal.Sealer) (r appliance.Rotation, err error) {
	seed, err := t.key.Open(t.meta.Get([]byte(MetaIdentity)), seal.PurposeIdentity)
	if err != nil {
		return r, fmt.Errorf("seal the identity anew: %w", err)
	}
	if err := errors.Join(putIdentity(t.meta, to, seed), t.meta.Put([]byte(MetaCheck), to.Seal(nil, seal.PurposeCheck))); err != nil {
		return r, err
	}
	c := t.keys.Cursor()
	for name, v := c.First(); name != nil; name, v = c.Next() {
		plain, err := t.key.Open(v, seal.PurposeAPIKey, name)
		if err != nil {
			return r, errKeyDamaged(name, err)
		}
		name = bytes.Clone(name)
		if err := t.keys.Put(name, to.Seal(plain, seal.PurposeAPIKey, name)); err != nil {
			return r, err
		}
		r.Keys++
		c.Seek(name)
	}
	if r.Unopened, err = t.rewrapReviews(to); err != nil {
		return r, err
	}
	c = t.transactions.Cursor()
	for k, v := c.First(); k != nil; k, v = c.Next() {
		id := seal.ID(k)
		h, err := seal.ParseHeader(bytes.Clone(v))
		if err == nil {
			h.Wrapped, err = t.key.Rewrap(h.Wrapped, seal.PurposeDataKey, id, to)
		}
		if err != nil {
			r.Unopened++
			continue
		}
		if err := t.transactions.Put(id[:], h.Bytes()); err != nil {
			return r, err
		}
		r.Transactions++
		c.Seek(id[:])
	}
	return r, nil
}

// rewrapReviews seals the keys of reviews anew; it counts those that do not open.
func (t Tables) rewrapReviews(to seal.Sealer) (unopened int, err error) {
	for _, id := range t.ReviewIDs() {
		h, err := seal.ParseReviewHead(bytes.Clone(t.ReviewValue(id)))
		if err == nil {
			h.Wrapped, err = t.key.Rewrap(h.Wrapped, seal.PurposeReviewKey, id, to)
		}
		if err != nil {
			unopened++
			continue
		}
		if err := t.PutReview(id, h.Bytes()); err != nil {
			return unopened, err
		}
	}
	return unopened, nil
}
