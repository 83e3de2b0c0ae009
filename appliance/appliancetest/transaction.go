package appliancetest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
)

// TTL is the time to live that a store must have in TestTransactionStore.
const TTL = 30 * time.Minute

// TestTransactionStore checks that a TransactionStore keeps the promises of the interface. Each case opens a store
// of its own: empty, with a time to live of TTL, and with now as its clock.
func TestTransactionStore(t *testing.T, open func(t *testing.T, now func() time.Time) appliance.TransactionStore) {
	t.Helper()
	for name, check := range map[string]func(*testing.T, *transactions){
		"records come back as they went in":  recordsComeBack,
		"callers own what they get":          callersOwn,
		"unknown ids are unknown":            unknownIDs,
		"the end moves with each request":    endMoves,
		"none lives longer than a day":       noneLivesOn,
		"expired, then unknown":              expiredThenUnknown,
		"remembered to the last instant":     rememberedToTheLast,
		"erased at once":                     erasedAtOnce,
		"sweep erases and forgets":           sweepErases,
		"sweep spares the living":            sweepSpares,
		"transactions do not mix":            noMixing,
		"many writers at once":               manyWriters,
		"attempts end at their limit":        attemptsEnd,
		"parallel attempts":                  parallelAttempts,
		"a cancelled caller changes nothing": cancelled,
	} {
		t.Run(name, func(t *testing.T) {
			clock := NewClock()
			check(t, &transactions{TransactionStore: open(t, clock.Now), clock: clock})
		})
	}
}

type transactions struct {
	appliance.TransactionStore
	clock *Clock
}

func (s *transactions) append(t *testing.T, id string, r appliance.Record) {
	t.Helper()
	if err := s.Append(t.Context(), id, r); err != nil {
		t.Fatalf("append to %s: %v", id, err)
	}
}

func (s *transactions) get(t *testing.T, id string) *appliance.Transaction {
	t.Helper()
	got, err := s.Transaction(t.Context(), id)
	if err != nil {
		t.Fatalf("read %s: %v", id, err)
	}
	return got
}

func wantCode(t *testing.T, what string, err error, want appliance.Code) {
	t.Helper()
	if err == nil || appliance.CodeOf(err) != want {
		t.Errorf("%s: got %v, want code %d", what, err, want)
	}
}

// SampleRecord returns a record with every member filled in, told apart by n, that holds personal data as a
// passport does.
func SampleRecord(n int) appliance.Record {
	client := fmt.Sprintf("client %d \u202eعميل\x00", n)
	quad := appliance.Quad{{X: 0.5, Y: 1.25}, {X: 99.5, Y: 1}, {X: 99, Y: 60}, {X: 0, Y: 61.125}}
	return appliance.Record{
		RequestID:           appliance.NewGUID(),
		ClientTransactionID: &client,
		At:                  time.Date(2026, time.March, 1, 12, 0, n, 123456789, time.UTC),
		Endpoint:            appliance.EndpointPassport,
		Documents: []appliance.Document{{
			Kind: appliance.Passport,
			Quad: quad,
			Fields: []appliance.Field{{
				Name: "passport_no", Value: fmt.Sprintf("A%08d", n), Confidence: 0.1 + 1/float64(n+3), Quad: quad,
				Characters: []float64{0.25, 1}, Raw: "AO1", DerivedFrom: []string{"idNumber"}, Repairs: []string{"position 2: O read as 0, check digit"},
				Checks: []appliance.FieldCheck{{Name: "check_digit", Passed: true}},
			}, {Name: "name", Value: "منى EL-MASRY", Confidence: 1}},
			Validations: []appliance.Validation{{Field: "Date_of_Expiry", Value: "2020-01-01", Errors: []appliance.Code{appliance.CodeExpired}}},
			Cues:        []appliance.Cue{{Name: "screen", Score: 0.25}},
			Fake:        true,

			PersonalNumber: "29001021234565",
			Portrait:       &appliance.Portrait{Embedding: appliance.Embedding{0.6, -0.8, float32(n) / 3}, Model: "d0a7", Quality: 0.7},
		}},
		Match: &appliance.FaceMatch{
			IsMatched: true, Similarity: 0.75, Threshold: 0.5, Reasons: []appliance.Reason{appliance.DocumentPortrait},
			Reference: appliance.Reference{Kind: appliance.Passport, RequestID: "r"},
		},
		Liveness: &appliance.Liveness{
			IsMatched: true, Reasons: []appliance.Reason{appliance.UnrealisticSequence, appliance.GapExceeded}, Similarity: 0.7, Threshold: 0.5,
			Score: 0.2, Gaps: []time.Duration{time.Second, 3}, Cues: []appliance.Cue{{Name: "moire", Score: 0.25}},
			Source: appliance.SourceUpload, Reference: appliance.Reference{Kind: appliance.DrivingLicense, RequestID: "r"},
		},
	}
}

