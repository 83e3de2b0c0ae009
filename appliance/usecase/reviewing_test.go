package usecase_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/appliance/queue"
	"github.com/bawab/bawab/appliance/review"
	"github.com/bawab/bawab/appliance/usecase"
)

// shownID is an ID with a number and a name, flagged where codes are given.
func shownID(codes ...appliance.Code) appliance.Document {
	d := appliance.Document{
		Kind: appliance.NationalIDFront, Portrait: portrait(0),
		Fields: []appliance.Field{
			{Name: "idNumber", Value: "29001010100017"},
			{Name: "first_name", Value: "منى"},
			{Name: "dateOfBirth", Value: "1990-01-01"},
		},
	}
	for _, c := range codes {
		d.Flag("first_name", "منى", c)
	}
	return d
}

// A picture is kept where the rules pick it, once for each document, without the portrait's embedding, and only then the answer says so. A
// store that takes none fails no request.
func TestReviewKeeps(t *testing.T) {
	idBack, front := appliance.Document{Kind: appliance.NationalIDBack}, []appliance.Document{shownID()}
	every := usecase.ReviewRules{Kinds: appliance.ReviewDocuments(), Share: 1}
	flagged, some, passports, backs := every, every, every, every
	flagged.Flagged, some.Share = true, 0.3
	passports.Kinds, backs.Kinds = []appliance.Kind{appliance.Passport}, []appliance.Kind{appliance.NationalIDBack}
	for name, c := range map[string]struct {
		rules usecase.ReviewRules
		draw  float64
		shown []appliance.Document
		fail  error
		want  int
	}{
		"all":                {rules: every, shown: front, want: 1},
		"flagged":            {rules: flagged, shown: []appliance.Document{shownID(appliance.CodeLowConfidence)}, want: 1},
		"not flagged":        {rules: flagged, shown: front},
		"expired alone":      {rules: flagged, shown: []appliance.Document{shownID(appliance.CodeExpired)}},
		"of another kind":    {rules: passports, shown: front},
		"one kind of two":    {rules: backs, shown: []appliance.Document{shownID(), idBack}, want: 1},
		"both":               {rules: every, shown: []appliance.Document{shownID(), idBack}, want: 2},
		"drawn":              {rules: some, draw: 0.29, shown: front, want: 1},
		"not drawn":          {rules: some, draw: 0.3, shown: front},
		"no room":            {rules: every, shown: front, fail: errors.New("full")},
		"nothing configured": {shown: front},
	} {
		store, failures, kept := appliancetest.NewReviews(), 0, 0
		store.Fail(c.fail)
		reader := appliancetest.Reader{ReadFunc: func(context.Context, *appliance.Picture, []appliance.Document) (appliance.Reading, error) {
			return appliance.Reading{Documents: slices.Clone(c.shown)}, nil
		}}
		a := usecase.New(usecase.Deps{
			Decoder: appliancetest.PictureDecoder{}, Queue: queue.New(1, 0), Now: time.Now,
			Networks: usecase.Networks{Readers: map[appliance.Endpoint]appliance.Reader{appliance.EndpointMulti: reader}},
			Review: &usecase.Reviewing{
				Store: store, Rules: c.rules, Keep: time.Hour, Draw: func() float64 { return c.draw },
				Told: func(err error) {
					if err != nil {
						failures++
					} else {
						kept++
					}
				},
			},
		})
		ctx := appliance.WithCaller(t.Context(), appliance.Caller{Key: "till"})
		got, err := a.Read(ctx, usecase.ReadRequest{Endpoint: appliance.EndpointMulti, RequestID: "r", Image: []byte("picture")})
		if err != nil || got.Reviewed != (c.want > 0) || (failures > 0) != (c.fail != nil) || kept != c.want {
			t.Errorf("%s: reviewed %v, told of %d kept and %d failures, %v", name, got.Reviewed, kept, failures, err)
		}
		store.Fail(nil)
		all, _ := store.Reviews(ctx)
		if len(all) != c.want {
			t.Errorf("%s: %d are kept, want %d", name, len(all), c.want)
		}
		for _, r := range all {
			_, pictures, err := store.ReviewPictures(ctx, r.ID)
			if err != nil || len(pictures) != 1 || string(pictures[0]) != "picture" || r.Document.Portrait != nil || r.Key != "till" ||
				r.Transaction != got.TransactionID ||
				r.Expires.Sub(r.At) != time.Hour {
				t.Errorf("%s: kept %+v, %v", name, r, err)
			}
		}
		if got.Documents[0].Kind == appliance.NationalIDFront && got.Documents[0].Portrait == nil {
			t.Errorf("%s: the answer lost its portrait", name)
		}
	}
}

