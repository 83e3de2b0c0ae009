package etcd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"go.etcd.io/etcd/api/v3/mvccpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/store/seal"
)

// found is what the cluster holds of a transaction at one revision.
type found struct {
	head    *mvccpb.KeyValue // nil where there is none
	header  seal.Header      // borrowed from head
	gone    []byte           // the end, where it is remembered
	records []*mvccpb.KeyValue
	// revision is that of the cluster when it was read.
	revision int64
}

// get reads a transaction and, of its records, those whose key begins with the given text.
func (s *Store) get(ctx context.Context, c *client, id seal.ID, records string) (*found, error) {
	got, revision, err := c.read(ctx, clientv3.OpGet(s.headKey(id)), clientv3.OpGet(s.goneKey(id)), clientv3.OpGet(records, clientv3.WithPrefix()))
	if err != nil {
		return nil, err
	}
	f := &found{gone: valueOf(got[1]), records: got[2], revision: revision}
	if len(got[0]) > 0 {
		f.head = got[0][0]
		if f.header, err = seal.ParseHeader(f.head.Value); err != nil {
			return nil, seal.ErrDamaged(id, err)
		}
	}
	return f, nil
}

// lives answers whether the transaction lives: nil, CodeTransactionExpired or CodeTransactionUnknown.
func (f *found) lives(now time.Time) error {
	switch {
	case f.head != nil:
		return seal.Ended(f.header.Expires, now)
	case len(f.gone) == 8:
		return seal.Gone(seal.ParseTime(f.gone), now)
	}
	return seal.ErrUnknown()
}

