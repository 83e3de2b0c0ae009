package decode

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/image/bmp"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/queue"
	"github.com/bawab/bawab/inference/decode/decodetest"
)

// sample is one test file and what it must become.
type sample struct {
	name string
	// file builds the bytes; exif is nil or the EXIF block to put in. TIFF uses orientation instead.
	file func(exif []byte, orientation int) []byte
	// at is the expected colour at a stored pixel, 8 bits, alpha composed.
	at            func(x, y int) color.NRGBA
	width, height int
	tolerance     int
	grey          bool
	noEXIF        bool
}

// samples are files of all formats, depths and colour kinds.
func samples(t testing.TB) []sample {
	all := append(jpegFiles(t), pngFiles(t)...)
	all = append(all, tiffFiles(t)...)
	all = append(all, webpFiles(t)...)
	all = append(all, bmpFiles(t)...)
	for i := range all {
		if all[i].width == 0 {
			all[i].width, all[i].height = decodetest.Width, decodetest.Height
		}
		if all[i].at == nil {
			all[i].at = decodetest.Quadrant
		}
	}
	return all
}

func jpegFiles(t testing.TB) []sample {
	var out []sample
	add := func(name string, s decodetest.JPEG, grey bool) {
		out = append(out, sample{name: "jpeg/" + name, tolerance: 3, grey: grey, file: func(exif []byte, _ int) []byte {
			s := s
			s.EXIF = exif
			return s.Encode()
		}})
	}
	for _, hv := range [][2]byte{{1, 1}, {2, 1}, {2, 2}, {1, 2}, {4, 1}, {4, 2}} {
		add(fmt.Sprintf("baseline %dx%d", hv[0], hv[1]), decodetest.ColourJPEG(0xc0, hv[0], hv[1], nil), false)
		add(fmt.Sprintf("progressive %dx%d", hv[0], hv[1]), decodetest.ColourJPEG(0xc2, hv[0], hv[1], nil), false)
	}
	add("extended", decodetest.ColourJPEG(0xc1, 2, 2, nil), false)
	add("grey", decodetest.FineJPEG(-1, "\x01", decodetest.YCC(0)), true)
	add("grey 2x2", decodetest.FineJPEG(-1, "\x01", decodetest.YCC(0)), true)
	add("rgb by adobe", decodetest.FineJPEG(0, "\x01\x02\x03", decodetest.RGB(0), decodetest.RGB(1), decodetest.RGB(2)), false)
	add("rgb by names", decodetest.FineJPEG(-1, "RGB", decodetest.RGB(0), decodetest.RGB(1), decodetest.RGB(2)), false)
	add("cmyk", decodetest.InkJPEG(), false)
	add("ycck", decodetest.JPEG{SOF: 0xc0, Adobe: 2, Components: []decodetest.Component{
		{ID: 1, H: 2, V: 2, At: decodetest.Inverse(decodetest.YCC(0))},
		{ID: 2, H: 1, V: 1, At: decodetest.Inverse(decodetest.YCC(1))},
		{ID: 3, H: 1, V: 1, At: decodetest.Inverse(decodetest.YCC(2))},
		{ID: 4, H: 2, V: 2, At: decodetest.Constant(255)},
	}}, false)
	for _, name := range []string{"cmyk.jpg", "progressive.jpg"} {
		out = append(out, fixture(t, name, 4))
	}
	return out
}

// fixture is a 128 x 96 file that another program wrote.
func fixture(t testing.TB, name string, tolerance int) sample {
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return sample{
		name: "file/" + name, width: 128, height: 96, tolerance: tolerance, noEXIF: true,
		file: func([]byte, int) []byte { return b },
	}
}

