package vision

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"slices"
)

// The test picture has four quadrants; the quarters named by their place in the stored file.
const testWidth, testHeight = 125, 93

var (
	red, green   = color.NRGBA{200, 40, 40, 255}, color.NRGBA{40, 180, 60, 255}
	blue, yellow = color.NRGBA{50, 60, 210, 255}, color.NRGBA{230, 220, 70, 255}
)

// quadrant is the test picture's colour at (x, y).
func quadrant(x, y int) color.NRGBA {
	switch {
	case x < 64 && y < 48:
		return red
	case y < 48:
		return green
	case x < 64:
		return blue
	}
	return yellow
}

// jpegComponent is one component of a test JPEG: its sampling factors and its value at a pixel.
type jpegComponent struct {
	id, h, v byte
	at       func(x, y int) byte
}

// jpegSpec describes a test JPEG. The blocks carry only their mean, which is all that flat colours need.
type jpegSpec struct {
	sof   byte // 0xc0 baseline, 0xc1 extended, 0xc2 progressive
	adobe int  // transform of an Adobe marker, -1 for none
	exif  []byte
	comps []jpegComponent
}

func (s jpegSpec) encode() []byte {
	b := []byte{0xff, 0xd8}
	segment := func(marker byte, data ...byte) {
		b = append(b, 0xff, marker, byte((len(data)+2)>>8), byte(len(data)+2))
		b = append(b, data...)
	}
	if s.exif != nil {
		segment(0xe1, append([]byte("Exif\x00\x00"), s.exif...)...)
	}
	if s.adobe >= 0 {
		segment(0xee, append([]byte("Adobe\x00\x64\x00\x00\x00\x00"), byte(s.adobe))...)
	}
	segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{8}, 64)...)...)
	frame := []byte{8, 0, testHeight, 0, testWidth, byte(len(s.comps))}
	scan := []byte{byte(len(s.comps))}
	for _, c := range s.comps {
		frame = append(frame, c.id, c.h<<4|c.v, 0)
		scan = append(scan, c.id, 0)
	}
	segment(s.sof, frame...)
	// Twelve codes of four bits, each its own category.
	dc := slices.Concat([]byte{0, 0, 0, 0, 12}, make([]byte, 12), []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
	segment(0xc4, dc...)
	ac := append([]byte{0x10, 1}, make([]byte, 15)...) // one code of one bit: end of block
	segment(0xc4, append(ac, 0)...)
	last := byte(63)
	if s.sof == 0xc2 {
		last = 0
	}
	segment(0xda, append(scan, 0, last, 0)...)
	b = append(b, s.coded()...)
	return append(b, 0xff, 0xd9)
}

// coded returns the entropy-coded data of one interleaved scan.
func (s jpegSpec) coded() []byte {
	var bits bitWriter
	var hmax, vmax int
	for _, c := range s.comps {
		hmax, vmax = max(hmax, int(c.h)), max(vmax, int(c.v))
	}
	dc := make([]int, len(s.comps))
	for my := 0; my < (testHeight+8*vmax-1)/(8*vmax); my++ {
		for mx := 0; mx < (testWidth+8*hmax-1)/(8*hmax); mx++ {
			for i, c := range s.comps {
				for j := range int(c.h * c.v) {
					bx, by := mx*int(c.h)+j%int(c.h), my*int(c.v)+j/int(c.h)
					x := min(testWidth-1, (8*bx+4)*hmax/int(c.h))
					y := min(testHeight-1, (8*by+4)*vmax/int(c.v))
					v := int(c.at(x, y)) - 128
					bits.dc(v - dc[i])
					dc[i] = v
					if s.sof != 0xc2 {
						bits.put(0, 1)
					}
				}
			}
		}
	}
	bits.put(0x7f, 7)
	return bits.b
}

// bitWriter packs bits from the top and stuffs a zero byte behind each 0xff, as JPEG wants.
type bitWriter struct {
	b   []byte
	acc uint32
	n   int
}

func (w *bitWriter) put(v, n int) {
	for i := n - 1; i >= 0; i-- {
		w.acc = w.acc<<1 | uint32(v>>i&1)
		if w.n++; w.n == 8 {
			w.b = append(w.b, byte(w.acc))
			if byte(w.acc) == 0xff {
				w.b = append(w.b, 0)
			}
			w.n = 0
		}
	}
}

func (w *bitWriter) dc(diff int) {
	category := 0
	for v := max(diff, -diff); v > 0; v >>= 1 {
		category++
	}
	w.put(category, 4)
	if diff < 0 {
		diff += 1<<category - 1
	}
	w.put(diff, category)
}

// ycc returns component i of the test picture in YCbCr.
func ycc(i int) func(x, y int) byte {
	return func(x, y int) byte {
		c := quadrant(x, y)
		v := [3]byte{}
		v[0], v[1], v[2] = color.RGBToYCbCr(c.R, c.G, c.B)
		return v[i]
	}
}

