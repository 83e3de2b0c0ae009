package reading

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/arabic"
	"github.com/bawab/bawab/inference/documents"
	"github.com/bawab/bawab/inference/form"
	"github.com/bawab/bawab/inference/inferencetest"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/outline/outlinetest"
	"github.com/bawab/bawab/inference/scene"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/text/texttest"
	"github.com/bawab/bawab/inference/vision"
)

// cardTools opens the product's own networks.
func cardTools(t testing.TB) Tools {
	digits, _ := inferencetest.Product(t, "digits")
	return Tools{
		Kinds: describedKinds(t), Calibration: inferencetest.Calibrate[form.Calibration](t),
		Finder: outlinetest.Finder(t), Detector: texttest.Detector(t), Words: texttest.Words(t), Digits: text.NewDigitReader(digits),
		Now: func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) },
	}
}

// describedKinds are the kinds that the document engine reads.
func describedKinds(t testing.TB) Kinds {
	t.Helper()
	all, err := documents.All()
	if err != nil {
		t.Fatal(err)
	}
	return Kinds{Described: all}
}

// samples are the committed pictures.
const samples = "../../models/samples"

// picture reads a committed picture.
func picture(t testing.TB, file string) *appliance.Picture {
	t.Helper()
	return inferencetest.Picture(t, samples, file)
}

// flagged reports whether a validation error names the field.
func flagged(d appliance.Document, field string) bool {
	return slices.ContainsFunc(d.Validations, func(v appliance.Validation) bool { return v.Field == field })
}

// goldenTruth reads the truth of a folder of committed photographs.
func goldenTruth(t testing.TB, folder string) []inferencetest.Card {
	t.Helper()
	return inferencetest.Truth(t, filepath.Join(samples, folder))
}

// Property: what the product reads must not get worse. On the committed photographs of national IDs, which no training
// saw, at least so many fields come out exact, and no wrong number comes out without a flag.
func TestGoldenCards(t *testing.T) {
	floors := map[string]int{
		"idNumber": 11, "dateOfBirth": 5, "gender": 11, "first_name": 6, "last_names": 5, "name": 5, "address_1": 3,
		"address_2": 4, "job": 4, "idKey": 5, "releaseDate": 5, "idExpiry": 5, "religion": 5, "maritalStatus": 5,
	}
	tools, exact, seen := cardTools(t), map[string]int{}, 0
	for _, truth := range goldenTruth(t, "documents") {
		want := truth.Documents[0]
		if want.Kind != appliance.NationalIDFront && want.Kind != appliance.NationalIDBack {
			continue
		}
		seen++
		got, err := NewReader(want.Kind, tools).Read(t.Context(), picture(t, filepath.Join("documents", truth.File)), nil)
		if err != nil {
			t.Logf("%s: %v", truth.File, err)
			continue
		}
		d := got.Documents[0]
		for name, value := range want.Fields {
			shown := ""
			if value != nil {
				shown = *value
			}
			f := d.Field(name)
			switch {
			case arabic.FoldDigits(f.Value) == arabic.FoldDigits(shown):
				exact[name]++
			case name == "idNumber" && f.Value != "" && !flagged(d, name):
				t.Errorf("%s: the number is %q, not %q, and nothing says so", truth.File, f.Value, shown)
			default:
				t.Logf("%s, %s: %q, not %q", truth.File, name, f.Value, shown)
			}
		}
	}
	if seen != 12 {
		t.Errorf("%d national IDs", seen)
	}
	t.Log(exact)
	for name, floor := range floors {
		if exact[name] < floor {
			t.Errorf("%s: %d exact, the floor is %d", name, exact[name], floor)
		}
	}
}

// unread is a kind that is read in its own way, of which nothing is read.
func unread(kind appliance.Kind) Own {
	return Own{Kind: kind, Read: func(_ context.Context, _ *scene.Scene, c scene.Card) (appliance.Document, error) {
		return appliance.Document{Kind: kind, Quad: c.Quad}, nil
	}}
}