func pngFiles(t testing.TB) []sample {
	var out []sample
	add := func(name string, tolerance int, grey bool, at func(x, y int) color.NRGBA, m image.Image) {
		var b bytes.Buffer
		if err := png.Encode(&b, m); err != nil {
			t.Fatal(err)
		}
		out = append(out, sample{name: "png/" + name, tolerance: tolerance, grey: grey, at: at, file: func(exif []byte, _ int) []byte {
			if exif == nil {
				return b.Bytes()
			}
			return pngWith(b.Bytes(), "eXIf", exif)
		}})
	}
	r := image.Rect(0, 0, decodetest.Width, decodetest.Height)
	add("rgb 8", 1, false, nil, painted(image.NewRGBA(r), decodetest.Quadrant))
	add("rgb 16", 1, false, nil, painted(image.NewRGBA64(r), decodetest.Quadrant))
	add("rgba 8", 1, false, onWhite, painted(image.NewNRGBA(r), halfClear))
	add("rgba 16", 1, false, onWhite, painted(image.NewNRGBA64(r), halfClear))
	add("grey 8", 1, true, nil, painted(image.NewGray(r), decodetest.Quadrant))
	add("grey 16", 1, true, nil, painted(image.NewGray16(r), decodetest.Quadrant))
	add("palette", 1, false, nil, painted(image.NewPaletted(r, fourColours()), decodetest.Quadrant))
	clear := color.Palette{decodetest.Red, halfClear(100, 1), decodetest.Blue, decodetest.Yellow}
	add("palette with alpha", 1, false, onWhite, painted(image.NewPaletted(r, clear), halfClear))
	add("palette of greys", 1, true, greyed, painted(image.NewPaletted(r, color.Palette{greyed(0, 0), greyed(99, 0), greyed(0, 90), greyed(99, 90)}), greyed))
	return out
}

func painted[M interface {
	image.Image
	Set(x, y int, c color.Color)
}](m M, at func(x, y int) color.NRGBA) M {
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			m.Set(x, y, at(x, y))
		}
	}
	return m
}

// fourColours are those of the test picture.
func fourColours() color.Palette {
	return color.Palette{decodetest.Red, decodetest.Green, decodetest.Blue, decodetest.Yellow}
}

// halfClear is the test picture with its green quadrant at 40 % alpha.
func halfClear(x, y int) color.NRGBA {
	c := decodetest.Quadrant(x, y)
	if c == decodetest.Green {
		c.A = 102
	}
	return c
}

// onWhite is halfClear composed on white.
func onWhite(x, y int) color.NRGBA {
	c := decodetest.Quadrant(x, y)
	if c == decodetest.Green {
		return color.NRGBA{169, 225, 177, 255}
	}
	return c
}

func greyed(x, y int) color.NRGBA {
	v := color.GrayModel.Convert(decodetest.Quadrant(x, y)).(color.Gray).Y
	return color.NRGBA{v, v, v, 255}
}

func bmpFiles(t testing.TB) []sample {
	var out []sample
	add := func(name string, grey bool, at func(x, y int) color.NRGBA, m image.Image) {
		var b bytes.Buffer
		if err := bmp.Encode(&b, m); err != nil {
			t.Fatal(err)
		}
		out = append(out, sample{name: "bmp/" + name, tolerance: 1, grey: grey, at: at, noEXIF: true, file: func([]byte, int) []byte { return b.Bytes() }})
	}
	r := image.Rect(0, 0, decodetest.Width, decodetest.Height)
	add("rgb", false, nil, painted(image.NewRGBA(r), decodetest.Quadrant))
	add("32 bits without alpha", false, nil, painted(image.NewNRGBA(r), halfClear))
	add("grey", true, greyed, painted(image.NewGray(r), decodetest.Quadrant))
	add("palette", false, nil, painted(image.NewPaletted(r, fourColours()), decodetest.Quadrant))
	long := bmpWithAlpha(out[1].file(nil, 0))
	return append(out, sample{name: "bmp/alpha", tolerance: 1, at: onWhite, noEXIF: true, file: func([]byte, int) []byte { return long }})
}

