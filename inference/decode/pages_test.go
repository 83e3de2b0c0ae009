package decode

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
)

// TestTIFFPages proves that each page of a TIFF is found by its number, that one which is not there is the caller's mistake, a chain that
// leaves the file is damage, and one that comes round again has ended.
func TestTIFFPages(t *testing.T) {
	le := binary.LittleEndian
	spec := tiffSpec{
		order:       le,
		bits:        8,
		samples:     1,
		photometric: 1,
		compression: 1,
		rows:        93,
		sample:      func(int, int) []int { return []int{7} },
	}
	page := spec.encode()
	directory := int(le.Uint32(page[4:]))
	link := directory + 2 + 12*int(le.Uint16(page[directory:]))
	second := bytes.Clone(page[directory : link+4])
	for i := 2; i < link-directory; i += 12 { // the second page is lower
		if le.Uint16(second[i:]) == tiffLength {
			le.PutUint16(second[i+2:], 4)
			le.PutUint32(second[i+8:], 64)
		}
	}
	file := append(bytes.Clone(page), make([]byte, len(page)&1)...)
	le.PutUint32(file[link:], uint32(len(file)))
	file = append(file, second...)
	first, err := (Decoder{}).Decode(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	if p, err := (Decoder{}).DecodePage(t.Context(), file, 2); err != nil || p.Height != 64 || first.Height == 64 {
		t.Errorf("page 2: %v, %v, the first is %d high", p, err, first.Height)
	}
	ends := func(name string, b []byte, page int, code appliance.Code) {
		if _, err := (Decoder{}).DecodePage(t.Context(), b, page); appliance.CodeOf(err) != code {
			t.Errorf("%s: %v", name, err)
		}
	}
	ends("page 3", file, 3, appliance.CodeBadRequest)
	out := bytes.Clone(file)
	le.PutUint32(out[link:], 1<<30)
	ends("out of the file", out, 2, appliance.CodePictureBroken)
	round := bytes.Clone(file)
	le.PutUint32(round[link:], uint32(directory))
	ends("round", round, 2, appliance.CodeBadRequest)
	ends("round, far", round, maxPages+1, appliance.CodeBadRequest)
	for _, s := range samples(t) {
		if kind, _, _ := strings.Cut(s.name, "/"); kind != "file" && kind != "tiff" {
			ends(s.name, s.file(nil, 0), 2, appliance.CodeBadRequest)
		}
	}
}

// TestForeignKindsAreNamed proves that what a phone stores by itself is told by name, with what to send.
func TestForeignKindsAreNamed(t *testing.T) {
	for brands, want := range map[string]string{
		"heic\x00\x00\x00\x00mif1heic": "HEIC",
		"mif1\x00\x00\x00\x00mif1heic": "HEIC",
		"avif\x00\x00\x00\x00avifmif1": "AVIF",
		"isom\x00\x00\x00\x00isommp41": "video",
	} {
		b := append(binary.BigEndian.AppendUint32(nil, uint32(8+len(brands))), "ftyp"+brands...)
		_, err := (Decoder{}).Decode(t.Context(), append(b, make([]byte, 64)...))
		if appliance.CodeOf(err) != appliance.CodePictureKind || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "send a JPEG") {
			t.Errorf("%q: %v", brands, err)
		}
	}
}
