package camera

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/jpeg"
	"os"
	"path/filepath"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/inferencetest"
)

// oneFrame is a source that delivers one frame over and over.
type oneFrame struct{ frame []byte }

func (s oneFrame) Read() (appliance.RawFrame, error) {
	return appliance.RawFrame{JPEG: bytes.Clone(s.frame)}, nil
}
func (oneFrame) Close() error { return nil }

// A frame of a camera that is mounted on its side is decoded upright, whatever orientation it names itself; its coded samples stay
// the same byte for byte; without a rotation, and where a frame is damaged, nothing is changed.
func TestRotated(t *testing.T) {
	size := image.Rect(0, 0, 96, 64)
	m := image.NewGray(size)
	m.SetGray(0, 0, color.Gray{Y: 255})
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		t.Fatal(err)
	}
	plain := b.Bytes()
	upright := decoded(t, plain)
	for degrees, swapped := range map[int]bool{0: false, 90: true, 180: false, 270: true} {
		for name, frame := range map[string][]byte{"plain": plain, "with an orientation": withOrientation(plain, 8)} {
			got := rotated(t, frame, degrees)
			if degrees == 0 {
				if !bytes.Equal(got, frame) {
					t.Errorf("%s: changed without a rotation", name)
				}
				continue
			}
			if !bytes.HasSuffix(got, plain[2:]) || bytes.Count(got, []byte(exifHeader)) != 1 {
				t.Errorf("%s, %d degrees: the coded samples changed, or %d orientations", name, degrees, bytes.Count(got, []byte(exifHeader)))
			}
			p := decoded(t, got)
			width, height := size.Dx(), size.Dy()
			if swapped {
				width, height = height, width
			}
			if p.Width != width || p.Height != height {
				t.Errorf("%s, %d degrees: %d x %d, want %d x %d", name, degrees, p.Width, p.Height, width, height)
				continue
			}
			// Where the first sample of the camera's frame comes to lie, turned clockwise.
			at := map[int]int{90: width - 1, 180: width*height - 1, 270: (height - 1) * width}[degrees]
			if p.Y[at] != upright.Y[0] {
				t.Errorf("%s, %d degrees: the first sample is %d, not %d", name, degrees, p.Y[at], upright.Y[0])
			}
		}
	}
	for _, damaged := range [][]byte{nil, []byte("no picture"), {0xff, 0xd8}, {0xff, 0xd8, 0xff, 0xe0, 0xff}, {0xff, 0xd8, 0xff, 0xe1, 0xff, 0xff, 1}} {
		if got := rotated(t, damaged, 90); complete(got) != nil {
			t.Errorf("%x became a picture: %x", damaged, got)
		}
	}
}

func rotated(t *testing.T, frame []byte, degrees int) []byte {
	t.Helper()
	open := func(context.Context) (appliance.CameraSource, error) { return oneFrame{frame}, nil }
	s, err := Rotated(open, degrees)(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f, err := s.Read()
	if err != nil {
		t.Fatal(err)
	}
	return f.JPEG
}

func decoded(t *testing.T, image []byte) *appliance.Picture {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "frame.jpg"), image, 0o600); err != nil {
		t.Fatal(err)
	}
	return inferencetest.Picture(t, dir, "frame.jpg")
}
