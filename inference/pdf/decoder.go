package pdf

import (
	"bytes"
	"context"
	"errors"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/decode"
)

// Decoder decodes pictures as decode.Decoder does, and pages of PDFs. It has no state of its own.
type Decoder struct{ decode.Decoder }

var _ appliance.PageDecoder = Decoder{}

// DecodePage implements appliance.PageDecoder.
func (d Decoder) DecodePage(ctx context.Context, image []byte, page int) (*appliance.Picture, error) {
	at := bytes.Index(image[:min(len(image), 1024)], []byte("%PDF-"))
	if at < 0 || !foreign(image) {
		return d.Decoder.DecodePage(ctx, image, page)
	}
	if err := d.CheckBytes(len(image)); err != nil {
		return nil, err
	}
	if page > maxPages {
		return nil, appliance.Errorf(appliance.CodeBadRequest, "page is beyond %d: send the page itself", maxPages)
	}
	give, err := d.Keep(ctx) // how large the page is shows when it is made
	if err != nil {
		return nil, err
	}
	var p *appliance.Picture
	err = d.Alone(ctx, func(ctx context.Context) (err error) {
		p, err = drawn(ctx, d.Decoder, image[at:], page)
		return err
	})
	if err != nil || !decode.Huge(p) {
		give()
	}
	return p, err
}

// foreign reports whether image is of no kind that package decode knows: a picture may carry "%PDF-" in its notes.
func foreign(image []byte) bool { return !decode.Known(image) }

// drawn is a page, of a file that begins with its signature.
func drawn(ctx context.Context, d decode.Decoder, b []byte, n int) (_ *appliance.Picture, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = decode.Broken(errPanic)
		}
	}()
	f, err := open(ctx, b)
	if err != nil {
		return nil, refusal(ctx, err)
	}
	p, err := f.page(n)
	if err != nil {
		return nil, refusal(ctx, err)
	}
	parts := d
	parts.Large, parts.MinSide = nil, 1 // the page has its turn already, and only as a whole its least size
	picture, err := f.render(parts, p)
	if err != nil {
		return nil, refusal(ctx, err)
	}
	return picture, d.CheckSize(picture.Width, picture.Height)
}

var errPanic = errors.New("pdf: decoder panicked")

// refusal is what the caller hears.
func refusal(ctx context.Context, err error) error {
	var known *appliance.Error
	var pages errPage
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &known):
		return err
	case errors.As(err, &pages) && pages.pages > 0:
		return decode.NoPage(pages.pages)
	case errors.Is(err, errEncrypted):
		return decode.Unsupported(err, "an encrypted PDF")
	case errors.Is(err, errBounds):
		return decode.Unsupported(err, "a PDF that asks for more work than a scanned page")
	case errors.Is(err, errDrawn):
		return decode.Unsupported(err, "a PDF page without a scanned picture")
	}
	return decode.Broken(err)
}
