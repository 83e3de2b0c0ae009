package main

import (
	"encoding/base64"
	"encoding/json"
	"image"
	"image/color"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/draw"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/eval/document"
)

const shownPlate = "ن و ف 8186"

// The plate of the sample picture is read through the daemon, with its category in the evidence; a picture without a plate is 3011.
func TestPlate(t *testing.T) {
	p := startProgram(t, t.TempDir())
	got := p.mustPost(appliance.EndpointLicensePlate, map[string]any{"image": samplePictureText(t, "plate.jpg"), "evidence": true})
	if got.Status != http.StatusOK || got.Data["result"] != shownPlate ||
		member(got.Services, "classification", "doc_type") != "license_plate" {
		t.Fatalf("%+v", got)
	}
	checks, _ := member(got.Services, "evidence", "fields", "result", "checks").([]any)
	if !slices.ContainsFunc(checks, func(c any) bool { return member(c, "name") == "category_private" && member(c, "passed") == true }) {
		t.Errorf("checks %v", checks)
	}
	page := p.mustPost(appliance.EndpointLicensePlate, map[string]any{"image": samplePictureText(t, "general.jpg")})
	if page.Status == http.StatusOK && (page.Data["result"] != "" || len(codes(page, "")) == 0) {
		t.Errorf("a page of text: %+v", page)
	}
	white, err := whitePNG(400, 300)
	if err != nil {
		t.Fatal(err)
	}
	none := p.mustPost(appliance.EndpointLicensePlate, map[string]any{"image": base64.StdEncoding.EncodeToString(white)})
	if none.Status != http.StatusBadRequest || none.Code != int(appliance.CodeNoDocument) {
		t.Errorf("a white picture: %+v", none)
	}
}

// TestStreets: of several plates, too small to be seen in the whole picture, the largest is answered and the others are named; multi
// answers each, and nothing beside them.
func TestStreets(t *testing.T) {
	p := startProgram(t, t.TempDir())
	for file, want := range map[string][]string{
		"two.jpg":   {"ص ص 5382", "م ن 6672"},
		"three.jpg": {"و و 1892", "س ن س 6899", "د أ 5928"},
	} {
		raw, err := os.ReadFile(filepath.Join("testdata", "streets", file))
		if err != nil {
			t.Fatal(err)
		}
		body := map[string]any{"image": base64.StdEncoding.EncodeToString(raw), "evidence": true}
		one := p.mustPost(appliance.EndpointLicensePlate, body)
		named := 0
		others, _ := member(one.Services, "evidence", "others").([]any)
		for _, o := range others {
			if member(o, "doc_type") == "license_plate" {
				named++
			}
		}
		if one.Data["result"] != want[0] || named < len(want)-1 {
			t.Errorf("%s: %v beside %d plates", file, one.Data["result"], named)
		}
		var got []string
		for _, r := range results(p.mustPost(appliance.EndpointMulti, body)) {
			got = append(got, r.Data["result"].(string))
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: multi reads %q, want %q", file, got, want)
		}
	}
}

// TestKindsOfPlates: a diplomat's two groups of digits, bands by night, a row of Latin signs below, and a plate of three signs are read
// with their category and without a flag.
func TestKindsOfPlates(t *testing.T) {
	p := startProgram(t, t.TempDir())
	for file, want := range map[string][2]string{
		"diplomatic.jpg":       {"785 342", "diplomatic"},
		"diplomatic-night.jpg": {"63 218", "diplomatic"},
		"tourist-night.jpg":    {"س ج م 6175", "tourist"},
		"latin.jpg":            {"ن ص 5129", "private"},
		"short.jpg":            {"ق 74", "private"},
	} {
		raw, err := os.ReadFile(filepath.Join("testdata", "streets", file))
		if err != nil {
			t.Fatal(err)
		}
		got := p.mustPost(appliance.EndpointLicensePlate, map[string]any{"image": base64.StdEncoding.EncodeToString(raw), "evidence": true})
		checks, _ := member(got.Services, "evidence", "fields", "result", "checks").([]any)
		named := slices.ContainsFunc(checks, func(c any) bool { return member(c, "name") == "category_"+want[1] })
		if got.Data["result"] != want[0] || !named || len(codes(got, "result")) > 0 {
			t.Errorf("%s: %v, checks %v, codes %v", file, got.Data["result"], checks, codes(got, "result"))
		}
	}
}

