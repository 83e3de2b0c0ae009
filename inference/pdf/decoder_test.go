package pdf

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/ascii85"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/decode"
)

// writer makes a PDF; object n is objects[n-1].
type writer struct{ objects []string }

func (w *writer) add(body string) int {
	w.objects = append(w.objects, body)
	return len(w.objects)
}

func (w *writer) stream(entries string, data []byte) int {
	return w.add(fmt.Sprintf("<<%s/Length %d>>\nstream\n%s\nendstream", entries, len(data), data))
}

// classic writes a table of objects as text; trailer holds further entries.
func (w *writer) classic(root int, trailer string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
	var at []int
	for i, body := range w.objects {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, body)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, o := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d/Root %d 0 R%s>>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, root, trailer, start)
	return b.Bytes()
}

// packed writes objects without a stream into an object stream and the table as a stream, its differences as in PNG.
func (w *writer) packed(root int) []byte {
	var b, inner, index bytes.Buffer
	b.WriteString("%PDF-1.5\n")
	rows := [][3]int{{0, 0, 0}}
	count := 0
	pack := len(w.objects) + 1
	for i, body := range w.objects {
		if strings.Contains(body, "stream") {
			rows = append(rows, [3]int{1, b.Len(), 0})
			fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, body)
			continue
		}
		rows = append(rows, [3]int{2, pack, count})
		fmt.Fprintf(&index, "%d %d ", i+1, inner.Len())
		inner.WriteString(body + " ")
		count++
	}
	first := index.Len()
	index.Write(inner.Bytes())
	data := deflate(index.Bytes())
	rows = append(rows, [3]int{1, b.Len(), 0})
	fmt.Fprintf(
		&b,
		"%d 0 obj\n<</Type/ObjStm/N %d/First %d/Filter/FlateDecode/Length %d>>\nstream\n%s\nendstream\nendobj\n",
		pack,
		count,
		first,
		len(data),
		data,
	)
	start := b.Len()
	rows = append(rows, [3]int{1, start, 0})
	var table []byte
	before := make([]byte, 6)
	for _, r := range rows {
		row := []byte{byte(r[0]), byte(r[1] >> 24), byte(r[1] >> 16), byte(r[1] >> 8), byte(r[1]), byte(r[2])}
		table = append(table, 2)
		for i, v := range row {
			table = append(table, v-before[i])
		}
		before = row
	}
	data = deflate(table)
	fmt.Fprintf(
		&b,
		"%d 0 obj\n<</Type/XRef/W[1 4 1]/Size %d/Root %d 0 R/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 6>>"+
			"/Length %d>>\nstream\n%s\nendstream\nendobj\nstartxref\n%d\n%%%%EOF",
		pack+1,
		pack+2,
		root,
		len(data),
		data,
		start,
	)
	return b.Bytes()
}

func deflate(b []byte) []byte {
	var out bytes.Buffer
	z := zlib.NewWriter(&out)
	_, _ = z.Write(b)
	_ = z.Close()
	return out.Bytes()
}

// document makes a document of pages, each with its content and the picture Im; attributes go into every page.
func document(attributes, content string, pictures ...func(*writer) int) (*writer, int) {
	var w writer
	pages := w.add("")
	var kids strings.Builder
	for _, picture := range pictures {
		im := picture(&w)
		text := w.stream("", []byte(content))
		kid := w.add(
			fmt.Sprintf(
				"<</Type/Page/Parent %d 0 R/MediaBox[0 0 200 100]/Contents %d 0 R/Resources<</XObject<</Im %d 0 R>>>>%s>>",
				pages,
				text,
				im,
				attributes,
			),
		)
		fmt.Fprintf(&kids, "%d 0 R ", kid)
	}
	w.objects[pages-1] = fmt.Sprintf("<</Type/Pages/Count %d/Kids[%s]>>", len(pictures), kids.String())
	return &w, w.add(fmt.Sprintf("<</Type/Catalog/Pages %d 0 R>>", pages))
}

// whole fills the page.
const whole = "q 200 0 0 100 0 0 cm /Im Do Q"

