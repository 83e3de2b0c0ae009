package reading

import (
	"context"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/scene"
)

// readOther reads the other documents of a picture that may be the licence that is sought, where the largest is none; without
// one it returns what was read.
func (r *Reader) readOther(ctx context.Context, s *scene.Scene, target int, read appliance.Document) (appliance.Document, int, error) {
	const most = 2 // more of them are a heap of papers
	tried := 0
	for i, f := range s.Found {
		if i == target || f.Mirrored || tried == most || f.Kind != appliance.Unknown && !r.ByPrint(f.Kind) {
			continue
		}
		tried++
		d, _, err := r.ReadFound(ctx, s, i)
		if err != nil && appliance.CodeOf(err) != appliance.CodeNoDocument || err == nil && d.Kind == r.kind {
			return d, i, err
		}
	}
	return read, target, nil
}

// readAsLicence reads once more what looks like a passport and has no zone that can be read, or like an ID that neither says so nor shows
// a number, and returns that where its text is a licence's: how those look is not confirmed. named tells that its text says what it is.
func (r *Reader) readAsLicence(
	ctx context.Context, s *scene.Scene, c scene.Card, read appliance.Document,
) (d appliance.Document, named bool, err error) {
	c.Kind = appliance.Unknown
	d, named, err = r.readCard(ctx, s, c)
	if appliance.CodeOf(err) == appliance.CodeNoDocument || err == nil && !r.ByPrint(d.Kind) {
		return read, err == nil && named && d.Kind == read.Kind, nil // in the mirror, or no licence
	}
	return d, named, err
}

// AnyValue reports whether any field of a document was read.
func AnyValue(d appliance.Document) bool { return valued(d) > 0 }

// valued is how many fields of a document were read.
func valued(d appliance.Document) (n int) {
	for _, f := range d.Fields {
		if f.Value != "" {
			n++
		}
	}
	return n
}
