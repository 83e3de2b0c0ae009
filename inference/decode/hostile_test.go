package decode

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/decode/decodetest"
)

// allocated returns the bytes that f allocates.
func allocated(f func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// resized writes another size into the header of a file of the kind that name begins with.
func resized(t testing.TB, name string, b []byte, w, h int) []byte {
	t.Helper()
	b = bytes.Clone(b)
	kind, _, _ := strings.Cut(name, "/")
	switch kind {
	case "jpeg":
		for _, sof := range []byte{0xc0, 0xc1, 0xc2} {
			if i := bytes.Index(b, []byte{0xff, sof}); i > 0 {
				binary.BigEndian.PutUint16(b[i+5:], uint16(h))
				binary.BigEndian.PutUint16(b[i+7:], uint16(w))
			}
		}
	case "png":
		return pngResized(b, w, h)
	case "bmp":
		binary.LittleEndian.PutUint32(b[18:], uint32(w))
		binary.LittleEndian.PutUint32(b[22:], uint32(h))
	case "tiff":
		order := binary.ByteOrder(binary.LittleEndian)
		if b[0] == 'M' {
			order = binary.BigEndian
		}
		at := order.Uint32(b[4:])
		b = b[:len(b):len(b)]
		for i, v := range []int{w, h} { // both are the first entries; written as LONG
			e := b[int(at)+2+12*i:]
			order.PutUint16(e[2:], 4)
			order.PutUint32(e[8:], uint32(v))
		}
	case "webp":
		webpResize(b, min(w, 1<<14-1), min(h, 1<<14-1))
	default:
		t.Fatalf("kind %q", kind)
	}
	return b
}

// TestBombsAreRefusedFromTheHeader proves that a header that promises too many pixels is answered 5003 without memory
// for them, in every format.
func TestBombsAreRefusedFromTheHeader(t *testing.T) {
	for _, s := range samples(t) {
		if kind, _, _ := strings.Cut(s.name, "/"); kind == "file" {
			continue
		}
		b := resized(t, s.name, s.file(nil, 0), 60000, 60000)
		if used := allocated(func() { wantCode(t, Decoder{}, b, appliance.CodePicturePixels) }); used > 64<<10 {
			t.Errorf("%s: %d bytes allocated", s.name, used)
		}
	}
}

// TestLongPicturesAre5003 proves that a side over the most that the appliance takes is answered as such in every format, and the most itself
// is not: OpenCV ends the process where it is given more than it can count. WebP has no such sides, but its largest picture is too large,
// wherever its header says so and whatever else is wrong with the file.
func TestLongPicturesAre5003(t *testing.T) {
	for _, s := range samples(t) {
		if kind, _, _ := strings.Cut(s.name, "/"); kind == "file" || kind == "webp" {
			continue
		}
		b := s.file(nil, 0)
		wantCode(t, Decoder{}, resized(t, s.name, b, MaxSide+1, 64), appliance.CodePicturePixels)
		wantCode(t, Decoder{}, resized(t, s.name, b, 64, MaxSide+1), appliance.CodePicturePixels)
		wantCode(t, Decoder{}, resized(t, s.name, b, 64, MaxSide), appliance.CodePictureBroken)
	}
	for _, s := range webpFiles(t) {
		b := resized(t, s.name, s.file(nil, 0), 16383, 16383)
		wantCode(t, Decoder{}, b[:30], appliance.CodePicturePixels)
		extended := slices.Concat(b[:12], []byte("VP8X\x0a\x00\x00\x00\x00\x00\x00\x00\xfe\x3f\x00\xfe\x3f\x00"), s.file(nil, 0)[12:])
		wantCode(t, Decoder{}, extended, appliance.CodePicturePixels)
	}
}

// TestLyingHeadersCostNoMemory proves that a header which promises more pixels, within the limits, than its file can
// hold is refused without memory for them. WebP is left out: a flat one may take no bits a pixel at all.
func TestLyingHeadersCostNoMemory(t *testing.T) {
	for _, s := range samples(t) {
		kind, _, _ := strings.Cut(s.name, "/")
		if kind == "file" || kind == "webp" {
			continue
		}
		b := resized(t, s.name, s.file(nil, 0), 5000, 4999)
		if used := allocated(func() { wantCode(t, Decoder{}, b, appliance.CodePictureBroken) }); used > 256<<10 {
			t.Errorf("%s: %d bytes allocated", s.name, used)
		}
	}
}

// TestThinPicturesAre5005 proves that a side under the least one is answered as such in every format.
func TestThinPicturesAre5005(t *testing.T) {
	for _, s := range samples(t) {
		if kind, _, _ := strings.Cut(s.name, "/"); kind == "file" {
			continue
		}
		wantCode(t, Decoder{}, resized(t, s.name, s.file(nil, 0), 63, 500), appliance.CodePictureTooThin)
		wantCode(t, Decoder{}, resized(t, s.name, s.file(nil, 0), 500, 63), appliance.CodePictureTooThin)
	}
}

// TestTruncatedFilesAre5004 proves that a file cut anywhere behind its signature is damaged, or still the same picture
// where only notes behind the pixels are lost, and that garbage behind the end does no harm.
func TestTruncatedFilesAre5004(t *testing.T) {
	for _, s := range samples(t) {
		t.Run(s.name, func(t *testing.T) {
			b := s.file(nil, 0)
			refused := 0
			for i := 1; i < 50; i++ {
				n := len(b) * i / 50
				if n < 18 {
					continue
				}
				if p, err := (Decoder{}).Decode(t.Context(), b[:n]); err == nil {
					checkPicture(t, p, s, 0)
					continue
				}
				wantCode(t, Decoder{}, b[:n], appliance.CodePictureBroken)
				refused++
			}
			if refused < 30 {
				t.Errorf("only %d cuts were noticed", refused)
			}
			if _, err := (Decoder{}).Decode(t.Context(), append(bytes.Clone(b), "garbage\xff\xda\xff\xd9"...)); err != nil {
				t.Errorf("garbage behind the end: %v", err)
			}
		})
	}
}

// TestCompressedChunksAreNotInflated proves that text and colour profiles in a PNG are never decompressed.
func TestCompressedChunksAreNotInflated(t *testing.T) {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	z.Write(make([]byte, 200<<20))
	z.Close()
	for _, typ := range []string{"zTXt", "iCCP", "iTXt"} {
		b := pngWith(pngFiles(t)[0].file(nil, 0), typ, append([]byte("name\x00\x00"), packed.Bytes()...))
		used := allocated(func() {
			if _, err := (Decoder{}).Decode(t.Context(), b); err != nil {
				t.Error(err)
			}
		})
		if used > 2<<20 {
			t.Errorf("%s: %d bytes allocated", typ, used)
		}
	}
}

// mostScans is how many scans a JPEG may have.
const mostScans = 100

// TestPasses proves that a JPEG cannot ask for a whole pass over the picture with each few bytes.
func TestPasses(t *testing.T) {
	b := decodetest.ColourJPEG(0xc2, 1, 1, nil).Encode()
	sos := bytes.Index(b, []byte{0xff, 0xda})
	scan := bytes.Clone(b[sos : len(b)-2])
	many := bytes.Clone(b[:len(b)-2])
	for range mostScans {
		many = append(many, scan...)
	}
	wantCode(t, Decoder{}, append(many, 0xff, 0xd9), appliance.CodePictureKind)
	wantCode(t, Decoder{}, passes(5000, 5000, 40), appliance.CodePictureKind)
	if _, err := (Decoder{}).Decode(t.Context(), passes(1000, 1000, 40)); err != nil {
		t.Errorf("a small picture of 40 passes: %v", err)
	}
}

// TestGoneWithinPasses proves that nothing is decoded on for a caller who goes while a JPEG of many passes is decoded.
func TestGoneWithinPasses(t *testing.T) {
	b := passes(5000, 5000, 20)
	decode := func(ctx context.Context) (time.Duration, error) {
		began := time.Now()
		_, err := (Decoder{}).Decode(ctx, b)
		return time.Since(began), err
	}
	whole, err := decode(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), whole/5)
	defer cancel()
	if took, err := decode(ctx); !errors.Is(err, context.DeadlineExceeded) || took > whole*7/10 {
		t.Errorf("%v after %v, the whole takes %v", err, took, whole)
	}
}

