package seal

import (
	"crypto/rand"
	"fmt"
	"time"
)

// The purposes of what a review seals. Its key is wrapped by the appliance key, and seals what was read and the pictures.
const (
	PurposeReviewKey      Purpose = "bawab store 4: review key"
	PurposeReview         Purpose = "bawab store 4: review"
	PurposeReviewPictures Purpose = "bawab store 4: review pictures"
)

// ReviewHead is the stored value of a review. In a database: end of life (8 bytes), wrapped key, sealed content. The end of life is
// bound to the content, so that nobody who can only write lets a review live longer.
type ReviewHead struct {
	Expires time.Time
	Wrapped []byte
	Content []byte
}

// IsReviewHead says whether a value is long enough for a ReviewHead.
func IsReviewHead(v []byte) bool { return len(v) > 8+WrappedSize+Overhead }

// ParseReviewHead reads what Bytes writes. It borrows from v.
func ParseReviewHead(v []byte) (ReviewHead, error) {
	if !IsReviewHead(v) {
		return ReviewHead{}, fmt.Errorf("review of %d bytes, want more than %d", len(v), 8+WrappedSize+Overhead)
	}
	return ReviewHead{ParseTime(v), v[8 : 8+WrappedSize], v[8+WrappedSize:]}, nil
}

// Bytes is the stored form, in memory of its own.
func (h ReviewHead) Bytes() []byte {
	return append(append(TimeBytes(h.Expires), h.Wrapped...), h.Content...)
}

// NewReviewKey draws the key of a new review; WrapReview wraps it.
func NewReviewKey() (key Sealer, raw []byte, err error) {
	raw = make([]byte, KeySize)
	rand.Read(raw)
	key, err = New(raw)
	return key, raw, err
}

// WrapReview seals the key of a review under s.
func (s Sealer) WrapReview(id ID, raw []byte) []byte { return s.Seal(raw, PurposeReviewKey, id[:]) }

// ReviewKey unwraps the key of a review.
func (s Sealer) ReviewKey(id ID, h ReviewHead) (Sealer, error) {
	raw, err := s.Open(h.Wrapped, PurposeReviewKey, id[:])
	if err != nil {
		return Sealer{}, err
	}
	return New(raw)
}

// RewrapReview seals a wrapped key anew, under another key.
func (s Sealer) RewrapReview(id ID, wrapped []byte, to Sealer) ([]byte, error) {
	raw, err := s.Open(wrapped, PurposeReviewKey, id[:])
	if err != nil {
		return nil, err
	}
	return to.WrapReview(id, raw), nil
}

// SealReview seals the content of a review that ends at a time.
func (s Sealer) SealReview(id ID, plain []byte, expires time.Time) []byte {
	return s.Seal(plain, PurposeReview, id[:], TimeBytes(expires))
}

// OpenReview opens what SealReview sealed.
func (s Sealer) OpenReview(id ID, h ReviewHead) ([]byte, error) {
	return s.Open(h.Content, PurposeReview, id[:], TimeBytes(h.Expires))
}