func recordsComeBack(t *testing.T, s *transactions) {
	id, began := appliance.NewGUID(), s.clock.Now()
	empty := appliance.Record{RequestID: appliance.NewGUID(), At: began, Endpoint: appliance.EndpointGeneral}
	want := []appliance.Record{SampleRecord(1), empty, SampleRecord(2)}
	for _, r := range want {
		s.append(t, id, r)
		s.clock.Advance(time.Second)
	}
	got := s.get(t, id)
	if got.ID != id || !got.Created.Equal(began) || !got.Expires.Equal(began.Add(2*time.Second+TTL)) {
		t.Errorf("got id %s created %v expires %v", got.ID, got.Created, got.Expires)
	}
	if !reflect.DeepEqual(got.Records, want) {
		t.Errorf("got records\n%+v\nwant\n%+v", got.Records, want)
	}
}

func callersOwn(t *testing.T, s *transactions) {
	id, r := appliance.NewGUID(), SampleRecord(1)
	s.append(t, id, r)
	r.Documents[0].Fields[0].Value = "changed by the writer"
	s.get(t, id).Records[0].Documents[0].Fields[0].Value = "changed by a reader"
	if got := s.get(t, id).Records[0].Documents[0].Fields[0].Value; got != "A00000001" {
		t.Errorf("a caller's change reached the store: %q", got)
	}
}

func unknownIDs(t *testing.T, s *transactions) {
	id := appliance.NewGUID()
	_, err := s.Transaction(t.Context(), id)
	wantCode(t, "read", err, appliance.CodeTransactionUnknown)
	wantCode(t, "renew", s.Renew(t.Context(), id), appliance.CodeTransactionUnknown)
	wantCode(t, "erase", s.Erase(t.Context(), id), appliance.CodeTransactionUnknown)
	wantCode(t, "attempt", s.Attempt(t.Context(), id, 1), appliance.CodeTransactionUnknown)
	_, err = s.Transaction(t.Context(), id)
	wantCode(t, "read after renew and erase", err, appliance.CodeTransactionUnknown)
}

func endMoves(t *testing.T, s *transactions) {
	id := appliance.NewGUID()
	s.append(t, id, SampleRecord(1))
	s.clock.Advance(TTL - 1)
	if err := s.Renew(t.Context(), id); err != nil {
		t.Fatalf("renew: %v", err)
	}
	s.clock.Advance(TTL - 1)
	s.append(t, id, SampleRecord(2))
	s.clock.Advance(TTL - 1)
	got := s.get(t, id)
	if len(got.Records) != 2 || !got.Expires.Equal(s.clock.Now().Add(1)) {
		t.Errorf("got %d records, expiry %v at %v", len(got.Records), got.Expires, s.clock.Now())
	}
	s.clock.Advance(1) // reading does not renew
	_, err := s.Transaction(t.Context(), id)
	wantCode(t, "read at its end", err, appliance.CodeTransactionExpired)
}