// rgb returns channel i of the test picture.
func rgb(i int) func(x, y int) byte {
	return func(x, y int) byte {
		c := quadrant(x, y)
		return [3]byte{c.R, c.G, c.B}[i]
	}
}

// inverse turns values round: a YCCK JPEG carries the YCbCr of the inks.
func inverse(at func(x, y int) byte) func(x, y int) byte {
	return func(x, y int) byte { return 255 - at(x, y) }
}

func constant(v byte) func(x, y int) byte { return func(int, int) byte { return v } }

// inkJPEG is a CMYK JPEG with Adobe's inversion, which for paper without black is RGB with a black channel of 255.
func inkJPEG(exif []byte) jpegSpec {
	return jpegSpec{sof: 0xc0, adobe: 0, exif: exif, comps: []jpegComponent{
		{1, 1, 1, rgb(0)}, {2, 1, 1, rgb(1)}, {3, 1, 1, rgb(2)}, {4, 1, 1, constant(255)},
	}}
}

// colourJPEG is a YCbCr JPEG with luma sampled h x v for each chroma sample.
func colourJPEG(sof, h, v byte, exif []byte) jpegSpec {
	return jpegSpec{sof: sof, adobe: -1, exif: exif, comps: []jpegComponent{
		{1, h, v, ycc(0)}, {2, 1, 1, ycc(1)}, {3, 1, 1, ycc(2)},
	}}
}

// exifSpec describes an EXIF block; empty texts are left out.
type exifSpec struct {
	order                  binary.AppendByteOrder
	orientation            int
	date, fraction, offset string
}

// encode returns the TIFF structure of the block.
func (s exifSpec) encode() []byte {
	w := tiffWriter{order: s.order}
	if s.orientation != 0 {
		w.short(tagOrientation, s.orientation)
	}
	sub := tiffWriter{order: s.order, base: 8 + 2 + 12*(len(w.tags)+1) + 4}
	for _, e := range []struct {
		tag  uint16
		text string
	}{{tagDateTimeOriginal, s.date}, {tagOffsetOriginal, s.offset}, {tagSubSecOriginal, s.fraction}} {
		if e.text != "" {
			sub.add(e.tag, 2, len(e.text)+1, append([]byte(e.text), 0))
		}
	}
	w.long(tagExifIFD, sub.base)
	return append(w.file(), sub.directory()...)
}

// tiffWriter builds TIFF structures: one directory whose values follow it.
type tiffWriter struct {
	order binary.AppendByteOrder
	base  int // where the directory will stand
	tags  []tiffTag
	data  []byte // stands right behind the header of a file
}

type tiffTag struct {
	tag, typ uint16
	count    int
	val      []byte
}

func (w *tiffWriter) add(tag, typ uint16, count int, val []byte) {
	w.tags = append(w.tags, tiffTag{tag, typ, count, val})
}

func (w *tiffWriter) short(tag uint16, vs ...int) {
	var b []byte
	for _, v := range vs {
		b = w.order.AppendUint16(b, uint16(v))
	}
	w.add(tag, 3, len(vs), b)
}

func (w *tiffWriter) long(tag uint16, vs ...int) {
	var b []byte
	for _, v := range vs {
		b = w.order.AppendUint32(b, uint32(v))
	}
	w.add(tag, 4, len(vs), b)
}

// file returns header, data and directory.
func (w *tiffWriter) file() []byte {
	head := []byte("II*\x00")
	if w.order.AppendUint16(nil, 1)[0] == 0 {
		head = []byte("MM\x00*")
	}
	w.base = 8 + len(w.data)
	b := w.order.AppendUint32(head, uint32(w.base))
	b = append(b, w.data...)
	return append(b, w.directory()...)
}

func (w *tiffWriter) directory() []byte {
	slices.SortStableFunc(w.tags, func(a, b tiffTag) int { return int(a.tag) - int(b.tag) })
	b := w.order.AppendUint16(nil, uint16(len(w.tags)))
	at := w.base + 2 + 12*len(w.tags) + 4
	var values []byte
	for _, t := range w.tags {
		b = w.order.AppendUint16(b, t.tag)
		b = w.order.AppendUint16(b, t.typ)
		b = w.order.AppendUint32(b, uint32(t.count))
		if len(t.val) <= 4 {
			b = append(b, append(t.val, make([]byte, 4-len(t.val))...)...)
			continue
		}
		b = w.order.AppendUint32(b, uint32(at+len(values)))
		values = append(values, t.val...)
	}
	return append(append(b, 0, 0, 0, 0), values...)
}

// tiffSpec describes a test TIFF; sample gives the samples of a pixel, already in file depth.
type tiffSpec struct {
	order                    binary.AppendByteOrder
	bits, samples            int
	photometric, compression int
	predictor, extra         int
	tile, rows               int // side of a tile, or rows of a strip
	orientation              int
	colours                  []int // of a palette
	sample                   func(x, y int) []int
}