// Property: a picture that cannot be read as asked is answered with the code and the sentence that fit, or with what it
// shows instead; further documents are named.
func TestReaderAnswers(t *testing.T) {
	tools := cardTools(t)
	tools.Own = []Own{unread(appliance.LicensePlate)}
	place := appliance.Quad{{X: 100, Y: 100}, {X: 900, Y: 100}, {X: 900, Y: 600}, {X: 100, Y: 600}}
	sides := [4]float64{1, 1, 1, 1}
	tests := map[string]struct {
		side   int
		found  outlinetest.Found
		says   string // in the message of CodeNoDocument
		kind   appliance.Kind
		others int
	}{
		"nothing":           {1200, nil, "lay the card on a plain ground", "", 0},
		"nothing, but tiny": {64, nil, "very small", "", 0},
		"in the mirror":     {1200, outlinetest.Found{{Kind: appliance.Unknown, Mirrored: true, Quad: place}}, "mirrored", "", 0},
		"a sheet, and something in the mirror": {
			1200,
			outlinetest.Found{{Kind: appliance.Unknown, Quad: place}, {Kind: appliance.Unknown, Mirrored: true, Quad: place}},
			"mirrored", "", 0,
		},
		"another document": {1200, outlinetest.Found{{Kind: appliance.LicensePlate, Quad: place}}, "", appliance.LicensePlate, 0},
		"a passport": {
			1200,
			outlinetest.Found{{Kind: appliance.Passport, Quad: place, Score: 0.9, Edges: sides}},
			"", appliance.Passport,
			0,
		},
		"a blank sheet": {
			1200,
			outlinetest.Found{{Kind: appliance.Unknown, Quad: place, Edges: sides}},
			"lay the card on a plain ground", "",
			0,
		},
		"a hardly seen passport": {
			1200,
			outlinetest.Found{{Kind: appliance.Passport, Quad: place, Score: 0.3, Edges: sides}},
			"lay the card on a plain ground", "", 0,
		},
		"the largest of others": {
			1200,
			outlinetest.Found{{Kind: appliance.LicensePlate, Quad: place}, {Kind: appliance.Unknown, Quad: place}},
			"",
			appliance.LicensePlate, 1,
		},
	}
	for name, test := range tests {
		p := &appliance.Picture{Width: test.side, Height: test.side, Y: make([]byte, test.side*test.side)}
		tools.Finder = test.found
		got, err := NewReader(appliance.NationalIDFront, tools).Read(t.Context(), p, nil)
		if test.says != "" {
			if appliance.CodeOf(err) != appliance.CodeNoDocument || !strings.Contains(err.Error(), test.says) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || got.Documents[0].Kind != test.kind || len(got.Others) != test.others || len(got.Documents[0].Fields) > 0 {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// Property: a sheet of no known look that holds words is answered as another document, without values.
func TestReaderAnswersPrint(t *testing.T) {
	tools := cardTools(t)
	p := picture(t, "general.jpg")
	sheet := vision.RectQuad(0, 0, float64(p.Width), float64(p.Height))
	tools.Finder = outlinetest.Found{{Kind: appliance.Unknown, Quad: sheet, Edges: [4]float64{1, 1, 1, 1}}}
	got, err := NewReader(appliance.NationalIDFront, tools).Read(t.Context(), p, nil)
	if err != nil || got.Documents[0].Kind != appliance.Unknown {
		t.Errorf("%+v, %v", got, err)
	}
}

// turned is a finder whose first outlines are wrong: turned by an angle about their middles.
type turned struct {
	*outline.Finder
	angle float64 // radians
}

func (f turned) Find(ctx context.Context, p *appliance.Picture) ([]outline.Found, error) {
	found, err := f.Finder.Find(ctx, p)
	sin, cos := math.Sincos(f.angle)
	for i := range found {
		middle := vision.Middle(found[i].Quad)
		for k, c := range found[i].Quad {
			x, y := c.X-middle.X, c.Y-middle.Y
			found[i].Quad[k] = appliance.Point{X: middle.X + cos*x - sin*y, Y: middle.Y + sin*x + cos*y}
		}
		found[i].Edges = [4]float64{}
	}
	return found, err
}

// Property: a card whose outline is askew is read all the same, since its print tells how it lies, and the outline is put right.
func TestStraightened(t *testing.T) {
	p := picture(t, "id_front.jpg")
	tools := cardTools(t)
	straight, err := NewReader(appliance.NationalIDFront, tools).Read(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := straight.Documents[0]
	for _, angle := range []float64{-0.15, 0.1} {
		tools.Finder = turned{outlinetest.Finder(t), angle}
		got, err := NewReader(appliance.NationalIDFront, tools).Read(t.Context(), p, nil)
		if err != nil {
			t.Fatal(err)
		}
		d := got.Documents[0]
		if n := d.Field("idNumber").Value; n == "" || n != want.Field("idNumber").Value {
			t.Errorf("turned by %v: the number is %q, not %q", angle, n, want.Field("idNumber").Value)
		}
		for i, c := range d.Quad {
			if off := math.Hypot(c.X-want.Quad[i].X, c.Y-want.Quad[i].Y); off > 8 {
				t.Errorf("turned by %v: corner %d is %.1f pixels off", angle, i, off)
			}
		}
	}
}

// mirroring is a finder that holds all documents for mirror images.
type mirroring struct{ *outline.Finder }

func (f mirroring) Find(ctx context.Context, p *appliance.Picture) ([]outline.Found, error) {
	found, err := f.Finder.Find(ctx, p)
	for i := range found {
		found[i].Kind, found[i].Mirrored = appliance.Unknown, true
	}
	return found, err
}

// Property: a card that the finder holds for a mirror image is read when its print says what it is.
func TestReadThoughHeldForMirrored(t *testing.T) {
	tools := cardTools(t)
	tools.Finder = mirroring{outlinetest.Finder(t)}
	for file, kind := range map[string]appliance.Kind{"id_front.jpg": appliance.NationalIDFront, "id_back.jpg": appliance.NationalIDBack} {
		got, err := NewReader(kind, tools).Read(t.Context(), picture(t, file), nil)
		if err != nil || got.Documents[0].Field("idNumber").Value == "" {
			t.Errorf("%s: %+v, %v", file, got, err)
		}
	}
}

// Property: a white area that is taken for a card gives no value, and each field that a card has is flagged; where the picture does not
// show its sides either, it is no document.
func TestBlankCard(t *testing.T) {
	tools := cardTools(t)
	blank := outline.Found{Kind: appliance.NationalIDFront, Quad: appliance.Quad{
		{X: 100, Y: 100},
		{X: 900, Y: 100},
		{X: 900, Y: 600},
		{X: 100, Y: 600},
	}}
	tools.Finder = outlinetest.Found{blank}
	p := &appliance.Picture{Width: 1000, Height: 700, Y: slices.Repeat([]byte{235}, 700000)}
	if got, err := NewReader(appliance.NationalIDFront, tools).Read(t.Context(), p, nil); appliance.CodeOf(err) != appliance.CodeNoDocument {
		t.Errorf("without sides: %+v, %v", got.Documents, err)
	}
	blank.Edges = [4]float64{1, 1, 1, 1}
	tools.Finder = outlinetest.Found{blank}
	got, err := NewReader(appliance.NationalIDFront, tools).Read(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	d := got.Documents[0]
	for _, spec := range appliance.NationalIDFront.Model() {
		if f := d.Field(spec.Name); f.Value != "" || !flagged(d, spec.Name) {
			t.Errorf("%s: %q, flagged %v", f.Name, f.Value, flagged(d, f.Name))
		}
	}
}

func BenchmarkFront(b *testing.B) {
	p, reader := picture(b, "id_front.jpg"), NewReader(appliance.NationalIDFront, cardTools(b))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := reader.Read(b.Context(), p, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// curtailed is a finder that takes a card for narrower than it is, as where its print is in a table of which a rule is taken for the card's
// side, until it looks again.
type curtailed struct {
	*outline.Finder
	kind appliance.Kind
	quad appliance.Quad
}

func (f curtailed) Find(context.Context, *appliance.Picture) ([]outline.Found, error) {
	q := f.quad
	q[1], q[2] = vision.Between(q[0], q[1], 0.85), vision.Between(q[3], q[2], 0.85)
	return []outline.Found{{Kind: f.kind, Quad: q, Score: 1}}, nil
}

// Property: a card whose print runs out of its outline is outlined anew.
func TestWidened(t *testing.T) {
	tools := cardTools(t)
	tried, right := 0, 0
	for _, truth := range goldenTruth(t, "licences") {
		want := truth.Documents[0]
		q := inferencetest.Quad(want.Quad)
		tools.Finder = curtailed{outlinetest.Finder(t), want.Kind, q}
		got, err := NewReader(want.Kind, tools).Read(t.Context(), picture(t, filepath.Join("licences", truth.File)), nil)
		if err != nil {
			t.Fatal(err)
		}
		tried++
		d := got.Documents[0]
		off := 0.0
		for i, c := range d.Quad {
			off = max(off, math.Hypot(c.X-q[i].X, c.Y-q[i].Y))
		}
		if off < 0.05*vision.Distance(q[0], q[1]) {
			right++
		}
	}
	if t.Logf("%d of %d outlines are put right", right, tried); right < tried/2 {
		t.Errorf("%d of %d outlines are put right", right, tried)
	}
}

// Property: a card of which the number was surely read is not taken for one in a mirror, whatever the rest of it looks like; a licence is
// not judged so.
func TestNumberReadLiesSo(t *testing.T) {
	kinds := describedKinds(t)
	numbered := func(kind appliance.Kind, name string, confidence float64) bool {
		fields := []appliance.Field{{Name: name, Value: "28710011902343", Confidence: confidence}}
		return kinds.surelyNumbered(appliance.Document{Kind: kind, Fields: fields})
	}
	got := []bool{
		numbered(appliance.NationalIDBack, "idNumber", 0.99), numbered(appliance.NationalIDBack, "idNumber", 0.4),
		numbered(appliance.DrivingLicense, "nationalID", 0.99),
	}
	if want := []bool{true, false, false}; !slices.Equal(got, want) {
		t.Errorf("the number says how the card lies: %v, want %v", got, want)
	}
}
