package httpapi

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/appliance/httpapi/access"
	"github.com/bawab/bawab/appliance/httpapi/route"
	"github.com/bawab/bawab/appliance/metrics"
)

// keeping is a server with a journal that can erase.
func keeping(t *testing.T) (*fixture, *journalFake) {
	t.Helper()
	j := &journalFake{}
	f := start(t, func(o *options) { o.journal = j })
	f.server.deps.Erase = func(ctx context.Context, id, key string) error {
		if err := f.transactions.Erase(ctx, id); err != nil {
			return err
		}
		return j.Note(ctx, appliance.Entry{Kind: appliance.EntryStoreErased, Transaction: id, Detail: map[string]string{"key": key}})
	}
	return f, j
}

// TestLookAtTransaction: a key with the scope admin gets all that a living transaction holds, each look is in the journal under its
// name, and no other key gets anything.
func TestLookAtTransaction(t *testing.T) {
	f, j := keeping(t)
	id := f.post("/v1/ocr/passport", sample(`"client_transaction_id":"c-1"`)).Data["transaction_id"].(string)
	portrait := appliance.FaceMatch{
		IsMatched:  true,
		Similarity: 0.75,
		Threshold:  0.5,
		Reference:  appliance.Reference{Kind: appliance.Passport, RequestID: "r"},
	}
	if err := f.transactions.Append(t.Context(), id, appliance.Record{RequestID: "m", At: f.clock.Now(), Endpoint: appliance.EndpointFaceMatch, Match: &portrait}); err != nil {
		t.Fatal(err)
	}
	a := f.do("GET", "/v1/transactions/"+strings.ToUpper(id), nil)
	f.want("look", a, 200, 0)
	records, _ := a.Data["records"].([]any)
	if len(records) != 2 || a.Data["transaction_id"] != id || a.Data["face_attempts"] != 0.0 || a.Data["expires"] == nil {
		t.Fatalf("got %s", a.raw)
	}
	first := records[0].(map[string]any)
	document := first["documents"].([]any)[0].(map[string]any)
	if document["data"].(map[string]any)["country_code"] != "EGY" || first["client_transaction_id"] != "c-1" || first["match"] != nil ||
		first["key"] != "all" {
		t.Errorf("first record: %v", first)
	}
	if match := records[1].(map[string]any)["match"].(map[string]any); match["isMatched"] != true || match["similarity"] != 0.75 {
		t.Errorf("second record: %v", records[1])
	}
	var looks []appliance.Entry
	for _, e := range j.take() {
		if e.Kind == appliance.EntryTransactionSeen {
			looks = append(looks, e)
		}
	}
	if len(looks) != 1 || looks[0].Transaction != id || looks[0].Detail["key"] != "all" {
		t.Errorf("the journal has %+v", looks)
	}
	f.want("no such id", f.do("GET", "/v1/transactions/"+appliance.NewGUID(), nil), 400, int(appliance.CodeTransactionUnknown))
	for _, bad := range []string{"x", appliance.NilGUID, "{" + id + "}", id + "/x"} {
		if a := f.do("GET", "/v1/transactions/"+bad, nil); a.status != 400 && a.status != 404 {
			t.Errorf("%s: HTTP %d", bad, a.status)
		}
	}
	f.key = f.addKey(appliance.Key{Name: "ocr", Scopes: []appliance.Scope{appliance.ScopeOCR, appliance.ScopeFace}})
	f.want("without admin", f.do("GET", "/v1/transactions/"+id, nil), 403, 403)
}

// TestEraseTransaction: the key that began a transaction, and one with the scope admin, erase it at once; to others it is unknown. What
// was still being read for it is not recorded.
func TestEraseTransaction(t *testing.T) {
	f, j := keeping(t)
	admin := f.key
	owner := f.addKey(appliance.Key{Name: "owner", Scopes: []appliance.Scope{appliance.ScopeOCR}})
	other := f.addKey(appliance.Key{Name: "other", Scopes: []appliance.Scope{appliance.ScopeOCR, appliance.ScopeFace, appliance.ScopeCamera}})
	for _, by := range []string{owner, admin} {
		f.key = owner
		id := f.post("/v1/ocr/passport", sample()).Data["transaction_id"].(string)
		f.key = other
		f.want("another key", f.do("DELETE", "/v1/transactions/"+id, nil), 400, int(appliance.CodeTransactionUnknown))
		f.key = by
		if a := f.do("DELETE", "/v1/transactions/"+id, nil); a.Data["erased"] != true || a.Data["transaction_id"] != id {
			t.Errorf("HTTP %d %s", a.status, a.raw)
		}
		f.want("again", f.do("DELETE", "/v1/transactions/"+id, nil), 400, int(appliance.CodeTransactionExpired))
		f.key = owner
		f.want("read on", f.post("/v1/ocr/passport", sample(`"transaction_id":"`+id+`"`)), 400, int(appliance.CodeTransactionExpired))
	}
	n := 0
	for _, e := range j.take() {
		if e.Kind == appliance.EntryStoreErased {
			n++
		}
	}
	if n != 2 {
		t.Errorf("%d erasures in the journal", n)
	}
	f.key = ""
	f.want("no key", f.do("DELETE", "/v1/transactions/"+appliance.NewGUID(), nil), 401, 401)
}

