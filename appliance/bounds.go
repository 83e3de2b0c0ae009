package appliance

import (
	"context"
	"errors"
	"time"
)

// MaxAge is how long a transaction lives after its first request at the latest, however often it is renewed, where nobody says
// otherwise.
const MaxAge = 24 * time.Hour

// What a transaction holds at most. A check of one person takes a few of each; the limits bound what a request costs that reads
// them all. Records without a document or a face count as well.
const (
	MostDocuments   = 32
	MostFaceResults = 64
)

// EndOf returns when a transaction ends that began at created and is renewed now.
func EndOf(created, now time.Time, ttl, maxAge time.Duration) time.Time {
	end, latest := now.Add(ttl), created.Add(maxAge)
	if latest.Before(end) {
		return latest
	}
	return end
}

// room answers CodeTransactionFull where the transaction cannot take so many documents or face results more.
func (t *Transaction) room(documents, faces int) error {
	for _, r := range t.Records {
		documents += len(r.Documents)
		if r.Match != nil || r.Liveness != nil {
			faces++
		}
	}
	if documents > MostDocuments || faces > MostFaceResults || len(t.Records) >= MostDocuments+MostFaceResults {
		return Errorf(CodeTransactionFull, "the transaction holds as much as it may: begin a new one")
	}
	return nil
}

// Owner is the name of the API key that began the transaction, "" where nobody noted it.
func (t *Transaction) Owner() string {
	if len(t.Records) == 0 {
		return ""
	}
	return t.Records[0].Key
}

// Look returns a living transaction with all that it holds, which belongs to the caller from then on. Who may see that much is for the
// caller of Look to decide.
func (a *Appliance) Look(ctx context.Context, id string) (*Transaction, error) {
	return a.transactions.Transaction(ctx, id)
}

// Owned is nil where the Caller of ctx began the living transaction or has the scope admin; for others it is as unknown as one that
// never was.
func (a *Appliance) Owned(ctx context.Context, id string) error {
	t, err := a.transactions.Transaction(ctx, id)
	if err != nil {
		return err
	}
	if c := CallerOf(ctx); !c.Admin && c.Key != t.Owner() {
		return Errorf(CodeTransactionUnknown, "the transaction is not known, or another key began it")
	}
	return nil
}

// errOthers is the cause of the answer for a transaction of another key, which must not be taken for a free id.
var errOthers = errors.New("the transaction belongs to another key")

// transaction returns a living transaction. Where transactions are bound to keys, that of another key is as unknown as one that
// never was.
func (a *Appliance) transaction(ctx context.Context, id string) (*Transaction, error) {
	t, err := a.transactions.Transaction(ctx, id)
	if err != nil || !a.bound {
		return t, err
	}
	if c, owner := CallerOf(ctx), t.Owner(); owner != "" && c.Key != owner && !c.Admin {
		e := Errorf(CodeTransactionUnknown, "the transaction is not known: read an identity document first")
		e.Err = errOthers
		return nil, e
	}
	return t, nil
}