// quarters is a picture of 160 x 80 in four colours: red and green above blue and white.
func quarters() *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, 160, 80))
	for y := range 80 {
		for x := range 160 {
			m.Set(x, y, []color.RGBA{{220, 20, 20, 255}, {20, 200, 20, 255}, {20, 20, 220, 255}, {255, 255, 255, 255}}[y/40*2+x/80])
		}
	}
	return m
}

func rgb(m *image.RGBA) []byte {
	var b []byte
	for i := 0; i < len(m.Pix); i += 4 {
		b = append(b, m.Pix[i:i+3]...)
	}
	return b
}

const size = "/Type/XObject/Subtype/Image/Width 160/Height 80"

func deviceRGB(entries string, data []byte) func(*writer) int {
	return func(w *writer) int {
		return w.stream(size+"/BitsPerComponent 8/ColorSpace/DeviceRGB"+entries, data)
	}
}

// codings are pictures of quarters by how they are coded.
func codings(t testing.TB) map[string]func(*writer) int {
	t.Helper()
	m := quarters()
	pix := rgb(m)
	var jpg, file bytes.Buffer
	if err := errors.Join(jpeg.Encode(&jpg, m, &jpeg.Options{Quality: 95}), png.Encode(&file, opaque{m})); err != nil {
		t.Fatal(err)
	}
	idat := chunks(file.Bytes(), "IDAT")
	var armoured bytes.Buffer
	a := ascii85.NewEncoder(&armoured)
	_, _ = a.Write(deflate(pix))
	_ = a.Close()
	differences := bytes.Clone(pix)
	for y := range 80 {
		for i := 479; i >= 3; i-- {
			differences[480*y+i] -= differences[480*y+i-3]
		}
	}
	var runs []byte
	for b := pix; len(b) > 0; b = b[min(128, len(b)):] {
		n := min(128, len(b))
		runs = append(append(runs, byte(n-1)), b[:n]...)
	}
	var indexed, negative []byte
	for y := range 80 {
		for x := 0; x < 160; x += 4 {
			indexed = append(indexed, byte(y/40*2+x/80)*0x55)
		}
	}
	for _, v := range pix {
		negative = append(negative, 255-v)
	}
	return map[string]func(*writer) int{
		"plain":             deviceRGB("", pix),
		"Flate":             deviceRGB("/Filter/FlateDecode", deflate(pix)),
		"Flate, TIFF":       deviceRGB("/Filter/FlateDecode/DecodeParms<</Predictor 2/Colors 3/Columns 160>>", deflate(differences)),
		"Flate, PNG":        deviceRGB("/Filter/FlateDecode/DecodeParms[<</Predictor 15/Colors 3/Columns 160>>]", idat),
		"armoured":          deviceRGB("/Filter[/ASCII85Decode/FlateDecode]", append(armoured.Bytes(), "~>"...)),
		"hexadecimal":       deviceRGB("/Filter/ASCIIHexDecode", []byte(hex.EncodeToString(pix)+">")),
		"runs":              deviceRGB("/Filter/RunLengthDecode", append(runs, 128)),
		"JPEG":              deviceRGB("/Filter/DCTDecode", jpg.Bytes()),
		"JPEG within Flate": deviceRGB("/Filter[/FlateDecode/DCTDecode]", deflate(jpg.Bytes())),
		"negative":          deviceRGB("/Decode[1 0 1 0 1 0]", negative),
		"indexed": func(w *writer) int {
			return w.stream(size+"/BitsPerComponent 2/ColorSpace[/Indexed/DeviceRGB 3<dc141414c8141414dcffffff>]", indexed)
		},
		"profile": func(w *writer) int {
			profile := w.stream("/N 3", []byte("profile"))
			return w.stream(fmt.Sprintf(size+"/BitsPerComponent 8/ColorSpace[/ICCBased %d 0 R]", profile), pix)
		},
	}
}

// opaque keeps the PNG writer from an alpha channel.
type opaque struct{ *image.RGBA }

func (opaque) Opaque() bool { return true }

// chunks joins the data of a PNG's chunks of a kind.
func chunks(b []byte, kind string) (out []byte) {
	for b = b[8:]; len(b) >= 12; {
		n := int(b[0])<<24 | int(b[1])<<16 | int(b[2])<<8 | int(b[3])
		if string(b[4:8]) == kind {
			out = append(out, b[8:8+n]...)
		}
		b = b[12+n:]
	}
	return out
}

