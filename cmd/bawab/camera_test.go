package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/appliance/proof"
	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/inference/decode"
)

// played makes a folder that is played as a camera.
func played(t *testing.T, sample string) string {
	t.Helper()
	dir := t.TempDir()
	raw, err := os.ReadFile(filepath.Join("../../models/samples", sample))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "0.jpg"), raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// camera posts to a camera route.
func (p *program) camera(route, body string) reply {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodPost, "http://"+p.listen+"/v1/camera/"+route, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("ApiKey", p.secret)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	r := reply{Status: res.StatusCode}
	if err := json.NewDecoder(res.Body).Decode(&r); err != nil {
		p.t.Fatal(err)
	}
	return r
}

// ready returns the warnings of /readyz.
func (p *program) ready() string {
	p.t.Helper()
	res, err := http.Get("http://" + p.listen + "/readyz")
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(text)
}

// The whole daemon reads a passport that lies before its camera, guides a viewer to it, checks liveness with a proof that is its own answer's, and tells when the camera
// goes away and comes back.
func TestCameraDaemon(t *testing.T) {
	dir := played(t, "passport.jpg")
	p := startProgram(t, t.TempDir(), "BAWAB_CAMERA_DEVICE=replay:"+dir, "BAWAB_CAMERA_BUDGET=30s")
	r := p.camera("document", `{"endpoint":"passport"}`)
	if r.Status != 200 || r.Data["passport_no"] == "" || r.Data["passport_no"] == nil {
		t.Fatalf("%+v", r)
	}
	id, _ := r.Data["transaction_id"].(string)
	if r := p.camera("liveness", `{"transaction_id":"6f9619ff-8b86-d011-b42d-00cf4fc964ff"}`); r.Code != int(appliance.CodeTransactionUnknown) {
		t.Errorf("liveness of an unknown transaction: %+v", r)
	}
	r = p.camera("liveness", `{"transaction_id":"`+id+`"}`)
	answer, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := verified(answer); err == nil || !strings.Contains(err.Error(), "recording") {
		t.Errorf("liveness: %+v, of which bawab verify says %v", r, err)
	}
	away := func() bool { return strings.Contains(strings.ReplaceAll(p.ready(), "camera_played", ""), "camera_") }
	if text := p.ready(); away() || !strings.Contains(text, "camera_played") {
		t.Errorf("warnings of a recording that is played: %s", text)
	}
	if err := os.Rename(filepath.Join(dir, "0.jpg"), filepath.Join(dir, "away")); err != nil {
		t.Fatal(err)
	}
	appliancetest.Until(t, patience, "the camera is gone", away)
	if r := p.camera("document", `{"endpoint":"passport"}`); r.Status != 503 || !strings.Contains(r.Message, "camera_") {
		t.Errorf("without a camera: %+v", r)
	}
	if err := os.Rename(filepath.Join(dir, "away"), filepath.Join(dir, "0.jpg")); err != nil {
		t.Fatal(err)
	}
	appliancetest.Until(t, patience, "the camera is back", func() bool { return !away() })
	if err := p.stop(syscall.SIGTERM); err != nil {
		t.Errorf("%v; its log:\n%s", err, p.log.String())
	}
}

// The frames of a camera that is mounted on its side stand upright for who watches the preview, once it is told so.
func TestCameraRotate(t *testing.T) {
	for rotate, landscape := range map[string]bool{"0": true, "90": false, "180": true, "270": false} {
		p := startProgram(t, t.TempDir(), "BAWAB_CAMERA_DEVICE=replay:"+played(t, "passport.jpg"), "BAWAB_CAMERA_ROTATE="+rotate, "BAWAB_CAMERA_BUDGET=30s")
		picture := p.previewed()
		if (picture.Width > picture.Height) != landscape {
			t.Errorf("turned by %s degrees the preview is %d x %d", rotate, picture.Width, picture.Height)
		}
		if r := p.camera("document", `{"endpoint":"passport"}`); r.Code != 0 || r.Data["passport_no"] != "A54334171" {
			t.Errorf("turned by %s degrees: %+v", rotate, r)
		}
		if err := p.stop(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
	}
}

// previewed returns the first frame of the preview as the program itself decodes it.
func (p *program) previewed() *appliance.Picture {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, "http://"+p.listen+"/v1/camera/preview", nil)
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("ApiKey", p.secret)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	_, params, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if err != nil {
		p.t.Fatal(err)
	}
	part, err := multipart.NewReader(res.Body, params["boundary"]).NextPart()
	if err != nil {
		p.t.Fatal(err)
	}
	frame, err := io.ReadAll(part)
	if err != nil {
		p.t.Fatal(err)
	}
	picture, err := decode.Decoder{MaxBytes: 8 << 20, MaxPixels: 25e6, MinSide: 64}.Decode(p.t.Context(), frame)
	if err != nil {
		p.t.Fatal(err)
	}
	return picture
}

