package appliancetest

import (
	"context"

	"github.com/bawab/bawab/appliance"
)

// PictureDecoder is an appliance.PictureDecoder made of a function. With a nil DecodeFunc every input is a grey
// picture of 64 x 64 black samples.
type PictureDecoder struct {
	DecodeFunc func(ctx context.Context, image []byte) (*appliance.Picture, error)
}

// Decode calls DecodeFunc.
func (d PictureDecoder) Decode(ctx context.Context, image []byte) (*appliance.Picture, error) {
	if d.DecodeFunc == nil {
		return &appliance.Picture{Width: 64, Height: 64, Y: make([]byte, 64*64)}, nil
	}
	return d.DecodeFunc(ctx, image)
}

// Reader is an appliance.Reader made of a function. With a nil ReadFunc it finds nothing and answers
// CodeNoDocument.
type Reader struct {
	ReadFunc func(ctx context.Context, p *appliance.Picture, earlier []appliance.Document) (appliance.Reading, error)
}

// Read calls ReadFunc.
func (r Reader) Read(ctx context.Context, p *appliance.Picture, earlier []appliance.Document) (appliance.Reading, error) {
	if r.ReadFunc == nil {
		return appliance.Reading{}, appliance.Errorf(appliance.CodeNoDocument, "no document found in the picture")
	}
	return r.ReadFunc(ctx, p, earlier)
}
