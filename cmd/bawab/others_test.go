package main

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/jpeg"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/image/draw"

	"github.com/bawab/bawab/appliance"
)

// pictureText is a picture as the text of a request.
func pictureText(t *testing.T, m image.Image) string {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: 92}); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// sideBySide lays pictures side by side, the second one smaller.
func sideBySide(first, second image.Image) image.Image {
	w, h := first.Bounds().Dx(), first.Bounds().Dy()
	small := image.Rect(w, 0, w+w*4/5, second.Bounds().Dy()*w*4/5/second.Bounds().Dx())
	m := image.NewRGBA(image.Rect(0, 0, small.Max.X, max(h, small.Max.Y)))
	draw.Draw(m, first.Bounds().Sub(first.Bounds().Min), first, first.Bounds().Min, draw.Src)
	draw.CatmullRom.Scale(m, small, second, second.Bounds(), draw.Src, nil)
	return m
}

// TestOthers: where a picture shows two documents, an endpoint that reads one reads the one that it is for, the larger of two of a kind,
// and names the other with its kind and place in the evidence.
func TestOthers(t *testing.T) {
	p := startProgram(t, t.TempDir())
	passport, front := sampleImage(t, "passport.jpg"), sampleImage(t, "id_front.jpg")
	for name, test := range map[string]struct {
		endpoint appliance.Endpoint
		picture  image.Image
		field    string
		want     any
		other    string
	}{
		"two passports": {
			appliance.EndpointPassport, sideBySide(passport, passport), "passport_no", shownFields()["passport_no"],
			"passport",
		},
		"a passport beside a smaller card": {
			appliance.EndpointPassport, sideBySide(passport, front), "passport_no", shownFields()["passport_no"],
			"national_id_front",
		},
		"a card beside a smaller passport": {
			appliance.EndpointIDFront, sideBySide(front, passport), "idNumber", shownFront()["idNumber"],
			"passport",
		},
	} {
		got := p.mustPost(test.endpoint, map[string]any{"image": pictureText(t, test.picture), "evidence": true})
		others, _ := member(got.Services, "evidence", "others").([]any)
		if got.Status != http.StatusOK || got.Data[test.field] != test.want || len(others) != 1 {
			t.Errorf("%s: %v, others %v, %d %s", name, got.Data[test.field], others, got.Code, got.Message)
			continue
		}
		if kind := member(others[0], "doc_type"); kind != test.other || member(others[0], "quad") == nil {
			t.Errorf("%s: the other is %v", name, others[0])
		}
	}
}

// TestTwoPassports: of two pages of a look that the finder may not know the larger one is answered, since their zones tell what they
// are, and the other is named as a passport.
func TestTwoPassports(t *testing.T) {
	p := startProgram(t, t.TempDir())
	for file, want := range map[string]string{"one.jpg": "C75247618", "two.jpg": "B60025782"} {
		raw, err := os.ReadFile(filepath.Join("testdata", "passports", file))
		if err != nil {
			t.Fatal(err)
		}
		got := p.mustPost(appliance.EndpointPassport, map[string]any{
			"image": base64.StdEncoding.EncodeToString(raw), "evidence": true,
		})
		others, _ := member(got.Services, "evidence", "others").([]any)
		if got.Data["passport_no"] != want || len(others) != 1 || member(others[0], "doc_type") != "passport" {
			t.Errorf("%s: %v, others %v", file, got.Data["passport_no"], others)
		}
	}
}

// TestSmallMulti: three documents in a picture of 360 rows are read for what they are, not refused; what cannot be read is empty or
// flagged.
func TestSmallMulti(t *testing.T) {
	p := startProgram(t, t.TempDir())
	whole := sampleImage(t, "multi.jpg")
	small := image.NewRGBA(image.Rect(0, 0, 480, 360))
	draw.CatmullRom.Scale(small, small.Bounds(), whole, whole.Bounds(), draw.Src, nil)
	r := p.mustPost(appliance.EndpointMulti, map[string]any{"image": pictureText(t, small)})
	got, want := results(r), shownTogether()
	if r.Status != http.StatusOK || len(got) != len(want) {
		t.Fatalf("%d results: %d %s", len(got), r.Code, r.Message)
	}
	for i, d := range got {
		if kind := member(d.Services, "classification", "doc_type"); kind != want[i].file {
			t.Errorf("document %d is a %v, want %s", i+1, kind, want[i].file)
		}
		for _, lie := range lies(d, want[i].shown) {
			t.Errorf("%s: %s", want[i].file, lie)
		}
	}
}
