package pdf

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"slices"

	"github.com/bawab/bawab/inference/decode"
)

// The compressions and photometric interpretations of TIFF that pictures are written with.
const (
	tiffNone, tiffGroup3, tiffGroup4, tiffLZW, tiffDeflate, tiffPackBits = 1, 3, 4, 5, 8, 32773

	whiteIsZero, blackIsZero, photoRGB, photoColors, photoCMYK = 0, 1, 2, 3, 5
)

// picture is a picture of a page, as a file of its own.
type picture struct {
	file          []byte
	width, height int
	inverted      bool // its samples mean the opposite
}

// colours says how the samples of a picture are to be understood.
type colours struct {
	samples int
	palette []byte // R, G, B of each index; nil where samples are colours
}

// extract writes a file around the bytes of a picture.
func (f *file) extract(s stream) (p picture, err error) {
	d := s.dict
	p.width, p.height = f.side(d, "Width", "W"), f.side(d, "Height", "H")
	if p.width < 1 || p.height < 1 {
		return p, errSyntax
	}
	if max(p.width, p.height) > decode.MaxSide {
		return p, decode.TooLong(p.width, p.height)
	}
	b, last, err := f.outer(s)
	if err != nil {
		return p, err
	}
	samples := 0
	if f.scanned -= len(b); f.spent() {
		return p, errBounds
	}
	if last.name == "DCTDecode" {
		// How the camera was held is said by the page, not by the notes within the picture.
		p.file = bytes.ReplaceAll(b, []byte("Exif\x00\x00"), []byte("exif\x00\x00"))
		if c, err := f.colours(d, 8); err == nil {
			samples = c.samples
		}
	} else if samples, err = f.wrap(&p, d, last, b); err != nil {
		return p, err
	}
	if decode := f.floats(first(d, "Decode", "D"), 2*samples); samples != 0 && samples != 4 && decode != nil {
		p.inverted = decode[0] > decode[1]
	}
	return p, nil
}

// outer undoes all filters of a picture but the last, which compresses its samples.
func (f *file) outer(s stream) (b []byte, last filter, err error) {
	b = s.raw
	steps := f.filters(s.dict)
	if len(steps) > maxFilters {
		return nil, last, errBounds
	}
	for i, step := range steps {
		if i == len(steps)-1 && step.name != "ASCIIHexDecode" && step.name != "ASCII85Decode" {
			return b, step, nil
		}
		if b, err = f.undo(step, b); err != nil {
			return nil, last, err
		}
	}
	return b, last, nil
}

func (f *file) side(d dict, keys ...name) int {
	v, _ := f.get(first(d, keys...)).(float64)
	return int(v)
}

// wrap writes a TIFF, or a PNG where the samples are differences as in PNG, around b, and returns the samples of a pixel.
func (f *file) wrap(p *picture, d dict, last filter, b []byte) (int, error) {
	bits := f.side(d, "BitsPerComponent", "BPC")
	if mask, _ := f.get(first(d, "ImageMask", "IM")).(bool); mask || last.name == "CCITTFaxDecode" {
		bits = 1
	}
	if !slices.Contains([]int{1, 2, 4, 8, 16}, bits) {
		return 0, errSyntax
	}
	c, err := f.colours(d, bits)
	if err != nil {
		return 0, err
	}
	t := tiff{width: p.width, height: p.height, bits: bits, colours: c, data: b, compression: tiffNone, predictor: 1}
	switch last.name {
	case "":
	case "FlateDecode", "LZWDecode":
		p.file, err = f.deflated(&t, last)
	case "RunLengthDecode":
		t.compression = tiffPackBits
	case "CCITTFaxDecode":
		err = f.fax(&t, last.params)
	case "JPXDecode":
		return 0, decode.Unsupported(nil, "a PDF with a JPEG 2000 in it")
	case "JBIG2Decode":
		return 0, decode.Unsupported(nil, "a PDF with JBIG2 in it")
	default:
		return 0, errSyntax
	}
	if p.file == nil && err == nil {
		p.file = t.file()
	}
	return c.samples, err
}

