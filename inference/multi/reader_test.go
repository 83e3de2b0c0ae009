package multi

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/outline/outlinetest"
	"github.com/bawab/bawab/inference/passport"
	"github.com/bawab/bawab/inference/plate"
	"github.com/bawab/bawab/inference/reading"
	"github.com/bawab/bawab/inference/reading/readingtest"
	"github.com/bawab/bawab/inference/scene"
	"github.com/bawab/bawab/inference/sheet"
	"github.com/bawab/bawab/inference/text/texttest"
	"github.com/bawab/bawab/inference/vision"
	"github.com/bawab/bawab/inference/zone"
)

// finder finds whatever several documents are looked for with.
type finder interface {
	reading.Finder
	Finder
}

// several reads the documents that a finder finds, passports and plates among them where zones and plates are not nil.
func several(t reading.Tools, f finder, zones *zone.Reader, plates plate.OutlineReader) *Reader {
	t.Finder = f
	var pages *passport.Pages
	if zones != nil {
		pages = &passport.Pages{Tools: t, Zones: zones}
		t.Own = append(t.Own, pages.Own())
	}
	if plates != nil {
		t.Own = append(t.Own, plate.Own(plates))
	}
	return New(t, f, pages, plates)
}

// Property: documents are read in rows from top to bottom and from right to left in each, also where a row is uneven or a
// document is turned.
func TestPageOrder(t *testing.T) {
	turned := appliance.Quad{{X: 260, Y: 10}, {X: 260, Y: 110}, {X: 197, Y: 110}, {X: 197, Y: 10}}
	tests := map[string]struct {
		quads []appliance.Quad
		want  []int
	}{
		"one":      {[]appliance.Quad{readingtest.At(0, 0)}, []int{0}},
		"a row":    {[]appliance.Quad{readingtest.At(0, 0), readingtest.At(220, 0), readingtest.At(110, 0)}, []int{1, 2, 0}},
		"a column": {[]appliance.Quad{readingtest.At(0, 140), readingtest.At(0, 0), readingtest.At(0, 70)}, []int{1, 2, 0}},
		"two rows": {
			[]appliance.Quad{readingtest.At(0, 0), readingtest.At(110, 0), readingtest.At(0, 70), readingtest.At(110, 70)},
			[]int{1, 0, 3, 2},
		},
		"an uneven row":     {[]appliance.Quad{readingtest.At(0, 0), readingtest.At(110, 25), readingtest.At(220, 5)}, []int{2, 1, 0}},
		"steps":             {[]appliance.Quad{readingtest.At(0, 0), readingtest.At(110, 50), readingtest.At(220, 100)}, []int{0, 1, 2}},
		"one turned":        {[]appliance.Quad{readingtest.At(0, 20), turned, readingtest.At(90, 20)}, []int{1, 2, 0}},
		"on the same place": {[]appliance.Quad{readingtest.At(0, 0), readingtest.At(0, 0)}, []int{0, 1}},
		"beside a larger one": {
			[]appliance.Quad{{{X: 0, Y: 0}, {X: 300, Y: 0}, {X: 300, Y: 190}, {X: 0, Y: 190}}, readingtest.At(310, 0), readingtest.At(310, 120)},
			[]int{1, 0, 2},
		},
	}
	for name, test := range tests {
		var chosen []int
		for i := range test.quads {
			chosen = append(chosen, i)
		}
		if diff := cmp.Diff(test.want, pageOrder(test.quads, chosen)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Property: a sheet of no known look is a plate where it has clear signs of one, and none where it hardly has.
func TestSheetThatIsAPlate(t *testing.T) {
	p := &appliance.Picture{Width: 600, Height: 400, Y: slices.Repeat([]byte{180}, 600*400)}
	for sure, want := range map[float64]int{0.95: 1, 0.6: 0} {
		sheet := outlinetest.Found{{Kind: appliance.Unknown, Quad: readingtest.At(100, 100), Edges: [4]float64{1, 1, 1, 1}}}
		got, err := several(readingtest.Tools(t), sheet, nil, readingtest.Surely(sure)).Read(t.Context(), p, nil)
		if len(got.Documents) != want || want == 0 && appliance.CodeOf(err) != appliance.CodeNoDocument || want == 1 &&
			got.Documents[0].Kind != appliance.LicensePlate {
			t.Errorf("confidence %v: %+v, %v", sure, got.Documents, err)
		}
	}
}

// Property: where a sheet of no known look turns out to be a small plate, the others of its street are looked for as beside any plate.
func TestSheetThatIsAPlateInAStreet(t *testing.T) {
	p := &appliance.Picture{Width: 600, Height: 400, Y: slices.Repeat([]byte{180}, 600*400)}
	street := outlinetest.Parts{
		Found:  outlinetest.Found{{Kind: appliance.Unknown, Quad: readingtest.At(100, 100), Edges: [4]float64{1, 1, 1, 1}}},
		Larger: []outline.Found{{Kind: appliance.LicensePlate, Quad: readingtest.At(400, 200)}},
	}
	if got, err := several(readingtest.Tools(t), street, nil, readingtest.Surely(0.95)).Read(t.Context(), p, nil); err != nil ||
		len(got.Documents) != 2 {
		t.Errorf("%+v, %v", got.Documents, err)
	}
}

// Property: what cannot be read is listed only where the finder is sure of it and the picture shows its sides, and named otherwise.
func TestMultiLeavesOutWhatIsNone(t *testing.T) {
	legible := outline.Found{Kind: appliance.LicensePlate, Quad: readingtest.At(0, 0), Edges: [4]float64{1, 1, 1, 1}, Score: 1}
	doubtful, hardly := legible, legible
	doubtful.Score = 0.3
	hardly.Edges = [4]float64{1, 1, 0, 0}
	for name, test := range map[string]struct {
		found outline.Found
		read  int
	}{"sure and seen": {legible, 1}, "doubtful": {doubtful, 0}, "hardly seen": {hardly, 0}} {
		p := &appliance.Picture{Width: 600, Height: 400, Y: make([]byte, 600*400)}
		tools, plates := reading.Tools{Detector: texttest.Detector(t), Now: time.Now}, readingtest.Plates(readingtest.Unread)
		got, err := several(tools, outlinetest.Found{test.found}, nil, plates).Read(t.Context(), p, nil)
		if len(got.Documents) != test.read || (test.read == 0) != (appliance.CodeOf(err) == appliance.CodeNoDocument) {
			t.Errorf("%s: %d read, %v", name, len(got.Documents), err)
		}
	}
}

// Property: at most eight documents are read, the largest ones; the rest, mirrored ones and sheets that are no document of
// the contract are named, and a picture of such alone has no document.
func TestMultiChooses(t *testing.T) {
	nine := make(outlinetest.Found, 9)
	for i := range nine {
		nine[i] = outline.Found{Kind: appliance.LicensePlate, Quad: readingtest.At(float64(110*(i%3)), float64(70*(i/3)))}
	}
	sheet, mirror := outline.Found{Kind: appliance.Unknown, Quad: readingtest.At(0, 300)},
		outline.Found{Kind: appliance.Unknown, Mirrored: true, Quad: readingtest.At(200, 300)}
	tests := map[string]struct {
		found        outlinetest.Found
		read, others int
		says         string
	}{
		"nine":                   {nine, 8, 1, ""},
		"nine, a sheet, mirror":  {append(slices.Clone(nine), sheet, mirror), 8, 3, ""},
		"a sheet beside a plate": {outlinetest.Found{sheet, nine[0]}, 1, 1, ""},
		"the same twice":         {outlinetest.Found{nine[0], nine[0]}, 2, 0, ""},
		"a sheet":                {outlinetest.Found{sheet}, 0, 0, "lay the card"},
		"a mirror":               {outlinetest.Found{mirror}, 0, 0, "mirrored"},
		"nothing":                {nil, 0, 0, "lay the card"},
	}
	detector := texttest.Detector(t)
	for name, test := range tests {
		p := &appliance.Picture{Width: 600, Height: 400, Y: make([]byte, 600*400)}
		plates := 0
		counted := readingtest.Plates(func(q appliance.Quad) appliance.Field {
			plates++
			return readingtest.Surely(0)(q)
		})
		got, err := several(reading.Tools{Detector: detector, Now: time.Now}, test.found, nil, counted).Read(t.Context(), p, nil)
		if test.says != "" {
			if appliance.CodeOf(err) != appliance.CodeNoDocument || !strings.Contains(err.Error(), test.says) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || len(got.Documents) != test.read || plates != test.read || len(got.Others) != test.others {
			t.Errorf("%s: %d read, %d others, %v", name, len(got.Documents), len(got.Others), err)
		}
	}
}

// Property: a white area that is taken for a card, and of which the picture does not show the sides, is no document.
func TestBlankCard(t *testing.T) {
	blank := outline.Found{Kind: appliance.NationalIDFront, Quad: vision.RectQuad(100, 100, 900, 600)}
	p := &appliance.Picture{Width: 1000, Height: 700, Y: slices.Repeat([]byte{235}, 700000)}
	got, err := several(readingtest.Tools(t), outlinetest.Found{blank}, nil, nil).Read(t.Context(), p, nil)
	if appliance.CodeOf(err) != appliance.CodeNoDocument {
		t.Errorf("%+v, %v", got.Documents, err)
	}
}

// Property: what looks like no document of the contract, or like one in a mirror, is read as well if it is seen whole, first what has the
// shape of a card, but it takes the place of none that does, and a heap of papers is not read.
func TestWorthReading(t *testing.T) {
	p := &appliance.Picture{Width: 400, Height: 300}
	plate, whole := outline.Found{Kind: appliance.LicensePlate}, [4]float64{1, 1, 1, 1}
	stranger, mirror, stain := outline.Found{Kind: appliance.Unknown, Edges: whole},
		outline.Found{Kind: appliance.Unknown, Mirrored: true, Edges: whole}, outline.Found{Kind: appliance.Unknown}
	card := outline.Found{Kind: appliance.Unknown, Quad: readingtest.At(20, 20), Edges: whole}
	for name, test := range map[string]struct {
		found []outline.Found
		want  []int
	}{
		"known alone":      {[]outline.Found{plate, plate}, []int{0, 1}},
		"a stranger":       {[]outline.Found{stranger, plate}, []int{1, 0}},
		"a mirror":         {[]outline.Found{plate, mirror}, []int{0, 1}},
		"a stain":          {[]outline.Found{stain, plate}, []int{1}},
		"a card in a heap": {[]outline.Found{stranger, stranger, stranger, card}, []int{3, 0, 1}},
		"strange cards":    {slices.Repeat([]outline.Found{card}, 5), []int{0, 1, 2, 3}},
		"a heap":           {[]outline.Found{stranger, stranger, stranger, mirror}, []int{0, 1}},
		"beside eight":     {append([]outline.Found{stranger}, slices.Repeat([]outline.Found{plate}, 8)...), []int{1, 2, 3, 4, 5, 6, 7, 8}},
		"more than eight":  {slices.Repeat([]outline.Found{plate}, 10), []int{0, 1, 2, 3, 4, 5, 6, 7}},
	} {
		if got := worthReading(p, test.found); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// Property: two sides in one picture are decoded together, the newest first; where a side is there twice nobody knows which
// belong together, and none is evidence for another.
func TestCompanions(t *testing.T) {
	front, back := outline.Found{Kind: appliance.NationalIDFront}, outline.Found{Kind: appliance.NationalIDBack}
	read := []appliance.Document{{Kind: appliance.Passport}, {Kind: appliance.NationalIDFront}}
	earlier := []appliance.Document{{Kind: appliance.DrivingLicense}}
	kinds := func(list []appliance.Document) (out []appliance.Kind) {
		for _, d := range list {
			out = append(out, d.Kind)
		}
		return out
	}
	of := reading.NewReader(appliance.Unknown, reading.Tools{Kinds: reading.Kinds{Described: readingtest.Described(t)}})
	companions := func(found ...outline.Found) []appliance.Document {
		return (&gathering{Reader: of, s: &scene.Scene{Found: found}, documents: read, earlier: earlier}).companions()
	}
	got := kinds(companions(front, back))
	if diff := cmp.Diff([]appliance.Kind{appliance.NationalIDFront, appliance.Passport, appliance.DrivingLicense}, got); diff != "" {
		t.Error(diff)
	}
	if got := companions(front, back, back); len(got) > 0 {
		t.Errorf("two backs: %v", kinds(got))
	}
}

// Property: a page that looks like a licence or like no known document is the passport that its zone says it is; its outline is the one
// that the picture shows, upright as the zone says.
func TestPassportByItsZone(t *testing.T) {
	p := readingtest.Picture(t, "passport.jpg")
	whole, err := outlinetest.Finder(t).Find(t.Context(), p)
	if err != nil || len(whole) == 0 {
		t.Fatalf("%v, %v", whole, err)
	}
	upright := whole[0].Quad
	tools, zones := readingtest.Tools(t), readingtest.Zones(t)
	for _, kind := range []appliance.Kind{appliance.Passport, appliance.DrivingLicense, appliance.CarLicenseBack, appliance.Unknown} {
		for _, quad := range []appliance.Quad{upright, {upright[2], upright[3], upright[0], upright[1]}} {
			seen := outlinetest.Found{{Kind: kind, Quad: quad, Edges: [4]float64{1, 1, 1, 1}, Score: 1}}
			got, err := several(tools, seen, zones, nil).Read(t.Context(), p, nil)
			if err != nil || len(got.Documents) != 1 {
				t.Fatalf("%s: %+v, %v", kind, got, err)
			}
			if d := got.Documents[0]; d.Kind != appliance.Passport || d.Field("passport_no").Value == "" || d.Quad != upright {
				t.Errorf("%s, %v: %+v", kind, quad, d)
			}
		}
	}
	for name, found := range map[string]outlinetest.Found{
		"nothing": nil, "a sheet that holds it": {{Kind: appliance.Unknown, Quad: vision.Grown(upright, 0.3), Edges: [4]float64{1, 1, 1, 1}}},
		"a part of it": {{Kind: appliance.Passport, Quad: appliance.Quad{
			upright[0], upright[1], vision.Between(upright[1], upright[2], 0.6),
			vision.Between(upright[0], upright[3], 0.6),
		}, Edges: [4]float64{1, 1, 1, 1}, Score: 1}},
	} {
		got, err := several(tools, found, zones, nil).Read(t.Context(), p, nil)
		if err != nil || len(got.Documents) != 1 || got.Documents[0].Kind != appliance.Passport ||
			sheet.Overlap(got.Documents[0].Quad, upright) < 0.9 {
			t.Errorf("%s was found: %+v, %v", name, got, err)
		}
	}
	tools.Finder = outlinetest.Found{{Kind: appliance.Passport, Quad: upright, Edges: [4]float64{1, 1, 1, 1}, Score: 1}}
	pages := &passport.Pages{Tools: tools, Zones: zones}
	tools.Own = []reading.Own{pages.Own()}
	one, err := passport.NewReader(tools, pages).Read(t.Context(), p, nil)
	if err != nil || one.Documents[0].Quad != upright {
		t.Errorf("alone: %+v, %v", one, err)
	}
}

// Property: on the committed pictures of both sides of a card each is read for itself, with the number of its card, and
// neither holds a field of the other.
func TestGoldenPairs(t *testing.T) {
	reader, pairs := several(readingtest.Tools(t), outlinetest.Finder(t), nil, nil), 0
	for _, truth := range readingtest.Truth(t, "documents") {
		if len(truth.Documents) < 2 {
			continue
		}
		pairs++
		got, err := reader.Read(t.Context(), readingtest.Picture(t, filepath.Join("documents", truth.File)), nil)
		if err != nil {
			t.Errorf("%s: %v", truth.File, err)
			continue
		}
		for _, want := range truth.Documents {
			i := slices.IndexFunc(got.Documents, func(d appliance.Document) bool { return d.Kind == want.Kind })
			if i < 0 {
				t.Errorf("%s: no %s", truth.File, want.Kind)
				continue
			}
			d := got.Documents[i]
			if number := d.Field("idNumber").Value; number != *want.Fields["idNumber"] && !readingtest.Flagged(d, "idNumber") {
				t.Errorf("%s, %s: the number is %q", truth.File, d.Kind, number)
			}
			for _, f := range d.Fields {
				if _, ok := want.Fields[f.Name]; !ok && f.Value != "" && len(f.DerivedFrom) == 0 {
					t.Errorf("%s: a %s with %s %q", truth.File, d.Kind, f.Name, f.Value)
				}
			}
		}
	}
	if pairs != 2 {
		t.Errorf("%d pairs", pairs)
	}
}

// Property: among the documents of a picture a page that looks like none, or like one in a mirror, is the passport that its zone, or the
// side of a national ID that its text says it is.
func TestPrintMakesADocument(t *testing.T) {
	tools, zones := readingtest.Tools(t), readingtest.Zones(t)
	for file, want := range map[string]appliance.Kind{"passport.jpg": appliance.Passport, "id_back.jpg": appliance.NationalIDBack} {
		p := readingtest.Picture(t, file)
		found, err := tools.Finder.Find(t.Context(), p)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v, %v", file, found, err)
		}
		strange := found[0]
		strange.Kind, strange.Mirrored = appliance.Unknown, true
		got, err := several(tools, outlinetest.Found{strange}, zones, nil).Read(t.Context(), p, nil)
		if err != nil || len(got.Documents) == 0 || got.Documents[0].Kind != want {
			t.Errorf("%s: %+v, %v", file, got.Documents, err)
		}
	}
}
