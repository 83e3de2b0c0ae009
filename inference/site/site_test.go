package site

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
)

// good is a file that holds, one rule or word a line.
const good = `{"form": "bawab-site/1",
"origin": {"data_set": "a set", "n": 3, "persons": 3, "date": "2026-11-27", "budget": "0.05 %", "base": 1, "kinds": ["driving_license"]},
"doubts": [
{"kind": "driving_license", "field": "job", "bias": 0, "slope": 1, "flagged": -1, "below": 0.9, "n": 30},
{"kind": "driving_license", "field": "trafficUnit1", "bias": 0, "slope": 0, "flagged": 0, "below": 0.5, "absent": true, "n": 30}
],
"words": [
{"in": "jobs", "text": "قبطان", "often": 4}
],
"labels": [
{"kind": "driving_license", "field": "address", "text": "يقيم في"}
],
"terms": [
{"kind": "driving_license", "field": "licenseType", "text": "مهنية أولى"}
],
"misread": [
{"kind": "driving_license", "read": "ه", "printed": "م", "share": 0.42, "n": 82},
{"kind": "driving_license", "read": "ه", "printed": "ع", "share": 0.1, "n": 82}
]}
`

// A file with a bad value or an unknown name is refused with the line and the reason, and one that is cut or of another form, too.
func TestParse(t *testing.T) {
	if f, err := Parse([]byte(good), nil); err != nil || len(f.Doubts) != 2 || len(f.Words) != 1 || len(f.Labels) != 1 || len(f.Terms) != 1 ||
		len(f.Misread) != 2 {
		t.Fatalf("%+v, %v", f, err)
	}
	for name, c := range map[string]struct{ old, now, want string }{
		"unknown field":  {`"job"`, `"jobb"`, `line 4: a "driving_license" has no field "jobb"`},
		"unknown member": {`"bias": 0, "slope": 1`, `"biass": 0, "slope": 1`, "line 4"},
		"backward":       {`"flagged": -1`, `"flagged": 1`, "line 4: job: a value is not surer"},
		"wild":           {`"slope": 1`, `"slope": 1e9`, "line 4: slope of job"},
		"low":            {`"below": 0.9`, `"below": 0.1`, "line 4: below of job"},
		"twice":          {`"trafficUnit1"`, `"job"`, "job of driving_license stands twice"},
		"word":           {`قبطان`, `29001010100017`, "line 8: a word"},
		"group":          {`"jobs"`, `"people"`, `line 8: no lines are called "people"`},
		"often":          {`"often": 4`, `"often": 4000`, "line 8"},
		"label":          {`يقيم في`, `يقيم في ٢`, "line 11: a label is not of"},
		"label's field":  {`"field": "address"`, `"field": "gender"`, `line 11: a "driving_license" has no field "gender" with a label`},
		"value":          {`مهنية أولى`, `٢٩٠٠١٠١٠١٠٠٠١٧`, "line 14: a value is not of"},
		"value's field":  {`"licenseType"`, `"nameArabic"`, `line 14: a "driving_license" has no field "nameArabic" with a list of values`},
		"value's kind": {
			`{"kind": "driving_license", "field": "licenseType"`, `{"kind": "car_license_front", "field": "license_type"`,
			"what is printed is of a kind",
		},
		"misread figure":    {`"read": "ه", "printed": "م"`, `"read": "5", "printed": "م"`, "line 17: what is misread is not two Arabic letters"},
		"misread as read":   {`"printed": "ع"`, `"printed": "ه"`, "line 18: what is misread is not two Arabic letters"},
		"misread always":    {`"share": 0.42`, `"share": 1`, "line 17: م is printed for ه"},
		"misread too often": {`"share": 0.1`, `"share": 0.9`, "ه of driving_license stands twice, or is others"},
		"misread twice":     {`"printed": "ع"`, `"printed": "م"`, "ه of driving_license stands twice, or is others"},
		"misread's kind": {
			`{"kind": "driving_license", "read": "ه", "printed": "ع"`, `{"kind": "passport", "read": "ه", "printed": "ع"`,
			"a misread letter is of a kind",
		},
		"form":         {"site/1", "site/2", "form"},
		"origin":       {`"budget": "0.05 %"`, `"budget": ""`, "the origin lacks"},
		"no kind":      {`["driving_license"]`, `[]`, "names no kind of document"},
		"another kind": {`["driving_license"]`, `["identity"]`, "names no kind of document"},
		"unnamed kind": {`["driving_license"]`, `["passport"]`, "a rule is of a kind that the origin does not name"},
		"cut":          {"\n]}\n", "", ""},
	} {
		_, err := Parse([]byte(strings.Replace(good, c.old, c.now, 1)), nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := New([]byte(strings.Replace(good, c.old, c.now, 1)), nil); err == nil {
			t.Errorf("%s: rules were made of it", name)
		}
	}
	r, err := New(nil, nil)
	if err != nil || r.Misread(appliance.DrivingLicense) != nil {
		t.Errorf("none: %v", err)
	}
	if _, _, _, ok := r.Printed(appliance.DrivingLicense); ok {
		t.Error("none: something is printed")
	}
}

// What is misread is told of the kind on whose documents it was seen, also where nothing else is known of it.
func TestMisread(t *testing.T) {
	f, err := Parse([]byte(good), nil)
	if err != nil {
		t.Fatal(err)
	}
	f.Words, f.Labels, f.Terms = nil, nil, nil
	r := f.Rules()
	if got := r.Misread(appliance.DrivingLicense)['ه']; got['م'] != 0.42 || got['ع'] != 0.1 || r.Misread(appliance.Passport) != nil {
		t.Errorf("%v, %v", got, r.Misread(appliance.Passport))
	}
	if _, _, _, ok := r.Printed(appliance.DrivingLicense); !ok {
		t.Error("nothing is known of the kind")
	}
}

// The rules change no value and no code but 3301 and, of a field that the site's documents may lack and of which nothing was seen, 3302.
func TestApply(t *testing.T) {
	rules, err := New([]byte(good), nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		field, value, raw string
		confidence        float64
		codes, want       []appliance.Code
	}{
		"sure and flagged":     {"job", "x", "x", 0.99, []appliance.Code{3301}, nil},
		"doubtful, not said":   {"job", "x", "x", 0.6, nil, []appliance.Code{3301}},
		"doubtful and flagged": {"job", "x", "x", 0.9, []appliance.Code{3301}, []appliance.Code{3301}},
		"another code":         {"job", "x", "x", 0.99, []appliance.Code{3301, 3309}, []appliance.Code{3309}},
		"no rule":              {"address", "x", "x", 0.5, []appliance.Code{3301}, []appliance.Code{3301}},
		"not printed":          {"trafficUnit1", "", "", 0, []appliance.Code{3302}, nil},
		"something was seen":   {"trafficUnit1", "", "x", 0, []appliance.Code{3302}, []appliance.Code{3302}},
		"too few to tell":      {"trafficUnit1", "x", "x", 0.5, []appliance.Code{3301}, []appliance.Code{3301}},
		"missing and printed":  {"job", "", "", 0, []appliance.Code{3302}, []appliance.Code{3302}},
	} {
		d := appliance.Document{
			Kind:   appliance.DrivingLicense,
			Fields: []appliance.Field{{Name: c.field, Value: c.value, Raw: c.raw, Confidence: c.confidence}},
		}
		for _, code := range c.codes {
			d.Flag(c.field, c.value, code)
		}
		rules.Apply(&d)
		if got := d.Codes(c.field); len(got) != len(c.want) || len(got) > 0 && got[0] != c.want[0] || d.Fields[0].Value != c.value {
			t.Errorf("%s: codes %v, want %v", name, got, c.want)
		}
	}
	if p := rules.doubts[appliance.DrivingLicense]["job"].Sure(0.5, false); math.Abs(p-0.5) > 1e-9 {
		t.Errorf("even odds are %g", p)
	}
}

// Rules of a kind that a model set brings are taken with it, and refused with their line where it lacks the kind or the field. What is left
// for another set is about what that one knows.
func TestKindsOfSet(t *testing.T) {
	card := appliance.KindModel{Kind: "club_card", Fields: []appliance.FieldSpec{{Name: "member"}}}
	doubt := Doubt{Kind: "club_card", Field: "member", Slope: 1, Below: 0.9, N: 20}
	ours := Doubt{Kind: appliance.DrivingLicense, Field: "job", Slope: 1, Below: 0.9, N: 20}
	f := File{Form: Form, Origin: Origin{
		DataSet: "a", N: 1, Date: "2026-11-28", Budget: "b", Kinds: []appliance.Kind{"club_card", appliance.DrivingLicense},
	}, Doubts: []Doubt{doubt, ours}, Misread: []Misread{{Kind: "club_card", Read: "ه", Printed: "م", Share: 0.4, N: 5}}}
	text, err := f.Text()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Parse(text, []appliance.KindModel{card}); err != nil || len(got.Doubts) != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	other := appliance.KindModel{Kind: "club_card", Fields: []appliance.FieldSpec{{Name: "number"}}}
	for name, brought := range map[string][]appliance.KindModel{"no kind": nil, "another field": {other}} {
		if _, err := Parse(text, brought); err == nil || !strings.Contains(err.Error(), "line ") {
			t.Errorf("%s: %v", name, err)
		}
		left, err := Of(text, brought)
		if got, failed := Parse(left, brought); errors.Join(err, failed) != nil || len(got.Doubts) != 1 || got.Doubts[0] != ours {
			t.Errorf("%s: %+v, %v, %v", name, got, err, failed)
		}
	}
	if left, err := Of(text, nil); err != nil || strings.Contains(string(left), "club_card") {
		t.Errorf("of another set: %s, %v", left, err)
	}
	f.Origin.Kinds, f.Doubts = f.Origin.Kinds[:1], f.Doubts[:1]
	alone, err := f.Text()
	if left, failed := Of(alone, nil); errors.Join(err, failed) != nil || left != nil {
		t.Errorf("nothing is left: %s, %v, %v", left, err, failed)
	}
}

// Property: what a site can add is told by the descriptions of the kinds: wordings where a label announces a field, values where what
// stands there is of a list, and neither where its place tells a field.
func TestWhatASiteCanAdd(t *testing.T) {
	for _, c := range []struct {
		kind   appliance.Kind
		field  string
		label  string
		listed bool
	}{
		{appliance.DrivingLicense, "nationalID", "number", false},
		{appliance.DrivingLicense, "address", "address", false},
		{appliance.DrivingLicense, "licenseType", "licence_type", true},
		{appliance.DrivingLicense, "trafficUnit1", "office", true},
		{appliance.DrivingLicense, "trafficUnit2", "office", true},
		{appliance.DrivingLicense, "special1", "condition", true},
		{appliance.CarLicenseFront, "license_number", "plate", false},
		{appliance.CarLicenseFront, "traffic_unit", "office", true},
		{appliance.CarLicenseFront, "name_2", "rest", false},
		{appliance.CarLicenseBack, "type", "make", true},
		{appliance.CarLicenseBack, "color", "colour", true},
		{appliance.CarLicenseBack, "cylinder", "cylinders", false},
		{appliance.CarLicenseBack, "special_1", "remarks", false},
		{appliance.CarLicenseBack, "special_2", "", false},
		{appliance.NationalIDBack, "religion", "", false},
		{appliance.NationalIDFront, "idNumber", "", false},
		{appliance.Passport, "number", "", false},
	} {
		if label, listed := LabelOf(c.kind, c.field), HasTerms(c.kind, c.field); label != c.label || listed != c.listed {
			t.Errorf("%s %s: label %q, listed %v", c.kind, c.field, label, listed)
		}
	}
	if !HasLabels(appliance.CarLicenseBack) || HasLabels(appliance.NationalIDBack) || HasLabels(appliance.LicensePlate) {
		t.Error("which kinds are read by labels is wrong")
	}
}

// Which lines a field is made of follows from how its description reads it: a new kind's names are names without being listed.
func TestLinesOf(t *testing.T) {
	for in, fields := range map[string][]struct {
		kind  appliance.Kind
		field string
	}{
		"names": {
			{appliance.NationalIDFront, "first_name"},
			{appliance.NationalIDFront, "last_names"},
			{appliance.NationalIDBack, "husbandName"},
			{appliance.DrivingLicense, "nameArabic"},
		},
		"addresses": {{appliance.NationalIDFront, "address_1"}, {appliance.NationalIDFront, "address_2"}, {appliance.CarLicenseFront, "address"}},
		"jobs":      {{appliance.NationalIDBack, "job"}, {appliance.NationalIDBack, "jobTitle"}, {appliance.DrivingLicense, "job"}},
		"remarks":   {{appliance.CarLicenseFront, "front_special"}, {appliance.CarLicenseBack, "special_4"}},
		"": {
			{appliance.CarLicenseFront, "name"},
			{appliance.DrivingLicense, "special1"},
			{appliance.NationalIDFront, "idNumber"},
			{appliance.Passport, "name"},
			{"", "name"},
		},
	} {
		for _, f := range fields {
			if got := LinesOf(f.kind, f.field); got != in {
				t.Errorf("%s of %s: %q, want %q", f.field, f.kind, got, in)
			}
		}
	}
}
