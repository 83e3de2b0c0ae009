package httpapi

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/usecase"
	"github.com/google/go-cmp/cmp"
)

// fakeFaces are the parts that compare faces, with fixed findings.
type fakeFaces struct{ findings appliance.BurstFindings }

func (fakeFaces) FindFaces(context.Context, *appliance.Picture) ([]appliance.Face, error) {
	return []appliance.Face{{Quality: appliance.FaceQuality{EyeDistance: 61.5, Yaw: -4, Sharpness: 0.9, Light: 0.5, Contrast: 0.7, Score: 0.8}}}, nil
}

func (fakeFaces) Embed(context.Context, *appliance.Picture, appliance.Face) (appliance.Embedding, error) {
	return appliance.Embedding{1}, nil
}
func (fakeFaces) Model() string                               { return "model" }
func (fakeFaces) Threshold() float64                          { return 0.5 }
func (fakeFaces) Similarity(_, b appliance.Embedding) float64 { return float64(b[0]) }
func (f fakeFaces) Judge(context.Context, []*appliance.Picture) (appliance.BurstFindings, error) {
	return f.findings, nil
}

// withFaces starts a server that compares faces, with a transaction that holds a portrait.
func withFaces(t *testing.T, findings appliance.BurstFindings, ceiling float64, journal ...appliance.Journal) (f *fixture, transaction, read string) {
	t.Helper()
	faces := fakeFaces{findings}
	f = start(t, func(o *options) {
		for _, j := range journal {
			o.journal = j
		}
		o.faces = usecase.Faces{Finder: faces, Matcher: faces, Judge: faces, PortraitCeiling: ceiling}
		o.decode = func(context.Context, []byte) (*appliance.Picture, error) {
			return &appliance.Picture{Taken: time.Unix(1, 0)}, nil
		}
		o.read = func(context.Context, *appliance.Picture, []appliance.Document) (appliance.Reading, error) {
			p := &appliance.Portrait{Embedding: appliance.Embedding{0.75}, Model: "model", Quality: 0.123}
			return appliance.Reading{Documents: []appliance.Document{{Kind: appliance.Passport, Portrait: p}}}, nil
		}
	})
	a := f.post("/v1/ocr/passport", sample(`"evidence":true`))
	if strings.Contains(strings.ToLower(a.raw), "portrait") || strings.Contains(a.raw, "0.123") || strings.Contains(a.raw, "model\"") {
		t.Errorf("the answer holds the portrait: %s", a.raw)
	}
	return f, a.Data["transaction_id"].(string), a.Data["request_id"].(string)
}

// TestFaceMatchAnswer: a face match is answered with the members of the contract and Services null; with the evidence asked for,
// Services says how well the picture shows the face. Both are as described.
func TestFaceMatchAnswer(t *testing.T) {
	f, id, read := withFaces(t, appliance.BurstFindings{}, 0)
	member := `"transaction_id":"` + id + `","client_transaction_id":"c"`
	a := f.post("/v1/ocr/face/match", sample(member))
	f.want("match", a, 200, 0)
	want := map[string]any{
		"isMatched": true, "similarity": 0.75, "threshold": 0.5,
		"reference": map[string]any{"kind": "passport", "request_id": read}, "transaction_id": id, "client_transaction_id": "c", "request_id": a.Data["request_id"],
	}
	if diff := cmp.Diff(want, a.Data); diff != "" || a.Services != nil {
		t.Errorf("%s, Services %v", diff, a.Services)
	}
	evidence := f.post("/v1/ocr/face/match", sample(member, `"evidence":true`))
	face, _ := dig(evidence.Services, "evidence", "face").(map[string]any)
	if face["eye_distance"] != 61.5 || face["yaw"] != -4.0 || len(face) != 9 {
		t.Errorf("evidence %v", evidence.Services)
	}
	check := validator(t, "FaceMatchAnswer")
	for _, raw := range []string{a.raw, evidence.raw} {
		if err := check(raw); err != nil {
			t.Error(err)
		}
	}
	if check(strings.Replace(evidence.raw, `"yaw"`, `"more":1,"yaw"`, 1)) == nil {
		t.Error("the check lets an unknown member pass")
	}
}