// overtaken is a review store whose reviews come to be when their transaction has just been erased, with all its reviews.
type overtaken struct {
	review.Store
	transactions *appliancetest.Transactions
}

func (o overtaken) KeepReview(ctx context.Context, r review.Review, pictures [][]byte) error {
	err := o.transactions.Erase(ctx, r.Transaction)
	_, erased := o.EraseReviews(ctx, func(e *review.Review) bool { return e.Transaction == r.Transaction })
	return errors.Join(err, erased, o.Store.KeepReview(ctx, r, pictures))
}

// What is kept for review while its transaction is erased goes too, also where its caller has gone; what is kept of others stays.
func TestReviewOvertakenByErasure(t *testing.T) {
	kept, transactions := appliancetest.NewReviews(), appliancetest.NewTransactions(time.Hour, time.Now)
	reader := appliancetest.Reader{ReadFunc: func(context.Context, *appliance.Picture, []appliance.Document) (appliance.Reading, error) {
		return appliance.Reading{Documents: []appliance.Document{shownID()}}, nil
	}}
	read := func(s review.Store) (usecase.ReadAnswer, error) {
		a := usecase.New(usecase.Deps{
			Decoder: appliancetest.PictureDecoder{}, Queue: queue.New(1, 0), Now: time.Now, Transactions: transactions,
			Networks: usecase.Networks{Readers: map[appliance.Endpoint]appliance.Reader{appliance.EndpointIDFront: reader}},
			Review:   &usecase.Reviewing{Store: s, Rules: usecase.ReviewRules{Kinds: appliance.ReviewDocuments(), Share: 1}, Keep: time.Hour},
		})
		return a.Read(t.Context(), usecase.ReadRequest{Endpoint: appliance.EndpointIDFront, RequestID: "r", Image: []byte("picture")})
	}
	other, err := read(kept)
	if err != nil || !other.Reviewed {
		t.Fatalf("reviewed %v, %v", other.Reviewed, err)
	}
	if gone, err := read(overtaken{kept, transactions}); err != nil || gone.Reviewed {
		t.Errorf("the erased one is reviewed: %v, %v", gone.Reviewed, err)
	}
	if all, _ := kept.Reviews(t.Context()); len(all) != 1 || all[0].Transaction != other.TransactionID {
		t.Errorf("left: %+v", all)
	}
}

// slowReviews is a review store that does something else while it keeps a review.
type slowReviews struct {
	review.Store
	meanwhile func()
}

func (s slowReviews) KeepReview(ctx context.Context, r review.Review, pictures [][]byte) error {
	s.meanwhile()
	return s.Store.KeepReview(ctx, r, pictures)
}

// While a picture is written for review, other requests are recorded, also in the same transaction.
func TestReviewHoldsNobodyUp(t *testing.T) {
	reader := appliancetest.Reader{ReadFunc: func(_ context.Context, p *appliance.Picture, _ []appliance.Document) (appliance.Reading, error) {
		return appliance.Reading{Documents: []appliance.Document{shownID()}}, nil
	}}
	var a *usecase.Appliance
	request := usecase.ReadRequest{Endpoint: appliance.EndpointIDFront, TransactionID: appliance.NewGUID(), Image: []byte("picture")}
	recorded, draws := make(chan error, 1), 0
	meanwhile := func() {
		go func() {
			_, err := a.Read(t.Context(), request)
			recorded <- err
		}()
		select {
		case err := <-recorded:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(10 * time.Second):
			t.Error("the other request waits")
		}
	}
	a = usecase.New(usecase.Deps{
		Decoder: appliancetest.PictureDecoder{}, Queue: queue.New(2, 0), Now: time.Now,
		Transactions: appliancetest.NewTransactions(time.Hour, time.Now),
		Networks:     usecase.Networks{Readers: map[appliance.Endpoint]appliance.Reader{appliance.EndpointIDFront: reader}},
		Review: &usecase.Reviewing{
			Store: slowReviews{appliancetest.NewReviews(), meanwhile}, Keep: time.Hour,
			Rules: usecase.ReviewRules{Kinds: appliance.ReviewDocuments(), Share: 0.5},
			Draw: func() float64 { // the first alone is kept
				draws++
				return float64(draws - 1)
			},
		},
	})
	if got, err := a.Read(t.Context(), request); err != nil || !got.Reviewed || draws != 2 {
		t.Errorf("reviewed %v, %d requests, %v", got.Reviewed, draws, err)
	}
}

// pagedDecoder decodes a page to a picture as wide as its number.
type pagedDecoder struct{ appliancetest.PictureDecoder }

func (pagedDecoder) DecodePage(_ context.Context, _ []byte, page int) (*appliance.Picture, error) {
	return &appliance.Picture{Width: page, Height: 1, Y: make([]byte, page)}, nil
}

