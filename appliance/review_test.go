package appliance_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/jpeg"
	"slices"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
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
	every := appliance.ReviewRules{Kinds: appliance.ReviewDocuments(), Share: 1}
	flagged, some, passports, backs := every, every, every, every
	flagged.Flagged, some.Share = true, 0.3
	passports.Kinds, backs.Kinds = []appliance.Kind{appliance.Passport}, []appliance.Kind{appliance.NationalIDBack}
	for name, c := range map[string]struct {
		rules appliance.ReviewRules
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
		store, failures := appliancetest.NewReviews(), 0
		store.Fail(c.fail)
		reader := appliancetest.Reader{ReadFunc: func(context.Context, *appliance.Picture, []appliance.Document) (appliance.Reading, error) {
			return appliance.Reading{Documents: slices.Clone(c.shown)}, nil
		}}
		a := appliance.New(appliance.Deps{
			Decoder: appliancetest.PictureDecoder{}, Queue: appliance.NewQueue(1, 0), Now: time.Now,
			Readers: map[appliance.Endpoint]appliance.Reader{appliance.EndpointMulti: reader},
			Review: &appliance.Reviewing{
				Store: store, Rules: c.rules, Keep: time.Hour, Draw: func() float64 { return c.draw }, Failed: func(error) { failures++ },
			},
		})
		ctx := appliance.WithCaller(t.Context(), appliance.Caller{Key: "till"})
		got, err := a.Read(ctx, appliance.ReadRequest{Endpoint: appliance.EndpointMulti, RequestID: "r", Image: []byte("picture")})
		if err != nil || got.Reviewed != (c.want > 0) || (failures > 0) != (c.fail != nil) {
			t.Errorf("%s: reviewed %v, %d failures, %v", name, got.Reviewed, failures, err)
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
	appliance.ReviewStore
	transactions *appliancetest.Transactions
}

func (o overtaken) KeepReview(ctx context.Context, r appliance.Review, pictures [][]byte) error {
	err := o.transactions.Erase(ctx, r.Transaction)
	_, erased := o.EraseReviews(ctx, func(e *appliance.Review) bool { return e.Transaction == r.Transaction })
	return errors.Join(err, erased, o.ReviewStore.KeepReview(ctx, r, pictures))
}

// What is kept for review while its transaction is erased goes too, also where its caller has gone; what is kept of others stays.
func TestReviewOvertakenByErasure(t *testing.T) {
	kept, transactions := appliancetest.NewReviews(), appliancetest.NewTransactions(time.Hour, time.Now)
	reader := appliancetest.Reader{ReadFunc: func(context.Context, *appliance.Picture, []appliance.Document) (appliance.Reading, error) {
		return appliance.Reading{Documents: []appliance.Document{shownID()}}, nil
	}}
	read := func(s appliance.ReviewStore) (appliance.ReadAnswer, error) {
		a := appliance.New(appliance.Deps{
			Decoder: appliancetest.PictureDecoder{}, Queue: appliance.NewQueue(1, 0), Now: time.Now, Transactions: transactions,
			Readers: map[appliance.Endpoint]appliance.Reader{appliance.EndpointIDFront: reader},
			Review:  &appliance.Reviewing{Store: s, Rules: appliance.ReviewRules{Kinds: appliance.ReviewDocuments(), Share: 1}, Keep: time.Hour},
		})
		return a.Read(t.Context(), appliance.ReadRequest{Endpoint: appliance.EndpointIDFront, RequestID: "r", Image: []byte("picture")})
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

// More than half of those who looked decide, field by field; what no more than half agree on is named as disputed and has no value.
func TestReviewOutcome(t *testing.T) {
	type all = []appliance.ReviewDecision
	const right, decided, disputed = appliance.ReviewConfirmed, appliance.ReviewDecided, appliance.ReviewDisputed
	doc := shownID()
	yes, no := true, false
	confirm := appliance.ReviewDecision{Verdict: appliance.ReviewConfirmed}
	renamed := appliance.ReviewDecision{Verdict: appliance.ReviewCorrected, Values: map[string]string{"first_name": "مها"}}
	blurred := appliance.ReviewDecision{Verdict: appliance.ReviewCorrected, Unreadable: []string{"first_name"}}
	other := appliance.ReviewDecision{Verdict: appliance.ReviewOtherDocument}
	for name, c := range map[string]struct {
		said     []appliance.ReviewDecision
		state    appliance.ReviewState
		first    string
		disputed []string
		verdict  appliance.ReviewVerdict
	}{
		"nobody":            {state: appliance.ReviewOpen},
		"one confirms":      {said: all{confirm}, state: decided, first: "منى", verdict: right},
		"one corrects":      {said: all{renamed}, state: decided, first: "مها", verdict: right},
		"two differ":        {said: all{confirm, renamed}, state: disputed, disputed: []string{"first_name"}, verdict: right},
		"two against one":   {said: all{renamed, confirm, renamed}, state: decided, first: "مها", verdict: right},
		"unreadable":        {said: all{blurred}, state: decided, verdict: right},
		"verdicts differ":   {said: all{confirm, other}, state: disputed, disputed: []string{appliance.DisputedVerdict}},
		"another document":  {said: all{other}, state: decided, verdict: appliance.ReviewOtherDocument},
		"three ways, three": {said: all{confirm, renamed, blurred}, state: disputed, disputed: []string{"first_name"}, verdict: right},
	} {
		r := appliance.Review{Kind: doc.Kind, Document: &doc}
		for i, d := range c.said {
			d.By = string(rune('a' + i))
			if err := d.Check(&r); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			r.AddDecision(d)
		}
		got := r.Outcome()
		if r.State() != c.state || got.Values["first_name"] != c.first || !slices.Equal(got.Disputed, c.disputed) || got.Verdict != c.verdict {
			t.Errorf("%s: %s, %+v", name, r.State(), got)
		}
	}
	faces := appliance.Review{Kind: appliance.ReviewLiveness, Liveness: &appliance.Liveness{IsLive: false, IsMatched: true}}
	faces.AddDecision(appliance.ReviewDecision{By: "a", Verdict: appliance.ReviewCorrected, Living: &yes})
	faces.AddDecision(appliance.ReviewDecision{By: "b", Verdict: appliance.ReviewCorrected, Living: &yes, SamePerson: &no})
	if got := faces.Outcome(); got.Living == nil || !*got.Living || got.SamePerson == nil || *got.SamePerson {
		t.Errorf("faces: %+v", got)
	}
	faces.AddDecision(appliance.ReviewDecision{By: "b", Verdict: appliance.ReviewConfirmed})
	if got := faces.Outcome(); !slices.Equal(got.Disputed, []string{appliance.DisputedLiving}) || faces.State() != appliance.ReviewDisputed {
		t.Errorf("faces that two judge otherwise: %+v", got)
	}
}

// A decision with a field that the kind lacks, a value that no card prints, or members of another kind of review is refused.
func TestReviewDecisionChecked(t *testing.T) {
	doc, yes := shownID(), true
	r := appliance.Review{Kind: doc.Kind, Document: &doc}
	faces := appliance.Review{Kind: appliance.ReviewMatch, Match: &appliance.FaceMatch{}}
	value := func(name, value string) appliance.ReviewDecision {
		return appliance.ReviewDecision{Verdict: appliance.ReviewCorrected, Values: map[string]string{name: value}}
	}
	for name, c := range map[string]struct {
		of *appliance.Review
		d  appliance.ReviewDecision
	}{
		"no verdict":          {&r, appliance.ReviewDecision{}},
		"nothing corrected":   {&r, appliance.ReviewDecision{Verdict: appliance.ReviewCorrected}},
		"confirmed otherwise": {&r, appliance.ReviewDecision{Verdict: appliance.ReviewConfirmed, Values: map[string]string{"first_name": "مها"}}},
		"unknown field":       {&r, value("passport_no", "A1")},
		"control character":   {&r, value("first_name", "a\nb")},
		"bidi override":       {&r, value("first_name", "a\u202eb")},
		"too long":            {&r, value("first_name", string(bytes.Repeat([]byte("a"), 600)))},
		"no date":             {&r, value("dateOfBirth", "1990-13-01")},
		"twice": {&r, appliance.ReviewDecision{
			Verdict: appliance.ReviewCorrected, Values: map[string]string{"first_name": "a"}, Unreadable: []string{"first_name"},
		}},
		"a face":            {&r, appliance.ReviewDecision{Verdict: appliance.ReviewConfirmed, Living: &yes}},
		"a field of a face": {&faces, value("first_name", "a")},
		"a face corrected":  {&faces, appliance.ReviewDecision{Verdict: appliance.ReviewCorrected}},
	} {
		if err := c.d.Check(c.of); appliance.CodeOf(err) != appliance.CodeBadRequest {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A person is found by his number as it was read, as somebody corrected it and as a passport's zone carries it, and by no other.
func TestReviewMentions(t *testing.T) {
	doc := shownID()
	r := appliance.Review{Kind: doc.Kind, Document: &doc}
	r.AddDecision(
		appliance.ReviewDecision{By: "a", Verdict: appliance.ReviewCorrected, Values: map[string]string{"idNumber": "29001010100025"}},
	)
	passport := appliance.Review{Kind: appliance.Passport, Document: &appliance.Document{
		Kind: appliance.Passport, PersonalNumber: "29001010100033", Fields: []appliance.Field{{Name: "passport_no", Value: "A00000001"}},
	}}
	of := appliance.Review{Kind: "club_card", Document: &appliance.Document{ // a kind that a model set brings
		Kind: "club_card", Model: []appliance.FieldSpec{{Name: "member"}}, Fields: []appliance.Field{{Name: "member", Value: "A00000001"}},
	}}
	for number, want := range map[string][3]bool{
		"29001010100017": {true, false, false}, "2900101 0100025": {true, false, false}, "29001010100033": {false, true, false},
		"a00000001": {false, true, true}, "": {}, "1": {}, "منى": {},
	} {
		if got := [3]bool{r.Mentions(number), passport.Mentions(number), of.Mentions(number)}; got != want {
			t.Errorf("%q: %v", number, got)
		}
	}
}

// A crop shows what lies in its quad, upright, whichever way the card is turned; a picture that is written anew keeps its size and colours.
func TestReviewCrop(t *testing.T) {
	const w, h = 400, 300
	p := &appliance.Picture{
		Width:        w,
		Height:       h,
		Y:            make([]byte, w*h),
		ChromaWidth:  w / 2,
		ChromaHeight: h / 2,
		Cb:           bytes.Repeat([]byte{90}, w*h/4),
		Cr:           bytes.Repeat([]byte{160}, w*h/4),
	}
	for y := range h {
		for x := range w {
			if x >= 100 && x < 200 && y >= 100 && y < 140 {
				p.Y[y*w+x] = byte(100 + (x - 100)) // brighter to the right
			}
		}
	}
	upright := appliance.Quad{{X: 100, Y: 100}, {X: 200, Y: 100}, {X: 200, Y: 140}, {X: 100, Y: 140}}
	over := appliance.Quad{upright[2], upright[3], upright[0], upright[1]}
	for name, c := range map[string]struct {
		q          appliance.Quad
		left, more bool
	}{"upright": {upright, true, true}, "turned": {over, true, false}} {
		crop := p.Crop(c.q)
		if crop == nil || crop.Width < 120 || crop.Width > 135 || crop.Height < 60 || crop.Height > 75 {
			t.Fatalf("%s: crop %+v", name, crop)
		}
		mid := crop.Height / 2 * crop.Width
		if left, right := crop.Y[mid+20], crop.Y[mid+crop.Width-21]; (left < right) != c.more || crop.Y[0] != 0 {
			t.Errorf("%s: %d to %d, corner %d", name, left, right, crop.Y[0])
		}
	}
	for _, q := range []appliance.Quad{{}, {{X: 1e300}, {X: -1e300}, {}, {}}} {
		if crop := p.Crop(q); crop != nil {
			t.Errorf("a crop of %v", q)
		}
	}
	text, err := p.JPEG()
	if err != nil {
		t.Fatal(err)
	}
	img, err := jpeg.Decode(bytes.NewReader(text))
	if ycc, ok := img.(*image.YCbCr); err != nil || !ok || ycc.Rect.Dx() != w || ycc.Rect.Dy() != h || ycc.Cb[0] < 88 || ycc.Cb[0] > 92 {
		t.Errorf("written anew: %T, %v", img, err)
	}
	if _, err := (&appliance.Picture{Width: 10, Height: 10}).JPEG(); err == nil {
		t.Error("a picture without samples was written")
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
	a := appliance.New(appliance.Deps{
		Decoder: pagedDecoder{}, Queue: appliance.NewQueue(1, 0), Now: time.Now,
		Readers: map[appliance.Endpoint]appliance.Reader{appliance.EndpointMulti: reader},
		Review:  &appliance.Reviewing{Store: store, Rules: appliance.ReviewRules{Kinds: appliance.ReviewDocuments(), Share: 1}, Keep: time.Hour},
	})
	for page, want := range map[int]int{0: 1, 7: 7} {
		answer, err := a.Read(t.Context(), appliance.ReadRequest{Endpoint: appliance.EndpointMulti, Image: []byte("file"), Page: page})
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

// A field that follows from others is not confirmed by whoever corrects those alone.
func TestReviewDerivedFields(t *testing.T) {
	doc := shownID()
	doc.Fields = append(doc.Fields, appliance.Field{Name: "name", Value: "منى على", DerivedFrom: []string{"first_name", "last_names"}})
	r := appliance.Review{Kind: doc.Kind, Document: &doc}
	say := func(values map[string]string) map[string]string {
		r.Decisions = nil
		r.AddDecision(appliance.ReviewDecision{By: "a", Verdict: appliance.ReviewCorrected, Values: values})
		return r.Outcome().Values
	}
	if got, ok := say(map[string]string{"first_name": "مها"})["name"]; ok {
		t.Errorf("the name is confirmed as %q", got)
	}
	if got := say(map[string]string{"first_name": "مها", "name": "مها على"})["name"]; got != "مها على" {
		t.Errorf("the name is %q", got)
	}
	if got := say(map[string]string{"idNumber": "29001010100025"})["name"]; got != "منى على" {
		t.Errorf("the name is %q", got)
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
		a := appliance.New(appliance.Deps{
			Decoder: appliancetest.PictureDecoder{}, Queue: appliance.NewQueue(1, 0), Now: time.Now,
			Readers: map[appliance.Endpoint]appliance.Reader{endpoint: reader}, Kinds: []appliance.KindModel{{Kind: "club_card"}},
			Review: &appliance.Reviewing{Store: store, Rules: appliance.ReviewRules{Kinds: c.kinds, Share: 1}, Keep: time.Hour},
		})
		got, err := a.Read(t.Context(), appliance.ReadRequest{Endpoint: endpoint, RequestID: "r", Image: []byte("picture")})
		if err != nil || got.Reviewed != c.keeps {
			t.Errorf("%s: reviewed %v, %v", name, got.Reviewed, err)
		}
		all, _ := store.Reviews(t.Context())
		for _, r := range all {
			r.AddDecision(appliance.ReviewDecision{By: "a", Verdict: appliance.ReviewConfirmed})
			if r.Kind != c.shown || r.Subject() != "club_card" || len(r.Fields()) != 3 || r.Outcome().Values["number"] != "77" {
				t.Errorf("%s: %+v", name, r)
			}
			for field, refused := range map[string]bool{"member": false, "first_name": true, "until": true} { // until is no date
				d := appliance.ReviewDecision{By: "b", Verdict: appliance.ReviewCorrected, Values: map[string]string{field: "مها"}}
				if err := d.Check(&r); (err != nil) != refused {
					t.Errorf("%s: %s: %v", name, field, err)
				}
			}
		}
	}
}
