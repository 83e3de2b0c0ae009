package vision

import (
	"context"
	"errors"
	"fmt"
	"image/color"

	"github.com/bawab/bawab/appliance"
)

// jpegComponent is one component of a frame.
type jpegComponent struct {
	id, quant byte
	h, v      int // sampling factors
	// across and down count the blocks that hold samples of the picture; stride and rows those of whole MCUs.
	across, down, stride, rows int
	width, height              int // samples of the picture
	pix                        []byte
	// coefs are the coefficients of a progressive frame, 64 a block in zigzag order.
	coefs []int16
	seen  bool // a scan brought its constant terms
}

// jpegDecoder decodes one JPEG, in the spirit of the standard library's decoder and to the same samples within one
// grey level, but a good deal faster: it takes codes and their values from one table, reads bits eight bytes at a time,
// and skips what is zero. Its planes are those of the picture.
type jpegDecoder struct {
	walk          jpegWalk
	width, height int
	progressive   bool
	comps         []jpegComponent
	hmax, vmax    int
	quants        [4][64]int32 // in zigzag order
	quantKnown    [4]bool
	dc, ac        [4]huffman
	interval      int // MCUs between restart markers; 0 for none
	jfif          bool
	adobe         int // transform of the Adobe marker; -1 for none
}

func (d *jpegDecoder) decode(ctx context.Context) (*appliance.Picture, error) {
	d.adobe = -1
	for {
		marker, data, ok := d.walk.next()
		if !ok {
			break
		}
		if err := d.segment(ctx, marker, data); err != nil {
			var known *appliance.Error
			if errors.As(err, &known) {
				return nil, err
			}
			return nil, broken(err)
		}
	}
	for _, c := range d.comps {
		if !c.seen {
			return nil, broken(fmt.Errorf("jpeg: component %d has no scan", c.id))
		}
	}
	// A sequential picture is whole by now; of a progressive one scans may be missing.
	if len(d.comps) == 0 || d.progressive && !d.walk.end {
		return nil, broken(errors.New("jpeg: no end"))
	}
	if d.progressive {
		if err := d.transformAll(ctx); err != nil {
			return nil, err
		}
	}
	return d.picture(ctx)
}

func (d *jpegDecoder) segment(ctx context.Context, marker byte, data []byte) error {
	switch marker {
	case markSOF0, markSOF1, markSOF2:
		d.progressive = marker == markSOF2
		return d.frame(data)
	case markDHT:
		return d.huffmanTables(data)
	case markDQT:
		return d.quantTables(data)
	case markDRI:
		if len(data) != 2 {
			return errors.New("jpeg: restart interval")
		}
		d.interval = int(be16(data))
	case markSOS:
		return d.scan(ctx, data)
	case markAPP0:
		d.jfif = d.jfif || len(data) >= 5 && string(data[:5]) == "JFIF\x00"
	case markAPP14:
		if len(data) >= 12 && string(data[:5]) == "Adobe" {
			d.adobe = int(data[11])
		}
	}
	return nil
}

// frame reads the components and makes room for their samples.
func (d *jpegDecoder) frame(data []byte) error {
	if len(data) < 6 {
		return errors.New("jpeg: frame header")
	}
	n := int(data[5])
	if n != 1 && n != 3 && n != 4 {
		return unsupported(nil, fmt.Sprintf("a JPEG of %d components", n))
	}
	if len(data) != 6+3*n || len(d.comps) != 0 {
		return errors.New("jpeg: frame header")
	}
	for i := range n {
		c := data[6+3*i:]
		d.comps = append(d.comps, jpegComponent{id: c[0], h: int(c[1] >> 4), v: int(c[1] & 15), quant: c[2]})
	}
	for i := range d.comps {
		c := &d.comps[i]
		if n == 1 {
			c.h, c.v = 1, 1 // a lone component is never interleaved, whatever its factors say
		}
		if c.h < 1 || c.h > 4 || c.v < 1 || c.v > 4 || c.quant > 3 {
			return errors.New("jpeg: sampling factors")
		}
		for _, before := range d.comps[:i] {
			if before.id == c.id {
				return errors.New("jpeg: two components of one name")
			}
		}
		d.hmax, d.vmax = max(d.hmax, c.h), max(d.vmax, c.v)
	}
	if n >= 3 && (d.comps[0].h != d.hmax || d.comps[0].v != d.vmax ||
		d.comps[1].h != d.comps[2].h || d.comps[1].v != d.comps[2].v) {
		return unsupported(nil, "a JPEG of unusual subsampling")
	}
	d.allocate()
	return nil
}

