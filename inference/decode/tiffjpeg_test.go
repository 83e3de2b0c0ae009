package decode

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"image/jpeg"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/decode/decodetest"
)

// jpegStrips is a TIFF whose strips are JPEG; each is one of the blocks, which are rows high.
func jpegStrips(photometric, samples, rows int, tables []byte, blocks ...[]byte) []byte {
	w := tiffWriter{order: binary.LittleEndian}
	var at, sizes []int
	for _, b := range blocks {
		at, sizes = append(at, 8+len(w.data)), append(sizes, len(b))
		w.data = append(w.data, b...)
	}
	w.short(tiffWidth, decodetest.Width)
	w.short(tiffLength, decodetest.Height)
	w.short(tiffBits, bytes2ints(bytes.Repeat([]byte{8}, samples))...)
	w.short(tiffCompression, tiffJPEG)
	w.short(tiffPhotometric, photometric)
	w.long(tiffStripOffsets, at...)
	w.short(tiffSamples, samples)
	w.short(tiffRowsPerStrip, rows)
	w.long(tiffStripCounts, sizes...)
	if tables != nil {
		w.add(tiffJPEGTables, 7, len(tables), tables)
	}
	if photometric == photoYCbCr {
		const subsampling, scanner = 530, 50_000 // entries that decide nothing here, as most writers have them
		w.short(subsampling, 1, 1)
		w.long(scanner, 7, 8)
	}
	return w.file()
}

func bytes2ints(b []byte) []int {
	out := make([]int, len(b))
	for i, v := range b {
		out[i] = int(v)
	}
	return out
}

// parted takes the tables out of a JPEG, as scanners write them once for all strips.
func parted(file []byte) (tables, block []byte) {
	tables, block = []byte{0xff, 0xd8}, []byte{0xff, 0xd8}
	at := 2
	for file[at+1] != 0xda {
		n := at + 2 + int(be16(file[at+2:]))
		if file[at+1] == 0xdb || file[at+1] == 0xc4 {
			tables = append(tables, file[at:n]...)
		} else {
			block = append(block, file[at:n]...)
		}
		at = n
	}
	return append(tables, 0xff, 0xd9), append(block, file[at:]...)
}

// strips encodes the test picture in strips, by the standard library's encoder.
func strips(t testing.TB, rows int) [][]byte {
	whole := painted(image.NewRGBA(image.Rect(0, 0, decodetest.Width, decodetest.Height)), decodetest.Quadrant)
	var out [][]byte
	for y := 0; y < decodetest.Height; y += rows {
		var b bytes.Buffer
		strip := whole.SubImage(image.Rect(0, y, decodetest.Width, min(y+rows, decodetest.Height)))
		if err := jpeg.Encode(&b, strip, &jpeg.Options{Quality: 100}); err != nil {
			t.Fatal(err)
		}
		out = append(out, b.Bytes())
	}
	return out
}

// Property: a TIFF with JPEG inside has the right colour at every pixel, whether its samples are RGB, colour differences, grey or
// inks, in one strip or several, with tables in each or once for all.
func TestTIFFWithJPEGInside(t *testing.T) {
	colours := func(at func(int) func(x, y int) byte) decodetest.JPEG {
		return decodetest.FineJPEG(-1, "\x01\x02\x03", at(0), at(1), at(2))
	}
	grey := decodetest.FineJPEG(-1, "\x01", decodetest.YCC(0))
	rgbTables, rgbBlock := parted(colours(decodetest.RGB).Encode())
	yccTables, yccBlock := parted(colours(decodetest.YCC).Encode())
	many := strips(t, 48)
	tables, first := parted(many[0])
	_, second := parted(many[1])
	for _, s := range []struct {
		name      string
		file      []byte
		grey      bool
		tolerance int
	}{
		{"rgb", jpegStrips(photoRGB, 3, decodetest.Height, rgbTables, rgbBlock), false, 3},
		{"colour differences", jpegStrips(photoYCbCr, 3, decodetest.Height, yccTables, yccBlock), false, 3},
		{"grey", jpegStrips(blackIsZero, 1, decodetest.Height, nil, grey.Encode()), true, 3},
		{"inks", jpegStrips(photoCMYK, 4, decodetest.Height, nil, decodetest.InkJPEG().Encode()), false, 3},
		{"subsampled", jpegStrips(photoYCbCr, 3, decodetest.Height, nil, decodetest.ColourJPEG(0xc0, 2, 2, nil).Encode()), false, 3},
		{"strips with tables", jpegStrips(photoYCbCr, 3, 48, nil, many...), false, 6},
		{"strips without tables", jpegStrips(photoYCbCr, 3, 48, tables, first, second), false, 6},
	} {
		p, err := Decoder{}.Decode(t.Context(), s.file)
		if err != nil {
			t.Errorf("%s: %v", s.name, err)
			continue
		}
		checkPicture(t, p, sample{
			name: s.name, at: decodetest.Quadrant, width: decodetest.Width, height: decodetest.Height, grey: s.grey, tolerance: s.tolerance,
		}, 0)
	}
}

