package decode

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"

	"golang.org/x/image/bmp"

	"github.com/bawab/bawab/appliance"
)

// parseBMP reads the info header. Its pixels are not compressed, so the file must be long enough for all of them.
func parseBMP(b []byte) (header, error) {
	le := binary.LittleEndian
	if le.Uint32(b[14:]) < 40 {
		return header{}, Unsupported(nil, "a BMP of an old variant")
	}
	if len(b) < 54 {
		return header{}, broken(errors.New("bmp: short header"))
	}
	width, height := int(int32(le.Uint32(b[18:]))), int(int32(le.Uint32(b[22:])))
	if height < 0 {
		height = -height
	}
	if width <= 0 || height == 0 {
		return header{}, broken(errors.New("bmp: no size"))
	}
	start, bits := int(le.Uint32(b[10:])), int(le.Uint16(b[28:]))
	decode := func(ctx context.Context) (*appliance.Picture, error) {
		if c := le.Uint32(b[30:]); c != 0 && c != 3 {
			return nil, Unsupported(nil, "a compressed BMP")
		}
		if row := (width*bits + 31) / 32 * 4; row > (len(b)-start)/height {
			return nil, broken(errors.New("bmp: fewer bytes than pixels"))
		}
		m, err := bmp.Decode(Reader{ctx, bytes.NewReader(b)})
		if errors.Is(err, bmp.ErrUnsupported) {
			return nil, Unsupported(err, "a BMP of an unusual variant")
		}
		if err != nil {
			return nil, broken(err)
		}
		return pictureOf(ctx, m, false)
	}
	return header{width: width, height: height, decode: decode}, nil
}
