// Package review says what people decide about the answers that are kept for them to look at: verdicts, values that were corrected, and
// what more than half of those who looked hold for true.
package review

import (
	"cmp"
	"context"
	"time"

	"github.com/bawab/bawab/appliance"
)

// Review is one answer that waits for a person to look at it, with the pictures that it came from. It is sealed like a transaction, under a
// key of its own, and outlives its transaction; erasing the transaction by hand erases it too.
type Review struct {
	ID string
	// Transaction and Request are the ids of the request; Key is the name of the API key that sent it.
	Transaction, Request, Key string
	At                        time.Time
	// Expires is when key and pictures are destroyed.
	Expires time.Time
	// Kind is that of the document that was read, or the face check that was made.
	Kind appliance.Kind
	// Asked is the kind of a model pack as which an Unknown document was to be read, "" where there was none: its fields are those of the
	// document, and who confirms them says that it is of this kind.
	Asked appliance.Kind `json:",omitempty"`
	// Flagged says that the answer itself raised a doubt.
	Flagged bool
	// Document is what was answered, nil for faces.
	Document *appliance.Document `json:",omitempty"`
	// Match and Liveness are what was decided, nil for documents.
	Match    *appliance.FaceMatch `json:",omitempty"`
	Liveness *appliance.Liveness  `json:",omitempty"`
	// Page is the page of the file that was read, from 1; 0 is the first.
	Page int `json:",omitempty"`
	// Pictures is how many there are: one, or the frames of a burst.
	Pictures int
	// Versions name the program and networks that answered.
	Versions map[string]string `json:",omitempty"`
	// Decisions are those of the people who looked, one of each, in the order of their last words.
	Decisions []Decision `json:",omitempty"`
}

// Subject is the kind as which a person looks at it.
func (r *Review) Subject() appliance.Kind { return cmp.Or(r.Asked, r.Kind) }

// Fields are those of the document, in the order of its data model; faces have none.
func (r *Review) Fields() []appliance.FieldSpec {
	if r.Document == nil {
		return nil
	}
	return r.Document.Specs(r.Kind)
}

// Store keeps reviews, each sealed under a key of its own, until their end. An id that is not known is CodeNotFound.
type Store interface {
	// KeepReview puts a review and its pictures on disk; both are durable on return, or neither is there. A store that has no room
	// for pictures answers CodeUnavailable.
	KeepReview(ctx context.Context, r Review, pictures [][]byte) error
	// Reviews returns all that have not ended, oldest first.
	Reviews(ctx context.Context) ([]Review, error)
	// Review returns one.
	Review(ctx context.Context, id string) (Review, error)
	// ReviewPictures returns a review and its pictures as they were sent.
	ReviewPictures(ctx context.Context, id string) (Review, [][]byte, error)
	// DecideReview adds what a person decided, in the place of what he decided before, and returns the review as it is then.
	DecideReview(ctx context.Context, id string, d Decision) (Review, error)
	// EraseReviews destroys the reviews that doomed picks, and overwrites their pictures. Of one that is damaged doomed sees the id alone.
	EraseReviews(ctx context.Context, doomed func(*Review) bool) (Erasure, error)
}

// MostKept is how long a review is kept at most.
const MostKept = 90 * 24 * time.Hour

// NotFound is the answer where a review is not known.
func NotFound() error {
	return appliance.Errorf(appliance.CodeNotFound, "there is no such review: it was erased, or its days are over")
}

// Erasure is the proof that reviews were destroyed, as Erasure is that of a transaction: how many, how many bytes of the database
// were searched for what had been their sealed values, and which other files of the data folder still hold some.
type Erasure struct {
	Reviews   int
	Damaged   int // reviews that stay because they do not open, so that nobody knows whether they were meant
	Searched  int64
	Elsewhere []string
}
