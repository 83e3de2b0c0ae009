package engine

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"os"
	"path/filepath"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/configs"
)

// A document whose portrait is painted over has none: no ghost image, emblem or pattern is taken for the holder's face. The same
// document as it is has one, so that the face which is painted over is the portrait.
func TestPaintedPortrait(t *testing.T) {
	e, err := Open(t.Context(), configs.Picture{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	paints := map[string]color.Color{"black": color.Black, "grey": color.Gray{Y: 128}, "skin": color.RGBA{R: 205, G: 165, B: 140, A: 255}}
	for file, endpoint := range map[string]appliance.Endpoint{
		"passport.jpg": appliance.EndpointPassport, "id_front.jpg": appliance.EndpointIDFront,
		"documents/00.jpg": appliance.EndpointIDFront, "licences/00.jpg": appliance.EndpointDrivingLicense,
	} {
		raw, err := os.ReadFile(filepath.Join("..", "..", "models", "samples", file))
		if err != nil {
			t.Fatal(err)
		}
		p, shown := portraitsOf(t, e, endpoint, raw)
		if shown == 0 {
			t.Errorf("%s has no portrait as it is", file)
		}
		faces, err := e.Faces.Finder.FindFaces(t.Context(), p)
		if err != nil || len(faces) == 0 {
			t.Fatalf("%s: %d faces, %v", file, len(faces), err)
		}
		for name, paint := range paints {
			if _, left := portraitsOf(t, e, endpoint, paintedOver(t, raw, faces, paint)); left > 0 {
				t.Errorf("%s painted %s still has %d portraits", file, name, left)
			}
		}
	}
}

// portraitsOf reads a picture and counts the documents with a portrait.
func portraitsOf(t *testing.T, e *Engine, endpoint appliance.Endpoint, raw []byte) (p *appliance.Picture, count int) {
	t.Helper()
	p, err := e.Decoder.Decode(t.Context(), raw)
	if err != nil {
		t.Fatal(err)
	}
	reading, err := e.Readers()[endpoint].Read(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range reading.Documents {
		if d.Portrait != nil {
			count++
		}
	}
	return p, count
}

// paintedOver returns a picture with all of each face painted, hair and neck too.
func paintedOver(t *testing.T, raw []byte, faces []appliance.Face, paint color.Color) []byte {
	t.Helper()
	whole, err := jpeg.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	m := image.NewRGBA(whole.Bounds())
	draw.Draw(m, m.Bounds(), whole, whole.Bounds().Min, draw.Src)
	for _, f := range faces {
		low, high := f.Quad[0], f.Quad[0]
		for _, c := range f.Quad {
			low.X, low.Y, high.X, high.Y = min(low.X, c.X), min(low.Y, c.Y), max(high.X, c.X), max(high.Y, c.Y)
		}
		margin := 0.2 * (high.Y - low.Y)
		r := image.Rect(int(low.X-margin), int(low.Y-margin), int(high.X+margin), int(high.Y+margin))
		draw.Draw(m, r, image.NewUniform(paint), image.Point{}, draw.Src)
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
