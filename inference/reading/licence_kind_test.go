package reading

import (
	"cmp"
	"context"
	"path/filepath"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/form"
	"github.com/bawab/bawab/inference/inferencetest"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/outline/outlinetest"
)

// Property: a licence is read whichever way the finder takes it to lie: upside down, though the number then looks like one, too, or
// on its side.
func TestLicenceLiesOtherwise(t *testing.T) {
	tools := cardTools(t)
	for _, card := range goldenTruth(t, "licences")[:3] {
		d := card.Documents[0]
		q := inferencetest.Quad(d.Quad)
		p := picture(t, filepath.Join("licences", card.File))
		for name, found := range map[string]outline.Found{
			"upside down": {Kind: d.Kind, Quad: appliance.Quad{q[2], q[3], q[0], q[1]}},
			"upended":     {Kind: appliance.Unknown, Quad: appliance.Quad{q[3], q[0], q[1], q[2]}},
			"downended":   {Kind: appliance.Unknown, Quad: appliance.Quad{q[1], q[2], q[3], q[0]}},
			"on its side": {Kind: d.Kind, Quad: appliance.Quad{q[3], q[0], q[1], q[2]}},
		} {
			tools.Finder = outlinetest.Found{found}
			got, err := NewReader(d.Kind, tools).Read(t.Context(), p, nil)
			if err != nil || got.Documents[0].Kind != d.Kind || tools.NumberOf(got.Documents[0]).Value != *cmp.Or(d.Fields["nationalID"],
				d.Fields["license_number"], d.Fields["chasis"]) {
				t.Errorf("%s %s: %+v, %v", card.File, name, got.Documents, err)
			}
		}
	}
}

// sidelong is a finder that sees where a card lies only when the picture is turned by a quarter.
type sidelong struct {
	outlinetest.Found
	turned outlinetest.Found
}

func (f sidelong) FindTurned(_ context.Context, _ *appliance.Picture, quarters int) ([]outline.Found, error) {
	if quarters == 1 {
		return f.turned, nil
	}
	return f.Found, nil
}

// Property: a card that was not found, or in whose outline no number was read, is looked for in the turned picture; where that shows none
// either, the first answer stays.
func TestLooksAgainFromTheSide(t *testing.T) {
	tools := cardTools(t)
	card := goldenTruth(t, "licences")[0]
	p, d := picture(t, filepath.Join("licences", card.File)), card.Documents[0]
	right := outlinetest.Found{{Kind: d.Kind, Quad: inferencetest.Quad(d.Quad)}}
	corner := outlinetest.Found{{Kind: d.Kind, Quad: appliance.Quad{{X: 0, Y: 0}, {X: 160, Y: 0}, {X: 160, Y: 100}, {X: 0, Y: 100}}}}
	for name, test := range map[string]struct {
		sidelong
		read bool
	}{
		"nothing found": {sidelong{nil, right}, true},
		"a corner":      {sidelong{corner, right}, true},
		"never":         {sidelong{nil, nil}, false},
		"always wrong":  {sidelong{corner, corner}, false},
	} {
		tools.Finder = test.sidelong
		got, err := NewReader(d.Kind, tools).Read(t.Context(), p, nil)
		if read := err == nil && tools.NumberOf(got.Documents[0]).Value == *d.Fields["nationalID"]; read != test.read || err != nil &&
			appliance.CodeOf(err) != appliance.CodeNoDocument {
			t.Errorf("%s: %+v, %v", name, got.Documents, err)
		}
	}
}

