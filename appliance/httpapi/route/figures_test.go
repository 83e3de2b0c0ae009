package route

import (
	"strings"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/metrics"
)

// What answers decide is counted by kind, verdict, code, cue, outcome and reason, and nothing else of them is; what failed
// decides nothing.
func TestOutcomeFigures(t *testing.T) {
	set := metrics.New()
	f := newFigures(set)
	yes, no := true, false
	twice := []appliance.Validation{{Errors: []appliance.Code{3305, 3301}}, {Errors: []appliance.Code{3305}}}
	cues := []appliance.Cue{{Name: "screen", Score: .9, Threshold: .5}, {Name: "copy", Score: .1, Threshold: .5}, {Name: "noted", Score: 1}}
	documents := []appliance.Document{{Kind: appliance.Passport, Validations: twice}, {Kind: appliance.Passport, Cues: cues, Fake: true}}
	refused := appliance.Decision{Matched: &no, Live: &no, Reasons: []appliance.Reason{"glare"}}
	for _, x := range []*Exchange{
		{Decision: appliance.Decision{Documents: documents}},
		{Decision: appliance.Decision{Matched: &yes}},
		{Decision: refused, Route: "/v1/camera/liveness", Gaps: []time.Duration{200 * time.Millisecond}},
		{Decision: appliance.Decision{Matched: &yes}, Code: appliance.CodeInternal},
	} {
		f.observe(x, time.Now())
	}
	text, err := set.Text()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`bawab_documents_total{kind="passport",verdict="fake"} 1`, `bawab_documents_total{kind="passport",verdict="genuine"} 1`,
		`bawab_codes_total{code="3301"} 1`, `bawab_codes_total{code="3305"} 1`, `bawab_fraud_cues_total{cue="screen"} 1`,
		`bawab_face_matches_total{outcome="matched"} 1`, `bawab_face_matches_total{outcome="refused"} 1`,
		`bawab_liveness_total{outcome="refused"} 1`,
		`bawab_face_reasons_total{reason="glare"} 1`, `bawab_camera_gap_seconds_bucket{route="/v1/camera/liveness",le="0.25"} 1`,
	} {
		if !strings.Contains(string(text), want+"\n") {
			t.Errorf("metrics lack %s", want)
		}
	}
	for _, cue := range []string{"copy", "noted"} {
		if strings.Contains(string(text), `"`+cue+`"`) {
			t.Errorf("the cue %s was counted", cue)
		}
	}
}