func (d *jpegDecoder) allocate() {
	mcusX := ceilDiv(d.width, 8*d.hmax)
	mcusY := ceilDiv(d.height, 8*d.vmax)
	for i := range d.comps {
		c := &d.comps[i]
		c.width, c.height = ceilDiv(d.width*c.h, d.hmax), ceilDiv(d.height*c.v, d.vmax)
		c.across, c.down = ceilDiv(c.width, 8), ceilDiv(c.height, 8)
		c.stride, c.rows = mcusX*c.h, mcusY*c.v
		c.pix = make([]byte, 64*c.stride*c.rows)
		if d.progressive {
			c.coefs = make([]int16, 64*c.stride*c.rows)
		}
	}
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }

func (d *jpegDecoder) quantTables(data []byte) error {
	for len(data) > 0 {
		wide, id := int(data[0]>>4), data[0]&15
		size := 64 << wide
		if wide > 1 || id > 3 || len(data) < 1+size {
			return errors.New("jpeg: quantisation table")
		}
		for k := range 64 {
			if wide == 1 {
				d.quants[id][k] = int32(be16(data[1+2*k:]))
			} else {
				d.quants[id][k] = int32(data[1+k])
			}
		}
		d.quantKnown[id] = true
		data = data[1+size:]
	}
	return nil
}

func (d *jpegDecoder) huffmanTables(data []byte) error {
	for len(data) > 0 {
		class, id := data[0]>>4, data[0]&15
		if class > 1 || id > 3 || len(data) < 17 {
			return errors.New("jpeg: huffman table")
		}
		n := 0
		for _, c := range data[1:17] {
			n += int(c)
		}
		if n > 256 || len(data) < 17+n {
			return errors.New("jpeg: huffman table")
		}
		table := &d.dc[id]
		if class == 1 {
			table = &d.ac[id]
		}
		if err := table.define(data[1:17], data[17:17+n]); err != nil {
			return err
		}
		data = data[17+n:]
	}
	return nil
}

// picture turns the planes into the picture that the components' kind says.
func (d *jpegDecoder) picture(ctx context.Context) (*appliance.Picture, error) {
	for i := range d.comps {
		c := &d.comps[i]
		c.pix = packRows(c.pix, 8*c.stride, c.width, c.height)
	}
	switch {
	case len(d.comps) == 1:
		return &appliance.Picture{Width: d.width, Height: d.height, Y: d.comps[0].pix}, nil
	case len(d.comps) == 4:
		return d.ink(ctx)
	case d.rgb():
		return d.mix(ctx, func(v [4]byte) (r, g, b byte) { return v[0], v[1], v[2] })
	}
	y, cb, cr := &d.comps[0], &d.comps[1], &d.comps[2]
	return &appliance.Picture{
		Width: d.width, Height: d.height, Y: y.pix,
		ChromaWidth: cb.width, ChromaHeight: cb.height, Cb: cb.pix, Cr: cr.pix,
	}, nil
}

// rgb tells whether three components are red, green and blue: without a JFIF marker, Adobe's marker or their names
// say so.
func (d *jpegDecoder) rgb() bool {
	if d.jfif {
		return false
	}
	return d.adobe == 0 || d.adobe < 0 && d.comps[0].id == 'R' && d.comps[1].id == 'G' && d.comps[2].id == 'B'
}

// ink converts CMYK and YCCK. Adobe, without whose marker the sense of the values is not known, stores both inverted,
// with 255 for no ink.
func (d *jpegDecoder) ink(ctx context.Context) (*appliance.Picture, error) {
	switch d.adobe {
	case -1:
		return nil, unsupported(nil, "a JPEG of four components without Adobe's marker")
	case 0:
		return d.mix(ctx, func(v [4]byte) (r, g, b byte) {
			return color.CMYKToRGB(255-v[0], 255-v[1], 255-v[2], 255-v[3])
		})
	}
	return d.mix(ctx, func(v [4]byte) (r, g, b byte) {
		c, m, y := color.YCbCrToRGB(v[0], v[1], v[2])
		return color.CMYKToRGB(c, m, y, 255-v[3])
	})
}

// mix makes a picture with full chroma out of the components' samples at each pixel.
func (d *jpegDecoder) mix(ctx context.Context, convert func(v [4]byte) (r, g, b byte)) (*appliance.Picture, error) {
	s := rowSink{p: newPicture(d.width, d.height, false)}
	for y := range d.height {
		if y%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for x := range d.width {
			var v [4]byte
			for i := range d.comps {
				c := &d.comps[i]
				v[i] = c.pix[y*c.v/d.vmax*c.width+x*c.h/d.hmax]
			}
			r, g, b := convert(v)
			s.set(y*d.width+x, int32(r), int32(g), int32(b))
		}
	}
	return s.p, nil
}
