package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/eval/document"
)

// specimenPage is one of the repository's sample pictures with what a person reads on it.
type specimenPage struct {
	endpoint appliance.Endpoint
	file     string
	shown    map[string]any
	number   string // the field that glare is put on
}

// specimens are the documents that bad pictures are made of, one for each endpoint that asks for one document.
func specimens(t *testing.T) []specimenPage {
	t.Helper()
	return []specimenPage{
		{appliance.EndpointPassport, "passport.jpg", shownFields(), "passport_no"},
		{appliance.EndpointIDFront, "id_front.jpg", shownFront(), "idNumber"},
		{appliance.EndpointIDBack, "id_back.jpg", shownBack(), "idNumber"},
		{appliance.EndpointDrivingLicense, "licences/06.jpg", shownLicence(t, "06.jpg"), "nationalID"},
		{appliance.EndpointCarLicenseFront, "licences/04.jpg", shownLicence(t, "04.jpg"), "license_number"},
		{appliance.EndpointCarLicenseBack, "licences/05.jpg", shownLicence(t, "05.jpg"), "chasis"},
		{appliance.EndpointLicensePlate, "plate.jpg", map[string]any{"result": shownPlate}, "result"},
	}
}

// empty are pictures that show no document at all.
func empty() map[string]image.Image {
	size := image.Rect(0, 0, 1600, 1200)
	random := rand.New(rand.NewPCG(1, 2))
	noise, stripes := image.NewGray(size), image.NewGray(size)
	for i := range noise.Pix {
		noise.Pix[i] = byte(random.IntN(256))
		stripes.Pix[i] = byte(255 * (i % 1600 / 40 % 2))
	}
	return map[string]image.Image{
		"white page": uniform(size, color.White), "black": uniform(size, color.Black), "noise": noise, "stripes": stripes,
		"white thumbnail": uniform(image.Rect(0, 0, 64, 64), color.White), "card without print": blankCard(size),
	}
}

func uniform(r image.Rectangle, c color.Color) *image.RGBA {
	m := image.NewRGBA(r)
	draw.Draw(m, r, image.NewUniform(c), image.Point{}, draw.Src)
	return m
}

// blankCard is a light card on a dark table.
func blankCard(r image.Rectangle) *image.RGBA {
	m := uniform(r, color.RGBA{40, 50, 45, 255})
	draw.Draw(m, image.Rect(300, 250, 1300, 881), image.NewUniform(color.RGBA{225, 230, 220, 255}), image.Point{}, draw.Src)
	return m
}

// written puts lines of Latin letters of a size in pixels into a picture, the first on the base line at a place and the others a pitch below
// each other.
func written(t *testing.T, m draw.Image, at image.Point, size float64, pitch int, lines ...string) {
	t.Helper()
	parsed, err := opentype.Parse(gobold.TTF)
	if err != nil {
		t.Fatal(err)
	}
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: size, DPI: 72})
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range lines {
		d := font.Drawer{Dst: m, Src: image.Black, Face: face, Dot: fixed.P(at.X, at.Y+pitch*i)}
		d.DrawString(line)
	}
}

// foreignCard is a card of another country in Latin letters, with a number of 14 digits.
func foreignCard(t *testing.T) image.Image {
	t.Helper()
	m := blankCard(image.Rect(0, 0, 1600, 1200))
	written(t, m, image.Pt(560, 320), 36, 80, "REPUBLIC OF UTOPIA", "LIBRARY CARD", "Anna Maria Eriksson", "12 Harbour Road", "Zenith - Old Town", "", "Member 7 4 0 8 1 2 2 2 0 4 1 5 9 8")
	return m
}

// blankPlate is an empty plate of the proportions of Egypt's, with a band of a colour, on a dark car.
func blankPlate(band color.Color) *image.RGBA {
	m := uniform(image.Rect(0, 0, 1600, 1200), color.RGBA{40, 44, 52, 255})
	draw.Draw(m, image.Rect(396, 396, 1204, 804), image.Black, image.Point{}, draw.Src)
	draw.Draw(m, image.Rect(400, 400, 1200, 800), image.White, image.Point{}, draw.Src)
	draw.Draw(m, image.Rect(400, 400, 1200, 520), image.NewUniform(band), image.Point{}, draw.Src)
	return m
}