// bmpWithAlpha puts a header of version 4, in which the fourth byte of a pixel is its alpha, before the pixels of b.
func bmpWithAlpha(b []byte) []byte {
	const short, long = 40, 108
	out := slices.Concat(b[:14+short], make([]byte, long-short), b[14+short:])
	binary.LittleEndian.PutUint32(out[10:], 14+long)
	out[14] = long
	return out
}

func webpFiles(t testing.TB) []sample {
	var out []sample
	add := func(name string, flags byte, tolerance int) {
		f := fixture(t, name, tolerance)
		f.name = "webp/" + name
		simple := f.file(nil, 0)
		f.file = func(exif []byte, _ int) []byte {
			if exif == nil {
				return simple
			}
			return webpWith(simple, exif, flags|8, image.Pt(128, 96))
		}
		f.noEXIF = flags != 0
		out = append(out, f)
	}
	add("lossy.webp", 0, 2)
	add("lossless.webp", 0, 1)
	add("alpha.webp", 0x10, 2)
	out[2].at = onWhite
	return out
}

func tiffFiles(t testing.TB) []sample {
	le, be := binary.AppendByteOrder(binary.LittleEndian), binary.AppendByteOrder(binary.BigEndian)
	level := func(bits int, invert bool) func(x, y int) []int {
		return func(x, y int) []int {
			v := int(greyed(x, y).R)
			if invert {
				v = 255 - v
			}
			if bits == 16 {
				return []int{v * 257}
			}
			return []int{v >> (8 - bits)}
		}
	}
	index := func(x, y int) []int { return []int{x/64 + y/48*2} }
	map4 := make([]int, 48)
	for i, c := range []color.NRGBA{decodetest.Red, decodetest.Green, decodetest.Blue, decodetest.Yellow} {
		map4[i], map4[16+i], map4[32+i] = int(c.R)*257, int(c.G)<<8, int(c.B)*257
	}
	ink := func(x, y int) []int {
		c := decodetest.Quadrant(x, y)
		return []int{255 - int(c.R), 255 - int(c.G), 255 - int(c.B), 0}
	}
	straight := func(x, y int) []int {
		c := halfClear(x, y)
		return []int{int(c.R), int(c.G), int(c.B), int(c.A)}
	}
	multiplied := func(x, y int) []int {
		c := halfClear(x, y)
		a := int(c.A)
		return []int{int(c.R) * a / 255, int(c.G) * a / 255, int(c.B) * a / 255, a}
	}
	specs := []struct {
		name      string
		tolerance int
		grey      bool
		at        func(x, y int) color.NRGBA
		tiffSpec
	}{
		{"rgb strips", 1, false, nil, tiffSpec{order: le, bits: 8, samples: 3, photometric: 2, compression: 1, rows: 20, sample: rgbSamples(8)}},
		{"rgb tiles", 1, false, nil, tiffSpec{order: be, bits: 8, samples: 3, photometric: 2, compression: 1, tile: 32, sample: rgbSamples(8)}},
		{"rgb lzw", 1, false, nil, tiffSpec{order: le, bits: 8, samples: 3, photometric: 2, compression: 5, rows: 93, sample: rgbSamples(8)}},
		{"rgb deflate predictor", 1, false, nil, tiffSpec{order: le, bits: 8, samples: 3, photometric: 2, compression: 8, predictor: 2, rows: 31, sample: rgbSamples(8)}},
		{"rgb packbits tiles", 1, false, nil, tiffSpec{order: le, bits: 8, samples: 3, photometric: 2, compression: 32773, tile: 48, sample: rgbSamples(8)}},
		{"rgb 16 le", 1, false, nil, tiffSpec{order: le, bits: 16, samples: 3, photometric: 2, compression: 1, rows: 7, sample: rgbSamples(16)}},
		{"rgb 16 be predictor", 1, false, nil, tiffSpec{order: be, bits: 16, samples: 3, photometric: 2, compression: 32946, predictor: 2, tile: 64, sample: rgbSamples(16)}},
		{"rgba", 1, false, onWhite, tiffSpec{order: le, bits: 8, samples: 4, photometric: 2, compression: 1, extra: 2, rows: 50, sample: straight}},
		{"rgba premultiplied", 2, false, onWhite, tiffSpec{order: le, bits: 8, samples: 4, photometric: 2, compression: 1, extra: 1, rows: 50, sample: multiplied}},
		{"rgb and something", 1, false, nil, tiffSpec{order: le, bits: 8, samples: 4, photometric: 2, compression: 1, rows: 50, sample: straight}},
		{"cmyk", 1, false, nil, tiffSpec{order: le, bits: 8, samples: 4, photometric: 5, compression: 5, rows: 40, sample: ink}},
		{"grey 8", 1, true, nil, tiffSpec{order: le, bits: 8, samples: 1, photometric: 1, compression: 1, rows: 10, sample: level(8, false)}},
		{"grey 8 inverted", 1, true, nil, tiffSpec{order: le, bits: 8, samples: 1, photometric: 0, compression: 1, rows: 10, sample: level(8, true)}},
		{"grey 16", 1, true, nil, tiffSpec{order: be, bits: 16, samples: 1, photometric: 1, compression: 8, predictor: 2, rows: 10, sample: level(16, false)}},
		{"grey 4", 17, true, nil, tiffSpec{order: le, bits: 4, samples: 1, photometric: 1, compression: 1, rows: 93, sample: level(4, false)}},
		{"grey 2", 85, true, nil, tiffSpec{order: le, bits: 2, samples: 1, photometric: 1, compression: 1, rows: 93, sample: level(2, false)}},
		{"palette 4", 1, false, nil, tiffSpec{order: le, bits: 4, samples: 1, photometric: 3, compression: 1, rows: 93, colours: map4, sample: index}},
	}
	var out []sample
	for _, s := range specs {
		out = append(out, sample{
			name: "tiff/" + s.name, tolerance: s.tolerance, grey: s.grey, at: s.at,
			file: func(_ []byte, orientation int) []byte {
				s.orientation = orientation
				return s.tiffSpec.encode()
			},
		})
	}
	for _, name := range []string{"fax3.tif", "fax4.tif"} {
		f := fixture(t, name, 0)
		f.grey = true
		f.at = func(x, y int) color.NRGBA {
			if (x < 64) == (y < 48) {
				return color.NRGBA{A: 255}
			}
			return color.NRGBA{255, 255, 255, 255}
		}
		out = append(out, f)
	}
	return out
}

