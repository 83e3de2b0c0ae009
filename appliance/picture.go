package appliance

import (
	"context"
	"time"
)

// Picture is a decoded picture: 8-bit full-range JFIF YCbCr in planes, upright as the caller sees it (EXIF
// orientation applied, alpha composed on white). Its slices belong to the holder of the Picture.
//
// Planes keep a JPEG's own form, so grey readers get their input without a conversion and colour readers convert
// after they have scaled down.
type Picture struct {
	Width, Height int
	// Y has Width x Height samples, row after row without padding.
	Y []byte
	// Cb and Cr have ChromaWidth x ChromaHeight samples each; all are empty for a grey picture.
	Cb, Cr                    []byte
	ChromaWidth, ChromaHeight int
	// Taken is the EXIF time of capture with its sub-second part; zero unless the picture carries both.
	Taken time.Time
}

// PictureDecoder turns bytes from outside into a Picture. Kind and size are checked from the header before a pixel
// is decoded; errors carry the codes 5001 to 5005.
type PictureDecoder interface {
	Decode(ctx context.Context, image []byte) (*Picture, error)
}

// PageDecoder is a PictureDecoder that knows files of several pages, the first of which is 1; Decode decodes the first page of pictures. A
// page that the file does not have is CodeBadRequest.
type PageDecoder interface {
	PictureDecoder
	DecodePage(ctx context.Context, image []byte, page int) (*Picture, error)
}
