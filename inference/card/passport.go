package card

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/mrz"
	"github.com/bawab/bawab/inference/outline"
	laid "github.com/bawab/bawab/inference/page"
	"github.com/bawab/bawab/inference/passport"
	"github.com/bawab/bawab/inference/stopwatch"
	"github.com/bawab/bawab/inference/vision"
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
func (r *PassportReader) ReadZone(
	ctx context.Context, p *appliance.Picture, earlier []appliance.Document,
) (appliance.Reading, mrz.Reading, error) {
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
		d, at := passport.Of(z, r.documents.Now()), s.at(z.Middle())
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
			sum += vision.Distance(c, d.Quad[i])
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
func (r *Reader) readPassport(
	ctx context.Context, s *scene, f outline.Found, covers []appliance.Quad, watch *stopwatch.Watch,
) (appliance.Document, error) {
	z, ok, err := r.Zones.Within(ctx, s.luma, f.Quad, watch)
	if err != nil {
		return appliance.Document{}, err
	}
	// Where something covers a part of its zone, the rest has the form of another.
	covered := f.Kind == appliance.Passport && z.Format != mrz.TD3 && strings.HasPrefix(z.DocumentCode.Value, "P")
	if ok && !covered {
		d := passport.Of(z, r.Now())
		s.place(&d, f, covers)
		err = r.comparePrint(ctx, s, &d, z.Reading)
		return d, err
	}
	d := passport.Unread(f.Quad)
	d.Capture = capture(s.Picture, f, covers)
	return d, nil
}

// comparePrint holds the fields of a zone against what is printed above it; of other documents than passports the zone does not tell where
// that is.
func (r *Reader) comparePrint(ctx context.Context, s *scene, d *appliance.Document, z mrz.Reading) error {
	var page *laid.Page
	toPicture, ok := vision.RectToQuad(viewWidth, viewHeight, d.Quad)
	if ok && d.Kind == appliance.Passport && r.Words != nil && r.Detector != nil {
		page = r.page(s, toPicture, nil)
	}
	return passport.Compare(ctx, r.Detector, page, d, z)
}

// readByZone reads a sheet as the passport that its zone says it is; without such a zone it returns no value. The looks of passports
// differ: one with the portrait on the right looks as if in a mirror, one in two scripts like a licence.
func (r *Reader) readByZone(
	ctx context.Context, s *scene, f outline.Found, covers []appliance.Quad, watch *stopwatch.Watch,
) (appliance.Document, error) {
	if !r.readable(appliance.Unknown) || r.Zones == nil {
		return appliance.Document{}, nil
	}
	d, err := r.readPassport(ctx, s, f, covers, watch)
	if d.Kind != appliance.Passport {
		return appliance.Document{}, err
	}
	return d, err
}