// TestDiplomatTakenForLetters: the digits at the right of a diplomat's plate, where letters stand on others, are read as digits.
func TestDiplomatTakenForLetters(t *testing.T) {
	p := startProgram(t, t.TempDir())
	raw, err := os.ReadFile(filepath.Join("testdata", "streets", "diplomatic-letters.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	got := p.mustPost(appliance.EndpointLicensePlate, map[string]any{"image": base64.StdEncoding.EncodeToString(raw)})
	if got.Data["result"] != "886 91" {
		t.Errorf("%v, codes %v", got.Data["result"], codes(got, "result"))
	}
}

// wall is a picture of bricks, each of which is somewhat lighter or darker than the next.
func wall(width, height int, seed uint64) image.Image {
	const wide, high, joint = 90, 36, 2
	r := rand.New(rand.NewPCG(seed, 0))
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(m, m.Bounds(), image.NewUniform(color.RGBA{120, 62, 58, 255}), image.Point{}, draw.Src)
	for y := 0; y < height; y += high {
		for x := -(y / high % 2) * wide / 2; x < width; x += wide {
			light := 0.85 + 0.3*r.Float64()
			brick := color.RGBA{uint8(150 * light), uint8(78 * light), uint8(72 * light), 255}
			draw.Draw(m, image.Rect(x+joint, y+joint, x+wide-joint, y+high-joint), image.NewUniform(brick), image.Point{}, draw.Src)
		}
	}
	return m
}

// TestWall: walls, which the finder at times takes for sheets, are no document on any endpoint that reads one.
func TestWall(t *testing.T) {
	p := startProgram(t, t.TempDir())
	for seed := range uint64(3) {
		body := map[string]any{"image": pictureText(t, wall(1280, 960, seed))}
		for _, endpoint := range []appliance.Endpoint{
			appliance.EndpointIDFront, appliance.EndpointDrivingLicense, appliance.EndpointPassport, appliance.EndpointLicensePlate,
			appliance.EndpointMulti,
		} {
			if got := p.mustPost(endpoint, body); got.Code != int(appliance.CodeNoDocument) {
				t.Errorf("wall %d, %s: %d %v", seed, endpoint, got.Status, got.Data)
			}
		}
	}
}

// TestEvalPlates: the whole command on the sample, once with its truth and once with another, with and without the
// outline, and on a picture without a plate.
func TestEvalPlates(t *testing.T) {
	dir := t.TempDir()
	sample, err := os.ReadFile(filepath.Join("..", "..", "models", "samples", "plate.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	white, err := whitePNG(400, 300)
	if err != nil {
		t.Fatal(err)
	}
	truth := `{"file": "a.jpg", "result": "ن و ف 8186", "quad": [[592,80],[1362,90],[1393,462],[539,443]]}
{"file": "a.jpg", "result": "ن و ق 8186", "quad": [[592,80],[1362,90],[1393,462],[539,443]]}
{"file": "white.png", "result": ""}
`
	for name, content := range map[string][]byte{"a.jpg": sample, "truth.jsonl": []byte(truth), "white.png": white} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := program{t: t}
	for _, c := range []struct {
		flags    []string
		pictures int
		others   int
	}{{nil, 3, 1}, {[]string{"--outline"}, 2, 0}} {
		dump := filepath.Join(dir, "plates.csv")
		report := p.command(append([]string{"eval", "plates", dir, "--json", "--dump", dump}, c.flags...)...)
		var s document.PlateScore
		if err := json.Unmarshal([]byte(report), &s); err != nil {
			t.Fatal(err)
		}
		if s.Pictures != c.pictures || s.Exact.OK != 1 || s.Exact.Of != 2 || s.Digits.OK != 2 ||
			s.Letters.OK != 1 || s.Others.OK != c.others || s.Milliseconds <= 0 {
			t.Errorf("%v: %s", c.flags, report)
		}
		if rows, err := os.ReadFile(dump); err != nil || strings.Count(string(rows), "\n") != 1+c.pictures {
			t.Errorf("%v: dump %s, %v", c.flags, rows, err)
		}
	}
}