// stream opens the events and returns their lines.
func (f *fixture) stream(ctx context.Context) *bufio.Scanner {
	f.t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, f.url("/v1/events"), nil)
	if err != nil {
		f.t.Fatal(err)
	}
	r.Header.Set("ApiKey", f.key)
	res, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { res.Body.Close() })
	if res.StatusCode != 200 || res.Header.Get("Content-Type") != "text/event-stream" {
		f.t.Fatalf("HTTP %d, %v", res.StatusCode, res.Header)
	}
	return bufio.NewScanner(res.Body)
}

// nextData returns the data of the next event of a kind.
func nextData(t *testing.T, s *bufio.Scanner, kind string) map[string]any {
	t.Helper()
	for s.Scan() {
		if s.Text() != "event: "+kind {
			continue
		}
		s.Scan()
		var data map[string]any
		if err := json.Unmarshal([]byte(strings.TrimPrefix(s.Text(), "data: ")), &data); err != nil {
			t.Fatalf("%v: %q", err, s.Text())
		}
		return data
	}
	t.Fatalf("the stream ended: %v", s.Err())
	return nil
}

// TestEvents: an admin key follows what is answered, by kinds, codes and outcomes and without what was read; other keys do not, and a
// stop of the server ends the stream.
func TestEvents(t *testing.T) {
	f := start(t)
	lines := f.stream(t.Context())
	lines.Scan() // the greeting: from here on events are held for this reader
	id := f.post("/v1/ocr/passport", sample()).Data["transaction_id"]
	e := nextData(t, lines, "answer")
	if e["transaction_id"] != id || e["endpoint"] != "ocr/passport" || e["key"] != "all" || e["error_code"] != 0.0 || e["is_live"] != nil {
		t.Errorf("got %v", e)
	}
	if kinds, codes := e["kinds"].([]any), e["codes"].([]any); len(kinds) != 1 || kinds[0] != "passport" || len(codes) != 1 ||
		codes[0] != 3010.0 {
		t.Errorf("got %v", e)
	}
	if raw, _ := json.Marshal(e); strings.Contains(string(raw), "MONA") {
		t.Errorf("an event tells what was read: %s", raw)
	}
	f.post("/v1/ocr/passport", sample(), header("ApiKey", "wrong"))
	f.want("no document", f.post("/v1/ocr/face/match", sample(`"transaction_id":"`+id.(string)+`"`)), 501, 501)
	f.post("/v1/ocr/passport", sample())
	if e := nextData(t, lines, "answer"); e["endpoint"] != "ocr/passport" {
		t.Errorf("what decided nothing is an event: %v", e)
	}
	key := f.key
	f.key = f.addKey(appliance.Key{Name: "ocr", Scopes: []appliance.Scope{appliance.ScopeOCR}})
	f.want("without admin", f.do("GET", "/v1/events", nil), 403, 403)
	f.key = key
	f.server.frame.EndStreams()
	for lines.Scan() {
	}
	eventually(t, "the reader is gone", func() bool {
		f.server.events.mu.Lock()
		defer f.server.events.mu.Unlock()
		return len(f.server.events.readers) == 0
	})
}

// TestSlowEventReader: a reader that takes nothing delays nobody, loses events and is told how many; readers are bounded, and one whose
// key was revoked is told nothing more.
func TestSlowEventReader(t *testing.T) {
	var e events
	slow := e.join()
	for range heldEvents + 3 {
		e.publish("answer", func() []byte { return []byte("{}") })
	}
	keys := appliance.NewKeyring(appliancetest.NewKeys(), time.Now)
	for _, name := range []string{"all", "revoked"} {
		if _, err := keys.Add(t.Context(), appliance.Key{Name: name, Scopes: []appliance.Scope{appliance.ScopeAdmin}}); err != nil {
			t.Fatal(err)
		}
	}
	gate := access.NewGate(keys, access.Policy{}, time.Now, nil)
	s := &Server{gate: gate, frame: route.New(route.Deps{Gate: gate, Figures: metrics.New()})}
	valid := func(key string) func() bool { return func() bool { return s.gate.StillIn(key, "", netip.Addr{}) } }
	beat := time.NewTicker(time.Hour)
	defer beat.Stop()
	if got := s.nextEvent(slow, beat, valid("all")); !strings.HasPrefix(got, "event: lost\ndata: {\"count\":3}\n\nevent: answer\n") {
		t.Errorf("got %q", got)
	}
	if got := s.nextEvent(slow, beat, valid("all")); got != "event: answer\ndata: {}\n\n" {
		t.Errorf("got %q", got)
	}
	for e.join() != nil {
	}
	if len(e.readers) != maxEventReaders {
		t.Errorf("%d readers", len(e.readers))
	}
	e.leave(slow)
	if e.join() == nil {
		t.Error("a place that is free is not given")
	}
	if err := keys.Revoke(t.Context(), "revoked"); err != nil {
		t.Fatal(err)
	}
	if got := s.nextEvent(slow, beat, valid("revoked")); got != "" {
		t.Errorf("a revoked key is told an event: %q", got)
	}
	beat.Reset(time.Nanosecond)
	quiet := &eventReader{next: make(chan []byte)}
	if got := s.nextEvent(quiet, beat, valid("revoked")); got != "" {
		t.Errorf("a stream outlives its key: %q", got)
	}
}
