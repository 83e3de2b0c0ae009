package fraud

import (
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/vision"
)

// cue returns a cue of a document.
func cue(t *testing.T, d *Detector, p *appliance.Picture, doc appliance.Document, name string) appliance.Cue {
	t.Helper()
	cues, err := d.Examine(t.Context(), p, doc)
	i := slices.IndexFunc(cues, func(c appliance.Cue) bool { return c.Name == name })
	if err != nil || i < 0 {
		t.Fatalf("%s: %v, %v", name, cues, err)
	}
	return cues[i]
}

// printed is the drawn print with its document.
func printed(t *testing.T) (*appliance.Picture, appliance.Document) {
	t.Helper()
	all := fixtures(t)
	i := slices.IndexFunc(all, func(f fixture) bool { return f.Attack == PrintedCopy })
	if i < 0 {
		t.Fatal("no print among the fixtures")
	}
	return all[i].picture(t), all[i].document()
}

// TestNotJudged proves that a print counts where the picture can show one and does not, with the reason, where the document is small, the
// picture blurred, the document printed on a ground of dots, or the picture around it looks just the same.
func TestNotJudged(t *testing.T) {
	d := product(t)
	p, doc := printed(t)
	for _, f := range fixtures(t) {
		if c := cue(t, d, f.picture(t), f.document(), PrintedCopy); f.Attack == PrintedCopy && (!c.Raised() || c.NotJudged != "") {
			t.Fatalf("the print: %+v", c)
		}
	}
	blurred := doc
	blurred.Capture.Blurred = true
	small := doc
	middle := vision.Middle(doc.Quad)
	for i, at := range doc.Quad {
		small.Quad[i] = appliance.Point{
			X: middle.X + (at.X-middle.X)*0.9*judgedSide/shortest(doc.Quad),
			Y: middle.Y + (at.Y-middle.Y)*0.9*judgedSide/shortest(doc.Quad),
		}
	}
	wide, alike := tiled(p, doc.Quad)
	dotty, card := onDots(fixtures(t)[0].picture(t), fixtures(t)[0].document())
	for _, test := range []struct {
		reason string
		p      *appliance.Picture
		doc    appliance.Document
	}{
		{NotJudgedBlurred, p, blurred},
		{NotJudgedSmall, p, small},
		{NotJudgedPattern, dotty, card},
		{NotJudgedCamera, wide, appliance.Document{Kind: doc.Kind, Quad: alike}},
	} {
		c := cue(t, d, test.p, test.doc, PrintedCopy)
		if c.Threshold == 0 || c.Score < c.Threshold || c.NotJudged != test.reason || c.Raised() {
			t.Errorf("%s: %+v", test.reason, c)
		}
	}
}

// onDots prints a ground of dots over a picture with a document.
func onDots(p *appliance.Picture, doc appliance.Document) (*appliance.Picture, appliance.Document) {
	ground := dotted(vision.Distance(doc.Quad[0], doc.Quad[1])/90, 40)
	for i, v := range p.Y {
		p.Y[i] = byte(max(0, float64(v)+ground(i%p.Width, i/p.Width)-200))
	}
	return p, doc
}

// tiled covers a picture with what lies in the middle of a document, again and again, and returns the outline of a document of its size
// in it.
func tiled(p *appliance.Picture, q appliance.Quad) (*appliance.Picture, appliance.Quad) {
	middle := vision.Middle(q)
	width, height := 480, 288 // even, and not many times a patch
	left, top := (int(middle.X)-width/2)&^1, (int(middle.Y)-height/2)&^1
	out := &appliance.Picture{Width: 3 * width, Height: 5 * height}
	tile := func(plane []byte, stride, x0, y0, w, h, columns, rows int) []byte {
		var b []byte
		for y := range rows {
			for x := range columns {
				b = append(b, plane[(y0+y%h)*stride+x0+x%w])
			}
		}
		return b
	}
	out.Y = tile(p.Y, p.Width, left, top, width, height, out.Width, out.Height)
	by := p.Width / p.ChromaWidth
	out.ChromaWidth, out.ChromaHeight = out.Width/by, out.Height/by
	for from, to := range map[*[]byte]*[]byte{&p.Cb: &out.Cb, &p.Cr: &out.Cr} {
		*to = tile(*from, p.ChromaWidth, left/by, top/by, width/by, height/by, out.ChromaWidth, out.ChromaHeight)
	}
	w, h := float64(out.Width), float64(out.Height)
	return out, vision.RectQuad(0.2*w, 0.3*h, 0.8*w, 0.7*h)
}

// TestUnsure proves what evidence counts: loud patches that are louder than those around, or, where nothing lies around, very loud ones.
func TestUnsure(t *testing.T) {
	for name, test := range map[string]struct {
		cue                     string
		all, most, surroundings float64
		around                  float64
		n                       int
		want                    string
	}{
		"a print on a desk":            {PrintedCopy, 3.5, 4.4, -1, -3, 12, ""},
		"noise of a bright card":       {PrintedCopy, 2.8, 4.2, -1, -5, 12, NotJudgedCamera},
		"the camera's noise":           {PrintedCopy, 3, 4, -1, 2, 12, NotJudgedCamera},
		"a faint one":                  {PrintedCopy, 1.2, 3, -1, -5, 12, NotJudgedCamera},
		"surroundings alone":           {PrintedCopy, -0.7, 0.8, 3, -5, 12, NotJudgedWeak},
		"a print of a whole picture":   {PrintedCopy, 2, 3.1, 1.9, 2, 12, ""},
		"very loud noise":              {PrintedCopy, 4, 5, -3, 5, 12, NotJudgedCamera},
		"a display that fills all":     {ScreenReplay, 4, 5, -3, 5, 12, ""},
		"a display that goes on":       {ScreenReplay, 3, 4.2, -1, 2.3, 12, ""},
		"a picture cut out, loud":      {PrintedCopy, 4, 5, -1, 0, 0, ""},
		"a picture cut out, less loud": {PrintedCopy, 3, 4, -1, 0, 0, NotJudgedWeak},
	} {
		sign := Sign{Name: test.cue, Measures: []float64{test.all, test.most, test.surroundings}}
		if got := unsure(sign, test.around, test.n); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
