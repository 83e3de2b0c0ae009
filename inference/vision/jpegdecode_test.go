package vision

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
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
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
	w, err := walkJPEG(b)
	if err != nil {
		return nil, err
	}
	return w.decode(ctx)
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

// Components may come in scans of their own; a picture without its end marker is whole where all scans are; a component without one is
// damage.
func TestJPEGScanOrders(t *testing.T) {
	interleaved := colourJPEG(0xc0, 1, 1, nil)
	whole := interleaved.encode()
	want, err := decoded(t.Context(), whole)
	if err != nil {
		t.Fatal(err)
	}
	before, _, _ := bytes.Cut(whole, []byte{0xff, markSOS})
	separate := bytes.Clone(before)
	var partial [][]byte
	for _, c := range interleaved.comps {
		partial = append(partial, bytes.Clone(separate))
		separate = append(separate, 0xff, markSOS, 0, 8, 1, c.id, 0, 0, 63, 0)
		separate = append(separate, jpegSpec{sof: 0xc0, comps: []jpegComponent{c}}.coded()...)
	}
	for name, b := range map[string][]byte{
		"scans apart":     append(bytes.Clone(separate), 0xff, markEOI),
		"no end marker":   whole[:len(whole)-2],
		"apart, no end":   separate,
		"junk before end": slices.Concat(whole[:len(whole)-2], []byte{1, 2, 3, 0xff, 0, 0xff, 0xff, 0xff, markEOI}),
	} {
		got, err := decoded(t.Context(), b)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		sameSamples(t, got, want, 0)
	}
	for i, b := range partial {
		if _, err := decoded(t.Context(), slices.Concat(b, []byte{0xff, markEOI})); appliance.CodeOf(err) != appliance.CodePictureBroken {
			t.Errorf("%d scans: %v", i, err)
		}
	}
	progressive := colourJPEG(0xc2, 1, 1, nil).encode()
	if _, err := decoded(t.Context(), progressive[:len(progressive)-2]); appliance.CodeOf(err) != appliance.CodePictureBroken {
		t.Errorf("progressive without its end: %v", err)
	}
}

// Tables which are missing or cannot be are damage.
func TestJPEGChecksTables(t *testing.T) {
	good := colourJPEG(0xc0, 2, 2, nil).encode()
	without := func(marker byte) []byte {
		i := bytes.Index(good, []byte{0xff, marker})
		n := 2 + int(be16(good[i+2:]))
		return slices.Concat(good[:i], good[i+n:])
	}
	changed := func(marker byte, at int, v byte) []byte {
		b := bytes.Clone(good)
		b[bytes.Index(b, []byte{0xff, marker})+4+at] = v
		return b
	}
	for name, b := range map[string][]byte{
		"no quantisation table":    without(markDQT),
		"no Huffman table":         without(markDHT),
		"too many codes":           changed(markDHT, 1, 3),
		"class of table":           changed(markDHT, 0, 0x20),
		"number of table":          changed(markDQT, 0, 5),
		"depth of table":           changed(markDQT, 0, 0x20),
		"sampling factor 0":        changed(markSOF0, 7, 0x02),
		"sampling factor 5":        changed(markSOF0, 7, 0x52),
		"two of one name":          changed(markSOF0, 6, 2),
		"quantisation table 4":     changed(markSOF0, 8, 4),
		"scan of another name":     changed(markSOS, 1, 9),
		"scan of one twice":        changed(markSOS, 1, 2),
		"scan of four":             changed(markSOS, 0, 4),
		"scan with another table":  changed(markSOS, 2, 0x10),
		"scan with a table beyond": changed(markSOS, 2, 0x40),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := decoded(t.Context(), b); appliance.CodeOf(err) != appliance.CodePictureBroken {
				t.Error(err)
			}
		})
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

// A pass over a progressive file keeps the coefficients of one component alone.
func TestJPEGKeepsOneComponent(t *testing.T) {
	d := jpegDecoder{in: jpegSegments{b: fixture(t, "texture_progressive.jpg", 0).file(nil, 0)}, only: 1}
	w, err := walkJPEG(d.in.b)
	if err != nil {
		t.Fatal(err)
	}
	d.width, d.height = w.h.width, w.h.height
	if err := d.pass(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, c := range d.comps {
		if kept := c.coefs != nil; kept != (i == d.only) || c.pix != nil {
			t.Errorf("component %d: coefficients %v, %d samples", i, kept, len(c.pix))
		}
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
		w, err := walkJPEG(b)
		if err != nil || w.h.width <= 0 || w.h.height <= 0 || w.h.width*w.h.height > 1<<16 || w.blocks()*w.parts > 1<<16 {
			return
		}
		p, err := w.decode(t.Context())
		if err == nil {
			checkPlanes(t, p)
		} else if code := appliance.CodeOf(err); code != appliance.CodePictureBroken && code != appliance.CodePictureKind {
			t.Errorf("%v", err)
		}
	})
}
