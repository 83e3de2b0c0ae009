package httpapi

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"mime"
	"mime/multipart"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/appliance/httpapi/wire"
	"github.com/bawab/bawab/appliance/proof"
	"github.com/bawab/bawab/appliance/queue"
	"github.com/bawab/bawab/appliance/usecase"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// tickCamera gives a frame every 20 ms, of a size of its own; it is lost while broken says so.
type tickCamera struct {
	began  time.Time
	bytes  int
	broken atomic.Bool
}

const tick = 20 * time.Millisecond

// Next implements appliance.Camera.
func (c *tickCamera) Next(ctx context.Context, after uint64) (*appliance.Frame, error) {
	for {
		if c.broken.Load() {
			return nil, appliance.CameraUnavailable(appliance.WarnCameraLost, nil)
		}
		n := uint64(time.Since(c.began)/tick) + 1
		if n > after {
			at := time.Duration(n) * tick
			return &appliance.Frame{
				JPEG:     append([]byte(strconv.FormatUint(n, 10)), make([]byte, c.bytes)...),
				Sequence: n,
				Kernel:   at,
				Wall:     c.began.Add(at),
			}, nil
		}
		select {
		case <-time.After(tick):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// alike finds every face to be one living person's.
type alike struct{}

func (alike) Embed(context.Context, *appliance.Picture, appliance.Face) (appliance.Embedding, error) {
	return appliance.Embedding{1}, nil
}
func (alike) Model() string                               { return "net" }
func (alike) Similarity(a, b appliance.Embedding) float64 { return 0.75 }
func (alike) Threshold() float64                          { return 0.5 }
func (alike) Judge(context.Context, []*appliance.Picture) (appliance.BurstFindings, error) {
	return appliance.BurstFindings{
		Score:      0.875,
		Embeddings: [3]appliance.Embedding{{1}, {1}, {1}},
		Cues:       []appliance.Cue{{Name: "plane", Score: 0.25, Threshold: 0.5}},
	}, nil
}

// always is a judge of frames with one opinion.
type always appliance.Guidance

func (g always) JudgeFrame(context.Context, *appliance.Picture) (appliance.Guidance, error) {
	return appliance.Guidance(g), nil
}

// watched is a server with a camera and a transaction that holds a portrait.
type watched struct {
	*fixture
	camera   *tickCamera
	identity *proof.Identity
	known    string
}

func startCamera(t *testing.T, faces appliance.FrameJudge, judge appliance.LivenessJudge) *watched {
	t.Helper()
	clock := appliancetest.NewClock()
	f := &fixture{t: t, clock: clock, log: &logBuffer{}, transactions: appliancetest.NewTransactions(30*time.Minute, clock.Now)}
	f.keys = appliance.NewKeyring(appliancetest.NewKeys(), clock.Now)
	f.key = f.addKey(appliance.Key{Name: "all", Scopes: appliance.Scopes()})
	id, err := proof.NewIdentity(bytes.Repeat([]byte{7}, ed25519.SeedSize))
	if err != nil {
		t.Fatal(err)
	}
	w := &watched{fixture: f, camera: &tickCamera{began: time.Now(), bytes: 1}, identity: id, known: appliance.NewGUID()}
	portrait := &appliance.Portrait{Embedding: appliance.Embedding{1}, Model: "net", Quality: 1}
	if err := f.transactions.Append(t.Context(), w.known, appliance.Record{RequestID: appliance.NewGUID(), Documents: []appliance.Document{{Kind: appliance.Passport, Portrait: portrait}}}); err != nil {
		t.Fatal(err)
	}
	a := usecase.New(usecase.Deps{
		Decoder: appliancetest.PictureDecoder{}, Transactions: f.transactions, Queue: queue.New(2, 8), Now: clock.Now,
		Networks: usecase.Networks{
			Readers: map[appliance.Endpoint]appliance.Reader{appliance.EndpointPassport: appliancetest.Reader{ReadFunc: readPassport}},
			Faces:   usecase.Faces{Matcher: alike{}, Judge: judge}, FaceGuide: faces,
		},
	})
	cfg := DefaultConfig()
	cfg.WriteTimeout = 2 * time.Second
	f.server = New(cfg, Deps{
		Appliance: a, Keys: f.keys, Log: slog.New(slog.NewJSONHandler(f.log, nil)), Version: "test", Now: clock.Now,
		Camera: usecase.NewCapturer(usecase.CapturerDeps{
			Appliance: a, Camera: w.camera, Identity: id, Rule: usecase.BurstRule{Least: 2 * tick, Most: appliance.MaxGap},
			Budget: 500 * time.Millisecond, Viewers: 2, Version: "test", Now: time.Now,
		}),
	})
	f.serve()
	return w
}

func (w *watched) liveness(members string) answer {
	return w.post("/v1/camera/liveness", `{"transaction_id":"`+w.known+`"`+members+`}`)
}

// TestCameraLiveness: the answer has the members of its upload twin and a proof that opens with the appliance's key, says what
// the answer says, and is canonical JSON by another implementation; the frames come along only when they are asked for.
func TestCameraLiveness(t *testing.T) {
	w := startCamera(t, always(appliance.GuideReady), alike{})
	a := w.liveness(`,"client_transaction_id":"c","frames":true,"evidence":true`)
	w.want("liveness", a, 200, 0)
	var names []string
	for name := range keysOf(t, a.raw, "data") {
		names = append(names, name)
	}
	want := []string{
		"isLive",
		"isMatched",
		"reasons",
		"similarity",
		"liveness_score",
		"gaps_ms",
		"source",
		"reference",
		"proof",
		"frames",
		"transaction_id",
		"client_transaction_id",
		"request_id",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	var sent struct {
		Data struct {
			Proof     proof.Proof
			Frames    [][]byte
			GapsMS    []float64 `json:"gaps_ms"`
			RequestID string    `json:"request_id"`
		}
	}
	if err := json.Unmarshal([]byte(a.raw), &sent); err != nil {
		t.Fatal(err)
	}
	s, err := sent.Data.Proof.Open(w.identity.Public())
	if err != nil {
		t.Fatal(err)
	}
	if s.RequestID != sent.Data.RequestID || s.TransactionID != w.known || !s.Result.IsLive || len(sent.Data.Frames) != 3 ||
		s.Result.LivenessScore != 1 {
		t.Errorf("%+v", s)
	}
	if diff := cmp.Diff(sent.Data.GapsMS, s.GapsMS); diff != "" {
		t.Error(diff)
	}
	canonical := jsontext.Value(bytes.Clone(sent.Data.Proof.Statement))
	if err := canonical.Canonicalize(); err != nil || !bytes.Equal(canonical, sent.Data.Proof.Statement) {
		t.Errorf("%v\n%s\n%s", err, canonical, sent.Data.Proof.Statement)
	}
	check := validator(t, "CameraLivenessAnswer")
	for _, raw := range []string{a.raw, w.liveness("").raw} {
		if err := check(raw); err != nil {
			t.Error(err)
		}
	}
	if again := w.liveness(""); strings.Contains(again.raw, `"frames"`) || again.Services != nil {
		t.Errorf("unasked: %s", again.raw)
	}
}

// keysOf yields the names of an object's member object in the order of the text.
func keysOf(t *testing.T, raw, member string) func(yield func(string, struct{}) bool) {
	t.Helper()
	var outer map[string]jsontext.Value
	if err := json.Unmarshal([]byte(raw), (*map[string]jsontext.Value)(&outer)); err != nil {
		t.Fatal(err)
	}
	return func(yield func(string, struct{}) bool) {
		d := jsontext.NewDecoder(bytes.NewReader(outer[member]))
		_, _ = d.ReadToken()
		for d.PeekKind() == '"' {
			name, _ := d.ReadToken()
			if key := name.String(); !yield(key, struct{}{}) || d.SkipValue() != nil {
				return
			}
		}
	}
}

// TestCameraRefuses: camera requests are checked in the order of the contract, and what the camera lacks is 503 with Retry-After.
func TestCameraRefuses(t *testing.T) {
	w := startCamera(t, always(appliance.GuideReady), nil)
	known := `{"transaction_id":"` + w.known + `"`
	for _, tt := range []struct {
		name, path, body string
		status, code     int
	}{
		{"no transaction", "liveness", `{}`, 400, 400},
		{"unknown transaction", "liveness", `{"transaction_id":"6f9619ff-8b86-d011-b42d-00cf4fc964ff"}`, 400, 4101},
		{"frames of a wrong type", "liveness", known + `,"frames":1}`, 400, 400},
		{"no judge", "liveness", known + `}`, 501, 501},
		{"no endpoint", "document", `{}`, 400, 400},
		{"endpoint with its prefix", "document", `{"endpoint":"ocr/passport"}`, 400, 400},
		{"a face endpoint", "document", `{"endpoint":"face/match"}`, 400, 400},
		{"an endpoint of a wrong type", "document", `{"endpoint":7}`, 400, 400},
		{"a bad transaction", "document", `{"endpoint":"passport","transaction_id":"x"}`, 400, 400},
		{"an endpoint without a reader", "document", `{"endpoint":"id/front"}`, 501, 501},
		{"not JSON", "document", `{`, 400, 400},
	} {
		w.want(tt.name, w.post("/v1/camera/"+tt.path, tt.body), tt.status, tt.code)
	}
	w.want("another media type", w.post("/v1/camera/document", `{}`, header("Content-Type", "text/plain")), 415, 415)
	w.camera.broken.Store(true)
	for _, a := range []answer{w.post("/v1/camera/document", `{"endpoint":"passport"}`), w.do("GET", "/v1/camera/preview", nil)} {
		w.want("lost", a, 503, 503)
		if a.header.Get("Retry-After") == "" || !strings.Contains(a.Message, "camera_lost") {
			t.Errorf("%v: %s", a.header, a.Message)
		}
	}
}

// TestCameraDocument: the answer is that of the endpoint that the request names, and its transaction goes on.
func TestCameraDocument(t *testing.T) {
	w := startCamera(t, nil, nil)
	a := w.post("/v1/camera/document", `{"endpoint":"passport","client_transaction_id":"c","evidence":true}`)
	w.want("document", a, 200, 0)
	if a.Data["country_code"] != "EGY" || a.Data["client_transaction_id"] != "c" || a.Services["evidence"] == nil {
		t.Errorf("%s", a.raw)
	}
	id, _ := a.Data["transaction_id"].(string)
	if _, err := w.transactions.Transaction(t.Context(), id); err != nil {
		t.Errorf("the transaction %q: %v", id, err)
	}
}

// TestCameraSeesNobody: a camera that works and sees no face is an answer with a reason, not an error.
func TestCameraSeesNobody(t *testing.T) {
	w := startCamera(t, always(appliance.GuideNoFace), alike{})
	a := w.liveness("")
	w.want("nobody", a, 200, 0)
	if diff := cmp.Diff([]any{"no_face"}, a.Data["reasons"]); diff != "" || a.Data["isLive"] != false || a.Data["gaps_ms"] != nil {
		t.Errorf("%s %s", diff, a.raw)
	}
}

// preview opens a preview and returns its parts.
func (w *watched) preview(query string) (*http.Response, *multipart.Reader) {
	w.t.Helper()
	r, err := http.NewRequest("GET", "http://"+w.addr+"/v1/camera/preview"+query, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("ApiKey", w.key)
	res, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	kind, params, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/x-mixed-replace" {
		return res, nil
	}
	return res, multipart.NewReader(bufio.NewReader(res.Body), params["boundary"])
}

// TestPreview: each part is one frame with its guidance, newer than the one before.
func TestPreview(t *testing.T) {
	w := startCamera(t, always(appliance.GuideCloser), nil)
	res, parts := w.preview("?subject=face")
	defer res.Body.Close()
	last := 0
	for range 5 {
		part, err := parts.NextPart()
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(part)
		if err != nil {
			t.Fatal(err)
		}
		n, _ := strconv.Atoi(strings.TrimRight(string(body), "\x00"))
		if n <= last || part.Header.Get("X-Guidance") != "closer" || part.Header.Get("X-Guidance-Text") != "Come closer." ||
			part.Header.Get("Content-Type") != "image/jpeg" {
			t.Errorf("frame %d after %d: %v", n, last, part.Header)
		}
		last = n
	}
	var b bytes.Buffer
	out := bufio.NewWriter(&b)
	if err := writePart(out, &appliance.Frame{JPEG: []byte("x")}, told{}, usecase.FlashRed); err != nil ||
		!strings.Contains(b.String(), "\r\nX-Flash: red\r\n\r\nx") {
		t.Errorf("%v %q", err, b.String())
	}
	w.want("an unknown subject", w.do("GET", "/v1/camera/preview?subject=hand", nil), 400, 400)
}

// TestPreviewSlow: a viewer that takes nothing slows neither another viewer nor a capture, is cut off, and its place is free
// again; nothing stays open.
func TestPreviewSlow(t *testing.T) {
	w := startCamera(t, always(appliance.GuideReady), alike{})
	w.camera.bytes = 1 << 20 // more than all buffers on the way
	slow, _ := w.preview("")
	defer slow.Body.Close()
	quick, parts := w.preview("")
	defer quick.Body.Close()
	third, _ := w.preview("")
	if third.StatusCode != 503 {
		t.Errorf("a third viewer: HTTP %d", third.StatusCode)
	}
	third.Body.Close()
	for range 10 {
		if _, err := parts.NextPart(); err != nil {
			t.Fatal(err)
		}
	}
	if a := w.liveness(""); a.Data["isLive"] != true {
		t.Errorf("%s", a.raw)
	}
	eventually(t, "the slow viewer is cut off", func() bool {
		res, _ := w.preview("")
		defer res.Body.Close()
		_, err := parts.NextPart() // the quick one goes on
		return err == nil && res.StatusCode == 200
	})
	quick.Body.Close()
	slow.Body.Close()
	w.client.CloseIdleConnections()
	stacks := make([]byte, 1<<20)
	eventually(t, "no preview goes on", func() bool {
		return !bytes.Contains(stacks[:runtime.Stack(stacks, true)], []byte("cameraPreview"))
	})
}

// TestPreviewEnds: a preview ends with the camera, and with the server, whose shutdown does not wait for it.
func TestPreviewEnds(t *testing.T) {
	w := startCamera(t, always(appliance.GuideReady), nil)
	first, parts := w.preview("")
	defer first.Body.Close()
	if _, err := parts.NextPart(); err != nil {
		t.Fatal(err)
	}
	w.camera.broken.Store(true)
	if _, err := io.Copy(io.Discard, first.Body); err != nil {
		t.Errorf("the end of the camera: %v", err)
	}
	w.camera.broken.Store(false)
	second, _ := w.preview("")
	defer second.Body.Close()
	began := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := w.server.Shutdown(ctx); err != nil || time.Since(began) > 5*time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
	if _, err := io.Copy(io.Discard, second.Body); err != nil {
		t.Errorf("the end of the server: %v", err)
	}
}

// TestProofText: a proof travels as two base64 texts that Go's own reader takes back unchanged.
func TestProofText(t *testing.T) {
	p := proof.Proof{Statement: []byte(`{"a":1}`), Signature: []byte{0xfb, 0xff}}
	raw := capturedEnvelope(usecase.Comparison{}, usecase.CapturedLiveness{Proof: p}, &cameraRequest{Request: &wire.Request{}}, false)
	if !bytes.Contains(raw, []byte(`"proof":{"statement":"`+base64.StdEncoding.EncodeToString(p.Statement)+`","signature":"+/8="}`)) {
		t.Errorf("%s", raw)
	}
}

// TestPreviewInArabic: the preview says its guidance in the language that the viewer prefers.
func TestPreviewInArabic(t *testing.T) {
	var b bytes.Buffer
	if err := writePart(bufio.NewWriter(&b), &appliance.Frame{}, told{appliance.Sight{Guidance: appliance.GuideCloser}, appliance.Arabic}, ""); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "\r\nX-Guidance: closer\r\nX-Guidance-Text: اقترب أكثر.\r\n") {
		t.Errorf("%q", b.String())
	}
}
