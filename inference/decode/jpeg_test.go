package decode

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/bawab/bawab/appliance"
	file "github.com/bawab/bawab/inference/decode/jpeg"
)

// byLibrary decodes a file by the standard library's decoder.
func byLibrary(ctx context.Context, b []byte) (*appliance.Picture, error) {
	m, err := jpeg.Decode(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	w, h := m.Bounds().Dx(), m.Bounds().Dy()
	switch m := m.(type) {
	case *image.YCbCr:
		cw, ch := m.COffset(w-1, 0)+1, m.COffset(0, h-1)/m.CStride+1
		return &appliance.Picture{
			Width: w, Height: h, Y: packRows(m.Y, m.YStride, w, h),
			ChromaWidth: cw, ChromaHeight: ch, Cb: packRows(m.Cb, m.CStride, cw, ch), Cr: packRows(m.Cr, m.CStride, cw, ch),
		}, nil
	case *image.CMYK:
		mixed := image.NewRGBA(m.Bounds())
		draw.Draw(mixed, m.Bounds(), m, image.Point{}, draw.Src)
		return pictureOf(ctx, mixed, false)
	}
	return pictureOf(ctx, m, false)
}

// decoded is what a file holds, as it lies in it.
func decoded(ctx context.Context, b []byte) (*appliance.Picture, error) {
	h, err := parseJPEG(b)
	if err != nil {
		return nil, err
	}
	return h.decode(ctx)
}

// The decoder gives the standard library's samples, within what two roundings of the inverse DCT may differ, on texture
// in all qualities, progressive with refinement, restart markers, odd sizes, and of all colours.
func TestJPEGAgreesWithTheStandardLibrary(t *testing.T) {
	files := map[string][]byte{}
	names, err := filepath.Glob("testdata/*.jpg")
	if err != nil || len(names) < 5 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		if files[name], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range jpegFiles(t) {
		files[s.name] = s.file(nil, 0)
	}
	r := rand.New(rand.NewPCG(1, 9))
	for _, quality := range []int{1, 30, 75, 95, 100} {
		m := image.NewYCbCr(image.Rect(0, 0, 99, 77), image.YCbCrSubsampleRatio420)
		for _, p := range [][]byte{m.Y, m.Cb, m.Cr} {
			for i := range p {
				p[i] = byte(r.IntN(256))
			}
		}
		var b bytes.Buffer
		if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: quality}); err != nil {
			t.Fatal(err)
		}
		files[fmt.Sprintf("noise at quality %d", quality)] = b.Bytes()
	}
	for name, b := range files {
		t.Run(name, func(t *testing.T) {
			got, err := decoded(t.Context(), b)
			if err != nil {
				t.Fatal(err)
			}
			checkPlanes(t, got)
			want, err := byLibrary(t.Context(), b)
			if err != nil {
				t.Fatal(err)
			}
			sameSamples(t, got, want, 2)
		})
	}
}

// sameSamples holds two pictures against each other: no sample may differ by more than most, and one in ten at all.
func sameSamples(t *testing.T, got, want *appliance.Picture, most int) {
	t.Helper()
	differ := 0
	for i, p := range [][2][]byte{{got.Y, want.Y}, {got.Cb, want.Cb}, {got.Cr, want.Cr}} {
		if len(p[0]) != len(p[1]) {
			t.Fatalf("plane %d has %d samples, want %d", i, len(p[0]), len(p[1]))
		}
		for j, v := range p[0] {
			d := apart(v, p[1][j])
			if d > most {
				t.Fatalf("plane %d, sample %d is %d, want %d", i, j, v, p[1][j])
			}
			if d > 0 {
				differ++
			}
		}
	}
	if differ > len(want.Y)/10 {
		t.Errorf("%d samples differ", differ)
	}
}

// A large progressive picture costs two bytes for each coefficient beside its planes: the standard library takes four, 150 MB for as many
// pixels as are accepted.
func TestLargeProgressiveTakesHalf(t *testing.T) {
	const w, h = 2400, 2000
	b := passes(w, h, 1)
	used := allocated(func() {
		if _, err := (Decoder{}).Decode(t.Context(), b); err != nil {
			t.Error(err)
		}
	})
	if most := w*h*(2+1) + 1<<20; used > most {
		t.Errorf("%d bytes, want at most %d", used, most)
	}
}

// FuzzJPEG: whatever bytes come, the decoder answers a picture of the header's size or one of its codes.
func FuzzJPEG(f *testing.F) {
	for _, s := range jpegFiles(f) {
		f.Add(s.file(nil, 0))
	}
	for _, name := range []string{"texture_progressive.jpg", "texture_restart.jpg"} {
		f.Add(fixture(f, name, 0).file(nil, 0))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < 3 || b[0] != 0xff || b[1] != 0xd8 {
			return
		}
		w, err := file.Open(b)
		if err != nil || w.Width <= 0 || w.Height <= 0 || w.Width*w.Height > 1<<16 || w.Visits() > 1<<16 {
			return
		}
		p, err := decodeJPEG(t.Context(), w)
		if err == nil {
			checkPlanes(t, p)
		} else if code := appliance.CodeOf(err); code != appliance.CodePictureBroken && code != appliance.CodePictureKind {
			t.Errorf("%v", err)
		}
	})
}
