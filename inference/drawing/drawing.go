// Package drawing draws what was read on a copy of its picture, for people who look.
package drawing

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/inconsolata"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"github.com/bawab/bawab/appliance"
)

// drawnSide is the longest side of a drawing in pixels: enough to read it on a screen, small enough to send.
const drawnSide = 1600

// The colours of a drawing: a field's by the codes that the answer carries for it, a line's by its confidence.
var (
	colourSure  = color.NRGBA{0x1f, 0x9d, 0x55, 0xff}
	colourFair  = color.NRGBA{0xd9, 0x8e, 0x04, 0xff}
	colourPoor  = color.NRGBA{0xd6, 0x33, 0x3f, 0xff}
	colourOther = color.NRGBA{0x6b, 0x72, 0x80, 0xff}
	colourPaper = color.NRGBA{0xff, 0xff, 0xff, 0xff}
	colourShade = color.NRGBA{0x00, 0x00, 0x00, 0x70}
	colourInk   = color.NRGBA{0x11, 0x18, 0x27, 0xe6}
)

// colourOf follows what the answer says of a field or line: what carries no code asks nobody to compare it, however sure it is.
func colourOf(text string, codes []appliance.Code) color.NRGBA {
	switch {
	case text == "" || slices.Contains(codes, appliance.CodeUnreadable):
		return colourPoor
	case len(codes) > 0:
		return colourFair
	}
	return colourSure
}

