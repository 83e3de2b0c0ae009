package etcd

import (
	"context"
	"errors"
	"fmt"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/store/seal"
)

// Examine opens every sealed value that the branch keeps in the cluster, beside the running kiosks, and says what does not
// open: one check for the whole and one for each damaged transaction. It is not a snapshot: what ends meanwhile is left out.
func Examine(ctx context.Context, cfg Config) []appliance.Check {
	const name = "branch store"
	s := New(cfg)
	if err := s.Open(ctx); err != nil {
		return []appliance.Check{failed(name, err)}
	}
	r, err := s.examine(ctx)
	if err = errors.Join(err, s.Close()); err != nil {
		return []appliance.Check{failed(name, err)}
	}
	checks := []appliance.Check{{
		Name: name, OK: len(r.damaged) == 0,
		Detail: fmt.Sprintf("%d transactions with %d records in the cluster, %d of them damaged", r.transactions, r.records, len(r.damaged)),
		Hint:   "somebody changed what lies in the cluster, or the disk of a member fails: look at the logs of etcd",
	}}
	for _, id := range r.damaged {
		checks = append(checks, appliance.Check{Name: name, Detail: "transaction " + id + " does not open", Hint: "it vanishes at its end of life; until then start a new one"})
	}
	return checks
}

// examined counts what was looked at.
type examined struct {
	transactions, records int
	damaged               []string
}

func (s *Store) examine(ctx context.Context) (r examined, err error) {
	ids, err := s.TransactionIDs(ctx)
	if err != nil {
		return r, err
	}
	for _, name := range ids {
		n, err := s.examineOne(ctx, name)
		switch code := appliance.CodeOf(err); {
		case ctx.Err() != nil:
			return r, ctx.Err()
		case err == nil:
			r.transactions++
			r.records += n
		case appliance.Damaged(err):
			r.transactions++
			r.damaged = append(r.damaged, name)
		case code != appliance.CodeTransactionUnknown && code != appliance.CodeTransactionExpired:
			return r, err
		}
	}
	return r, nil
}

// TransactionIDs returns what the branch's transactions are stored under, also those that have ended and were not swept yet.
func (s *Store) TransactionIDs(ctx context.Context) (ids []string, err error) {
	for from := s.heads(); from != ""; {
		var page *clientv3.GetResponse
		err := s.call(ctx, "list transactions", func(ctx context.Context, c *client) (err error) {
			page, err = c.Get(ctx, from, clientv3.WithRange(clientv3.GetPrefixRangeEnd(s.heads())), clientv3.WithLimit(sweepPage), clientv3.WithKeysOnly())
			return err
		})
		if err != nil {
			return nil, err
		}
		from = ""
		for _, kv := range page.Kvs {
			ids = append(ids, string(kv.Key[len(s.heads()):]))
			if page.More {
				from = string(kv.Key) + "\x00"
			}
		}
	}
	return ids, nil
}

// examineOne opens one transaction, also one that has ended, and counts its records.
func (s *Store) examineOne(ctx context.Context, name string) (n int, err error) {
	id, err := seal.ParseID(name)
	if err != nil {
		return 0, err
	}
	err = s.call(ctx, "examine", func(ctx context.Context, c *client) error {
		f, err := s.get(ctx, c, id, s.records(id))
		if err != nil {
			return err
		}
		if f.head == nil { // it ended meanwhile
			return seal.ErrUnknown()
		}
		data, st, err := s.key.DataKey(id, f.header)
		if err != nil {
			return seal.ErrDamaged(id, err)
		}
		n = len(f.records)
		_, err = s.openRecords(id, data, st, f.records)
		return err
	})
	return n, err
}