func noneLivesOn(t *testing.T, s *transactions) {
	id, end := appliance.NewGUID(), s.clock.Now().Add(appliance.MaxAge)
	s.append(t, id, SampleRecord(1))
	for s.clock.Now().Add(TTL - 1).Before(end) {
		s.clock.Advance(TTL - 1)
		if err := s.Renew(t.Context(), id); err != nil {
			t.Fatalf("renew at %v: %v", s.clock.Now(), err)
		}
	}
	for what, again := range map[string]func() error{
		"an append":  func() error { return s.Append(t.Context(), id, SampleRecord(3)) },
		"a renewal":  func() error { return s.Renew(t.Context(), id) },
		"an attempt": func() error { return s.Attempt(t.Context(), id, 1) },
	} {
		if err := again(); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if got := s.get(t, id); !got.Expires.Equal(end) {
			t.Errorf("ends at %v after %s, want %v", got.Expires, what, end)
		}
	}
	s.clock.Advance(end.Sub(s.clock.Now()))
	wantCode(t, "renew", s.Renew(t.Context(), id), appliance.CodeTransactionExpired)
	wantCode(t, "append", s.Append(t.Context(), id, SampleRecord(3)), appliance.CodeTransactionExpired)
}

func expiredThenUnknown(t *testing.T, s *transactions) {
	swept, unswept := appliance.NewGUID(), appliance.NewGUID()
	s.append(t, swept, SampleRecord(1))
	s.clock.Advance(TTL)
	if n, err := s.Sweep(t.Context()); n != 1 || err != nil {
		t.Fatalf("sweep: %d, %v", n, err)
	}
	s.append(t, unswept, SampleRecord(1))
	s.clock.Advance(TTL)
	for name, id := range map[string]string{"swept": swept, "unswept": unswept} {
		_, err := s.Transaction(t.Context(), id)
		wantCode(t, name+" read", err, appliance.CodeTransactionExpired)
		wantCode(t, name+" append", s.Append(t.Context(), id, SampleRecord(2)), appliance.CodeTransactionExpired)
		wantCode(t, name+" renew", s.Renew(t.Context(), id), appliance.CodeTransactionExpired)
		wantCode(t, name+" erase", s.Erase(t.Context(), id), appliance.CodeTransactionExpired)
		wantCode(t, name+" attempt", s.Attempt(t.Context(), id, 1), appliance.CodeTransactionExpired)
	}
	s.clock.Advance(appliance.ExpiredMemory) // the last instant of the younger one's memory
	_, err := s.Transaction(t.Context(), unswept)
	wantCode(t, "read at the end of the memory", err, appliance.CodeTransactionExpired)
	s.clock.Advance(1)
	for name, id := range map[string]string{"swept": swept, "unswept": unswept} {
		_, err := s.Transaction(t.Context(), id)
		wantCode(t, name+" read after the memory", err, appliance.CodeTransactionUnknown)
		wantCode(t, name+" renew after the memory", s.Renew(t.Context(), id), appliance.CodeTransactionUnknown)
		s.append(t, id, SampleRecord(3))
		if got := s.get(t, id); len(got.Records) != 1 || got.Attempts != 0 || !got.Created.Equal(s.clock.Now()) {
			t.Errorf("%s: started anew with %d records, created %v", name, len(got.Records), got.Created)
		}
	}
}

func rememberedToTheLast(t *testing.T, s *transactions) {
	id := appliance.NewGUID()
	s.append(t, id, SampleRecord(1))
	s.clock.Advance(TTL + appliance.ExpiredMemory)
	for want, code := range []appliance.Code{appliance.CodeTransactionExpired, appliance.CodeTransactionUnknown} {
		if n, err := s.Sweep(t.Context()); n != 1-want || err != nil {
			t.Errorf("sweep: %d, %v", n, err)
		}
		_, err := s.Transaction(t.Context(), id)
		wantCode(t, "read", err, code)
		s.clock.Advance(1)
	}
}

func erasedAtOnce(t *testing.T, s *transactions) {
	id := appliance.NewGUID()
	s.append(t, id, SampleRecord(1))
	s.append(t, id, SampleRecord(2))
	if err := s.Erase(t.Context(), id); err != nil {
		t.Fatalf("erase: %v", err)
	}
	_, err := s.Transaction(t.Context(), id)
	wantCode(t, "read", err, appliance.CodeTransactionExpired)
	wantCode(t, "append", s.Append(t.Context(), id, SampleRecord(3)), appliance.CodeTransactionExpired)
	wantCode(t, "second erase", s.Erase(t.Context(), id), appliance.CodeTransactionExpired)
	if n, err := s.Sweep(t.Context()); n != 0 || err != nil {
		t.Errorf("a sweep counted what was erased already: %d, %v", n, err)
	}
	s.clock.Advance(appliance.ExpiredMemory + 1)
	_, err = s.Transaction(t.Context(), id)
	wantCode(t, "read after the memory", err, appliance.CodeTransactionUnknown)
}

