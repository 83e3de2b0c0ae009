package card

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/egypt"
	"github.com/bawab/bawab/appliance/mrz"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/stopwatch"
	"github.com/bawab/bawab/inference/zone"
)

// PassportReader reads the data page of a passport by its machine readable zone. It is safe for concurrent use.
type PassportReader struct{ documents *Reader }

// NewPassportReader makes a reader of passports; t.Zones must be set.
func NewPassportReader(t Tools) *PassportReader {
	return &PassportReader{NewReader(appliance.Passport, t)}
}

// Read finds the machine readable zone at any angle, reads and checks it. A zone of a visa or a card is read as far as it
// goes and answered as another document. A picture that shows no passport is answered with the largest other document of
// the contract, as what it is, and one without any with CodeNoDocument.
func (r *PassportReader) Read(ctx context.Context, p *appliance.Picture, earlier []appliance.Document) (appliance.Reading, error) {
	reading, _, err := r.ReadZone(ctx, p, earlier)
	return reading, err
}

// ReadZone does what Read does and also returns the zone as it was read, for measuring.
func (r *PassportReader) ReadZone(ctx context.Context, p *appliance.Picture, earlier []appliance.Document) (appliance.Reading, mrz.Reading, error) {
	ctx, watch := stopwatch.New(ctx)
	s, err := r.documents.look(ctx, p, watch)
	if err != nil {
		return appliance.Reading{Stages: watch.Stages}, mrz.Reading{}, fmt.Errorf("read passport: %w", err)
	}
	if err := r.tellPages(ctx, s, watch); err != nil {
		return appliance.Reading{Stages: watch.Stages}, mrz.Reading{}, fmt.Errorf("read passport: %w", err)
	}
	target := slices.IndexFunc(s.found, func(f outline.Found) bool { return f.Kind == appliance.Passport })
	z, ok, err := r.zone(ctx, s, target, watch)
	if err != nil {
		return appliance.Reading{Stages: watch.Stages}, mrz.Reading{}, fmt.Errorf("read passport: %w", err)
	}
	if ok {
		d, at := passport(z, r.documents.Now()), s.at(z.Middle())
		if at >= 0 {
			s.place(&d, s.found[at], s.covers(at))
		} else {
			s.place(&d, outline.Found{}, nil)
		}
		watch.Lap("quality")
		err := r.documents.comparePrint(ctx, s, &d, z.Reading)
		if err == nil {
			err = r.documents.examine(ctx, s, &d, watch)
		}
		return s.reading(d, at, watch), z.Reading, err
	}
	known := func(f outline.Found) bool { return f.Kind != appliance.Unknown }
	if i := slices.IndexFunc(s.found, known); i >= 0 && target < 0 && max(p.Width, p.Height) >= smallPicture {
		d, _, err := r.documents.readFound(ctx, s, i, earlier, watch)
		if err != nil {
			return s.reading(d, i, watch), mrz.Reading{}, err
		}
		if err := r.documents.refuse(ctx, s, d, s.found[i], watch); appliance.CodeOf(err) != appliance.CodeNoDocument {
			return s.reading(d, i, watch), mrz.Reading{}, err
		}
	}
	return appliance.Reading{Stages: watch.Stages}, mrz.Reading{}, appliance.Errorf(appliance.CodeNoDocument,
		"no passport was found in the image: show the whole data page with its two lines at the bottom, sharp and without glare")
}

// tellPages tells the passports among several sheets by their zones: of two pages the finder may know the smaller one alone.
func (r *PassportReader) tellPages(ctx context.Context, s *scene, watch *stopwatch.Watch) error {
	if len(s.found) < 2 {
		return nil
	}
	print, err := r.documents.Detector.Detect(ctx, s.luma)
	watch.Lap("detect")
	if err != nil {
		return err
	}
	return r.documents.addPassports(ctx, s, print.Zones(), watch)
}