// noPlates are plates that are none of Egypt's, or whose signs cannot be what they look like.
func noPlates(t *testing.T) map[string]image.Image {
	t.Helper()
	blue := color.RGBA{60, 120, 200, 255}
	foreign, toy := blankPlate(blue), blankPlate(color.RGBA{240, 120, 180, 255})
	written(t, foreign, image.Pt(440, 490), 80, 0, "UTOPIA")
	written(t, foreign, image.Pt(440, 730), 200, 0, "KX 4827")
	written(t, toy, image.Pt(440, 490), 80, 0, "RACE CAR")
	written(t, toy, image.Pt(450, 720), 170, 0, "SPEEDY 1")
	return map[string]image.Image{"foreign": foreign, "a toy's": toy, "without a sign": blankPlate(blue), "mirrored": mirrored(sampleImage(t, "plate.jpg"))}
}

// sampleImage decodes one of the repository's sample pictures.
func sampleImage(t *testing.T, file string) image.Image {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "models", "samples", file))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := jpeg.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// pngText is a picture as a request carries it.
func pngText(t *testing.T, m image.Image) string {
	t.Helper()
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// scaled is a picture at another size.
func scaled(m image.Image, w, h int) image.Image {
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.CatmullRom.Scale(out, out.Bounds(), m, m.Bounds(), draw.Src, nil)
	return out
}

// mirrored is a picture as a mirroring camera shows it.
func mirrored(m image.Image) image.Image {
	b := m.Bounds()
	out := image.NewRGBA(b)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			out.Set(b.Max.X-1-x+b.Min.X, y, m.At(x, y))
		}
	}
	return out
}

// bounds is the smallest upright rectangle around points.
func bounds(points []appliance.Point) image.Rectangle {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, p := range points {
		x0, y0, x1, y1 = min(x0, p.X), min(y0, p.Y), max(x1, p.X), max(y1, p.Y)
	}
	return image.Rect(int(math.Floor(x0)), int(math.Floor(y0)), int(math.Ceil(x1)), int(math.Ceil(y1)))
}

// boxOf is the upright rectangle around a quad of an answer's evidence.
func boxOf(t *testing.T, quad any) image.Rectangle {
	t.Helper()
	var points []appliance.Point
	corners, _ := quad.([]any)
	for _, c := range corners {
		xy := c.([]any)
		points = append(points, appliance.Point{X: xy[0].(float64), Y: xy[1].(float64)})
	}
	if len(points) != 4 {
		t.Fatalf("no place in the evidence: %v", quad)
	}
	return bounds(points)
}

// lies are the fields of an answer that are neither empty nor right nor doubted. English names do not count: nobody
// prints them, and they follow from the Arabic ones.
func lies(r reply, shown map[string]any) []string {
	var all []string
	for name, value := range r.Data {
		if strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "_english") || value == nil || value == "" || value == shown[name] || document.Doubted(codes(r, name)) {
			continue
		}
		all = append(all, fmt.Sprintf("%s is %q, shown is %q", name, value, shown[name]))
	}
	slices.Sort(all)
	return all
}

