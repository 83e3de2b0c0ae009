package jpeg

import (
	"context"
	"errors"
	"slices"
)

// scan is one pass over some of the components.
type scan struct {
	d     *decoder
	parts []scanPart
	// from and to bound the coefficients of a progressive scan in zigzag order; high and low are the bit that the scan
	// before it reached and the one that this reaches.
	from, to  int
	high, low int
	r         bitReader
	run       int // blocks whose end of band is still to come
	coefs     [64]int32
	others    [64]int16 // takes what is of components that this pass does not keep
}

// scanPart is a component with its tables.
type scanPart struct {
	c      *Component
	dc, ac *huffman
	quant  *[64]int32
	pred   int32
}

func (d *decoder) scan(ctx context.Context, data []byte) error {
	s, err := d.openScan(data)
	if err != nil {
		return err
	}
	if d.progressive && !slices.ContainsFunc(s.parts, func(p scanPart) bool { return p.c == &d.Components[d.only] }) {
		return nil // the next marker is looked for from here on
	}
	s.r = bitReader{b: d.in.b, at: d.in.at}
	if len(s.parts) == 1 {
		p := &s.parts[0]
		err = s.each(ctx, p.c.across, p.c.down, func(x, y int) error { return s.block(p, x, y) })
	} else {
		err = s.each(ctx, ceilDiv(d.Width, 8*d.hmax), ceilDiv(d.Height, 8*d.vmax), s.unit)
	}
	d.in.at = s.r.at
	return err
}

