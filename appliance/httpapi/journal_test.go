package httpapi

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"testing"

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

// Every answer to a known key is noted once, with its outcome and without what was read; strangers are only counted.
func TestJournalOfAnswers(t *testing.T) {
	j := &journalFake{}
	f := start(t, func(o *options) { o.journal = j })
	a := f.post("/v1/ocr/passport", sample())
	f.want("a reading", a, 200, 0)
	id := a.Data["transaction_id"].(string)
	entries := j.take()
	want := []appliance.Entry{{Kind: appliance.EntryDecision, Subject: "ocr/passport", Transaction: id, Detail: map[string]string{
		"request": a.Data["request_id"].(string), "code": "0", "key": "all", "doc_type": "passport", "fake": "true", "validations": entries[0].Detail["validations"]}}}
	if diff := cmp.Diff(want, entries); diff != "" {
		t.Error(diff)
	}
	for _, tt := range []struct {
		path, body string
		code       int
	}{
		{"/v1/ocr/passport", `{"transaction_id":"` + id + `"}`, 400},
		{"/v1/ocr/passport", "{", 400},
		{"/v1/ocr/face/match", `{"transaction_id":"` + appliance.NewGUID() + `","image":"` + "QQ==" + `"}`, 0},
	} {
		a := f.post(tt.path, tt.body)
		entries := j.take()
		if len(entries) != 1 || entries[0].Detail["code"] != strconv.Itoa(a.Code) || tt.code != 0 && a.Code != tt.code {
			t.Errorf("%s %s: answered %d, noted %+v", tt.path, tt.body, a.Code, entries)
		}
	}
	f.post("/v1/ocr/passport", sample(), header("ApiKey", "wrong"))
	f.post("/v1/ocr/passport", sample(), header("ApiKey", ""))
	f.post("/v1/nowhere", "{}", header("ApiKey", ""))
	f.do("GET", "/healthz", nil)
	if entries := j.take(); len(entries) != 0 {
		t.Errorf("strangers were noted one by one: %+v", entries)
	}
	if err := f.server.NoteRefusals(t.Context()); err != nil {
		t.Fatal(err)
	}
	counted := j.take()
	if len(counted) != 1 || !cmp.Equal(counted[0].Detail, map[string]string{"code_401": "2", "code_404": "1"}) {
		t.Errorf("counted %+v", counted)
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
