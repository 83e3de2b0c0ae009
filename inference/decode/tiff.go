package decode

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image/color"

	"github.com/bawab/bawab/appliance"
)

// The directory entries that describe how pixels are stored.
const (
	tiffWidth        = 256
	tiffLength       = 257
	tiffBits         = 258
	tiffCompression  = 259
	tiffPhotometric  = 262
	tiffFillOrder    = 266
	tiffStripOffsets = 273
	tiffSamples      = 277
	tiffRowsPerStrip = 278
	tiffStripCounts  = 279
	tiffPlanar       = 284
	tiffT4Options    = 292
	tiffPredictor    = 317
	tiffColorMap     = 320
	tiffTileWidth    = 322
	tiffTileLength   = 323
	tiffTileOffsets  = 324
	tiffTileCounts   = 325
	tiffExtraSamples = 338
	tiffSampleFormat = 339
	tiffJPEGTables   = 347
)

// Photometric interpretations that are read.
const (
	whiteIsZero = 0
	blackIsZero = 1
	photoRGB    = 2
	photoColors = 3
	photoCMYK   = 5
	photoYCbCr  = 6
)

// tiffPage is the first directory of a TIFF. Its pixels are decoded block by block (strip or tile) into the planes,
// so that beside the planes never more than one block is held: the x/image decoder would build the whole picture at
// up to 8 bytes a pixel first.
type tiffPage struct {
	tiffBytes
	tags map[uint16]entry

	width, height                         int
	bits, samples, photometric            int
	compression, predictor, alpha         int
	blockWidth, blockHeight, across, down int
	tiled                                 bool
	offsets, counts                       entry
	palette                               [256][3]int32
	grey                                  bool
	tables                                []byte // of JPEG, for all blocks
	differences                           bool   // JPEG holds luma and colour differences
	visits                                int    // of the passes of JPEG
	rowBytes                              int    // of one block row, unpacked
	buf                                   []byte
	samplesRow                            []byte
}

// maxPages is how many pages a TIFF may have.
const maxPages = 10_000

// parseTIFF reads the first directory.
func parseTIFF(b []byte) (header, error) { return parseTIFFPage(b, 1) }

// parseTIFFPage reads the directory of a page and decides whether its variant is one that can be decoded.
func parseTIFFPage(b []byte, page int) (header, error) {
	t, first, ok := openTIFF(b)
	if !ok {
		return header{}, broken(errors.New("tiff: short header"))
	}
	passed := map[int]bool{}
	for n := 1; n < page; n++ {
		if n == maxPages {
			return header{}, NoPage(maxPages)
		}
		passed[first] = true
		if first, ok = t.next(first); !ok {
			return header{}, broken(errors.New("tiff: directory out of the file"))
		} else if first == 0 || passed[first] {
			return header{}, NoPage(n)
		}
	}
	p := &tiffPage{tiffBytes: t, tags: map[uint16]entry{}}
	lost := false
	whole := t.entries(first, func(e entry) {
		if e.tag == tiffJPEGTables {
			p.tables = e.val
		}
		if _, ok := e.uint(0); !ok {
			lost = lost || e.typ == 3 || e.typ == 4
		} else if e.tag <= tiffSampleFormat {
			p.tags[e.tag] = e
		}
	})
	if !whole || lost {
		return header{}, broken(errors.New("tiff: directory out of the file"))
	}
	if err := p.describe(); err != nil {
		return header{}, err
	}
	x := t.exif(first)
	return header{
		width: p.width, height: p.height, orientation: x.orientation, taken: x.taken, working: p.working(), decode: p.decode,
	}, nil
}

// value returns the first value of a tag, or otherwise when the directory does not have it.
func (p *tiffPage) value(tag uint16, otherwise int) int {
	if v, ok := p.tags[tag].uint(0); ok {
		return v
	}
	return otherwise
}

