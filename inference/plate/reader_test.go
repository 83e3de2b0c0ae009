package plate

import (
	"context"
	"image"
	"image/jpeg"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt/plate"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/decode"
	"github.com/bawab/bawab/inference/inferencetest"
	"github.com/bawab/bawab/inference/vision"
)

// The plate on the sample picture, as its generator placed it (python -m bawab_training.photograph.plate_scenes --seed 71, picture 56).
const shown = "ن و ف 8186"

func shownQuad() appliance.Quad {
	return appliance.Quad{{X: 592, Y: 80.2}, {X: 1362.2, Y: 89.8}, {X: 1393.1, Y: 462.1}, {X: 539.1, Y: 442.7}}
}

// productReader opens the product's reader of plates; it is closed with the test.
func productReader(t testing.TB) *Reader {
	t.Helper()
	net, m := inferencetest.Product(t, "plates")
	accept, ok := m.Threshold("accept")
	if !ok {
		t.Fatal("the manifest has no threshold for plates")
	}
	r, err := NewReader(net, m.Labels, accept)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// samplePicture decodes the sample and cuts r out of it; the empty rectangle leaves it whole.
func samplePicture(t testing.TB, r image.Rectangle) *appliance.Picture {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "models", "samples", "plate.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	decoded, err := jpeg.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	whole := decoded.(*image.YCbCr)
	if r.Empty() {
		r = whole.Bounds()
	}
	p := &appliance.Picture{Width: r.Dx(), Height: r.Dy(), ChromaWidth: r.Dx() / 2, ChromaHeight: r.Dy() / 2}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		p.Y = append(p.Y, whole.Y[whole.YOffset(r.Min.X, y):][:r.Dx()]...)
	}
	for y := range p.ChromaHeight {
		for x := range p.ChromaWidth {
			at := whole.COffset(r.Min.X+2*x, r.Min.Y+2*y)
			p.Cb, p.Cr = append(p.Cb, whole.Cb[at]), append(p.Cr, whole.Cr[at])
		}
	}
	return p
}

// A plate is read within its outline, also within one that is several per cent off, with its band's category and the place of its signs.
func TestReadIn(t *testing.T) {
	r, p := productReader(t), samplePicture(t, image.Rectangle{})
	for _, off := range []appliance.Point{{}, {X: 0.03, Y: -0.03}, {X: -0.04, Y: 0.04}} {
		q := shownQuad()
		for i := range q {
			q[i].X += off.X * 800
			q[i].Y += off.Y * 370
		}
		d, err := r.ReadIn(t.Context(), p, q)
		if err != nil {
			t.Fatal(err)
		}
		f := d.Field("result")
		if d.Kind != appliance.LicensePlate || f.Value != shown || len(f.Characters) != len([]rune(shown)) {
			t.Errorf("outline off by %v: %+v", off, d)
		}
		if f.Quad[0].X < 500 || f.Quad[0].Y < 150 || f.Quad[2].X > 1450 || f.Quad[2].Y > 490 {
			t.Errorf("outline off by %v: the signs lie at %v", off, f.Quad)
		}
		if names := checks(f); names["category_private"] != true || names["plate_rules"] != true {
			t.Errorf("outline off by %v: checks %v", off, f.Checks)
		}
	}
}

func checks(f appliance.Field) map[string]bool {
	all := map[string]bool{}
	for _, c := range f.Checks {
		all[c.Name] = c.Passed
	}
	return all
}

// Property: an outline that cuts signs off a plate, on either side, gives the whole plate or a doubtful one, never fewer signs as if they
// were all.
func TestReadInPart(t *testing.T) {
	r, p, whole := productReader(t), samplePicture(t, image.Rectangle{}), shownQuad()
	read := 0
	for _, cut := range []float64{0.2, 0.3, 0.4, 0.5} {
		along := func(a, b appliance.Point) appliance.Point {
			return appliance.Point{X: a.X + cut*(b.X-a.X), Y: a.Y + cut*(b.Y-a.Y)}
		}
		for side, q := range map[string]appliance.Quad{
			"left":  {along(whole[0], whole[1]), whole[1], whole[2], along(whole[3], whole[2])},
			"right": {whole[0], along(whole[1], whole[0]), along(whole[2], whole[3]), whole[3]},
		} {
			d, err := r.ReadIn(t.Context(), p, q)
			if err != nil {
				t.Fatal(err)
			}
			f := d.Field("result")
			switch {
			case f.Value == shown:
				read++
			case f.Confidence >= r.accept:
				t.Errorf("%.0f %% cut off at the %s: %q, confidence %.2f", 100*cut, side, f.Value, f.Confidence)
			}
		}
	}
	if read < 6 {
		t.Errorf("%d of 8 are read whole", read)
	}
}

