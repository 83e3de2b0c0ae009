package card

import (
	"context"

	"github.com/bawab/bawab/appliance"
)

// readable tells whether the lines of a kind are known. What looks like nothing known is read where a licence is asked for:
// no look of theirs is confirmed.
func (r *Reader) readable(k appliance.Kind) bool {
	return nationalID(k) || licence(k) || k == appliance.Unknown && licence(r.kind)
}

// magnification is how many pixels the line detector sees for one of the view: the print of licences is about two thirds as
// high as that of an ID. The larger one takes four runs of the network.
func magnification(k appliance.Kind) float64 {
	if nationalID(k) {
		return 1
	}
	return 1.75
}

// readSide reads the fields of a document of its kind, and says from 0 to 1 how well they could be read.
func (r *Reader) readSide(ctx context.Context, s *sheet, d *appliance.Document, earlier []appliance.Document) (float64, error) {
	e := editor{Document: d, sheet: s, now: r.Now(), earlier: earlier, nameWords: r.names, addressWords: r.addresses, jobWords: r.jobs, remarkWords: r.remarks}
	switch d.Kind {
	case appliance.NationalIDFront:
		return readPrint(func(ctx context.Context) (frontPrint, error) { return s.readFront(ctx, r.names) }, e.front)(ctx)
	case appliance.NationalIDBack:
		return readPrint(s.readBack, e.back)(ctx)
	}
	all, err := s.readLicence(ctx, d)
	if err != nil {
		return 0, err
	}
	switch d.Kind {
	case appliance.DrivingLicense:
		return readPrint(func(ctx context.Context) (drivingPrint, error) { return s.readDriving(ctx, all, r.names) }, e.driving)(ctx)
	case appliance.CarLicenseFront:
		return readPrint(func(ctx context.Context) (carPrint, error) { return s.readCarFront(ctx, all, r.names) }, e.carFront)(ctx)
	case appliance.CarLicenseBack:
		return readPrint(func(ctx context.Context) (vehiclePrint, error) { return s.readCarBack(ctx, all, r.names) }, e.carBack)(ctx)
	}
	if all.ink() > fairly { // print that says nothing of a licence; upside down it looks less like any
		return wellRead, nil
	}
	return 0, nil // perhaps it lies the other way round
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