// corners returns the luma near the four corners, clockwise from the upper left one.
func corners(p *appliance.Picture) [4]int {
	x0, y0, x1, y1 := p.Width/5, p.Height/5, p.Width*4/5, p.Height*4/5
	var out [4]int
	for i, at := range [][2]int{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}} {
		out[i] = int(p.Y[at[1]*p.Width+at[0]])
	}
	return out
}

// upRight are the corners of quarters: red, green, white, blue.
var upRight = [4]int{80, 126, 255, 43}

func near(a, b [4]int) bool {
	for i := range a {
		if a[i] < b[i]-6 || a[i] > b[i]+6 {
			return false
		}
	}
	return true
}

// TestCodings proves that a page gives the picture that fills it, however that is coded and the objects are listed.
func TestCodings(t *testing.T) {
	for name, picture := range codings(t) {
		w, root := document("", whole, picture)
		broken := bytes.Replace(w.classic(root, ""), []byte("startxref\n"), []byte("startxref\n9"), 1)
		for how, b := range map[string][]byte{"table": w.classic(root, ""), "packed": w.packed(root), "damaged": broken} {
			p, err := (Decoder{}).DecodePage(t.Context(), b, 1)
			if err != nil {
				t.Errorf("%s, %s: %v", name, how, err)
				continue
			}
			if got := corners(p); p.Width != 160 || p.Height != 80 || !near(got, upRight) {
				t.Errorf("%s, %s: %d x %d, corners %v", name, how, p.Width, p.Height, got)
			}
		}
	}
}

// TestTurns proves that a picture is shown as the page turns and mirrors it.
func TestTurns(t *testing.T) {
	r, g, w, b := upRight[0], upRight[1], upRight[2], upRight[3]
	for name, test := range map[string]struct {
		attributes, content string
		want                [4]int
	}{
		"quarter":     {"/Rotate 90", whole, [4]int{b, r, g, w}},
		"half":        {"/Rotate 180", whole, [4]int{w, b, r, g}},
		"back":        {"/Rotate -90", whole, [4]int{g, w, b, r}},
		"mirrored":    {"", "-200 0 0 100 200 0 cm /Im Do", [4]int{g, r, b, w}},
		"upside down": {"", "200 0 0 -100 0 100 cm /Im Do", [4]int{b, w, g, r}},
	} {
		doc, root := document(test.attributes, test.content, codings(t)["Flate"])
		p, err := (Decoder{}).DecodePage(t.Context(), doc.classic(root, ""), 1)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := corners(p); !near(got, test.want) || (p.Width > p.Height) == strings.Contains("quarter back", name) {
			t.Errorf("%s: %d x %d, corners %v, want %v", name, p.Width, p.Height, got, test.want)
		}
	}
}

