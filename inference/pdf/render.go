package pdf

import (
	"errors"
	"math"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/decode"
)

// maxCanvas bounds the pixels of a page that is put together, maxPixels those of its pictures and of what these let through.
const (
	maxCanvas = 8_000_000
	maxPixels = 2 * decode.DefaultMaxPixels
)

// A page counts as scanned where its pictures cover this share of it, or nothing else is seen on it.
const scannedShare = 0.3

// logoShare is the share of the largest picture's area under which another one is left out.
const logoShare = 0.02

// errDrawn says that a page is not a scanned one.
var errDrawn = errors.New("pdf: no scanned picture")

// layer is a picture of a page with the map from its unit square to the canvas.
type layer struct {
	placed
	to            matrix
	width, height int
}

// render makes the picture of a page.
func (f *file) render(d decode.Decoder, p *page) (*appliance.Picture, error) {
	layers, err := f.layers(p)
	if err != nil {
		return nil, err
	}
	if len(layers) == 1 && upright(layers[0].to) && layers[0].dict["SMask"] == nil && layers[0].dict["Mask"] == nil {
		return f.decode(d, layers[0].stream)
	}
	most := maxCanvas
	if d.MaxPixels > 0 {
		most = min(most, d.MaxPixels)
	}
	c := newCanvas(layers, p, float64(most))
	for _, l := range layers {
		source, err := f.decode(d, l.stream)
		if err != nil {
			return nil, err
		}
		alpha, inverted, err := f.alpha(d, l.dict)
		if err != nil {
			return nil, err
		}
		stencil, _ := f.get(first(l.dict, "ImageMask", "IM")).(bool)
		if err := c.paint(f.ctx, l, ink{source, alpha, inverted, stencil}); err != nil {
			return nil, err
		}
	}
	return c.picture, nil
}

// layers are the pictures of a page that count, the lowest first, mapped to the page as it is looked at: in points, y down.
func (f *file) layers(p *page) ([]layer, error) {
	left, bottom, right, top := p.box[0], p.box[1], p.box[2], p.box[3]
	view := [4]matrix{
		{1, 0, 0, -1, -left, top}, {0, 1, 1, 0, -bottom, -left}, {-1, 0, 0, 1, right, -bottom}, {0, -1, -1, 0, top, right},
	}[p.rotate]
	var out []layer
	largest, sum := 0.0, 0.0
	for _, i := range p.images {
		l := layer{placed: i, to: i.to.then(view), width: f.side(i.dict, "Width", "W"), height: f.side(i.dict, "Height", "H")}
		area := l.to.area()
		if l.width < 1 || l.height < 1 || area == 0 || math.IsInf(area, 0) || math.IsNaN(area) {
			continue
		}
		largest, sum = max(largest, area), sum+area
		out = append(out, l)
	}
	kept := out[:0]
	for _, l := range out {
		if l.to.area() >= logoShare*largest {
			kept = append(kept, l)
		}
	}
	if len(kept) == 0 || p.words && sum < scannedShare*(right-left)*(top-bottom) {
		return nil, errDrawn
	}
	return kept, nil
}

// upright reports whether a map neither turns nor mirrors a picture, whose first row is its unit square's upper side.
func upright(m matrix) bool {
	size := max(math.Abs(m[0]), math.Abs(m[3]))
	return m[0] > 0 && m[3] < 0 && math.Abs(m[1]) < 0.01*size && math.Abs(m[2]) < 0.01*size
}

// decode decodes one picture of the file.
func (f *file) decode(d decode.Decoder, s stream) (*appliance.Picture, error) {
	p, err := f.extract(s)
	if err != nil {
		return nil, err
	}
	d.MaxBytes = len(p.file)
	picture, err := d.Decode(f.ctx, p.file)
	if err != nil {
		return nil, err
	}
	f.pixels -= picture.Width * picture.Height // the next picture is refused where these were too many
	if p.inverted {
		for _, plane := range [][]byte{picture.Y, picture.Cb, picture.Cr} {
			for i, v := range plane {
				plane[i] = 255 - v
			}
		}
	}
	return picture, nil
}

// alpha decodes what a picture lets through. inverted says that 255 lets nothing through.
func (f *file) alpha(d decode.Decoder, picture dict) (_ *appliance.Picture, inverted bool, err error) {
	s, soft := f.get(picture["SMask"]).(stream)
	if !soft {
		mask, ok := f.get(picture["Mask"]).(stream)
		if !ok {
			return nil, false, nil
		}
		s = mask
	}
	p, err := f.decode(d, s)
	return p, !soft, err
}
