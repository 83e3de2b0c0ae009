package store

import (
	"context"
	"errors"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/store/database"
	"github.com/bawab/bawab/store/seal"
)

// Transaction returns a living transaction; see appliance.TransactionStore. The caller owns it.
func (s *Store) Transaction(ctx context.Context, idText string) (*appliance.Transaction, error) {
	id, err := seal.ParseID(idText)
	if err != nil {
		return nil, err
	}
	out := &appliance.Transaction{ID: id.String()}
	var plain [][]byte
	err = s.view(ctx, "read transaction", func(t database.Tables) error {
		o, err := t.Find(id, s.cfg.Now())
		if err != nil {
			return err
		}
		out.Created, out.Expires, out.Attempts = o.State.Created, o.Header.Expires, int(o.State.Attempts)
		plain, err = t.Records(o)
		return err
	})
	if err != nil {
		return nil, err
	}
	if out.Records, err = seal.DecodeRecords(id, plain); err != nil {
		return nil, err
	}
	return out, nil
}

// TransactionIDs returns the ids of all transactions that are stored, also of those that have ended and were not swept yet.
func (s *Store) TransactionIDs(ctx context.Context) (ids []string, err error) {
	err = s.view(ctx, "list transactions", func(t database.Tables) error {
		for _, id := range t.IDs() {
			ids = append(ids, id.String())
		}
		return nil
	})
	return ids, err
}

// Append adds a record and is durable on return; see appliance.TransactionStore. Concurrent calls share one commit.
func (s *Store) Append(ctx context.Context, idText string, r appliance.Record) error {
	id, err := seal.ParseID(idText)
	if err != nil {
		return err
	}
	plain, err := seal.EncodeRecord(r)
	if err != nil {
		return err
	}
	if err := s.roomForRecords(); err != nil {
		return unavailable("append record", err)
	}
	return s.write(ctx, "append record", func(t database.Tables) (refusal, failure error) {
		now := s.cfg.Now()
		o, err := t.Find(id, now)
		switch {
		case err == nil:
			return nil, t.Put(o, plain, s.cfg.life().End(o.State.Created, now))
		case appliance.CodeOf(err) != appliance.CodeTransactionUnknown:
			return err, nil
		case o != nil:
			// What is left of a transaction that ended too long ago to be remembered.
			if err := t.Erase(id, o.Header.Expires, now); err != nil {
				return nil, err
			}
			s.scrubDue = true
		}
		if o, err = t.Begin(id, now); err != nil {
			return nil, err
		}
		return nil, t.Put(o, plain, s.cfg.life().End(now, now))
	})
}

// Renew moves the end of a living transaction; see appliance.TransactionStore.
func (s *Store) Renew(ctx context.Context, idText string) error {
	id, err := seal.ParseID(idText)
	if err != nil {
		return err
	}
	return s.write(ctx, "renew transaction", func(t database.Tables) (refusal, failure error) {
		now := s.cfg.Now()
		o, err := t.Find(id, now)
		if err != nil {
			return err, nil
		}
		return nil, t.Renew(o, s.cfg.life().End(o.State.Created, now))
	})
}

// Attempt counts a face check and is durable on return; see appliance.TransactionStore. Concurrent calls are counted one after the
// other.
func (s *Store) Attempt(ctx context.Context, idText string, most int) error {
	id, err := seal.ParseID(idText)
	if err != nil {
		return err
	}
	return s.write(ctx, "count attempt", func(t database.Tables) (refusal, failure error) {
		now := s.cfg.Now()
		o, err := t.Find(id, now)
		if err == nil {
			err = o.State.Attempt(most)
		}
		if err != nil {
			return err, nil
		}
		return nil, t.Renew(o, s.cfg.life().End(o.State.Created, now))
	})
}

// Sweep erases what has expired and forgets what ended long ago; see appliance.TransactionStore. It also makes up for
// an overwriting that failed earlier. It commits even when there is nothing to do: that is the probe by which a store
// whose disk was full notices that it works again.
func (s *Store) Sweep(ctx context.Context) (int, error) {
	reviews := s.sweepReviews(ctx)
	erased, err := s.sweepTransactions(ctx)
	return erased, errors.Join(reviews, err)
}

func (s *Store) sweepTransactions(ctx context.Context) (total int, err error) {
	for {
		var erased int
		var more bool
		err := s.writeVital(ctx, "sweep", func(t database.Tables) (refusal, failure error) {
			erased, more, failure = t.Sweep(s.cfg.life(), s.cfg.Now())
			s.scrubDue = s.scrubDue || erased > 0
			return nil, failure
		})
		if err != nil {
			return total, err
		}
		total += erased
		if !more {
			return total, s.scrubNow()
		}
	}
}
