package store

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/bawab/bawab/appliance"
	"go.etcd.io/bbolt"
)

// transactionID is the binary form of a GUID: the key of a transaction in the file.
type transactionID [16]byte

func parseID(text string) (transactionID, error) {
	var id transactionID
	lower, ok := appliance.ParseGUID(text)
	if !ok {
		return id, appliance.Errorf(appliance.CodeBadRequest, "the transaction id is not a GUID")
	}
	_, err := hex.Decode(id[:], []byte(strings.ReplaceAll(lower, "-", "")))
	return id, err
}

func (id transactionID) String() string {
	h := hex.EncodeToString(id[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// header is the value of a transaction. In the file: end of life (8 bytes), wrapped data key, sealed state.
type header struct {
	expires time.Time
	wrapped []byte // the data key, sealed under the appliance key
	state   []byte // state, sealed under the data key; the end of life is bound to it
}

const (
	wrappedSize = keySize + sealOverhead
	stateSize   = 4 + 8 + sealOverhead
	headerSize  = 8 + wrappedSize + stateSize
	recordKey   = 16 + 4
)

// state is what a transaction knows about itself. The number of records is sealed so that a record that went
// missing is noticed.
type state struct {
	records uint32
	created time.Time
}

// parseHeader borrows from v.
func parseHeader(v []byte) (header, error) {
	if len(v) != headerSize {
		return header{}, fmt.Errorf("transaction of %d bytes, want %d", len(v), headerSize)
	}
	return header{parseTime(v), v[8 : 8+wrappedSize], v[8+wrappedSize:]}, nil
}

func (h header) bytes() []byte {
	return append(append(timeBytes(h.expires), h.wrapped...), h.state...)
}

// timeBytes orders like time, for times after 1970.
func timeBytes(t time.Time) []byte { return binary.BigEndian.AppendUint64(nil, uint64(t.UnixNano())) }

func parseTime(b []byte) time.Time {
	return time.Unix(0, int64(binary.BigEndian.Uint64(b))).UTC()
}

// dataKey unwraps the transaction's key and opens its state, which fails where the end of life was changed.
func (s sealer) dataKey(id transactionID, h header) (sealer, state, error) {
	data, err := s.unwrap(id, h)
	if err != nil {
		return sealer{}, state{}, err
	}
	plain, err := data.open(h.state, purposeState, id[:], timeBytes(h.expires))
	if err != nil {
		return sealer{}, state{}, err
	}
	return data, parseState(plain), nil
}

// unwrap returns the transaction's own sealer.
func (s sealer) unwrap(id transactionID, h header) (sealer, error) {
	key, err := s.open(h.wrapped, purposeDataKey, id[:])
	if err != nil {
		return sealer{}, err
	}
	return newSealer(key)
}

func parseState(plain []byte) state {
	return state{binary.BigEndian.Uint32(plain), parseTime(plain[4:])}
}

func (st state) bytes() []byte {
	return append(binary.BigEndian.AppendUint32(nil, st.records), timeBytes(st.created)...)
}

func sequence(n uint32) []byte { return binary.BigEndian.AppendUint32(nil, n) }

func errUnknown() error {
	return appliance.Errorf(appliance.CodeTransactionUnknown, "the transaction is not known: read an identity document first")
}

func errExpired() error {
	return appliance.Errorf(appliance.CodeTransactionExpired, "the transaction has expired: start a new one")
}

func errDamaged(id transactionID, err error) error {
	return &appliance.Error{Code: appliance.CodeInternal, Op: "open transaction " + id.String(),
		Msg: "the stored transaction is damaged: start a new one", Hint: hintCheck, Err: err}
}

// find returns the stored header of an id. The error says whether the transaction is expired or unknown at the given
// time; the header is then that of a transaction that ended but was not swept yet, and nil when there is none.
func (t tables) find(id transactionID, now time.Time) (*header, error) {
	if v := t.transactions.Get(id[:]); v != nil {
		h, err := parseHeader(v)
		if err != nil {
			return nil, errDamaged(id, err)
		}
		return &h, ended(h.expires, now)
	}
	if v := t.gone.Get(id[:]); len(v) == 8 {
		// An erased transaction ended when it was erased, even if the clock was set back since.
		at := parseTime(v)
		if at.After(now) {
			at = now
		}
		return nil, ended(at, now)
	}
	return nil, errUnknown()
}

func ended(at, now time.Time) error {
	switch {
	case now.Before(at):
		return nil
	case now.Sub(at) <= appliance.ExpiredMemory:
		return errExpired()
	}
	return errUnknown()
}

// Transaction returns a living transaction; see appliance.TransactionStore. The caller owns it.
func (s *Store) Transaction(ctx context.Context, idText string) (*appliance.Transaction, error) {
	id, err := parseID(idText)
	if err != nil {
		return nil, err
	}
	out := &appliance.Transaction{ID: id.String()}
	var plain [][]byte
	err = s.view(ctx, "read transaction", func(t tables) error {
		o, err := s.sealer.find(t, id, s.cfg.Now())
		if err != nil {
			return err
		}
		out.Created, out.Expires = o.state.created, o.header.expires
		plain, err = t.openRecords(o)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, p := range plain {
		var r appliance.Record
		if err := json.Unmarshal(p, &r); err != nil {
			return nil, errDamaged(id, err)
		}
		out.Records = append(out.Records, r)
	}
	return out, nil
}

// openRecords returns the content of a transaction's records.
func (t tables) openRecords(o *opened) ([][]byte, error) {
	var plain [][]byte
	id := o.id
	c := t.records.Cursor()
	for k, v := c.Seek(id[:]); bytes.HasPrefix(k, id[:]); k, v = c.Next() {
		seq := sequence(uint32(len(plain) + 1))
		if !bytes.Equal(k[len(id):], seq) {
			return nil, errDamaged(id, fmt.Errorf("record %d is missing", len(plain)+1))
		}
		p, err := o.data.open(v, purposeRecord, id[:], seq)
		if err != nil {
			return nil, errDamaged(id, err)
		}
		plain = append(plain, p)
	}
	if n := o.state.records; uint32(len(plain)) != n {
		return nil, errDamaged(id, fmt.Errorf("%d records, want %d", len(plain), n))
	}
	return plain, nil
}

// Append adds a record and is durable on return; see appliance.TransactionStore. Concurrent calls share one commit.
func (s *Store) Append(ctx context.Context, idText string, r appliance.Record) error {
	id, err := parseID(idText)
	if err != nil {
		return err
	}
	plain, err := json.Marshal(r)
	if err != nil {
		return &appliance.Error{Code: appliance.CodeInternal, Op: "append record", Msg: "the record cannot be stored", Err: err}
	}
	if err := s.room(); err != nil {
		return unavailable("append record", err)
	}
	return s.write(ctx, "append record", func(t tables) (refusal, failure error) {
		now := s.cfg.Now()
		o, err := s.sealer.find(t, id, now)
		switch {
		case err == nil:
			return nil, t.put(o, plain, now.Add(s.cfg.TTL))
		case appliance.CodeOf(err) != appliance.CodeTransactionUnknown:
			return err, nil
		case o != nil:
			// What is left of a transaction that ended too long ago to be remembered.
			if err := t.erase(id, o.header.expires, now); err != nil {
				return nil, err
			}
			s.scrubDue = true
		}
		if err := t.forget(id); err != nil {
			return nil, err
		}
		key := make([]byte, keySize)
		rand.Read(key)
		data, err := newSealer(key)
		if err != nil {
			return nil, err
		}
		fresh := header{wrapped: s.sealer.seal(key, purposeDataKey, id[:])}
		return nil, t.put(&opened{id, data, state{created: now}, fresh}, plain, now.Add(s.cfg.TTL))
	})
}

// opened is a transaction whose key is at hand. Its header is not borrowed; one without an end of life is new.
type opened struct {
	id     transactionID
	data   sealer
	state  state
	header header
}

// find returns a stored transaction as tables.find does. One whose header is not as it was written is damaged, also where
// it says that it has ended.
func (s sealer) find(t tables, id transactionID, now time.Time) (*opened, error) {
	h, ended := t.find(id, now)
	if h == nil {
		return nil, ended
	}
	data, st, err := s.dataKey(id, *h)
	if err != nil {
		return nil, errDamaged(id, err)
	}
	return &opened{id, data, st, header{h.expires, bytes.Clone(h.wrapped), nil}}, ended
}

// put writes the next record of a transaction and its renewed header.
func (t tables) put(o *opened, plain []byte, expires time.Time) error {
	o.state.records++
	seq := sequence(o.state.records)
	if err := t.records.Put(append(o.id[:], seq...), o.data.seal(plain, purposeRecord, o.id[:], seq)); err != nil {
		return err
	}
	return t.renew(o, expires)
}

// renew writes the header with a new end of life and moves its index entry.
func (t tables) renew(o *opened, expires time.Time) error {
	if h := o.header; !h.expires.IsZero() {
		if err := t.expiring.Delete(append(timeBytes(h.expires), o.id[:]...)); err != nil {
			return err
		}
	}
	o.header.expires = expires
	o.header.state = o.data.seal(o.state.bytes(), purposeState, o.id[:], timeBytes(expires))
	if err := t.expiring.Put(append(timeBytes(expires), o.id[:]...), nil); err != nil {
		return err
	}
	return t.transactions.Put(o.id[:], o.header.bytes())
}

// Renew moves the end of a living transaction; see appliance.TransactionStore.
func (s *Store) Renew(ctx context.Context, idText string) error {
	id, err := parseID(idText)
	if err != nil {
		return err
	}
	return s.write(ctx, "renew transaction", func(t tables) (refusal, failure error) {
		now := s.cfg.Now()
		o, err := s.sealer.find(t, id, now)
		if err != nil {
			return err, nil
		}
		return nil, t.renew(o, now.Add(s.cfg.TTL))
	})
}

// erase removes a transaction and remembers, where that is still due, when it ended.
func (t tables) erase(id transactionID, at, now time.Time) error {
	h, err := parseHeader(t.transactions.Get(id[:]))
	if err != nil {
		return err
	}
	if err := t.expiring.Delete(append(timeBytes(h.expires), id[:]...)); err != nil {
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
func (t tables) remember(id transactionID, at time.Time) error {
	if err := t.gone.Put(id[:], timeBytes(at)); err != nil {
		return err
	}
	return t.forgetting.Put(append(timeBytes(at), id[:]...), nil)
}

// forget drops the memory of a transaction that ended, if there is one.
func (t tables) forget(id transactionID) error {
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
	total := 0
	for {
		var erased, forgotten int
		err := s.write(ctx, "sweep", func(t tables) (refusal, failure error) {
			erased, forgotten, failure = t.sweep(s.sealer, s.cfg.Now(), s.cfg.TTL)
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
func (t tables) sweep(key sealer, now time.Time, ttl time.Duration) (erased, forgotten int, err error) {
	if err := t.recall(key, now, ttl); err != nil {
		return 0, 0, err
	}
	for _, k := range upTo(t.expiring, now) {
		if err := t.erase(transactionID(k[8:]), parseTime(k), now); err != nil {
			return 0, 0, err
		}
		erased++
	}
	for _, k := range upTo(t.forgetting, now.Add(-appliance.ExpiredMemory-1)) {
		if err := t.forget(transactionID(k[8:])); err != nil {
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
func (t tables) recall(key sealer, now time.Time, ttl time.Duration) error {
	for _, k := range beyond(t.expiring, now.Add(ttl+clockSlack)) {
		o, err := key.find(t, transactionID(k[8:]), now)
		if err != nil {
			continue
		}
		if err := t.renew(o, now.Add(ttl)); err != nil {
			return err
		}
	}
	for _, k := range beyond(t.forgetting, now.Add(clockSlack)) {
		id := transactionID(k[8:])
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
	for k, _ := c.Seek(timeBytes(last.Add(1))); len(k) == 8+16 && len(out) < sweepChunk; k, _ = c.Next() {
		out = append(out, bytes.Clone(k))
	}
	return out
}

// upTo returns copies of the first keys of an index whose time is not after last.
func upTo(index *bbolt.Bucket, last time.Time) [][]byte {
	var out [][]byte
	c := index.Cursor()
	for k, _ := c.First(); len(k) == 8+16 && !parseTime(k).After(last) && len(out) < sweepChunk; k, _ = c.Next() {
		out = append(out, bytes.Clone(k))
	}
	return out
}
