package card

import (
	"cmp"
	"context"
	"iter"
	"path/filepath"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/inferencetest"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/plate"
	"github.com/bawab/bawab/inference/text/texttest"
	"github.com/bawab/bawab/inference/zone"
)

// Property: the licence that is sought is read also where something larger, of no kind, was found with it, and where the finder
// takes it for a passport or an ID: the print decides.
func TestPrintDecidesWhatIsRead(t *testing.T) {
	lines, _ := inferencetest.Product(t, "lines")
	chars, _ := inferencetest.Product(t, "mrz")
	tools := cardTools(t)
	tools.Zones = zone.NewReader(lines, chars, tools.Now)
	card := goldenTruth(t, "licences")[0]
	p := picture(t, filepath.Join("licences", card.File))
	d := card.Documents[0]
	quad := corners(d.Quad)
	corner := appliance.Quad{{X: 0, Y: 0}, {X: 60, Y: 0}, {X: 60, Y: 40}, {X: 0, Y: 40}}
	for name, found := range map[string]foundBy{
		"beside another paper": {{Kind: appliance.Unknown, Quad: corner}, {Kind: appliance.Unknown, Quad: quad}},
		"like a passport":      {{Kind: appliance.Passport, Quad: quad}},
		"like an ID":           {{Kind: appliance.NationalIDFront, Quad: quad}},
	} {
		tools.Finder = found
		got, err := NewReader(d.Kind, tools).Read(t.Context(), p, nil)
		if err != nil || got.Documents[0].Kind != d.Kind {
			t.Errorf("%s: %+v, %v", name, got.Documents, err)
		}
	}
}

// Property: a licence is read whichever way the finder takes it to lie: upside down, though the number then looks like one, too, or
// on its side.
func TestLicenceLiesOtherwise(t *testing.T) {
	tools := cardTools(t)
	for _, card := range goldenTruth(t, "licences")[:3] {
		d := card.Documents[0]
		q := corners(d.Quad)
		p := picture(t, filepath.Join("licences", card.File))
		for name, found := range map[string]outline.Found{
			"upside down": {Kind: d.Kind, Quad: appliance.Quad{q[2], q[3], q[0], q[1]}},
			"upended":     {Kind: appliance.Unknown, Quad: appliance.Quad{q[3], q[0], q[1], q[2]}},
			"downended":   {Kind: appliance.Unknown, Quad: appliance.Quad{q[1], q[2], q[3], q[0]}},
			"on its side": {Kind: d.Kind, Quad: appliance.Quad{q[3], q[0], q[1], q[2]}},
		} {
			tools.Finder = foundBy{found}
			got, err := NewReader(d.Kind, tools).Read(t.Context(), p, nil)
			if err != nil || got.Documents[0].Kind != d.Kind || tools.numberOf(got.Documents[0]).Value != *cmp.Or(d.Fields["nationalID"], d.Fields["license_number"], d.Fields["chasis"]) {
				t.Errorf("%s %s: %+v, %v", card.File, name, got.Documents, err)
			}
		}
	}
}

// sidelong is a finder that sees where a card lies only when the picture is turned by a quarter.
type sidelong struct {
	foundBy
	turned foundBy
}

func (f sidelong) FindTurned(_ context.Context, _ *appliance.Picture, quarters int) ([]outline.Found, error) {
	if quarters == 1 {
		return f.turned, nil
	}
	return f.foundBy, nil
}

// afar is a finder that sees a plate only in a part of the picture.
type afar struct {
	foundBy
	small foundBy
}

func (f afar) FindInParts(
	context.Context,
	*appliance.Picture,
	appliance.Kind,
	func(outline.Found) (outline.Judgement, error),
) ([]outline.Found, iter.Seq2[outline.Found, error], error) {
	return nil, each(f.small), nil
}

