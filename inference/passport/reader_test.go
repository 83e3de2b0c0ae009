package passport

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt/number"
	"github.com/bawab/bawab/appliance/mrz"
	"github.com/bawab/bawab/inference/inferencetest"
	"github.com/bawab/bawab/inference/outline/outlinetest"
	"github.com/bawab/bawab/inference/reading"
	"github.com/bawab/bawab/inference/reading/readingtest"
	"github.com/bawab/bawab/inference/stopwatch"
	"github.com/bawab/bawab/inference/vision"
)

// newPages opens the product's own networks.
func newPages(t testing.TB) *Pages {
	t.Helper()
	return &Pages{Tools: readingtest.Tools(t), Zones: readingtest.Zones(t)}
}

// newReader reads passports with them.
func newReader(t testing.TB) *Reader {
	t.Helper()
	pages := newPages(t)
	tools := pages.Tools
	tools.Own = []reading.Own{pages.Own()}
	return NewReader(tools, pages)
}

// Property: what the product reads must not get worse. On the committed photographs, which no training saw, at least
// 11 of 12 zones come out exact, no wrong passport number comes out without a flag, and how sharp the page is is measured.
func TestGoldenPassports(t *testing.T) {
	const exactFloor, leastSharp = 11, 0.24
	f, err := os.Open(filepath.FromSlash("../../models/samples/golden/truth.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	reader, exact, seen := newReader(t), 0, 0
	numbers, numbersRead := 0, 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var truth struct {
			File string
			MRZ  []string
		}
		if err := json.Unmarshal(lines.Bytes(), &truth); err != nil {
			t.Fatal(err)
		}
		want, err := mrz.Parse(truth.MRZ, readingtest.Now())
		if err != nil {
			t.Fatal(err)
		}
		seen++
		reading, zone, err := reader.ReadZone(t.Context(), readingtest.Picture(t, filepath.Join("golden", truth.File)), nil)
		if err != nil {
			t.Logf("%s: %v", truth.File, err)
			continue
		}
		if c := reading.Documents[0].Capture; c.Blurred || c.Sharpness < leastSharp {
			t.Errorf("%s is sharp by %.2f", truth.File, c.Sharpness)
		}
		if slices.Equal(zone.Lines, truth.MRZ) {
			exact++
		} else {
			t.Logf("%s: read %q, not %q", truth.File, zone.Lines, truth.MRZ)
		}
		d := reading.Documents[0]
		for _, v := range d.Validations {
			if slices.Contains(v.Errors, appliance.CodePrintDiffers) {
				t.Errorf("%s: the print is called another than the zone's: %+v", truth.File, v)
			}
		}
		if n := want.Optional.Value; d.PersonalNumber != "" && d.PersonalNumber != n {
			t.Errorf("%s: the national number is %q, not %q", truth.File, d.PersonalNumber, n)
		} else if want.IssuingState.Value == "EGY" && len(n) == number.Length {
			numbers++
			if d.PersonalNumber == n {
				numbersRead++
			}
		}
		if got := d.Field("passport_no").Value; got != want.DocumentNumber.Value && got != "" && !readingtest.Flagged(d, "passport_no") {
			t.Errorf("%s: the number is %q, not %q, and nothing says so", truth.File, got, want.DocumentNumber.Value)
		}
	}
	if t.Logf("%d of %d national numbers out of zones", numbersRead, numbers); numbers == 0 || numbersRead < numbers-1 {
		t.Errorf("only %d of %d national numbers were read out of the zones", numbersRead, numbers)
	}
	if seen < 12 || exact < exactFloor {
		t.Errorf("%d of %d exact, the floor is %d", exact, seen, exactFloor)
	}
}

// Property: the sample passport is read in full, each field with its place inside the picture and without a flag.
func TestSamplePassport(t *testing.T) {
	p := readingtest.Picture(t, "passport.jpg")
	reading, err := newReader(t).Read(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	d := reading.Documents[0]
	if d.Kind != appliance.Passport || len(d.Validations) != 0 {
		t.Errorf("kind %s, validations %+v", d.Kind, d.Validations)
	}
	for _, spec := range appliance.Passport.Model() {
		f := d.Field(spec.Name)
		if f.Value == "" || f.Confidence < 0.9 {
			t.Errorf("%s: %q with confidence %.2f", spec.Name, f.Value, f.Confidence)
		}
		for _, corner := range f.Quad {
			if corner.X < 0 || corner.Y < 0 || corner.X > float64(p.Width) || corner.Y > float64(p.Height) {
				t.Errorf("%s lies outside the picture: %v", spec.Name, f.Quad)
				break
			}
		}
	}
}

// Property: the reading does not depend on which way up the picture is held.
func TestEveryWayUp(t *testing.T) {
	upright := readingtest.Picture(t, "passport.jpg")
	reader := newReader(t)
	_, want, err := reader.ReadZone(t.Context(), upright, nil)
	if err != nil {
		t.Fatal(err)
	}
	for quarter, p := 1, quarterTurn(upright); quarter < 4; quarter, p = quarter+1, quarterTurn(p) {
		_, got, err := reader.ReadZone(t.Context(), p, nil)
		if err != nil || !slices.Equal(got.Lines, want.Lines) {
			t.Errorf("turned by %d degrees: %q, %v", 90*quarter, got.Lines, err)
		}
	}
}

func quarterTurn(p *appliance.Picture) *appliance.Picture {
	out := &appliance.Picture{Width: p.Height, Height: p.Width, Y: make([]byte, len(p.Y))}
	for y := range p.Height {
		for x := range p.Width {
			out.Y[x*out.Width+p.Height-1-y] = p.Y[y*p.Width+x]
		}
	}
	return out
}

// Property: a picture without a document is code 3011, whatever it shows, and never an invented passport.
func TestNoDocument(t *testing.T) {
	reader := newReader(t)
	fill := map[string]func(x, y int) byte{
		"white":         func(x, y int) byte { return 255 },
		"black":         func(x, y int) byte { return 0 },
		"noise":         func(x, y int) byte { return byte((x*7919 + y*104729 + x*y*31) >> 3) },
		"stripes":       func(x, y int) byte { return byte(x / 6 % 2 * 255) },
		"lines of bars": func(x, y int) byte { return byte(1-y/12%2*(x/5%2)) * 255 },
	}
	for name, at := range fill {
		for _, side := range []int{64, 1200} {
			p := &appliance.Picture{Width: side, Height: side, Y: make([]byte, side*side)}
			for i := range p.Y {
				p.Y[i] = at(i%side, i/side)
			}
			if got, err := reader.Read(t.Context(), p, nil); appliance.CodeOf(err) != appliance.CodeNoDocument {
				t.Errorf("%s, %d pixels a side: %d documents, %v", name, side, len(got.Documents), err)
			}
		}
	}
}

func BenchmarkPassport(b *testing.B) {
	p, reader := readingtest.Picture(b, "passport.jpg"), newReader(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := reader.Read(b.Context(), p, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// Property: on a drawn page whose sex, nationality and expiry date are another's, all three and nothing else are told, though the letter
// stands alone and labels are small.
func TestForeignFieldsOfAPage(t *testing.T) {
	reading, err := newReader(t).Read(t.Context(), inferencetest.Picture(t, "testdata", "foreign_fields.jpg"), nil)
	if err != nil {
		t.Fatal(err)
	}
	d := reading.Documents[0]
	for _, f := range d.Fields {
		want := slices.Contains([]string{"gender", "nationality", "Date_of_Expiry"}, f.Name)
		if got := d.Flagged(f.Name, appliance.CodePrintDiffers); got != want {
			t.Errorf("%s: told %v, want %v: %+v", f.Name, got, want, d.Validations)
		}
	}
}

// Property: the licence that is sought is read also where something larger, of no kind, was found with it, and where the finder
// takes it for a passport or an ID: the print decides.
func TestPrintDecidesWhatIsRead(t *testing.T) {
	pages := newPages(t)
	tools := pages.Tools
	tools.Own = []reading.Own{pages.Own()}
	card := readingtest.Truth(t, "licences")[0]
	p := readingtest.Picture(t, filepath.Join("licences", card.File))
	d := card.Documents[0]
	quad := inferencetest.Quad(d.Quad)
	corner := appliance.Quad{{X: 0, Y: 0}, {X: 60, Y: 0}, {X: 60, Y: 40}, {X: 0, Y: 40}}
	for name, found := range map[string]outlinetest.Found{
		"beside another paper": {{Kind: appliance.Unknown, Quad: corner}, {Kind: appliance.Unknown, Quad: quad}},
		"like a passport":      {{Kind: appliance.Passport, Quad: quad}},
		"like an ID":           {{Kind: appliance.NationalIDFront, Quad: quad}},
	} {
		tools.Finder = found
		got, err := reading.NewReader(d.Kind, tools).Read(t.Context(), p, nil)
		if err != nil || got.Documents[0].Kind != d.Kind {
			t.Errorf("%s: %+v, %v", name, got.Documents, err)
		}
	}
}

// Property: the zone of a passport is read within its outline alone: an outline of another part of the page gives none.
func TestZoneWithinItsPage(t *testing.T) {
	p := readingtest.Picture(t, "passport.jpg")
	zones := readingtest.Zones(t)
	whole, err := outlinetest.Finder(t).Find(t.Context(), p)
	if err != nil || len(whole) == 0 || whole[0].Kind != appliance.Passport {
		t.Fatalf("%v, %v", whole, err)
	}
	there := whole[0].Quad
	upper := appliance.Quad{there[0], there[1], vision.Between(there[1], there[2], 0.6), vision.Between(there[0], there[3], 0.6)}
	for name, test := range map[string]struct {
		quad  appliance.Quad
		reads bool
	}{
		"its own": {there, true}, "upside down": {appliance.Quad{there[2], there[3], there[0], there[1]}, true},
		"the part above": {upper, false},
	} {
		ctx, watch := stopwatch.New(t.Context())
		if _, ok, err := zones.Within(ctx, vision.Luma(p), test.quad, watch); err != nil || ok != test.reads {
			t.Errorf("%s: read %t, %v", name, ok, err)
		}
	}
}