// describe fills in the page from its directory; it allocates nothing for pixels.
func (p *tiffPage) describe() error {
	p.width, p.height = p.value(tiffWidth, 0), p.value(tiffLength, 0)
	p.bits, p.samples = p.value(tiffBits, 1), p.value(tiffSamples, 1)
	p.photometric = p.value(tiffPhotometric, -1)
	p.compression, p.predictor = p.value(tiffCompression, 1), p.value(tiffPredictor, 1)
	if p.width == 0 || p.height == 0 {
		return broken(errors.New("tiff: no size"))
	}
	if p.width > 1<<30 || p.height > 1<<30 {
		return TooLong(p.width, p.height)
	}
	for i := range p.tags[tiffBits].count {
		if v, ok := p.tags[tiffBits].uint(i); ok && v != p.bits {
			return Unsupported(nil, "a TIFF with samples of different depths")
		}
	}
	for i := range p.tags[tiffSampleFormat].count {
		if v, ok := p.tags[tiffSampleFormat].uint(i); ok && v != 1 {
			return Unsupported(nil, "a TIFF with samples that are no unsigned integers")
		}
	}
	if p.samples > 1 && p.value(tiffPlanar, 1) != 1 {
		return Unsupported(nil, "a TIFF with separate planes")
	}
	if err := p.checkVariant(); err != nil {
		return err
	}
	p.grey = p.photometric == whiteIsZero || p.photometric == blackIsZero
	p.layout()
	return nil
}

// checkVariant refuses the combinations of depth, colour and compression that are not read.
func (p *tiffPage) checkVariant() error {
	if p.compression == tiffJPEG {
		if err := p.jpegVariant(); err != nil {
			return err
		}
	}
	colours, known := map[int]int{whiteIsZero: 1, blackIsZero: 1, photoRGB: 3, photoColors: 1, photoCMYK: 4}[p.photometric]
	switch {
	case !known:
		return Unsupported(nil, "a TIFF of colour space %d", p.photometric)
	case p.bits != 1 && p.bits != 2 && p.bits != 4 && p.bits != 8 && p.bits != 16,
		p.photometric == photoColors && p.bits > 8:
		return Unsupported(nil, "a TIFF of %d bits a sample", p.bits)
	case p.samples < colours:
		return broken(fmt.Errorf("tiff: %d samples a pixel in colour space %d", p.samples, p.photometric))
	case p.samples > 8:
		return Unsupported(nil, "a TIFF of %d samples a pixel", p.samples)
	case p.predictor != 1 && (p.predictor != 2 || p.bits < 8):
		return Unsupported(nil, "a TIFF with predictor %d at %d bits", p.predictor, p.bits)
	case p.ratio() == 0:
		return Unsupported(nil, "a TIFF of compression %d", p.compression)
	case p.fax() && (p.bits != 1 || p.samples != 1 || p.photometric > blackIsZero):
		return broken(errors.New("tiff: fax compression of other than black and white"))
	case p.compression == tiffGroup3 && p.value(tiffT4Options, 0)&1 != 0:
		return Unsupported(nil, "a TIFF of two-dimensional fax G3")
	case !p.fax() && p.value(tiffFillOrder, 1) != 1:
		return Unsupported(nil, "a TIFF with reversed bits")
	}
	if p.samples > colours && p.photometric != photoCMYK && p.photometric != photoColors {
		if v := p.value(tiffExtraSamples, 0); v == 1 || v == 2 {
			p.alpha = v
		}
	}
	return nil
}

// layout works out strips or tiles.
func (p *tiffPage) layout() {
	p.blockWidth, p.blockHeight = p.width, p.height
	p.offsets, p.counts = p.tags[tiffStripOffsets], p.tags[tiffStripCounts]
	if _, p.tiled = p.tags[tiffTileWidth]; p.tiled {
		p.blockWidth, p.blockHeight = p.value(tiffTileWidth, 0), p.value(tiffTileLength, 0)
		p.offsets, p.counts = p.tags[tiffTileOffsets], p.tags[tiffTileCounts]
	} else if v := p.value(tiffRowsPerStrip, 0); v > 0 {
		p.blockHeight = min(v, p.height)
	}
	if p.blockWidth == 0 || p.blockHeight == 0 {
		return
	}
	p.across = (p.width + p.blockWidth - 1) / p.blockWidth
	p.down = (p.height + p.blockHeight - 1) / p.blockHeight
	p.rowBytes = (p.blockWidth*p.samples*p.bits + 7) / 8
}