// stored returns the stored place of the upright pixel (x, y); w and h are the stored size.
func stored(orientation, x, y, w, h int) (int, int) {
	switch orientation {
	case 2:
		return w - 1 - x, y
	case 3:
		return w - 1 - x, h - 1 - y
	case 4:
		return x, h - 1 - y
	case 5:
		return y, x
	case 6:
		return y, h - 1 - x
	case 7:
		return w - 1 - y, h - 1 - x
	case 8:
		return w - 1 - y, x
	}
	return x, y
}

// TestDecodeAllKinds proves that every format, depth, colour kind and EXIF orientation arrives with the right colour at
// every pixel, in planes of consistent sizes, upright.
func TestDecodeAllKinds(t *testing.T) {
	for _, s := range samples(t) {
		t.Run(s.name, func(t *testing.T) {
			for orientation := range 9 {
				if s.noEXIF && orientation > 0 {
					break
				}
				var exif []byte
				if orientation > 0 {
					exif = exifSpec{order: binary.BigEndian, orientation: orientation}.encode()
				}
				p, err := Decoder{}.Decode(t.Context(), s.file(exif, orientation))
				if err != nil {
					t.Fatal(err)
				}
				checkPicture(t, p, s, orientation)
			}
		})
	}
}

func checkPicture(t *testing.T, p *appliance.Picture, s sample, orientation int) {
	t.Helper()
	checkPlanes(t, p)
	w, h := s.width, s.height
	if orientation >= 5 {
		w, h = h, w
	}
	if p.Width != w || p.Height != h || (len(p.Cb) == 0) != s.grey {
		t.Fatalf("orientation %d: %d x %d, %d chroma samples", orientation, p.Width, p.Height, len(p.Cb))
	}
	for y := range h {
		for x := range w {
			sx, sy := stored(orientation, x, y, s.width, s.height)
			if max(sx, 64)-min(sx, 63) < 8 || max(sy, 48)-min(sy, 47) < 8 {
				continue // the codecs blur the border between the quadrants
			}
			want := s.at(sx, sy)
			wy, wcb, wcr := color.RGBToYCbCr(want.R, want.G, want.B)
			i := y*p.ChromaHeight/h*p.ChromaWidth + x*p.ChromaWidth/w
			if apart(p.Y[y*w+x], wy) > s.tolerance || !s.grey && (apart(p.Cb[i], wcb) > s.tolerance || apart(p.Cr[i], wcr) > s.tolerance) {
				got := [3]byte{p.Y[y*w+x]}
				if !s.grey {
					got[1], got[2] = p.Cb[i], p.Cr[i]
				}
				t.Fatalf("orientation %d: (%d, %d) is %v, want %v", orientation, x, y, got, [3]byte{wy, wcb, wcr})
			}
		}
	}
}

