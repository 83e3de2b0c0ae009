package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image/jpeg"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/appliance/review"
)

// notes is a journal that keeps its entries in memory, and can be out of order.
type notes struct {
	mu   sync.Mutex
	all  []appliance.Entry
	fail error
}

func (n *notes) Note(_ context.Context, e appliance.Entry) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.fail != nil {
		return n.fail
	}
	n.all = append(n.all, e)
	return e.Check()
}

// of returns the entries of a kind.
func (n *notes) of(kind appliance.EntryKind) (found []appliance.Entry) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, e := range n.all {
		if e.Kind == kind {
			found = append(found, e)
		}
	}
	return found
}

// reviewFixture is a server that keeps every picture for review, with the keys of two clerks.
type reviewFixture struct {
	*fixture
	reviews *appliancetest.Reviews
	notes   *notes
	mona    string
	ali     string
}

func startReview(t *testing.T) *reviewFixture {
	t.Helper()
	r := &reviewFixture{reviews: appliancetest.NewReviews(), notes: &notes{}}
	r.fixture = start(t, func(o *options) {
		o.journal, o.reviews = r.notes, r.reviews
		o.read = func(ctx context.Context, p *appliance.Picture, earlier []appliance.Document) (appliance.Reading, error) {
			reading, err := readPassport(ctx, p, earlier)
			reading.Documents[0].Fields[1].Quad = appliance.Quad{{X: 20, Y: 20}, {X: 120, Y: 20}, {X: 120, Y: 50}, {X: 20, Y: 50}}
			return reading, err
		}
		o.decode = func(context.Context, []byte) (*appliance.Picture, error) {
			return &appliance.Picture{Width: 200, Height: 100, Y: bytes.Repeat([]byte{200}, 200*100)}, nil
		}
	})
	scopes := []appliance.Scope{appliance.ScopeReview}
	r.mona, r.ali = r.addKey(appliance.Key{Name: "mona", Scopes: scopes}), r.addKey(appliance.Key{Name: "ali", Scopes: scopes})
	return r
}

// ask sends a request with a key and returns what was answered.
func (r *reviewFixture) ask(method, path, key, body string) answer {
	r.t.Helper()
	var content *strings.Reader
	if body != "" {
		content = strings.NewReader(body)
		return r.do(method, path, content, header("ApiKey", key))
	}
	return r.do(method, path, nil, header("ApiKey", key))
}

// kept reads a passport and returns the id of its review.
func (r *reviewFixture) kept() string {
	r.t.Helper()
	a := r.post("/v1/ocr/passport", sample())
	if a.status != 200 || !strings.Contains(a.raw, `"reviewed":true`) {
		r.t.Fatalf("%d %s", a.status, a.raw)
	}
	all, err := r.reviews.Reviews(context.Background())
	if err != nil || len(all) == 0 {
		r.t.Fatalf("%d reviews, %v", len(all), err)
	}
	return all[len(all)-1].ID
}

// A picture that is kept is named in the answer and in the journal; without keeping the answer has no such member. The answers fit their
// description.
func TestReviewedIsTold(t *testing.T) {
	r := startReview(t)
	r.kept()
	if d := r.notes.of(appliance.EntryDecision); len(d) != 1 || d[0].Detail["reviewed"] != "true" {
		t.Errorf("the journal has %+v", d)
	}
	if err := validator(t, "PassportAnswer")(r.post("/v1/ocr/passport", sample()).raw); err != nil {
		t.Error(err)
	}
	if a := start(t).post("/v1/ocr/passport", sample()); strings.Contains(a.raw, "reviewed") {
		t.Errorf("nothing is kept, and yet: %s", a.raw)
	}
}

