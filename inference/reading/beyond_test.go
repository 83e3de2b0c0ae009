package reading

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/inferencetest"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/outline/outlinetest"
	"github.com/bawab/bawab/inference/scene"
	"github.com/bawab/bawab/inference/sheet"
	"github.com/bawab/bawab/inference/vision"
)

// Property: a licence whose outline ends above its dates, as at a rule, still has them; where only the text tells how far the card goes on,
// they are in doubt. What lies on another document below is not taken for them.
func TestReadBeyond(t *testing.T) {
	tools := cardTools(t)
	tried, read := 0, 0
	for _, truth := range goldenTruth(t, "licences") {
		want := truth.Documents[0]
		q := inferencetest.Quad(want.Quad)
		top := 1.0
		h, _ := vision.RectToQuad(1, 1, q)
		back, _ := h.Inverse()
		for _, l := range want.Lines {
			switch l.Role {
			case "issued", "issued_label", "issued_label+issued", "expiry", "expiry_label", "expiry_label+expiry":
				top = min(top, back.Apply(vision.Middle(inferencetest.Quad(l.Quad))).Y)
			}
		}
		if top > 0.9 || top < 0.75 {
			continue // no dates, or not near the foot
		}
		share := top - 0.06
		cut := appliance.Quad{q[0], q[1], vision.Between(q[1], q[2], share), vision.Between(q[0], q[3], share)}
		upper := outline.Found{Kind: want.Kind, Quad: cut, Score: 1, Edges: [4]float64{1, 1, 1, 1}}
		lower := outline.Found{Kind: appliance.Unknown, Quad: appliance.Quad{cut[3], cut[2], q[2], q[3]}}
		tools.Finder = outlinetest.Found{upper, lower}
		if got, err := NewReader(want.Kind, tools).Read(t.Context(), picture(t, filepath.Join("licences", truth.File)), nil); err != nil ||
			!tools.lacking(got.Documents[0]) {
			t.Errorf("%s: dates of what lies below, %v", truth.File, err)
		}
		tools.Finder = outlinetest.Found{upper}
		got, err := NewReader(want.Kind, tools).Read(t.Context(), picture(t, filepath.Join("licences", truth.File)), nil)
		if err != nil {
			t.Fatal(err)
		}
		tried++
		d := got.Documents[0]
		if tools.lacking(d) {
			continue
		}
		read++
		for _, name := range tools.marks(d.Kind).Vital {
			if f := d.Field(name); f.Value != "" && (f.Value != *want.Fields[name] || !d.Flagged(name, appliance.CodeLowConfidence)) {
				t.Errorf("%s: %s is %q, %+v", truth.File, name, f.Value, d.Validations)
			}
		}
	}
	if tried < 2 || read < tried {
		t.Errorf("the dates of %d of %d licences are read", read, tried)
	}
}

// Property: a licence whose outline leaves out its head, where the picture shows no side, has what is printed there all the same: of what
// was surely read nothing is lost or becomes another value.
func TestReadBeyondUnseenSide(t *testing.T) {
	tools := cardTools(t)
	tried, gained := 0, 0
	for _, truth := range goldenTruth(t, "licences") {
		want := truth.Documents[0]
		q := inferencetest.Quad(want.Quad)
		const head, hardlySeen = 0.2, 0.3
		cut := appliance.Quad{vision.Between(q[0], q[3], head), vision.Between(q[1], q[2], head), q[2], q[3]}
		p := picture(t, filepath.Join("licences", truth.File))
		if edges := sheet.Sides(vision.Luma(p), cut); edges[scene.Top] >= hardlySeen {
			continue
		}
		tools.Finder = outlinetest.Found{outline.Found{Kind: want.Kind, Quad: cut, Score: 1, Edges: [4]float64{0, 1, 1, 1}}}
		got, err := NewReader(want.Kind, tools).Read(t.Context(), p, nil)
		if err != nil {
			t.Fatal(err)
		}
		d := got.Documents[0]
		tried++
		if d.Quad.Contains(vision.Between(vision.Between(q[0], q[1], 0.5), vision.Between(q[3], q[2], 0.5), 0.1)) {
			gained++
		}
		for _, f := range d.Fields {
			bare := func(value string) string { return strings.ReplaceAll(value, " ", "") }
			if truth, known := want.Fields[f.Name]; known && f.Value != "" && bare(f.Value) != bare(*truth) &&
				!d.Flagged(f.Name, appliance.CodeLowConfidence) {
				t.Errorf("%s: %s is %q, want %q", want.Kind, f.Name, f.Value, *truth)
			}
		}
	}
	if tried < 3 || gained < tried/2 {
		t.Errorf("the head of %d of %d licences is read", gained, tried)
	}
}

