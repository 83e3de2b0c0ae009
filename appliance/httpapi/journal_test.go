package httpapi

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/google/go-cmp/cmp"
)

// journalFake collects entries, or fails.
type journalFake struct {
	mu      sync.Mutex
	entries []appliance.Entry
	err     error
}

func (j *journalFake) Note(_ context.Context, e appliance.Entry) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err != nil {
		return j.err
	}
	j.entries = append(j.entries, e)
	return e.Check()
}

// take returns what was noted since the last call.
func (j *journalFake) take() []appliance.Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	entries := j.entries
	j.entries = nil
	return entries
}

// Every answer that decides something is noted once, with its outcome and without what was read; refusals are summed, by key.
func TestJournalOfAnswers(t *testing.T) {
	j := &journalFake{}
	f := start(t, func(o *options) { o.journal = j })
	a := f.post("/v1/ocr/passport", sample())
	f.want("a reading", a, 200, 0)
	id := a.Data["transaction_id"].(string)
	entries := j.take()
	want := []appliance.Entry{{Kind: appliance.EntryDecision, Subject: "ocr/passport", Transaction: id, Detail: map[string]string{
		"request": a.Data["request_id"].(string), "code": "0", "key": "all", "doc_type": "passport", "fake": "true", "validations": entries[0].Detail["validations"],
	}}}
	if diff := cmp.Diff(want, entries); diff != "" {
		t.Error(diff)
	}
	ocr := f.addKey(appliance.Key{Name: "ocr", Scopes: []appliance.Scope{appliance.ScopeOCR}})
	for range 3 {
		f.want("a missing scope", f.post("/v1/ocr/face/match", sample(), header("ApiKey", ocr)), 403, 403)
	}
	f.want("no picture", f.post("/v1/ocr/passport", `{"transaction_id":"`+id+`"}`), 400, 400)
	f.want("no JSON", f.post("/v1/ocr/passport", "{"), 400, 400)
	f.post("/v1/ocr/passport", sample(), header("ApiKey", "wrong"))
	f.post("/v1/ocr/passport", sample(), header("ApiKey", ""))
	f.post("/v1/nowhere", "{}", header("ApiKey", ""))
	f.do("GET", "/healthz", nil)
	if entries := j.take(); len(entries) != 0 {
		t.Errorf("refusals were noted one by one: %+v", entries)
	}
	if err := f.server.NoteRefusals(t.Context()); err != nil {
		t.Fatal(err)
	}
	counted := j.take()
	want = []appliance.Entry{
		{Kind: appliance.EntryRefused, Detail: map[string]string{"code_401": "2", "code_404": "1"}},
		{Kind: appliance.EntryRefused, Subject: "all", Detail: map[string]string{"code_400": "2"}},
		{Kind: appliance.EntryRefused, Subject: "ocr", Detail: map[string]string{"code_403": "3"}},
	}
	if diff := cmp.Diff(want, counted); diff != "" {
		t.Error(diff)
	}
	if err := f.server.NoteRefusals(t.Context()); err != nil || len(j.take()) != 0 {
		t.Errorf("nothing was counted twice: %v", err)
	}
}

// An answer that cannot be noted does not leave: the caller hears 503, and nothing of the reading.
func TestJournalFails(t *testing.T) {
	j := &journalFake{}
	f := start(t, func(o *options) { o.journal = j })
	j.err = appliance.Errorf(appliance.CodeUnavailable, "the disk of the appliance is full: try again later")
	a := f.post("/v1/ocr/passport", sample())
	f.want("a full disk", a, http.StatusServiceUnavailable, 503)
	if a.header.Get("Retry-After") == "" {
		t.Error("there is no Retry-After")
	}
	f.post("/v1/ocr/passport", sample(), header("ApiKey", "wrong"))
	if err := f.server.NoteRefusals(t.Context()); err == nil {
		t.Error("the count of refused requests was lost silently")
	}
	j.err = nil
	if err := f.server.NoteRefusals(t.Context()); err != nil {
		t.Fatal(err)
	}
	if counted := j.take(); len(counted) != 1 || counted[0].Detail["code_401"] != "1" {
		t.Errorf("counted %+v after the failure", counted)
	}
}

// A flood of refused requests leaves a bounded number of lines in the log, and one that says how many are missing; the next minute
// has lines again, and work is always logged.
func TestLogIsBounded(t *testing.T) {
	const maxLines = 60 // of one key with one code in a minute
	f := start(t)
	ocr := f.addKey(appliance.Key{Name: "ocr", Scopes: []appliance.Scope{appliance.ScopeOCR}})
	flood := func() {
		for range 3 * maxLines {
			f.want("a missing scope", f.post("/v1/ocr/face/match", "{}", header("ApiKey", ocr)), 403, 403)
		}
	}
	lines := func(code string) int { return strings.Count(f.log.String(), `"error_code":`+code+",") }
	flood()
	if n := lines("403"); n != maxLines {
		t.Errorf("%d lines, want %d", n, maxLines)
	}
	if err := f.server.NoteRefusals(t.Context()); err != nil || !strings.Contains(f.log.String(), `"requests":`+strconv.Itoa(2*maxLines)) {
		t.Errorf("%v, and nobody says how many lines are missing", err)
	}
	f.clock.Advance(time.Minute)
	flood()
	if n := lines("403"); n != 2*maxLines {
		t.Errorf("%d lines after the next minute, want %d", n, 2*maxLines)
	}
	for range 2 * maxLines {
		f.want("work", f.post("/v1/ocr/passport", sample()), 200, 0)
	}
	if n := lines("0"); n != 2*maxLines {
		t.Errorf("%d lines of work, want %d", n, 2*maxLines)
	}
}
