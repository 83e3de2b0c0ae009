package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/store/seal"
	"go.etcd.io/bbolt"
)

// recordKey is the length of a record's key: id and sequence.
const recordKey = 16 + 4

// find returns the stored header of an id. The error says whether the transaction is expired or unknown at the given
// time; the header is then that of a transaction that ended but was not swept yet, and nil when there is none.
func (t tables) find(id seal.ID, now time.Time) (*seal.Header, error) {
	if v := t.transactions.Get(id[:]); v != nil {
		h, err := seal.ParseHeader(v)
		if err != nil {
			return nil, seal.ErrDamaged(id, err)
		}
		return &h, seal.Ended(h.Expires, now)
	}
	if v := t.gone.Get(id[:]); len(v) == 8 {
		return nil, seal.Gone(seal.ParseTime(v), now)
	}
	return nil, seal.ErrUnknown()
}

// Transaction returns a living transaction; see appliance.TransactionStore. The caller owns it.
func (s *Store) Transaction(ctx context.Context, idText string) (*appliance.Transaction, error) {
	id, err := seal.ParseID(idText)
	if err != nil {
		return nil, err
	}
	out := &appliance.Transaction{ID: id.String()}
	var plain [][]byte
	err = s.view(ctx, "read transaction", func(t tables) error {
		o, err := find(s.sealer, t, id, s.cfg.Now())
		if err != nil {
			return err
		}
		out.Created, out.Expires, out.Attempts = o.state.Created, o.header.Expires, int(o.state.Attempts)
		plain, err = t.openRecords(o)
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

// openRecords returns the content of a transaction's records.
func (t tables) openRecords(o *opened) ([][]byte, error) {
	var plain [][]byte
	id := o.id
	c := t.records.Cursor()
	for k, v := c.Seek(id[:]); bytes.HasPrefix(k, id[:]); k, v = c.Next() {
		seq := seal.Sequence(uint32(len(plain) + 1))
		if !bytes.Equal(k[len(id):], seq) {
			return nil, seal.ErrDamaged(id, fmt.Errorf("record %d is missing", len(plain)+1))
		}
		p, err := o.data.OpenRecord(id, uint32(len(plain)+1), v)
		if err != nil {
			return nil, seal.ErrDamaged(id, err)
		}
		plain = append(plain, p)
	}
	if n := o.state.Records; uint32(len(plain)) != n {
		return nil, seal.ErrDamaged(id, fmt.Errorf("%d records, want %d", len(plain), n))
	}
	return plain, nil
}

// TransactionIDs returns the ids of all transactions that are stored, also of those that have ended and were not swept yet.
func (s *Store) TransactionIDs(ctx context.Context) (ids []string, err error) {
	err = s.view(ctx, "list transactions", func(t tables) error {
		for _, k := range keysOf(t.transactions) {
			ids = append(ids, seal.ID(k).String())
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
	return s.write(ctx, "append record", func(t tables) (refusal, failure error) {
		now := s.cfg.Now()
		o, err := find(s.sealer, t, id, now)
		switch {
		case err == nil:
			return nil, t.put(o, plain, s.cfg.end(o.state.Created, now))
		case appliance.CodeOf(err) != appliance.CodeTransactionUnknown:
			return err, nil
		case o != nil:
			// What is left of a transaction that ended too long ago to be remembered.
			if err := t.erase(id, o.header.Expires, now); err != nil {
				return nil, err
			}
			s.scrubDue = true
		}
		if err := t.forget(id); err != nil {
			return nil, err
		}
		data, wrapped, err := s.sealer.NewDataKey(id)
		if err != nil {
			return nil, err
		}
		return nil, t.put(&opened{id, data, seal.State{Created: now}, seal.Header{Wrapped: wrapped}}, plain, s.cfg.end(now, now))
	})
}

// opened is a transaction whose key is at hand. Its header is not borrowed; one without an end of life is new.
type opened struct {
	id     seal.ID
	data   seal.Sealer
	state  seal.State
	header seal.Header
}

// find returns a stored transaction as tables.find does. One whose header is not as it was written is damaged, also where
// it says that it has ended.
func find(key seal.Sealer, t tables, id seal.ID, now time.Time) (*opened, error) {
	h, ended := t.find(id, now)
	if h == nil {
		return nil, ended
	}
	data, st, err := key.DataKey(id, *h)
	if err != nil {
		return nil, seal.ErrDamaged(id, err)
	}
	return &opened{id, data, st, seal.Header{Expires: h.Expires, Wrapped: bytes.Clone(h.Wrapped)}}, ended
}

// put writes the next record of a transaction and its renewed header.
func (t tables) put(o *opened, plain []byte, expires time.Time) error {
	o.state.Records++
	seq := seal.Sequence(o.state.Records)
	if err := t.records.Put(append(o.id[:], seq...), o.data.SealRecord(o.id, o.state.Records, plain)); err != nil {
		return err
	}
	return t.renew(o, expires)
}

// renew writes the header with a new end of life and moves its index entry.
func (t tables) renew(o *opened, expires time.Time) error {
	if h := o.header; !h.Expires.IsZero() {
		if err := t.expiring.Delete(append(seal.TimeBytes(h.Expires), o.id[:]...)); err != nil {
			return err
		}
	}
	o.header.Expires = expires
	o.header.State = o.data.SealState(o.id, o.state, expires)
	if err := t.expiring.Put(append(seal.TimeBytes(expires), o.id[:]...), nil); err != nil {
		return err
	}
	return t.transactions.Put(o.id[:], o.header.Bytes())
}

// Renew moves the end of a living transaction; see appliance.TransactionStore.
func (s *Store) Renew(ctx context.Context, idText string) error {
	id, err := seal.ParseID(idText)
	if err != nil {
		return err
	}
	return s.write(ctx, "renew transaction", func(t tables) (refusal, failure error) {
		now := s.cfg.Now()
		o, err := find(s.sealer, t, id, now)
		if err != nil {
			return err, nil
		}
		return nil, t.renew(o, s.cfg.end(o.state.Created, now))
	})
}

// Attempt counts a face check and is durable on return; see appliance.TransactionStore. Concurrent calls are counted one after the
// other.
func (s *Store) Attempt(ctx context.Context, idText string, most int) error {
	id, err := seal.ParseID(idText)
	if err != nil {
		return err
	}
	return s.write(ctx, "count attempt", func(t tables) (refusal, failure error) {
		now := s.cfg.Now()
		o, err := find(s.sealer, t, id, now)
		if err == nil {
			err = o.state.Attempt(most)
		}
		if err != nil {
			return err, nil
		}
		return nil, t.renew(o, s.cfg.end(o.state.Created, now))
	})
}

// erase removes a transaction and remembers, where that is still due, when it ended.
func (t tables) erase(id seal.ID, at, now time.Time) error {
	h, err := seal.ParseHeader(t.transactions.Get(id[:]))
	if err != nil {
		return err
	}
	if err := t.expiring.Delete(append(seal.TimeBytes(h.Expires), id[:]...)); err != nil {
		return err
	}
	var records [][]byte
	c := t.records.Cursor()
	for k, _ := c.Seek(id[:]); bytes.HasPrefix(k, id[:]); k, _ = c.Next() {
		records = append(records, bytes.Clone(k))
	}
	for _, k := range records {
		if err := t.records.Delete(k); err != nil {
			return err
		}
	}
	if err := t.transactions.Delete(id[:]); err != nil {
		return err
	}
	if now.Sub(at) > appliance.ExpiredMemory {
		return nil
	}
	return t.remember(id, at)
}

// remember notes when a transaction ended.
func (t tables) remember(id seal.ID, at time.Time) error {
	if err := t.gone.Put(id[:], seal.TimeBytes(at)); err != nil {
		return err
	}
	return t.forgetting.Put(append(seal.TimeBytes(at), id[:]...), nil)
}

// forget drops the memory of a transaction that ended, if there is one.
func (t tables) forget(id seal.ID) error {
	at := bytes.Clone(t.gone.Get(id[:]))
	if at == nil {
		return nil
	}
	if err := t.forgetting.Delete(append(at, id[:]...)); err != nil {
		return err
	}
	return t.gone.Delete(id[:])
}

// sweepChunk bounds how many transactions one commit of a sweep erases, so that requests need not wait long behind it.
const sweepChunk = 256

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
		var erased, forgotten int
		err := s.writeVital(ctx, "sweep", func(t tables) (refusal, failure error) {
			erased, forgotten, failure = t.sweep(s.sealer, s.cfg, s.cfg.Now())
			s.scrubDue = s.scrubDue || erased > 0
			return nil, failure
		})
		if err != nil {
			return total, err
		}
		total += erased
		if erased < sweepChunk && forgotten < sweepChunk {
			return total, s.scrubNow()
		}
	}
}

// sweep does one chunk of a sweep.
func (t tables) sweep(key seal.Sealer, cfg Config, now time.Time) (erased, forgotten int, err error) {
	if err := t.recall(key, cfg, now); err != nil {
		return 0, 0, err
	}
	for _, k := range upTo(t.expiring, now) {
		if err := t.erase(seal.ID(k[8:]), seal.ParseTime(k), now); err != nil {
			return 0, 0, err
		}
		erased++
	}
	for _, k := range upTo(t.forgetting, now.Add(-appliance.ExpiredMemory-1)) {
		if err := t.forget(seal.ID(k[8:])); err != nil {
			return 0, 0, err
		}
		forgotten++
	}
	return erased, forgotten, nil
}

// clockSlack is by how much ends may lie beyond what the clock allows: clocks are corrected by a little all the time.
const clockSlack = time.Minute

// recall brings back what lies in the future because the clock was ahead when it was written: a transaction would live
// on, and its end be remembered, until the clock is there again. A damaged transaction is left to its end.
func (t tables) recall(key seal.Sealer, cfg Config, now time.Time) error {
	for _, k := range beyond(t.expiring, now.Add(cfg.TTL+clockSlack)) {
		o, err := find(key, t, seal.ID(k[8:]), now)
		if err != nil {
			continue
		}
		if err := t.renew(o, cfg.end(o.state.Created, now)); err != nil {
			return err
		}
	}
	for _, k := range beyond(t.forgetting, now.Add(clockSlack)) {
		id := seal.ID(k[8:])
		if err := t.forget(id); err != nil {
			return err
		}
		if err := t.remember(id, now); err != nil {
			return err
		}
	}
	return nil
}

// beyond returns copies of keys of an index whose time is after last. (Cursor.Last of bbolt does not end where a commit
// has deleted everything before.)
func beyond(index *bbolt.Bucket, last time.Time) [][]byte {
	var out [][]byte
	c := index.Cursor()
	for k, _ := c.Seek(seal.TimeBytes(last.Add(1))); len(k) == 8+16 && len(out) < sweepChunk; k, _ = c.Next() {
		out = append(out, bytes.Clone(k))
	}
	return out
}

// upTo returns copies of the first keys of an index whose time is not after last.
func upTo(index *bbolt.Bucket, last time.Time) [][]byte {
	var out [][]byte
	c := index.Cursor()
	for k, _ := c.First(); len(k) == 8+16 && !seal.ParseTime(k).After(last) && len(out) < sweepChunk; k, _ = c.Next() {
		out = append(out, bytes.Clone(k))
	}
	return out
}
