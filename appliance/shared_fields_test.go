package appliance

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAs: a document read for another kind's endpoint gives what both say under that kind's names, flags along with it, and nothing else.
func TestAs(t *testing.T) {
	id := Document{Kind: NationalIDFront, Fields: []Field{
		{Name: "idNumber", Value: "29001011234567", Confidence: 0.9, Characters: []float64{1}},
		{Name: "name", Value: "منى علي", Confidence: 0.8},
		{Name: "first_name", Value: "منى", Confidence: 0.8},
		{Name: "dateOfBirth", Value: "1990-01-01", Confidence: 0.9, DerivedFrom: []string{"idNumber"}},
		{Name: "idKey", Value: "AB1234567"},
	}}
	id.Flag("idNumber", "29001011234567", CodeLowConfidence)
	id.Flag("idKey", "AB1234567", CodeIDKey)
	id.Flag("", "", CodeOtherDocument)
	licence := Document{Kind: CarLicenseFront, Fields: []Field{
		{Name: "name", Value: "منى", Confidence: 0.9, Raw: "منى"}, {Name: "name_2", Value: "علي", Confidence: 0.7, Raw: "عاي"}, {Name: "expiry", Value: "2027-01-31"}, {Name: "license_number", Value: "ط ر ر 558"},
	}}
	licence.Flag("name_2", "علي", CodeLowConfidence)
	tests := map[string]struct {
		read Document
		as   Kind
		want []Field
		bad  []Validation
	}{
		"an ID as a driving licence": {
			id, DrivingLicense,
			[]Field{{Name: "address"}, {Name: "nameArabic", Value: "منى علي", Confidence: 0.8}, {Name: "nationalID", Value: "29001011234567", Confidence: 0.9, Characters: []float64{1}}},
			[]Validation{{Errors: []Code{CodeOtherDocument}}, {Field: "nationalID", Value: "29001011234567", Errors: []Code{CodeLowConfidence}}},
		},
		"an ID as a passport, whose name is in Latin letters and which has no number that its date follows from": {
			id, Passport,
			[]Field{{Name: "gender"}, {Name: "Date_of_Birth", Value: "1990-01-01", Confidence: 0.9}},
			[]Validation{{Errors: []Code{CodeOtherDocument}}},
		},
		"a name in two fields as one": {
			licence, DrivingLicense,
			[]Field{{Name: "address"}, {Name: "nameArabic", Value: "منى علي", Confidence: 0.7, Raw: "منى عاي"}, {Name: "nationalityArabic"}, {Name: "trafficUnit1"}, {Name: "expiryDate", Value: "2027-01-31"}, {Name: "issuenceDate"}},
			[]Validation{{Field: "nameArabic", Value: "منى علي", Errors: []Code{CodeLowConfidence}}},
		},
		"a document as what it is": {licence, CarLicenseFront, licence.Fields, licence.Validations},
		"a licence as a plate":     {licence, LicensePlate, []Field{{Name: "result", Value: "ط ر ر 558"}}, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := test.read.As(test.as)
			if diff := cmp.Diff(test.want, got.Fields); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(test.bad, got.Validations); diff != "" {
				t.Error(diff)
			}
			if got.Kind != test.read.Kind {
				t.Errorf("kind %s", got.Kind)
			}
		})
	}
}
