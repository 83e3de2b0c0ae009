package httpapi

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
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
func withFaces(t *testing.T, findings appliance.BurstFindings) (f *fixture, transaction string) {
	t.Helper()
	faces := fakeFaces{findings}
	f = start(t, func(o *options) {
		o.faces = appliance.Faces{Finder: faces, Matcher: faces, Judge: faces}
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
	return f, a.Data["transaction_id"].(string)
}

// TestFaceMatchAnswer: a face match is answered with the members of the contract and Services null; with the evidence asked for,
// Services says how well the picture shows the face. Both are as described.
func TestFaceMatchAnswer(t *testing.T) {
	f, id := withFaces(t, appliance.BurstFindings{})
	member := `"transaction_id":"` + id + `","client_transaction_id":"c"`
	a := f.post("/v1/ocr/face/match", sample(member))
	f.want("match", a, 200, 0)
	want := map[string]any{"isMatched": true, "similarity": 0.75, "threshold": 0.5, "transaction_id": id, "client_transaction_id": "c", "request_id": a.Data["request_id"]}
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
	f, id := withFaces(t, appliance.BurstFindings{Score: 0.9, Cues: cues,
		Embeddings: [3]appliance.Embedding{{1}, {1}, {1}}, Reasons: []appliance.Reason{appliance.PresentationAttack}})
	body := `{"transaction_id":"` + id + `","face_1":"QQ==","face_2":"Qg==","face_3":"Qw==","face_4":7`
	a := f.post("/v1/ocr/liveness/multi", body+"}")
	f.want("liveness", a, 200, 0)
	want := map[string]any{"isLive": false, "isMatched": true, "reasons": []any{"presentation_attack"}, "similarity": 0.75, "liveness_score": 0.9,
		"gaps_ms": []any{0.0, 0.0}, "transaction_id": id, "client_transaction_id": nil, "request_id": a.Data["request_id"]}
	if diff := cmp.Diff(want, a.Data); diff != "" || a.Services != nil {
		t.Errorf("%s, Services %v", diff, a.Services)
	}
	evidence := f.post("/v1/ocr/liveness/multi", body+`,"evidence":true}`)
	list, _ := dig(evidence.Services, "evidence", "cues").([]any)
	if len(list) != 1 || dig(list[0], "name") != "moire" {
		t.Errorf("evidence %v", evidence.Services)
	}
	check := validator(t, "LivenessAnswer")
	for _, raw := range []string{a.raw, evidence.raw} {
		if err := check(raw); err != nil {
			t.Error(err)
		}
	}
}