// A clerk lists, looks and decides; each look and decision is in the journal under his name, without a word of what was read; a second
// clerk sees the first one's decision only after his own, and a disagreement is shown to both.
func TestReviewByTwo(t *testing.T) {
	r := startReview(t)
	id := r.kept()
	list := r.ask("GET", "/v1/review?state=open", r.mona, "")
	if err := validator(t, "ReviewListAnswer")(list.raw); err != nil || list.Data["open"] != 1.0 || strings.Contains(list.raw, "passport_no") {
		t.Errorf("%v: %s", err, list.raw)
	}
	check := validator(t, "ReviewAnswer")
	shown := r.ask("GET", "/v1/review/"+id, r.mona, "")
	if err := check(shown.raw); err != nil || !strings.Contains(shown.raw, `"name":"passport_no"`) {
		t.Errorf("%v: %s", err, shown.raw)
	}
	first := r.ask("POST", "/v1/review/"+id+"/decision", r.mona, `{"verdict":"corrected","values":{"passport_no":"A99999999"}}`)
	if err := validator(t, "ReviewDecidedAnswer")(first.raw); err != nil || first.Data["mine"] != true {
		t.Errorf("%v: %s", err, first.raw)
	}
	if blind := r.ask("GET", "/v1/review/"+id, r.ali, ""); strings.Contains(blind.raw, "A99999999") || check(blind.raw) != nil {
		t.Errorf("the second person is told what the first one said: %s", blind.raw)
	}
	r.ask("POST", "/v1/review/"+id+"/decision", r.ali, `{"verdict":"confirmed"}`)
	for _, key := range []string{r.mona, r.ali, r.key} {
		after := r.ask("GET", "/v1/review/"+id, key, "")
		if check(after.raw) != nil || !strings.Contains(after.raw, `"disputed":["passport_no"]`) || !strings.Contains(after.raw, "A99999999") ||
			after.Data["state"] != "disputed" {
			t.Errorf("the disagreement is not shown: %s", after.raw)
		}
	}
	if d := r.notes.of(appliance.EntryReviewDecided); len(d) != 2 || d[0].Detail["key"] != "mona" || d[0].Detail["verdict"] != "corrected" ||
		d[1].Detail["state"] != "disputed" {
		t.Errorf("the journal has %+v", d)
	}
	if s := r.notes.of(appliance.EntryReviewSeen); len(s) != 5 || s[0].Detail["key"] != "mona" || s[0].Detail["part"] != "values" ||
		s[0].Detail["review"] != id {
		t.Errorf("the journal has %+v", s)
	}
	for _, e := range r.notes.all {
		if text, _ := json.Marshal(e); bytes.Contains(text, []byte("A99999999")) {
			t.Errorf("the journal says what was read: %s", text)
		}
	}
	if strings.Contains(r.log.String(), "A99999999") {
		t.Error("the log says what was read")
	}
}

// A picture is written anew, whatever was sent, and a crop shows the place of a field; without a note in the journal neither goes out.
func TestReviewPictures(t *testing.T) {
	r := startReview(t)
	id := r.kept()
	for path, width := range map[string]int{"/pictures/0": 200, "/crops/passport_no": 0} {
		a := r.ask("GET", "/v1/review/"+id+path, r.mona, "")
		img, err := jpeg.Decode(strings.NewReader(a.raw))
		if a.status != 200 || a.header.Get("Content-Type") != "image/jpeg" || a.header.Get("Cache-Control") != "no-store" || err != nil ||
			width > 0 && img.Bounds().Dx() != width {
			t.Errorf("%s: %d, %v, %v", path, a.status, a.header, err)
		}
	}
	for _, path := range []string{"/pictures/1", "/pictures/-1", "/pictures/x", "/crops/first_name", "/crops/.."} {
		if a := r.ask("GET", "/v1/review/"+id+path, r.mona, ""); a.status != 404 {
			t.Errorf("%s: %d", path, a.status)
		}
	}
	r.notes.mu.Lock()
	r.notes.fail = appliance.Errorf(appliance.CodeUnavailable, "the disk of the store is full: try again later")
	r.notes.mu.Unlock()
	for _, path := range []string{"", "/pictures/0", "/crops/passport_no"} {
		if a := r.ask("GET", "/v1/review/"+id+path, r.mona, ""); a.status != 503 {
			t.Errorf("%q went out without a note: %d", path, a.status)
		}
	}
}