// Property: a plate is looked for in parts of the picture where none was found, or nothing could be read on what was; a card is not.
func TestLooksForSmallPlates(t *testing.T) {
	plate := foundBy{{Kind: appliance.LicensePlate, Quad: at(100, 100)}}
	wall := foundBy{{Kind: appliance.Unknown, Quad: at(0, 0)}}
	plateReader := func(t Tools) appliance.Reader { return NewPlateReader(t) }
	cardReader := func(t Tools) appliance.Reader { return NewReader(appliance.NationalIDFront, t) }
	for name, test := range map[string]struct {
		reader func(Tools) appliance.Reader
		found  foundBy
		read   bool
	}{
		"nothing": {plateReader, nil, true}, "a wall": {plateReader, wall, true}, "a card": {cardReader, nil, false},
	} {
		p := &appliance.Picture{Width: 600, Height: 400, Y: make([]byte, 600*400)}
		tools := Tools{Kinds: describedKinds(t), Finder: afar{test.found, plate}, Detector: texttest.Detector(t), Plates: &plates{}, Now: time.Now}
		got, err := test.reader(tools).Read(t.Context(), p, nil)
		read := err == nil && len(got.Documents) == 1 && got.Documents[0].Kind == appliance.LicensePlate
		if read != test.read {
			t.Errorf("%s: %+v, %v", name, got.Documents, err)
		}
	}
}

// grille reads what a look at the whole picture outlined as some signs, and hardly so, what outlines a part of a plate as that, and anything else as a plate.
type grille struct{ whole, part appliance.Quad }

func (grille) Shows(context.Context, *appliance.Picture, appliance.Quad) (bool, error) {
	return true, nil
}

func (g grille) ReadIn(_ context.Context, _ *appliance.Picture, q appliance.Quad) (appliance.Document, error) {
	signs := appliance.Field{Name: "result", Value: "ن و ر 1234", Confidence: 0.9}
	switch q {
	case g.whole:
		signs.Value, signs.Confidence = "ه 5", 0.3
	case g.part:
		signs.Value, signs.Confidence = "و ر 1234", 0.6
	}
	return appliance.Document{Kind: appliance.LicensePlate, Quad: q, Fields: []appliance.Field{signs}}, nil
}

// Property: a plate of which hardly anything could be read gives way to one in a part of the picture that is read more surely, the surest of them, and stays where there is none.
func TestHardlyAPlate(t *testing.T) {
	whole, part, small := at(0, 0), at(60, 60), at(100, 100)
	for name, test := range map[string]struct {
		small []appliance.Quad
		want  string
	}{
		"a plate":               {[]appliance.Quad{small}, "ن و ر 1234"},
		"a part of it first":    {[]appliance.Quad{part, small}, "ن و ر 1234"},
		"a part of it at last":  {[]appliance.Quad{small, part}, "ن و ر 1234"},
		"a part of it and none": {[]appliance.Quad{part}, "و ر 1234"},
		"none":                  {nil, "ه 5"},
	} {
		var found foundBy
		for _, q := range test.small {
			found = append(found, outline.Found{Kind: appliance.LicensePlate, Quad: q})
		}
		p := &appliance.Picture{Width: 600, Height: 400, Y: make([]byte, 600*400)}
		first := foundBy{{Kind: appliance.LicensePlate, Quad: whole}}
		got, err := NewPlateReader(Tools{Finder: afar{first, found}, Plates: grille{whole, part}, Now: time.Now}).Read(t.Context(), p, nil)
		if err != nil || len(got.Documents) != 1 || plate.Number(got.Documents[0]).Value != test.want {
			t.Errorf("%s: %+v, %v, want %q", name, got.Documents, err, test.want)
		}
	}
}

// Property: a card that was not found, or in whose outline no number was read, is looked for in the turned picture; where that shows none
// either, the first answer stays.
func TestLooksAgainFromTheSide(t *testing.T) {
	tools := cardTools(t)
	card := goldenTruth(t, "licences")[0]
	p, d := picture(t, filepath.Join("licences", card.File)), card.Documents[0]
	right := foundBy{{Kind: d.Kind, Quad: corners(d.Quad)}}
	corner := foundBy{{Kind: d.Kind, Quad: appliance.Quad{{X: 0, Y: 0}, {X: 160, Y: 0}, {X: 160, Y: 100}, {X: 0, Y: 100}}}}
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
		if read := err == nil && tools.numberOf(got.Documents[0]).Value == *d.Fields["nationalID"]; read != test.read || err != nil && appliance.CodeOf(err) != appliance.CodeNoDocument {
			t.Errorf("%s: %+v, %v", name, got.Documents, err)
		}
	}
}

