// Package noted is a store whose administration goes into the journal: erasing, compacting, changing keys and backing up.
package noted

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/review"
	"github.com/bawab/bawab/store"
	"github.com/bawab/bawab/store/etcd"
)

// Store is a store whose administration goes into the journal. What was done stays done where it cannot be noted;
// the error says both.
type Store struct {
	*store.Store
	Journal appliance.Journal
	Branch  *etcd.Store // nil where this kiosk keeps its transactions itself
}

func (s Store) note(ctx context.Context, done appliance.Phrase, e appliance.Entry) error {
	if err := s.Journal.Note(ctx, e); err != nil {
		return appliance.Unnoted(done, err)
	}
	return nil
}

// ErasePerson implements control.Review: what mentions a number goes, whether it was read or corrected to it.
func (s Store) ErasePerson(ctx context.Context, number string) (appliance.PersonErasure, error) {
	var out appliance.PersonErasure
	if err := appliance.CheckPersonNumber(number); err != nil {
		return out, err
	}
	ids, damaged, err := mentioning(ctx, s.Store, number)
	if err != nil {
		return out, err
	}
	if s.Branch != nil {
		shared, more, err := mentioning(ctx, s.Branch, number)
		if err != nil {
			return out, err
		}
		ids, damaged = append(ids, shared...), damaged+more
	}
	reviews, err := s.EraseReviews(ctx, func(r *review.Review) bool { return r.Mentions(number) || slices.Contains(ids, r.Transaction) })
	if err != nil {
		return out, err
	}
	out.Reviews, out.Damaged, out.Elsewhere = reviews.Reviews, damaged+reviews.Damaged, reviews.Elsewhere
	for _, id := range ids {
		e, err := s.EraseProven(ctx, id)
		if err != nil && appliance.CodeOf(err) != appliance.CodeTransactionExpired {
			return out, err
		}
		out.Transactions, out.Elsewhere = out.Transactions+1, append(out.Elsewhere, e.Elsewhere...)
	}
	slices.Sort(out.Elsewhere)
	out.Elsewhere = slices.Compact(out.Elsewhere)
	if out.Reviews == 0 {
		return out, nil
	}
	return out, s.noteErased(ctx, out.Reviews, "person")
}

// keeper is a store of transactions: that of this kiosk, or that of its branch.
type keeper interface {
	TransactionIDs(ctx context.Context) ([]string, error)
	Transaction(ctx context.Context, id string) (*appliance.Transaction, error)
}

// mentioning returns the living transactions that mention a number, and how many are damaged. What cannot be read now is an error: nobody
// is told that nothing is left of him because a store was closed.
func mentioning(ctx context.Context, k keeper, number string) (ids []string, damaged int, err error) {
	all, err := k.TransactionIDs(ctx)
	if err != nil {
		return nil, 0, err
	}
	for _, id := range all {
		t, err := k.Transaction(ctx, id)
		switch code := appliance.CodeOf(err); {
		case ctx.Err() != nil:
			return nil, 0, ctx.Err()
		case err == nil && t.Mentions(number):
			ids = append(ids, t.ID)
		case err == nil, code == appliance.CodeTransactionExpired, code == appliance.CodeTransactionUnknown:
		case appliance.Damaged(err):
			damaged++
		default:
			return nil, 0, err
		}
	}
	return ids, damaged, nil
}

// EraseAllReviews implements control.Review.
func (s Store) EraseAllReviews(ctx context.Context) (review.Erasure, error) {
	e, err := s.EraseReviews(ctx, func(*review.Review) bool { return true })
	if err != nil || e.Reviews == 0 {
		return e, err
	}
	return e, s.noteErased(ctx, e.Reviews, "all")
}

func (s Store) noteErased(ctx context.Context, reviews int, which string) error {
	detail := map[string]string{"reviews": strconv.Itoa(reviews), "which": which}
	return s.note(ctx, appliance.Phrasef("the reviews are erased"), appliance.Entry{Kind: appliance.EntryReviewErased, Detail: detail})
}