// Without the scope review nothing of the queue is had, not with the scope admin alone either. Whoever has a key with it, rightly or not,
// has so many looks a minute as are allowed, for each key by itself, and each one that he had is in the journal under the key's name.
func TestReviewGuarded(t *testing.T) {
	r := startReview(t)
	id := r.kept()
	paths := map[string]string{
		"/v1/review": "GET", "/v1/review/" + id: "GET", "/v1/review/" + id + "/pictures/0": "GET",
		"/v1/review/" + id + "/crops/passport_no": "GET",
		"/v1/review/" + id + "/decision":          "POST",
	}
	for _, scope := range []appliance.Scope{appliance.ScopeOCR, appliance.ScopeFace, appliance.ScopeCamera, appliance.ScopeAdmin} {
		key := r.addKey(appliance.Key{Name: string(scope), Scopes: []appliance.Scope{scope}})
		for path, method := range paths {
			if a := r.ask(method, path, key, ""); a.status != 403 {
				t.Errorf("scope %s, %s: %d", scope, path, a.status)
			}
		}
	}
	looks := 0
	for ; looks < 100; looks++ {
		if a := r.ask("GET", "/v1/review/"+id, r.mona, ""); a.status == 429 && a.header.Get("Retry-After") != "" {
			break
		}
	}
	if looks != 10 {
		t.Errorf("%d looks a minute, want 10", looks)
	}
	if a := r.ask("GET", "/v1/review/"+id+"/pictures/0", r.mona, ""); a.status != 429 {
		t.Errorf("a picture after that: %d", a.status)
	}
	for _, part := range []string{"/crops/passport_no", ""} {
		if a := r.ask("GET", "/v1/review/"+id+part, r.mona, ""); a.status != 429 || strings.Contains(a.raw, "passport_no") {
			t.Errorf("%q after that: %d %s", part, a.status, a.raw)
		}
	}
	seen := r.notes.of(appliance.EntryReviewSeen)
	stranger := func(e appliance.Entry) bool { return e.Detail["key"] != "mona" || e.Detail["review"] != id }
	if len(seen) != looks || slices.ContainsFunc(seen, stranger) {
		t.Errorf("%d looks were had, and the journal has %+v", looks, seen)
	}
	if a := r.ask("GET", "/v1/review/"+id, r.ali, ""); a.status != 200 {
		t.Errorf("another key: %d", a.status)
	}
	r.clock.Advance(time.Minute)
	if a := r.ask("GET", "/v1/review/"+id, r.mona, ""); a.status != 200 {
		t.Errorf("a minute later: %d", a.status)
	}
}

// Nonsense is refused in words, and changes nothing.
func TestReviewNonsense(t *testing.T) {
	r := startReview(t)
	id := r.kept()
	for body, status := range map[string]int{
		`{}`: 400, `{"verdict":"perhaps"}`: 400, `{"verdict":7}`: 400, `{"verdict":"corrected","values":{"passport_no":7}}`: 400,
		`{"verdict":"corrected","values":[]}`:                 400,
		`{"verdict":"corrected","values":{"first_name":"a"}}`: 400, `{"verdict":"confirmed","living":true}`: 400,
		`[]`: 400, `{"verdict":"confirmed"`: 400,
		`{"verdict":"confirmed","more":"` + strings.Repeat("x", reviewBytes) + `"}`: 413,
	} {
		if a := r.ask("POST", "/v1/review/"+id+"/decision", r.mona, body); a.status != status || a.Message == "" {
			t.Errorf("%.60s: %d %s", body, a.status, a.Message)
		}
	}
	for _, path := range []string{"?limit=0", "?limit=501", "?limit=null", "?state=old", "?kind=letter"} {
		if a := r.ask("GET", "/v1/review"+path, r.mona, ""); a.status != 400 {
			t.Errorf("%s: %d", path, a.status)
		}
	}
	if got, _ := r.reviews.Review(t.Context(), id); len(got.Decisions) != 0 {
		t.Errorf("decisions %+v", got.Decisions)
	}
	for path, method := range map[string]string{"": "GET", "/decision": "POST", "/pictures/0": "GET"} {
		if a := r.ask(method, "/v1/review/"+appliance.NewGUID()+path, r.mona, `{"verdict":"confirmed"}`); a.status != 404 {
			t.Errorf("%s of an unknown review: %d", path, a.status)
		}
	}
}