// TestLivenessAnswer: liveness is answered with its reasons, the gaps where they are known, and on request the cues; members that
// the contract does not name, such as a fourth face, are ignored.
func TestLivenessAnswer(t *testing.T) {
	cues := []appliance.Cue{{Name: "moire", Score: 0.25, Threshold: 0.5}}
	f, id, read := withFaces(t, appliance.BurstFindings{
		Score: 0.9, Cues: cues,
		Embeddings: [3]appliance.Embedding{{1}, {1}, {1}}, Reasons: []appliance.Reason{appliance.PresentationAttack},
	}, 0)
	body := `{"transaction_id":"` + id + `","face_1":"QQ==","face_2":"Qg==","face_3":"Qw==","face_4":7`
	a := f.post("/v1/ocr/liveness/multi", body+"}")
	f.want("liveness", a, 200, 0)
	want := map[string]any{
		"isLive": false, "isMatched": true, "reasons": []any{"presentation_attack"}, "similarity": 0.75, "liveness_score": 0.0,
		"gaps_ms": []any{0.0, 0.0}, "source": "upload", "reference": map[string]any{"kind": "passport", "request_id": read}, "transaction_id": id, "client_transaction_id": nil, "request_id": a.Data["request_id"],
	}
	if diff := cmp.Diff(want, a.Data); diff != "" || a.Services != nil {
		t.Errorf("%s, Services %v", diff, a.Services)
	}
	kiosk := f.addKey(appliance.Key{Name: "kiosk", Scopes: []appliance.Scope{appliance.ScopeFace}})
	evidence := f.post("/v1/ocr/liveness/multi", body+`,"evidence":true}`, header("ApiKey", kiosk))
	if dig(evidence.Services, "evidence", "cues") != nil || dig(evidence.Services, "evidence", "score") != nil || dig(evidence.Services, "evidence", "threshold") != 0.5 {
		t.Errorf("evidence for a key without the scope admin: %v", evidence.Services)
	}
	admin := f.post("/v1/ocr/liveness/multi", body+`,"evidence":true}`)
	list, _ := dig(admin.Services, "evidence", "cues").([]any)
	if len(list) != 1 || dig(list[0], "name") != "moire" || dig(admin.Services, "evidence", "score") != 0.9 || admin.Data["liveness_score"] != 0.0 {
		t.Errorf("evidence for a key with the scope admin: %v", admin.raw)
	}
	check := validator(t, "LivenessAnswer")
	for _, raw := range []string{a.raw, evidence.raw, admin.raw} {
		if err := check(raw); err != nil {
			t.Error(err)
		}
	}
}

// No answer to a key without the scope admin moves with how near an attack came to being taken for a living person: the answers to
// a bad and to a nearly good one differ by their ids alone.
func TestNothingToClimb(t *testing.T) {
	answers := map[string]bool{}
	for _, near := range []float64{0.01, 0.2, 0.49, 0.8999} {
		f, id, _ := withFaces(t, appliance.BurstFindings{
			Score: near, Cues: []appliance.Cue{{Name: "attack", Score: 1 - near, Threshold: 0.1}},
			Embeddings: [3]appliance.Embedding{{1}, {1}, {1}}, Reasons: []appliance.Reason{appliance.PresentationAttack},
		}, 0)
		kiosk := f.addKey(appliance.Key{Name: "kiosk", Scopes: []appliance.Scope{appliance.ScopeFace, appliance.ScopeCamera, appliance.ScopeOCR}})
		a := f.post("/v1/ocr/liveness/multi", `{"transaction_id":"`+id+`","face_1":"QQ==","face_2":"Qg==","face_3":"Qw==","evidence":true}`, header("ApiKey", kiosk))
		f.want("liveness", a, 200, 0)
		answers[guids.ReplaceAllString(a.raw, "ID")] = true
		if err := validator(t, "LivenessAnswer")(a.raw); err != nil {
			t.Error(err)
		}
	}
	if len(answers) != 1 {
		t.Errorf("%d different answers: %v", len(answers), slices.Collect(maps.Keys(answers)))
	}
}