// checkedAnswer is an answer of a camera liveness check with its frames and proof, as it is written into a file.
func checkedAnswer(t testing.TB, id *proof.Identity, source string) []byte {
	t.Helper()
	s := proof.Statement{
		Source: source, GapsMS: []float64{200, 200.5}, RequestID: "r", TransactionID: "t", SignedAt: "2026-03-01T12:00:00.000000Z", Version: "1",
		Thresholds: map[string]float64{"match": 0.5}, Result: proof.StatementResult{IsLive: true, IsMatched: true, Similarity: 0.9903445909999409, LivenessScore: 0.87512},
	}
	var frames [][]byte
	for i, us := range []int64{1_000_000, 1_200_000, 1_400_500} {
		f := &appliance.Frame{JPEG: []byte{0xff, byte(i)}, Kernel: time.Duration(us) * time.Microsecond}
		frames = append(frames, f.JPEG)
		s.Frames = append(s.Frames, proof.NewStatementFrame(f, time.Unix(1e9, 0).Add(f.Kernel)))
	}
	proof, err := proof.SignStatement(id, s)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(map[string]any{"error_code": 0, "data": map[string]any{
		"isLive": true, "isMatched": true, "reasons": []string{}, "similarity": 0.9903,
		"liveness_score": 0.8751, "gaps_ms": s.GapsMS, "transaction_id": "t", "request_id": "r", "proof": proof, "frames": frames,
	}})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func testIdentity(t testing.TB, fill byte) *proof.Identity {
	t.Helper()
	id, err := proof.NewIdentity(bytes.Repeat([]byte{fill}, 32))
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// verified runs `bawab verify` on a text.
func verified(text []byte, args ...string) (out string, err error) {
	var b bytes.Buffer
	t := &command.Terminal{In: bytes.NewReader(text), Out: &b, Errs: io.Discard}
	call := []string{"verify", "-"}
	for i, flag := range []string{"--public", "--frames"}[:len(args)] {
		if args[i] != "" {
			call = append(call, flag, args[i])
		}
	}
	err = run(context.Background(), t, call)
	return b.String(), err
}

// A proof holds with the appliance's key and says what it proves; with a stranger's key, with other frames or with an answer
// that says something else it does not.
func TestVerify(t *testing.T) {
	id := testIdentity(t, 1)
	text := checkedAnswer(t, id, appliance.SourceCamera)
	if _, err := verified(checkedAnswer(t, id, appliance.SourceRecording)); err == nil || !strings.Contains(err.Error(), "recording") {
		t.Errorf("a recording proves that somebody was there: %v", err)
	}
	pem, err := proof.PublicPEM(id.Public())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	key, frames := filepath.Join(dir, "key.pem"), filepath.Join(dir, "frames")
	if err := os.WriteFile(key, pem, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(frames, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if err := os.WriteFile(filepath.Join(frames, string(rune('a'+i))+".jpg"), []byte{0xff, byte(i)}, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := verified(text, key, frames)
	for _, want := range []string{"a living person stood before the camera", "the appliance with the given key", "a.jpg, b.jpg, c.jpg", "200.5 ms apart", "Not proven:"} {
		if err != nil || !strings.Contains(out, want) {
			t.Errorf("%v, no %q in\n%s", err, want, out)
		}
	}
	if out, err := verified(text); err != nil || !strings.Contains(out, "whose key that is") {
		t.Errorf("without a key: %v\n%s", err, out)
	}
	var whole struct {
		Data struct {
			Proof json.RawMessage `json:"proof"`
		} `json:"data"`
	}
	if err := json.Unmarshal(text, &whole); err != nil {
		t.Fatal(err)
	}
	if _, err := verified(whole.Data.Proof); err != nil {
		t.Errorf("the proof alone: %v", err)
	}
	stranger, err := proof.PublicPEM(testIdentity(t, 2).Public())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(key, stranger, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(frames, "b.jpg"), []byte("other"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{"a stranger's key": {key}, "another frame": {"", frames}, "no key": {frames}} {
		if out, err := verified(text, args...); err == nil || out != "" {
			t.Errorf("%s: accepted\n%s", name, out)
		}
	}
	for _, change := range [][2]string{
		{`"isLive":true`, `"isLive":false`},
		{`"similarity":0.9903`, `"similarity":0.9904`},
		{`"reasons":[]`, `"reasons":["no_face"]`},
		{`"transaction_id":"t"`, `"transaction_id":"u"`},
		{`[200,200.5]`, `[200,200]`},
		{`"/wA="`, `"/wE="`},
		{`"proof"`, `"truth"`},
	} {
		if !bytes.Contains(text, []byte(change[0])) {
			t.Fatalf("%s is not in the answer", change[0])
		}
		if _, err := verified(bytes.Replace(text, []byte(change[0]), []byte(change[1]), 1)); err == nil {
			t.Errorf("%s for %s was accepted", change[1], change[0])
		}
	}
}

// An answer of which one byte was changed either does not verify or says exactly what it said before.
func FuzzVerify(f *testing.F) {
	text := checkedAnswer(f, testIdentity(f, 1), appliance.SourceCamera)
	want, err := verified(text)
	if err != nil {
		f.Fatal(err)
	}
	flipped := func(t testing.TB, at int, flip byte) {
		changed := bytes.Clone(text)
		changed[at] ^= flip
		if out, err := verified(changed); err == nil && out != want {
			t.Errorf("byte %d, flipped by %#x:\n%s", at, flip, out)
		}
	}
	for at := range text {
		flipped(f, at, 1)
	}
	f.Add(len(text)/2, byte(0x20))
	f.Fuzz(func(t *testing.T, at int, flip byte) {
		if at < 0 || at >= len(text) || flip == 0 {
			t.Skip()
		}
		flipped(t, at, flip)
	})
}