// Property: a card of which nothing was read but what any card says is none of the state where it does not say so; one with what only cards of the state say is one, and so is one of
// which nothing was read, or of which others hide a part and the rest shows a number.
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
		"a student's card":                    {kind: appliance.DrivingLicense, read: fields{"nameArabic": "سامي", "job": "الأولى", "special1": "العام الجامعي"}, want: true},
		"a card of an insurance":              {kind: appliance.DrivingLicense, read: fields{"nameArabic": "سامي", "nationalID": "29001011234567"}, want: true},
		"a driving licence half hidden":       {kind: appliance.DrivingLicense, read: fields{"nameArabic": "سامي", "nationalID": "29001011234567"}, covered: true},
		"a driving licence with its unit":     {kind: appliance.DrivingLicense, read: fields{"trafficUnit2": "وحدة مرور الدقي"}},
		"a driving licence of another unit":   {kind: appliance.DrivingLicense, read: fields{"trafficUnit1": "النقابة العامة"}, want: true},
		"an invoice":                          {kind: appliance.CarLicenseBack, read: fields{"volume": "1600", "motor": "16582"}, want: true},
		"a vehicle licence with its chassis":  {kind: appliance.CarLicenseBack, read: fields{"chasis": "KNAFX411BF5123456"}},
		"a business card":                     {kind: appliance.CarLicenseFront, read: fields{"name": "سامي", "license_type": "أنثى"}, want: true},
		"a vehicle licence with its plate":    {kind: appliance.CarLicenseFront, read: fields{"license_number": "ط ر ر 558"}},
		"an invoice of a trader":              {kind: appliance.CarLicenseFront, read: fields{"license_type": "تجاري"}, want: true},
		"a number on a card":                  {kind: appliance.CarLicenseBack, read: fields{"chasis": "95857692"}, want: true},
		"a front of which nothing was read":   {kind: appliance.NationalIDFront},
		"a passport":                          {kind: appliance.Passport, read: fields{"nameEnglish": "SAMY"}},
	} {
		d := appliance.Document{Kind: test.kind, Capture: appliance.Capture{Covered: test.covered}}
		for field, value := range test.read {
			d.Fields = append(d.Fields, appliance.Field{Name: field, Value: value})
		}
		if got := kinds.ofClub(d, test.named); got != test.want {
			t.Errorf("%s: of a club %v, want %v", name, got, test.want)
		}
	}
}

// spotted reads every outline as a plate of which a sign cannot be named.
type spotted struct{ raw string }

func (spotted) Shows(context.Context, *appliance.Picture, appliance.Quad) (bool, error) {
	return true, nil
}

func (s spotted) ReadIn(_ context.Context, _ *appliance.Picture, q appliance.Quad) (appliance.Document, error) {
	d := appliance.Document{Kind: appliance.LicensePlate, Quad: q, Fields: []appliance.Field{{Name: "result", Raw: s.raw}}}
	d.Flag("result", "", appliance.CodePlateRule)
	return d, nil
}

// Property: a plate of which one sign cannot be named is answered as that, not as the wall behind it; what shows several such signs is no
// plate, and a wall without words no document.
func TestPlateWithAHiddenSign(t *testing.T) {
	tools := cardTools(t)
	p := &appliance.Picture{Width: 600, Height: 400, Y: make([]byte, 600*400)}
	for raw, want := range map[string]bool{"9941ن?ج": true, "9?4?ن": false, "94?": false} {
		f := afar{foundBy{{Kind: appliance.Unknown, Quad: at(0, 0)}}, foundBy{{Kind: appliance.LicensePlate, Quad: at(100, 100)}}}
		tools.Finder, tools.Plates = f, spotted{raw}
		got, err := NewPlateReader(tools).Read(t.Context(), p, nil)
		plate := err == nil && got.Documents[0].Kind == appliance.LicensePlate
		if plate != want || !plate && appliance.CodeOf(err) != appliance.CodeNoDocument {
			t.Errorf("%s: %+v, %v", raw, got.Documents, err)
		}
	}
}