var guids = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`)

// A transaction has ten face checks of either kind, together; the next is 429 with 4104 and no Retry-After, is journalled in
// sum with the other refusals of its key, and a new transaction has its own.
func TestTooManyAttempts(t *testing.T) {
	j := &journalFake{}
	f, id, _ := withFaces(t, appliance.BurstFindings{Embeddings: [3]appliance.Embedding{{1}, {1}, {1}}, Score: 1}, 0, j)
	match := func(id string) answer { return f.post("/v1/ocr/face/match", sample(`"transaction_id":"`+id+`"`)) }
	live := func(id string) answer {
		return f.post("/v1/ocr/liveness/multi", `{"transaction_id":"`+id+`","face_1":"QQ==","face_2":"Qg==","face_3":"Qw=="}`)
	}
	for range appliance.FaceAttempts / 2 {
		f.want("match", match(id), 200, 0)
		f.want("liveness", live(id), 200, 0)
	}
	j.take()
	for _, check := range []func(string) answer{match, live} {
		a := check(id)
		f.want("one more", a, 429, 4104)
		if a.header.Get("Retry-After") != "" || !strings.Contains(a.Message, "new") {
			t.Errorf("Retry-After %q, %q", a.header.Get("Retry-After"), a.Message)
		}
		if err := validator(t, "Failure")(a.raw); err != nil {
			t.Error(err)
		}
	}
	if err := f.server.NoteRefusals(t.Context()); err != nil {
		t.Fatal(err)
	}
	if noted := j.take(); len(noted) != 1 || noted[0].Kind != appliance.EntryRefused || noted[0].Detail["code_4104"] != "2" {
		t.Errorf("noted %+v", noted)
	}
	other := f.post("/v1/ocr/passport", sample())
	f.want("another transaction", match(other.Data["transaction_id"].(string)), 200, 0)
}

// The journal says which document faces were compared with and why they were refused, and what a document meant for that.
func TestJournalOfFaces(t *testing.T) {
	j := &journalFake{}
	f, id, _ := withFaces(t, appliance.BurstFindings{Embeddings: [3]appliance.Embedding{{1}, {1}, {1}}, Reasons: []appliance.Reason{appliance.InjectedMedia}}, 0.7, j)
	note := func() map[string]string {
		t.Helper()
		entries := j.take()
		if len(entries) != 1 {
			t.Fatalf("noted %+v", entries)
		}
		return entries[0].Detail
	}
	if d := note(); d["reference"] != "taken" {
		t.Errorf("of the first document: %v", d)
	}
	f.post("/v1/ocr/passport", sample(`"transaction_id":"`+id+`"`))
	if d := note(); d["reference"] != "kept" {
		t.Errorf("of the second document: %v", d)
	}
	a := f.post("/v1/ocr/face/match", sample(`"transaction_id":"`+id+`"`, `"evidence":true`))
	if got := dig(a.Services, "evidence", "reasons"); a.Data["isMatched"] != false || !cmp.Equal(got, []any{"document_portrait"}) {
		t.Errorf("the portrait itself: %s", a.raw)
	}
	if d := note(); d["compared_with"] != "passport" || d["reasons"] != "document_portrait" || d["is_matched"] != "false" {
		t.Errorf("of the match: %v", d)
	}
	a = f.post("/v1/ocr/liveness/multi", `{"transaction_id":"`+id+`","face_1":"QQ==","face_2":"Qg==","face_3":"Qw=="}`)
	if got := a.Data["reasons"]; !cmp.Equal(got, []any{"injected_media", "document_portrait"}) || a.Data["isMatched"] != true {
		t.Errorf("the portrait as a burst: %s", a.raw)
	}
	if d := note(); d["compared_with"] != "passport" || d["reasons"] != "injected_media,document_portrait" || d["is_live"] != "false" {
		t.Errorf("of the liveness check: %v", d)
	}
}
