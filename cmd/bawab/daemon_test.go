package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"image"
	"image/png"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/edit"
	"github.com/bawab/bawab/inference/eval/document"
)

// program is the whole daemon in a process of its own.
type program struct {
	t      *testing.T
	dir    string
	listen string
	secret string
	cmd    *exec.Cmd
	log    bytes.Buffer // valid after the process has ended
	ended  bool
}

// daemonCommand is a daemon that does not outlive the tests: a time-out ends them without their cleanups.
func daemonCommand(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return cmd
}

// startProgram runs the daemon on a free port and a folder, and makes a key for it.
func startProgram(t *testing.T, dir string, environ ...string) *program {
	t.Helper()
	return startProgramAt(t, "127.0.0.1:0", dir, environ...)
}

// startProgramAt is startProgram for another address, which all but loopback serve over TLS.
func startProgramAt(t *testing.T, listen, dir string, environ ...string) *program {
	t.Helper()
	p := &program{t: t, dir: dir, cmd: daemonCommand("bawab", "serve", "--listen", listen, "--data", dir)}
	p.cmd.Env = append(append(os.Environ(), "BAWAB_LOG_LEVEL=warn", "BAWAB_HTTP_DRAIN_TIMEOUT=2m"), environ...)
	p.cmd.Stderr = &p.log
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.stop(syscall.SIGKILL) })
	status, err := awaitDaemon(dir)
	if err != nil {
		p.stop(syscall.SIGKILL)
		t.Fatalf("%v; its log:\n%s", err, p.log.String())
	}
	p.listen = status.Listen
	p.secret = p.command("keys", "add", appliance.NewGUID(), "--scopes", "ocr,face,camera", "--data", dir)
	return p
}

// stop ends the process and waits for it; it may be called twice.
func (p *program) stop(sig syscall.Signal) error {
	if p.ended {
		return nil
	}
	p.ended = true
	return errors.Join(p.cmd.Process.Signal(sig), p.cmd.Wait())
}

// command runs another command of the program and returns what it prints.
func (p *program) command(args ...string) string {
	p.t.Helper()
	var said bytes.Buffer
	c := exec.Command("bawab", args...)
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		p.t.Fatalf("bawab %s: %v\n%s", strings.Join(args, " "), err, said.Bytes())
	}
	return strings.TrimSpace(string(out))
}

// reply is an answer of the API.
type reply struct {
	Status   int
	Data     map[string]any `json:"data"`
	Services map[string]any `json:"Services"`
	Code     int            `json:"error_code"`
	Message  string         `json:"error_message"`
}

func (p *program) post(ctx context.Context, endpoint appliance.Endpoint, members map[string]any) (reply, error) {
	body, err := json.Marshal(members)
	if err != nil {
		return reply{}, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+p.listen+"/v1/"+string(endpoint), bytes.NewReader(body))
	if err != nil {
		return reply{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("ApiKey", p.secret)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return reply{}, err
	}
	defer res.Body.Close()
	r := reply{Status: res.StatusCode}
	return r, json.NewDecoder(res.Body).Decode(&r)
}

// mustPost is post for requests that must be answered.
func (p *program) mustPost(endpoint appliance.Endpoint, members map[string]any) reply {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	defer cancel()
	r, err := p.post(ctx, endpoint, members)
	if err != nil {
		p.t.Fatal(err)
	}
	return r
}

// metric reads one sample of /metrics; 0 when it is not there.
func (p *program) metric(name string) float64 {
	p.t.Helper()
	res, err := http.Get("http://" + p.listen + "/metrics")
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, name+" "); ok {
			v, err := strconv.ParseFloat(strings.TrimSpace(rest), 64)
			if err != nil {
				p.t.Fatal(err)
			}
			return v
		}
	}
	return 0
}

// await polls until a metric lies from least to most.
func (p *program) await(name string, least, most float64) {
	p.t.Helper()
	deadline := time.Now().Add(patience)
	for {
		v := p.metric(name)
		if v >= least && v <= most {
			return
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("%s is %v, want %v to %v", name, v, least, most)
		}
	}
}

// largePicture is a blank picture whose decoding takes a while: base64 of a PNG.
var largePicture = sync.OnceValue(func() string {
	m := image.NewNRGBA64(image.Rect(0, 0, 3000, 3000))
	for i := range m.Pix {
		m.Pix[i] = 0xff
	}
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, m); err != nil {
		return err.Error()
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
})

