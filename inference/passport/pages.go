package passport

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/mrz"
	"github.com/bawab/bawab/inference/line"
	"github.com/bawab/bawab/inference/outline"
	laid "github.com/bawab/bawab/inference/page"
	"github.com/bawab/bawab/inference/reading"
	"github.com/bawab/bawab/inference/scene"
	"github.com/bawab/bawab/inference/sheet"
	"github.com/bawab/bawab/inference/vision"
	"github.com/bawab/bawab/inference/zone"
)

// Pages reads the data pages of passports in scenes. It is safe for concurrent use.
type Pages struct {
	reading.Tools
	Zones *zone.Reader
}

// Own is how passports are read among the documents of a picture.
func (r *Pages) Own() reading.Own {
	return reading.Own{Kind: appliance.Passport, Read: r.read, First: r.readByZone, Says: Says, Unread: Unread}
}

// Tell tells the passports of a scene by their zones, of which those that were seen are given, where nothing known was found: on a
// sheet of text a page may be seen as one with that, or in part, whose place it takes.
func (r *Pages) Tell(ctx context.Context, s *scene.Scene, seen []line.Zone) error {
	zones, err := r.Zones.Elsewhere(ctx, s.Luma, seen, func(p appliance.Point) bool {
		return slices.ContainsFunc(s.Found, func(f outline.Found) bool {
			return (f.Kind == appliance.Passport || r.ByLook(f.Kind)) && f.Quad.Contains(p)
		})
	}, s.Watch)
	if err != nil {
		return err
	}
	for _, z := range zones {
		page := Of(z, r.Now())
		if page.Kind != appliance.Passport {
			continue
		}
		if i := slices.IndexFunc(s.Found, func(f outline.Found) bool { return f.Outlined() && samePage(page, f) }); i >= 0 {
			s.Found[i].Kind, s.Found[i].Mirrored = appliance.Passport, false
			continue
		}
		f, err := r.Finder.Again(ctx, s.Picture, outline.Found{Kind: appliance.Passport, Quad: page.Quad, Score: z.Quality}, page.Quad)
		s.Lap("find")
		if err != nil {
			return err
		}
		outlineAs(&page, f)
		f.Quad = page.Quad
		s.Found = append(slices.DeleteFunc(s.Found, func(o outline.Found) bool {
			return (o.Kind == appliance.Unknown || o.Kind == appliance.Passport) && sheet.OnePlace(o.Quad, f.Quad)
		}), f)
	}
	slices.SortStableFunc(s.Found, func(a, b outline.Found) int { return cmp.Compare(vision.Area(b.Quad[:]), vision.Area(a.Quad[:])) })
	return nil
}

// read reads the passport that was found. Where it has no zone that can be read, no field is.
func (r *Pages) read(ctx context.Context, s *scene.Scene, c scene.Card) (appliance.Document, error) {
	z, ok, err := r.Zones.Within(ctx, s.Luma, c.Quad, s.Watch)
	if err != nil {
		return appliance.Document{}, err
	}
	// Where something covers a part of its zone, the rest has the form of another.
	covered := c.Kind == appliance.Passport && z.Format != mrz.TD3 && strings.HasPrefix(z.DocumentCode.Value, "P")
	if ok && !covered {
		d := Of(z, r.Now())
		place(s, &d, c)
		err = r.comparePrint(ctx, s, &d, z.Reading)
		return d, err
	}
	d := Unread(c.Quad)
	d.Capture = scene.Capture(s.Picture, c)
	return d, nil
}

// comparePrint holds the fields of a zone against what is printed above it; of other documents than passports the zone does not tell where
// that is.
func (r *Pages) comparePrint(ctx context.Context, s *scene.Scene, d *appliance.Document, z mrz.Reading) error {
	var page *laid.Page
	toPicture, ok := scene.FromView(d.Quad)
	if ok && d.Kind == appliance.Passport && r.Words != nil && r.Detector != nil {
		page = s.Page(toPicture, nil, r.Words, r.Digits, &r.Calibration.Page)
	}
	return Compare(ctx, r.Detector, page, d, z)
}

// readByZone reads a sheet as the passport that its zone says it is; without such a zone it returns no value. The looks of passports
// differ: one with the portrait on the right looks as if in a mirror, one in two scripts like a licence.
func (r *Pages) readByZone(ctx context.Context, s *scene.Scene, c scene.Card) (appliance.Document, error) {
	d, err := r.read(ctx, s, c)
	if d.Kind != appliance.Passport {
		return appliance.Document{}, err
	}
	return d, err
}

// place gives a page its outline and judges how well the picture shows it; c is what was found there, if anything was.
func place(s *scene.Scene, d *appliance.Document, c scene.Card) {
	if !outlineAs(d, c.Found) {
		c.Found = outline.Found{}
	}
	c.Quad = d.Quad
	d.Capture = scene.Capture(s.Picture, c)
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
	return min(sheet.Overlap(d.Quad, f.Quad), sheet.Overlap(f.Quad, d.Quad)) >= near
}