// member goes down the members of nested objects; nil where one is missing.
func member(v any, names ...string) any {
	for _, name := range names {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

// TestNoDocument: pictures without a document of the contract get 3011 from every endpoint that asks for one, with a
// sentence that says what to do, and never a value.
func TestNoDocument(t *testing.T) {
	p := startProgram(t, t.TempDir())
	pictures := empty()
	pictures["a foreign card"] = foreignCard(t)
	for name, m := range pictures {
		text := pngText(t, m)
		for _, s := range specimens(t) {
			e := s.endpoint
			r := p.mustPost(e, map[string]any{"image": text, "evidence": true})
			if r.Code == 0 && len(lies(r, nil)) == 0 && member(r.Services, "classification", "doc_type") == string(appliance.Unknown) {
				continue // "unknown", with nothing read or all of it flagged, is as honest
			}
			if r.Status != http.StatusBadRequest || r.Code != int(appliance.CodeNoDocument) || !strings.Contains(r.Message, ": ") {
				t.Errorf("%s to %s: %d %d %q %v", name, e, r.Status, r.Code, r.Message, r.Data)
			}
		}
	}
}

// TestNoPlate: of plates that are none of Egypt's, and of one in a mirror, nothing is returned as if it were sure, and the answer says what to show.
func TestNoPlate(t *testing.T) {
	p := startProgram(t, t.TempDir())
	for name, m := range noPlates(t) {
		r := p.mustPost(appliance.EndpointLicensePlate, map[string]any{"image": pngText(t, m), "evidence": true})
		switch advice, _ := member(r.Services, "evidence", "capture", "advice").(string); {
		case r.Code == int(appliance.CodeNoDocument):
			if !strings.Contains(r.Message, ": ") {
				t.Errorf("%s: %q", name, r.Message)
			}
		case r.Code != 0 || !document.Doubted(codes(r, "result")):
			t.Errorf("%s: %+v", name, r)
		case r.Data["result"] == "" && advice == "":
			t.Errorf("%s: %v without advice", name, codes(r, "result"))
		}
	}
}

// TestScreenshot: a card that is a picture in a page, with text above, below and beside it, is found there and read, and no line of
// the page becomes a value.
func TestScreenshot(t *testing.T) {
	p := startProgram(t, t.TempDir())
	for _, s := range specimens(t)[1:3] {
		card := p.mustPost(s.endpoint, map[string]any{"image": samplePictureText(t, s.file), "evidence": true})
		box := boxOf(t, member(card.Services, "evidence", "document", "quad")).Inset(-12)
		page := uniform(image.Rect(0, 0, 1700, 2000), color.White)
		written(t, page, image.Pt(120, 140), 34, 70, "From: A. M. Eriksson", "Subject: the card that you asked for", "Please find it below. 12 Harbour Road", "Sent 2021/04/09 10:42, 1 attachment")
		m := sampleImage(t, s.file)
		draw.Draw(page, image.Rectangle{Max: box.Size()}.Add(image.Pt(120, 480)), m, box.Min, draw.Src)
		written(t, page, image.Pt(120, 560+box.Dy()), 34, 70, "Reply   Reply all   Forward", "Kind regards", "Telephone 02 2575 0000")
		r := p.mustPost(s.endpoint, map[string]any{"image": pngText(t, page), "evidence": true})
		if r.Code != 0 || member(r.Services, "classification", "doc_type") != string(s.endpoint.Kind()) || r.Data[s.number] != s.shown[s.number] {
			t.Errorf("%s: %+v", s.file, r)
		}
		for _, lie := range lies(r, s.shown) {
			t.Errorf("%s: %s", s.file, lie)
		}
	}
}

// TestLargerOfTwo: of two fronts of different size in one picture the larger one is read, on whichever side it lies, and the evidence names the
// other and where it is.
func TestLargerOfTwo(t *testing.T) {
	p := startProgram(t, t.TempDir())
	large, other := sampleImage(t, "id_front.jpg"), sampleImage(t, "documents/00.jpg")
	small := scaled(other, 700, 700*other.Bounds().Dy()/other.Bounds().Dx())
	for name, pair := range map[string][2]image.Image{"left": {large, small}, "right": {small, large}} {
		picture := beside(pair[0], pair[1])
		r := p.mustPost(appliance.EndpointIDFront, map[string]any{"image": pngText(t, picture), "evidence": true})
		others, _ := member(r.Services, "evidence", "others").([]any)
		if r.Data["idNumber"] != shownFront()["idNumber"] || len(others) != 1 || member(others[0], "doc_type") != "national_id_front" {
			t.Errorf("%s: %+v", name, r)
			continue
		}
		for _, lie := range lies(r, shownFront()) {
			t.Errorf("%s: %s", name, lie)
		}
		place := boxOf(t, member(others[0], "quad"))
		if onLeft := (place.Min.X+place.Max.X)/2 < pair[0].Bounds().Dx(); onLeft != (name == "right") {
			t.Errorf("%s: the other lies at %v", name, place)
		}
	}
}

// TestNoText: general text finds nothing where nothing is printed, and answers every picture.
func TestNoText(t *testing.T) {
	p := startProgram(t, t.TempDir())
	for name, m := range empty() {
		r := p.mustPost(appliance.EndpointGeneral, map[string]any{"image": pngText(t, m), "evidence": true})
		lines, ok := r.Data["lines"].([]any)
		if r.Status != http.StatusOK || !ok {
			t.Errorf("%s: %+v", name, r)
		}
		if len(lines) > 0 && name != "noise" { // in noise one may see what one likes
			t.Errorf("%s: %v", name, lines)
		}
	}
}

// TestPoorPictures: of a picture that shows too little, every value is right, flagged or missing.
func TestPoorPictures(t *testing.T) {
	t.Parallel()
	p := startProgram(t, t.TempDir())
	for _, s := range specimens(t) {
		m := sampleImage(t, s.file)
		whole := p.mustPost(s.endpoint, map[string]any{"image": pngText(t, m), "evidence": true})
		if whole.Code != 0 {
			t.Fatalf("%s: %+v", s.file, whole)
		}
		evidence := whole.Services["evidence"]
		card := boxOf(t, member(evidence, "document", "quad"))
		number := boxOf(t, member(evidence, "fields", s.number, "quad"))
		b := m.Bounds()
		glare := image.NewRGBA(b)
		draw.Draw(glare, b, m, b.Min, draw.Src)
		draw.Draw(glare, number.Inset(-number.Dy()/2), image.White, image.Point{}, draw.Src)
		for name, poor := range map[string]image.Image{
			"thumbnail": scaled(m, 64, 64), "small": scaled(m, 200, 150), "mirrored": mirrored(m), "glare on the number": glare,
			"left half":  crop(m, image.Rect(b.Min.X, b.Min.Y, (card.Min.X+card.Max.X)/2, b.Max.Y)),
			"right half": crop(m, image.Rect((card.Min.X+card.Max.X)/2, b.Min.Y, b.Max.X, b.Max.Y)),
			"upper half": crop(m, image.Rect(b.Min.X, b.Min.Y, b.Max.X, (card.Min.Y+card.Max.Y)/2)),
			"lower half": crop(m, image.Rect(b.Min.X, (card.Min.Y+card.Max.Y)/2, b.Max.X, b.Max.Y)),
		} {
			r := p.mustPost(s.endpoint, map[string]any{"image": pngText(t, poor), "evidence": true})
			switch {
			case r.Code != 0 && (r.Code != int(appliance.CodeNoDocument) || !strings.Contains(r.Message, ": ")):
				t.Errorf("%s of %s: %d %q", name, s.file, r.Code, r.Message)
			case len(lies(r, s.shown)) > 0:
				t.Errorf("%s of %s: %s", name, s.file, strings.Join(lies(r, s.shown), "; "))
			}
		}
	}
}

// crop is a part of a picture.
func crop(m image.Image, r image.Rectangle) image.Image {
	out := image.NewRGBA(image.Rect(0, 0, r.Dx(), r.Dy()))
	draw.Draw(out, out.Bounds(), m, r.Min, draw.Src)
	return out
}

// beside puts two pictures side by side on a table.
func beside(left, right image.Image) image.Image {
	out := uniform(image.Rect(0, 0, left.Bounds().Dx()+right.Bounds().Dx(), max(left.Bounds().Dy(), right.Bounds().Dy())), color.RGBA{60, 60, 60, 255})
	draw.Draw(out, left.Bounds(), left, image.Point{}, draw.Src)
	draw.Draw(out, right.Bounds().Add(image.Pt(left.Bounds().Dx(), 0)), right, image.Point{}, draw.Src)
	return out
}
