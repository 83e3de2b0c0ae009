package main

import (
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/bawab/bawab/appliance"
)

// sampleDocument is a picture of models/samples as a request carries it.
func sampleDocument(t *testing.T, path ...string) string {
	t.Helper()
	return fileText(t, filepath.Join(append([]string{"..", "..", "models", "samples"}, path...)...))
}

// begun reads a document at a new transaction and returns its id.
func (p *program) begun(endpoint appliance.Endpoint, picture string) (id string) {
	p.t.Helper()
	r := p.mustPost(endpoint, map[string]any{"image": picture})
	if r.Status != http.StatusOK {
		p.t.Fatalf("got %+v", r)
	}
	return r.Data["transaction_id"].(string)
}

// Of face checks that come at the same time no more are answered than the transaction may have, none more after the daemon was
// killed, and not one of 200 further tries; pictures without a face cost nothing, the journal names the refusals, and another
// transaction has its own checks.
func TestAttemptsOfDaemon(t *testing.T) {
	const most, callers, retries = 7, 40, 200
	dir := t.TempDir()
	p := startProgram(t, dir, "BAWAB_FACE_ATTEMPTS=7", "BAWAB_QUEUE_WAITING=100")
	id, face := p.begun(appliance.EndpointIDFront, sampleDocument(t, "documents", "00.jpg")), encoded(t, sampleFrame(t))
	match := map[string]any{"image": face, "transaction_id": id}
	empty := map[string]any{"image": encoded(t, onto(640, 480, nil)), "transaction_id": id}
	for range 3 {
		if r := p.mustPost(appliance.EndpointFaceMatch, empty); r.Code != int(appliance.CodeNoFace) {
			t.Fatalf("a picture of nothing: %+v", r)
		}
	}
	burst := map[string]any{"face_1": face, "face_2": face, "face_3": face, "transaction_id": id}
	var mu sync.Mutex
	codes := map[int]int{}
	var load sync.WaitGroup
	for i := range callers {
		load.Go(func() {
			endpoint, members := appliance.EndpointFaceMatch, match
			if i%4 == 0 {
				endpoint, members = appliance.EndpointLiveness, burst
			}
			r, err := p.post(t.Context(), endpoint, members)
			if err != nil || r.Code == int(appliance.CodeTooManyAttempts) && r.Status != http.StatusTooManyRequests {
				t.Errorf("%+v, %v", r, err)
			}
			mu.Lock()
			defer mu.Unlock()
			codes[r.Code]++
		})
	}
	load.Wait()
	if codes[0] != most || codes[int(appliance.CodeTooManyAttempts)] != callers-most {
		t.Errorf("codes %v, want %d answers and %d refusals", codes, most, callers-most)
	}
	if err := p.stop(syscall.SIGKILL); err == nil {
		t.Error("the daemon ended in order")
	}
	p = startProgram(t, dir, "BAWAB_FACE_ATTEMPTS=7")
	for i := range retries {
		endpoint, members := appliance.EndpointFaceMatch, match
		if i%20 == 0 {
			endpoint, members = appliance.EndpointLiveness, burst
		}
		if r := p.mustPost(endpoint, members); r.Code != int(appliance.CodeTooManyAttempts) {
			t.Fatalf("try %d after the limit: %+v", i, r)
		}
	}
	other := p.begun(appliance.EndpointIDFront, sampleDocument(t, "documents", "00.jpg"))
	if r := p.mustPost(appliance.EndpointFaceMatch, map[string]any{"image": face, "transaction_id": other}); r.Code != 0 {
		t.Errorf("another transaction: %+v", r)
	}
	if err := p.stop(syscall.SIGTERM); err != nil {
		t.Errorf("%v; its log:\n%s", err, p.log.String())
	}
	// Refusals are noted in sum, those before the kill at most a minute late.
	noted := 0
	for _, n := range regexp.MustCompile(`code_4104=(\d+)`).FindAllStringSubmatch(p.command("audit", "export", "--data", dir), -1) {
		one, _ := strconv.Atoi(n[1])
		noted += one
	}
	if noted < retries {
		t.Errorf("the journal names %d refusals, want at least %d", noted, retries)
	}
}