// Write draws a reading on its picture and writes it into a file as PNG, or as JPEG where the name ends so.
func Write(name string, p *appliance.Picture, r appliance.Reading) error {
	c := newCanvas(p)
	c.reading(r)
	var b bytes.Buffer
	var err error
	switch strings.ToLower(filepath.Ext(name)) {
	case ".jpg", ".jpeg":
		err = jpeg.Encode(&b, c.img, &jpeg.Options{Quality: 85})
	default:
		err = png.Encode(&b, c.img)
	}
	if err != nil {
		return fmt.Errorf("encode drawing: %w", err)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil { // it shows personal data
		return &appliance.Error{Op: "write drawing", Msg: err.Error(), Hint: "name a file in a folder that you may write to"}
	}
	return nil
}

// imageOf is a Picture as the drawing packages of Go take it fast: grey, or with as much colour as brightness.
func imageOf(p *appliance.Picture) image.Image {
	r := image.Rect(0, 0, p.Width, p.Height)
	if len(p.Cb) == 0 {
		return &image.Gray{Pix: p.Y, Stride: p.Width, Rect: r}
	}
	m := &image.YCbCr{
		Y: p.Y, Cb: make([]byte, len(p.Y)), Cr: make([]byte, len(p.Y)), YStride: p.Width, CStride: p.Width,
		SubsampleRatio: image.YCbCrSubsampleRatio444, Rect: r,
	}
	for y := range p.Height {
		row := y * p.ChromaHeight / p.Height * p.ChromaWidth
		for x := range p.Width {
			from := row + x*p.ChromaWidth/p.Width
			m.Cb[y*p.Width+x], m.Cr[y*p.Width+x] = p.Cb[from], p.Cr[from]
		}
	}
	return m
}

// canvas is a drawing under way.
type canvas struct {
	img   *image.RGBA
	face  font.Face
	scale float64 // pixels of the drawing for each of the picture
	unit  float64 // a thin line in pixels of the drawing
	taken []image.Rectangle
}

// newCanvas puts the picture on a canvas, made smaller where it is larger than a drawing may be. Its letters are 16 pixels high, as suits a drawing of that size: a font of
// outlines would be larger than the program may be.
func newCanvas(p *appliance.Picture) *canvas {
	long := max(p.Width, p.Height)
	scale := min(1, float64(drawnSide)/float64(long))
	size := image.Rect(0, 0, max(int(float64(p.Width)*scale), 1), max(int(float64(p.Height)*scale), 1))
	c := &canvas{img: image.NewRGBA(size), scale: scale, unit: max(float64(max(size.Dx(), size.Dy()))/900, 1), face: inconsolata.Bold8x16}
	from := imageOf(p)
	draw.BiLinear.Scale(c.img, size, from, from.Bounds(), draw.Src, nil)
	return c
}

// reading draws documents, their fields, and lines.
func (c *canvas) reading(r appliance.Reading) {
	if len(r.Documents) > 0 {
		var outlines []appliance.Quad
		for _, d := range r.Documents {
			outlines = append(outlines, d.Quad)
		}
		c.shade(outlines)
	}
	for _, o := range r.Others {
		c.outline(o.Quad, 2, colourOther)
	}
	var labels []label
	for i := range r.Documents {
		labels = append(labels, c.document(&r.Documents[i])...)
	}
	for _, o := range r.Others {
		labels = append(labels, label{c.box(o.Quad), string(o.Kind) + ", not read", colourOther})
	}
	for i, l := range r.Lines {
		text, codes := fmt.Sprint(i+1), []appliance.Code(nil)
		if l.Code != 0 {
			text, codes = fmt.Sprintf("%d %d", i+1, l.Code), []appliance.Code{l.Code}
		}
		colour := colourOf(l.Text, codes)
		c.mark(l.Quad, colour)
		labels = append(labels, label{c.box(l.Quad), text, colour})
	}
	c.labels(labels)
	c.legend(r)
}

// document draws one document and returns the labels of its fields and of itself.
func (c *canvas) document(d *appliance.Document) []label {
	c.outline(d.Quad, 5, colourInk)
	c.outline(d.Quad, 2.5, colourPaper)
	var labels []label
	for _, f := range d.Fields {
		if f.Quad == (appliance.Quad{}) {
			continue
		}
		codes := d.Codes(f.Name)
		colour := colourOf(f.Value, codes)
		c.mark(f.Quad, colour)
		text := fmt.Sprintf("%s %.0f %% %s", f.Name, 100*f.Confidence, strings.Trim(fmt.Sprint(codes), "[]"))
		labels = append(labels, label{c.box(f.Quad), strings.TrimSpace(text), colour})
	}
	if d.Quad != (appliance.Quad{}) {
		corner := image.Rectangle{Min: c.box(d.Quad).Min, Max: c.box(d.Quad).Min}
		labels = append(labels, label{corner, string(d.Kind), colourInk})
	}
	return labels
}

// mark draws the place of a text.
func (c *canvas) mark(q appliance.Quad, colour color.NRGBA) {
	fill := colour
	fill.A = 0x38
	c.fill(fill, c.points(q))
	c.outline(q, 1.6, colour)
}

// points maps a quad to the drawing.
func (c *canvas) points(q appliance.Quad) []appliance.Point {
	out := make([]appliance.Point, len(q))
	for i, p := range q {
		out[i] = appliance.Point{X: p.X * c.scale, Y: p.Y * c.scale}
	}
	return out
}

// box is the upright rectangle around a quad, in the drawing.
func (c *canvas) box(q appliance.Quad) image.Rectangle { return bounds(c.points(q)) }

func bounds(points []appliance.Point) image.Rectangle {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, p := range points {
		x0, y0, x1, y1 = min(x0, p.X), min(y0, p.Y), max(x1, p.X), max(y1, p.Y)
	}
	return image.Rect(int(math.Floor(x0)), int(math.Floor(y0)), int(math.Ceil(x1)), int(math.Ceil(y1)))
}

// shade darkens everything outside the quads.
func (c *canvas) shade(quads []appliance.Quad) {
	r := c.img.Bounds()
	w, h := float64(r.Dx()), float64(r.Dy())
	paths := [][]appliance.Point{{{X: 0, Y: 0}, {X: w, Y: 0}, {X: w, Y: h}, {X: 0, Y: h}}}
	for _, q := range quads {
		if q == (appliance.Quad{}) {
			return // the place of a document is not known, so it might be what gets dark
		}
		p := c.points(q)
		paths = append(paths, []appliance.Point{p[3], p[2], p[1], p[0]}) // against the sense of the frame: a hole
	}
	c.fill(colourShade, paths...)
}

// outline draws the edges of a quad, width in units.
func (c *canvas) outline(q appliance.Quad, width float64, colour color.NRGBA) {
	if q == (appliance.Quad{}) {
		return
	}
	half := width * c.unit / 2
	points := c.points(q)
	for i, a := range points {
		b := points[(i+1)%len(points)]
		length := max(math.Hypot(b.X-a.X, b.Y-a.Y), 1e-6)
		dx, dy := (b.X-a.X)/length*half, (b.Y-a.Y)/length*half
		c.fill(colour, []appliance.Point{
			{X: a.X - dx + dy, Y: a.Y - dy - dx},
			{X: b.X + dx + dy, Y: b.Y + dy - dx},
			{X: b.X + dx - dy, Y: b.Y + dy + dx},
			{X: a.X - dx - dy, Y: a.Y - dy + dx},
		})
	}
}

// fill fills paths; one inside another in the opposite sense is a hole.
func (c *canvas) fill(colour color.NRGBA, paths ...[]appliance.Point) {
	var all []appliance.Point
	for _, p := range paths {
		all = append(all, p...)
	}
	r := bounds(all).Intersect(c.img.Bounds())
	if r.Empty() {
		return
	}
	raster := vector.NewRasterizer(r.Dx(), r.Dy())
	at := func(p appliance.Point) (x, y float32) {
		// The rasterizer wants coordinates near its own area; the part of a document that lies outside is cut off here.
		return float32(min(max(p.X-float64(r.Min.X), -4096), 8192)), float32(min(max(p.Y-float64(r.Min.Y), -4096), 8192))
	}
	for _, path := range paths {
		raster.MoveTo(at(path[0]))
		for _, p := range path[1:] {
			raster.LineTo(at(p))
		}
		raster.ClosePath()
	}
	raster.Draw(c.img, r, image.NewUniform(colour), image.Point{})
}

// label is a text beside the rectangle that it belongs to.
type label struct {
	of     image.Rectangle
	text   string
	colour color.NRGBA
}

// labels writes all labels, and lines between them and what they belong to where the two are apart.
func (c *canvas) labels(all []label) {
	for _, l := range all {
		c.taken = append(c.taken, l.of)
	}
	places := make([]image.Rectangle, len(all))
	for i, l := range all {
		places[i] = c.place(l)
		c.leader(places[i], l)
	}
	for i, l := range all {
		c.write(places[i], l.text, l.colour)
	}
}

// labelRows is how many rows of labels above and below a place are tried before one may hide another.
const labelRows = 6

// place takes a place for a label near its rectangle, where it hides least of what else is drawn.
func (c *canvas) place(l label) image.Rectangle {
	size := c.textSize(l.text)
	gap := int(2 * c.unit)
	var best image.Rectangle
	least := math.MaxInt
	room := c.img.Bounds().Max.Sub(size)
	try := func(x, y, rank int) {
		min := image.Pt(max(min(x, room.X), 0), max(min(y, room.Y), 0))
		r := image.Rectangle{min, min.Add(size)}
		cost := rank * area(r) / 8
		for _, t := range c.taken {
			cost += 4 * area(r.Inset(-gap/2).Intersect(t))
		}
		if cost < least {
			least, best = cost, r
		}
	}
	for row := range labelRows {
		step := row * (size.Y + gap)
		for _, x := range []int{l.of.Min.X, l.of.Max.X - size.X, (l.of.Min.X + l.of.Max.X - size.X) / 2} {
			try(x, l.of.Min.Y-size.Y-gap-step, 2*row)
			try(x, l.of.Max.Y+gap+step, 2*row+1)
		}
	}
	try(l.of.Max.X+gap, l.of.Min.Y, 1)
	try(l.of.Min.X-size.X-gap, l.of.Min.Y, 1)
	c.taken = append(c.taken, best)
	return best
}

// leader draws the line from a label that is not beside its rectangle.
func (c *canvas) leader(r image.Rectangle, l label) {
	from, to := r.Max.Y, l.of.Min.Y // the label is above
	if r.Min.Y > l.of.Max.Y {
		from, to = l.of.Max.Y, r.Min.Y
	}
	if to-from <= r.Dy() {
		return
	}
	x := float64(min(max((r.Min.X+r.Max.X)/2, l.of.Min.X), l.of.Max.X))
	half := 0.6 * c.unit
	c.fill(l.colour, []appliance.Point{
		{X: x - half, Y: float64(from)},
		{X: x + half, Y: float64(from)},
		{X: x + half, Y: float64(to)},
		{X: x - half, Y: float64(to)},
	})
}

func area(r image.Rectangle) int { return r.Dx() * r.Dy() }

// textSize is the size of a text with the room around it.
func (c *canvas) textSize(text string) image.Point {
	m := c.face.Metrics()
	return image.Pt(font.MeasureString(c.face, text).Ceil()+int(8*c.unit), (m.Ascent+m.Descent).Ceil()+int(2*c.unit))
}

// write puts a text in white on a plate.
func (c *canvas) write(r image.Rectangle, text string, plate color.NRGBA) {
	plate.A = 0xe6
	draw.Draw(c.img, r, image.NewUniform(plate), image.Point{}, draw.Over)
	base := fixed.P(r.Min.X+int(4*c.unit), r.Min.Y+int(c.unit)).Add(fixed.Point26_6{Y: c.face.Metrics().Ascent})
	d := font.Drawer{Dst: c.img, Src: image.NewUniform(colourPaper), Face: c.face, Dot: base}
	d.DrawString(text)
}

// meanings says what each colour means.
func meanings() []label {
	return []label{
		{text: "no code", colour: colourSure},
		{text: "a code: compare", colour: colourFair},
		{text: "empty or not readable", colour: colourPoor},
	}
}

// legend explains the colours in the lower left corner, and gives the advice for the next picture.
func (c *canvas) legend(r appliance.Reading) {
	at := image.Pt(int(6*c.unit), c.img.Bounds().Max.Y-int(6*c.unit)-c.textSize("").Y)
	for _, l := range meanings() {
		size := c.textSize(l.text)
		c.write(image.Rectangle{at, at.Add(size)}, l.text, l.colour)
		at.X += size.X + int(3*c.unit)
	}
	for _, d := range r.Documents {
		if d.Capture.Advice != "" {
			size := c.textSize(d.Capture.Advice)
			c.write(image.Rectangle{at, at.Add(size)}, d.Capture.Advice, colourInk)
			at.Y -= size.Y + int(3*c.unit)
		}
	}
}