// deflated takes over how samples are deflated or coded by LZW. Differences as in PNG make a PNG, where that has such colours.
func (f *file) deflated(t *tiff, last filter) (png []byte, err error) {
	t.compression = tiffDeflate
	if last.name == "LZWDecode" {
		if t.compression = tiffLZW; f.number(last.params, "EarlyChange", 1) != 1 {
			return nil, decode.Unsupported(nil, "a PDF with LZW of the other kind")
		}
	}
	kind := f.number(last.params, "Predictor", 1)
	if kind > 1 && (f.number(last.params, "Columns", 1) != t.width || f.number(last.params, "Colors", 1) != t.samples ||
		f.number(last.params, "BitsPerComponent", 8) != t.bits) {
		return nil, errSyntax
	}
	switch {
	case kind == 2:
		t.predictor = 2
	case kind > 2 && t.compression == tiffDeflate && t.samples != 4:
		return t.png(), nil
	case kind > 2:
		t.compression = tiffNone
		if t.data, err = f.undo(last, t.data); err == nil {
			t.data, err = f.unpredict(last.params, t.data)
		}
	}
	return nil, err
}

// fax takes over how a page of fax is coded.
func (f *file) fax(t *tiff, params dict) error {
	k := f.number(params, "K", 0)
	aligned, _ := f.get(params["EncodedByteAlign"]).(bool)
	blackIsOne, _ := f.get(params["BlackIs1"]).(bool)
	switch {
	case k > 0 || aligned:
		return decode.Unsupported(nil, "a PDF with two-dimensional fax G3")
	case f.number(params, "Columns", 1728) != t.width || t.samples != 1:
		return errSyntax
	}
	t.compression, t.photometric = tiffGroup4, whiteIsZero
	if k == 0 {
		t.compression = tiffGroup3
	}
	if t.fax = true; blackIsOne {
		t.photometric = blackIsZero
	}
	return nil
}

// colours reads the space of a picture's colours.
func (f *file) colours(d dict, bits int) (colours, error) {
	if mask, _ := f.get(first(d, "ImageMask", "IM")).(bool); mask {
		return colours{samples: 1}, nil
	}
	space := f.get(first(d, "ColorSpace", "CS"))
	if n := f.samples(space); n != 0 {
		return colours{samples: n}, nil
	}
	a, _ := space.([]any)
	if len(a) != 4 || f.get(a[0]) != any(name("Indexed")) && f.get(a[0]) != any(name("I")) || bits > 8 {
		return colours{}, decode.Unsupported(nil, "a PDF with colours of an unusual kind")
	}
	n := f.samples(f.get(a[1]))
	var table []byte
	switch v := f.get(a[3]).(type) {
	case text:
		table = v
	case stream:
		b, err := f.unpack(v)
		if err != nil {
			return colours{}, err
		}
		table = b
	}
	if n != 1 && n != 3 || len(table) < n {
		return colours{}, decode.Unsupported(nil, "a PDF with colours of an unusual kind")
	}
	palette := make([]byte, 3<<bits)
	for i := range 1 << bits {
		at := min(i, len(table)/n-1) * n
		for k := range 3 {
			palette[3*i+k] = table[at+k*(n-1)/2]
		}
	}
	return colours{samples: 1, palette: palette}, nil
}

// samples is how many samples a pixel of a space has; 0 for a space that is not read.
func (f *file) samples(space any) int {
	switch space {
	case any(name("DeviceGray")), any(name("G")), any(name("CalGray")):
		return 1
	case any(name("DeviceRGB")), any(name("RGB")), any(name("CalRGB")):
		return 3
	case any(name("DeviceCMYK")), any(name("CMYK")):
		return 4
	}
	a, _ := space.([]any)
	if len(a) == 0 {
		return 0
	}
	if f.get(a[0]) != any(name("ICCBased")) || len(a) < 2 {
		if n, ok := f.get(a[0]).(name); ok && n != "Indexed" && n != "I" {
			return f.samples(n)
		}
		return 0
	}
	s, _ := f.get(a[1]).(stream)
	if n := f.number(s.dict, "N", 0); n == 1 || n == 3 || n == 4 {
		return n
	}
	return 0
}

