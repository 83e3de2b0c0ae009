package main

import (
	"encoding/base64"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
)

// shownFront is what a person reads on the sample front, and shownBack on the back: one holder's card.
func shownFront() map[string]any {
	return map[string]any{
		"name": "رجب حجازى أحمد دياب سعكاوى", "first_name": "رجب", "last_names": "حجازى أحمد دياب سعكاوى",
		"address": "26 ش. العذراء ق ملوى - المنيا", "address_1": "26 ش. العذراء", "address_2": "ق ملوى - المنيا",
		"idNumber": "25311022477412", "dateOfBirth": "1953-11-02", "gender": "Male", "govern": "المنيا", "idKey": "EH7159350",
	}
}

func shownBack() map[string]any {
	return map[string]any{
		"job": "بائع", "jobTitle": "كلية الحاسبات والمعلومات", "religion": "مسلم", "maritalStatus": "أعزب", "husbandName": "",
		"idNumber": "25311022477412", "gender": "Male", "releaseDate": "2025-05-01", "idExpiry": "2032-05-22",
	}
}

// samplePictureText returns one of the repository's sample pictures in base64.
func samplePictureText(t *testing.T, file string) string {
	t.Helper()
	return fileText(t, filepath.Join("..", "..", "models", "samples", file))
}

// fileText is a file as a request has it.
func fileText(t *testing.T, file string) string {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(raw)
}

// codes are the codes of an answer that name a field.
func codes(r reply, field string) (all []appliance.Code) {
	list, _ := member(r.Services, "Validations", "validation_errors").([]any)
	for _, v := range list {
		if member(v, "field") != field {
			continue
		}
		for _, e := range member(v, "errors").([]any) {
			all = append(all, appliance.Code(member(e, "code").(float64)))
		}
	}
	return all
}

// Both sides of the sample card are read through the daemon in one transaction: every field is right or doubted, the
// number and what follows from it are right, and the later answer compares the numbers.
func TestSides(t *testing.T) {
	p := startProgram(t, t.TempDir())
	front := p.mustPost(appliance.EndpointIDFront, map[string]any{"image": samplePictureText(t, "id_front.jpg"), "evidence": true})
	back := p.mustPost(appliance.EndpointIDBack, map[string]any{"image": samplePictureText(t, "id_back.jpg"), "evidence": true, "transaction_id": front.Data["transaction_id"]})
	for _, side := range []struct {
		name, kind string
		reply
		shown map[string]any
		must  []string
	}{
		{"front", "national_id_front", front, shownFront(), []string{"idNumber", "dateOfBirth", "gender", "govern"}},
		{"back", "national_id_back", back, shownBack(), []string{"idNumber", "gender", "religion", "maritalStatus"}},
	} {
		if side.Status != http.StatusOK || member(side.Services, "classification", "doc_type") != side.kind {
			t.Fatalf("%s: %+v", side.name, side.reply)
		}
		for _, name := range side.must {
			if side.Data[name] != side.shown[name] {
				t.Errorf("%s: %s is %v, want %v", side.name, name, side.Data[name], side.shown[name])
			}
		}
		for _, lie := range lies(side.reply, side.shown) {
			t.Errorf("%s: %s", side.name, lie)
		}
		if advice := member(side.Services, "evidence", "capture", "advice"); advice != "" {
			t.Errorf("%s: advice %q for a good picture", side.name, advice)
		}
	}
	equal := front.Data["idNumber"] == back.Data["idNumber"]
	if slices.Contains(codes(back, "idNumber"), appliance.CodeNumberDiffers) == equal {
		t.Errorf("front %v, back %v, codes of the back %v", front.Data["idNumber"], back.Data["idNumber"], codes(back, "idNumber"))
	}
	checks, _ := member(back.Services, "evidence", "fields", "idNumber", "checks").([]any)
	if !slices.ContainsFunc(checks, func(c any) bool { return member(c, "name") == "other_side" && member(c, "passed") == equal }) {
		t.Errorf("the numbers were not compared: %v", checks)
	}
}

// A side shown to the endpoint of the other, and a passport shown to either, is named, flagged as a whole and lends what
// both models say.
func TestOtherDocuments(t *testing.T) {
	p, passport := startProgram(t, t.TempDir()), shownFields()
	for _, tt := range []struct {
		endpoint   appliance.Endpoint
		file, kind string
		shown      map[string]any // under the names of the endpoint
	}{
		{appliance.EndpointIDFront, "id_back.jpg", "national_id_back", shownBack()},
		{appliance.EndpointIDBack, "id_front.jpg", "national_id_front", shownFront()},
		{appliance.EndpointIDFront, "passport.jpg", "passport", map[string]any{"gender": passport["gender"], "dateOfBirth": passport["Date_of_Birth"]}},
		{appliance.EndpointIDBack, "passport.jpg", "passport", map[string]any{"gender": passport["gender"], "idExpiry": passport["Date_of_Expiry"]}},
	} {
		r := p.mustPost(tt.endpoint, map[string]any{"image": samplePictureText(t, tt.file)})
		if r.Status != http.StatusOK || member(r.Services, "classification", "doc_type") != tt.kind || !slices.Contains(codes(r, ""), appliance.CodeOtherDocument) {
			t.Errorf("%s to %s: %+v", tt.file, tt.endpoint, r)
		}
		for _, name := range []string{"idNumber", "gender", "dateOfBirth", "idExpiry"} { // what is shown and has a field here is answered
			want, shown := tt.shown[name]
			if got, asked := r.Data[name]; shown && asked && got != want {
				t.Errorf("%s to %s: %s is %v, want %v", tt.file, tt.endpoint, name, got, want)
			}
		}
		for _, lie := range lies(r, tt.shown) {
			t.Errorf("%s to %s: %s", tt.file, tt.endpoint, lie)
		}
	}
}

// Of two documents in one picture each endpoint reads its own, and the evidence names the other and where it lies.
func TestTwoDocuments(t *testing.T) {
	p := startProgram(t, t.TempDir())
	left, right := sampleImage(t, "id_front.jpg"), sampleImage(t, "id_back.jpg")
	picture := pngText(t, beside(left, right))
	for _, tt := range []struct {
		endpoint    appliance.Endpoint
		kind, other string
		shown       map[string]any
	}{
		{appliance.EndpointIDFront, "national_id_front", "national_id_back", shownFront()},
		{appliance.EndpointIDBack, "national_id_back", "national_id_front", shownBack()},
	} {
		r := p.mustPost(tt.endpoint, map[string]any{"image": picture, "evidence": true})
		if r.Status != http.StatusOK || member(r.Services, "classification", "doc_type") != tt.kind || r.Data["idNumber"] != tt.shown["idNumber"] {
			t.Errorf("%s: %+v", tt.endpoint, r)
			continue
		}
		others, _ := member(r.Services, "evidence", "others").([]any)
		if len(others) != 1 || member(others[0], "doc_type") != tt.other {
			t.Errorf("%s: others %v", tt.endpoint, others)
			continue
		}
		place, middle := boxOf(t, member(others[0], "quad")), left.Bounds().Dx()
		if onLeft := (place.Min.X+place.Max.X)/2 < middle; onLeft != (tt.other == "national_id_front") {
			t.Errorf("%s: the other lies at %v", tt.endpoint, place)
		}
	}
}
