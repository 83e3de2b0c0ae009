package etcd

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/store/seal"
)

// Erase destroys a transaction; see appliance.TransactionStore. On return its key and records are deleted on a majority of
// the members, and the revisions that held them are compacted, so that no client can read them any more.
func (s *Store) Erase(ctx context.Context, idText string) error {
	_, err := s.erase(ctx, idText)
	return err
}

// EraseProven erases a transaction like Erase and then asks the cluster for the revision in which it still was: that it is
// answered, or that a key is left, is an error that is not expected ever. A transaction that had ended but was not swept yet
// is erased all the same. The proof is about what clients can read; Searched is 0, because the disks of the members are not
// this program's to search.
func (s *Store) EraseProven(ctx context.Context, idText string) (appliance.Erasure, error) {
	e, err := s.erase(ctx, idText)
	if err != nil && (e.revision == 0 || appliance.CodeOf(err) != appliance.CodeTransactionExpired) {
		return appliance.Erasure{}, err
	}
	return appliance.Erasure{Records: e.records}, s.prove(ctx, e)
}

// erased is what is known of a transaction that is no more.
type erased struct {
	id       seal.ID
	records  int
	revision int64 // in which it was there for the last time; 0 where there was none
}

func (s *Store) erase(ctx context.Context, idText string) (e erased, err error) {
	if e.id, err = seal.ParseID(idText); err != nil {
		return e, err
	}
	var ended error
	err = s.change(ctx, "erase transaction", e.id, func(ctx context.Context, c *client) error {
		f, err := s.get(ctx, c, e.id, s.records(e.id))
		if err != nil {
			return err
		}
		now := s.cfg.Now()
		if f.head == nil && e.revision != 0 { // an attempt before did it
			return compact(ctx, c, f.revision, true) // on disk, too, as far as etcd does
		}
		if ended = f.lives(now); f.head == nil {
			return ended
		}
		e.records, e.revision = len(f.records), f.head.ModRevision
		at := f.header.Expires // an expired one keeps the time at which it ended
		if at.After(now) {
			at = now
		}
		deleted, err := s.remove(ctx, c, e.id, f, at)
		if err != nil {
			return err
		}
		return compact(ctx, c, deleted, true)
	})
	if err == nil {
		err = ended
	}
	return e, err
}

// remove deletes a transaction that is still as it was read, and remembers when it ended where that is still due. It
// returns the revision from which on it is no more.
func (s *Store) remove(ctx context.Context, c *client, id seal.ID, f *found, at time.Time) (int64, error) {
	ops := []clientv3.Op{clientv3.OpDelete(s.headKey(id)), clientv3.OpDelete(s.records(id), clientv3.WithPrefix())}
	memory := clientv3.NoLease
	if s.cfg.Now().Sub(at) <= appliance.ExpiredMemory {
		var err error
		if memory, err = s.memoryLease(ctx, c); err != nil {
			return 0, err
		}
		ops = append(ops, clientv3.OpPut(s.goneKey(id), string(seal.TimeBytes(at)), clientv3.WithLease(memory)))
	} else {
		ops = append(ops, clientv3.OpDelete(s.goneKey(id)))
	}
	return s.commit(ctx, c, id, f.head.ModRevision, memory, ops) // the lease runs out by itself
}

// compact ends the history before a revision, with physical also on disk. What was compacted already is no error.
func compact(ctx context.Context, c *client, before int64, physical bool) error {
	var opts []clientv3.CompactOption
	if physical {
		opts = append(opts, clientv3.WithCompactPhysical())
	}
	_, err := c.Compact(ctx, before, opts...)
	if errors.Is(err, rpctypes.ErrCompacted) {
		return nil
	}
	return err
}

// prove reads what an erased transaction was stored under, now and as it was.
func (s *Store) prove(ctx context.Context, e erased) error {
	return s.call(ctx, "look for what was erased", func(ctx context.Context, c *client) error {
		f, err := s.get(ctx, c, e.id, s.records(e.id))
		if err != nil {
			return err
		}
		if f.head != nil || len(f.records) > 0 {
			return unproven(errors.New("a key of the transaction is still there"))
		}
		_, err = c.Get(ctx, s.headKey(e.id), clientv3.WithRev(e.revision))
		switch {
		case errors.Is(err, rpctypes.ErrCompacted):
			return nil
		case err == nil:
			return unproven(fmt.Errorf("revision %d is still readable", e.revision))
		}
		return err
	})
}

func unproven(err error) error {
	return &appliance.Error{
		Code: appliance.CodeInternal, Op: "look for what was erased",
		Msg: "the transaction is erased, but that nothing of it can be read could not be proven", Hint: hintDoctor, Err: err,
	}
}

// sweepPage is how many heads a sweep reads at a time.
const sweepPage = 500

// Sweep erases what has expired, whichever kiosk of the branch it comes from, and compacts the history before the last
// sweep; see appliance.TransactionStore. What ended long ago is forgotten by its lease.
func (s *Store) Sweep(ctx context.Context) (int, error) {
	total, from, revision := 0, s.heads(), int64(0)
	for from != "" {
		var ended []*found
		var ids []seal.ID
		err := s.call(ctx, "sweep", func(ctx context.Context, c *client) error {
			got, err := c.Get(ctx, from, clientv3.WithRange(clientv3.GetPrefixRangeEnd(s.heads())), clientv3.WithLimit(sweepPage))
			if err != nil {
				return err
			}
			revision, ended, ids = got.Header.GetRevision(), nil, nil
			next := ""
			for _, kv := range got.Kvs {
				next = string(kv.Key) + "\x00"
				id, err := seal.ParseID(string(kv.Key[len(s.heads()):]))
				if err != nil {
					continue
				}
				h, err := seal.ParseHeader(kv.Value)
				if err != nil || s.cfg.Now().Before(h.Expires) {
					continue
				}
				ended, ids = append(ended, &found{head: kv, header: h}), append(ids, id)
			}
			if !got.More {
				next = ""
			}
			from = next
			return nil
		})
		if err != nil {
			return total, err
		}
		n, err := s.removeAll(ctx, ids, ended)
		total += n
		if err != nil {
			return total, err
		}
	}
	return total, s.compactHistory(ctx, revision)
}

// sweepers is how many transactions a sweep erases at a time: members sync for several at once.
const sweepers = 8

// removeAll deletes transactions that have ended; those that another kiosk deleted or renewed meanwhile do not count.
func (s *Store) removeAll(ctx context.Context, ids []seal.ID, ended []*found) (int, error) {
	var n atomic.Int64
	var all sync.WaitGroup
	errs, next := make([]error, sweepers), make(chan int)
	for w := range sweepers {
		all.Go(func() {
			for i := range next {
				if errs[w] != nil {
					continue
				}
				errs[w] = s.call(ctx, "sweep", func(ctx context.Context, c *client) error {
					_, err := s.remove(ctx, c, ids[i], ended[i], ended[i].header.Expires)
					if errors.Is(err, errConflict) {
						return nil
					}
					if err == nil {
						n.Add(1)
					}
					return err
				})
			}
		})
	}
	for i := range ids {
		next <- i
	}
	close(next)
	all.Wait()
	return int(n.Load()), errors.Join(errs...)
}

// compactHistory ends the history up to what the last sweep saw.
func (s *Store) compactHistory(ctx context.Context, revision int64) error {
	s.mu.Lock()
	before := s.lastSeen
	s.lastSeen = revision
	s.mu.Unlock()
	if before == 0 || before == revision {
		return nil
	}
	return s.call(ctx, "compact history", func(ctx context.Context, c *client) error {
		return compact(ctx, c, before, false)
	})
}