// Property: signs that stand at one side of an outline, as in one that holds half of a plate, say where the rest lies; those of a true
// one do not.
func TestAside(t *testing.T) {
	at := func(xs ...float64) (signs []plate.Sign) {
		for _, x := range xs {
			signs = append(signs, plate.Sign{X: x, Y: 0.6})
		}
		return signs
	}
	for name, c := range map[string]struct {
		letters, digits []plate.Sign
		rows            int
		want            float64
	}{
		"true":              {at(1.8, 1.5, 1.2), at(0.2, 0.5, 0.8), 1, 0},
		"one letter, digit": {at(1.45), at(0.5), 1, 0},
		"the right half":    {at(1.8, 1.3, 0.7), at(0.1), 1, -1},
		"the left half":     {at(1.9), at(0.3, 0.7, 1.1, 1.5), 1, 1},
		"two rows":          {at(1.9), at(0.3, 0.7, 1.1, 1.5), 2, 0},
		"no plate":          {nil, nil, 1, 0},
	} {
		g := read{Reading: plate.Reading{Rows: c.rows, Printed: slices.Concat(c.letters, c.digits)}}
		g.Plate.Letters = make([]rune, len(c.letters))
		if got := g.aside(); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// Property: a plate one of whose signs is hidden, by dirt or by light, is not taken for a plate without it.
func TestReadInSpotted(t *testing.T) {
	r, clean := productReader(t), samplePicture(t, image.Rectangle{})
	whole, err := r.ReadIn(t.Context(), clean, shownQuad())
	if err != nil {
		t.Fatal(err)
	}
	unit, ok := vision.RectToQuad(1, 1, shownQuad())
	if !ok {
		t.Fatal("the outline is none")
	}
	for i, x := range []float64{0.11, 0.23, 0.34, 0.46, 0.6, 0.74, 0.89} {
		for name, level := range map[string]byte{"mud": 70, "light": 255} {
			p := *clean
			p.Y = slices.Clone(clean.Y)
			for dy := -0.28; dy < 0.28; dy += 0.002 {
				for dx := -0.06; dx < 0.06; dx += 0.001 {
					if at := unit.Apply(appliance.Point{X: x + dx, Y: 0.63 + dy}); math.Hypot(dx/0.06, dy/0.28) < 1 {
						p.Y[int(at.Y)*p.Width+int(at.X)] = level
					}
				}
			}
			d, err := r.ReadIn(t.Context(), &p, shownQuad())
			if err != nil {
				t.Fatal(err)
			}
			if f := d.Field("result"); f.Value != "" && f.Value != whole.Field("result").Value && f.Confidence >= r.accept {
				t.Errorf("%s on sign %d: %q, confidence %.2f", name, i, f.Value, f.Confidence)
			}
		}
	}
}

// Property: every doubt about a plate has its code and, where no value is returned, a sentence that says what to show, of which the one
// about size or place comes first; a plate of a count that no governorate issues must be read more surely than one of a usual count.
func TestDocument(t *testing.T) {
	const foreign, hidden = "This is no Egyptian plate", "The plate cannot be read"
	usual, unusual := plate.Plate{Letters: []rune("سنب"), Number: "123"}, plate.Plate{Letters: []rune("مأط"), Number: "1"}
	whole, small := vision.RectQuad(10, 10, 190, 90), vision.RectQuad(10, 10, 50, 30)
	for name, c := range map[string]struct {
		got    plate.Reading
		quad   appliance.Quad
		value  string
		codes  []appliance.Code
		advice string
	}{
		"sure":                    {plate.Reading{Plate: usual, Confidence: 0.99}, whole, "س ن ب 123", nil, ""},
		"fairly sure":             {plate.Reading{Plate: usual, Confidence: 0.88}, whole, "س ن ب 123", nil, ""},
		"doubtful":                {plate.Reading{Plate: usual, Confidence: 0.75}, whole, "س ن ب 123", []appliance.Code{appliance.CodeLowConfidence}, ""},
		"unusual, sure":           {plate.Reading{Plate: unusual, Confidence: 0.95}, whole, "م أ ط 1", nil, ""},
		"unusual, fairly sure":    {plate.Reading{Plate: unusual, Confidence: 0.88}, whole, "م أ ط 1", []appliance.Code{appliance.CodeLowConfidence}, ""},
		"hardly read":             {plate.Reading{Plate: usual, Confidence: 0.2}, whole, "", []appliance.Code{appliance.CodeUnreadable}, hidden},
		"not read":                {plate.Reading{}, whole, "", []appliance.Code{appliance.CodeUnreadable}, hidden},
		"foreign":                 {plate.Reading{Foreign: true}, whole, "", []appliance.Code{appliance.CodePlateRule}, foreign},
		"foreign, and small":      {plate.Reading{Foreign: true}, small, "", []appliance.Code{appliance.CodePlateRule}, "The plate is too small"},
		"not read, and cut short": {plate.Reading{}, vision.RectQuad(-50, 10, 130, 90), "", []appliance.Code{appliance.CodeUnreadable}, "Part of the plate lies beyond"},
	} {
		d := (&Reader{accept: 0.8}).written(&appliance.Picture{Width: 200, Height: 100, Y: make([]byte, 200*100)}, c.quad, read{Reading: c.got})
		var codes []appliance.Code
		for _, v := range d.Validations {
			codes = append(codes, v.Errors...)
		}
		if v := d.Field(field).Value; v != c.value || !slices.Equal(codes, c.codes) {
			t.Errorf("%s: %q, %v", name, v, codes)
		}
		if !strings.HasPrefix(d.Capture.Advice, c.advice) || c.advice == "" && d.Capture.Advice != "" {
			t.Errorf("%s: advice %q", name, d.Capture.Advice)
		}
	}
}

// Property: one look shows a plate within its outline and within one that is off by a sixth of its width, and none in what lies beside it
// or in an outline that is none.
func TestShows(t *testing.T) {
	r, p := productReader(t), samplePicture(t, image.Rectangle{})
	aside := func(share float64) appliance.Quad {
		q := shownQuad()
		for i := range q {
			q[i].X += share * (shownQuad()[1].X - shownQuad()[0].X)
		}
		return q
	}
	for name, c := range map[string]struct {
		q    appliance.Quad
		want bool
	}{
		"the plate": {shownQuad(), true}, "nearly": {aside(0.16), true}, "beside it": {aside(1.1), false}, "nothing": {appliance.Quad{}, false},
	} {
		if got, err := r.Shows(t.Context(), p, c.q); err != nil || got != c.want {
			t.Errorf("%s: %t, %v", name, got, err)
		}
	}
}

// A place without a plate gives no value, and says that it could not be read; so does an outline that is none.
func TestReadInNothing(t *testing.T) {
	r, p := productReader(t), samplePicture(t, image.Rectangle{})
	for name, q := range map[string]appliance.Quad{
		"lamps": {{X: 1100, Y: 600}, {X: 1550, Y: 600}, {X: 1550, Y: 1100}, {X: 1100, Y: 1100}},
		"band":  {{X: 592, Y: 80}, {X: 1362, Y: 90}, {X: 1370, Y: 200}, {X: 580, Y: 200}},
		"none":  {},
	} {
		d, err := r.ReadIn(t.Context(), p, q)
		if err != nil {
			t.Fatal(err)
		}
		if v := d.Field("result").Value; v != "" || len(d.Validations) == 0 {
			t.Errorf("%s: %q, %v", name, v, d.Validations)
		}
	}
}

// A plate is found by its signs alone: in a picture that was cut to it, and in one that shows more; not where there is none.
func TestSeek(t *testing.T) {
	r := productReader(t)
	for _, c := range []struct {
		name string
		cut  image.Rectangle
		want string
	}{
		{"cut to the plate", image.Rect(540, 76, 1400, 470), shown},
		{"with a surround", image.Rect(300, 0, 1600, 640), shown},
		{"no plate", image.Rect(0, 600, 1600, 1200), ""},
	} {
		d, ok, err := r.Seek(t.Context(), samplePicture(t, c.cut))
		if err != nil {
			t.Fatal(err)
		}
		if v := d.Field("result").Value; v != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q, found %t", c.name, v, ok)
		}
	}
}

// Property: of a drawn plate 54 pixels high, which no look at the whole shows surely, a window that cuts signs off does not answer.
func TestWindowOfAPlate(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("testdata", "low.png"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := decode.Decoder{MaxBytes: 1 << 20, MaxPixels: 1 << 20, MinSide: 32}.Decode(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	d, ok, err := productReader(t).Seek(t.Context(), p)
	if v := d.Field("result").Value; err != nil || !ok || v != "ر ص د 8729" || !d.Flagged("result", appliance.CodeLowConfidence) {
		t.Errorf("%q, found %t, %v", v, ok, err)
	}
}

// Property: the search for a plate takes a bounded number of looks, whatever the shape of a picture, and a strip that no camera makes is
// looked at as a whole alone.
func TestSeekIsBounded(t *testing.T) {
	r := productReader(t)
	const whole, most = 20, 400
	for _, c := range []struct{ width, height, most int64 }{
		{64, 16384, whole}, {200, 12000, whole}, {100, 401, whole}, {100, 400, most}, {16384, 64, most}, {12000, 200, most}, {300, 300, most},
	} {
		p := &appliance.Picture{Width: int(c.width), Height: int(c.height), Y: make([]byte, c.width*c.height)}
		for i := range p.Y {
			p.Y[i] = byte(i * i >> 7) // stripes and arcs, no plate
		}
		var work inference.Work
		if _, _, err := r.Seek(inference.WithWork(t.Context(), &work), p); err != nil {
			t.Fatal(err)
		}
		if runs, _ := work.Total(); runs == 0 || runs > c.most {
			t.Errorf("%d x %d: %d looks, want 1 to %d", c.width, c.height, runs, c.most)
		}
	}
}

// documents is a reader of documents that has one answer.
type documents struct {
	appliance.Reading
	err error
}

func (d documents) Read(context.Context, *appliance.Picture, []appliance.Document) (appliance.Reading, error) {
	return d.Reading, d.err
}

// The endpoint answers with what the finder of documents gave where that is a plate, and else looks itself; only then
// does it say that there is none.
func TestEndpoint(t *testing.T) {
	r, p := productReader(t), samplePicture(t, image.Rectangle{})
	nothing := appliance.Errorf(appliance.CodeNoDocument, "no document")
	read := func(kind appliance.Kind, value string) appliance.Reading {
		return appliance.Reading{Documents: []appliance.Document{{Kind: kind, Quad: shownQuad(), Fields: []appliance.Field{{Name: "result", Value: value}}}}}
	}
	for _, c := range []struct {
		name    string
		given   documents
		picture *appliance.Picture
		want    string
		code    appliance.Code
	}{
		{"a plate that was read", documents{Reading: read(appliance.LicensePlate, "ه 1")}, p, "ه 1", 0},
		{"a plate taken for another document", documents{Reading: read(appliance.Unknown, "")}, p, shown, 0},
		{"a plate that was not found", documents{err: nothing}, samplePicture(t, image.Rect(540, 76, 1400, 470)), shown, 0},
		{"no plate", documents{err: nothing}, samplePicture(t, image.Rect(0, 600, 1600, 1200)), "", appliance.CodeNoDocument},
		{"a failure", documents{err: context.Canceled}, p, "", appliance.CodeOf(context.Canceled)},
	} {
		got, err := NewEndpoint(c.given, r).Read(t.Context(), c.picture, nil)
		if (err == nil) != (c.want != "") || err != nil && appliance.CodeOf(err) != c.code {
			t.Errorf("%s: error %v", c.name, err)
			continue
		}
		if err == nil && got.Documents[0].Field("result").Value != c.want {
			t.Errorf("%s: %+v", c.name, got.Documents[0])
		}
	}
}

// A network with other labels is refused.
func TestNewReaderLabels(t *testing.T) {
	if _, err := NewReader(nil, "0123456789", 0.9); err == nil {
		t.Error("labels of another network were taken")
	}
}

func BenchmarkReadIn(b *testing.B) {
	r, p, q := productReader(b), samplePicture(b, image.Rectangle{}), shownQuad()
	for b.Loop() {
		if _, err := r.ReadIn(b.Context(), p, q); err != nil {
			b.Fatal(err)
		}
	}
}

// sighted is a look at a plate of two letters and two digits, in a view whose corner lies at (x, 0) of the picture, with the given
// probability that the first letter is a dal.
func sighted(x, dal float64) read {
	g := read{view: vision.Homography{1, 0, x, 0, 1, 0, 0, 0, 1}}
	shift := 2 * x / (viewWidth * (1 - 2*margin))
	for i, sign := range []rune("12بد") {
		s := plate.Sign{X: 0.3 + 0.4*float64(i) - shift, Y: 0.6, There: 0.9}
		for c := range s.Cell {
			s.Cell[c] = math.Log(0.001)
		}
		s.Cell[slices.Index([]rune(plate.Signs), sign)] = math.Log(0.9)
		if sign == 'د' {
			s.Cell[slices.Index([]rune(plate.Signs), 'د')] = math.Log(dal)
			s.Cell[slices.Index([]rune(plate.Signs), 'ر')] = math.Log(1 - dal)
		}
		g.signs = append(g.signs, s)
	}
	g.Reading = plate.Decode(g.signs)
	return g
}

// Property: of looks at one plate, each from a little beside the others, a letter is what they say together; looks that see other signs
// are not put together.
func TestLooksArePooledSignBySign(t *testing.T) {
	for _, test := range []struct {
		dal  [3]float64
		want string
	}{
		{[3]float64{0.9, 0.9, 0.9}, "د ب 12"},
		{[3]float64{0.45, 0.45, 0.999}, "د ب 12"},
		{[3]float64{0.55, 0.55, 0.001}, "ر ب 12"},
	} {
		got, ok := pooled([]read{sighted(0, test.dal[0]), sighted(4, test.dal[1]), sighted(-3, test.dal[2])})
		if !ok || got.Plate.String() != test.want {
			t.Errorf("%v: %s %v, want %s", test.dal, got.Plate, ok, test.want)
		}
	}
	fewer, beside := sighted(0, 0.9), sighted(0, 0.9)
	fewer.signs = fewer.signs[:3]
	beside.view[2] = 40
	for name, other := range map[string]read{"fewer signs": fewer, "signs elsewhere": beside} {
		if _, ok := pooled([]read{sighted(0, 0.9), other}); ok {
			t.Errorf("%s were put together", name)
		}
	}
}

// Property: the signs say of an outline around more than the plate that it is not the plate's, and of the plate's own that it is.
func TestMisplaced(t *testing.T) {
	r, p, whole := productReader(t), samplePicture(t, image.Rectangle{}), shownQuad()
	h, _ := vision.RectToQuad(1, 1, whole)
	for _, c := range []struct {
		left, larger float64
		want         bool
	}{{0, 1, false}, {-0.1, 1.2, false}, {-0.3, 1.6, true}, {-0.5, 1.6, true}} {
		got, err := r.vote(t.Context(), p, h.ApplyQuad(vision.RectQuad(c.left, -0.4*(c.larger-1), c.left+c.larger, 0.6*c.larger+0.4)))
		if err != nil {
			t.Fatal(err)
		}
		if got.misplaced() != c.want {
			t.Errorf("%.1f times as large: %q, confidence %.2f, misplaced %t", c.larger, got.Plate.String(), got.Confidence, !c.want)
		}
	}
}

// Property: a plate is disputed where any look read another one surely, and only there.
func TestDisputed(t *testing.T) {
	g := read{Reading: plate.Reading{Plate: plate.Plate{Letters: []rune("رمى"), Number: "431"}}}
	own := g.Plate.String()
	for name, c := range map[string]struct {
		rivals []string
		want   bool
	}{
		"no look was sure": {nil, false},
		"all agree":        {[]string{own, own}, false},
		"one saw two ones": {[]string{own, "ر م ى 4311", own}, true},
	} {
		if g.rivals = c.rivals; g.disputed() != c.want {
			t.Errorf("%s: %t", name, !c.want)
		}
	}
}
