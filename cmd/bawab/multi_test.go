package main

import (
	"image"
	"net/http"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
)

// shownTogether is what a person reads on the three documents of the sample picture, in the order of an Arabic page: the
// licence stands at the right, the back lies left of it, and the front below.
func shownTogether() []specimenPage {
	return []specimenPage{
		{file: "driving_license", shown: map[string]any{
			"trafficUnit1": "إداره مرور البحيرة", "trafficUnit2": "وحدة مرور دمنهور", "licenseType": "مهنيه", "nationalID": "30808201878863",
			"nameArabic": "فيروز نجيب قنديل عبد الملك الغرباوى", "nameEnglish": "FYRWZ NGYB KNDYL ABD ELMLK ELGHRBAWA", "address": "كفر الدمنهورى - مركز بدر - البحيرة",
			"nationalityArabic": "مصري", "nationalityEnglish": "", "job": "موظف بنك", "special1": "", "issuenceDate": "2022-04-07", "expiryDate": "2032-04-07",
		}, number: "nationalID"},
		{file: "national_id_back", shown: map[string]any{
			"job": "طالبة", "jobTitle": "المستشفى التعليمى فرع البحيرة", "religion": "مسلمة", "maritalStatus": "آنسة", "husbandName": "",
			"idNumber": "30808201878863", "gender": "Female", "releaseDate": "2025-12-01", "idExpiry": "2032-12-20",
		}, number: "idNumber"},
		{file: "national_id_front", shown: map[string]any{
			"name": "فيروز نجيب قنديل عبد الملك الغرباوى", "first_name": "فيروز", "last_names": "نجيب قنديل عبد الملك الغرباوى",
			"address": "كفر الدمنهورى مركز بدر - البحيرة", "address_1": "كفر الدمنهورى", "address_2": "مركز بدر - البحيرة",
			"idNumber": "30808201878863", "dateOfBirth": "2008-08-20", "gender": "Female", "govern": "البحيرة", "idKey": "9G2877374",
		}, number: "idNumber"},
	}
}

// results are the documents of an answer of EndpointMulti, each as an answer of its own.
func results(r reply) (all []reply) {
	list, _ := r.Data["results"].([]any)
	for _, v := range list {
		data, _ := member(v, "data").(map[string]any)
		services, _ := member(v, "Services").(map[string]any)
		all = append(all, reply{Status: r.Status, Data: data, Services: services})
	}
	return all
}

// Three documents of one picture are read through the daemon in the order of an Arabic page, each with data and Services of
// its own and the ids of the whole; every value is right or doubted and none is another document's. All are recorded in one
// transaction, where their numbers are compared, and the identity documents among them count for the face later.
func TestMulti(t *testing.T) {
	p := startProgram(t, t.TempDir())
	r := p.mustPost(appliance.EndpointMulti, map[string]any{"image": samplePictureText(t, "multi.jpg"), "client_transaction_id": "kiosk 3", "evidence": true})
	got, want := results(r), shownTogether()
	if r.Status != http.StatusOK || len(got) != len(want) {
		t.Fatalf("%d results: %+v", len(got), r)
	}
	for i, d := range got {
		if kind := member(d.Services, "classification", "doc_type"); kind != want[i].file {
			t.Errorf("document %d is a %v, want %s", i+1, kind, want[i].file)
			continue
		}
		for _, id := range []string{"transaction_id", "client_transaction_id", "request_id"} {
			if d.Data[id] != r.Data[id] || d.Data[id] == nil {
				t.Errorf("%s: %s is %v, of the whole %v", want[i].file, id, d.Data[id], r.Data[id])
			}
		}
		if d.Data[want[i].number] != want[i].shown[want[i].number] {
			t.Errorf("%s: %s is %v", want[i].file, want[i].number, d.Data[want[i].number])
		}
		for _, lie := range lies(d, want[i].shown) {
			t.Errorf("%s: %s", want[i].file, lie)
		}
		if _, ok := member(d.Services, "spoofing", "fake").(bool); !ok || member(d.Services, "evidence", "document", "quad") == nil {
			t.Errorf("%s: Services %+v", want[i].file, d.Services)
		}
	}
	checks, _ := member(got[2].Services, "evidence", "fields", "idNumber", "checks").([]any)
	if !slices.ContainsFunc(checks, func(c any) bool { return member(c, "name") == "other_side" && member(c, "passed") == true }) {
		t.Errorf("the sides were not compared: %v", checks)
	}
	face := map[string]any{"image": samplePictureText(t, "multi.jpg"), "transaction_id": r.Data["transaction_id"]}
	if answer := p.mustPost(appliance.EndpointFaceMatch, face); answer.Code == int(appliance.CodeNoIdentityDocument) || answer.Code == int(appliance.CodeTransactionUnknown) {
		t.Errorf("the transaction holds no identity document: %+v", answer)
	}
}

// part cuts a document, with a little around it, out of the sample of three.
func part(t *testing.T, r image.Rectangle) image.Image {
	t.Helper()
	return crop(sampleImage(t, "multi.jpg"), r)
}

// The sides of two different cards in one picture carry 3101 on the later one, whether they are found in a photograph or
// laid side by side on a screen.
func TestMultiNumbersDiffer(t *testing.T) {
	p := startProgram(t, t.TempDir())
	collage := beside(part(t, image.Rect(300, 640, 1080, 1190)), sampleImage(t, "id_back.jpg"))
	got := results(p.mustPost(appliance.EndpointMulti, map[string]any{"image": pngText(t, collage)}))
	if len(got) != 2 {
		t.Fatalf("%d documents: %+v", len(got), got)
	}
	for i, d := range got {
		if d.Data["idNumber"] == "" {
			t.Errorf("document %d: no number", i+1)
		}
		if differs := slices.Contains(codes(d, "idNumber"), appliance.CodeNumberDiffers); differs != (i == 1) {
			t.Errorf("document %d: 3101 %v", i+1, differs)
		}
	}
}

// The same card twice gives two results with the same number; a page of nine gives eight at most, and says so when it saw
// more. No answer holds a number that is neither right nor doubted.
func TestMultiCollages(t *testing.T) {
	const number = "30808201878863"
	p := startProgram(t, t.TempDir())
	front := part(t, image.Rect(300, 640, 1080, 1190))
	row := beside(beside(front, front), front)
	nine := image.NewRGBA(image.Rect(0, 0, row.Bounds().Dx(), 3*row.Bounds().Dy()))
	for y := range nine.Bounds().Dy() {
		for x := range nine.Bounds().Dx() {
			nine.Set(x, y, row.At(x, y%row.Bounds().Dy()))
		}
	}
	for _, tt := range []struct {
		name        string
		picture     image.Image
		least, most int
	}{{"twice", beside(front, front), 2, 2}, {"nine", nine, 4, 8}} {
		r := p.mustPost(appliance.EndpointMulti, map[string]any{"image": pngText(t, tt.picture)})
		got := results(r)
		if len(got) < tt.least || len(got) > tt.most {
			t.Errorf("%s: %d results, %+v", tt.name, len(got), r)
		}
		others, _ := member(r.Services, "evidence", "others").([]any)
		if len(others) > 0 && len(got) < 8 {
			t.Errorf("%s: %d results and others %v", tt.name, len(got), others)
		}
		t.Logf("%s: %d results, %d others", tt.name, len(got), len(others))
		for i, d := range got {
			if n := d.Data["idNumber"]; n != number && n != "" && n != nil && !doubted(codes(d, "idNumber")) {
				t.Errorf("%s, document %d: number %v", tt.name, i+1, n)
			}
		}
	}
}
