package usecase_test

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/appliance/queue"
	"github.com/bawab/bawab/appliance/usecase"
	"github.com/google/go-cmp/cmp"
)

// side is what a test's picture shows: one side of an ID with a number and the codes that its reader found.
type side struct {
	endpoint appliance.Endpoint
	kind     appliance.Kind
	number   string
	codes    []appliance.Code
}

func front(number string, codes ...appliance.Code) side {
	return side{appliance.EndpointIDFront, appliance.NationalIDFront, number, codes}
}

func back(number string, codes ...appliance.Code) side {
	return side{appliance.EndpointIDBack, appliance.NationalIDBack, number, codes}
}

// on is the side shown to another endpoint.
func (s side) on(e appliance.Endpoint) side {
	s.endpoint = e
	return s
}

func (s side) document() appliance.Document {
	d := appliance.Document{Kind: s.kind, Fields: []appliance.Field{{Name: "idNumber", Value: s.number, Confidence: 0.9}}}
	for _, code := range s.codes {
		d.Flag("idNumber", s.number, code)
	}
	return d
}

// desk is an appliance whose readers answer what a test puts before them.
type desk struct {
	*usecase.Appliance
	transactions *appliancetest.Transactions
	shown        []appliance.Document
	earlier      []appliance.Document // what the last reader was given
}

func newDesk() *desk {
	d := &desk{transactions: appliancetest.NewTransactions(30*time.Minute, time.Now)}
	reader := appliancetest.Reader{ReadFunc: func(_ context.Context, _ *appliance.Picture, earlier []appliance.Document) (appliance.Reading, error) {
		d.earlier = earlier
		return appliance.Reading{Documents: d.shown}, nil
	}}
	readers := map[appliance.Endpoint]appliance.Reader{}
	for _, e := range appliance.DocumentEndpoints() {
		readers[e] = reader
	}
	d.Appliance = usecase.New(usecase.Deps{
		Decoder: appliancetest.PictureDecoder{}, Networks: usecase.Networks{Readers: readers},
		Transactions: d.transactions, Queue: queue.New(4, 16), Now: time.Now,
	})
	return d
}

