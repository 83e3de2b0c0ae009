package database

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/review"
	"github.com/bawab/bawab/store/seal"
)

// ErrReviewDamaged is the answer for a review that is stored but does not open.
func ErrReviewDamaged(id seal.ID, err error) error {
	return &appliance.Error{
		Code: appliance.CodeInternal, Op: "read review", Msg: fmt.Sprintf("review %s is damaged", id), Hint: seal.HintCheck, Err: err,
	}
}

// OpenReview opens the head of a review. It borrows nothing.
func OpenReview(key seal.Sealer, id seal.ID, value []byte) (r review.Review, own seal.Sealer, err error) {
	h, err := seal.ParseReviewHead(value)
	if err != nil {
		return r, own, err
	}
	if own, err = key.Unwrap(h.Wrapped, seal.PurposeReviewKey, id); err != nil {
		return r, own, err
	}
	plain, err := own.OpenReview(id, h)
	if err != nil {
		return r, own, err
	}
	if err := json.Unmarshal(plain, &r); err != nil {
		return r, own, err
	}
	r.Expires = h.Expires
	return r, own, nil
}

// Review returns a living review and the sealer of its pictures.
func (t Tables) Review(id seal.ID, now time.Time) (review.Review, seal.Sealer, error) {
	v := t.ReviewValue(id)
	if v == nil {
		return review.Review{}, seal.Sealer{}, review.NotFound()
	}
	r, own, err := OpenReview(t.key, id, v)
	switch {
	case err != nil:
		err = ErrReviewDamaged(id, err)
	case !now.Before(r.Expires):
		err = review.NotFound()
	}
	return r, own, err
}

// ReviewValue returns the stored value of a review, which is borrowed; nil where there is none.
func (t Tables) ReviewValue(id seal.ID) []byte { return t.reviews.Get(id[:]) }

// ReviewIDs returns the ids of all reviews.
func (t Tables) ReviewIDs() []seal.ID { return idsOf(t.reviews) }

// EachReview shows every review, or why it does not open, until visit returns an error.
func (t Tables) EachReview(visit func(id seal.ID, r review.Review, err error) error) error {
	return t.reviews.ForEach(func(k, v []byte) error {
		r, _, err := OpenReview(t.key, seal.ID(k), v)
		return visit(seal.ID(k), r, err)
	})
}

// EndedReviews returns the ids of a chunk of the reviews whose days are over, and of those that end later than any may: the clock was
// ahead when they were kept.
func (t Tables) EndedReviews(now time.Time) (ids []seal.ID) {
	latest := now.Add(review.MostKept + clockSlack)
	c := t.reviews.Cursor()
	for k, v := c.First(); k != nil && len(ids) < sweepChunk; k, v = c.Next() {
		if len(k) != len(seal.ID{}) || len(v) < 8 {
			continue
		}
		if end := seal.ParseTime(v); !end.After(now) || end.After(latest) {
			ids = append(ids, seal.ID(k))
		}
	}
	return ids
}

// WrapReviewKey seals the key of a review.
func (t Tables) WrapReviewKey(id seal.ID, raw []byte) []byte {
	return t.key.Wrap(raw, seal.PurposeReviewKey, id)
}

// PutReview puts down the stored value of a review.
func (t Tables) PutReview(id seal.ID, value []byte) error { return t.reviews.Put(id[:], value) }

// DropReview drops the key of a review, and what it sealed here.
func (t Tables) DropReview(id seal.ID) error { return t.reviews.Delete(id[:]) }
