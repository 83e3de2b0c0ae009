package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/httpapi"
	"github.com/bawab/bawab/appliance/truth"
	"github.com/bawab/bawab/appliance/words"
	"github.com/bawab/bawab/configs"
)

// reviewing keeps pictures for review by the configuration; nil where none are kept.
func (d *daemon) reviewing() *appliance.Reviewing {
	c := d.cfg.Review
	if c.Keep == 0 {
		return nil
	}
	return &appliance.Reviewing{
		Store: d.store, Keep: c.Lasts(), Rules: reviewRules(c), Versions: d.versions,
		Failed: func(err error) {
			d.unkept.Store(true)
			d.log.Warn("a picture was not kept for review", "error", err)
		},
	}
}

// reviewRules reads the rules of a configuration.
func reviewRules(c configs.Review) appliance.ReviewRules {
	r := appliance.ReviewRules{Kinds: appliance.ReviewDocuments(), Share: float64(c.Share) / 100, Flagged: c.Flagged}
	if len(c.Kinds) > 0 {
		r.Kinds = nil
	}
	for _, kind := range c.Kinds {
		r.Kinds = append(r.Kinds, appliance.Kind(kind))
	}
	return r
}

// versions names the program and its networks, by the begin of their SHA-256.
func (d *daemon) versions() map[string]string {
	v := map[string]string{"bawab": version}
	if e := d.engine.Load(); e != nil {
		for _, m := range e.Set.List() {
			v[m.Name] = m.SHA256[:min(len(m.SHA256), 16)]
		}
	}
	return v
}

// review is the queue as the API shows it. It stays where keeping was turned off: what was kept before can be looked at to its end.
func (d *daemon) review() *httpapi.Review {
	return &httpapi.Review{Store: d.store, LooksPerMinute: d.cfg.Review.Looks}
}

// reviewWarnings says that pictures which should have been kept were not, as long as there is no room for more.
func (d *daemon) reviewWarnings() []appliance.Warning {
	reviews, used, most := d.store.ReviewRoom()
	if used < most/10*9 && !d.unkept.Load() {
		return nil
	}
	if used < most/2 {
		d.unkept.Store(false)
		return nil
	}
	return []appliance.Warning{{
		Code: appliance.WarnReviewFull,
		Msg: words.Count(
			reviews,
			"review",
			"reviews",
		) + " take " + words.Size(
			used,
		) + " of the " + words.Size(
			most,
		) + " that pictures for review may",
		Hint: "confirm and erase some, keep a smaller share with review.share, or raise review.room",
	}}
}

// ErasePerson implements httpapi.ReviewControl: what mentions a number goes, whether it was read or corrected to it.
func (s notedStore) ErasePerson(ctx context.Context, number string) (appliance.PersonErasure, error) {
	var out appliance.PersonErasure
	if err := appliance.CheckPersonNumber(number); err != nil {
		return out, err
	}
	ids, err := s.FindTransactions(ctx, func(t *appliance.Transaction) bool { return t.Mentions(number) })
	if err != nil {
		return out, err
	}
	reviews, err := s.EraseReviews(ctx, func(r *appliance.Review) bool { return r.Mentions(number) || slices.Contains(ids, r.Transaction) })
	if err != nil {
		return out, err
	}
	out.Reviews, out.Elsewhere = reviews.Reviews, reviews.Elsewhere
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

// EraseAllReviews implements httpapi.ReviewControl.
func (s notedStore) EraseAllReviews(ctx context.Context) (appliance.ReviewErasure, error) {
	e, err := s.EraseReviews(ctx, func(*appliance.Review) bool { return true })
	if err != nil || e.Reviews == 0 {
		return e, err
	}
	return e, s.noteErased(ctx, e.Reviews, "all")
}

func (s notedStore) noteErased(ctx context.Context, reviews int, which string) error {
	detail := map[string]string{"reviews": strconv.Itoa(reviews), "which": which}
	return s.note(ctx, "the reviews are erased", appliance.Entry{Kind: appliance.EntryReviewErased, Detail: detail})
}

// NoteExport implements httpapi.ReviewControl.
func (s notedStore) NoteExport(ctx context.Context, reviews int) error {
	detail := map[string]string{"reviews": strconv.Itoa(reviews)}
	return s.note(ctx, "the truth set is written", appliance.Entry{Kind: appliance.EntryTruthExported, Detail: detail})
}

// erasePerson destroys what the appliance holds of a person.
func erasePerson(ctx context.Context, t *terminal, p place, number string) error {
	if err := appliance.CheckPersonNumber(number); err != nil {
		return &usageError{msg: "--person: " + err.Error()}
	}
	var e appliance.PersonErasure
	err := administer(ctx, t, p,
		func(c *httpapi.Client) (err error) { e, err = c.ErasePerson(ctx, number); return err },
		func(s notedStore) (err error) { e, err = s.ErasePerson(ctx, number); return err })
	if err != nil {
		return err
	}
	fmt.Fprintf(
		t.out,
		"erased: %s, %s\n",
		words.Count(e.Transactions, "living transaction", "living transactions"),
		words.Count(e.Reviews, "review", "reviews"),
	)
	if _, err := eraseTruth(t, p, func(l *truth.Line) bool { return l.Mentions(number) }); err != nil {
		return err
	}
	return stillHeld(e.Elsewhere)
}

// eraseReviews empties the review queue.
func eraseReviews(ctx context.Context, t *terminal, p place) error {
	var e appliance.ReviewErasure
	err := administer(ctx, t, p,
		func(c *httpapi.Client) (err error) { e, err = c.EraseAllReviews(ctx); return err },
		func(s notedStore) (err error) { e, err = s.EraseAllReviews(ctx); return err })
	if err != nil {
		return err
	}
	fmt.Fprintf(t.out, "erased: %s\n", words.Count(e.Reviews, "review", "reviews"))
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
