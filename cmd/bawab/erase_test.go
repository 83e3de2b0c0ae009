package main

import (
	"bytes"
	"encoding/hex"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/store/seal"
)

// erase deletes a transaction by its route.
func (p *program) erase(id string) reply {
	p.t.Helper()
	r, err := p.as("127.0.0.1", http.MethodDelete, "/v1/transactions/"+id, map[string]string{"ApiKey": p.secret})
	if err != nil {
		p.t.Fatal(err)
	}
	return r
}

// firstRecord is where the database of a program has the first record of a transaction, -1 where it has none.
func (p *program) firstRecord(id string) int {
	p.t.Helper()
	raw, err := hex.DecodeString(strings.ReplaceAll(id, "-", ""))
	if err != nil {
		p.t.Fatal(err)
	}
	return bytes.Index(everyFile(p.t, p.dir), append(raw, seal.Sequence(1)...))
}

// load sends requests at once, as many of each endpoint as are asked for, and returns what all of them are answered.
func (p *program) load(id string, requests map[appliance.Endpoint]int, pictures map[appliance.Endpoint]string) (answers func() []reply) {
	var all []reply
	var mu sync.Mutex
	var done sync.WaitGroup
	for endpoint, n := range requests {
		for range n {
			done.Go(func() {
				r, err := p.post(p.t.Context(), endpoint, map[string]any{"transaction_id": id, "image": pictures[endpoint]})
				if err != nil {
					p.t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				all = append(all, r)
			})
		}
	}
	return func() []reply { done.Wait(); return all }
}

// A transaction that is deleted while pictures of it are read is gone at once and for good: what was still under way is answered as ended
// and leaves no record, no review and no byte, and the daemon goes on. One that its first picture has yet to begin is unknown, and is not
// kept from beginning.
func TestEraseDuringReading(t *testing.T) {
	p := startProgram(t, t.TempDir(), append(reviewEnviron(), "BAWAB_QUEUE_WORKERS=1")...)
	desk := p.command("keys", "add", "desk", "--scopes", "ocr,review,admin", "--data", p.dir)
	pictures := map[appliance.Endpoint]string{
		appliance.EndpointIDFront: samplePictureText(t, "id_front.jpg"), appliance.EndpointPassport: samplePictureText(t, "passport.jpg"),
		appliance.EndpointFaceMatch: samplePictureText(t, "face.jpg"),
	}
	const ended = int(appliance.CodeTransactionExpired)
	for name, requests := range map[string]map[appliance.Endpoint]int{
		"documents": {appliance.EndpointIDFront: 3, appliance.EndpointPassport: 1},
		"faces":     {appliance.EndpointIDFront: 1, appliance.EndpointFaceMatch: 3},
	} {
		id := p.begun(appliance.EndpointIDFront, pictures[appliance.EndpointIDFront])
		if p.firstRecord(id) < 0 {
			t.Fatalf("%s: the test looks for the wrong bytes", name)
		}
		answers := p.load(id, requests, pictures)
		p.await("bawab_queue_depth", 4, 4)
		if r := p.erase(id); r.Status != http.StatusOK || r.Data["erased"] != true {
			t.Errorf("%s: deleted: %+v", name, r)
		}
		overtaken := 0
		for _, r := range answers() {
			switch {
			case r.Status == http.StatusBadRequest && r.Code == ended:
				overtaken++
			case r.Status != http.StatusOK || r.Code != 0: // it was on record before the deletion
				t.Errorf("%s: %+v", name, r)
			}
		}
		if overtaken == 0 {
			t.Errorf("%s: nothing was under way", name)
		}
		if r := p.transaction(desk, id); r.Code != ended || r.Data != nil {
			t.Errorf("%s: left: %+v", name, r)
		}
		if r := p.erase(id); r.Code != ended {
			t.Errorf("%s: deleted again: %+v", name, r)
		}
		if at := p.firstRecord(id); at >= 0 {
			t.Errorf("%s: a record is left in the files, at %d", name, at)
		}
	}
	id := appliance.NewGUID()
	answers := p.load(id, map[appliance.Endpoint]int{appliance.EndpointIDFront: 1}, pictures)
	p.await("bawab_queue_depth", 1, 1)
	if r := p.erase(id); r.Code != int(appliance.CodeTransactionUnknown) {
		t.Errorf("one that has not begun: %+v", r)
	}
	if r := answers()[0]; r.Status != http.StatusOK || p.erase(id).Data["erased"] != true {
		t.Errorf("it has begun with %+v", r)
	}
	p.secret = desk
	if status, list := p.get("/v1/review"); status != http.StatusOK || bytes.Contains(list, []byte(`"id":`)) {
		t.Errorf("left for review: %d %s", status, list)
	}
	p.command("store", "check", "--data", p.dir)
}
