package appliance

import (
	"context"
	"slices"
	"time"
)

// Transaction groups the requests that belong to one identity check.
type Transaction struct {
	ID      string
	Created time.Time
	// Expires is when the transaction ends unless another request renews it.
	Expires time.Time
	// Records are in the order of the requests.
	Records []Record
	// Attempts is how many face checks were counted; see TransactionStore.Attempt.
	Attempts int
}

// Record is what one successful request left in its transaction.
type Record struct {
	RequestID string
	// Key is the name of the API key that sent the request; that of the first record owns the transaction.
	Key                 string `json:",omitempty"`
	ClientTransactionID *string
	At                  time.Time
	Endpoint            Endpoint
	Documents           []Document
	// Match and Liveness are the outcomes of comparisons with the transaction's portrait; nil in records of readings.
	Match    *FaceMatch `json:",omitempty"`
	Liveness *Liveness  `json:",omitempty"`
}

// Documents returns the documents of all records, newest record first.
func (t *Transaction) Documents() []Document {
	var all []Document
	for _, r := range slices.Backward(t.Records) {
		all = append(all, r.Documents...)
	}
	return all
}

// FirstIdentityDocument returns the first identity document of the transaction, nil when there is none. The Document belongs to
// the transaction.
func (t *Transaction) FirstIdentityDocument() *Document {
	for i := range t.Records {
		docs := t.Records[i].Documents
		if j := slices.IndexFunc(docs, func(d Document) bool { return d.Kind.Identity() }); j >= 0 {
			return &docs[j]
		}
	}
	return nil
}

// TransactionStore keeps transactions, sealed, until they expire.
//
// An id that was never seen, or expired more than ExpiredMemory ago, is CodeTransactionUnknown; one that expired
// later than that is CodeTransactionExpired. A store that cannot write now answers CodeUnavailable.
type TransactionStore interface {
	// Transaction returns a living transaction.
	Transaction(ctx context.Context, id string) (*Transaction, error)
	// Append adds a record, starts the transaction when the id is unknown, and renews it. On return the record is
	// durable: a power cut loses nothing of it.
	Append(ctx context.Context, id string, r Record) error
	// Attempt counts one face check of a living transaction and renews it; CodeTooManyAttempts, and nothing changes, where most
	// of them were counted already. On return the count is durable, and of calls at the same time no more than most return nil.
	Attempt(ctx context.Context, id string, most int) error
	// Renew moves the end of a living transaction to now plus the time to live, but not beyond what EndOf allows.
	Renew(ctx context.Context, id string) error
	// Erase destroys the transaction's key, so that nothing of it can be read again.
	Erase(ctx context.Context, id string) error
	// Sweep erases what has expired and forgets what expired longer than ExpiredMemory ago; it returns how many
	// transactions it erased.
	Sweep(ctx context.Context) (int, error)
}

// ExpiredMemory is how long an expired transaction is still answered as expired before it is unknown.
const ExpiredMemory = 24 * time.Hour

// ReferenceChange is what a reading meant for the reference of its transaction.
type ReferenceChange string

// The changes.
const (
	ReferenceTaken    ReferenceChange = "taken"    // the transaction had none
	ReferenceReplaced ReferenceChange = "replaced" // by another document of the same holder
	ReferenceKept     ReferenceChange = "kept"     // nothing shows that both documents are one holder's
)
