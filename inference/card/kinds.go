package card

import (
	"context"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// readable tells whether the lines of a kind are known. What looks like nothing known is read where a licence is asked for, or all
// there is: no look of theirs is confirmed.
func (r *Reader) readable(k appliance.Kind) bool {
	return nationalID(k) || licence(k) || k == appliance.Unknown && (licence(r.kind) || r.kind == appliance.Unknown)
}

// sighting is one look of the line detector at a whole card.
type sighting struct {
	magnification float64 // pixels that it sees for one of the view
	height        float64 // of print, to what it measures
}

// sightings are how the lines of a kind are looked for. The print of licences is about two thirds as high as that of an ID, and
// what stands close above each other on them hangs together unless it is seen larger; then again large words that stand alone
// are overlooked. On 240 photographs of the project's generator (seeds 7501 to 7503, normal, held-out fonts, true outlines)
// of the lines of print are covered: at 1.75, 77 %; at 2.5, 90 %; at 2.5 and 1.58 together, 93 %. The two take eight runs of the network.
// Print that is seen larger is measured lower: at 2.5 as 0.9 of what it is at 1.75, for which the looks of words were chosen.
func sightings(k appliance.Kind) []sighting {
	if nationalID(k) {
		return []sighting{{1, 1}}
	}
	return []sighting{{2.5, 1.1}, {1.58, 1}}
}

// nearer is how the lines of an ID are looked for once more where one seems to have been overlooked: a short word that stands alone.
func nearer() []sighting { return []sighting{{1.58, 1}} }

// detect finds the lines of a card by all sightings together, in view pixels.
func (r *Reader) detect(ctx context.Context, luma vision.Plane, toPicture vision.Homography, sightings []sighting) (lines []text.Line, err error) {
	for _, s := range sightings {
		seen, err := r.Detector.DetectAt(ctx, luma, toPicture, viewWidth, viewHeight, s.magnification)
		if err != nil {
			return nil, err
		}
		found := seen.Lines()
		for i := range found {
			found[i].Height *= s.height
		}
		lines = withOverlooked(lines, found)
	}
	return lines, nil
}

// readSide reads the fields of a document of its kind, and says from 0 to 1 how well they could be read.
func (r *Reader) readSide(ctx context.Context, s *sheet, d *appliance.Document, earlier []appliance.Document) (float64, error) {
	e := editor{Document: d, sheet: s, now: r.Now(), earlier: earlier, nameWords: r.names, addressWords: r.addresses, jobWords: r.jobs, remarkWords: r.remarks}
	switch d.Kind {
	case appliance.NationalIDFront:
		return readPrint(func(ctx context.Context) (frontPrint, error) { return s.readFront(ctx, r.names) }, e.front)(ctx)
	case appliance.NationalIDBack:
		return readPrint(func(ctx context.Context) (backPrint, error) { return s.readBack(ctx, r.jobs) }, e.back)(ctx)
	}
	all, err := s.readLicence(ctx, d)
	if err != nil {
		return 0, err
	}
	switch d.Kind {
	case appliance.DrivingLicense:
		err = readInto(e.driving)(s.readDriving(ctx, all, r.names, r.jobs))
	case appliance.CarLicenseFront:
		err = readInto(e.carFront)(s.readCarFront(ctx, all, r.names))
	case appliance.CarLicenseBack:
		err = readInto(e.carBack)(s.readCarBack(ctx, all, r.names))
	}
	return all.legible(), err
}

// readInto fills in the fields of what was read of a licence.
func readInto[P any](fill func(P)) func(P, error) error {
	return func(p P, err error) error {
		if err == nil {
			fill(p)
		}
		return err
	}
}

// readPrint puts together how a kind's print is read and how its fields are filled in.
func readPrint[P interface{ legible() float64 }](read func(context.Context) (P, error), fill func(P)) func(context.Context) (float64, error) {
	return func(ctx context.Context) (float64, error) {
		p, err := read(ctx)
		if err == nil {
			fill(p)
		}
		return p.legible(), err
	}
}