// openScan reads the scan's header and finds the tables that it names.
func (d *decoder) openScan(data []byte) (*scan, error) {
	bad := errors.New("jpeg: scan header")
	if len(data) < 1 || len(d.Components) == 0 {
		return nil, bad
	}
	n := int(data[0])
	if n < 1 || n > len(d.Components) || len(data) != 4+2*n {
		return nil, bad
	}
	s := &scan{d: d, to: 63, parts: make([]scanPart, 0, n)}
	if d.progressive {
		s.from, s.to = int(data[1+2*n]), int(data[2+2*n])
		s.high, s.low = int(data[3+2*n]>>4), int(data[3+2*n]&15)
		if !s.sound(n) {
			return nil, bad
		}
	}
	for i := range n {
		if err := s.addPart(data[1+2*i], data[2+2*i]); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// sound reports whether a progressive scan of n components is one that may be.
func (s *scan) sound(n int) bool {
	band := s.from <= s.to && s.to <= 63 && (s.from == 0) == (s.to == 0) && (s.from == 0 || n == 1)
	return band && s.low <= 13 && (s.high == 0 || s.high == s.low+1)
}

func (s *scan) addPart(id, tables byte) error {
	d := s.d
	for i := range d.Components {
		c := &d.Components[i]
		if c.id != id {
			continue
		}
		for _, p := range s.parts {
			if p.c == c {
				return errors.New("jpeg: component twice in a scan")
			}
		}
		p := scanPart{c: c, dc: &d.dc[tables>>4&3], ac: &d.ac[tables&3], quant: &d.quants[c.quant]}
		wantDC, wantAC := s.from == 0 && s.high == 0, s.to > 0
		if tables&0xcc != 0 || wantDC && !p.dc.defined || wantAC && !p.ac.defined || !d.quantKnown[c.quant] {
			return errors.New("jpeg: scan without its tables")
		}
		c.seen = c.seen || s.from == 0
		s.parts = append(s.parts, p)
		return nil
	}
	return errors.New("jpeg: scan of an unknown component")
}

// each calls unit for all across x down units of the scan and takes care of restart markers.
func (s *scan) each(ctx context.Context, across, down int, unit func(x, y int) error) error {
	for y := range down {
		if err := ctx.Err(); err != nil {
			return err
		}
		for x := range across {
			if err := s.begin(y*across + x); err != nil {
				return err
			}
			if err := unit(x, y); err != nil {
				return err
			}
			if s.r.short() {
				return errShort
			}
		}
	}
	return nil
}

// begin comes before the n-th unit, which a restart marker may come before.
func (s *scan) begin(n int) error {
	interval := s.d.interval
	if interval == 0 || n == 0 || n%interval != 0 {
		return nil
	}
	s.run = 0
	for i := range s.parts {
		s.parts[i].pred = 0
	}
	return s.r.restart(n/interval - 1)
}

// unit reads one interleaved MCU.
func (s *scan) unit(x, y int) error {
	for i := range s.parts {
		p := &s.parts[i]
		for v := range p.c.v {
			for h := range p.c.h {
				if err := s.block(p, x*p.c.h+h, y*p.c.v+v); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// block reads what the scan brings for one block.
func (s *scan) block(p *scanPart, x, y int) error {
	at := y*p.c.wide + x
	if s.d.progressive {
		coefs := &s.others
		if p.c.coefs != nil {
			coefs = (*[64]int16)(p.c.coefs[64*at:])
		}
		switch {
		case s.from == 0:
			return s.constant(p, coefs)
		case s.high == 0:
			return s.band(p, coefs)
		}
		return s.refine(p, coefs)
	}
	stride := p.c.Stride
	dst := p.c.Pix[8*(y*stride+x):]
	last, err := s.r.block(&s.coefs, p.dc, p.ac, p.quant, &p.pred)
	if err != nil {
		return err
	}
	if last == 0 {
		fillBlock(s.coefs[0], dst, stride)
		return nil
	}
	idct(&s.coefs, dst, stride)
	s.coefs = [64]int32{}
	return nil
}

// constant reads the constant term of a progressive block, or one more bit of it.
func (s *scan) constant(p *scanPart, coefs *[64]int16) error {
	if s.high != 0 {
		coefs[0] |= int16(s.r.bits(1) << s.low)
		return nil
	}
	size, err := s.r.symbol(p.dc)
	if err != nil {
		return err
	}
	if size > 15 {
		return errCode
	}
	if size > 0 {
		p.pred += extend(s.r.bits(int(size)), int(size))
	}
	coefs[0] = int16(p.pred << s.low)
	return nil
}

// band reads the first bits of the coefficients from..to of a block.
func (s *scan) band(p *scanPart, coefs *[64]int16) error {
	if s.run > 0 {
		s.run--
		return nil
	}
	for k := s.from; k <= s.to; k++ {
		sym, err := s.r.symbol(p.ac)
		if err != nil {
			return err
		}
		run, size := int(sym>>4), int(sym&15)
		if size == 0 {
			if run < 15 {
				s.run = s.bandRun(run) - 1
				return nil
			}
			k += 15
			continue
		}
		if k += run; k > s.to {
			return errCode
		}
		coefs[k] = int16(extend(s.r.bits(size), size) << s.low)
	}
	return nil
}

// bandRun reads for how many blocks, this one included, the band has ended.
func (s *scan) bandRun(size int) int {
	if size == 0 {
		return 1
	}
	return 1<<size + int(s.r.bits(size))
}

// refine reads one more bit of the coefficients from..to that are not zero yet, and new ones of that bit.
func (s *scan) refine(p *scanPart, coefs *[64]int16) error {
	k := s.from
	for ; k <= s.to && s.run == 0; k++ {
		sym, err := s.r.symbol(p.ac)
		if err != nil {
			return err
		}
		zeros, value := int(sym>>4), int16(0)
		switch sym & 15 {
		case 0:
			if zeros < 15 {
				s.run = s.bandRun(zeros)
			}
		case 1:
			value = -1 << s.low
			if s.r.bits(1) == 1 {
				value = 1 << s.low
			}
		default:
			return errCode
		}
		if s.run > 0 {
			break
		}
		if k = s.refineOld(coefs, k, zeros); k > s.to {
			return errCode
		}
		if value != 0 {
			coefs[k] = value
		}
	}
	if s.run > 0 {
		s.run--
		s.refineOld(coefs, k, 64)
	}
	return nil
}

// refineOld reads a bit for each coefficient from k on that is not zero, and stops at the zero behind as many zeros as
// said, or behind the band.
func (s *scan) refineOld(coefs *[64]int16, k, zeros int) int {
	for ; k <= s.to; k++ {
		v := coefs[k]
		if v == 0 {
			if zeros == 0 {
				return k
			}
			zeros--
			continue
		}
		if s.r.bits(1) == 0 {
			continue
		}
		if v > 0 {
			coefs[k] = v + 1<<s.low
		} else {
			coefs[k] = v - 1<<s.low
		}
	}
	return k
}

// transform turns the coefficients of a component into samples.
func (d *decoder) transform(ctx context.Context, c *Component) error {
	var b [64]int32
	quant := &d.quants[c.quant]
	c.Pix = make([]byte, 64*c.wide*c.high)
	for y := range c.down {
		if err := ctx.Err(); err != nil {
			return err
		}
		for x := range c.across {
			coefs := (*[64]int16)(c.coefs[64*(y*c.wide+x):])
			for k, v := range coefs {
				b[zigzag[k]&63] = int32(v) * quant[k]
			}
			idct(&b, c.Pix[8*(y*c.Stride+x):], c.Stride)
		}
	}
	c.coefs = nil
	d.finish(c)
	return nil
}