// NoteExport implements control.Review.
func (s Store) NoteExport(ctx context.Context, reviews int) error {
	detail := map[string]string{"reviews": strconv.Itoa(reviews)}
	return s.note(ctx, appliance.Phrasef("the truth set is written"), appliance.Entry{Kind: appliance.EntryTruthExported, Detail: detail})
}

// EraseProven implements control.Store.
func (s Store) EraseProven(ctx context.Context, id string) (appliance.Erasure, error) {
	return s.eraseNoted(ctx, id, nil)
}

// EraseFor destroys a transaction at the request of an API key.
func (s Store) EraseFor(ctx context.Context, id, key string) error {
	_, err := s.eraseNoted(ctx, id, map[string]string{"key": key})
	return err
}

func (s Store) eraseNoted(ctx context.Context, id string, detail map[string]string) (appliance.Erasure, error) {
	of, _ := appliance.ParseGUID(id)
	e, err := s.eraseProven(ctx, id)
	code := appliance.CodeOf(err)
	ended := code == appliance.CodeTransactionExpired || code == appliance.CodeTransactionUnknown
	if err != nil && !ended {
		return e, err
	}
	noted := func() error {
		e := appliance.Entry{Kind: appliance.EntryStoreErased, Transaction: of, Detail: detail}
		return s.note(ctx, appliance.Phrasef("the transaction is erased"), e)
	}
	// After the transaction: what a request under way keeps later than this finds it gone.
	reviews, failed := s.EraseReviews(ctx, func(r *review.Review) bool { return of != "" && r.Transaction == of })
	switch {
	case failed != nil && ended:
		return e, failed
	case failed != nil:
		return e, errors.Join(failed, noted())
	case ended && reviews.Reviews == 0:
		return e, err
	}
	e.Reviews, e.Searched, e.Elsewhere = reviews.Reviews, max(e.Searched, reviews.Searched), append(e.Elsewhere, reviews.Elsewhere...)
	return e, noted()
}

// eraseProven erases a transaction where it is: in the cluster of the branch, or in this kiosk's own database, which may
// hold one from before the kiosk joined the branch.
func (s Store) eraseProven(ctx context.Context, id string) (appliance.Erasure, error) {
	if s.Branch != nil {
		e, err := s.Branch.EraseProven(ctx, id)
		if appliance.CodeOf(err) != appliance.CodeTransactionUnknown {
			return e, err
		}
	}
	return s.Store.EraseProven(ctx, id)
}

// Compact implements control.Store.
func (s Store) Compact(ctx context.Context) (appliance.Compaction, error) {
	c, err := s.Store.Compact(ctx)
	if err != nil {
		return c, err
	}
	return c, s.note(ctx, appliance.Phrasef("the database is compacted"), appliance.Entry{
		Kind:   appliance.EntryStoreCompact,
		Detail: map[string]string{"before": fmt.Sprint(c.Before), "after": fmt.Sprint(c.After)},
	})
}

// RotateKey implements control.Store.
func (s Store) RotateKey(ctx context.Context, key []byte) (appliance.Rotation, error) {
	r, err := s.Store.RotateKey(ctx, key)
	if err != nil {
		return r, err
	}
	return r, s.note(ctx, appliance.Phrasef("the appliance key is changed"), appliance.Entry{
		Kind:   appliance.EntryStoreRotated,
		Detail: map[string]string{"installed": fmt.Sprint(r.Installed)},
	})
}

// Backup implements control.Store.
func (s Store) Backup(ctx context.Context, path string) (appliance.BackupReport, error) {
	r, err := s.Store.Backup(ctx, path)
	if err != nil {
		return r, err
	}
	return r, s.note(ctx, appliance.Phrasef("the backup is made"), appliance.Entry{
		Kind:   appliance.EntryStoreSaved,
		Detail: map[string]string{"transactions": fmt.Sprint(r.Transactions), "bytes": fmt.Sprint(r.Bytes)},
	})
}
