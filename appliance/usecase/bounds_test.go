package usecase_test

import (
	"context"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/appliance/queue"
	"github.com/bawab/bawab/appliance/usecase"
)

// A transaction takes 32 documents and 64 face results, also when one picture brings several, and no number of other records; then
// requests are answered 4105 before any work is done.
func TestTransactionFull(t *testing.T) {
	one, eight := make([]appliance.Document, 1), make([]appliance.Document, 8)
	for name, c := range map[string]struct {
		endpoint appliance.Endpoint
		shown    []appliance.Document
		most     int
	}{
		"one by one":        {appliance.EndpointPassport, one, appliance.MostDocuments},
		"eight at a time":   {appliance.EndpointMulti, eight, appliance.MostDocuments / 8},
		"without documents": {appliance.EndpointGeneral, nil, appliance.MostDocuments + appliance.MostFaceResults},
	} {
		d, id := newDesk(), appliance.NewGUID()
		for range c.most {
			d.read(t, id, c.endpoint, c.shown...)
		}
		_, err := d.Read(t.Context(), usecase.ReadRequest{Endpoint: c.endpoint, RequestID: appliance.NewGUID(), TransactionID: id, Image: []byte{1}})
		if appliance.CodeOf(err) != appliance.CodeTransactionFull {
			t.Errorf("%s: request %d: %v", name, c.most+1, err)
		}
	}
	faces := usecase.Faces{Finder: found(1), Matcher: dotMatcher{}}
	w := newFaceWorld(t, faces, passportWith(portrait(0)))
	for range appliance.MostFaceResults {
		r := appliance.Record{Endpoint: appliance.EndpointFaceMatch, Match: &appliance.FaceMatch{}}
		if err := w.store.Append(t.Context(), w.ids.TransactionID, r); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.MatchFace(t.Context(), w.ids, []byte{1}); appliance.CodeOf(err) != appliance.CodeTransactionFull {
		t.Errorf("face result %d: %v", appliance.MostFaceResults+1, err)
	}
}

// A bound transaction is unknown to every key but the one that began it and those with the scope admin: it is not read, compared with,
// added to or kept alive. Where transactions are not bound they work across keys.
func TestBoundTransaction(t *testing.T) {
	for _, bound := range []bool{true, false} {
		clock := appliancetest.NewClock()
		store := appliancetest.NewTransactions(30*time.Minute, clock.Now)
		reader := appliancetest.Reader{ReadFunc: func(context.Context, *appliance.Picture, []appliance.Document) (appliance.Reading, error) {
			return appliance.Reading{Documents: []appliance.Document{{Kind: appliance.Passport, Portrait: portrait(0)}}}, nil
		}}
		a := usecase.New(usecase.Deps{
			Decoder: appliancetest.PictureDecoder{}, Transactions: store, Queue: queue.New(1, 1), Now: clock.Now, Bound: bound,
			Networks: usecase.Networks{
				Readers: map[appliance.Endpoint]appliance.Reader{appliance.EndpointPassport: reader},
				Faces:   usecase.Faces{Finder: found(1), Matcher: dotMatcher{}},
			},
		})
		id := appliance.NewGUID()
		as := func(c appliance.Caller) context.Context { return appliance.WithCaller(t.Context(), c) }
		read := func(ctx context.Context) error {
			_, err := a.Read(ctx, usecase.ReadRequest{Endpoint: appliance.EndpointPassport, RequestID: appliance.NewGUID(), TransactionID: id, Image: []byte{1}})
			return err
		}
		match := func(ctx context.Context) error {
			_, err := a.MatchFace(ctx, usecase.Comparison{RequestID: appliance.NewGUID(), TransactionID: id}, []byte{1})
			return err
		}
		owner, other, admin := as(appliance.Caller{Key: "owner"}), as(appliance.Caller{Key: "other"}), as(appliance.Caller{Key: "boss", Admin: true})
		for _, ctx := range []context.Context{owner, admin} {
			if err := read(ctx); err != nil {
				t.Fatal(err)
			}
			if err := match(ctx); err != nil {
				t.Errorf("bound %v: face match of %v: %v", bound, appliance.CallerOf(ctx), err)
			}
		}
		before, err := store.Transaction(t.Context(), id)
		if err != nil || before.Owner() != "owner" {
			t.Fatalf("the owner is %q, %v", before.Owner(), err)
		}
		clock.Advance(time.Minute)
		for name, err := range map[string]error{"read": read(other), "match": match(other)} {
			if refused := appliance.CodeOf(err) == appliance.CodeTransactionUnknown; refused != bound || !bound && err != nil {
				t.Errorf("bound %v: %s by another key: %v", bound, name, err)
			}
		}
		a.Renew(other, id)
		after, err := store.Transaction(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if same := len(after.Records) == len(before.Records) && after.Expires.Equal(before.Expires); same != bound {
			t.Errorf("bound %v: another key left %d of %d records, end %v of %v", bound, len(after.Records), len(before.Records), after.Expires, before.Expires)
		}
	}
}
