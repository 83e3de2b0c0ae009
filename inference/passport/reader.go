package passport

import (
	"context"
	"fmt"
	"slices"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/mrz"
	"github.com/bawab/bawab/inference/outline"
	"github.com/bawab/bawab/inference/reading"
	"github.com/bawab/bawab/inference/scene"
	"github.com/bawab/bawab/inference/zone"
)

// Reader reads the data page of a passport by its machine readable zone. It is safe for concurrent use.
type Reader struct {
	documents *reading.Reader
	pages     *Pages
}

// NewReader makes a reader of passports. t reads the other documents of a picture; it and pages stay the caller's.
func NewReader(t reading.Tools, pages *Pages) *Reader {
	return &Reader{reading.NewReader(appliance.Passport, t), pages}
}

// Read finds the machine readable zone at any angle, reads and checks it. A zone of a visa or a card is read as far as it
// goes and answered as another document. A picture that shows no passport is answered with the largest other document of
// the contract, as what it is, and one without any with CodeNoDocument.
func (r *Reader) Read(ctx context.Context, p *appliance.Picture, earlier []appliance.Document) (appliance.Reading, error) {
	answer, _, err := r.ReadZone(ctx, p, earlier)
	return answer, err
}

// ReadZone does what Read does and also returns the zone as it was read, for measuring.
func (r *Reader) ReadZone(
	ctx context.Context, p *appliance.Picture, earlier []appliance.Document,
) (appliance.Reading, mrz.Reading, error) {
	ctx, s := scene.New(ctx, p, earlier)
	if err := r.documents.Look(ctx, s); err != nil {
		return appliance.Reading{Stages: s.Stages}, mrz.Reading{}, fmt.Errorf("read passport: %w", err)
	}
	if err := r.tellPages(ctx, s); err != nil {
		return appliance.Reading{Stages: s.Stages}, mrz.Reading{}, fmt.Errorf("read passport: %w", err)
	}
	target := slices.IndexFunc(s.Found, func(f outline.Found) bool { return f.Kind == appliance.Passport })
	z, ok, err := r.zone(ctx, s, target)
	if err != nil {
		return appliance.Reading{Stages: s.Stages}, mrz.Reading{}, fmt.Errorf("read passport: %w", err)
	}
	if ok {
		d, at := Of(z, r.pages.Now()), s.At(z.Middle())
		if at >= 0 {
			place(s, &d, s.Card(at))
		} else {
			place(s, &d, scene.Card{})
		}
		s.Lap("quality")
		err := r.pages.comparePrint(ctx, s, &d, z.Reading)
		if err == nil {
			err = r.documents.Examine(ctx, s, &d)
		}
		return s.Reading(d, at), z.Reading, err
	}
	known := func(f outline.Found) bool { return f.Kind != appliance.Unknown }
	if i := slices.IndexFunc(s.Found, known); i >= 0 && target < 0 && !reading.Tiny(p) {
		d, _, err := r.documents.ReadFound(ctx, s, i)
		if err != nil {
			return s.Reading(d, i), mrz.Reading{}, err
		}
		if err := r.documents.Refuse(ctx, s, d, s.Found[i]); appliance.CodeOf(err) != appliance.CodeNoDocument {
			return s.Reading(d, i), mrz.Reading{}, err
		}
	}
	return appliance.Reading{Stages: s.Stages}, mrz.Reading{}, appliance.Errorf(appliance.CodeNoDocument,
		"no passport was found in the image: show the whole data page with its two lines at the bottom, sharp and without glare")
}

// tellPages tells the passports among several sheets by their zones: of two pages the finder may know the smaller one alone.
func (r *Reader) tellPages(ctx context.Context, s *scene.Scene) error {
	if len(s.Found) < 2 {
		return nil
	}
	print, err := r.pages.Detector.Detect(ctx, s.Luma)
	s.Lap("detect")
	if err != nil {
		return err
	}
	return r.pages.Tell(ctx, s, print.Zones())
}

// zone reads the zone of the target, or where there is none or it is not clear, the best of the whole picture.
func (r *Reader) zone(ctx context.Context, s *scene.Scene, target int) (best zone.Reading, ok bool, err error) {
	zones := r.pages.Zones
	if target >= 0 {
		best, ok, err = zones.Within(ctx, s.Luma, s.Found[target].Quad, s.Watch)
		if err != nil || ok && best.Good() {
			return best, ok, err
		}
	}
	other, anywhere, err := zones.Read(ctx, s.Luma, s.Watch)
	if err == nil && anywhere && (!ok || other.Quality > best.Quality) {
		return other, true, nil
	}
	return best, ok, err
}
