package database

import (
	"bytes"
	"fmt"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/store/seal"
	"go.etcd.io/bbolt"
)

// recordKey is the length of a record's key: id and sequence.
const recordKey = 16 + 4

// Header returns the stored header of an id, which is borrowed. The error says whether the transaction is expired or unknown at the given
// time; the header is then that of a transaction that ended but was not swept yet, and nil when there is none.
func (t Tables) Header(id seal.ID, now time.Time) (*seal.Header, error) {
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

// Records returns the content of a transaction's records.
func (t Tables) Records(o *Transaction) ([][]byte, error) {
	var plain [][]byte
	id := o.ID
	c := t.records.Cursor()
	for k, v := c.Seek(id[:]); bytes.HasPrefix(k, id[:]); k, v = c.Next() {
		seq := seal.Sequence(uint32(len(plain) + 1))
		if !bytes.Equal(k[len(id):], seq) {
			return nil, seal.ErrDamaged(id, fmt.Errorf("record %d is missing", len(plain)+1))
		}
		p, err := o.Data.OpenRecord(id, uint32(len(plain)+1), v)
		if err != nil {
			return nil, seal.ErrDamaged(id, err)
		}
		plain = append(plain, p)
	}
	if n := o.State.Records; uint32(len(plain)) != n {
		return nil, seal.ErrDamaged(id, fmt.Errorf("%d records, want %d", len(plain), n))
	}
	return plain, nil
}

// Transaction is a stored transaction whose key is at hand. Its header is not borrowed; one without an end of life is new.
type Transaction struct {
	ID     seal.ID
	Data   seal.Sealer // by its data key
	State  seal.State
	Header seal.Header
}

// Find opens a stored transaction, and answers as Header does. One whose header is not as it was written is damaged, also where
// it says that it has ended.
func (t Tables) Find(id seal.ID, now time.Time) (*Transaction, error) {
	h, ended := t.Header(id, now)
	if h == nil {
		return nil, ended
	}
	data, st, err := t.key.DataKey(id, *h)
	if err != nil {
		return nil, seal.ErrDamaged(id, err)
	}
	return &Transaction{id, data, st, seal.Header{Expires: h.Expires, Wrapped: bytes.Clone(h.Wrapped)}}, ended
}

// Begin makes a transaction of an id of which nothing is stored, but perhaps that it ended too long ago to matter. It is stored with its
// first record.
func (t Tables) Begin(id seal.ID, now time.Time) (*Transaction, error) {
	if err := t.forget(id); err != nil {
		return nil, err
	}
	data, wrapped, err := t.key.NewDataKey(id)
	if err != nil {
		return nil, err
	}
	return &Transaction{id, data, seal.State{Created: now}, seal.Header{Wrapped: wrapped}}, nil
}

// Put writes the next record of a transaction and its renewed header.
func (t Tables) Put(o *Transaction, plain []byte, expires time.Time) error {
	o.State.Records++
	if err := t.PutSealedRecord(o.ID, o.State.Records, o.Data.SealRecord(o.ID, o.State.Records, plain)); err != nil {
		return err
	}
	return t.Renew(o, expires)
}

// PutSealedRecord puts down the n-th record of a transaction, from 1, that is sealed already.
func (t Tables) PutSealedRecord(id seal.ID, n uint32, value []byte) error {
	return t.records.Put(append(id[:], seal.Sequence(n)...), value)
}

// Renew writes the header with a new end of life and moves its index entry.
func (t Tables) Renew(o *Transaction, expires time.Time) error {
	if h := o.Header; !h.Expires.IsZero() {
		if err := t.expiring.Delete(append(seal.TimeBytes(h.Expires), o.ID[:]...)); err != nil {
			return err
		}
	}
	o.Header.Expires = expires
	o.Header.State = o.Data.SealState(o.ID, o.State, expires)
	if err := t.expiring.Put(append(seal.TimeBytes(expires), o.ID[:]...), nil); err != nil {
		return err
	}
	return t.transactions.Put(o.ID[:], o.Header.Bytes())
}

// Erase removes a transaction and remembers, where that is still due, when it ended.
func (t Tables) Erase(id seal.ID, at, now time.Time) error {
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
	return t.Remember(id, at)
}

// Remember notes when a transaction ended.
func (t Tables) Remember(id seal.ID, at time.Time) error {
	if err := t.gone.Put(id[:], seal.TimeBytes(at)); err != nil {
		return err
	}
	return t.forgetting.Put(append(seal.TimeBytes(at), id[:]...), nil)
}

// forget drops the memory of a transaction that ended, if there is one.
func (t Tables) forget(id seal.ID) error {
	at := bytes.Clone(t.gone.Get(id[:]))
	if at == nil {
		return nil
	}
	if err := t.forgetting.Delete(append(at, id[:]...)); err != nil {
		return err
	}
	return t.gone.Delete(id[:])
}

// SealedValues returns copies of what the file holds of a transaction: wrapped key and state first, then the records.
func (t Tables) SealedValues(id seal.ID) [][]byte {
	values := [][]byte{bytes.Clone(t.transactions.Get(id[:])[8:])} // behind the end of life, which is no secret
	c := t.records.Cursor()
	for k, v := c.Seek(id[:]); bytes.HasPrefix(k, id[:]); k, v = c.Next() {
		values = append(values, bytes.Clone(v))
	}
	return values
}

// IDs returns the ids of all transactions, also of those that have ended and were not swept yet.
func (t Tables) IDs() []seal.ID { return idsOf(t.transactions) }

// Life is how long transactions live.
type Life struct {
	// TTL is how long one lives after its last request, and MaxAge how long after its first one at the latest.
	TTL, MaxAge time.Duration
}

// End is when a transaction ends that is renewed now.
func (l Life) End(created, now time.Time) time.Time {
	return appliance.EndOf(created, now, l.TTL, l.MaxAge)
}

// sweepChunk bounds how many transactions one commit of a sweep erases, so that requests need not wait long behind it.
const sweepChunk = 256

// Sweep erases what has ended and forgets what ended long ago, a chunk of both; more says that there may be more of them.
func (t Tables) Sweep(life Life, now time.Time) (erased int, more bool, err error) {
	if err := t.recall(life, now); err != nil {
		return 0, false, err
	}
	forgotten := 0
	for _, k := range upTo(t.expiring, now) {
		if err := t.Erase(seal.ID(k[8:]), seal.ParseTime(k), now); err != nil {
			return 0, false, err
		}
		erased++
	}
	for _, k := range upTo(t.forgetting, now.Add(-appliance.ExpiredMemory-1)) {
		if err := t.forget(seal.ID(k[8:])); err != nil {
			return 0, false, err
		}
		forgotten++
	}
	return erased, erased == sweepChunk || forgotten == sweepChunk, nil
}

// clockSlack is by how much ends may lie beyond what the clock allows: clocks are corrected by a little all the time.
const clockSlack = time.Minute

// recall brings back what lies in the future because the clock was ahead when it was written: a transaction would live
// on, and its end be remembered, until the clock is there again. A damaged transaction is left to its end.
func (t Tables) recall(life Life, now time.Time) error {
	for _, k := range beyond(t.expiring, now.Add(life.TTL+clockSlack)) {
		o, err := t.Find(seal.ID(k[8:]), now)
		if err != nil {
			continue
		}
		if err := t.Renew(o, life.End(o.State.Created, now)); err != nil {
			return err
		}
	}
	for _, k := range beyond(t.forgetting, now.Add(clockSlack)) {
		id := seal.ID(k[8:])
		if err := t.forget(id); err != nil {
			return err
		}
		if err := t.Remember(id, now); err != nil {
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