// Of a file of several pages, a review shows the one that was read.
func TestReviewShowsItsPage(t *testing.T) {
	store := appliancetest.NewReviews()
	reader := appliancetest.Reader{ReadFunc: func(context.Context, *appliance.Picture, []appliance.Document) (appliance.Reading, error) {
		return appliance.Reading{Documents: []appliance.Document{shownID()}}, nil
	}}
	a := usecase.New(usecase.Deps{
		Decoder: pagedDecoder{}, Queue: queue.New(1, 0), Now: time.Now,
		Networks: usecase.Networks{Readers: map[appliance.Endpoint]appliance.Reader{appliance.EndpointMulti: reader}},
		Review:   &usecase.Reviewing{Store: store, Rules: usecase.ReviewRules{Kinds: appliance.ReviewDocuments(), Share: 1}, Keep: time.Hour},
	})
	for page, want := range map[int]int{0: 1, 7: 7} {
		answer, err := a.Read(t.Context(), usecase.ReadRequest{Endpoint: appliance.EndpointMulti, Image: []byte("file"), Page: page})
		if err != nil || !answer.Reviewed {
			t.Fatalf("%+v, %v", answer, err)
		}
		all, _ := store.Reviews(t.Context())
		_, p, err := a.ReviewPicture(t.Context(), store, all[len(all)-1].ID, 0)
		if err != nil || p.Width != want {
			t.Errorf("page %d: shown is %+v, %v", page, p, err)
		}
	}
}

// clubCard is a document of a kind that a model pack brings; unproved it is of no kind.
func clubCard(kind appliance.Kind) appliance.Document {
	return appliance.Document{
		Kind: kind, Model: []appliance.FieldSpec{{Name: "member"}, {Name: "number", Holder: true}, {Name: "until", Type: appliance.Date}},
		Fields: []appliance.Field{{Name: "member", Value: "منى"}, {Name: "number", Value: "77"}},
	}
}

// A document of a kind that a model pack brings is kept where nothing is named, and where its kind is; one that was to be read as such a
// kind and is not proved is kept with it, and its fields can be confirmed and corrected as those of others.
func TestReviewOfPackKinds(t *testing.T) {
	for name, c := range map[string]struct {
		kinds []appliance.Kind
		shown appliance.Kind
		keeps bool
	}{
		"all":                  {shown: "club_card", keeps: true},
		"its kind":             {kinds: []appliance.Kind{"club_card"}, shown: "club_card", keeps: true},
		"another kind":         {kinds: []appliance.Kind{appliance.Passport}, shown: "club_card"},
		"not proved":           {kinds: []appliance.Kind{"club_card"}, shown: appliance.Unknown, keeps: true},
		"not proved, another":  {kinds: []appliance.Kind{"gym_card"}, shown: appliance.Unknown},
		"not proved, unknowns": {kinds: []appliance.Kind{appliance.Unknown}, shown: appliance.Unknown, keeps: true},
	} {
		store := appliancetest.NewReviews()
		reader := appliancetest.Reader{ReadFunc: func(context.Context, *appliance.Picture, []appliance.Document) (appliance.Reading, error) {
			return appliance.Reading{Documents: []appliance.Document{clubCard(c.shown)}}, nil
		}}
		endpoint := appliance.KindEndpoint("club_card")
		a := usecase.New(usecase.Deps{
			Decoder: appliancetest.PictureDecoder{}, Queue: queue.New(1, 0), Now: time.Now,
			Networks: usecase.Networks{
				Readers: map[appliance.Endpoint]appliance.Reader{endpoint: reader}, Kinds: []appliance.KindModel{{Kind: "club_card"}},
			},
			Review: &usecase.Reviewing{Store: store, Rules: usecase.ReviewRules{Kinds: c.kinds, Share: 1}, Keep: time.Hour},
		})
		got, err := a.Read(t.Context(), usecase.ReadRequest{Endpoint: endpoint, RequestID: "r", Image: []byte("picture")})
		if err != nil || got.Reviewed != c.keeps {
			t.Errorf("%s: reviewed %v, %v", name, got.Reviewed, err)
		}
		all, _ := store.Reviews(t.Context())
		for _, r := range all {
			r.AddDecision(review.Decision{By: "a", Verdict: review.Confirmed})
			if r.Kind != c.shown || r.Subject() != "club_card" || len(r.Fields()) != 3 || r.Outcome().Values["number"] != "77" {
				t.Errorf("%s: %+v", name, r)
			}
			for field, refused := range map[string]bool{"member": false, "first_name": true, "until": true} { // until is no date
				d := review.Decision{By: "b", Verdict: review.Corrected, Values: map[string]string{field: "مها"}}
				if err := d.Check(&r); (err != nil) != refused {
					t.Errorf("%s: %s: %v", name, field, err)
				}
			}
		}
	}
}