// Property: a card of which nothing was read but what any card says is none of the state where it does not say so; one with what only cards
// of the state say is one, and so is one of which nothing was read, or of which others hide a part and the rest shows a number.
func TestOfClub(t *testing.T) {
	kinds := describedKinds(t)
	type fields map[string]string
	for name, test := range map[string]struct {
		kind           appliance.Kind
		read           fields
		named, covered bool
		want           bool
	}{
		"names on what looks like a front":    {kind: appliance.NationalIDFront, read: fields{"name": "سامي", "address": "الدقي"}, want: true},
		"a front that says so":                {kind: appliance.NationalIDFront, read: fields{"name": "سامي"}, named: true},
		"a front with its serial":             {kind: appliance.NationalIDFront, read: fields{"name": "سامي", "idKey": "AB1234567"}},
		"a front with its number":             {kind: appliance.NationalIDFront, read: fields{"idNumber": "29001011234567"}},
		"a back with a religion":              {kind: appliance.NationalIDBack, read: fields{"job": "مهندس", "religion": "مسلم"}},
		"a company on what looks like a back": {kind: appliance.NationalIDBack, read: fields{"job": "شركة النور"}, want: true},
		"a student's card": {
			kind: appliance.DrivingLicense,
			read: fields{"nameArabic": "سامي", "job": "الأولى", "special1": "العام الجامعي"}, want: true,
		},
		"a card of an insurance": {
			kind: appliance.DrivingLicense,
			read: fields{"nameArabic": "سامي", "nationalID": "29001011234567"}, want: true,
		},
		"a driving licence half hidden": {
			kind: appliance.DrivingLicense,
			read: fields{"nameArabic": "سامي", "nationalID": "29001011234567"}, covered: true,
		},
		"a driving licence with its unit":    {kind: appliance.DrivingLicense, read: fields{"trafficUnit2": "وحدة مرور الدقي"}},
		"a driving licence of another unit":  {kind: appliance.DrivingLicense, read: fields{"trafficUnit1": "النقابة العامة"}, want: true},
		"an invoice":                         {kind: appliance.CarLicenseBack, read: fields{"volume": "1600", "motor": "16582"}, want: true},
		"a vehicle licence with its chassis": {kind: appliance.CarLicenseBack, read: fields{"chasis": "KNAFX411BF5123456"}},
		"a business card": {
			kind: appliance.CarLicenseFront, read: fields{"name": "سامي", "license_type": "أنثى"},
			want: true,
		},
		"a vehicle licence with its plate":  {kind: appliance.CarLicenseFront, read: fields{"license_number": "ط ر ر 558"}},
		"an invoice of a trader":            {kind: appliance.CarLicenseFront, read: fields{"license_type": "تجاري"}, want: true},
		"a number on a card":                {kind: appliance.CarLicenseBack, read: fields{"chasis": "95857692"}, want: true},
		"a front of which nothing was read": {kind: appliance.NationalIDFront},
		"a passport":                        {kind: appliance.Passport, read: fields{"nameEnglish": "SAMY"}},
	} {
		d := appliance.Document{Kind: test.kind, Capture: appliance.Capture{Covered: test.covered}}
		for field, value := range test.read {
			d.Fields = append(d.Fields, appliance.Field{Name: field, Value: value})
		}
		if got := kinds.OfClub(d, test.named); got != test.want {
			t.Errorf("%s: of a club %v, want %v", name, got, test.want)
		}
	}
}

// Property: a licence without a title is told as a front of a vehicle's by its plate, beside a unit and labels of its dates; without any of
// these, it is not told.
func TestFrontWithoutATitle(t *testing.T) {
	kinds := describedKinds(t)
	const unit, plate = "وحدة مرور فيصل", "ر ه ب ٧٧٨٨"
	dates := []string{"issued", "expires"}
	for name, test := range map[string]struct {
		labels, beside []string
		want           appliance.Kind
	}{
		"all":              {dates, []string{unit, plate}, appliance.CarLicenseFront},
		"no plate":         {dates, []string{unit}, appliance.Unknown},
		"no unit":          {dates[:1], []string{plate}, appliance.Unknown},
		"no dates":         {nil, []string{unit, plate}, appliance.Unknown},
		"another's title":  {append([]string{"driving"}, dates...), []string{unit}, appliance.DrivingLicense},
		"a plate and more": {append([]string{"vehicle"}, dates...), []string{plate}, appliance.CarLicenseFront},
	} {
		if kind, _ := kinds.told([]form.Survey{{Said: test.labels, Print: test.beside}}, appliance.Unknown); kind != test.want {
			t.Errorf("%s: %q, want %q", name, kind, test.want)
		}
	}
	const department = "إدارة مرور الشرقية" // both kinds of licences print one
	for plated, want := range map[bool]appliance.Kind{true: appliance.CarLicenseFront, false: appliance.DrivingLicense} {
		said := form.Survey{Said: dates, Print: []string{department}}
		if plated {
			said.Print = append(said.Print, plate)
		}
		if kind, _ := kinds.told([]form.Survey{said}, appliance.DrivingLicense); kind != want {
			t.Errorf("like a driving licence, with a plate %v: %q", plated, kind)
		}
	}
}
