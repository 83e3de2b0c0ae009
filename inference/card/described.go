package card

import (
	"context"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/form"
	laid "github.com/bawab/bawab/inference/page"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/vision"
)

// Described is a kind of document as the document engine reads it.
type Described struct {
	*form.Description
	form.Weights
}

// page is the card as the document engine takes it.
func (r *Reader) page(s *scene, toPicture vision.Homography, lines []text.Line) *laid.Page {
	return laid.New(s.view(toPicture), lines, r.Words, r.Digits)
}

// describe reads a card by the description of a kind; nil where that has none.
func (r *Reader) describe(ctx context.Context, s *sheet, kind appliance.Kind, earlier []appliance.Document) (*form.Reading, error) {
	by, ok := r.Described[kind]
	if !ok || s.page == nil {
		return nil, nil
	}
	read, err := by.Fit(ctx, s.page, by.Weights, field.Known{Now: r.Now(), Earlier: earlier})
	return &read, err
}

// readByDescription reads a card of a kind that is described.
func (r *Reader) readByDescription(
	ctx context.Context, s *sheet, d *appliance.Document, earlier []appliance.Document,
) (legible float64, err error) {
	read, err := r.describe(ctx, s, d.Kind, earlier)
	if err != nil || read == nil {
		return 0, err
	}
	s.named = read.Proved()
	d.Fields, d.Validations = append(d.Fields, read.Fields...), append(d.Validations, read.Validations...)
	return read.Legible, nil
}

// readDescribed reads what looks like a licence that is described. Where its title, or what only that kind has, proves it, that
// tells what it is; else all labels do, as for the other licences.
func (r *Reader) readDescribed(
	ctx context.Context, s *sheet, d *appliance.Document, earlier []appliance.Document,
) (legible float64, err error) {
	looks := d.Kind
	read, err := r.describe(ctx, s, looks, earlier)
	if err != nil {
		return 0, err
	}
	if read != nil && read.Proved() {
		s.named = true
		d.Fields, d.Validations = append(d.Fields, read.Fields...), append(d.Validations, read.Validations...)
		return read.Legible, nil
	}
	all, err := s.readLicence(ctx, d)
	if err != nil {
		return 0, err
	}
	if d.Kind != looks || read == nil {
		if read, err = r.describe(ctx, s, d.Kind, earlier); err != nil {
			return 0, err
		}
	}
	if read != nil {
		d.Fields, d.Validations = append(d.Fields, read.Fields...), append(d.Validations, read.Validations...)
		return all.legible(), nil
	}
	return all.legible(), r.fillIn(ctx, s, d, all, earlier)
}
