package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/bawab/bawab/daemon/journal"
	"github.com/bawab/bawab/store/noted"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi"
	"github.com/bawab/bawab/appliance/truth"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/store"
	"github.com/bawab/bawab/store/etcd"
)

// administer runs a task on the store through the daemon or, where none runs, on the store itself with its journal.
func administer(
	ctx context.Context,
	t *terminal,
	p place,
	through func(*httpapi.Client) error,
	direct func(noted.Store) error,
) error {
	cfg, err := p.load(t, nil)
	if err != nil {
		return err
	}
	return visit{
		through: through,
		direct: func(s *store.Store) error {
			return journal.With(ctx, cfg, s, func(j appliance.Journal) error {
				return withBranch(ctx, t, cfg, func(b *etcd.Store) error { return direct(noted.Store{Store: s, Journal: j, Branch: b}) })
			})
		},
	}.do(ctx, t, p)
}

// noteAfterwards notes what was done to a store that no daemon uses.
func noteAfterwards(ctx context.Context, t *terminal, p place, e appliance.Entry) error {
	cfg, err := p.load(t, nil)
	if err != nil {
		return err
	}
	return withStore(ctx, t, cfg, func(s *store.Store) error {
		return journal.With(ctx, cfg, s, func(j appliance.Journal) error { return j.Note(ctx, e) })
	})
}

func eraseCommand() *cobra.Command {
	return leaf(&cobra.Command{
		Use: "erase [TRANSACTION]", Short: "destroy a transaction, a person or the reviews, and prove it",
		Long: `Destroys the key of a transaction, overwrites every page on which it lay, and then searches the database and every other
file of the data folder for what had been its sealed values. Its pictures for review go with it, also when the transaction itself ended
before. It works while the daemon runs. Copies that were carried away are out of its reach: a backup made before can still be
opened with the appliance key. To end those too, change that key with ` + "`bawab keys rotate-appliance`" + `. Exit code 1 when there is no
such transaction, or when a file still holds it.

--person destroys instead every living transaction and every review that mentions a national or passport number, and
--reviews every review. In all cases but the last, truth sets that were written on this machine lose what they hold of it, and archives
of them are named.`,
	}, func(fs *flag.FlagSet) action {
		var p place
		p.flags(fs)
		person := fs.String("person", "", "destroy what mentions this `NUMBER`, national or of a passport")
		reviews := fs.Bool("reviews", false, "destroy every review")
		return func(ctx context.Context, t *terminal, args []string) error {
			asked := len(args)
			for _, flagged := range []bool{*person != "", *reviews} {
				if flagged {
					asked++
				}
			}
			switch {
			case asked != 1:
				return &usageError{msg: "name a TRANSACTION, --person NUMBER or --reviews, and one of them"}
			case *person != "":
				return erasePerson(ctx, t, p, *person)
			case *reviews:
				return eraseReviews(ctx, t, p)
			}
			return eraseTransaction(ctx, t, p, args[0])
		}
	})
}

// notGUID is what is wrong with the id of a transaction that cannot be one.
const notGUID = "is not a GUID: write 8-4-4-4-12 hexadecimal digits with hyphens"

func eraseTransaction(ctx context.Context, t *terminal, p place, id string) error {
	if _, ok := appliance.ParseGUID(id); !ok {
		return &usageError{msg: "TRANSACTION " + notGUID}
	}
	var e appliance.Erasure
	err := administer(ctx, t, p,
		func(c *httpapi.Client) (err error) { e, err = c.EraseTransaction(ctx, id); return err },
		func(s noted.Store) (err error) { e, err = s.EraseProven(ctx, id); return err })
	id, _ = appliance.ParseGUID(id)
	removed, stuck := eraseTruth(t, p, func(l *truth.Line) bool { return l.Transaction == id })
	if stuck != nil {
		return errors.Join(err, stuck)
	}
	switch code := appliance.CodeOf(err); {
	case removed > 0 && (code == appliance.CodeTransactionUnknown || code == appliance.CodeTransactionExpired):
		return nil // it had ended, and lived on in a truth set alone
	}
	switch appliance.CodeOf(err) {
	case appliance.CodeTransactionUnknown:
		return &appliance.Error{
			Op: "erase transaction", Msg: "there is no such transaction",
			Hint: "check the id; one that ended more than a day ago is not remembered either, and nothing of it is left",
		}
	case appliance.CodeTransactionExpired:
		return &appliance.Error{Op: "erase transaction", Msg: "the transaction has ended and is erased already"}
	}
	if err != nil {
		return err
	}
	if e.Searched == 0 {
		_, err = fmt.Fprintf(
			t.out,
			"erased: %s; the cluster of the branch answers no read of them any more, in any revision\n",
			words.Count(e.Records, "record", "records"),
		)
		return err
	}
	erased := words.Count(e.Records, "record", "records")
	if e.Reviews > 0 {
		erased += ", " + words.Count(e.Reviews, "review", "reviews")
	}
	fmt.Fprintf(t.out, "erased: %s; no sealed value of the transaction is left in the %s of the database\n", erased, words.Size(e.Searched))
	return stillHeld(e.Elsewhere)
}

func compactCommand() *cobra.Command {
	return leaf(&cobra.Command{
		Use: "compact", Short: "give the free room of the database back to the disk",
		Long: `Rewrites the database without its free pages and overwrites the old file. It works while the daemon runs, which does the
same by itself when a large database is half empty.`,
	}, func(fs *flag.FlagSet) action {
		var p place
		p.flags(fs)
		return func(ctx context.Context, t *terminal, _ []string) error { return compactStore(ctx, t, p) }
	})
}

func compactStore(ctx context.Context, t *terminal, p place) error {
	var r appliance.Compaction
	err := administer(ctx, t, p,
		func(c *httpapi.Client) (err error) { r, err = c.CompactStore(ctx); return err },
		func(s noted.Store) (err error) { r, err = s.Compact(ctx); return err })
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(t.out, "the database had %s and has %s\n", words.Size(r.Before), words.Size(r.After))
	return err
}