// A revoked key is refused from the next request on, and the others go on working.
func TestRevokedAtOnce(t *testing.T) {
	p := startProgram(t, t.TempDir())
	ask := map[string]any{"image": "bm8gcGljdHVyZQ=="}
	if r := p.mustPost(appliance.EndpointPassport, ask); r.Code != int(appliance.CodePictureKind) {
		t.Fatalf("got %+v before", r)
	}
	kept := p.secret
	p.secret = p.command("keys", "add", "short", "--scopes", "ocr", "--data", p.dir)
	if r := p.mustPost(appliance.EndpointPassport, ask); r.Code != int(appliance.CodePictureKind) {
		t.Fatalf("got %+v with the second key", r)
	}
	p.command("keys", "revoke", "short", "--data", p.dir)
	if r := p.mustPost(appliance.EndpointPassport, ask); r.Status != http.StatusUnauthorized || r.Code != 401 {
		t.Errorf("got %+v after revoking", r)
	}
	p.secret = kept
	if r := p.mustPost(appliance.EndpointPassport, ask); r.Code != int(appliance.CodePictureKind) {
		t.Errorf("got %+v with the first key", r)
	}
}

// SIGTERM lets every admitted request finish with its answer, and the daemon then ends with exit code 0.
func TestDrain(t *testing.T) {
	p := startProgram(t, t.TempDir(), "BAWAB_QUEUE_WORKERS=1")
	const requests = 4
	answers := make(chan reply, requests)
	for range requests {
		go func() {
			r, err := p.post(t.Context(), appliance.EndpointCarLicenseBack, map[string]any{"image": largePicture()})
			if err != nil {
				r.Message = err.Error()
			}
			answers <- r
		}()
	}
	p.await("bawab_queue_depth", requests, requests)
	if err := p.stop(syscall.SIGTERM); err != nil {
		t.Errorf("the daemon ended with %v; its log:\n%s", err, p.log.String())
	}
	for range requests {
		if r := <-answers; r.Status != http.StatusBadRequest || r.Code != int(appliance.CodeNoDocument) {
			t.Errorf("got %+v", r)
		}
	}
}

// A client that goes away takes its work with it: the queue empties and the next request is answered.
func TestClientGoesAway(t *testing.T) {
	p := startProgram(t, t.TempDir(), "BAWAB_QUEUE_WORKERS=1")
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	const requests = 6
	var gone sync.WaitGroup
	for range requests {
		gone.Go(func() {
			if r, err := p.post(ctx, appliance.EndpointCarLicenseBack, map[string]any{"image": largePicture()}); err == nil {
				t.Errorf("answered %+v although the client left", r)
			}
		})
	}
	p.await("bawab_queue_depth", requests, requests)
	leave()
	gone.Wait()
	p.await("bawab_queue_depth", 0, 0)
	p.await("bawab_cancelled_total", requests/2, requests) // those at work before the closing was noticed may have finished
	if r := p.mustPost(appliance.EndpointCarLicenseBack, map[string]any{"image": largePicture()}); r.Code != int(appliance.CodeNoDocument) {
		t.Errorf("got %+v afterwards", r)
	}
}

// When workers and waiting places are taken, a request is answered 503 at once, and work goes on afterwards.
func TestBusy(t *testing.T) {
	p := startProgram(t, t.TempDir(), "BAWAB_QUEUE_WORKERS=1", "BAWAB_QUEUE_WAITING=1")
	var first sync.WaitGroup
	for range 2 {
		first.Go(func() {
			if r, err := p.post(t.Context(), appliance.EndpointCarLicenseBack, map[string]any{"image": largePicture()}); err != nil || r.Code != int(appliance.CodeNoDocument) {
				t.Errorf("got %+v, %v", r, err)
			}
		})
	}
	p.await("bawab_queue_depth", 2, 2)
	if r := p.mustPost(appliance.EndpointCarLicenseBack, map[string]any{"image": largePicture()}); r.Status != http.StatusServiceUnavailable || r.Code != 503 {
		t.Errorf("got %+v while busy", r)
	}
	first.Wait()
	if r := p.mustPost(appliance.EndpointCarLicenseBack, map[string]any{"image": largePicture()}); r.Code != int(appliance.CodeNoDocument) {
		t.Errorf("got %+v afterwards", r)
	}
}

// sampleFile is "models/samples/passport.jpg" as seen from the folder of this package.
func sampleFile() string {
	return filepath.Join("..", "..", filepath.FromSlash("models/samples/passport.jpg"))
}

// shownFields are what a person reads on the sample passport.
func shownFields() map[string]any {
	return map[string]any{
		"country_code": "EGY", "doc_Type": "P", "gender": "Male", "name": "DAWOUD SAYED LOTFY OMAR", "nationality": "EGY",
		"passport_no": "A54334171", "Date_of_Birth": "1957-04-20", "Date_of_Expiry": "2032-01-03",
	}
}