// tiff writes a file around compressed samples.
type tiff struct {
	colours
	width, height, bits                 int
	compression, predictor, photometric int
	fax                                 bool
	data                                []byte
}

// file is a TIFF of one strip.
func (t *tiff) file() []byte {
	le := binary.LittleEndian
	if !t.fax {
		t.photometric = map[int]int{1: blackIsZero, 3: photoRGB, 4: photoCMYK}[t.samples]
	}
	bits := slices.Repeat([]int{t.bits}, t.samples)
	var table []int
	if t.palette != nil {
		t.photometric = photoColors
		for c := range 3 {
			for i := c; i < len(t.palette); i += 3 {
				table = append(table, int(t.palette[i])*257)
			}
		}
	}
	type entry struct {
		tag, typ uint16
		values   []int
	}
	const short, long = 3, 4
	entries := []entry{
		{256, long, []int{t.width}},
		{257, long, []int{t.height}},
		{258, short, bits},
		{259, short, []int{t.compression}},
		{262, short, []int{t.photometric}},
		{273, long, []int{8}},
		{277, short, []int{t.samples}},
		{278, long, []int{t.height}},
		{279, long, []int{len(t.data)}},
		{317, short, []int{t.predictor}},
	}
	if table != nil {
		entries = append(entries, entry{320, short, table})
	}
	at := 8 + (len(t.data)+1)&^1
	out := append(make([]byte, 0, at+1024), "II*\x00"...)
	out = le.AppendUint32(out, uint32(at))
	out = append(append(out, t.data...), make([]byte, at-8-len(t.data))...)
	out = le.AppendUint16(out, uint16(len(entries)))
	behind := at + 2 + 12*len(entries) + 4
	var far []byte
	for _, e := range entries {
		out = le.AppendUint16(le.AppendUint16(out, e.tag), e.typ)
		out = le.AppendUint32(out, uint32(len(e.values)))
		var v []byte
		for _, n := range e.values {
			if e.typ == short {
				v = le.AppendUint16(v, uint16(n))
			} else {
				v = le.AppendUint32(v, uint32(n))
			}
		}
		if len(v) > 4 {
			out = le.AppendUint32(out, uint32(behind+len(far)))
			far = append(far, v...)
			continue
		}
		out = append(out, append(v, 0, 0, 0, 0)[:4]...)
	}
	return append(append(out, 0, 0, 0, 0), far...)
}

// png is a PNG whose pixels are the stream as it is.
func (t *tiff) png() []byte {
	be := binary.BigEndian
	kind := map[int]byte{1: 0, 3: 2}[t.samples]
	if t.palette != nil {
		kind = 3
	}
	head := be.AppendUint32(be.AppendUint32(nil, uint32(t.width)), uint32(t.height))
	var out bytes.Buffer
	out.WriteString("\x89PNG\r\n\x1a\n")
	chunk := func(typ string, data []byte) {
		out.Write(be.AppendUint32(nil, uint32(len(data))))
		sum := crc32.NewIEEE()
		for _, b := range [][]byte{[]byte(typ), data} {
			out.Write(b)
			sum.Write(b)
		}
		out.Write(be.AppendUint32(nil, sum.Sum32()))
	}
	chunk("IHDR", append(head, byte(t.bits), kind, 0, 0, 0))
	if t.palette != nil {
		chunk("PLTE", t.palette)
	}
	chunk("IDAT", t.data)
	chunk("IEND", nil)
	return out.Bytes()
}