func (s tiffSpec) encode() []byte {
	w := tiffWriter{order: s.order}
	w.short(tiffWidth, testWidth)
	w.short(tiffLength, testHeight)
	w.short(tiffBits, slices.Repeat([]int{s.bits}, s.samples)...)
	w.short(tiffCompression, s.compression)
	w.short(tiffPhotometric, s.photometric)
	w.short(tiffSamples, s.samples)
	if s.predictor != 0 {
		w.short(tiffPredictor, s.predictor)
	}
	if s.extra != 0 {
		w.short(tiffExtraSamples, s.extra)
	}
	if s.orientation != 0 {
		w.short(tagOrientation, s.orientation)
	}
	if s.colours != nil {
		w.short(tiffColorMap, s.colours...)
	}
	bw, bh, offsets, counts := testWidth, s.rows, tiffStripOffsets, tiffStripCounts
	if s.tile != 0 {
		bw, bh, offsets, counts = s.tile, s.tile, tiffTileOffsets, tiffTileCounts
		w.short(tiffTileWidth, s.tile)
		w.short(tiffTileLength, s.tile)
	} else {
		w.short(tiffRowsPerStrip, s.rows)
	}
	var at, sizes []int
	for y := 0; y < testHeight; y += bh {
		for x := 0; x < testWidth; x += bw {
			block := s.compress(s.block(x, y, bw, bh))
			at, sizes = append(at, 8+len(w.data)), append(sizes, len(block))
			w.data = append(w.data, block...)
		}
	}
	w.long(uint16(offsets), at...)
	w.long(uint16(counts), sizes...)
	return w.file()
}

// block packs the samples of one strip or tile, with the predictor's differences.
func (s tiffSpec) block(x0, y0, bw, bh int) []byte {
	var out []byte
	for y := y0; y < y0+bh; y++ {
		if s.tile == 0 && y >= testHeight {
			break
		}
		var bits bitWriter
		before := make([]int, s.samples)
		for x := x0; x < x0+bw; x++ {
			for i, v := range s.sample(min(x, testWidth-1), min(y, testHeight-1)) {
				d := v
				if s.predictor == 2 {
					d = (v - before[i]) & (1<<s.bits - 1)
				}
				before[i] = v
				if s.bits == 16 {
					pair := s.order.AppendUint16(nil, uint16(d))
					d = int(pair[0])<<8 | int(pair[1])
				}
				bits.put(d, s.bits)
			}
		}
		for bits.n != 0 {
			bits.put(0, 1)
		}
		out = append(out, unstuffed(bits.b)...)
	}
	return out
}

// unstuffed takes out the zeros that JPEG wants behind 0xff.
func unstuffed(b []byte) []byte {
	var out []byte
	for i := 0; i < len(b); i++ {
		out = append(out, b[i])
		if b[i] == 0xff {
			i++
		}
	}
	return out
}

func (s tiffSpec) compress(raw []byte) []byte {
	switch s.compression {
	case tiffPackBits:
		var out []byte
		for len(raw) > 0 {
			n := 1
			for n < min(len(raw), 128) && raw[n] == raw[0] {
				n++
			}
			if n > 1 {
				out = append(out, byte(1-n), raw[0])
			} else {
				out = append(out, 0x80, 0, raw[0])
			}
			raw = raw[n:]
		}
		return out
	case tiffLZW:
		// Literals only, with a clear code before the codes would grow beyond 9 bits.
		var bits bitWriter
		for i, v := range raw {
			if i%200 == 0 {
				bits.put(256, 9)
			}
			bits.put(int(v), 9)
		}
		bits.put(257, 9)
		bits.put(0, 7)
		return unstuffed(bits.b)
	case tiffDeflate, tiffDeflateOld:
		var b bytes.Buffer
		z := zlib.NewWriter(&b)
		z.Write(raw)
		z.Close()
		return b.Bytes()
	}
	return raw
}

// rgbSamples gives the test picture with each sample scaled to the depth.
func rgbSamples(bits int) func(x, y int) []int {
	return func(x, y int) []int {
		c := quadrant(x, y)
		k := 1
		if bits == 16 {
			k = 257
		}
		return []int{int(c.R) * k, int(c.G) * k, int(c.B) * k}
	}
}

// pngWith inserts a chunk behind IHDR.
func pngWith(file []byte, typ string, data []byte) []byte {
	const behindIHDR = 8 + 25
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	chunk = append(append(chunk, typ...), data...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
	return slices.Concat(file[:behindIHDR], chunk, file[behindIHDR:])
}

// webpWith puts a simple WebP into an extended one with an EXIF chunk; flags are those of VP8X.
func webpWith(simple, exif []byte, flags byte, size image.Point) []byte {
	body := []byte("WEBPVP8X\x0a\x00\x00\x00")
	w, h := size.X-1, size.Y-1
	body = append(body, flags, 0, 0, 0, byte(w), byte(w>>8), 0, byte(h), byte(h>>8), 0)
	body = append(body, simple[12:]...)
	if exif != nil {
		body = append(body, "EXIF"...)
		body = binary.LittleEndian.AppendUint32(body, uint32(len(exif)))
		body = append(body, exif...)
		if len(exif)%2 == 1 {
			body = append(body, 0)
		}
	}
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
}
