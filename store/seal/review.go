package seal

import (
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

// SealReview seals the content of a review that ends at a time.
func (s Sealer) SealReview(id ID, plain []byte, expires time.Time) []byte {
	return s.Seal(plain, PurposeReview, id[:], TimeBytes(expires))
}

// OpenReview opens what SealReview sealed.
func (s Sealer) OpenReview(id ID, h ReviewHead) ([]byte, error) {
	return s.Open(h.Content, PurposeReview, id[:], TimeBytes(h.Expires))
}