func apart(a, b byte) int { return int(max(a, b)) - int(min(a, b)) }

// checkPlanes holds a picture to what its type promises.
func checkPlanes(t testing.TB, p *appliance.Picture) {
	t.Helper()
	if len(p.Y) != p.Width*p.Height || len(p.Cb) != len(p.Cr) || len(p.Cb) != p.ChromaWidth*p.ChromaHeight ||
		p.ChromaWidth > p.Width || p.ChromaHeight > p.Height {
		t.Fatalf("%d x %d with %d luma, chroma %d x %d with %d and %d", p.Width, p.Height, len(p.Y),
			p.ChromaWidth, p.ChromaHeight, len(p.Cb), len(p.Cr))
	}
}

// TestCaptureTime proves that the time of capture is there only when date and sub-second part both are, and sane.
func TestCaptureTime(t *testing.T) {
	at := time.Date(2026, 11, 20, 13, 5, 59, 120_000_000, time.UTC)
	tests := []struct {
		name                   string
		date, fraction, offset string
		want                   time.Time
	}{
		{"both", "2026:11:20 13:05:59", "12", "", at},
		{"padded", "2026:11:20 13:05:59", "12   ", "", at},
		{"three digits", "2026:11:20 13:05:59", "120", "", at},
		{"more than nanoseconds", "2026:11:20 13:05:59", "120000000999", "", at},
		{"one digit", "2026:11:20 13:05:59", "5", "", at.Add(380 * time.Millisecond)},
		{"leading zero", "2026:11:20 13:05:59", "012", "", at.Add(-108 * time.Millisecond)},
		{"with zone", "2026:11:20 15:05:59", "12", "+02:00", at},
		{"west", "2026:11:20 08:35:59", "12", "-04:30", at},
		{"bad zone", "2026:11:20 13:05:59", "12", "Cairo", at},
		{"no fraction", "2026:11:20 13:05:59", "", "", time.Time{}},
		{"no date", "", "12", "", time.Time{}},
		{"blank fraction", "2026:11:20 13:05:59", "   ", "", time.Time{}},
		{"fraction of letters", "2026:11:20 13:05:59", "1a", "", time.Time{}},
		{"negative fraction", "2026:11:20 13:05:59", "-1", "", time.Time{}},
		{"no such day", "2026:02:30 13:05:59", "12", "", time.Time{}},
		{"zeros", "0000:00:00 00:00:00", "00", "", time.Time{}},
		{"blank date", "    :  :     :  :  ", "12", "", time.Time{}},
		{"fraction in the date", "2026:11:20 13:05:59.5", "12", "", time.Time{}},
		{"before cameras", "1826:11:20 13:05:59", "12", "", time.Time{}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
				x := exifSpec{order: order, orientation: 1, date: tc.date, fraction: tc.fraction, offset: tc.offset}.encode()
				for name, file := range map[string][]byte{
					"jpeg": decodetest.ColourJPEG(0xc0, 2, 2, x).Encode(),
					"png":  pngFiles(t)[0].file(x, 0),
				} {
					p, err := Decoder{}.Decode(t.Context(), file)
					if err != nil {
						t.Fatal(err)
					}
					if !p.Taken.Equal(tc.want) || p.Taken.IsZero() != tc.want.IsZero() {
						t.Errorf("%s: taken %v, want %v", name, p.Taken, tc.want)
					}
				}
			}
		})
	}
}