func sweepErases(t *testing.T, s *transactions) {
	const count = 1500 // more than any driver should put into one write
	ids := make([]string, count)
	for i := range ids {
		ids[i] = appliance.NewGUID()
	}
	var wg sync.WaitGroup
	for w := range 10 {
		wg.Go(func() {
			for _, id := range ids[w*count/10 : (w+1)*count/10] {
				if err := s.Append(t.Context(), id, SampleRecord(1)); err != nil {
					t.Errorf("append: %v", err)
				}
			}
		})
	}
	wg.Wait()
	if n, err := s.Sweep(t.Context()); n != 0 || err != nil {
		t.Fatalf("sweep of the living: %d, %v", n, err)
	}
	s.clock.Advance(TTL)
	if n, err := s.Sweep(t.Context()); n != count || err != nil {
		t.Fatalf("sweep of the expired: %d, %v", n, err)
	}
	_, err := s.Transaction(t.Context(), ids[7])
	wantCode(t, "read", err, appliance.CodeTransactionExpired)
	s.clock.Advance(appliance.ExpiredMemory + 1)
	if n, err := s.Sweep(t.Context()); n != 0 || err != nil {
		t.Fatalf("sweep of the forgotten: %d, %v", n, err)
	}
	_, err = s.Transaction(t.Context(), ids[7])
	wantCode(t, "read", err, appliance.CodeTransactionUnknown)
}

func sweepSpares(t *testing.T, s *transactions) {
	old, renewed, young := appliance.NewGUID(), appliance.NewGUID(), appliance.NewGUID()
	s.append(t, old, SampleRecord(1))
	s.append(t, renewed, SampleRecord(2))
	s.clock.Advance(TTL / 2)
	s.append(t, young, SampleRecord(3))
	if err := s.Renew(t.Context(), renewed); err != nil {
		t.Fatalf("renew: %v", err)
	}
	s.clock.Advance(TTL / 2)
	if n, err := s.Sweep(t.Context()); n != 1 || err != nil {
		t.Fatalf("sweep: %d, %v", n, err)
	}
	s.get(t, renewed)
	s.get(t, young)
	_, err := s.Transaction(t.Context(), old)
	wantCode(t, "read the old one", err, appliance.CodeTransactionExpired)
}

func noMixing(t *testing.T, s *transactions) {
	// Neighbours in byte order, where a driver that finds records by prefix would go wrong first.
	ids := []string{
		"00000000-0000-4000-8000-000000000000", "00000000-0000-4000-8000-000000000001",
		"ffffffff-ffff-ffff-ffff-fffffffffffe", "ffffffff-ffff-ffff-ffff-ffffffffffff",
	}
	for i, id := range ids {
		for j := range i + 1 {
			s.append(t, id, SampleRecord(10*i+j))
		}
	}
	if err := s.Erase(t.Context(), ids[1]); err != nil {
		t.Fatalf("erase: %v", err)
	}
	for i, id := range ids {
		if i == 1 {
			continue
		}
		got := s.get(t, id)
		if len(got.Records) != i+1 {
			t.Fatalf("%s: %d records, want %d", id, len(got.Records), i+1)
		}
		for j, r := range got.Records {
			if want := fmt.Sprintf("A%08d", 10*i+j); r.Documents[0].Fields[0].Value != want {
				t.Errorf("%s record %d: %q, want %q", id, j, r.Documents[0].Fields[0].Value, want)
			}
		}
	}
}

