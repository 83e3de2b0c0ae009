package main

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
)

// shownLicence is what a person reads on one of the committed photographs of licences.
func shownLicence(t *testing.T, file string) map[string]any {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "models", "samples", "licences", "truth.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var p struct {
			File      string
			Documents []struct{ Fields map[string]any }
		}
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		if p.File == file {
			return p.Documents[0].Fields
		}
	}
	t.Fatalf("%s has no truth", file)
	return nil
}

// A driving licence and both sides of a car licence are read through the daemon: every field of the contract is there, each
// value is right or doubted, and those that large text shows are right.
func TestLicences(t *testing.T) {
	p := startProgram(t, t.TempDir())
	for _, tt := range []struct {
		endpoint appliance.Endpoint
		file     string
		must     []string
	}{
		{appliance.EndpointDrivingLicense, "06.jpg", []string{"nationalID", "licenseType", "expiryDate", "issuenceDate", "nationalityEnglish"}},
		{appliance.EndpointCarLicenseFront, "04.jpg", []string{"license_number", "license_type", "expiry", "issuance"}},
		{appliance.EndpointCarLicenseBack, "05.jpg", []string{"model_year", "volume", "chasis", "motor", "examination_dt"}},
	} {
		shown := shownLicence(t, tt.file)
		r := p.mustPost(tt.endpoint, map[string]any{"image": samplePictureText(t, filepath.Join("licences", tt.file)), "evidence": true})
		if r.Status != http.StatusOK || member(r.Services, "classification", "doc_type") != string(tt.endpoint.Kind()) {
			t.Errorf("%s: %+v", tt.endpoint, r)
			continue
		}
		for _, spec := range tt.endpoint.Kind().Model() {
			if _, ok := r.Data[spec.Name]; !ok {
				t.Errorf("%s: %s is missing", tt.endpoint, spec.Name)
			}
		}
		for _, name := range tt.must {
			if r.Data[name] != shown[name] {
				t.Errorf("%s: %s is %v, want %v", tt.endpoint, name, r.Data[name], shown[name])
			}
		}
		for _, lie := range lies(r, shown) {
			t.Errorf("%s: %s", tt.endpoint, lie)
		}
	}
}

// In the transaction of an ID, the licence of its holder says nothing about the name, and one of somebody else carries 3102 on
// the later answer, whichever of the two comes first.
func TestLicenceOfAnother(t *testing.T) {
	p := startProgram(t, t.TempDir())
	id := map[string]any{"image": samplePictureText(t, "id_front.jpg")}
	stranger := map[string]any{"image": samplePictureText(t, "documents/00.jpg")}
	own := map[string]any{"image": samplePictureText(t, "licences/00.jpg")}
	other := map[string]any{"image": samplePictureText(t, "licences/04.jpg")}
	type step struct {
		endpoint appliance.Endpoint
		body     map[string]any
		field    string
		differs  bool
	}
	for name, steps := range map[string][]step{
		"the holder's": {{appliance.EndpointIDFront, id, "name", false}, {appliance.EndpointDrivingLicense, own, "nameArabic", false}},
		"ID first":     {{appliance.EndpointIDFront, stranger, "name", false}, {appliance.EndpointCarLicenseFront, other, "name", true}},
		"ID last":      {{appliance.EndpointDrivingLicense, own, "nameArabic", false}, {appliance.EndpointIDFront, stranger, "name", true}},
	} {
		var transaction any
		for _, s := range steps {
			s.body["transaction_id"] = transaction
			r := p.mustPost(s.endpoint, s.body)
			transaction = r.Data["transaction_id"]
			if got := slices.Contains(codes(r, s.field), appliance.CodeNameDiffers); got != s.differs {
				t.Errorf("%s: %s: 3102 is %v: %v, %v", name, s.endpoint, got, r.Data, codes(r, s.field))
			}
		}
	}
}
