package camera

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
)

// yuyvQuality is the JPEG quality of frames that a camera delivers uncompressed: print keeps its edges.
const yuyvQuality = 95

// encodeYUYV makes a JPEG of a frame in the layout Y0 Cb Y1 Cr.
func encodeYUYV(raw []byte, width, height int) ([]byte, error) {
	if width <= 0 || height <= 0 || width%2 != 0 || len(raw) < 2*width*height {
		return nil, fmt.Errorf("encode frame: %d bytes for %d x %d pixels", len(raw), width, height)
	}
	m := image.NewYCbCr(image.Rect(0, 0, width, height), image.YCbCrSubsampleRatio422)
	for i := range width * height / 2 {
		p := raw[4*i : 4*i+4]
		m.Y[2*i], m.Cb[i], m.Y[2*i+1], m.Cr[i] = p[0], p[1], p[2], p[3]
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: yuyvQuality}); err != nil {
		return nil, fmt.Errorf("encode frame: %w", err)
	}
	return b.Bytes(), nil
}