// Transaction returns a living transaction; see appliance.TransactionStore. The caller owns it.
func (s *Store) Transaction(ctx context.Context, idText string) (*appliance.Transaction, error) {
	id, err := seal.ParseID(idText)
	if err != nil {
		return nil, err
	}
	out := &appliance.Transaction{ID: id.String()}
	err = s.call(ctx, "read transaction", func(ctx context.Context, c *client) error {
		f, err := s.get(ctx, c, id, s.records(id))
		if err != nil {
			return err
		}
		ended := f.lives(s.cfg.Now())
		if f.head == nil {
			return ended
		}
		data, st, err := s.key.DataKey(id, f.header)
		if err != nil {
			return seal.ErrDamaged(id, err)
		}
		if ended != nil {
			return ended
		}
		out.Created, out.Expires, out.Attempts = st.Created, f.header.Expires, int(st.Attempts)
		out.Records, err = s.openRecords(id, data, st, f.records)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// openRecords opens the records of a transaction, of which none may be missing.
func (s *Store) openRecords(id seal.ID, data seal.Sealer, st seal.State, kvs []*mvccpb.KeyValue) ([]appliance.Record, error) {
	if uint32(len(kvs)) != st.Records {
		return nil, seal.ErrDamaged(id, fmt.Errorf("%d records, want %d", len(kvs), st.Records))
	}
	var plain [][]byte
	for i, kv := range kvs {
		n := uint32(i + 1)
		if string(kv.Key) != s.recordKey(id, n) {
			return nil, seal.ErrDamaged(id, fmt.Errorf("record %d is missing", n))
		}
		p, err := data.OpenRecord(id, n, kv.Value)
		if err != nil {
			return nil, seal.ErrDamaged(id, err)
		}
		plain = append(plain, p)
	}
	return seal.DecodeRecords(id, plain)
}

// recordKey orders like n.
func (s *Store) recordKey(id seal.ID, n uint32) string {
	return fmt.Sprintf("%s%010d", s.records(id), n)
}

// Append adds a record and is durable on a majority of the members on return; see appliance.TransactionStore.
func (s *Store) Append(ctx context.Context, idText string, r appliance.Record) error {
	id, err := seal.ParseID(idText)
	if err != nil {
		return err
	}
	plain, err := seal.EncodeRecord(r)
	if err != nil {
		return err
	}
	a := &appending{store: s, id: id, plain: plain}
	return s.change(ctx, "append record", id, a.attempt)
}

// turns is into how many queues changes go, by the id of their transaction.
const turns = 64

// change is call for what changes a transaction, when no other caller of this kiosk does so. Changes would come out right without
// that, after as many attempts as there are callers.
func (s *Store) change(ctx context.Context, op string, id seal.ID, work func(context.Context, *client) error) error {
	queue := s.queues[id[0]%turns]
	select {
	case queue <- struct{}{}:
		defer func() { <-queue }()
		return s.call(ctx, op, work)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// appending is a record on its way into the cluster. The attempts to write it share what they seal: with the same head
// they write the same bytes, and with another head an earlier one has failed for good. So one look reports whether the
// attempt before, whose answer got lost, has succeeded.
type appending struct {
	store *Store
	id    seal.ID
	plain []byte
	fresh *writing // the new transaction, where one had to be begun

	// What the last attempt wrote: the record's number, the wrapped key of its transaction, the sealed record.
	number  uint32
	wrapped []byte
	sealed  []byte
}

func (a *appending) attempt(ctx context.Context, c *client) error {
	s := a.store
	f, err := s.get(ctx, c, a.id, s.recordKey(a.id, max(a.number, 1)))
	if err != nil {
		return err
	}
	if a.sealed != nil && len(f.records) == 1 && bytes.Equal(f.records[0].Value, a.sealed) {
		return nil
	}
	w, err := s.living(ctx, c, a.id, f)
	if appliance.CodeOf(err) == appliance.CodeTransactionUnknown {
		w, err = a.begin(ctx, c, f)
	}
	if err != nil {
		return err
	}
	next := *w
	next.state.Records++
	if n := next.state.Records; a.number != n || !bytes.Equal(a.wrapped, w.wrapped) {
		a.number, a.wrapped, a.sealed = n, w.wrapped, w.data.SealRecord(a.id, n, a.plain)
	}
	record := clientv3.OpPut(s.recordKey(a.id, a.number), string(a.sealed), clientv3.WithLease(w.lease))
	err = s.put(ctx, c, &next, record)
	if errors.Is(err, errConflict) && w == a.fresh { // somebody else began it, or its lease has run out
		s.drop(ctx, c, w.lease)
		a.fresh = nil
	}
	return err
}

// begin prepares a new transaction in the place of what is found, which is none or one that ended too long ago to be
// remembered.
func (a *appending) begin(ctx context.Context, c *client, f *found) (*writing, error) {
	s := a.store
	if f.head != nil {
		if _, err := s.remove(ctx, c, a.id, f, f.header.Expires); err != nil {
			return nil, err
		}
	}
	if a.fresh != nil {
		return a.fresh, nil
	}
	data, wrapped, err := s.key.NewDataKey(a.id)
	if err != nil {
		return nil, err
	}
	lease, err := c.Grant(ctx, seconds(s.cfg.TTL+s.cfg.slack))
	if err != nil {
		return nil, err
	}
	a.fresh = &writing{id: a.id, data: data, wrapped: wrapped, state: seal.State{Created: s.cfg.Now()}, lease: lease.ID}
	return a.fresh, nil
}

// writing is a transaction that is about to be changed.
type writing struct {
	id       seal.ID
	data     seal.Sealer
	wrapped  []byte
	state    seal.State
	lease    clientv3.LeaseID // of head and records
	revision int64            // of the head as it was read; 0 where there was none
}

// living opens a transaction that lives and renews its lease, before the end of life is moved: the lease must not run out
// first.
func (s *Store) living(ctx context.Context, c *client, id seal.ID, f *found) (*writing, error) {
	ended := f.lives(s.cfg.Now())
	if f.head == nil {
		return nil, ended
	}
	data, st, err := s.key.DataKey(id, f.header)
	if err != nil {
		return nil, seal.ErrDamaged(id, err)
	}
	if ended != nil {
		return nil, ended
	}
	w := &writing{id, data, f.header.Wrapped, st, clientv3.LeaseID(f.head.Lease), f.head.ModRevision}
	return w, s.extend(ctx, c, w.lease)
}

// extend renews the lease of a transaction. One that has run out took the transaction with it, which the next attempt sees.
func (s *Store) extend(ctx context.Context, c *client, lease clientv3.LeaseID) error {
	err := c.keepAlive(ctx, lease)
	if errors.Is(err, rpctypes.ErrLeaseNotFound) {
		return errConflict
	}
	return err
}

// put writes the head with a new end of life, the memory of that end, and what else changes, if the head is still as it was
// read.
func (s *Store) put(ctx context.Context, c *client, w *writing, more ...clientv3.Op) error {
	expires := appliance.EndOf(w.state.Created, s.cfg.Now(), s.cfg.TTL, s.cfg.MaxAge)
	memory, err := s.memoryLease(ctx, c)
	if err != nil {
		return err
	}
	head := seal.Header{Expires: expires, Wrapped: w.wrapped, State: w.data.SealState(w.id, w.state, expires)}
	ops := append(more,
		clientv3.OpPut(s.headKey(w.id), string(head.Bytes()), clientv3.WithLease(w.lease)),
		clientv3.OpPut(s.goneKey(w.id), string(seal.TimeBytes(expires)), clientv3.WithLease(memory)))
	_, err = s.commit(ctx, c, w.id, w.revision, memory, ops)
	return err
}

// commit makes changes to a transaction, all of them, if its head is still as it was read; revision 0 is none. Memory is the
// lease that an end hangs on, or 0. It returns the revision of the change.
func (s *Store) commit(ctx context.Context, c *client, id seal.ID, revision int64, memory clientv3.LeaseID, ops []clientv3.Op) (int64, error) {
	got, err := c.Txn(ctx).If(unchanged(s.headKey(id), revision)).Then(ops...).Commit()
	switch {
	case errors.Is(err, rpctypes.ErrLeaseNotFound): // the transaction's lease or that of its end
		s.forgetMemory(memory)
		return 0, errConflict
	case err != nil:
		return 0, err
	case !got.Succeeded:
		return 0, errConflict
	}
	return got.Header.GetRevision(), nil
}

// drop gives a lease back that nothing hangs on any more. Where that fails it runs out by itself.
func (s *Store) drop(ctx context.Context, c *client, lease clientv3.LeaseID) {
	if _, err := c.Revoke(ctx, lease); err != nil && !errors.Is(err, rpctypes.ErrLeaseNotFound) {
		s.cfg.Log.Debug("a lease was not given back", "error", err)
	}
}

// Renew moves the end of a living transaction; see appliance.TransactionStore.
func (s *Store) Renew(ctx context.Context, idText string) error {
	id, err := seal.ParseID(idText)
	if err != nil {
		return err
	}
	return s.change(ctx, "renew transaction", id, func(ctx context.Context, c *client) error {
		f, err := s.get(ctx, c, id, s.recordKey(id, 1))
		if err != nil {
			return err
		}
		w, err := s.living(ctx, c, id, f)
		if err != nil {
			return err
		}
		return s.put(ctx, c, w)
	})
}

// Attempt counts a face check, durably on a majority of the members on return; see appliance.TransactionStore. One whose answer got
// lost on the way from the cluster may be counted twice: better one too many than one too few.
func (s *Store) Attempt(ctx context.Context, idText string, most int) error {
	id, err := seal.ParseID(idText)
	if err != nil {
		return err
	}
	return s.change(ctx, "count attempt", id, func(ctx context.Context, c *client) error {
		f, err := s.get(ctx, c, id, s.recordKey(id, 1))
		if err != nil {
			return err
		}
		w, err := s.living(ctx, c, id, f)
		if err == nil {
			err = w.state.Attempt(most)
		}
		if err != nil {
			return err
		}
		return s.put(ctx, c, w)
	})
}

// memorySlot is how long ends are hung on one lease, before a new one is taken: they all vanish at about their time, and one
// lease serves many.
const memorySlot = 10 * time.Minute

// memoryLease is the lease on which the ends of transactions hang that are written now.
type memoryLease struct {
	sync.Mutex
	id    clientv3.LeaseID
	taken time.Time
}

// memoryLease returns the present one, or takes a new one.
func (s *Store) memoryLease(ctx context.Context, c *client) (clientv3.LeaseID, error) {
	s.memory.Lock()
	defer s.memory.Unlock()
	if s.memory.id != 0 && time.Since(s.memory.taken) < memorySlot {
		return s.memory.id, nil
	}
	lease, err := c.Grant(ctx, seconds(s.cfg.TTL+appliance.ExpiredMemory+memorySlot+s.cfg.slack))
	if err != nil {
		return 0, err
	}
	s.memory.id, s.memory.taken = lease.ID, time.Now()
	return lease.ID, nil
}

// forgetMemory drops a lease that the cluster does not know any more.
func (s *Store) forgetMemory(id clientv3.LeaseID) {
	s.memory.Lock()
	defer s.memory.Unlock()
	if s.memory.id == id {
		s.memory.id = 0
	}
}

// seconds rounds up.
func seconds(d time.Duration) int64 { return int64(math.Ceil(d.Seconds())) }
