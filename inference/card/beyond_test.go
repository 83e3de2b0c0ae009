package card

import (
	"path/filepath"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/vision"
)

// Property: a licence whose outline ends above its dates, as at a rule, still has them; where only the print tells how far the card goes on, they are in doubt.
// What lies on another document below is not taken for them.
func TestReadBeyond(t *testing.T) {
	tools := cardTools(t)
	tried, read := 0, 0
	for _, truth := range goldenTruth(t, "licences") {
		want := truth.Documents[0]
		q := corners(want.Quad)
		top := 1.0
		h, _ := vision.RectToQuad(1, 1, q)
		back, _ := h.Inverse()
		for _, l := range want.Lines {
			switch l.Role {
			case "issued", "issued_label", "issued_label+issued", "expiry", "expiry_label", "expiry_label+expiry":
				top = min(top, back.Apply(vision.Middle(corners(l.Quad))).Y)
			}
		}
		if top > 0.9 || top < 0.75 {
			continue // no dates, or not near the foot
		}
		share := top - 0.06
		cut := appliance.Quad{q[0], q[1], between(q[1], q[2], share), between(q[0], q[3], share)}
		upper := outline.Found{Kind: want.Kind, Quad: cut, Score: 1, Edges: [4]float64{1, 1, 1, 1}}
		lower := outline.Found{Kind: appliance.Unknown, Quad: appliance.Quad{cut[3], cut[2], q[2], q[3]}}
		tools.Finder = foundBy{upper, lower}
		if got, err := NewReader(want.Kind, tools).Read(t.Context(), picture(t, filepath.Join("licences", truth.File)), nil); err != nil || !lacking(got.Documents[0]) {
			t.Errorf("%s: dates of what lies below, %v", truth.File, err)
		}
		tools.Finder = foundBy{upper}
		got, err := NewReader(want.Kind, tools).Read(t.Context(), picture(t, filepath.Join("licences", truth.File)), nil)
		if err != nil {
			t.Fatal(err)
		}
		tried++
		d := got.Documents[0]
		if lacking(d) {
			continue
		}
		read++
		for _, name := range vital(d.Kind) {
			if f := d.Field(name); f.Value != "" && (f.Value != *want.Fields[name] || !d.Flagged(name, appliance.CodeLowConfidence)) {
				t.Errorf("%s: %s is %q, %+v", truth.File, name, f.Value, d.Validations)
			}
		}
	}
	if tried < 2 || read < tried {
		t.Errorf("the dates of %d of %d licences are read", read, tried)
	}
}
