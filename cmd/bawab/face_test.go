package main

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"

	xdraw "golang.org/x/image/draw"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/models"
)

// sampleFrame is the frame of an invented person that the repository carries.
func sampleFrame(t *testing.T) image.Image {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "models", "samples", "face.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := jpeg.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// encoded is a picture as a request carries it.
func encoded(t *testing.T, m image.Image) string {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: 92}); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// mapped is a picture with each pixel changed.
func mapped(m image.Image, change func(x, y int, c color.RGBA) color.RGBA) image.Image {
	out := image.NewRGBA(m.Bounds())
	draw.Draw(out, out.Bounds(), m, m.Bounds().Min, draw.Src)
	for y := range out.Bounds().Dy() {
		for x := range out.Bounds().Dx() {
			out.SetRGBA(x, y, change(x, y, out.RGBAAt(x, y)))
		}
	}
	return out
}

// onto puts pictures onto a grey one of the given size.
func onto(w, h int, m image.Image, places ...image.Rectangle) image.Image {
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(out, out.Bounds(), image.NewUniform(color.Gray{Y: 120}), image.Point{}, draw.Src)
	for _, r := range places {
		xdraw.CatmullRom.Scale(out, r, m, m.Bounds(), xdraw.Src, nil)
	}
	return out
}

// masked is the sample frame with a mask of cloth from the bridge of the nose to the chin.
func masked(m image.Image) image.Image {
	return mapped(m, func(x, y int, c color.RGBA) color.RGBA {
		if top := 268 + (x-320)*(x-320)/500; y < top || y > 405 || x < 210 || x > 430 {
			return c
		}
		fold := byte(10 * (y / 12 % 2))
		return color.RGBA{140 + fold, 190 + fold, 215 + fold, 255}
	})
}

// cartoon is a drawn head: one tone, discs for eyes, an arc for a mouth.
func cartoon() image.Image {
	return mapped(onto(640, 480, nil), func(x, y int, c color.RGBA) color.RGBA {
		disc := func(cx, cy, rx, ry int) bool {
			u, v := float64(x-cx)/float64(rx), float64(y-cy)/float64(ry)
			return u*u+v*v < 1
		}
		switch {
		case disc(270, 210, 16, 22), disc(370, 210, 16, 22), disc(320, 290, 60, 40) && !disc(320, 275, 70, 40):
			return color.RGBA{20, 20, 20, 255}
		case disc(320, 240, 120, 150):
			return color.RGBA{255, 210, 60, 255}
		}
		return c
	})
}

// The whole way of a face match: a document is read, its portrait is kept, and a frame of somebody is compared with it, turned upright if it
// must be. What cannot be compared is answered with its code, and liveness stays unbuilt as long as nothing can tell an attack.
func TestFaceMatch(t *testing.T) {
	p := startProgram(t, t.TempDir())
	// Not id_front.jpg: the invented persons are blends of faces, and that one shares too many of them with the frame.
	document, err := os.ReadFile(filepath.Join("..", "..", "models", "samples", "documents", "00.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	read := p.mustPost(appliance.EndpointIDFront, map[string]any{"image": base64.StdEncoding.EncodeToString(document)})
	if read.Status != http.StatusOK {
		t.Fatalf("got %+v", read)
	}
	id, face := read.Data["transaction_id"], sampleFrame(t)
	upside, sideways := image.NewRGBA(face.Bounds()), image.NewRGBA(image.Rect(0, 0, 480, 640))
	for y := range 480 {
		for x := range 640 {
			upside.Set(x, y, face.At(639-x, 479-y))
			sideways.Set(y, x, face.At(639-x, y))
		}
	}
	printed, err := jpeg.Decode(bytes.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	similar := map[string]float64{}
	for name, c := range map[string]struct {
		picture image.Image
		codes   []int
	}{
		"a person": {face, []int{0}},
		"grey": {mapped(face, func(_, _ int, c color.RGBA) color.RGBA {
			g := byte((int(c.R)*3 + int(c.G)*6 + int(c.B)) / 10)
			return color.RGBA{g, g, g, 255}
		}), []int{0}},
		"nobody":      {onto(640, 480, face), []int{4207}},
		"two persons": {onto(1280, 480, face, image.Rect(0, 0, 640, 480), image.Rect(640, 0, 1280, 480)), []int{4206}},
		"20 pixels":   {onto(640, 480, face, image.Rect(300, 220, 340, 250)), []int{4207, 4209}},
		"over-exposed": {mapped(face, func(_, _ int, c color.RGBA) color.RGBA {
			lift := func(v byte) byte { return byte(min(255, 235+int(v)/12)) }
			return color.RGBA{lift(c.R), lift(c.G), lift(c.B), 255}
		}), []int{4207, 4209}},
		"a mask":                 {masked(face), []int{4207, 4209}},
		"a cartoon":              {cartoon(), []int{4207}},
		"sideways":               {sideways, []int{0}},
		"upside down":            {upside, []int{0}},
		"a document":             {printed, []int{4209}},
		"a document in the hand": {onto(1280, 960, printed, image.Rect(500, 300, 1000, 640)), []int{4207, 4209}},
	} {
		r := p.mustPost(appliance.EndpointFaceMatch, map[string]any{"image": encoded(t, c.picture), "transaction_id": id})
		if !slices.Contains(c.codes, r.Code) {
			t.Errorf("%s: code %d, want one of %v: %+v", name, r.Code, c.codes, r)
			continue
		}
		if r.Code == 0 && (r.Data["isMatched"] != false || r.Data["similarity"] == nil || r.Data["threshold"] != 0.5) {
			t.Errorf("%s: %+v", name, r)
		}
		if v, ok := r.Data["similarity"].(float64); ok {
			similar[name] = v
		}
	}
	for _, turned := range []string{"sideways", "upside down"} {
		if d := similar[turned] - similar["a person"]; d < -0.05 || d > 0.05 {
			t.Errorf("%s: similarity %.3f, upright %.3f", turned, similar[turned], similar["a person"])
		}
	}
	frame := encoded(t, face)
	burst := map[string]any{"face_1": frame, "face_2": frame, "face_3": frame, "transaction_id": id}
	r := p.mustPost(appliance.EndpointLiveness, burst)
	set, err := models.Open()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := set.Model(engine.ModelLiveness); err != nil {
		if r.Code != int(appliance.CodeNotBuilt) {
			t.Errorf("liveness without its network: %+v", r)
		}
	} else if r.Data["isLive"] != false || !slices.Contains(r.Data["reasons"].([]any), any("identical_images")) {
		t.Errorf("one frame three times: %+v", r)
	}
}
