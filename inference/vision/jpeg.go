package vision

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/bawab/bawab/appliance"
)

// maxScans bounds the scans of a JPEG: encoders write up to a dozen, while a hostile file could ask for a hundred
// thousand passes over the whole picture with a few bytes each.
const maxScans = 100

// JPEG markers.
const (
	markSOF0  = 0xc0
	markSOF1  = 0xc1
	markSOF2  = 0xc2
	markDHT   = 0xc4
	markRST0  = 0xd0
	markRST7  = 0xd7
	markSOI   = 0xd8
	markEOI   = 0xd9
	markSOS   = 0xda
	markDQT   = 0xdb
	markDRI   = 0xdd
	markAPP0  = 0xe0
	markAPP1  = 0xe1
	markAPP14 = 0xee
)

// jpegWalk goes from marker to marker through a JPEG.
type jpegWalk struct {
	b   []byte
	at  int
	end bool // the end marker was there
}

// next returns the next marker segment; ok is false at the end marker, and where the file ends without one.
func (w *jpegWalk) next() (marker byte, data []byte, ok bool) {
	for {
		skip := bytes.IndexByte(w.b[w.at:], 0xff)
		if skip < 0 {
			return 0, nil, false
		}
		w.at += skip
		for w.at < len(w.b) && w.b[w.at] == 0xff {
			w.at++
		}
		if w.at == len(w.b) {
			return 0, nil, false
		}
		marker = w.b[w.at]
		w.at++
		switch {
		case marker == markEOI:
			w.end = true
			return 0, nil, false
		case marker == 0, marker >= markRST0 && marker <= markSOI:
			continue // no segment; also what is left of entropy-coded data
		}
		if w.at+2 > len(w.b) {
			return 0, nil, false
		}
		n := int(be16(w.b[w.at:]))
		if n < 2 || w.at+n > len(w.b) {
			return 0, nil, false
		}
		data = w.b[w.at+2 : w.at+n]
		w.at += n
		return marker, data, true
	}
}

// skipCoded goes to the next marker that is not part of entropy-coded data and returns the bytes on the way.
func (w *jpegWalk) skipCoded() []byte {
	start := w.at
	for {
		i := bytes.IndexByte(w.b[w.at:], 0xff)
		if i < 0 || w.at+i+1 >= len(w.b) {
			w.at = len(w.b)
			return w.b[start:]
		}
		w.at += i
		if next := w.b[w.at+1]; next != 0 && next != 0xff && (next < markRST0 || next > markRST7) {
			return w.b[start:w.at]
		}
		w.at++
	}
}

// parseJPEG reads all segments of the file, and of the entropy-coded data only where it ends.
func parseJPEG(b []byte) (header, error) {
	w := jpegWalk{b: b, at: 2}
	var out header
	scans, coded, notes := 0, 0, false
	for {
		marker, data, ok := w.next()
		if !ok {
			break
		}
		switch {
		case marker == markAPP1 && !notes && bytes.HasPrefix(data, []byte("Exif\x00\x00")):
			notes = true
			x := parseEXIF(data)
			out.orientation, out.taken = x.orientation, x.taken
		case marker == markSOS:
			if scans++; scans > maxScans {
				return header{}, broken(fmt.Errorf("jpeg: more than %d scans", maxScans))
			}
			coded += len(w.skipCoded())
		case marker >= markSOF0 && marker <= markSOF2:
			if out.width != 0 || len(data) < 6 {
				return header{}, broken(errors.New("jpeg: frame header"))
			}
			if data[0] != 8 {
				return header{}, unsupported(nil, fmt.Sprintf("a JPEG of %d bits a sample", data[0]))
			}
			out.height, out.width = int(be16(data[1:])), int(be16(data[3:]))
		case marker >= 0xc3 && marker <= 0xcf && marker != markDHT && marker != 0xc8 && marker != 0xcc:
			return header{}, unsupported(nil, "a lossless, hierarchical or arithmetic-coded JPEG")
		}
	}
	if out.width == 0 {
		return header{}, broken(errors.New("jpeg: no size before the end"))
	}
	out.decode = func(ctx context.Context) (*appliance.Picture, error) {
		// Every block of 8 x 8 samples costs at least one bit.
		if blocks := ((out.width + 7) / 8) * ((out.height + 7) / 8); blocks > 8*coded {
			return nil, broken(fmt.Errorf("jpeg: %d blocks in %d bytes", blocks, coded))
		}
		d := jpegDecoder{walk: jpegWalk{b: b, at: 2}, width: out.width, height: out.height}
		return d.decode(ctx)
	}
	return out, nil
}
