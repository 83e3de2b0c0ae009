package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi/control"
	"github.com/bawab/bawab/appliance/review"
	"github.com/bawab/bawab/appliance/truth"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/cmd/bawab/reach"
	"github.com/bawab/bawab/store/noted"
)

// erasePerson destroys what the appliance holds of a person.
func erasePerson(ctx context.Context, t *command.Terminal, p command.Place, number string) error {
	if err := appliance.CheckPersonNumber(number); err != nil {
		return &command.UsageError{Msg: "--person: " + err.Error()}
	}
	var e appliance.PersonErasure
	err := reach.Administer(ctx, t, p,
		func(c *control.Client) (err error) { e, err = c.ErasePerson(ctx, number); return err },
		func(s noted.Store) (err error) { e, err = s.ErasePerson(ctx, number); return err })
	if err != nil {
		return err
	}
	fmt.Fprintf(
		t.Out,
		"erased: %s, %s\n",
		words.Count(e.Transactions, "living transaction", "living transactions"),
		words.Count(e.Reviews, "review", "reviews"),
	)
	if _, err := eraseTruth(t, p, func(l *truth.Line) bool { return l.Mentions(number) }); err != nil {
		return err
	}
	return errors.Join(unopened(e.Damaged), stillHeld(e.Elsewhere))
}

// unopened is the error where nobody knows whom something stored is about; nil where there is no such thing.
func unopened(n int) error {
	if n == 0 {
		return nil
	}
	return &appliance.Error{
		Op: "erase", Msg: words.Count(n, "transaction or review does", "transactions or reviews do") + " not open: whose they are is not known",
		Hint: "`bawab store check` names them; a transaction goes at its end, reviews with `bawab store erase --reviews`",
	}
}

// eraseReviews empties the review queue.
func eraseReviews(ctx context.Context, t *command.Terminal, p command.Place) error {
	var e review.Erasure
	err := reach.Administer(ctx, t, p,
		func(c *control.Client) (err error) { e, err = c.EraseAllReviews(ctx); return err },
		func(s noted.Store) (err error) { e, err = s.EraseAllReviews(ctx); return err })
	if err != nil {
		return err
	}
	fmt.Fprintf(t.Out, "erased: %s\n", words.Count(e.Reviews, "review", "reviews"))
	return stillHeld(e.Elsewhere)
}

// stillHeld is the error where other files of the data folder hold what was erased; nil where none does.
func stillHeld(files []string) error {
	if len(files) == 0 {
		return nil
	}
	return &appliance.Error{
		Op: "erase", Msg: "other files of the data folder still hold it: " + strings.Join(files, ", "),
		Hint: "delete them when they are no longer needed",
	}
}