// passes is a grey progressive JPEG whose first scan is followed by n passes over the whole picture that change nothing. Each pass is
// a hundred bytes at most: runs of 32,767 blocks without a bit.
func passes(width, height, n int) []byte {
	blocks := ((width + 7) / 8) * ((height + 7) / 8)
	b := []byte{0xff, 0xd8, 0xff, 0xdb, 0, 67, 0}
	b = append(b, bytes.Repeat([]byte{1}, 64)...)
	b = append(b, 0xff, 0xc2, 0, 11, 8, byte(height>>8), byte(height), byte(width>>8), byte(width), 1, 1, 0x11, 0)
	huffman := func(class, symbol byte) { // a table with one code of one bit, 0
		b = append(b, 0xff, 0xc4, 0, 20, class)
		b = append(b, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, symbol)
	}
	huffman(0, 0)
	huffman(0x10, 0xe0) // a run of 2^14 blocks and 14 more bits
	b = append(b, 0xff, 0xda, 0, 8, 1, 1, 0, 0, 0, 0)
	b = append(b, make([]byte, (blocks+7)/8)...)
	for range n {
		b = append(b, 0xff, 0xda, 0, 8, 1, 1, 0, 1, 63, 0)
		for left := blocks; left > 0; left -= 1 << 14 { // 15 bits: the code and a length of 2^14 + 0
			b = append(b, 0, 0)
		}
	}
	return append(b, 0xff, 0xd9)
}

