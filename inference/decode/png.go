package decode

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image/png"
	"strings"

	"github.com/bawab/bawab/appliance"
)

const pngSignature = "\x89PNG\r\n\x1a\n"

// pngEnd is the chunk that ends a file. It says nothing, so a file that lacks it, or a part of it, is whole if its pixels are.
const pngEnd = "\x00\x00\x00\x00IEND\xaeB`\x82"

// maxDeflate is the highest ratio that Deflate can reach.
const maxDeflate = 1032

// parsePNG reads IHDR and eXIf and adds up the compressed pixels. No chunk is decompressed here, and the decoder
// behind it decompresses none but IDAT.
func parsePNG(b []byte) (header, error) {
	at := len(pngSignature)
	chunk, typ, at := pngChunk(b, at)
	if typ != "IHDR" || len(chunk) != 13 {
		return header{}, broken(errors.New("png: no IHDR"))
	}
	w, h := binary.BigEndian.Uint32(chunk), binary.BigEndian.Uint32(chunk[4:])
	if w == 0 || h == 0 || w > 1<<31-1 || h > 1<<31-1 {
		return header{}, broken(fmt.Errorf("png: size %d x %d", w, h))
	}
	depth, kind := int(chunk[8]), chunk[9]
	out := header{width: int(w), height: int(h), grey: kind == 0 || kind == 4}
	packed, last := 0, at
	for at > 0 && typ != "IEND" {
		last = at
		chunk, typ, at = pngChunk(b, at)
		switch typ {
		case "IDAT":
			packed += len(chunk)
		case "eXIf":
			x := parseEXIF(chunk)
			out.orientation, out.taken = x.orientation, x.taken
		}
	}
	b = ended(b, last, at > 0)
	samples := map[byte]int{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind]
	working := max(1, depth/8)
	if samples > 1 {
		working *= 4 // the standard library makes pixels of four samples of it
	}
	out.working = out.width * out.height * working
	out.decode = func(ctx context.Context) (*appliance.Picture, error) {
		if raw := (out.width*samples*depth + 7) / 8 * out.height; raw/maxDeflate > packed {
			return nil, broken(fmt.Errorf("png: %d bytes of pixels in %d", raw, packed))
		}
		if err := affordable(out.working, out.width, out.height); err != nil {
			return nil, err
		}
		m, err := png.Decode(Reader{ctx, bytes.NewReader(b)})
		if err != nil {
			return nil, broken(err)
		}
		return pictureOf(ctx, m, out.grey)
	}
	return out, nil
}

// ended is a file with the chunk that ends it, where that alone, or a part of it, is missing behind its last whole chunk.
func ended(b []byte, last int, whole bool) []byte {
	if !whole && len(b)-last < len(pngEnd) && strings.HasPrefix(pngEnd, string(b[last:])) {
		return append(b[:last:last], pngEnd...)
	}
	return b
}

// pngChunk returns the chunk at off and the place of the next one; next is 0 when the file ends within the chunk.
func pngChunk(b []byte, off int) (data []byte, typ string, next int) {
	if off+12 > len(b) {
		return nil, "", 0
	}
	n := int(binary.BigEndian.Uint32(b[off:]))
	if n > len(b)-off-12 {
		return nil, "", 0
	}
	return b[off+8 : off+8+n], string(b[off+4 : off+8]), off + 12 + n
}