// TestMalformedEXIFIsIgnored proves that no damage to an EXIF block costs the picture.
func TestMalformedEXIFIsIgnored(t *testing.T) {
	good := exifSpec{order: binary.LittleEndian, orientation: 6, date: "2026:11:20 13:05:59", fraction: "12"}.encode()
	blocks := [][]byte{{}, []byte("II"), []byte("not a tiff at all"), bytes.Repeat([]byte{0xff}, 64), append([]byte("II*\x00"), bytes.Repeat([]byte{0xff}, 400)...)}
	for n := range good {
		blocks = append(blocks, good[:n])
		for _, v := range []byte{0, 1, 0x7f, 0xff} {
			bad := bytes.Clone(good)
			bad[n] = v
			blocks = append(blocks, bad)
		}
	}
	self := bytes.Clone(good)
	binary.LittleEndian.PutUint32(self[8+2+12+8:], 8) // the EXIF directory is the first one again
	for _, b := range append(blocks, self) {
		p, err := Decoder{}.Decode(t.Context(), decodetest.ColourJPEG(0xc0, 2, 2, b).Encode())
		if err != nil {
			t.Fatalf("EXIF %x: %v", b, err)
		}
		checkPlanes(t, p)
	}
}

// TestForeignKindsAre5001 proves that kinds which are not read are named as such, whatever letters they begin with.
func TestForeignKindsAre5001(t *testing.T) {
	anim, err := os.ReadFile("testdata/anim.webp")
	if err != nil {
		t.Fatal(err)
	}
	lossy := fixture(t, "lossy.webp", 0).file(nil, 0)
	tiff := func(change func(*tiffSpec)) []byte {
		s := tiffSpec{order: binary.LittleEndian, bits: 8, samples: 1, photometric: 1, compression: 1, rows: 93, sample: func(int, int) []int { return []int{1} }}
		change(&s)
		return s.encode()
	}
	jpeg12 := decodetest.ColourJPEG(0xc1, 1, 1, nil).Encode()
	jpeg12[bytes.Index(jpeg12, []byte{0xff, 0xc1})+4] = 12
	tests := map[string][]byte{
		"nothing": nil, "one byte": {0xff}, "gif": []byte("GIF89a\x80\x00\x80\x00\x00\x00\x00"), "pdf": []byte("%PDF-1.7\n"),
		"heic": []byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00"), "svg": []byte("<svg width='100'/>"),
		"text": []byte("BM is how this text begins, and it goes on"), "riff": []byte("RIFF\x10\x00\x00\x00WAVEfmt \x10\x00\x00\x00"),
		"bigtiff": []byte("II+\x00\x08\x00\x00\x00"), "zeros": make([]byte, 1000),
		"animated webp": anim, "animation flag": webpWith(lossy, nil, 2, image.Pt(128, 96)),
		"arithmetic jpeg": decodetest.ColourJPEG(0xc9, 1, 1, nil).Encode(),
		"lossless jpeg":   decodetest.ColourJPEG(0xc3, 1, 1, nil).Encode(), "jpeg of 12 bits": jpeg12,
		"tiff of 32 bits":           tiff(func(s *tiffSpec) { s.bits = 32 }),
		"tiff with the old jpeg":    tiff(func(s *tiffSpec) { s.compression = 6 }),
		"tiff with jpeg of 16 bits": tiff(func(s *tiffSpec) { s.compression, s.bits = 7, 16 }),
		"tiff with jpeg of indexes": tiff(func(s *tiffSpec) { s.compression, s.photometric = 7, 3 }),
		"tiff in lab":               tiff(func(s *tiffSpec) { s.photometric = 8 }),
		"tiff float predictor":      tiff(func(s *tiffSpec) { s.predictor = 3 }),
		"bmp of os/2":               append([]byte("BM\x00\x00\x00\x00\x00\x00\x00\x00\x1a\x00\x00\x00\x0c\x00\x00\x00"), make([]byte, 100)...),
	}
	for name, b := range tests {
		t.Run(name, func(t *testing.T) { wantCode(t, Decoder{}, b, appliance.CodePictureKind) })
	}
}