// TestTIFFBlocksAreBounded proves that a TIFF cannot multiply work by overlapping, tiny or oversized blocks, nor point
// out of its file.
func TestTIFFBlocksAreBounded(t *testing.T) {
	base := tiffSpec{
		order: binary.LittleEndian, bits: 8, samples: 1, photometric: 1, compression: 8, rows: 93,
		sample: func(int, int) []int { return []int{7} },
	}
	change := func(tag, typ uint16, count, value int) []byte {
		b := base.encode()
		at := int(binary.LittleEndian.Uint32(b[4:]))
		for i := range int(binary.LittleEndian.Uint16(b[at:])) {
			if e := b[at+2+12*i:]; binary.LittleEndian.Uint16(e) == tag {
				binary.LittleEndian.PutUint16(e[2:], typ)
				binary.LittleEndian.PutUint32(e[4:], uint32(count))
				binary.LittleEndian.PutUint32(e[8:], uint32(value))
			}
		}
		return b
	}
	tests := map[string][]byte{
		"strip beyond the file":   change(tiffStripOffsets, 4, 1, 1<<31),
		"count beyond the file":   change(tiffStripCounts, 4, 1, 1<<31),
		"count beyond 4 GB":       change(tiffStripCounts, 4, 1<<31, 8),
		"offset of another type":  change(tiffStripOffsets, 2, 1, 8),
		"no offset":               change(tiffStripOffsets, 4, 0, 8),
		"one row a strip":         change(tiffRowsPerStrip, 4, 1, 1),
		"fewer samples than said": change(tiffPhotometric, 3, 1, photoRGB),
		"palette without map":     change(tiffPhotometric, 3, 1, photoColors),
	}
	base.rows = 1 << 16
	tests["a strip of all rows"] = resized(t, "tiff/", base.encode(), 5000, 4999)
	base.rows, base.tile = 0, 2048
	tests["mostly padding"] = base.encode()
	tests["forty thousand blocks"] = manyBlocks()
	base.tile = 1024
	tests["huge tile"] = change(tiffTileWidth, 4, 1, 1<<20)
	base.tile = 8
	tests["tile of one sample"] = change(tiffTileWidth, 4, 1, 1)
	for name, b := range tests {
		t.Run(name, func(t *testing.T) {
			if used := allocated(func() { wantCode(t, Decoder{}, b, appliance.CodePictureBroken) }); used > 4<<20 {
				t.Errorf("%d bytes allocated", used)
			}
		})
	}
}