func manyWriters(t *testing.T, s *transactions) {
	const writers, each = 16, 20
	shared := appliance.NewGUID()
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			own := appliance.NewGUID()
			for i := range each {
				if err := s.Append(t.Context(), shared, SampleRecord(w*1000+i)); err != nil {
					t.Errorf("append: %v", err)
				}
				if err := s.Append(t.Context(), own, SampleRecord(i)); err != nil {
					t.Errorf("append: %v", err)
				}
				if got, err := s.Transaction(t.Context(), own); err != nil || len(got.Records) != i+1 {
					t.Errorf("own transaction after %d records: %v", i+1, err)
				}
			}
		})
	}
	wg.Wait()
	got := s.get(t, shared)
	if len(got.Records) != writers*each {
		t.Fatalf("%d records, want %d", len(got.Records), writers*each)
	}
	last := map[string]string{} // by writer: the records of one writer stay in its order
	for _, r := range got.Records {
		value := r.Documents[0].Fields[0].Value
		writer := value[:len(value)-3]
		if value <= last[writer] {
			t.Errorf("record %s came after %s", value, last[writer])
		}
		last[writer] = value
	}
	if len(last) != writers {
		t.Errorf("records of %d writers, want %d", len(last), writers)
	}
}

func attemptsEnd(t *testing.T, s *transactions) {
	id, other := appliance.NewGUID(), appliance.NewGUID()
	s.append(t, id, SampleRecord(1))
	s.append(t, other, SampleRecord(1))
	s.clock.Advance(TTL - 1)
	for n := range 3 {
		if err := s.Attempt(t.Context(), id, 3); err != nil {
			t.Fatalf("attempt %d of 3: %v", n+1, err)
		}
		s.append(t, id, SampleRecord(n+2)) // what else happens does not reset the count
	}
	s.clock.Advance(TTL - 1) // an attempt renews
	for range 3 {
		wantCode(t, "attempt 4 of 3", s.Attempt(t.Context(), id, 3), appliance.CodeTooManyAttempts)
	}
	if got := s.get(t, id); got.Attempts != 3 || len(got.Records) != 4 {
		t.Errorf("%d attempts and %d records, want 3 and 4", got.Attempts, len(got.Records))
	}
	if err := s.Attempt(t.Context(), id, 4); err != nil { // a limit that was raised holds for what is under way
		t.Errorf("attempt 4 of 4: %v", err)
	}
	if err := s.Renew(t.Context(), id); err != nil {
		t.Errorf("renew: %v", err)
	}
	if got := s.get(t, id); got.Attempts != 4 {
		t.Errorf("%d attempts after a renewal, want 4", got.Attempts)
	}
	_, err := s.Transaction(t.Context(), other) // it was renewed by nothing that happened to its neighbour
	wantCode(t, "read the neighbour", err, appliance.CodeTransactionExpired)
}

func parallelAttempts(t *testing.T, s *transactions) {
	const callers, most = 40, 7
	id := appliance.NewGUID()
	s.append(t, id, SampleRecord(1))
	var granted, refused atomic.Int32
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			switch err := s.Attempt(t.Context(), id, most); {
			case err == nil:
				granted.Add(1)
			case appliance.CodeOf(err) == appliance.CodeTooManyAttempts:
				refused.Add(1)
			default:
				t.Errorf("attempt: %v", err)
			}
		})
	}
	wg.Wait()
	if granted.Load() != most || refused.Load() != callers-most || s.get(t, id).Attempts != most {
		t.Errorf("%d granted, %d refused, %d counted; want %d of %d", granted.Load(), refused.Load(), s.get(t, id).Attempts, most, callers)
	}
}

func cancelled(t *testing.T, s *transactions) {
	id := appliance.NewGUID()
	s.append(t, id, SampleRecord(1))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	errs := map[string]error{
		"append":  s.Append(ctx, id, SampleRecord(2)),
		"renew":   s.Renew(ctx, id),
		"erase":   s.Erase(ctx, id),
		"attempt": s.Attempt(ctx, id, 1),
	}
	_, errs["read"] = s.Transaction(ctx, id)
	_, errs["sweep"] = s.Sweep(ctx)
	for what, err := range errs {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want context.Canceled", what, err)
		}
	}
	if got := s.get(t, id); len(got.Records) != 1 || strings.Compare(got.ID, id) != 0 {
		t.Errorf("%d records after a cancelled append", len(got.Records))
	}
}