func wantCode(t *testing.T, d Decoder, b []byte, want appliance.Code) {
	t.Helper()
	p, err := d.Decode(context.Background(), b)
	if err == nil {
		t.Fatalf("decoded %d x %d, want code %d", p.Width, p.Height, want)
	}
	if got := appliance.CodeOf(err); got != want {
		t.Errorf("code %d (%v), want %d", got, err, want)
	}
	if strings.Contains(err.Error(), errPanic.Error()) {
		t.Errorf("a decoder panicked: %v", err)
	}
}

// TestLimits proves that bytes, pixels and sides are held to the limits, the exact limit being allowed.
func TestLimits(t *testing.T) {
	b := decodetest.ColourJPEG(0xc0, 2, 2, nil).Encode()
	ok := Decoder{MaxBytes: len(b), MaxPixels: decodetest.Width * decodetest.Height, MinSide: decodetest.Height}
	if _, err := ok.Decode(t.Context(), b); err != nil {
		t.Errorf("at the limits: %v", err)
	}
	wantCode(t, Decoder{MaxBytes: len(b) - 1}, b, appliance.CodePictureBytes)
	wantCode(t, Decoder{MaxPixels: decodetest.Width*decodetest.Height - 1}, b, appliance.CodePicturePixels)
	wantCode(t, Decoder{MinSide: decodetest.Height + 1}, b, appliance.CodePictureTooThin)
	wantCode(t, Decoder{}, append(b, make([]byte, DefaultMaxBytes)...), appliance.CodePictureBytes)
	wantCode(t, Decoder{}, make([]byte, DefaultMaxBytes+1), appliance.CodePictureBytes) // as over HTTP, before the kind
}

