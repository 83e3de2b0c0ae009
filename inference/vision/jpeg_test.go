package vision

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/bawab/bawab/appliance"
)

// TestJPEGAgreesWithTheStandardLibrary proves, on texture in all qualities, progressive with refinement, restart markers
// and odd sizes, that each sample is that of image/jpeg within what two roundings of the inverse DCT may differ.
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
			got, err := Decoder{}.Decode(t.Context(), b)
			if err != nil {
				t.Fatal(err)
			}
			m, err := jpeg.Decode(bytes.NewReader(b))
			if err != nil {
				t.Fatal(err)
			}
			checkPlanes(t, got)
			if want := planesOf(t, m, got); want != nil {
				sameSamples(t, got, want, 2)
			}
		})
	}
}

// planesOf returns the planes of what image/jpeg decoded, cut to the sizes of got; nil for a kind that it converts to
// interleaved colours.
func planesOf(t *testing.T, m image.Image, got *appliance.Picture) *appliance.Picture {
	t.Helper()
	if m.Bounds().Dx() != got.Width || m.Bounds().Dy() != got.Height {
		t.Fatalf("%d x %d, want %v", got.Width, got.Height, m.Bounds())
	}
	switch m := m.(type) {
	case *image.Gray:
		return &appliance.Picture{Y: packRows(m.Pix, m.Stride, got.Width, got.Height)}
	case *image.YCbCr:
		return &appliance.Picture{
			Y:  packRows(m.Y, m.YStride, got.Width, got.Height),
			Cb: packRows(m.Cb, m.CStride, got.ChromaWidth, got.ChromaHeight),
			Cr: packRows(m.Cr, m.CStride, got.ChromaWidth, got.ChromaHeight),
		}
	}
	return nil
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

// TestJPEGScanOrders proves that components may come in scans of their own, that a sequential picture without its end
// marker is still whole, that a progressive one is not, and that a component without a scan is damage.
func TestJPEGScanOrders(t *testing.T) {
	interleaved := colourJPEG(0xc0, 1, 1, nil)
	whole := interleaved.encode()
	want, err := Decoder{}.Decode(t.Context(), whole)
	if err != nil {
		t.Fatal(err)
	}
	sos := bytes.Index(whole, []byte{0xff, markSOS})
	separate := bytes.Clone(whole[:sos])
	var partial [][]byte
	for _, c := range interleaved.comps {
		partial = append(partial, bytes.Clone(separate))
		separate = append(separate, 0xff, markSOS, 0, 8, 1, c.id, 0, 0, 63, 0)
		alone := jpegSpec{sof: 0xc0, comps: []testComponent{c}}
		separate = append(separate, alone.coded()...)
	}
	for name, b := range map[string][]byte{
		"scans apart":     append(bytes.Clone(separate), 0xff, markEOI),
		"no end marker":   whole[:len(whole)-2],
		"apart, no end":   separate,
		"junk before end": slices.Concat(whole[:len(whole)-2], []byte{1, 2, 3, 0xff, 0, 0xff, 0xff, 0xff, markEOI}),
	} {
		got, err := Decoder{}.Decode(t.Context(), b)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		sameSamples(t, got, want, 0)
	}
	for i, b := range partial {
		t.Logf("%d scans", i)
		wantCode(t, Decoder{}, append(b, 0xff, markEOI), appliance.CodePictureBroken)
	}
	progressive := colourJPEG(0xc2, 1, 1, nil).encode()
	wantCode(t, Decoder{}, progressive[:len(progressive)-2], appliance.CodePictureBroken)
}

// TestJPEGTablesAreChecked proves that tables which are missing or cannot be are damage.
func TestJPEGTablesAreChecked(t *testing.T) {
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
		t.Run(name, func(t *testing.T) { wantCode(t, Decoder{}, b, appliance.CodePictureBroken) })
	}
}