// manyBlocks is a TIFF of 200 x 200 tiles of one sample, all stored in the same place.
func manyBlocks() []byte {
	w := tiffWriter{order: binary.LittleEndian, data: make([]byte, 16)}
	for tag, v := range map[uint16]int{
		tiffWidth: 200, tiffLength: 200, tiffBits: 8, tiffCompression: 1,
		tiffPhotometric: 1, tiffSamples: 1, tiffTileWidth: 1, tiffTileLength: 1,
	} {
		w.short(tag, v)
	}
	w.long(tiffTileOffsets, slices.Repeat([]int{8}, 200*200)...)
	w.long(tiffTileCounts, slices.Repeat([]int{1}, 200*200)...)
	return w.file()
}

// TestWebPSizesAgree proves that a canvas of another size than its frame and a file shorter than its own header says are
// refused without memory for the canvas.
func TestWebPSizesAgree(t *testing.T) {
	alpha := fixture(t, "alpha.webp", 0).file(nil, 0)
	canvas := bytes.Clone(alpha)
	copy(canvas[24:], []byte{0x87, 0x13, 0, 0x87, 0x13, 0}) // 5000 x 5000
	whole := webpWith(fixture(t, "lossy.webp", 0).file(nil, 0), exifSpec{order: binary.BigEndian, orientation: 6}.encode(), 8, image.Pt(128, 96))
	for name, b := range map[string][]byte{"canvas": canvas, "cut within the EXIF block": whole[:len(whole)-9]} {
		if used := allocated(func() { wantCode(t, Decoder{}, b, appliance.CodePictureBroken) }); used > 64<<10 {
			t.Errorf("%s: %d bytes allocated", name, used)
		}
	}
}

// memoryBound is what one Decode may allocate in all, by the promise of Decoder: planes, working memory, and what does
// not grow with the picture.
func memoryBound(file, pixels int) int { return 3*file + 15*pixels + 1<<20 }

// FuzzDecode proves that no bytes make the decoder panic, take memory beyond its promise, return a picture whose planes
// do not fit its sizes, or fail without a picture code.
func FuzzDecode(f *testing.F) {
	for _, s := range samples(f) {
		f.Add(s.file(nil, 0))
		f.Add(s.file(exifSpec{order: binary.LittleEndian, orientation: 6, date: "2026:11:20 13:05:59", fraction: "12"}.encode(), 6))
	}
	r := rand.New(rand.NewPCG(7, 7))
	for _, s := range samples(f) {
		for range 3 {
			b := bytes.Clone(s.file(nil, 0))
			for range 1 + r.IntN(8) {
				b[r.IntN(min(len(b), 400))] = byte(r.IntN(256))
			}
			f.Add(b)
		}
	}
	for _, s := range samples(f) {
		if kind, _, _ := strings.Cut(s.name, "/"); kind != "file" {
			f.Add(resized(f, s.name, s.file(nil, 0), 8, MaxSide+1))
		}
	}
	const maxPixels = 1 << 18
	d := Decoder{MaxPixels: maxPixels, MinSide: 1}
	f.Fuzz(func(t *testing.T, b []byte) {
		var p *appliance.Picture
		var err error
		used := allocated(func() { p, err = d.Decode(context.Background(), b) })
		if bound := memoryBound(len(b), maxPixels); used > bound {
			t.Errorf("%d bytes allocated, at most %d allowed", used, bound)
		}
		if err == nil {
			checkPlanes(t, p)
			if p.Width*p.Height > maxPixels || p.Width < 1 || max(p.Width, p.Height) > MaxSide {
				t.Errorf("decoded %d x %d", p.Width, p.Height)
			}
			return
		}
		var known *appliance.Error
		if !errors.As(err, &known) || known.Code < 5001 || known.Code > 5005 {
			t.Errorf("error without a picture code: %v", err)
		}
		if errors.Is(err, errPanic) {
			t.Errorf("a decoder panicked: %v", err)
		}
	})
}