// TestLargePicturesWaitForEachOther proves that a large picture is decoded only when a worker of its queue is free, whatever its kind,
// and a smaller one at once.
func TestLargePicturesWaitForEachOther(t *testing.T) {
	d := Decoder{Large: queue.New(1, 0)}
	large, small := encoded(t, 2000, 2000), encoded(t, 2000, 1999)
	err := d.Large.Do(t.Context(), func(ctx context.Context) error {
		for _, b := range large {
			wantCode(t, d, b, appliance.CodeUnavailable)
		}
		for _, b := range small {
			if _, err := d.Decode(ctx, b); err != nil {
				t.Error(err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range large {
		if p, err := d.Decode(t.Context(), b); err != nil || p.Width*p.Height != largePixels {
			t.Errorf("when its turn came: %v", err)
		}
	}
}

// TestWaitForLargePictures proves that a large picture whose turn does not come in time is told so, and one that itself takes too
// long is not.
func TestWaitForLargePictures(t *testing.T) {
	d := Decoder{Large: queue.New(1, 1)}
	large := encoded(t, 2000, 2000)[0]
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	err := d.Large.Do(t.Context(), func(context.Context) error {
		_, err := d.Decode(ctx, large)
		return err
	})
	if appliance.CodeOf(err) != appliance.CodeUnavailable {
		t.Errorf("one that waited: %v", err)
	}
	slow := passes(5000, 5000, 8)
	ctx, cancel = context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := d.Decode(ctx, slow); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("one that takes long: %v", err)
	}
}

// TestHugePicturesAreAlone proves that a picture of hugePixels is decoded only when no other task holds one, however far that task is
// with it, that one which takes as much memory to decode waits as well, and that others do not.
func TestHugePicturesAreAlone(t *testing.T) {
	d := Decoder{Large: queue.New(1, 0), Huge: queue.New(1, 0)}
	tasks := queue.New(2, 0)
	huge, large := encoded(t, 4000, 4000)[0], encoded(t, 4000, 3999)[0]
	var deep bytes.Buffer
	if err := png.Encode(&deep, image.NewNRGBA(image.Rect(0, 0, 4000, 2500))); err != nil {
		t.Fatal(err)
	}
	in := func(ctx context.Context, b []byte, then func()) error {
		return tasks.Do(ctx, func(ctx context.Context) error {
			_, err := d.Decode(ctx, b)
			if then != nil && err == nil {
				then()
			}
			return err
		})
	}
	err := in(t.Context(), huge, func() { // it is decoded and being read
		if err := in(t.Context(), huge, nil); appliance.CodeOf(err) != appliance.CodeUnavailable {
			t.Errorf("a second huge one: %v", err)
		}
		if err := in(t.Context(), deep.Bytes(), nil); appliance.CodeOf(err) != appliance.CodeUnavailable {
			t.Errorf("one that takes as much to decode: %v", err)
		}
		if err := in(t.Context(), large, nil); err != nil {
			t.Errorf("a smaller one: %v", err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	err = in(t.Context(), deep.Bytes(), func() { // what it took is free again
		if err := in(t.Context(), huge, nil); err != nil {
			t.Errorf("a huge one beside one that is being read: %v", err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := in(t.Context(), huge, nil); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// encoded is a grey picture as JPEG and as PNG.
func encoded(t *testing.T, width, height int) [][]byte {
	t.Helper()
	var asJPEG, asPNG bytes.Buffer
	m := image.NewGray(image.Rect(0, 0, width, height))
	if err := errors.Join(jpeg.Encode(&asJPEG, m, nil), png.Encode(&asPNG, m)); err != nil {
		t.Fatal(err)
	}
	return [][]byte{asJPEG.Bytes(), asPNG.Bytes()}
}

// TestDoneContextStopsDecoding proves that a done context ends the call with its own error, before or within decoding.
func TestDoneContextStopsDecoding(t *testing.T) {
	for _, s := range samples(t) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := (Decoder{}).Decode(ctx, s.file(nil, 0)); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", s.name, err)
		}
		h, err := must(parserOf(s.file(nil, 0)))(s.file(nil, 0))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.decode(ctx); err == nil {
			t.Errorf("%s: decoded although nobody waits", s.name)
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Property: a PNG that lacks the chunk that ends it, or a part of that chunk, is decoded; one that lacks pixels, or ends otherwise, is
// 5004.
func TestPNGWithoutEnd(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 90, 70))); err != nil {
		t.Fatal(err)
	}
	whole := b.Bytes()
	for less := 1; less <= len(pngEnd); less++ {
		if p, err := (Decoder{}).Decode(t.Context(), whole[:len(whole)-less]); err != nil || p.Width != 90 || p.Height != 70 {
			t.Errorf("without the last %d bytes: %v", less, err)
		}
	}
	for less := len(pngEnd) + 1; less < len(pngEnd)+20; less++ {
		wantCode(t, Decoder{}, whole[:len(whole)-less], appliance.CodePictureBroken)
	}
	wantCode(t, Decoder{}, append(whole[:len(whole)-len(pngEnd):len(whole)-len(pngEnd)], "another"...), appliance.CodePictureBroken)
}
