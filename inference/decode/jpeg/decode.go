package jpeg

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
)

// The markers that a decoder knows.
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

// segments gives one marker segment after the other.
type segments struct {
	b   []byte
	at  int
	end bool // the end marker was there
}

// next returns the next segment; ok is false at the end marker, and where the file ends without one.
func (s *segments) next() (marker byte, data []byte, ok bool) {
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
		n := int(binary.BigEndian.Uint16(s.b[s.at:]))
		if n < 2 || s.at+n > len(s.b) {
			return 0, nil, false
		}
		data = s.b[s.at+2 : s.at+n]
		s.at += n
		return marker, data, true
	}
}

// decoder decodes JPEGs, baseline and progressive. It takes half the time of the standard library's decoder, and holds less: of a
// progressive file two bytes for each coefficient of one component instead of four for all. Its samples are the library's within two
// levels.
type decoder struct {
	Frame
	in          segments
	whole       bool // nothing is missing where the end marker is
	progressive bool
	framed      bool                     // the frame header of this pass was there
	done        func(*Frame, *Component) // is told of each component that has all its samples; may be nil
	only        int                      // the component whose coefficients a pass over a progressive file keeps
	quants      [4][64]int32             // in zigzag order
	quantKnown  [4]bool
	dc, ac      [4]huffman
	interval    int // MCUs between restart markers; 0 for none
}

// planes reads the file, a progressive one once for each component: only that one's coefficients are kept then. Nearly all scans of such
// a file are of one component, and the others are passed over.
func (d *decoder) planes(ctx context.Context) error {
	if err := d.pass(ctx); err != nil {
		return err
	}
	for d.only < len(d.Components) && d.progressive {
		if err := d.transform(ctx, &d.Components[d.only]); err != nil {
			return err
		}
		if d.only++; d.only < len(d.Components) {
			if err := d.pass(ctx); err != nil {
				return err
			}
		}
	}
	if !d.progressive {
		for i := range d.Components {
			d.finish(&d.Components[i])
		}
	}
	return nil
}

// pass goes through the file from its beginning.
func (d *decoder) pass(ctx context.Context) error {
	d.in.at, d.framed = 2, false
	for {
		marker, data, ok := d.in.next()
		if !ok {
			break
		}
		if err := d.segment(ctx, marker, data); err != nil {
			return err
		}
	}
	for _, c := range d.Components {
		if !c.seen {
			return fmt.Errorf("jpeg: component %d has no scan", c.id)
		}
	}
	if len(d.Components) == 0 || !d.in.end && !d.whole {
		return errors.New("jpeg: no end")
	}
	return nil
}

func (d *decoder) segment(ctx context.Context, marker byte, data []byte) error {
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
		d.interval = int(binary.BigEndian.Uint16(data))
	case markSOS:
		return d.scan(ctx, data)
	}
	return nil
}

// frame reads the components once, and makes room for what the pass keeps.
func (d *decoder) frame(data []byte) error {
	if len(data) < 6 || d.framed {
		return errors.New("jpeg: frame header")
	}
	d.framed = true
	if len(d.Components) == 0 {
		if err := d.components(data); err != nil {
			return err
		}
	}
	if c := &d.Components[d.only]; d.progressive {
		c.coefs = make([]int16, 64*c.wide*c.high)
	}
	return nil
}

// components reads the components of a frame.
func (d *decoder) components(data []byte) error {
	n := int(data[5])
	if n != 1 && n != 3 && n != 4 {
		return unusual(fmt.Errorf("%d components", n))
	}
	if len(data) != 6+3*n {
		return errors.New("jpeg: frame header")
	}
	for i := range n {
		c := data[6+3*i:]
		d.Components = append(d.Components, Component{id: c[0], h: int(c[1] >> 4), v: int(c[1] & 15), quant: c[2]})
	}
	for i := range d.Components {
		c := &d.Components[i]
		if n == 1 {
			c.h, c.v = 1, 1 // a lone component is never interleaved, whatever its factors say
		}
		if err := c.check(d.Components[:i]); err != nil {
			return err
		}
		d.hmax, d.vmax = max(d.hmax, c.h), max(d.vmax, c.v)
	}
	if n >= 3 && (d.Components[0].h != d.hmax || d.Components[0].v != d.vmax ||
		d.Components[1].h != d.Components[2].h || d.Components[1].v != d.Components[2].v) {
		return unusual(errors.New("subsampling"))
	}
	d.allocate()
	return nil
}

// check refuses a component that cannot be, or that has the name of one before it.
func (c *Component) check(before []Component) error {
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

// finish tells of a component that has all its samples.
func (d *decoder) finish(c *Component) {
	if d.done != nil {
		d.done(&d.Frame, c)
	}
}

func (d *decoder) allocate() {
	mcusX := ceilDiv(d.Width, 8*d.hmax)
	mcusY := ceilDiv(d.Height, 8*d.vmax)
	for i := range d.Components {
		c := &d.Components[i]
		c.Width, c.Height = ceilDiv(d.Width*c.h, d.hmax), ceilDiv(d.Height*c.v, d.vmax)
		c.across, c.down = ceilDiv(c.Width, 8), ceilDiv(c.Height, 8)
		c.wide, c.high = mcusX*c.h, mcusY*c.v
		c.Stride = 8 * c.wide
		if !d.progressive {
			c.Pix = make([]byte, 64*c.wide*c.high)
		}
	}
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }

func (d *decoder) quantTables(data []byte) error {
	for len(data) > 0 {
		wide, id := int(data[0]>>4), data[0]&15
		size := 64 << wide
		if wide > 1 || id > 3 || len(data) < 1+size {
			return errors.New("jpeg: quantisation table")
		}
		for k := range 64 {
			if wide == 1 {
				d.quants[id][k] = int32(binary.BigEndian.Uint16(data[1+2*k:]))
			} else {
				d.quants[id][k] = int32(data[1+k])
			}
		}
		d.quantKnown[id] = true
		data = data[1+size:]
	}
	return nil
}

func (d *decoder) huffmanTables(data []byte) error {
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