// checkBlocks bounds the work before anything is allocated: the number of blocks, what tiles stick out over the
// picture, and that the compressed bytes can hold the pixels at all.
func (p *tiffPage) checkBlocks() error {
	const maxBlocks, slack = 1 << 15, 1 << 21
	n := p.across * p.down
	if n == 0 || n > maxBlocks || p.offsets.count < n || p.counts.count < n {
		return broken(fmt.Errorf("tiff: %d blocks, %d offsets, %d counts", n, p.offsets.count, p.counts.count))
	}
	if p.blockWidth > 1<<20 || p.blockHeight > 1<<20 {
		return broken(errors.New("tiff: tile size"))
	}
	padded := n * p.blockWidth * p.blockHeight
	if p.tiled && padded > 2*p.width*p.height+slack {
		return broken(fmt.Errorf("tiff: tiles of %d x %d", p.blockWidth, p.blockHeight))
	}
	packed := 0
	for i := range n {
		data, err := p.block(i)
		if err != nil {
			return err
		}
		packed += len(data)
	}
	if p.compression == tiffJPEG && (packed > len(p.b) || len(p.tables) > maxTables) {
		return broken(errors.New("tiff: blocks of JPEG that overlap, or too many tables"))
	}
	if raw := p.rowBytes * p.height * p.across; raw/p.ratio() > packed {
		return broken(fmt.Errorf("tiff: %d bytes of pixels in %d", raw, packed))
	}
	return nil
}

// block returns the stored bytes of block i.
func (p *tiffPage) block(i int) ([]byte, error) {
	off, ok1 := p.offsets.uint(i)
	n, ok2 := p.counts.uint(i)
	if !ok1 || !ok2 || off > len(p.b) || n > len(p.b)-off {
		return nil, broken(fmt.Errorf("tiff: block %d out of the file", i))
	}
	return p.b[off : off+n], nil
}

// working is how many bytes decoding holds beside the picture's planes: a block, and where blocks lie beside each other the colour planes
// of full size.
func (p *tiffPage) working() int {
	working := p.rowBytes * p.blockHeight
	if p.across > 1 && !p.grey && p.width*p.height > fineChroma {
		working += 3 * p.width * p.height / 2
	}
	return working
}

func (p *tiffPage) decode(ctx context.Context) (*appliance.Picture, error) {
	if err := p.checkBlocks(); err != nil {
		return nil, err
	}
	if err := affordable(p.working(), p.width, p.height); err != nil {
		return nil, err
	}
	if err := p.readPalette(); err != nil {
		return nil, err
	}
	sink := newSink
	if p.across == 1 {
		sink = newRowSink
	}
	s := sink(p.width, p.height, p.grey)
	p.buf = make([]byte, p.rowBytes*p.blockHeight)
	p.samplesRow = make([]byte, p.blockWidth*p.samples)
	var u unpacker
	for i := range p.across * p.down {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x0, y0 := i%p.across*p.blockWidth, i/p.across*p.blockHeight
		rows := p.blockHeight
		if !p.tiled {
			rows = min(rows, p.height-y0)
		}
		data, err := p.block(i)
		if err != nil {
			return nil, err
		}
		buf := p.buf[:rows*p.rowBytes]
		if err := u.unpack(ctx, p, data, buf, rows); err != nil {
			if code := appliance.CodeOf(err); code == appliance.CodePictureKind || code == appliance.CodePicturePixels {
				return nil, err
			}
			return nil, broken(fmt.Errorf("tiff: block %d: %w", i, err))
		}
		for y := range min(rows, p.height-y0) {
			row := buf[y*p.rowBytes:][:p.rowBytes]
			p.undoPredictor(row)
			p.split(row)
			s.beginRow(y0 + y)
			p.put(s, (y0+y)*p.width+x0, min(p.blockWidth, p.width-x0))
			s.endRow(y0 + y)
		}
	}
	return s.p, nil
}

