package drawing

import (
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/bawab/bawab/appliance"
)

// greyPicture is a picture of one level without colour.
func greyPicture(w, h int, level byte) *appliance.Picture {
	p := &appliance.Picture{Width: w, Height: h, Y: make([]byte, w*h)}
	for i := range p.Y {
		p.Y[i] = level
	}
	return p
}

func upright(x0, y0, x1, y1 float64) appliance.Quad {
	return appliance.Quad{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
}

// crowded is a reading with fields as close as those of a card, of all colours.
func crowded() appliance.Reading {
	d := appliance.Document{Kind: appliance.NationalIDFront, Quad: upright(300, 300, 1300, 900), Capture: appliance.Capture{Advice: "hold the camera still"}}
	for i, name := range []string{"first_name", "last_names", "address_1", "address_2", "idNumber", "dateOfBirth", "idKey"} {
		y := 360 + 60*float64(i)
		d.Fields = append(d.Fields, appliance.Field{Name: name, Value: name, Confidence: 1 - 0.15*float64(max(i-1, 0)), Quad: upright(700, y, 1250, y+40)})
	}
	d.Fields = append(d.Fields, appliance.Field{Name: "name", DerivedFrom: []string{"first_name", "last_names"}})
	d.Flag("idKey", "", appliance.CodeLowConfidence)
	d.Flag("last_names", "", appliance.CodeUnreadable)
	d.Fields[3].Value = ""                           // address_2
	d.Flag("dateOfBirth", "", appliance.CodeExpired) // no code of doubt
	return appliance.Reading{Documents: []appliance.Document{d}, Others: []appliance.Outline{{Kind: appliance.Passport, Quad: upright(50, 950, 600, 1190)}}}
}

// TestDrawing: the edges of each field have the colour of its codes, whatever its confidence, at their place in the
// picture, what is not the document is darker, and the document itself keeps its brightness.
func TestDrawing(t *testing.T) {
	r := crowded()
	want := map[string]color.NRGBA{
		"first_name": colourSure, "last_names": colourPoor, "address_1": colourSure, "address_2": colourPoor,
		"idNumber": colourSure, "dateOfBirth": colourFair, "idKey": colourFair,
	}
	for _, size := range []int{1, 2} { // the second picture is larger than a drawing may be
		p := greyPicture(1600*size, 1200*size, 200)
		scaled := crowded()
		for i := range scaled.Documents[0].Fields {
			for j := range scaled.Documents[0].Fields[i].Quad {
				q := &scaled.Documents[0].Fields[i].Quad[j]
				q.X, q.Y = q.X*float64(size), q.Y*float64(size)
			}
		}
		for j := range scaled.Documents[0].Quad {
			q := &scaled.Documents[0].Quad[j]
			q.X, q.Y = q.X*float64(size), q.Y*float64(size)
		}
		name := filepath.Join(t.TempDir(), "out.png")
		if err := Write(name, p, scaled); err != nil {
			t.Fatal(err)
		}
		got := readImage(t, name)
		if got.Bounds() != image.Rect(0, 0, 1600, 1200) {
			t.Fatalf("the drawing is %v", got.Bounds())
		}
		for _, f := range r.Documents[0].Fields[:7] {
			want := want[f.Name]
			if c := at(got, 1250, int(f.Quad[0].Y)+20); c != (color.RGBA{want.R, want.G, want.B, 0xff}) {
				t.Errorf("%s: the edge is %v, want %v", f.Name, c, want)
			}
		}
		if c := at(got, 1500, 600); c.R > 150 {
			t.Errorf("outside the document: %v", c)
		}
		if c := at(got, 400, 700); c != (color.RGBA{200, 200, 200, 0xff}) {
			t.Errorf("inside the document: %v", c)
		}
	}
}

// TestLabels: no label hides another or lies outside the drawing as long as there is room.
func TestLabels(t *testing.T) {
	c := newCanvas(greyPicture(1600, 1200, 200))
	labels := c.document(&crowded().Documents[0])
	c.labels(labels)
	places := c.taken[len(labels):]
	if len(places) != 8 {
		t.Fatalf("%d labels, want one for each printed field and one for the document", len(places))
	}
	for i, p := range places {
		if !p.In(c.img.Bounds()) {
			t.Errorf("%s lies at %v", labels[i].text, p)
		}
		for j := range i {
			if p.Overlaps(places[j]) {
				t.Errorf("%s hides %s", labels[i].text, labels[j].text)
			}
		}
	}
}

// TestLineColours: the colour of a line of text follows its code as that of a field does, not its confidence, and its label names the code.
func TestLineColours(t *testing.T) {
	for _, tt := range []struct {
		line   appliance.Line
		colour color.NRGBA
	}{
		{appliance.Line{Text: "a", Confidence: 0.2}, colourSure},
		{appliance.Line{Text: "a", Confidence: 0.99, Code: appliance.CodeLowConfidence}, colourFair},
		{appliance.Line{Code: appliance.CodeUnreadable}, colourPoor},
	} {
		tt.line.Quad = upright(40, 40, 200, 60)
		c := newCanvas(greyPicture(256, 256, 128))
		c.reading(appliance.Reading{Lines: []appliance.Line{tt.line}})
		seen := c.img.RGBAAt(120, 40) // on its upper side
		far := func(colour color.NRGBA) float64 {
			return math.Hypot(float64(seen.R)-float64(colour.R), float64(seen.G)-float64(colour.G))
		}
		for _, other := range []color.NRGBA{colourSure, colourFair, colourPoor} {
			if other != tt.colour && far(other) <= far(tt.colour) {
				t.Errorf("%+v is drawn in %v, want %v", tt.line, seen, tt.colour)
			}
		}
	}
}

// TestDrawingForms: the name decides between PNG and JPEG; a colour picture keeps its colours; places far outside the
// picture are no trouble.
func TestDrawingForms(t *testing.T) {
	p := greyPicture(256, 256, 128)
	p.ChromaWidth, p.ChromaHeight = 128, 128
	p.Cb, p.Cr = make([]byte, 128*128), make([]byte, 128*128)
	for i := range p.Cb {
		p.Cb[i], p.Cr[i] = 128, 255
	}
	far := appliance.Reading{Lines: []appliance.Line{{Confidence: 1, Quad: upright(-1e7, 10, 1e7, 20)}, {}}}
	for _, name := range []string{"a.png", "a.jpg", "a.JPEG"} {
		name = filepath.Join(t.TempDir(), name)
		if err := Write(name, p, far); err != nil {
			t.Fatal(err)
		}
		if c := at(readImage(t, name), 240, 160); c.R < 200 || c.B > 150 {
			t.Errorf("%s: the red picture became %v", name, c)
		}
	}
	if err := Write(filepath.Join(t.TempDir(), "none", "a.png"), p, far); err == nil {
		t.Error("no error for a folder that does not exist")
	}
}

func at(m image.Image, x, y int) color.RGBA { return color.RGBAModel.Convert(m.At(x, y)).(color.RGBA) }

// readImage reads a drawing in the form that its name promises.
func readImage(t *testing.T, name string) image.Image {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	decode := jpeg.Decode
	if filepath.Ext(name) == ".png" {
		decode = png.Decode
	}
	m, err := decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
