package camera

import (
	"bytes"
	"context"
	"encoding/binary"

	"github.com/bawab/bawab/appliance"
)

// Rotated returns an opener whose frames stand upright when they are turned by the given degrees clockwise: 0, 90, 180 or 270. It
// is written into each frame as its EXIF orientation, once, before anybody sees it: whoever looks at pixels turns them, browsers
// included, and the samples stay those that the sensor's coder made. Turning samples would code them a second time, which is what
// the checks for made pictures look for.
func Rotated(open appliance.CameraOpener, degrees int) appliance.CameraOpener {
	orientation := map[int]byte{90: 6, 180: 3, 270: 8}[degrees]
	if orientation == 0 {
		return open
	}
	return func(ctx context.Context) (appliance.CameraSource, error) {
		s, err := open(ctx)
		if err != nil {
			return nil, err
		}
		return rotatedSource{s, orientation}, nil
	}
}

// rotatedSource is a camera that is mounted on its side or upside down.
type rotatedSource struct {
	appliance.CameraSource
	orientation byte
}

// Read implements appliance.CameraSource.
func (s rotatedSource) Read() (appliance.RawFrame, error) {
	f, err := s.CameraSource.Read()
	f.JPEG = withOrientation(f.JPEG, s.orientation)
	return f, err
}

// exifHeader begins the content of an EXIF segment.
const exifHeader = "Exif\x00\x00"

// withOrientation returns a JPEG with an EXIF segment that holds the orientation alone, in the place of any that it had. What is no
// JPEG stays as it is.
func withOrientation(jpeg []byte, orientation byte) []byte {
	if !bytes.HasPrefix(jpeg, []byte{0xff, 0xd8}) {
		return jpeg
	}
	tiff := []byte("MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00")
	tiff[19] = orientation
	out := append(make([]byte, 0, len(jpeg)+64), 0xff, 0xd8, 0xff, 0xe1)
	out = binary.BigEndian.AppendUint16(out, uint16(2+len(exifHeader)+len(tiff)))
	out = append(append(out, exifHeader...), tiff...)
	rest := jpeg[2:]
	for len(rest) >= 4 && rest[0] == 0xff && rest[1]&0xf0 == 0xe0 { // the application segments come first
		n := min(2+max(2, int(binary.BigEndian.Uint16(rest[2:]))), len(rest))
		if !bytes.HasPrefix(rest[4:n], []byte(exifHeader)) {
			out = append(out, rest[:n]...)
		}
		rest = rest[n:]
	}
	return append(out, rest...)
}
