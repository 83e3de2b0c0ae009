package plate

import (
	"context"
	"slices"
	"time"

	"github.com/bawab/bawab/appliance"
)

// Endpoint reads the largest plate of a picture; it implements appliance.Reader.
type Endpoint struct {
	documents appliance.Reader
	plates    *Reader
}

// NewEndpoint makes the reader of the endpoint for plates. documents finds and reads the documents of a picture, plates through
// the same plates reader; both stay the caller's.
func NewEndpoint(documents appliance.Reader, plates *Reader) *Endpoint {
	return &Endpoint{documents: documents, plates: plates}
}

// Read reads the largest plate. Where documents finds none that can be read, whatever it took for another document is read as a
// plate, and then the picture is searched for one. What documents answered stands when that fails too.
func (e *Endpoint) Read(ctx context.Context, p *appliance.Picture, earlier []appliance.Document) (appliance.Reading, error) {
	found, err := e.documents.Read(ctx, p, earlier)
	if err != nil && appliance.CodeOf(err) != appliance.CodeNoDocument || err == nil && isRead(found) {
		return found, err
	}
	began := time.Now()
	d, ok, seekErr := e.seek(ctx, p, found)
	if seekErr != nil {
		return found, seekErr
	}
	if !ok {
		return found, err
	}
	out := appliance.Reading{Documents: []appliance.Document{d}, Others: found.Others}
	out.Stages = append(found.Stages, appliance.Stage{Name: "seek", Elapsed: time.Since(began)})
	return out, nil
}

// isRead reports whether the first document is a plate that was read.
func isRead(r appliance.Reading) bool {
	if len(r.Documents) == 0 || r.Documents[0].Kind != appliance.LicensePlate {
		return false
	}
	return r.Documents[0].Field(field).Value != "" || slices.ContainsFunc(r.Documents[0].Validations, func(v appliance.Validation) bool {
		return slices.Contains(v.Errors, appliance.CodePlateRule)
	})
}

// seek reads the outlines of a reading as plates, then searches the picture.
func (e *Endpoint) seek(ctx context.Context, p *appliance.Picture, found appliance.Reading) (appliance.Document, bool, error) {
	var quads []appliance.Quad
	for _, d := range found.Documents {
		quads = append(quads, d.Quad)
	}
	for _, o := range found.Others {
		quads = append(quads, o.Quad)
	}
	for _, q := range quads {
		got, at, err := e.plates.settle(ctx, p, q)
		if err != nil {
			return appliance.Document{}, false, err
		}
		if got.Confidence >= enough {
			d, err := e.plates.document(ctx, p, q, at, got)
			return d, err == nil, err
		}
	}
	return e.plates.Seek(ctx, p)
}