// readPalette turns the colour map into 8-bit RGB and notices when all of it is grey.
func (p *tiffPage) readPalette() error {
	if p.photometric != photoColors {
		return nil
	}
	m, n := p.tags[tiffColorMap], 1<<p.bits
	if m.typ != 3 || m.val == nil || m.count < 3*n {
		return broken(errors.New("tiff: colour map"))
	}
	p.grey = true
	for i := range n {
		for c := range 3 {
			v, _ := m.uint(c*n + i)
			p.palette[i][c] = int32(v >> 8) // writers disagree whether 255 is 65280 or 65535
		}
		p.grey = p.grey && p.palette[i][0] == p.palette[i][1] && p.palette[i][1] == p.palette[i][2]
	}
	return nil
}

// undoPredictor turns differences to the pixel on the left back into samples.
func (p *tiffPage) undoPredictor(row []byte) {
	if p.predictor != 2 {
		return
	}
	if p.bits == 8 {
		for i := p.samples; i < len(row); i++ {
			row[i] += row[i-p.samples]
		}
		return
	}
	for i := 2 * p.samples; i+2 <= len(row); i += 2 {
		p.order.PutUint16(row[i:], p.order.Uint16(row[i:])+p.order.Uint16(row[i-2*p.samples:]))
	}
}

// split spreads a row into 8-bit samples: scaled to 0..255, or the bare index for a palette.
func (p *tiffPage) split(row []byte) {
	out := p.samplesRow
	switch p.bits {
	case 8:
		copy(out, row)
	case 16:
		if p.order == binary.ByteOrder(binary.BigEndian) {
			for i := range out {
				out[i] = byte(to8(be16(row[2*i:])))
			}
			return
		}
		for i := range out {
			out[i] = byte(to8(uint16(row[2*i]) | uint16(row[2*i+1])<<8))
		}
	default:
		mask, scale := byte(1<<p.bits-1), 255/byte(1<<p.bits-1)
		if p.photometric == photoColors {
			scale = 1
		}
		for i := range out {
			bit := i * p.bits
			out[i] = row[bit/8] >> (8 - p.bits - bit%8) & mask * scale
		}
	}
}

// put writes n pixels of the split row into the planes at i.
func (p *tiffPage) put(s rowSink, i, n int) {
	for x := range n {
		v := p.samplesRow[x*p.samples:][:p.samples]
		var r, g, b int32
		colours := 3
		switch p.photometric {
		case whiteIsZero:
			r, colours = 255-int32(v[0]), 1
		case blackIsZero:
			r, colours = int32(v[0]), 1
		case photoColors:
			c := &p.palette[v[0]]
			r, g, b = c[0], c[1], c[2]
		case photoRGB:
			r, g, b = int32(v[0]), int32(v[1]), int32(v[2])
		case photoCMYK:
			cr, cg, cb := color.CMYKToRGB(v[0], v[1], v[2], v[3])
			r, g, b = int32(cr), int32(cg), int32(cb)
		}
		if colours == 1 {
			g, b = r, r
		}
		if p.alpha != 0 {
			r, g, b = p.overWhite(r, g, b, int32(v[colours]))
		}
		s.set(i+x, r, g, b)
	}
}

// overWhite composes a pixel on white; alpha 1 says that the samples were multiplied by it already.
func (p *tiffPage) overWhite(r, g, b, a int32) (int32, int32, int32) {
	if p.alpha == 2 {
		return overWhite(r, a), overWhite(g, a), overWhite(b, a)
	}
	return min(255, r+255-a), min(255, g+255-a), min(255, b+255-a)
}
