package decode

import (
	"context"
	"errors"
	"image/color"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/decode/jpeg"
)

// parseJPEG reads all segments of the file, and of the entropy-coded data only where it ends.
func parseJPEG(b []byte) (header, error) {
	f, err := jpeg.Open(b)
	if err != nil {
		return header{}, refusedJPEG(err)
	}
	x := parseEXIF(f.EXIF)
	return header{
		width: f.Width, height: f.Height, orientation: x.orientation, taken: x.taken, working: f.Working(),
		decode: func(ctx context.Context) (*appliance.Picture, error) { return decodeJPEG(ctx, f) },
	}, nil
}

// refusedJPEG is the answer to a file that package jpeg refuses.
func refusedJPEG(err error) error {
	var u *jpeg.UnsupportedError
	if errors.As(err, &u) {
		return Unsupported(u.Err, u.What, u.Args...)
	}
	return broken(err)
}

// decodeJPEG makes the picture. Whether the file can hold it is told before whether it takes too much memory.
func decodeJPEG(ctx context.Context, f *jpeg.File) (*appliance.Picture, error) {
	if err := f.Check(); err != nil {
		return nil, refusedJPEG(err)
	}
	if err := affordable(f.Working(), f.Width, f.Height); err != nil {
		return nil, err
	}
	frame, err := f.Decode(ctx, coarsen)
	if err != nil {
		return nil, refusedJPEG(err)
	}
	return pictureOfJPEG(ctx, frame)
}

// coarsen halves a colour plane that is as large as the luma of a large picture, as halveChroma would later: the components of a
// progressive file come one after the other.
func coarsen(f *jpeg.Frame, c *jpeg.Component) {
	if c == &f.Components[0] || f.Mixed() || c.Width != f.Width || c.Height != f.Height || c.Width*c.Height <= fineChroma {
		return
	}
	c.Pix = halved(samplesOf(c), c.Width, c.Height)
	c.Width, c.Height = (c.Width+1)/2, (c.Height+1)/2
	c.Stride = c.Width
}

// samplesOf cuts the rows of a component to the samples of the picture, in place.
func samplesOf(c *jpeg.Component) []byte { return packRows(c.Pix, c.Stride, c.Width, c.Height) }

// pictureOfJPEG turns the components into the picture that their kind says.
func pictureOfJPEG(ctx context.Context, f *jpeg.Frame) (*appliance.Picture, error) {
	switch {
	case len(f.Components) == 1:
		return &appliance.Picture{Width: f.Width, Height: f.Height, Y: samplesOf(&f.Components[0])}, nil
	case len(f.Components) == 4:
		inks, err := f.Inks()
		if err != nil {
			return nil, refusedJPEG(err)
		}
		return mixJPEG(ctx, f, func(v [4]byte) (r, g, b byte) {
			v = inks(v)
			return color.CMYKToRGB(v[0], v[1], v[2], v[3])
		})
	case f.Mixed():
		return mixJPEG(ctx, f, func(v [4]byte) (r, g, b byte) { return v[0], v[1], v[2] })
	}
	y, cb, cr := &f.Components[0], &f.Components[1], &f.Components[2]
	return &appliance.Picture{
		Width: f.Width, Height: f.Height, Y: samplesOf(y),
		ChromaWidth: cb.Width, ChromaHeight: cb.Height, Cb: samplesOf(cb), Cr: samplesOf(cr),
	}, nil
}

// mixJPEG makes a picture with full chroma out of the components' samples at each pixel.
func mixJPEG(ctx context.Context, f *jpeg.Frame, convert func(v [4]byte) (r, g, b byte)) (*appliance.Picture, error) {
	s := newRowSink(f.Width, f.Height, false)
	var wide [4][]byte
	for y := range f.Height {
		if y%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s.beginRow(y)
		of := f.Row(y, &wide)
		for x := range f.Width {
			var v [4]byte
			for i := range f.Components {
				v[i] = of[i][x]
			}
			r, g, b := convert(v)
			s.set(y*f.Width+x, int32(r), int32(g), int32(b))
		}
		s.endRow(y)
	}
	return s.p, nil
}
