package reading

import (
	"context"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/form"
	laid "github.com/bawab/bawab/inference/page"
)

// describe reads a card by the description of a kind; nil where that has none.
func (r *Reader) describe(ctx context.Context, page *laid.Page, kind appliance.Kind, earlier []appliance.Document) (*form.Reading, error) {
	by := r.of(kind)
	if by == nil {
		return nil, nil
	}
	read, err := by.Fit(ctx, page, r.Calibration, field.Known{Now: r.Now(), Earlier: earlier})
	return &read, err
}

// readByDescription reads a card of a kind that is described.
func (r *Reader) readByDescription(
	ctx context.Context, page *laid.Page, d *appliance.Document, earlier []appliance.Document,
) (legible float64, named bool, err error) {
	read, err := r.describe(ctx, page, d.Kind, earlier)
	if err != nil || read == nil {
		return 0, false, err
	}
	d.Fields, d.Validations = append(d.Fields, read.Fields...), append(d.Validations, read.Validations...)
	return read.Legible, read.Proved(), nil
}

// readDescribed reads what looks like a licence, or like nothing that is known. Where a title, or what only that kind has, proves
// that it is what it looks like, that tells; else what the descriptions of all licences find on it, without their values.
func (r *Reader) readDescribed(
	ctx context.Context, page *laid.Page, d *appliance.Document, earlier []appliance.Document,
) (legible float64, named bool, err error) {
	looks := d.Kind
	if looks == appliance.Unknown && r.ByPrint(r.kind) { // it may be what is asked for
		d.Kind = r.kind
	}
	read, err := r.describe(ctx, page, d.Kind, earlier)
	if err != nil {
		return 0, false, err
	}
	if named = read != nil && read.Proved(); !named {
		all, err := r.surveyed(ctx, page, read, d.Kind)
		if err != nil {
			return 0, false, err
		}
		for _, of := range all {
			legible = max(legible, of.Legible)
		}
		first := d.Kind
		if d.Kind, named = r.told(all, looks); d.Kind != first {
			if read, err = r.describe(ctx, page, d.Kind, earlier); err != nil {
				return 0, false, err
			}
		}
	}
	if read == nil {
		return legible, named, nil
	}
	d.Fields, d.Validations = append(d.Fields, read.Fields...), append(d.Validations, read.Validations...)
	return read.Legible, named, nil
}

// surveyed is what the descriptions of all kinds that print alone tells find on a card, of which one kind may have been read.
func (r *Reader) surveyed(ctx context.Context, page *laid.Page, read *form.Reading, kind appliance.Kind) (all []form.Survey, err error) {
	for _, by := range r.Described {
		if !by.Marks.ByPrint() {
			continue
		}
		var of form.Survey
		if read != nil && by.Kind == kind {
			of = read.Survey
		} else if of, err = by.Survey(ctx, page, r.Calibration); err != nil {
			return nil, err
		}
		all = append(all, of)
	}
	return all, nil
}