// Property: blocks of JPEG that are damaged, of another size, of another kind than their page, or that overlap are 5004.
func TestTIFFWithDamagedJPEGIs5004(t *testing.T) {
	grey := decodetest.FineJPEG(-1, "\x01", decodetest.YCC(0)).Encode()
	many := strips(t, 48)
	tables, block := parted(many[0])
	noise := append([]byte{}, tables...)
	noise[0] = 0
	overlapping := jpegStrips(photoYCbCr, 3, 48, nil, many[0], many[0])
	at := int(binary.LittleEndian.Uint32(overlapping[4:]))
	for i := range int(binary.LittleEndian.Uint16(overlapping[at:])) {
		if e := overlapping[at+2+12*i:]; binary.LittleEndian.Uint16(e) == tiffStripCounts {
			sizes := overlapping[binary.LittleEndian.Uint32(e[8:]):]
			binary.LittleEndian.PutUint32(sizes, uint32(len(overlapping)-8))
		}
	}
	for name, file := range map[string][]byte{
		"cut":           jpegStrips(photoYCbCr, 3, 48, nil, many[0][:len(many[0])/2], many[1]),
		"no tables":     jpegStrips(photoYCbCr, 3, 48, nil, block, many[1]),
		"no JPEG":       jpegStrips(photoYCbCr, 3, 48, nil, []byte("GIF89a  "), many[1]),
		"empty":         jpegStrips(photoYCbCr, 3, 48, nil, []byte{}, many[1]),
		"too low":       jpegStrips(photoYCbCr, 3, decodetest.Height, nil, many[0]),
		"too high":      jpegStrips(photoYCbCr, 3, 40, nil, many[0], many[1], many[1]),
		"grey":          jpegStrips(photoYCbCr, 3, decodetest.Height, nil, grey),
		"coloured":      jpegStrips(blackIsZero, 1, 48, nil, many...),
		"tables unlike": jpegStrips(photoYCbCr, 3, 48, noise, many...),
		"long tables":   jpegStrips(photoYCbCr, 3, 48, append(make([]byte, maxTables), tables...), many...),
		"overlapping":   overlapping,
	} {
		t.Run(name, func(t *testing.T) { wantCode(t, Decoder{}, file, appliance.CodePictureBroken) })
	}
}

// Property: the passes of all blocks of a TIFF together are bounded as those of one JPEG are, and none begins for a caller who has gone.
func TestTIFFWithManyPassesIs5001(t *testing.T) {
	const width, rows = 4096, 256
	block := passes(width, rows, mostScans-2)
	file := func(blocks int) []byte {
		w := tiffWriter{order: binary.LittleEndian}
		var at, sizes []int
		for range blocks {
			at, sizes = append(at, 8+len(w.data)), append(sizes, len(block))
			w.data = append(w.data, block...)
		}
		w.short(tiffWidth, width)
		w.short(tiffLength, blocks*rows)
		w.short(tiffBits, 8)
		w.short(tiffCompression, tiffJPEG)
		w.short(tiffPhotometric, blackIsZero)
		w.long(tiffStripOffsets, at...)
		w.short(tiffSamples, 1)
		w.short(tiffRowsPerStrip, rows)
		w.long(tiffStripCounts, sizes...)
		return w.file()
	}
	if _, err := (Decoder{}).Decode(t.Context(), file(4)); err != nil {
		t.Errorf("as many passes as one picture may have: %v", err)
	}
	wantCode(t, Decoder{MaxPixels: 1 << 26}, file(30), appliance.CodePictureKind)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (Decoder{}).Decode(ctx, file(4)); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller who has gone: %v", err)
	}
}

// Property: a JPEG that lacks its end marker alone, or half of it, is decoded; one that lacks a byte of its coded data, or a whole scan
// of a progressive one, is 5004.
func TestJPEGWithoutEnd(t *testing.T) {
	progressive := fixture(t, "progressive.jpg", 4).file(nil, 0)
	scans := [][]byte{}
	for i := 2; i+4 < len(progressive); i++ {
		if progressive[i] == 0xff && progressive[i+1] == 0xda {
			scans = append(scans, progressive[:i])
		}
	}
	if len(scans) < 3 {
		t.Fatalf("%d scans", len(scans))
	}
	baseline := strips(t, decodetest.Height)[0]
	for name, b := range map[string][]byte{"baseline": baseline, "progressive": progressive} {
		want, err := Decoder{}.Decode(t.Context(), b)
		if err != nil {
			t.Fatal(err)
		}
		for _, less := range []int{1, 2} {
			got, err := Decoder{}.Decode(t.Context(), b[:len(b)-less])
			if err != nil || !bytes.Equal(got.Y, want.Y) {
				t.Errorf("%s without the last %d bytes: %v", name, less, err)
			}
		}
		for less := 4; less < 12; less++ {
			wantCode(t, Decoder{}, b[:len(b)-less], appliance.CodePictureBroken)
		}
	}
	for _, b := range scans[1:] {
		// Tables that stand before the next scan go with it.
		wantCode(t, Decoder{}, b, appliance.CodePictureBroken)
		wantCode(t, Decoder{}, b[:bytes.LastIndex(b, []byte{0xff, 0xc4})], appliance.CodePictureBroken)
	}
}

// A page whose one block is a large JPEG costs the block, its samples and the page together: one that would take more than a decoder may is
// too large, and says so.
func TestTIFFOfOneLargeJPEGIsBounded(t *testing.T) {
	file := func(width, height, photometric, samples int) []byte {
		block := passes(width, height, 1)
		w := tiffWriter{order: binary.LittleEndian, data: bytes.Clone(block)}
		w.long(tiffWidth, width)
		w.long(tiffLength, height)
		w.short(tiffBits, bytes2ints(bytes.Repeat([]byte{8}, samples))...)
		w.short(tiffCompression, tiffJPEG)
		w.short(tiffPhotometric, photometric)
		w.long(tiffStripOffsets, 8)
		w.short(tiffSamples, samples)
		w.long(tiffRowsPerStrip, height)
		w.long(tiffStripCounts, len(block))
		return w.file()
	}
	if _, err := (Decoder{}).Decode(t.Context(), file(2000, 2000, blackIsZero, 1)); err != nil {
		t.Errorf("4 million pixels: %v", err)
	}
	wantCode(t, Decoder{}, file(5000, 5000, photoRGB, 3), appliance.CodePicturePixels)
}