// A review is erased at once by hand, which the journal notes. Where a transaction is over, the key that sent the picture may still erase
// it with the transaction's id, and others may not; that of a living transaction stays its owner's to erase.
func TestReviewErasedByHand(t *testing.T) {
	r := startReview(t)
	id := r.kept()
	if a := r.ask("DELETE", "/v1/review/"+id, r.mona, ""); a.status != 200 || validator(t, "ReviewErasedAnswer")(a.raw) != nil {
		t.Errorf("%d %s", a.status, a.raw)
	}
	if a := r.ask("GET", "/v1/review/"+id, r.mona, ""); a.status != 404 || len(r.notes.of(appliance.EntryReviewErased)) != 1 {
		t.Errorf("afterwards: %d, %+v", a.status, r.notes.of(appliance.EntryReviewErased))
	}
	id = r.kept()
	review, err := r.reviews.Review(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	other := r.addKey(appliance.Key{Name: "other", Scopes: []appliance.Scope{appliance.ScopeOCR}})
	r.clock.Advance(time.Hour)
	if a := r.ask("DELETE", "/v1/transactions/"+review.Transaction, other, ""); a.status == 200 {
		t.Errorf("another key erased it: %s", a.raw)
	}
	if a := r.ask("DELETE", "/v1/transactions/"+review.Transaction, r.key, ""); a.status != 200 {
		t.Errorf("its key: %d %s", a.status, a.raw)
	}
	if _, err := r.reviews.Review(t.Context(), id); appliance.CodeOf(err) != appliance.CodeNotFound {
		t.Errorf("the review is left: %v", err)
	}
}

// What is done with a review though the journal is out of order is answered as done and not noted; a decision that is sent again is noted.
func TestReviewUnnoted(t *testing.T) {
	r := startReview(t)
	id := r.kept()
	for _, c := range []struct{ method, path, body, said string }{
		{"POST", "/decision", `{"verdict":"confirmed"}`, "the decision is kept, but the journal could not note it"},
		{"DELETE", "", "", "the review is erased, but the journal could not note it"},
	} {
		r.notes.mu.Lock()
		r.notes.fail = appliance.Errorf(appliance.CodeUnavailable, "the disk of the store is full: try again later")
		r.notes.mu.Unlock()
		if a := r.ask(c.method, "/v1/review/"+id+c.path, r.mona, c.body); a.status != 503 || a.Message != c.said {
			t.Errorf("%s: %d %q", c.method, a.status, a.Message)
		}
		r.notes.mu.Lock()
		r.notes.fail = nil
		r.notes.mu.Unlock()
		if c.body == "" {
			continue
		}
		again := r.ask(c.method, "/v1/review/"+id+c.path, r.mona, c.body)
		if d := r.notes.of(appliance.EntryReviewDecided); again.status != 200 || len(d) != 1 || d[0].Detail["key"] != "mona" {
			t.Errorf("sent again: %d, %+v", again.status, d)
		}
	}
	if _, err := r.reviews.Review(t.Context(), id); appliance.CodeOf(err) != appliance.CodeNotFound {
		t.Errorf("the review is left: %v", err)
	}
}

// A document of a kind that a model pack brings is listed by its kind, also where nothing proved it, and shown with the fields of its
// description; a kind that is nowhere is refused.
func TestReviewOfPackKind(t *testing.T) {
	r := startReview(t)
	for i, kind := range []appliance.Kind{"gym_card", appliance.Unknown} {
		d := appliance.Document{Kind: kind, Model: []appliance.FieldSpec{{Name: "member"}, {Name: "until", Type: appliance.Date}}}
		d.Fields = []appliance.Field{{Name: "member", Value: "منى", Confidence: 0.5}}
		review := review.Review{
			ID: fmt.Sprintf("00000000-0000-4000-8000-00000000000%d", i), Kind: kind, Document: &d, At: time.Now(), Pictures: 1,
			Expires: time.Now().Add(time.Hour), Transaction: appliance.NewGUID(), Request: appliance.NewGUID(),
		}
		if kind == appliance.Unknown {
			review.Asked = "gym_card"
		}
		if err := r.reviews.KeepReview(t.Context(), review, [][]byte{[]byte("picture")}); err != nil {
			t.Fatal(err)
		}
		shown := r.ask("GET", "/v1/review/"+review.ID, r.mona, "")
		if err := validator(t, "ReviewAnswer")(shown.raw); err != nil {
			t.Error(err)
		}
		fields, _ := shown.Data["fields"].([]any)
		if len(fields) != 2 || dig(fields[0], "value") != "منى" || dig(fields[1], "type") != "date" ||
			shown.Data["asked"] != string(review.Asked) {
			t.Errorf("%s: %s", kind, shown.raw)
		}
	}
	list := r.ask("GET", "/v1/review?kind=gym_card", r.mona, "")
	if heads, _ := list.Data["reviews"].([]any); len(heads) != 2 {
		t.Errorf("%d %s", list.status, list.raw)
	}
	if err := validator(t, "ReviewListAnswer")(list.raw); err != nil {
		t.Error(err)
	}
	if of := r.ask("GET", "/v1/review?kind=club_card", r.mona, ""); of.status != 200 { // the set in use brings it
		t.Errorf("%d %s", of.status, of.raw)
	}
	if none := r.ask("GET", "/v1/review?kind=gin_card", r.mona, ""); none.status != 400 {
		t.Errorf("%d %s", none.status, none.raw)
	}
}
