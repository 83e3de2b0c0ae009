package decode

import (
	"bytes"
	"compress/zlib"
	"context"
	"io"

	"golang.org/x/image/ccitt"
	"golang.org/x/image/tiff/lzw"
)

// The compressions that are read.
const (
	tiffNone       = 1
	tiffGroup3     = 3
	tiffGroup4     = 4
	tiffLZW        = 5
	tiffJPEG       = 7
	tiffDeflate    = 8
	tiffPackBits   = 32773
	tiffDeflateOld = 32946
)

func (p *tiffPage) fax() bool { return p.compression == tiffGroup3 || p.compression == tiffGroup4 }

// ratio is the most bytes that one stored byte can become; 0 for a compression that is not read.
func (p *tiffPage) ratio() int {
	switch p.compression {
	case tiffNone:
		return 1
	case tiffPackBits:
		return 64
	case tiffLZW:
		return 2731 // 4096 bytes from a code of 12 bits
	case tiffDeflate, tiffDeflateOld:
		return maxDeflate
	case tiffJPEG:
		return 8 * 64 * max(p.samples, 1) // a bit for 64 samples of each kind
	case tiffGroup3, tiffGroup4:
		return p.width + 8 // one bit repeats a row
	}
	return 0
}

// unpacker decompresses blocks; it keeps the Deflate window from one block to the next.
type unpacker struct {
	zlib io.ReadCloser
}

// unpack fills dst, which has rows whole rows, from the stored bytes of one block; fewer bytes are an error.
func (u *unpacker) unpack(ctx context.Context, p *tiffPage, data, dst []byte, rows int) error {
	src := io.Reader(bytes.NewReader(data))
	switch p.compression {
	case tiffJPEG:
		return p.unpackJPEG(ctx, data, dst, rows)
	case tiffPackBits:
		return unpackBits(dst, data)
	case tiffLZW:
		r := lzw.NewReader(src, lzw.MSB, 8)
		defer r.Close()
		src = r
	case tiffDeflate, tiffDeflateOld:
		if err := u.reset(src); err != nil {
			return err
		}
		src = u.zlib
	case tiffGroup3, tiffGroup4:
		format, order := ccitt.Group3, ccitt.MSB
		if p.compression == tiffGroup4 {
			format = ccitt.Group4
		}
		if p.value(tiffFillOrder, 1) == 2 {
			order = ccitt.LSB
		}
		// A white run is zero bits whatever zero means to the page: that is how the common writers use it.
		opts := &ccitt.Options{Invert: true}
		src = ccitt.NewReader(src, order, format, p.blockWidth, rows, opts)
	}
	_, err := io.ReadFull(src, dst)
	return err
}

func (u *unpacker) reset(src io.Reader) (err error) {
	if u.zlib == nil {
		u.zlib, err = zlib.NewReader(src)
		return err
	}
	return u.zlib.(zlib.Resetter).Reset(src, nil)
}

// unpackBits undoes Apple's run-length coding: n from 0 to 127 is followed by n+1 bytes, n from -127 to -1 repeats the
// next byte 1-n times, and -128 is padding.
func unpackBits(dst, src []byte) error {
	for len(dst) > 0 {
		if len(src) < 2 {
			return io.ErrUnexpectedEOF
		}
		n := int(int8(src[0]))
		switch {
		case n >= 0:
			if n+1 > len(src)-1 {
				return io.ErrUnexpectedEOF
			}
			dst = dst[copy(dst, src[1:n+2]):]
			src = src[n+2:]
		case n == -128:
			src = src[1:]
		default:
			k := min(1-n, len(dst))
			for i := range dst[:k] {
				dst[i] = src[1]
			}
			dst, src = dst[k:], src[2:]
		}
	}
	return nil
}
