package decode

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"slices"

	"github.com/bawab/bawab/inference/decode/decodetest"
)

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
	w.short(tiffWidth, decodetest.Width)
	w.short(tiffLength, decodetest.Height)
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
	bw, bh, offsets, counts := decodetest.Width, s.rows, tiffStripOffsets, tiffStripCounts
	if s.tile != 0 {
		bw, bh, offsets, counts = s.tile, s.tile, tiffTileOffsets, tiffTileCounts
		w.short(tiffTileWidth, s.tile)
		w.short(tiffTileLength, s.tile)
	} else {
		w.short(tiffRowsPerStrip, s.rows)
	}
	var at, sizes []int
	for y := 0; y < decodetest.Height; y += bh {
		for x := 0; x < decodetest.Width; x += bw {
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
		if s.tile == 0 && y >= decodetest.Height {
			break
		}
		var bits decodetest.BitWriter
		before := make([]int, s.samples)
		for x := x0; x < x0+bw; x++ {
			for i, v := range s.sample(min(x, decodetest.Width-1), min(y, decodetest.Height-1)) {
				d := v
				if s.predictor == 2 {
					d = (v - before[i]) & (1<<s.bits - 1)
				}
				before[i] = v
				if s.bits == 16 {
					pair := s.order.AppendUint16(nil, uint16(d))
					d = int(pair[0])<<8 | int(pair[1])
				}
				bits.Put(d, s.bits)
			}
		}
		for bits.N != 0 {
			bits.Put(0, 1)
		}
		out = append(out, unstuffed(bits.B)...)
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
		var bits decodetest.BitWriter
		for i, v := range raw {
			if i%200 == 0 {
				bits.Put(256, 9)
			}
			bits.Put(int(v), 9)
		}
		bits.Put(257, 9)
		bits.Put(0, 7)
		return unstuffed(bits.B)
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
		c := decodetest.Quadrant(x, y)
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
