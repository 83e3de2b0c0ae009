package card

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/inferencetest"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/plate"
	"github.com/bawab/bawab/inference/stopwatch"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/text/texttest"
	"github.com/bawab/bawab/inference/vision"
	"github.com/bawab/bawab/inference/zone"
)

// at is an upright card with its top left corner at a place.
func at(x, y float64) appliance.Quad {
	return appliance.Quad{{X: x, Y: y}, {X: x + 100, Y: y}, {X: x + 100, Y: y + 63}, {X: x, Y: y + 63}}
}

// plates answers every plate with its place, and counts them.
type plates struct{ read int }

func (*plates) Shows(context.Context, *appliance.Picture, appliance.Quad) (bool, error) {
	return true, nil
}

func (p *plates) ReadIn(_ context.Context, _ *appliance.Picture, q appliance.Quad) (appliance.Document, error) {
	p.read++
	return appliance.Document{Kind: appliance.LicensePlate, Quad: q, Fields: []appliance.Field{{Name: "result", Value: "ن و ر 1234"}}}, nil
}

// Property: documents are read in rows from top to bottom and from right to left in each, also where a row is uneven or a
// document is turned.
func TestPageOrder(t *testing.T) {
	turned := appliance.Quad{{X: 260, Y: 10}, {X: 260, Y: 110}, {X: 197, Y: 110}, {X: 197, Y: 10}}
	tests := map[string]struct {
		quads []appliance.Quad
		want  []int
	}{
		"one":                 {[]appliance.Quad{at(0, 0)}, []int{0}},
		"a row":               {[]appliance.Quad{at(0, 0), at(220, 0), at(110, 0)}, []int{1, 2, 0}},
		"a column":            {[]appliance.Quad{at(0, 140), at(0, 0), at(0, 70)}, []int{1, 2, 0}},
		"two rows":            {[]appliance.Quad{at(0, 0), at(110, 0), at(0, 70), at(110, 70)}, []int{1, 0, 3, 2}},
		"an uneven row":       {[]appliance.Quad{at(0, 0), at(110, 25), at(220, 5)}, []int{2, 1, 0}},
		"steps":               {[]appliance.Quad{at(0, 0), at(110, 50), at(220, 100)}, []int{0, 1, 2}},
		"one turned":          {[]appliance.Quad{at(0, 20), turned, at(90, 20)}, []int{1, 2, 0}},
		"on the same place":   {[]appliance.Quad{at(0, 0), at(0, 0)}, []int{0, 1}},
		"beside a larger one": {[]appliance.Quad{{{X: 0, Y: 0}, {X: 300, Y: 0}, {X: 300, Y: 190}, {X: 0, Y: 190}}, at(310, 0), at(310, 120)}, []int{1, 0, 2}},
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

// surePlates answers every place with a plate of a confidence.
type surePlates float64

func (surePlates) Shows(context.Context, *appliance.Picture, appliance.Quad) (bool, error) {
	return true, nil
}

func (c surePlates) ReadIn(_ context.Context, _ *appliance.Picture, q appliance.Quad) (appliance.Document, error) {
	return appliance.Document{Kind: appliance.LicensePlate, Quad: q, Fields: []appliance.Field{{Name: "result", Value: "ن و ر 1234", Confidence: float64(c)}}}, nil
}

// Property: a sheet of no known look is a plate where it has clear signs of one, and none where it hardly has.
func TestSheetThatIsAPlate(t *testing.T) {
	p := &appliance.Picture{Width: 600, Height: 400, Y: slices.Repeat([]byte{180}, 600*400)}
	for sure, want := range map[surePlates]int{0.95: 1, 0.6: 0} {
		tools := cardTools(t)
		tools.Plates, tools.Finder = sure, foundBy{{Kind: appliance.Unknown, Quad: at(100, 100), Edges: [4]float64{1, 1, 1, 1}}}
		got, err := NewMultiReader(tools).Read(t.Context(), p, nil)
		if len(got.Documents) != want || want == 0 && appliance.CodeOf(err) != appliance.CodeNoDocument || want == 1 && got.Documents[0].Kind != appliance.LicensePlate {
			t.Errorf("confidence %v: %+v, %v", sure, got.Documents, err)
		}
	}
}

// Property: where a sheet of no known look turns out to be a small plate, the others of its street are looked for as beside any plate.
func TestSheetThatIsAPlateInAStreet(t *testing.T) {
	p := &appliance.Picture{Width: 600, Height: 400, Y: slices.Repeat([]byte{180}, 600*400)}
	tools := cardTools(t)
	tools.Plates = surePlates(0.95)
	tools.Finder = streetFinder{
		foundBy: foundBy{{Kind: appliance.Unknown, Quad: at(100, 100), Edges: [4]float64{1, 1, 1, 1}}},
		parts:   []outline.Found{{Kind: appliance.LicensePlate, Quad: at(400, 200)}},
	}
	if got, err := NewMultiReader(tools).Read(t.Context(), p, nil); err != nil || len(got.Documents) != 2 {
		t.Errorf("%+v, %v", got.Documents, err)
	}
}

// Property: what looks like a plate where an ID is asked for is answered as one if it can be read, and is none else: windows look like it.
func TestPlateThatNobodyAskedFor(t *testing.T) {
	p := &appliance.Picture{Width: 600, Height: 400, Y: slices.Repeat([]byte{180}, 600*400)}
	for name, c := range map[string]struct {
		plates plate.OutlineReader
		want   appliance.Code
	}{"read": {surePlates(0.95), 0}, "not read": {unreadable{}, appliance.CodeNoDocument}} {
		tools := cardTools(t)
		seen := outline.Found{Kind: appliance.LicensePlate, Quad: at(100, 100), Score: 0.9, Edges: [4]float64{1, 1, 1, 1}}
		tools.Plates, tools.Finder = c.plates, foundBy{seen}
		got, err := NewReader(appliance.NationalIDFront, tools).Read(t.Context(), p, nil)
		if code := appliance.CodeOf(err); code != c.want && !(c.want == 0 && err == nil) {
			t.Errorf("%s: %+v, %v", name, got.Documents, err)
		}
	}
}

// unreadable answers every plate without its number.
type unreadable struct{}

func (unreadable) Shows(context.Context, *appliance.Picture, appliance.Quad) (bool, error) {
	return true, nil
}

func (unreadable) ReadIn(_ context.Context, _ *appliance.Picture, q appliance.Quad) (appliance.Document, error) {
	return appliance.Document{Kind: appliance.LicensePlate, Quad: q}, nil
}

// Property: what cannot be read is listed only where the finder is sure of it and the picture shows its sides, and named otherwise.
func TestMultiLeavesOutWhatIsNone(t *testing.T) {
	legible := outline.Found{Kind: appliance.LicensePlate, Quad: at(0, 0), Edges: [4]float64{1, 1, 1, 1}, Score: 1}
	doubtful, hardly := legible, legible
	doubtful.Score = 0.3
	hardly.Edges = [4]float64{1, 1, 0, 0}
	for name, test := range map[string]struct {
		found outline.Found
		read  int
	}{"sure and seen": {legible, 1}, "doubtful": {doubtful, 0}, "hardly seen": {hardly, 0}} {
		p := &appliance.Picture{Width: 600, Height: 400, Y: make([]byte, 600*400)}
		got, err := NewMultiReader(Tools{Finder: foundBy{test.found}, Detector: texttest.Detector(t), Plates: unreadable{}, Now: time.Now}).Read(t.Context(), p, nil)
		if len(got.Documents) != test.read || (test.read == 0) != (appliance.CodeOf(err) == appliance.CodeNoDocument) {
			t.Errorf("%s: %d read, %v", name, len(got.Documents), err)
		}
	}
}

// Property: at most eight documents are read, the largest ones; the rest, mirrored ones and sheets that are no document of
// the contract are named, and a picture of such alone has no document.
func TestMultiChooses(t *testing.T) {
	nine := make(foundBy, 9)
	for i := range nine {
		nine[i] = outline.Found{Kind: appliance.LicensePlate, Quad: at(float64(110*(i%3)), float64(70*(i/3)))}
	}
	sheet, mirror := outline.Found{Kind: appliance.Unknown, Quad: at(0, 300)}, outline.Found{Kind: appliance.Unknown, Mirrored: true, Quad: at(200, 300)}
	tests := map[string]struct {
		found        foundBy
		read, others int
		says         string
	}{
		"nine":                   {nine, 8, 1, ""},
		"nine, a sheet, mirror":  {append(slices.Clone(nine), sheet, mirror), 8, 3, ""},
		"a sheet beside a plate": {foundBy{sheet, nine[0]}, 1, 1, ""},
		"the same twice":         {foundBy{nine[0], nine[0]}, 2, 0, ""},
		"a sheet":                {foundBy{sheet}, 0, 0, "lay the card"},
		"a mirror":               {foundBy{mirror}, 0, 0, "mirrored"},
		"nothing":                {nil, 0, 0, "lay the card"},
	}
	detector := texttest.Detector(t)
	for name, test := range tests {
		p := &appliance.Picture{Width: 600, Height: 400, Y: make([]byte, 600*400)}
		reader := &plates{}
		got, err := NewMultiReader(Tools{Finder: test.found, Detector: detector, Plates: reader, Now: time.Now}).Read(t.Context(), p, nil)
		if test.says != "" {
			if appliance.CodeOf(err) != appliance.CodeNoDocument || !strings.Contains(err.Error(), test.says) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || len(got.Documents) != test.read || reader.read != test.read || len(got.Others) != test.others {
			t.Errorf("%s: %d read, %d others, %v", name, len(got.Documents), len(got.Others), err)
		}
	}
}

// Property: what looks like no document of the contract, or like one in a mirror, is read as well if it is seen whole, first what has the
// shape of a card, but it takes the place of none that does, and a heap of papers is not read.
func TestWorthReading(t *testing.T) {
	p := &appliance.Picture{Width: 400, Height: 300}
	plate, whole := outline.Found{Kind: appliance.LicensePlate}, [4]float64{1, 1, 1, 1}
	stranger, mirror, stain := outline.Found{Kind: appliance.Unknown, Edges: whole}, outline.Found{Kind: appliance.Unknown, Mirrored: true, Edges: whole}, outline.Found{Kind: appliance.Unknown}
	card := outline.Found{Kind: appliance.Unknown, Quad: at(20, 20), Edges: whole}
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
	of := &Reader{Tools: Tools{Kinds: describedKinds(t)}}
	companions := func(found ...outline.Found) []appliance.Document {
		return (&gathering{Reader: of, s: &scene{found: found}, documents: read, earlier: earlier}).companions()
	}
	got := kinds(companions(front, back))
	if diff := cmp.Diff([]appliance.Kind{appliance.NationalIDFront, appliance.Passport, appliance.DrivingLicense}, got); diff != "" {
		t.Error(diff)
	}
	if got := companions(front, back, back); len(got) > 0 {
		t.Errorf("two backs: %v", kinds(got))
	}
}

// stacked draws a light sheet at each quad in turn, each with a darker rim, on a dark ground.
func stacked(quads ...appliance.Quad) vision.Plane {
	p := vision.Plane{Pix: slices.Repeat([]byte{60}, 400*300), Width: 400, Height: 300, Stride: 400}
	for i, q := range quads {
		for y := range p.Height {
			for x := range p.Width {
				if vision.Contains(q, appliance.Point{X: float64(x) + 0.5, Y: float64(y) + 0.5}) {
					p.Pix[y*p.Stride+x] = byte(190 + 25*i)
				}
			}
		}
	}
	return p
}

// Property: of two documents that lie on each other the upper one covers the lower one and not the other way round; what
// only touches covers nothing, where no edge can be seen each covers the other, and no card lies wholly under what it is seen on. A band of
// a card covers nothing of it, but a note on it does.
func TestCovers(t *testing.T) {
	lower := appliance.Quad{{X: 40, Y: 40}, {X: 240, Y: 40}, {X: 240, Y: 166}, {X: 40, Y: 166}}
	upper := appliance.Quad{{X: 180, Y: 120}, {X: 380, Y: 140}, {X: 368, Y: 266}, {X: 168, Y: 246}}
	beside := appliance.Quad{{X: 240, Y: 40}, {X: 390, Y: 40}, {X: 390, Y: 110}, {X: 240, Y: 110}}
	sheet := appliance.Quad{{X: 20, Y: 41}, {X: 260, Y: 41}, {X: 260, Y: 290}, {X: 20, Y: 290}}
	band := appliance.Quad{{X: 41, Y: 42}, {X: 239, Y: 40}, {X: 240, Y: 64}, {X: 40, Y: 64}}
	note := appliance.Quad{{X: 80, Y: 60}, {X: 200, Y: 60}, {X: 200, Y: 85}, {X: 80, Y: 85}}
	edges := [4]float64{0.9, 0.9, 0.9, 0.9}
	count := func(luma vision.Plane, quads ...appliance.Quad) (out []int) {
		s := &scene{Picture: &appliance.Picture{Width: luma.Width, Height: luma.Height}, luma: luma}
		for _, q := range quads {
			s.found = append(s.found, outline.Found{Quad: q, Edges: edges})
		}
		for i := range quads {
			out = append(out, len(s.covers(i)))
		}
		return out
	}
	grey := vision.Plane{Pix: make([]byte, 400*300), Width: 400, Height: 300, Stride: 400}
	for name, test := range map[string]struct{ got, want []int }{
		"the second above": {count(stacked(lower, upper), lower, upper), []int{1, 0}},
		"the first above":  {count(stacked(upper, lower), lower, upper), []int{0, 1}},
		"touching":         {count(stacked(lower, beside), lower, beside), []int{0, 0}},
		"nothing visible":  {count(grey, lower, upper), []int{1, 1}},
		"on a sheet":       {count(grey, lower, sheet), []int{0, 1}},
		"a band of it":     {count(stacked(lower, band), lower, band), []int{0, 0}},
		"a note on it":     {count(stacked(lower, note), lower, note), []int{1, 0}},
	} {
		if diff := cmp.Diff(test.want, test.got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Property: a line whose middle lies on a covering document is not read.
func TestCoveredPrint(t *testing.T) {
	cover := []appliance.Quad{{{X: 100, Y: 0}, {X: 200, Y: 0}, {X: 200, Y: 100}, {X: 100, Y: 100}}}
	line := func(from, to, y float64) text.Line {
		return text.Line{Start: appliance.Point{X: from, Y: y}, End: appliance.Point{X: to, Y: y}, Height: 10}
	}
	identity := vision.Homography{1, 0, 0, 0, 1, 0, 0, 0, 1}
	if got := uncovered([]text.Line{line(10, 60, 50), line(120, 180, 50), line(60, 150, 50)}, identity, cover); len(got) != 1 || got[0].End.X != 60 {
		t.Errorf("lines: %v", got)
	}
}

// Property: the zone of a passport is read within its outline alone: an outline of another part of the page gives none.
func TestZoneWithinItsPage(t *testing.T) {
	p := picture(t, "passport.jpg")
	lines, _ := inferencetest.Product(t, "lines")
	chars, _ := inferencetest.Product(t, "mrz")
	zones := zone.NewReader(lines, chars, time.Now)
	whole, err := productFinder(t).Find(t.Context(), p)
	if err != nil || len(whole) == 0 || whole[0].Kind != appliance.Passport {
		t.Fatalf("%v, %v", whole, err)
	}
	there := whole[0].Quad
	upper := appliance.Quad{there[0], there[1], vision.Between(there[1], there[2], 0.6), vision.Between(there[0], there[3], 0.6)}
	for name, test := range map[string]struct {
		quad  appliance.Quad
		reads bool
	}{"its own": {there, true}, "upside down": {appliance.Quad{there[2], there[3], there[0], there[1]}, true}, "the part above": {upper, false}} {
		ctx, watch := stopwatch.New(t.Context())
		if _, ok, err := zones.Within(ctx, vision.Luma(p), test.quad, watch); err != nil || ok != test.reads {
			t.Errorf("%s: read %t, %v", name, ok, err)
		}
	}
}

// Property: a page that looks like a licence or like no known document is the passport that its zone says it is; its outline is the one that
// the picture shows, upright as the zone says.
func TestPassportByItsZone(t *testing.T) {
	p := picture(t, "passport.jpg")
	lines, _ := inferencetest.Product(t, "lines")
	chars, _ := inferencetest.Product(t, "mrz")
	whole, err := productFinder(t).Find(t.Context(), p)
	if err != nil || len(whole) == 0 {
		t.Fatalf("%v, %v", whole, err)
	}
	upright := whole[0].Quad
	tools := cardTools(t)
	tools.Zones = zone.NewReader(lines, chars, time.Now)
	for _, kind := range []appliance.Kind{appliance.Passport, appliance.DrivingLicense, appliance.CarLicenseBack, appliance.Unknown} {
		for _, quad := range []appliance.Quad{upright, {upright[2], upright[3], upright[0], upright[1]}} {
			tools.Finder = foundBy{{Kind: kind, Quad: quad, Edges: [4]float64{1, 1, 1, 1}, Score: 1}}
			got, err := NewMultiReader(tools).Read(t.Context(), p, nil)
			if err != nil || len(got.Documents) != 1 {
				t.Fatalf("%s: %+v, %v", kind, got, err)
			}
			if d := got.Documents[0]; d.Kind != appliance.Passport || d.Field("passport_no").Value == "" || d.Quad != upright {
				t.Errorf("%s, %v: %+v", kind, quad, d)
			}
		}
	}
	for name, found := range map[string]foundBy{
		"nothing": nil, "a sheet that holds it": {{Kind: appliance.Unknown, Quad: vision.Grown(upright, 0.3), Edges: [4]float64{1, 1, 1, 1}}},
		"a part of it": {{Kind: appliance.Passport, Quad: appliance.Quad{upright[0], upright[1], vision.Between(upright[1], upright[2], 0.6), vision.Between(upright[0], upright[3], 0.6)}, Edges: [4]float64{1, 1, 1, 1}, Score: 1}},
	} {
		tools.Finder = found
		got, err := NewMultiReader(tools).Read(t.Context(), p, nil)
		if err != nil || len(got.Documents) != 1 || got.Documents[0].Kind != appliance.Passport || outline.Overlap(got.Documents[0].Quad, upright) < 0.9 {
			t.Errorf("%s was found: %+v, %v", name, got, err)
		}
	}
	tools.Finder = foundBy{{Kind: appliance.Passport, Quad: upright, Edges: [4]float64{1, 1, 1, 1}, Score: 1}}
	one, err := NewPassportReader(tools).Read(t.Context(), p, nil)
	if err != nil || one.Documents[0].Quad != upright {
		t.Errorf("alone: %+v, %v", one, err)
	}
}

// Property: on the committed pictures of both sides of a card each is read for itself, with the number of its card, and
// neither holds a field of the other.
func TestGoldenPairs(t *testing.T) {
	reader, pairs := NewMultiReader(cardTools(t)), 0
	for _, truth := range goldenTruth(t, "documents") {
		if len(truth.Documents) < 2 {
			continue
		}
		pairs++
		got, err := reader.Read(t.Context(), picture(t, filepath.Join("documents", truth.File)), nil)
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
			if number := d.Field("idNumber").Value; number != *want.Fields["idNumber"] && !flagged(d, "idNumber") {
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
