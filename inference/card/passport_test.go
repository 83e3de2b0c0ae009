package card

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/appliance/mrz"
	"github.com/bawab/bawab/inference/inferencetest"
	"github.com/bawab/bawab/inference/zone"
)

const samples = "../../models/samples"

// newReader opens the product's own networks.
func newReader(t testing.TB) *PassportReader {
	lines, _ := inferencetest.Product(t, "lines")
	chars, _ := inferencetest.Product(t, "mrz")
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	tools := cardTools(t)
	tools.Zones = zone.NewReader(lines, chars, func() time.Time { return now })
	return NewPassportReader(tools)
}

func picture(t testing.TB, file string) *appliance.Picture {
	t.Helper()
	return inferencetest.Picture(t, samples, file)
}

// flagged reports whether a validation error names the field.
func flagged(d appliance.Document, field string) bool {
	return slices.ContainsFunc(d.Validations, func(v appliance.Validation) bool { return v.Field == field })
}

// Property: what the product reads must not get worse. On the committed photographs, which no training saw, at least
// 11 of 12 zones come out exact, no wrong passport number comes out without a flag, and how sharp the page is is measured.
func TestGoldenPassports(t *testing.T) {
	const exactFloor = 11
	f, err := os.Open(filepath.Join(samples, "golden", "truth.jsonl"))
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
		want, err := mrz.Parse(truth.MRZ, reader.documents.Now())
		if err != nil {
			t.Fatal(err)
		}
		seen++
		reading, zone, err := reader.ReadZone(t.Context(), picture(t, filepath.Join("golden", truth.File)), nil)
		if err != nil {
			t.Logf("%s: %v", truth.File, err)
			continue
		}
		if c := reading.Documents[0].Capture; c.Blurred || c.Sharpness < blurredPrint/sharpPrint {
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
		} else if want.IssuingState.Value == "EGY" && len(n) == egypt.NumberLength {
			numbers++
			if d.PersonalNumber == n {
				numbersRead++
			}
		}
		if got := d.Field("passport_no").Value; got != want.DocumentNumber.Value && got != "" && !flagged(d, "passport_no") {
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
	p := picture(t, "passport.jpg")
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
	upright := picture(t, "passport.jpg")
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
	p, reader := picture(b, "passport.jpg"), newReader(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := reader.Read(b.Context(), p, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// Property: among the documents of a picture a page that looks like none, or like one in a mirror, is the passport that its zone, or the side of a
// national ID that its text says it is.
func TestPrintMakesADocument(t *testing.T) {
	tools := newReader(t).documents.Tools
	for file, want := range map[string]appliance.Kind{"passport.jpg": appliance.Passport, "id_back.jpg": appliance.NationalIDBack} {
		p := picture(t, file)
		found, err := tools.Finder.Find(t.Context(), p)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v, %v", file, found, err)
		}
		strange := found[0]
		strange.Kind, strange.Mirrored = appliance.Unknown, true
		others := tools
		others.Finder = foundBy{strange}
		reading, err := NewMultiReader(others).Read(t.Context(), p, nil)
		got := appliance.Kind("")
		if len(reading.Documents) > 0 {
			got = reading.Documents[0].Kind
		}
		if got != want || err != nil {
			t.Errorf("%s: %q, %v", file, got, err)
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