// zone reads the zone of the target, or where there is none or it is not clear, the best of the whole picture.
func (r *PassportReader) zone(ctx context.Context, s *scene, target int, watch *stopwatch.Watch) (best zone.Reading, ok bool, err error) {
	zones := r.documents.Zones
	if target >= 0 {
		best, ok, err = zones.Within(ctx, s.luma, s.found[target].Quad, watch)
		if err != nil || ok && best.Good() {
			return best, ok, err
		}
	}
	other, anywhere, err := zones.Read(ctx, s.luma, watch)
	if err == nil && anywhere && (!ok || other.Quality > best.Quality) {
		return other, true, nil
	}
	return best, ok, err
}

// place gives a page its outline and judges how well the picture shows it; f is what was found there, if anything was.
func (s *scene) place(d *appliance.Document, f outline.Found, covers []appliance.Quad) {
	if outlineAs(d, f) {
		f.Quad = d.Quad
	} else {
		f = outline.Found{Quad: d.Quad}
	}
	d.Capture = capture(s.Picture, f, covers)
}

// outlineAs gives a page the outline that the picture shows of it for the one that follows from its zone, which hardly tells how the page
// tilts, and reports whether it did. Where they are far apart, what was found is another sheet.
func outlineAs(d *appliance.Document, f outline.Found) bool {
	if d.Kind != appliance.Passport || !f.Outlined() || !samePage(*d, f) {
		return false
	}
	// The zone tells which way up it is.
	best, least := d.Quad, math.Inf(1)
	for turn := range f.Quad {
		q, sum := appliance.Quad(slices.Concat(f.Quad[turn:], f.Quad[:turn])), 0.0
		for i, c := range q {
			sum += math.Hypot(c.X-d.Quad[i].X, c.Y-d.Quad[i].Y)
		}
		if sum < least {
			best, least = q, sum
		}
	}
	d.Quad = best
	return true
}

// samePage reports whether a page that follows from its zone is what was found.
func samePage(d appliance.Document, f outline.Found) bool {
	const near = 0.7 // of each in the other
	return min(outline.Overlap(d.Quad, f.Quad), outline.Overlap(f.Quad, d.Quad)) >= near
}

// readPassport reads the passport that was found. Where it has no zone that can be read, no field is.
func (r *Reader) readPassport(ctx context.Context, s *scene, f outline.Found, covers []appliance.Quad, watch *stopwatch.Watch) (appliance.Document, error) {
	z, ok, err := r.Zones.Within(ctx, s.luma, f.Quad, watch)
	if err != nil {
		return appliance.Document{}, err
	}
	// Where something covers a part of its zone, the rest has the form of another.
	covered := f.Kind == appliance.Passport && z.Format != mrz.TD3 && strings.HasPrefix(z.DocumentCode.Value, "P")
	if ok && !covered {
		d := passport(z, r.Now())
		s.place(&d, f, covers)
		err = r.comparePrint(ctx, s, &d, z.Reading)
		return d, err
	}
	d := unreadPassport(f.Quad)
	d.Capture = capture(s.Picture, f, covers)
	return d, nil
}

// unreadPassport is a passport of which nothing could be read.
func unreadPassport(q appliance.Quad) appliance.Document {
	d := appliance.Document{Kind: appliance.Passport, Quad: q}
	for _, f := range d.Kind.Model() {
		d.Fields = append(d.Fields, appliance.Field{Name: f.Name})
		d.Flag(f.Name, "", appliance.CodeUnreadable)
	}
	return d
}

// readByZone reads a sheet as the passport that its zone says it is; without such a zone it returns no value. The looks of passports differ: one with
// the portrait on the right looks as if in a mirror, one in two scripts like a licence.
func (r *Reader) readByZone(ctx context.Context, s *scene, f outline.Found, covers []appliance.Quad, watch *stopwatch.Watch) (appliance.Document, error) {
	if !r.readable(appliance.Unknown) || r.Zones == nil {
		return appliance.Document{}, nil
	}
	d, err := r.readPassport(ctx, s, f, covers, watch)
	if d.Kind != appliance.Passport {
		return appliance.Document{}, err
	}
	return d, err
}