// TestTwoOnAPage proves that pictures side by side come out as one, each in its place, within a form too, and that what lets through
// does.
func TestTwoOnAPage(t *testing.T) {
	w, root := document("", "q 90 0 0 45 0 50 cm /Im Do Q q 90 0 0 45 100 0 cm /Im Do Q", codings(t)["Flate"])
	p, err := (Decoder{}).DecodePage(t.Context(), w.classic(root, ""), 1)
	if err != nil {
		t.Fatal(err)
	}
	at := func(p *appliance.Picture, x, y float64) int {
		return int(p.Y[int(y*float64(p.Height))*p.Width+int(x*float64(p.Width))])
	}
	if r, blank, b := at(p, 0.1, 0.1), at(p, 0.8, 0.2), at(p, 0.6, 0.9); r < 74 || r > 86 || blank != 255 || b > 50 {
		t.Errorf("%d x %d: %d, %d, %d", p.Width, p.Height, r, blank, b)
	}
	masked, root := document("", whole, func(w *writer) int {
		mask := w.stream(
			size+"/BitsPerComponent 8/ColorSpace/DeviceGray",
			append(bytes.Repeat([]byte{255}, 80*80), make([]byte, 80*80)...),
		)
		return deviceRGB(fmt.Sprintf("/SMask %d 0 R", mask), rgb(quarters()))(w)
	})
	p, err = (Decoder{}).DecodePage(t.Context(), masked.classic(root, ""), 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := corners(p); !near(got, [4]int{upRight[0], upRight[1], 255, 255}) {
		t.Errorf("masked: %v", got)
	}
}

// TestPages proves that each page is found, and that one which a file does not have is the caller's mistake.
func TestPages(t *testing.T) {
	c := codings(t)
	w, root := document("", whole, c["Flate"], c["negative"], c["JPEG"])
	for name, b := range map[string][]byte{"table": w.classic(root, ""), "packed": w.packed(root)} {
		for page := 1; page <= 3; page++ {
			if _, err := (Decoder{}).DecodePage(t.Context(), b, page); err != nil {
				t.Errorf("%s, page %d: %v", name, page, err)
			}
		}
		for _, page := range []int{4, maxPages, maxPages + 1} {
			if _, err := (Decoder{}).DecodePage(t.Context(), b, page); appliance.CodeOf(err) != appliance.CodeBadRequest {
				t.Errorf("%s, page %d: %v", name, page, err)
			}
		}
	}
	if _, err := (Decoder{}).Decode(t.Context(), w.classic(root, "")); appliance.CodeOf(err) != appliance.CodePictureKind {
		t.Errorf("as a picture: %v", err)
	}
}

// hostile are files that ask for too much or are of kinds that are not read, with their codes.
func hostile() map[string]struct {
	file []byte
	code appliance.Code
} {
	type entry = struct {
		file []byte
		code appliance.Code
	}
	pix := rgb(quarters())
	plain := deviceRGB("", pix)
	made := func(attributes, content, trailer string, pictures ...func(*writer) int) []byte {
		w, root := document(attributes, content, pictures...)
		return w.classic(root, trailer)
	}
	form := func(entries, content string) func(*writer) int {
		return func(w *writer) int {
			n := len(w.objects) + 1
			return w.stream(fmt.Sprintf("/Subtype/Form/Resources<</XObject<</Im %d 0 R>>>>%s", n, entries), []byte(content))
		}
	}
	image := func(entries string, data []byte) func(*writer) int {
		return func(w *writer) int {
			return w.stream("/Subtype/Image/BitsPerComponent 8/ColorSpace/DeviceGray"+entries, data)
		}
	}
	bomb := deflate(make([]byte, maxInflated+1<<20))
	loop := writer{objects: []string{"<</Kids[1 0 R 2 0 R 1 0 R]>>", "<</Kids[2 0 R 1 0 R]>>", "<</Pages 1 0 R>>"}}
	bare := writer{objects: []string{"<</Pages<</Kids[]/Count 0>>>>"}}
	var many writer
	var kids strings.Builder
	for i := range 9_000 {
		fmt.Fprintf(&kids, "%d 0 R ", i+3)
	}
	many.objects = append(many.objects, "<</Kids["+kids.String()+"]/Count 10000>>", "<</Pages 1 0 R>>")
	for range 9_000 {
		many.add("<</Type/Page/MediaBox[0 0 10 10]>>")
	}
	deep := "%PDF-1.4\n1 0 obj " + strings.Repeat("[", 100_000) + "\nendobj\ntrailer <</Root 1 0 R>>\nstartxref\n9\n"
	return map[string]entry{
		"encrypted":           {made("", whole, "/Encrypt<</Filter/Standard>>", plain), appliance.CodePictureKind},
		"text alone":          {made("", "BT (words) Tj ET", "", plain), appliance.CodePictureKind},
		"a stamp within text": {made("", "BT (words) Tj ET q 20 0 0 10 0 0 cm /Im Do Q", "", plain), appliance.CodePictureKind},
		"nothing":             {made("", "", "", plain), appliance.CodePictureKind},
		"JPEG 2000":           {made("", whole, "", deviceRGB("/Filter/JPXDecode", pix)), appliance.CodePictureKind},
		"JBIG2":               {made("", whole, "", deviceRGB("/Filter/JBIG2Decode", pix)), appliance.CodePictureKind},
		"form within itself":  {made("", whole, "", form("", "/Im Do")), appliance.CodePictureKind},
		"forms that multiply": {made("", whole, "", form("", strings.Repeat("/Im Do ", 1000))), appliance.CodePictureKind},
		"many pictures":       {made("", strings.Repeat(whole+" ", 1000), "", plain), appliance.CodePictureKind},
		"content that inflates": {made("", whole, "", func(w *writer) int {
			return w.stream("/Subtype/Form/Filter/FlateDecode", bomb)
		}), appliance.CodePictureKind},
		"picture that inflates": {
			made("", whole, "", image("/Width 64/Height 64/Filter[/FlateDecode/ASCIIHexDecode]", bomb)),
			appliance.CodePictureKind,
		},
		"huge picture": {
			made("", whole, "", image("/Width 16000/Height 16000/Filter/FlateDecode", bomb)),
			appliance.CodePicturePixels,
		},
		"picture too long": {
			made("", whole, "", image("/Width 20000/Height 100/Filter/FlateDecode", deflate(make([]byte, 2_000_000)))),
			appliance.CodePicturePixels,
		},
		"lying picture": {
			made("", whole, "", image("/Width 5000/Height 5000/Filter/FlateDecode", deflate(pix))),
			appliance.CodePictureBroken,
		},
		"thin picture": {
			made("", whole, "", image("/Width 5000/Height 10", make([]byte, 50_000))),
			appliance.CodePictureTooThin,
		},
		"no size":            {made("", whole, "", image("", pix)), appliance.CodePictureKind},
		"tree that loops":    {loop.classic(3, ""), appliance.CodePictureBroken},
		"tree without pages": {bare.classic(1, ""), appliance.CodePictureBroken},
		"thousands of pages": {many.classic(2, ""), appliance.CodePictureKind},
		"deep":               {[]byte(deep), appliance.CodePictureBroken},
		"head alone":         {[]byte("%PDF-1.7\n"), appliance.CodePictureBroken},
		"numbers": {
			append([]byte("%PDF-1.7\n1 0 obj ["), bytes.Repeat([]byte("1 "), 3<<20)...),
			appliance.CodePictureBroken,
		},
	}
}

// TestHostileFiles proves that what asks for much is answered by a code, for a bounded amount of memory.
func TestHostileFiles(t *testing.T) {
	for name, test := range hostile() {
		var err error
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err = (Decoder{}).DecodePage(t.Context(), test.file, 1)
		runtime.ReadMemStats(&after)
		if appliance.CodeOf(err) != test.code || errors.Is(err, errPanic) {
			t.Errorf("%s: %v", name, err)
		}
		if used := int(after.TotalAlloc - before.TotalAlloc); used > bound(len(test.file)) {
			t.Errorf("%s: %d bytes allocated", name, used)
		}
	}
}

// TestWorkIsCharged proves that what is gone through, comes out of streams and is decoded counts, each time it is, whether it makes
// tokens or not: files that ask for more of it than their few tokens show are refused for that, and a form that is drawn many times is
// unpacked once.
func TestWorkIsCharged(t *testing.T) {
	pix := rgb(quarters())
	const many, long = 1000, 1 << 20
	blank := strings.Repeat(" ", long)
	content := func(content string, picture func(*writer) int) []byte {
		w, root := document("", content, picture)
		return w.classic(root, "")
	}
	form := func(entries, content string) func(*writer) int {
		return func(w *writer) int { return w.stream("/Subtype/Form"+entries, []byte(content)) }
	}
	contents := func(entries, data string) []byte {
		var w writer
		at := w.stream(entries, []byte(data))
		page := w.add(fmt.Sprintf("<</Type/Page/Contents[%s]>>", strings.Repeat(fmt.Sprintf("%d 0 R ", at), many)))
		kids := w.add(fmt.Sprintf("<</Kids[%d 0 R]>>", page))
		return w.classic(w.add(fmt.Sprintf("<</Pages %d 0 R>>", kids)), "")
	}
	drawn := strings.Repeat("/Im Do ", many)
	empty := string(deflate(nil)) + blank // nothing comes out of it
	for name, file := range map[string][]byte{
		"white space":             content(drawn, form("", blank)),
		"a comment":               content(drawn, form("", "%"+blank)),
		"a string":                content(drawn, form("", "("+blank+")")),
		"a string that is open":   content(drawn, form("", "("+blank)),
		"hexadecimal digits":      content(drawn, form("", "<"+blank+">")),
		"digits that are open":    content(drawn, form("", "<"+blank)),
		"a name":                  content(drawn, form("", "/"+strings.Repeat("x", long))),
		"a picture that is open":  content(drawn, form("", "BI"+blank)),
		"trailers that are open":  []byte("%PDF-1.4\n" + strings.Repeat("trailer(", 1<<17)),
		"contents as they are":    contents("", blank),
		"contents of white space": contents("/Filter/ASCIIHexDecode", blank),
		"contents of nothing":     contents("/Filter/FlateDecode", empty),
		"contents of digits":      contents("/Filter/ASCIIHexDecode", strings.Repeat("20", long/2)),
		"contents of differences": contents("/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 65536>>", empty),
	} {
		if _, err := (Decoder{}).DecodePage(t.Context(), file, 1); !errors.Is(err, errBounds) {
			t.Errorf("%s: %v", name, err)
		}
	}
	masks := content(strings.Repeat("q 200 0 0 100 0 0 cm /Im Do Q ", 3), func(w *writer) int {
		const side = 5000 // three such masks are more than maxPixels
		shape := fmt.Sprintf("/Width %d/Height %d/BitsPerComponent 1/ColorSpace/DeviceGray/Filter/FlateDecode", side, side)
		mask := w.stream(shape, deflate(make([]byte, side*side/8)))
		return deviceRGB(fmt.Sprintf("/SMask %d 0 R", mask), pix)(w)
	})
	if _, err := (Decoder{}).DecodePage(t.Context(), masks, 1); !errors.Is(err, errBounds) {
		t.Errorf("masks: %v", err)
	}

	f, err := open(t.Context(), content(drawn, form("/Filter/FlateDecode", string(deflate([]byte(strings.Repeat("q Q ", 10)))))))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.page(1); err != nil {
		t.Fatal(err)
	}
	if out := maxInflated - f.inflated; out != len(drawn)+len("q Q ")*10 {
		t.Errorf("%d bytes came out of a form of %d and its page of %d", out, len("q Q ")*10, len(drawn))
	}
}

// bound is what one page may allocate in all: copies of the file, what its streams hold, objects, and the canvas.
func bound(file int) int { return 8*file + 4*maxInflated + 100*maxTokens/2 + 6*maxCanvas }

// TestGone proves that nothing is decoded on for a caller who has gone.
func TestGone(t *testing.T) {
	w, root := document("", whole, codings(t)["Flate"])
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (Decoder{}).DecodePage(ctx, w.classic(root, ""), 1); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// FuzzDecode proves that no bytes make the decoder panic, take memory beyond its bound or fail without a code.
func FuzzDecode(f *testing.F) {
	for _, picture := range codings(f) {
		w, root := document("/Rotate 90", whole, picture)
		f.Add(w.classic(root, ""), 1)
		f.Add(w.packed(root), 1)
	}
	for name, test := range hostile() {
		if len(test.file) < 100_000 && !strings.Contains(name, "inflates") {
			f.Add(test.file, 1)
		}
	}
	d := Decoder{decode.Decoder{MaxPixels: 1 << 18, MinSide: 1}}
	f.Fuzz(func(t *testing.T, b []byte, page int) {
		if !slices.Contains([]int{1, 2, 3}, page) {
			return
		}
		b = append([]byte("%PDF-1.4\n"), b...)
		p, err := d.DecodePage(t.Context(), b, page)
		if err == nil {
			if len(p.Y) != p.Width*p.Height || len(p.Cb) != p.ChromaWidth*p.ChromaHeight || p.Width < 1 || p.Width*p.Height > 1<<18 {
				t.Errorf("decoded %d x %d", p.Width, p.Height)
			}
			return
		}
		var known *appliance.Error
		if !errors.As(err, &known) || errors.Is(err, errPanic) {
			t.Error(err)
		}
	})
}