func (d *desk) read(t *testing.T, id string, e appliance.Endpoint, documents ...appliance.Document) usecase.ReadAnswer {
	t.Helper()
	d.shown = documents
	answer, err := d.Read(t.Context(), usecase.ReadRequest{Endpoint: e, RequestID: appliance.NewGUID(), TransactionID: id, Image: []byte{1}})
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// TestNumberDiffers: of two sides of one transaction with different numbers the later answer carries 3101, whichever
// side it is; without two numbers to compare nothing is said.
func TestNumberDiffers(t *testing.T) {
	const a, b = "29001011234567", "29001011234568"
	tests := []struct {
		name  string
		sides []side
		want  bool // 3101 on the last one
		check bool // the comparison is among the checks of the last one
	}{
		{"equal", []side{front(a), back(a)}, false, true},
		{"front first", []side{front(a), back(b)}, true, true},
		{"back first", []side{back(a), front(b)}, true, true},
		{"the same side twice", []side{front(a), front(b)}, false, false},
		{"alone", []side{back(a)}, false, false},
		{"the front was photographed again", []side{front(b), front(a), back(a)}, false, true},
		{"the second front is another card", []side{front(a), front(b), back(a)}, true, true},
		{"corrected by a new picture of the front", []side{front(a), back(b), front(b)}, false, true},
		{"the first is not readable", []side{front("", appliance.CodeUnreadable), back(b)}, false, false},
		{"the second is not readable", []side{front(a), back("", appliance.CodeUnreadable)}, false, false},
		{"not readable in spite of a value", []side{front(a), back(b, appliance.CodeUnreadable)}, false, false},
		{"an older readable one counts", []side{front(a), front("", appliance.CodeUnreadable), back(b)}, true, true},
		{"low confidence first", []side{front(a, appliance.CodeLowConfidence), back(b)}, true, true},
		{"low confidence last", []side{front(a), back(b, appliance.CodeLowConfidence)}, true, true},
		{"not 14 digits", []side{front(a), back(a[:13], appliance.CodeIDNumber)}, true, true},
		{"shown to the wrong endpoint", []side{front(a).on(appliance.EndpointIDBack), back(b).on(appliance.EndpointIDFront)}, true, true},
		{"found by multi", []side{front(a).on(appliance.EndpointMulti), back(b)}, true, true},
		{"a licence between", []side{front(a), {appliance.EndpointDrivingLicense, appliance.DrivingLicense, b, nil}, back(a)}, false, true},
		{"a licence last", []side{front(a), {appliance.EndpointDrivingLicense, appliance.DrivingLicense, b, nil}}, false, false},
	}
	for _, tt := range tests {
		d, id := newDesk(), appliance.NewGUID()
		for i, s := range tt.sides {
			got := d.read(t, id, s.endpoint, s.document()).Documents[0]
			last := i == len(tt.sides)-1
			if differs := got.Flagged("idNumber", appliance.CodeNumberDiffers); last && differs != tt.want {
				t.Errorf("%s: 3101 %v, want %v", tt.name, differs, tt.want)
			}
			want := []appliance.FieldCheck(nil)
			if tt.check {
				want = []appliance.FieldCheck{{Name: "other_side", Passed: !tt.want}}
			}
			if diff := cmp.Diff(want, got.Field("idNumber").Checks); last && diff != "" {
				t.Errorf("%s: %s", tt.name, diff)
			}
		}
	}
}

// TestNumberDiffersElsewhere: numbers of different transactions are not compared, and both sides in one picture are, unless it shows the cards of several people.
func TestNumberDiffersElsewhere(t *testing.T) {
	d := newDesk()
	d.read(t, appliance.NewGUID(), appliance.EndpointIDFront, front("29001011234567").document())
	if got := d.read(t, appliance.NewGUID(), appliance.EndpointIDBack, back("29001011234568").document()); len(got.Documents[0].Validations) != 0 {
		t.Errorf("another transaction: %+v", got.Documents[0].Validations)
	}
	if got := d.read(t, "", appliance.EndpointIDBack, back("29001011234568").document()); len(got.Documents[0].Validations) != 0 {
		t.Errorf("no transaction: %+v", got.Documents[0].Validations)
	}
	got := d.read(t, "", appliance.EndpointMulti, front("29001011234567").document(), back("29001011234568").document()).Documents
	if len(got[0].Validations) != 0 || !got[1].Flagged("idNumber", appliance.CodeNumberDiffers) {
		t.Errorf("one picture: %+v", got)
	}
	// The cards of two people, whichever way they lie.
	const a, b = "29001011234567", "29001011234568"
	for i, d := range d.read(t, "", appliance.EndpointMulti, front(a).document(), back(b).document(), front(b).document(), back(a).document()).Documents {
		if d.Flagged("idNumber", appliance.CodeNumberDiffers) {
			t.Errorf("two people, document %d: %+v", i, d)
		}
	}
	// Of several people one side each.
	const c = "29001011234569"
	for i, d := range d.read(t, "", appliance.EndpointMulti, front(a).document(), back(c).document(), front(b).document()).Documents {
		if d.Flagged("idNumber", appliance.CodeNumberDiffers) {
			t.Errorf("three people, document %d: %+v", i, d)
		}
	}
}

// slowly is a store that lets others run between a look at a transaction and the next record.
type slowly struct{ *appliancetest.Transactions }

func (s slowly) Append(ctx context.Context, id string, r appliance.Record) error {
	for range 100 {
		runtime.Gosched()
	}
	return s.Transactions.Append(ctx, id, r)
}

// TestSidesAtOnce: of front and back sent at the same moment exactly one is the later answer and carries 3101.
func TestSidesAtOnce(t *testing.T) {
	for range 50 {
		var meet sync.WaitGroup
		meet.Add(2)
		reader := func(s side) appliance.Reader {
			return appliancetest.Reader{ReadFunc: func(context.Context, *appliance.Picture, []appliance.Document) (appliance.Reading, error) {
				meet.Done()
				meet.Wait() // both have begun, so neither was given the other
				return appliance.Reading{Documents: []appliance.Document{s.document()}}, nil
			}}
		}
		a := usecase.New(usecase.Deps{
			Decoder: appliancetest.PictureDecoder{}, Transactions: slowly{appliancetest.NewTransactions(time.Hour, time.Now)},
			Networks: usecase.Networks{Readers: map[appliance.Endpoint]appliance.Reader{
				appliance.EndpointIDFront: reader(front("29001011234567")), appliance.EndpointIDBack: reader(back("29001011234568")),
			}},
			Queue: queue.New(2, 0), Now: time.Now,
		})
		id, flagged := appliance.NewGUID(), make([]bool, 2)
		var wg sync.WaitGroup
		for i, e := range []appliance.Endpoint{appliance.EndpointIDFront, appliance.EndpointIDBack} {
			wg.Go(func() {
				answer, err := a.Read(t.Context(), usecase.ReadRequest{Endpoint: e, TransactionID: id, Image: []byte{1}})
				if err != nil {
					t.Error(err)
					return
				}
				flagged[i] = answer.Documents[0].Flagged("idNumber", appliance.CodeNumberDiffers)
			})
		}
		wg.Wait()
		if flagged[0] == flagged[1] {
			t.Fatalf("front flagged: %v, back flagged: %v", flagged[0], flagged[1])
		}
	}
}

// TestOtherDocument: a document of another kind than the endpoint's is flagged as a whole, once, and endpoints that ask
// for no kind flag nothing.
func TestOtherDocument(t *testing.T) {
	want := []appliance.Validation{{Errors: []appliance.Code{appliance.CodeOtherDocument}}}
	for _, e := range appliance.DocumentEndpoints() {
		for _, kind := range []appliance.Kind{appliance.NationalIDFront, appliance.NationalIDBack, appliance.Passport, appliance.Unknown} {
			d := newDesk()
			got := d.read(t, "", e, appliance.Document{Kind: kind}).Documents[0]
			if wrong := e.Kind() != appliance.Unknown && e.Kind() != kind; wrong != cmp.Equal(want, got.Validations) {
				t.Errorf("%s shown a %s: %+v", e, kind, got.Validations)
			}
		}
	}
}

// TestEarlier: a reader gets the documents of its own transaction alone, newest first, as they were answered.
func TestEarlier(t *testing.T) {
	d, id := newDesk(), appliance.NewGUID()
	d.read(t, appliance.NewGUID(), appliance.EndpointPassport, appliance.Document{Kind: appliance.Passport})
	d.read(t, id, appliance.EndpointIDFront, front("29001011234567").document())
	if len(d.earlier) != 0 {
		t.Errorf("the first reader was given %+v", d.earlier)
	}
	d.read(t, id, appliance.EndpointIDBack, back("29001011234568").document())
	d.read(t, id, appliance.EndpointPassport, appliance.Document{Kind: appliance.Passport})
	var kinds []appliance.Kind
	for _, e := range d.earlier {
		kinds = append(kinds, e.Kind)
	}
	if !slices.Equal(kinds, []appliance.Kind{appliance.NationalIDBack, appliance.NationalIDFront}) {
		t.Errorf("earlier documents: %v", kinds)
	}
	if !d.earlier[0].Flagged("idNumber", appliance.CodeNumberDiffers) {
		t.Errorf("the record lacks what was answered: %+v", d.earlier[0])
	}
	d.read(t, "", appliance.EndpointIDFront, front("29001011234567").document())
	if len(d.earlier) != 0 {
		t.Errorf("a reader without a transaction was given %+v", d.earlier)
	}
}
