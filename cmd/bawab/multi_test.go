package main

import (
	"bufio"
	"encoding/json"
	"image"
	"image/color"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/image/draw"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/eval/document"
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

// The same card twice gives two results with the same number; a page of it nine times gives eight, and names what else it
// saw. No answer holds a number that is neither right nor doubted.
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
		name           string
		picture        image.Image
		results, right int
		more           bool
	}{{"twice", beside(front, front), 2, 2, false}, {"nine", nine, 8, 7, true}} {
		r := p.mustPost(appliance.EndpointMulti, map[string]any{"image": pngText(t, tt.picture)})
		got := results(r)
		others, _ := member(r.Services, "evidence", "others").([]any)
		if len(got) != tt.results || tt.more != (len(others) > 0) {
			t.Errorf("%s: %d results, others %v", tt.name, len(got), others)
		}
		right := 0
		for i, d := range got {
			if n := d.Data["idNumber"]; n == number {
				right++
			} else if n != "" && n != nil && !document.Doubted(codes(d, "idNumber")) {
				t.Errorf("%s, document %d: number %v", tt.name, i+1, n)
			}
		}
		if right < tt.right {
			t.Errorf("%s: %d numbers are right", tt.name, right)
		}
	}
}

// nineCards lays nine photographs of different documents, each cut to its document, on a dark table, and returns their numbers.
func nineCards(t *testing.T) (page image.Image, numbers map[any]bool) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "models", "samples", "documents", "truth.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	const across, width, height = 3, 720, 470
	m := uniform(image.Rect(0, 0, across*width, 3*height), color.RGBA{40, 50, 45, 255})
	numbers = map[any]bool{}
	lines := bufio.NewScanner(f)
	for i := 0; i < 9 && lines.Scan(); i++ {
		var p struct {
			File      string
			Documents []struct {
				Quad   [4][2]float64
				Fields map[string]any
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		var corners []appliance.Point
		for _, c := range p.Documents[0].Quad {
			corners = append(corners, appliance.Point{X: c[0], Y: c[1]})
		}
		photograph := sampleImage(t, "documents/"+p.File)
		card := crop(photograph, bounds(corners).Intersect(photograph.Bounds()))
		w := min(width-80, (height-60)*card.Bounds().Dx()/card.Bounds().Dy())
		small := scaled(card, w, w*card.Bounds().Dy()/card.Bounds().Dx())
		draw.Draw(m, small.Bounds().Add(image.Pt(40+width*(i%across), 30+height*(i/across))), small, image.Point{}, draw.Src)
		numbers[p.Documents[0].Fields["idNumber"]], numbers[p.Documents[0].Fields["nationalID"]] = true, true
	}
	return m, numbers
}

// Of nine different cards on a table eight are read and the ninth is named; no number is another card's or made up.
func TestMultiNineCards(t *testing.T) {
	p := startProgram(t, t.TempDir())
	page, numbers := nineCards(t)
	r := p.mustPost(appliance.EndpointMulti, map[string]any{"image": pngText(t, page), "evidence": true})
	got := results(r)
	others, _ := member(r.Services, "evidence", "others").([]any)
	if len(got) != 8 || len(others) == 0 {
		t.Errorf("%d results, others %v", len(got), others)
	}
	seen := map[any]bool{}
	for i, d := range got {
		for _, name := range []string{"idNumber", "nationalID"} {
			n := d.Data[name]
			if n == nil || n == "" || document.Doubted(codes(d, name)) {
				continue
			}
			if !numbers[n] || seen[n] {
				t.Errorf("document %d: %s is %v", i+1, name, n)
			}
			seen[n] = true
		}
	}
	if len(seen) < 6 {
		t.Errorf("%d numbers were read", len(seen))
	}
}