// pngResized writes another size into IHDR and makes its check sum right.
func pngResized(b []byte, w, h int) []byte {
	ihdr := bytes.Clone(b[16:29])
	binary.BigEndian.PutUint32(ihdr, uint32(w))
	binary.BigEndian.PutUint32(ihdr[4:], uint32(h))
	whole := pngWith(b, "IHDR", ihdr)
	return append(whole[:8:8], whole[8+25:]...)
}

// webpResize writes another size into the canvas, if there is one, and the frame.
func webpResize(b []byte, w, h int) {
	if bytes.HasPrefix(b[12:], []byte("VP8X")) {
		copy(b[24:], []byte{byte(w - 1), byte((w - 1) >> 8), 0, byte(h - 1), byte((h - 1) >> 8), 0})
	}
	if i := bytes.Index(b, []byte("VP8L")); i > 0 {
		binary.LittleEndian.PutUint32(b[i+9:], uint32(w-1)|uint32(h-1)<<14)
	}
	if i := bytes.Index(b, []byte("VP8 ")); i > 0 {
		binary.LittleEndian.PutUint16(b[i+14:], uint16(w))
		binary.LittleEndian.PutUint16(b[i+16:], uint16(h))
	}
}

// TestDearPicturesAre5003 proves that a picture whose decoder would hold more than the bound is refused before it begins, and the same kind
// with fewer pixels or subsampled colour is not.
func TestDearPicturesAre5003(t *testing.T) {
	jpegFile := func(marker, sampling byte, w, h int) []byte {
		b := []byte{0xff, 0xd8, 0xff, marker, 0, 17, 8, byte(h >> 8), byte(h), byte(w >> 8), byte(w), 3, 1, sampling, 0, 2, 0x11, 0, 3, 0x11, 0}
		b = append(b, 0xff, 0xda, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0)
		return append(b, make([]byte, w*h/64)...)
	}
	pngFile := func(depth, kind byte, w, h int) []byte {
		chunk := func(typ string, data []byte) []byte {
			b := append(binary.BigEndian.AppendUint32(nil, uint32(len(data))), typ...)
			b = append(b, data...)
			return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
		}
		head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(w)), uint32(h))
		return slices.Concat([]byte(pngSignature), chunk("IHDR", append(head, depth, kind, 0, 0, 0)), chunk("IDAT", make([]byte, 8*w*h/maxDeflate+1)))
	}
	for _, test := range []struct {
		name string
		file []byte
		code appliance.Code
	}{
		{"progressive JPEG, fine colour, 25 MP", jpegFile(0xc2, 0x11, 5000, 5000), appliance.CodePictureBroken},
		{"progressive JPEG, fine colour, 12 MP", jpegFile(0xc2, 0x11, 4000, 3000), appliance.CodePictureBroken},
		{"progressive JPEG, coarse colour, 25 MP", jpegFile(0xc2, 0x22, 5000, 5000), appliance.CodePictureBroken},
		{"baseline JPEG, fine colour, 25 MP", jpegFile(0xc0, 0x11, 5000, 5000), appliance.CodePictureBroken},
		{"PNG, 16 bits with alpha, 25 MP", pngFile(16, 6, 5000, 5000), appliance.CodePicturePixels},
		{"PNG, 8 bits with alpha, 25 MP", pngFile(8, 6, 5000, 5000), appliance.CodePictureBroken},
		{"PNG, 16 bits of grey, 25 MP", pngFile(16, 0, 5000, 5000), appliance.CodePictureBroken},
	} {
		t.Run(test.name, func(t *testing.T) { wantCode(t, Decoder{}, test.file, test.code) })
	}
}

