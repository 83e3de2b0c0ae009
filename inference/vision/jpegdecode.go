package vision

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/color"
	"slices"

	"github.com/bawab/bawab/appliance"
)

// jpegPlane is one component of a frame.
type jpegPlane struct {
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

// The markers that a jpegDecoder knows.
const (
	markSOF0  = 0xc0
	markSOF2  = 0xc2
	markDHT   = 0xc4
	markRST0  = 0xd0
	markSOI   = 0xd8
	markEOI   = 0xd9
	markSOS   = 0xda
	markDQT   = 0xdb
	markDRI   = 0xdd
	markAPP0  = 0xe0
	markAPP14 = 0xee
)

// jpegSegments gives one marker segment after the other.
type jpegSegments struct {
	b   []byte
	at  int
	end bool // the end marker was there
}

// next returns the next segment; ok is false at the end marker, and where the file ends without one.
func (s *jpegSegments) next() (marker byte, data []byte, ok bool) {
	for {
		skip := bytes.IndexByte(s.b[s.at:], 0xff)
		if skip < 0 {
			return 0, nil, false
		}
		s.at += skip
		for s.at < len(s.b) && s.b[s.at] == 0xff {
			s.at++
		}
		if s.at == len(s.b) {
			return 0, nil, false
		}
		marker = s.b[s.at]
		s.at++
		if marker == markEOI {
			s.end = true
			return 0, nil, false
		}
		if marker == 0 || marker >= markRST0 && marker <= markSOI {
			continue // no segment, or what is left of coded data
		}
		if s.at+2 > len(s.b) {
			return 0, nil, false
		}
		n := int(be16(s.b[s.at:]))
		if n < 2 || s.at+n > len(s.b) {
			return 0, nil, false
		}
		data = s.b[s.at+2 : s.at+n]
		s.at += n
		return marker, data, true
	}
}

// jpegDecoder decodes JPEGs, baseline and progressive. It takes half the time of the standard library's decoder, and holds less: of a
// progressive file two bytes for each coefficient of one component instead of four for all, and of four colours or RGB no pixels beside the
// planes. Its samples are the library's within two levels.
type jpegDecoder struct {
	in            jpegSegments
	whole         bool // nothing is missing where the end marker is
	width, height int
	progressive   bool
	framed        bool // the frame header of this pass was there
	fine          bool // colour planes of a large picture stay as they are
	only          int  // the component whose coefficients a pass over a progressive file keeps
	comps         []jpegPlane
	hmax, vmax    int
	quants        [4][64]int32 // in zigzag order
	quantKnown    [4]bool
	dc, ac        [4]huffman
	interval      int // MCUs between restart markers; 0 for none
	jpegColours
}

// planes reads the file, a progressive one once for each component: only that one's coefficients are kept then. Nearly all scans of such
// a file are of one component, and the others are passed over.
func (d *jpegDecoder) planes(ctx context.Context) error {
	if err := d.pass(ctx); err != nil {
		return err
	}
	for d.only < len(d.comps) && d.progressive {
		if err := d.transform(ctx, &d.comps[d.only]); err != nil {
			return err
		}
		if d.only++; d.only < len(d.comps) {
			if err := d.pass(ctx); err != nil {
				return err
			}
		}
	}
	if !d.progressive {
		for i := range d.comps {
			d.comps[i].pack()
		}
	}
	return nil
}

// pass goes through the file from its beginning.
func (d *jpegDecoder) pass(ctx context.Context) error {
	d.in.at, d.framed = 2, false
	for {
		marker, data, ok := d.in.next()
		if !ok {
			break
		}
		if err := d.segment(ctx, marker, data); err != nil {
			var known *appliance.Error
			if errors.As(err, &known) {
				return err
			}
			return broken(err)
		}
	}
	for _, c := range d.comps {
		if !c.seen {
			return broken(fmt.Errorf("jpeg: component %d has no scan", c.id))
		}
	}
	if len(d.comps) == 0 || !d.in.end && !d.whole {
		return broken(errors.New("jpeg: no end"))
	}
	return nil
}

func (d *jpegDecoder) segment(ctx context.Context, marker byte, data []byte) error {
	d.read(marker, data)
	switch marker {
	case markSOF0, markSOF0 + 1, markSOF2:
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
	}
	return nil
}

// frame reads the components once, and makes room for what the pass keeps.
func (d *jpegDecoder) frame(data []byte) error {
	if len(data) < 6 || d.framed {
		return errors.New("jpeg: frame header")
	}
	d.framed = true
	if len(d.comps) == 0 {
		if err := d.components(data); err != nil {
			return err
		}
	}
	if c := &d.comps[d.only]; d.progressive {
		c.coefs = make([]int16, 64*c.stride*c.rows)
	}
	return nil
}

// components reads the components of a frame.
func (d *jpegDecoder) components(data []byte) error {
	n := int(data[5])
	if n != 1 && n != 3 && n != 4 {
		return unusual(fmt.Errorf("%d components", n))
	}
	if len(data) != 6+3*n {
		return errors.New("jpeg: frame header")
	}
	for i := range n {
		c := data[6+3*i:]
		d.comps = append(d.comps, jpegPlane{id: c[0], h: int(c[1] >> 4), v: int(c[1] & 15), quant: c[2]})
	}
	for i := range d.comps {
		c := &d.comps[i]
		if n == 1 {
			c.h, c.v = 1, 1 // a lone component is never interleaved, whatever its factors say
		}
		if err := c.check(d.comps[:i]); err != nil {
			return err
		}
		d.hmax, d.vmax = max(d.hmax, c.h), max(d.vmax, c.v)
	}
	if n >= 3 && (d.comps[0].h != d.hmax || d.comps[0].v != d.vmax ||
		d.comps[1].h != d.comps[2].h || d.comps[1].v != d.comps[2].v) {
		return unusual(errors.New("subsampling"))
	}
	d.allocate()
	return nil
}

// check refuses a component that cannot be, or that has the name of one before it.
func (c *jpegPlane) check(before []jpegPlane) error {
	if c.h < 1 || c.h > 4 || c.v < 1 || c.v > 4 || c.quant > 3 {
		return errors.New("jpeg: sampling factors")
	}
	for _, b := range before {
		if b.id == c.id {
			return errors.New("jpeg: two components of one name")
		}
	}
	return nil
}

// pack cuts the samples to those of the picture.
func (c *jpegPlane) pack() { c.pix = packRows(c.pix, 8*c.stride, c.width, c.height) }

func (d *jpegDecoder) allocate() {
	mcusX := ceilDiv(d.width, 8*d.hmax)
	mcusY := ceilDiv(d.height, 8*d.vmax)
	for i := range d.comps {
		c := &d.comps[i]
		c.width, c.height = ceilDiv(d.width*c.h, d.hmax), ceilDiv(d.height*c.v, d.vmax)
		c.across, c.down = ceilDiv(c.width, 8), ceilDiv(c.height, 8)
		c.stride, c.rows = mcusX*c.h, mcusY*c.v
		if !d.progressive {
			c.pix = make([]byte, 64*c.stride*c.rows)
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
	switch {
	case len(d.comps) == 1:
		return &appliance.Picture{Width: d.width, Height: d.height, Y: d.comps[0].pix}, nil
	case len(d.comps) == 4:
		return d.ink(ctx)
	case d.mixed(d.ids()):
		return d.mix(ctx, func(v [4]byte) (r, g, b byte) { return v[0], v[1], v[2] })
	}
	y, cb, cr := &d.comps[0], &d.comps[1], &d.comps[2]
	return &appliance.Picture{
		Width: d.width, Height: d.height, Y: y.pix,
		ChromaWidth: cb.width, ChromaHeight: cb.height, Cb: cb.pix, Cr: cr.pix,
	}, nil
}

// ids are the names of the components.
func (d *jpegDecoder) ids() (ids []byte) {
	for _, c := range d.comps {
		ids = append(ids, c.id)
	}
	return ids
}

// ink converts four inks.
func (d *jpegDecoder) ink(ctx context.Context) (*appliance.Picture, error) {
	inks, err := d.inks()
	if err != nil {
		return nil, err
	}
	return d.mix(ctx, func(v [4]byte) (r, g, b byte) {
		v = inks(v)
		return color.CMYKToRGB(v[0], v[1], v[2], v[3])
	})
}

// inks tells how much ink of each colour the samples of CMYK or YCCK stand for. Adobe, without whose marker the sense of the values is not
// known, stores them inverted, with 255 for no ink.
func (d *jpegDecoder) inks() (func(v [4]byte) [4]byte, error) {
	switch {
	case !d.adobe:
		return nil, unusual(errors.New("four components without Adobe's marker"))
	case d.by == 0:
		return func(v [4]byte) [4]byte { return [4]byte{255 - v[0], 255 - v[1], 255 - v[2], 255 - v[3]} }, nil
	}
	return func(v [4]byte) [4]byte {
		c, m, y := color.YCbCrToRGB(v[0], v[1], v[2])
		return [4]byte{c, m, y, 255 - v[3]}
	}, nil
}

// mix makes a picture with full chroma out of the components' samples at each pixel.
func (d *jpegDecoder) mix(ctx context.Context, convert func(v [4]byte) (r, g, b byte)) (*appliance.Picture, error) {
	s := newRowSink(d.width, d.height, false)
	var wide [4][]byte
	for y := range d.height {
		if y%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s.beginRow(y)
		of := d.row(y, &wide)
		for x := range d.width {
			var v [4]byte
			for i := range d.comps {
				v[i] = of[i][x]
			}
			r, g, b := convert(v)
			s.set(y*d.width+x, int32(r), int32(g), int32(b))
		}
		s.endRow(y)
	}
	return s.p, nil
}

// row gives each component a sample for each pixel of a row. into keeps the memory for those that have fewer.
func (d *jpegDecoder) row(y int, into *[4][]byte) (of [4][]byte) {
	for i, c := range d.comps {
		of[i] = c.pix[y*c.v/d.vmax*c.width:][:c.width]
		if c.h == d.hmax {
			continue
		}
		wide := slices.Grow(into[i][:0], d.width)[:d.width]
		for x, at, part := 0, 0, 0; x < d.width; x++ {
			wide[x] = of[i][at]
			for part += c.h; part >= d.hmax; part -= d.hmax {
				at++
			}
		}
		of[i], into[i] = wide, wide
	}
	return of
}