// Faces are compared with the first identity document of a transaction: one of another holder is answered 3103 on the whole
// document and changes nothing, also after a restart, and another reading of the first one takes its place. The journal says so.
func TestReferenceOfDaemon(t *testing.T) {
	dir := t.TempDir()
	p := startProgram(t, dir)
	card := sampleDocument(t, "documents", "00.jpg")
	first := p.mustPost(appliance.EndpointIDFront, map[string]any{"image": card})
	id := first.Data["transaction_id"].(string)
	reference := func(want reply, kind appliance.Kind) {
		t.Helper()
		r := p.mustPost(appliance.EndpointFaceMatch, map[string]any{"image": encoded(t, sampleFrame(t)), "transaction_id": id})
		got, _ := r.Data["reference"].(map[string]any)
		if r.Code != 0 || got["kind"] != string(kind) || got["request_id"] != want.Data["request_id"] {
			t.Errorf("compared with %v, want %s of %v: %+v", got, kind, want.Data["request_id"], r)
		}
	}
	reference(first, appliance.NationalIDFront)
	if slices.Contains(documentCodes(first), 3103) {
		t.Errorf("the first document: %v", first.Services)
	}
	for endpoint, picture := range map[appliance.Endpoint]string{appliance.EndpointPassport: "passport.jpg", appliance.EndpointIDFront: "id_front.jpg"} {
		r := p.mustPost(endpoint, map[string]any{"image": sampleDocument(t, picture), "transaction_id": id})
		if r.Code != 0 || !slices.Contains(documentCodes(r), 3103) {
			t.Errorf("%s of another holder: %+v", picture, r)
		}
		reference(first, appliance.NationalIDFront)
	}
	if err := p.stop(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p = startProgram(t, dir)
	reference(first, appliance.NationalIDFront)
	again := p.mustPost(appliance.EndpointMulti, map[string]any{"image": card, "transaction_id": id})
	if again.Code != 0 {
		t.Fatalf("the first document again: %+v", again)
	}
	reference(again, appliance.NationalIDFront)
	journal := p.command("audit", "export", "--data", dir)
	for change, n := range map[string]int{"reference=taken": 1, "reference=kept": 2, "reference=replaced": 1} {
		if strings.Count(journal, change) != n {
			t.Errorf("the journal has %d of %s, want %d:\n%s", strings.Count(journal, change), change, n, journal)
		}
	}
}

// With keys.bind_transactions a transaction belongs to the key that began it, also after the daemon was killed: for another key it
// is unknown, to read into and to compare with; a key with the scope admin may do all of it.
func TestBoundTransactionOfDaemon(t *testing.T) {
	dir := t.TempDir()
	p := startProgram(t, dir, "BAWAB_KEYS_BIND_TRANSACTIONS=true")
	card, face := sampleDocument(t, "documents", "00.jpg"), encoded(t, sampleFrame(t))
	id, owner := p.begun(appliance.EndpointIDFront, card), p.secret
	if err := p.stop(syscall.SIGKILL); err == nil {
		t.Error("the daemon ended in order")
	}
	p = startProgram(t, dir, "BAWAB_KEYS_BIND_TRANSACTIONS=true")
	other := p.secret
	boss := p.command("keys", "add", "boss", "--scopes", "ocr,face,admin", "--data", dir)
	for _, c := range []struct {
		name, secret string
		want         int
	}{{"another key", other, int(appliance.CodeTransactionUnknown)}, {"its own key", owner, 0}, {"a key with the scope admin", boss, 0}} {
		p.secret = c.secret
		for endpoint, picture := range map[appliance.Endpoint]string{appliance.EndpointIDFront: card, appliance.EndpointFaceMatch: face} {
			if r := p.mustPost(endpoint, map[string]any{"image": picture, "transaction_id": id}); r.Code != c.want {
				t.Errorf("%s to %s: %+v, want code %d", c.name, endpoint, r, c.want)
			}
		}
	}
}

// documentCodes are the codes about the whole document of an answer.
func documentCodes(r reply) (codes []int) {
	validations, _ := r.Services["Validations"].(map[string]any)
	list, _ := validations["validation_errors"].([]any)
	for _, entry := range list {
		v, _ := entry.(map[string]any)
		if v["field"] != "" {
			continue
		}
		all, _ := v["errors"].([]any)
		for _, e := range all {
			code, _ := e.(map[string]any)["code"].(float64)
			codes = append(codes, int(code))
		}
	}
	return codes
}
