package jpeg

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/bawab/bawab/inference/decode/decodetest"
)

// decoded is what a file holds, as it lies in it.
func decoded(ctx context.Context, b []byte) (*Frame, error) {
	f, err := Open(b)
	if err != nil {
		return nil, err
	}
	return f.Decode(ctx, nil)
}

// damaged reports whether a file was refused, and not for its variant.
func damaged(err error) bool {
	var u *UnsupportedError
	return err != nil && !errors.As(err, &u)
}

// same holds the components of two frames against each other.
func same(t *testing.T, got, want *Frame) {
	t.Helper()
	if len(got.Components) != len(want.Components) {
		t.Fatalf("%d components, want %d", len(got.Components), len(want.Components))
	}
	for i, c := range got.Components {
		if w := want.Components[i]; c.Width != w.Width || c.Height != w.Height || !bytes.Equal(c.Pix, w.Pix) {
			t.Errorf("component %d differs", i)
		}
	}
}

// Components may come in scans of their own; a picture without its end marker is whole where all scans are; a component without one is
// damage.
func TestJPEGScanOrders(t *testing.T) {
	interleaved := decodetest.ColourJPEG(0xc0, 1, 1, nil)
	whole := interleaved.Encode()
	want, err := decoded(t.Context(), whole)
	if err != nil {
		t.Fatal(err)
	}
	before, _, _ := bytes.Cut(whole, []byte{0xff, markSOS})
	separate := bytes.Clone(before)
	var partial [][]byte
	for _, c := range interleaved.Components {
		partial = append(partial, bytes.Clone(separate))
		separate = append(separate, 0xff, markSOS, 0, 8, 1, c.ID, 0, 0, 63, 0)
		separate = append(separate, decodetest.JPEG{SOF: 0xc0, Components: []decodetest.Component{c}}.Coded()...)
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
		same(t, got, want)
	}
	for i, b := range partial {
		if _, err := decoded(t.Context(), slices.Concat(b, []byte{0xff, markEOI})); !damaged(err) {
			t.Errorf("%d scans: %v", i, err)
		}
	}
	progressive := decodetest.ColourJPEG(0xc2, 1, 1, nil).Encode()
	if _, err := decoded(t.Context(), progressive[:len(progressive)-2]); !damaged(err) {
		t.Errorf("progressive without its end: %v", err)
	}
}

// Tables which are missing or cannot be are damage.
func TestJPEGChecksTables(t *testing.T) {
	good := decodetest.ColourJPEG(0xc0, 2, 2, nil).Encode()
	without := func(marker byte) []byte {
		i := bytes.Index(good, []byte{0xff, marker})
		n := 2 + int(binary.BigEndian.Uint16(good[i+2:]))
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
			if _, err := decoded(t.Context(), b); !damaged(err) {
				t.Error(err)
			}
		})
	}
}

// A pass over a progressive file keeps the coefficients of one component alone.
func TestJPEGKeepsOneComponent(t *testing.T) {
	file, err := os.ReadFile("../testdata/texture_progressive.jpg")
	if err != nil {
		t.Fatal(err)
	}
	d := decoder{in: segments{b: file}, only: 1}
	w, err := Open(d.in.b)
	if err != nil {
		t.Fatal(err)
	}
	d.Width, d.Height = w.Width, w.Height
	if err := d.pass(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, c := range d.Components {
		if kept := c.coefs != nil; kept != (i == d.only) || c.Pix != nil {
			t.Errorf("component %d: coefficients %v, %d samples", i, kept, len(c.Pix))
		}
	}
}

// FuzzDecode: whatever bytes come, the decoder answers an error or components that hold what their sizes say, and the first has those of
// the picture.
func FuzzDecode(f *testing.F) {
	for _, hv := range []byte{1, 2} {
		f.Add(decodetest.ColourJPEG(0xc0, hv, 1, nil).Encode())
		f.Add(decodetest.ColourJPEG(0xc2, 1, hv, nil).Encode())
	}
	f.Add(decodetest.InkJPEG().Encode())
	for _, name := range []string{"progressive", "texture_progressive", "texture_restart", "texture_grey"} {
		b, err := os.ReadFile("../testdata/" + name + ".jpg")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < 3 || b[0] != 0xff || b[1] != markSOI {
			return
		}
		file, err := Open(b)
		if err != nil || file.Width <= 0 || file.Height <= 0 || file.Width*file.Height > 1<<16 || file.Visits() > 1<<16 {
			return
		}
		told := 0
		frame, err := file.Decode(t.Context(), func(*Frame, *Component) { told++ })
		if err != nil {
			return
		}
		if told != len(frame.Components) {
			t.Errorf("told of %d components of %d", told, len(frame.Components))
		}
		for i, c := range frame.Components {
			if c.Width > frame.Width || c.Height > frame.Height || c.Width > c.Stride || len(c.Pix) < c.Stride*c.Height || c.Height < 1 ||
				i == 0 && (c.Width != frame.Width || c.Height != frame.Height) {
				t.Errorf("component %d of %d x %d: %d x %d, %d samples of %d a row",
					i, frame.Width, frame.Height, c.Width, c.Height, len(c.Pix), c.Stride)
			}
		}
	})
}
