package usecase

import (
	"context"
	"errors"

	"github.com/bawab/bawab/appliance"
)

// Look returns a living transaction with all that it holds, which belongs to the caller from then on. Who may see that much is for the
// caller of Look to decide.
func (a *Appliance) Look(ctx context.Context, id string) (*appliance.Transaction, error) {
	return a.transactions.Transaction(ctx, id)
}

// Owned is nil where the Caller of ctx began the living transaction or has the scope admin; for others it is as unknown as one that
// never was.
func (a *Appliance) Owned(ctx context.Context, id string) error {
	t, err := a.transactions.Transaction(ctx, id)
	if err != nil {
		return err
	}
	if c := appliance.CallerOf(ctx); !c.Admin && c.Key != t.Owner() {
		return appliance.Errorf(appliance.CodeTransactionUnknown, "the transaction is not known, or another key began it")
	}
	return nil
}

// errOthers is the cause of the answer for a transaction of another key, which must not be taken for a free id.
var errOthers = errors.New("the transaction belongs to another key")

// transaction returns a living transaction. Where transactions are bound to keys, that of another key is as unknown as one that
// never was.
func (a *Appliance) transaction(ctx context.Context, id string) (*appliance.Transaction, error) {
	t, err := a.transactions.Transaction(ctx, id)
	if err != nil || !a.bound {
		return t, err
	}
	if c, owner := appliance.CallerOf(ctx), t.Owner(); owner != "" && c.Key != owner && !c.Admin {
		e := appliance.Errorf(appliance.CodeTransactionUnknown, "the transaction is not known: read an identity document first")
		e.Err = errOthers
		return nil, e
	}
	return t, nil
}
