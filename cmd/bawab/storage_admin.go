package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/bawab/bawab/appliance/httpapi/control"
	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/cmd/bawab/reach"
	"github.com/bawab/bawab/store/noted"

	"github.com/spf13/cobra"
	flag "github.com/spf13/pflag"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/truth"
	"github.com/bawab/bawab/appliance/words"
)

func eraseCommand() *cobra.Command {
	return command.Leaf(&cobra.Command{
		Use: "erase [TRANSACTION]", Short: "destroy a transaction, a person or the reviews, and prove it",
		Long: `Destroys the key of a transaction, overwrites every page on which it lay, and then searches the database and every other
file of the data folder for what had been its sealed values. Its pictures for review go with it, also when the transaction itself ended
before. It works while the daemon runs. Copies that were carried away are out of its reach: a backup made before can still be
opened with the appliance key. To end those too, change that key with ` + "`bawab keys rotate-appliance`" + `. Exit code 1 when there is no
such transaction, or when a file still holds it.

--person destroys instead every living transaction and every review that mentions a national or passport number, and
--reviews every review. Exit code 1 also when something does not open, so that nobody knows whom it mentions. In all cases but the
last, truth sets that were written on this machine lose what they hold of it, and archives of them are named.`,
	}, func(fs *flag.FlagSet) command.Action {
		var p command.Place
		p.Flags(fs)
		person := fs.String("person", "", "destroy what mentions this `NUMBER`, national or of a passport")
		reviews := fs.Bool("reviews", false, "destroy every review")
		return func(ctx context.Context, t *command.Terminal, args []string) error {
			asked := len(args)
			for _, flagged := range []bool{*person != "", *reviews} {
				if flagged {
					asked++
				}
			}
			switch {
			case asked != 1:
				return &command.UsageError{Msg: "name a TRANSACTION, --person NUMBER or --reviews, and one of them"}
			case *person != "":
				return erasePerson(ctx, t, p, *person)
			case *reviews:
				return eraseReviews(ctx, t, p)
			}
			return eraseTransaction(ctx, t, p, args[0])
		}
	})
}

func eraseTransaction(ctx context.Context, t *command.Terminal, p command.Place, id string) error {
	if _, ok := appliance.ParseGUID(id); !ok {
		return &command.UsageError{Msg: "TRANSACTION " + command.NotGUID}
	}
	var e appliance.Erasure
	err := reach.Administer(ctx, t, p,
		func(c *control.Client) (err error) { e, err = c.EraseTransaction(ctx, id); return err },
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
			t.Out,
			"erased: %s; the cluster of the branch answers no read of them any more, in any revision\n",
			words.Count(e.Records, "record", "records"),
		)
		return err
	}
	erased := words.Count(e.Records, "record", "records")
	if e.Reviews > 0 {
		erased += ", " + words.Count(e.Reviews, "review", "reviews")
	}
	fmt.Fprintf(t.Out, "erased: %s; no sealed value of the transaction is left in the %s of the database\n", erased, words.Size(e.Searched))
	return stillHeld(e.Elsewhere)
}

func compactCommand() *cobra.Command {
	return command.Leaf(&cobra.Command{
		Use: "compact", Short: "give the free room of the database back to the disk",
		Long: `Rewrites the database without its free pages and overwrites the old file. It works while the daemon runs, which does the
same by itself when a large database is half empty.`,
	}, func(fs *flag.FlagSet) command.Action {
		var p command.Place
		p.Flags(fs)
		return func(ctx context.Context, t *command.Terminal, _ []string) error { return compactStore(ctx, t, p) }
	})
}

func compactStore(ctx context.Context, t *command.Terminal, p command.Place) error {
	var r appliance.Compaction
	err := reach.Administer(ctx, t, p,
		func(c *control.Client) (err error) { r, err = c.CompactStore(ctx); return err },
		func(s noted.Store) (err error) { r, err = s.Compact(ctx); return err })
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(t.Out, "the database had %s and has %s\n", words.Size(r.Before), words.Size(r.After))
	return err
}