// samplePassport returns the picture in base64.
func samplePassport(t *testing.T) string {
	t.Helper()
	return fileText(t, sampleFile())
}

// The passport that the repository carries is read right in every field, and what was answered survives a kill -9:
// the transaction is still known.
func TestPassportDurable(t *testing.T) {
	picture := samplePassport(t)
	dir := t.TempDir()
	p := startProgram(t, dir)
	mine := "visitor 7"
	r := p.mustPost(appliance.EndpointPassport, map[string]any{"image": picture, "client_transaction_id": mine, "evidence": true})
	if r.Status != http.StatusOK || r.Code != 0 {
		t.Fatalf("got %+v", r)
	}
	for name, want := range shownFields() {
		if got := r.Data[name]; got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	if r.Data["client_transaction_id"] != mine || r.Services["evidence"] == nil {
		t.Errorf("got %+v", r)
	}
	id := r.Data["transaction_id"]
	p.stop(syscall.SIGKILL)
	p = startProgram(t, dir)
	face := map[string]any{"image": picture, "transaction_id": id}
	if r := p.mustPost(appliance.EndpointFaceMatch, face); r.Code != int(appliance.CodeFaceUnclear) {
		t.Errorf("got %+v for the document as the live picture, in the transaction after the kill, want 4209", r)
	}
	face["transaction_id"] = appliance.NewGUID()
	if r := p.mustPost(appliance.EndpointFaceMatch, face); r.Code != int(appliance.CodeTransactionUnknown) {
		t.Errorf("got %+v for an unknown transaction", r)
	}
	if out := p.command("store", "check", "--data", dir); !strings.Contains(out, "1 transaction with 1 record,") {
		t.Errorf("store check says %q", out)
	}
}

// generalErrors is the share of wrong characters that the sample form may have.
const generalErrors = 0.12

// The form that the repository carries is read line by line in reading order, with a place for each line.
func TestGeneral(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "..", "models", "samples", "general.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	printed, err := os.ReadFile(filepath.Join("testdata", "general.txt"))
	if err != nil {
		t.Fatal(err)
	}
	p := startProgram(t, t.TempDir())
	r := p.mustPost(appliance.EndpointGeneral, map[string]any{"image": base64.StdEncoding.EncodeToString(raw), "evidence": true})
	var got []string
	lines, _ := r.Data["lines"].([]any)
	for _, l := range lines {
		got = append(got, member(l, "text").(string))
	}
	want, read := []rune(document.PlainText(string(printed))), []rune(document.PlainText(strings.Join(got, " ")))
	if rate := float64(edit.Distance(want, read)) / float64(len(want)); rate > generalErrors {
		t.Errorf("%.1f %% of the characters are wrong:\n%s", 100*rate, strings.Join(got, "\n"))
	}
	places, _ := member(r.Services, "evidence", "lines").([]any)
	if len(places) != len(lines) {
		t.Fatalf("%d lines, %d places", len(lines), len(places))
	}
	for i := 1; i < len(places); i++ {
		if above, below := boxOf(t, member(places[i-1], "quad")), boxOf(t, member(places[i], "quad")); below.Min.Y < above.Min.Y {
			t.Errorf("line %d, %q, stands above line %d, %q", i+1, got[i], i, got[i-1])
		}
	}
}

// scan gives the same answer as the API for the same picture, but for the ids.
func TestScanLikeAPI(t *testing.T) {
	picture := samplePassport(t)
	p := startProgram(t, t.TempDir())
	over := p.mustPost(appliance.EndpointPassport, map[string]any{"image": picture, "evidence": true})
	var local reply
	out := p.command("scan", sampleFile(), "--json", "--evidence")
	if err := json.Unmarshal([]byte(out), &local); err != nil {
		t.Fatal(err)
	}
	for _, r := range []*reply{&over, &local} {
		r.Status = 0
		delete(r.Data, "transaction_id")
		delete(r.Data, "request_id")
	}
	a, err := json.Marshal(over)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(local)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a, b) {
		t.Errorf("the API says\n%s\nscan says\n%s", a, b)
	}
}

// A daemon that crashes leaves no core: its memory holds keys and persons.
func TestNoCore(t *testing.T) {
	p := startProgram(t, t.TempDir())
	limits, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(p.cmd.Process.Pid), "limits"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(limits)) {
		if rest, ok := strings.CutPrefix(line, "Max core file size"); ok {
			if f := strings.Fields(rest); len(f) < 2 || f[0] != "0" || f[1] != "0" {
				t.Errorf("the limit is %q", rest)
			}
			return
		}
	}
	t.Error("the kernel names no limit")
}