// Property: beside a licence that lacks its vital fields another page may lie, left or right of it; beside one that has them none does.
func TestPageBeyond(t *testing.T) {
	for _, test := range []struct {
		side          scene.Side
		lacking, page bool
	}{{scene.Left, true, true}, {scene.Right, true, true}, {scene.Bottom, true, false}, {scene.Left, false, false}} {
		if got := pageBeyond(test.side, test.lacking); got != test.page {
			t.Errorf("side %d, lacking %v: a page %v", test.side, test.lacking, got)
		}
	}
}

// Property: a licence whose title was not read is looked at above its outline though all of its sides are seen, and one of whose dates
// one was not, below it, since a shadow's edge looks like a side; one that has them is not.
func TestUntitledIsLookedAbove(t *testing.T) {
	kinds := describedKinds(t)
	p := vision.Plane{Pix: bytes.Repeat([]byte{40}, 400*300), Width: 400, Height: 300, Stride: 400}
	for y := 60; y < 240; y++ {
		for x := 60; x < 340; x++ {
			p.Pix[y*400+x] = 220
		}
	}
	s := &scene.Scene{Luma: p}
	read := func(kind, issued string) appliance.Document {
		return appliance.Document{
			Kind: appliance.DrivingLicense, Quad: vision.RectQuad(60, 60, 340, 240),
			Fields: []appliance.Field{
				{Name: "licenseType", Value: kind},
				{Name: "trafficUnit1", Value: "إدارة مرور الجيزة"},
				{Name: "issuenceDate", Value: issued},
				{Name: "expiryDate", Value: "2027-01-01"},
			},
		}
	}
	for name, test := range map[string]struct {
		read appliance.Document
		want []scene.Side
	}{
		"without a title":         {read("", "2024-01-01"), []scene.Side{scene.Top}},
		"without a date":          {read("خاصة", ""), []scene.Side{scene.Bottom}},
		"with a title and a date": {read("خاصة", "2024-01-01"), nil},
	} {
		if got := kinds.sidesBeyond(s, test.read); !slices.Equal(got, test.want) {
			t.Errorf("%s: sides %v", name, got)
		}
	}
}

// Property: a licence without its title or without every office, or without the vehicle's make and year, is looked at above its outline,
// and one that has them is not.
func TestUntitled(t *testing.T) {
	kinds := describedKinds(t)
	for _, test := range []struct {
		kind   appliance.Kind
		values map[string]string
		want   bool
	}{
		{appliance.DrivingLicense, map[string]string{"licenseType": "خاصة", "trafficUnit2": "وحدة مرور قليوب"}, false},
		{appliance.DrivingLicense, map[string]string{"licenseType": "خاصة"}, true},
		{appliance.DrivingLicense, map[string]string{"trafficUnit1": "إدارة مرور القليوبية"}, true},
		{appliance.CarLicenseFront, map[string]string{"license_type": "ملاكي", "traffic_unit": "وحدة مرور دمنهور"}, false},
		{appliance.CarLicenseFront, map[string]string{"license_type": "ملاكي"}, true},
		{appliance.CarLicenseBack, map[string]string{"chasis": "KMH7JVS18C8856230"}, true},
		{appliance.CarLicenseBack, map[string]string{"model_year": "2018"}, false},
	} {
		d := appliance.Document{Kind: test.kind}
		for name, value := range test.values {
			d.Fields = append(d.Fields, appliance.Field{Name: name, Value: value})
		}
		if got := kinds.marks(d.Kind).Headless(d); got != test.want {
			t.Errorf("%s with %v: untitled %v", test.kind, test.values, got)
		}
	}
}

// Property: a reading that has more of a value does not contradict the one before.
func TestAddsToALongerValue(t *testing.T) {
	with := func(values ...string) (d appliance.Document) {
		for i, v := range values {
			d.Fields = append(d.Fields, appliance.Field{Name: string(rune('a' + i)), Value: v, Confidence: 0.99})
		}
		return d
	}
	for name, test := range map[string]struct {
		d    appliance.Document
		want bool
	}{
		"a longer one": {with("Samir Samy", "new"), true}, "another": {with("Sami", "new"), false},
		"nothing new": {with("Samir Samy", ""), false},
	} {
		if got := addsTo(test.d, with("Samir S", "")); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