// TestLargePicturesHaveCoarseColour proves that colour planes of a large picture are halved by means, rims included, and small ones kept.
func TestLargePicturesHaveCoarseColour(t *testing.T) {
	p := newPicture(3, 3, false)
	copy(p.Cb, []byte{0, 4, 10, 8, 12, 20, 1, 3, 7})
	if halveChroma(p); p.ChromaWidth != 3 {
		t.Errorf("a picture of %d pixels lost colour", 9)
	}
	if got, want := halved(p.Cb, 3, 3), []byte{6, 15, 2, 7}; !slices.Equal(got, want) {
		t.Errorf("got %d, want %d", got, want)
	}
	p = newPicture(4001, 2001, false)
	if halveChroma(p); p.ChromaWidth != 2001 || p.ChromaHeight != 1001 || len(p.Cr) != 2001*1001 {
		t.Errorf("colour planes of %d x %d, %d bytes", p.ChromaWidth, p.ChromaHeight, len(p.Cr))
	}
}

// A large picture of rows gets the same colour planes as one whose planes are halved afterwards, and never has those of full size.
func TestLargeRowsAreHalvedAtOnce(t *testing.T) {
	const w, h = 4001, 2001
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	r := rand.New(rand.NewPCG(1, 2))
	for i := range m.Pix {
		m.Pix[i] = byte(r.Uint32())
	}
	want := newSink(w, h, false)
	row, _ := rowReader(m)
	for y := range h {
		row(want, y*w, y, w)
	}
	halveChroma(want.p)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got, err := pictureOf(t.Context(), m, false)
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if !bytes.Equal(want.p.Y, got.Y) || !bytes.Equal(want.p.Cb, got.Cb) || !bytes.Equal(want.p.Cr, got.Cr) || got.ChromaWidth != 2001 {
		t.Error("the planes differ")
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > w*h*8/5 {
		t.Errorf("it took %d bytes for %d pixels", took, w*h)
	}
}

// fineJPEG is a JPEG of one grey whose colour planes are as large as its luma: two bits a block, the codes of no difference and of an end.
func fineJPEG(side int) []byte {
	b := []byte{0xff, 0xd8, 0xff, 0xdb, 0, 67, 0}
	b = append(b, bytes.Repeat([]byte{1}, 64)...)
	b = append(b, 0xff, 0xc0, 0, 17, 8, byte(side>>8), byte(side), byte(side>>8), byte(side), 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0)
	for _, class := range []byte{0, 0x10} { // a table with one code of one bit, 0
		b = append(b, 0xff, 0xc4, 0, 20, class, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	}
	b = append(b, 0xff, 0xda, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0)
	blocks := 3 * ((side + 7) / 8) * ((side + 7) / 8)
	return append(append(b, make([]byte, (2*blocks+7)/8)...), 0xff, 0xd9)
}

// A large JPEG with fine colour keeps no more memory than its halved planes take, whatever it was decoded into.
func TestLargeColourIsLetGo(t *testing.T) {
	const side = 4000
	held := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	file := fineJPEG(side)
	before := held()
	p, err := Decoder{}.Decode(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	if took := held() - before; took > side*side*7/4 {
		t.Errorf("%d bytes are held for %d pixels", took, side*side)
	}
	runtime.KeepAlive(p)
	runtime.KeepAlive(file)
}
