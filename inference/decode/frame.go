package decode

import (
	"context"

	"github.com/bawab/bawab/appliance"
)

// FrameDecoder decodes the frames of a burst, three of which are in memory at once. A frame of 4 million pixels and more is brought to half
// its width and height, as often as it takes: it still shows more of a face than the networks look at, and three large ones would take as
// much memory as all else together.
type FrameDecoder struct{ appliance.PictureDecoder }

// Decode implements appliance.PictureDecoder.
func (d FrameDecoder) Decode(ctx context.Context, image []byte) (*appliance.Picture, error) {
	p, err := d.PictureDecoder.Decode(ctx, image)
	for err == nil && p.Width*p.Height >= largePixels {
		p = halfSize(p)
	}
	return p, err
}

// halfSize returns a picture of half the width and height, each sample the mean of up to four.
func halfSize(p *appliance.Picture) *appliance.Picture {
	half := *p
	half.Y = halved(p.Y, p.Width, p.Height)
	half.Width, half.Height = (p.Width+1)/2, (p.Height+1)/2
	if len(p.Cb) > 0 {
		half.Cb, half.Cr = halved(p.Cb, p.ChromaWidth, p.ChromaHeight), halved(p.Cr, p.ChromaWidth, p.ChromaHeight)
		half.ChromaWidth, half.ChromaHeight = (p.ChromaWidth+1)/2, (p.ChromaHeight+1)/2
	}
	return &half
}
