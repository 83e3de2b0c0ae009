package card

import (
	"context"

	"github.com/bawab/bawab/appliance"
)

// readable tells whether the lines of a kind are known.
func readable(k appliance.Kind) bool {
	return k == appliance.NationalIDFront || k == appliance.NationalIDBack
}

// readSide reads the fields of a document of its kind, and says from 0 to 1 how well they could be read.
func (r *Reader) readSide(ctx context.Context, s *sheet, d *appliance.Document, earlier []appliance.Document) (float64, error) {
	e := editor{Document: d, sheet: s, now: r.Now(), earlier: earlier, nameWords: r.names, addressWords: r.addresses}
	if d.Kind == appliance.NationalIDBack {
		p, err := s.readBack(ctx)
		if err == nil {
			e.back(p)
		}
		return p.legible(), err
	}
	p, err := s.readFront(ctx)
	if err == nil {
		e.front(p)
	}
	return p.legible(), err
}