// passport turns a zone into the fields of the passport model.
func passport(z zone.Reading, now time.Time) appliance.Document {
	d := appliance.Document{Kind: appliance.Passport, Quad: z.Page(), Zone: z.Lines}
	if z.Format != mrz.TD3 || len(z.DocumentCode.Value) > 0 && z.DocumentCode.Value[0] != 'P' {
		d.Kind = appliance.Unknown
		d.Quad = z.Outline()
	}
	name := z.Surname
	name.Value = z.Name()
	name.Confidence = min(z.GivenNames.Confidence, z.Surname.Confidence)
	name.Repairs = append(append([]mrz.Repair(nil), z.Surname.Repairs...), z.GivenNames.Repairs...)
	name.End = max(z.Surname.End, z.GivenNames.End)
	name.Raw = z.Raw[name.Line][name.Start:name.End]

	sex := z.Sex
	sex.Value = map[string]string{"M": "Male", "F": "Female", "X": "X"}[z.Sex.Value]

	add := func(name string, f mrz.Field) { addField(&d, z, name, f) }
	add("country_code", z.IssuingState)
	add("doc_Type", z.DocumentCode)
	add("gender", sex)
	add("name", name)
	add("nationality", z.Nationality)
	add("passport_no", z.DocumentNumber)
	add("Date_of_Birth", z.BirthDate)
	add("Date_of_Expiry", z.ExpiryDate)
	d.PersonalNumber = nationalNumber(z.Reading, now)
	if z.NameTruncated {
		d.Flag("name", name.Value, appliance.CodeLowConfidence)
	}
	if z.ExpiryDate.Value != "" && z.ExpiryDate.Value < now.Format(time.DateOnly) {
		d.Flag("Date_of_Expiry", z.ExpiryDate.Value, appliance.CodeExpired)
	}
	for _, name := range []string{mrz.CheckPersonalNumber, mrz.CheckComposite} {
		if c, ok := z.Check(name); ok && !c.OK {
			d.Flag("", "", appliance.CodeMRZCheck)
			break
		}
	}
	return d
}

// nationalNumber returns the holder's national number out of the zone of an Egyptian passport, whose personal number it is. One that is
// doubtful, or does not state the day of birth that the zone gives as well, is left out: by it documents are told to be one holder's.
func nationalNumber(z mrz.Reading, now time.Time) string {
	if z.Format != mrz.TD3 || z.IssuingState.Value != "EGY" || z.Optional.Doubtful() {
		return ""
	}
	n, err := egypt.ParseNumber(z.Optional.Value, now)
	if err != nil || n.Birth != z.BirthDate.Value {
		return ""
	}
	return n.Digits
}

// isDate reports whether a field is a date; one that the zone leaves unknown is worth a code, since no value means none is printed
// elsewhere.
func isDate(name string) bool { return name == "Date_of_Birth" || name == "Date_of_Expiry" }

// addField records a field with its evidence and says what is doubtful about it.
func addField(d *appliance.Document, z zone.Reading, name string, f mrz.Field) {
	out := appliance.Field{
		Name:       name,
		Value:      f.Value,
		Confidence: f.Confidence,
		Quad:       z.Quad(f.Line, f.Start, f.End),
		Raw:        f.Raw,
	}
	for _, r := range f.Repairs {
		out.Repairs = append(out.Repairs, fmt.Sprintf("line %d, character %d: %c read as %c, %s", r.Line+1, r.Pos+1, r.From, r.To, r.Why))
	}
	if f.CheckOK != mrz.Unchecked {
		out.Checks = append(out.Checks, appliance.FieldCheck{Name: "check_digit", Passed: f.CheckOK == mrz.Passed})
	}
	d.Fields = append(d.Fields, out)

	if f.CheckOK == mrz.Failed {
		d.Flag(name, f.Value, appliance.CodeMRZCheck)
	}
	switch {
	case f.Value == "" && (f.Reason != mrz.ReasonEmpty || isDate(name) && f.End > f.Start):
		d.Flag(name, "", appliance.CodeUnreadable)
	case f.Doubtful():
		d.Flag(name, f.Value, appliance.CodeLowConfidence)
	}
}
