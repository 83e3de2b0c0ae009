package decode

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
)

// headerOf reads the header of a page.
func headerOf(b []byte, page int) (header, error) {
	parse, err := parserOf(b)
	if err != nil {
		return header{}, err
	}
	if isTIFF(b) {
		return parseTIFFPage(b, page)
	}
	h, err := parse(b)
	if err == nil && page > 1 {
		err = NoPage(1)
	}
	return h, err
}

// Known reports whether the first bytes are those of a kind that is decoded.
func Known(b []byte) bool {
	_, err := parserOf(b)
	return err == nil
}

func isTIFF(b []byte) bool {
	return bytes.HasPrefix(b, []byte("II*\x00")) || bytes.HasPrefix(b, []byte("MM\x00*"))
}

// parserOf recognises the kind of a file by its first bytes and returns the parser of that kind's header, or the
// error 5001, which names the kind where it is a known one.
func parserOf(b []byte) (func([]byte) (header, error), error) {
	switch {
	case bytes.HasPrefix(b, []byte("\xff\xd8\xff")):
		return parseJPEG, nil
	case bytes.HasPrefix(b, []byte(pngSignature)):
		return parsePNG, nil
	case isRIFF(b, "WEBP"):
		return parseWebP, nil
	case isBMP(b):
		return parseBMP, nil
	case isTIFF(b):
		return parseTIFF, nil
	}
	return nil, Unsupported(errors.New("no known signature"), foreignKind(b))
}

func isRIFF(b []byte, form string) bool {
	return len(b) >= 12 && string(b[:4]) == "RIFF" && string(b[8:12]) == form
}

// isBMP wants, beyond the two letters with which a text may begin, a header length that exists.
func isBMP(b []byte) bool {
	if len(b) < 18 || string(b[:2]) != "BM" {
		return false
	}
	switch binary.LittleEndian.Uint32(b[14:]) {
	case 12, 16, 40, 52, 56, 64, 108, 124:
		return true
	}
	return false
}

// foreignKind names what was sent instead of a supported picture, for the message to the caller.
func foreignKind(b []byte) string {
	trimmed := bytes.TrimLeft(b[:min(len(b), 1024)], "\ufeff \t\r\n")
	switch {
	case len(b) == 0:
		return "empty"
	case bytes.HasPrefix(b, []byte("GIF8")):
		return "a GIF"
	case bytes.HasPrefix(b, []byte("%PDF-")):
		return "a PDF"
	case bytes.HasPrefix(b, []byte("8BPS")):
		return "a Photoshop file"
	case bytes.HasPrefix(b, []byte("II+\x00")), bytes.HasPrefix(b, []byte("MM\x00+")):
		return "a BigTIFF"
	case bytes.HasPrefix(b, []byte("\x00\x00\x00\x0cjP  ")), bytes.HasPrefix(b, []byte("\xff\x4f\xff\x51")):
		return "a JPEG 2000"
	case len(b) >= 12 && string(b[4:8]) == "ftyp":
		return mediaKind(b)
	case bytes.HasPrefix(trimmed, []byte("<")):
		return "an SVG or another text"
	}
	return "of an unknown kind"
}

// mediaKind names a file of the ISO base media format by its brands.
func mediaKind(b []byte) string {
	brands := b[8:min(len(b), 64)]
	if n := int(binary.BigEndian.Uint32(b)); n >= 12 && n < len(b) {
		brands = b[8:min(n, 64)]
	}
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return bytes.Contains(brands, []byte(name)) })
	}
	switch {
	case has("avif", "avis"):
		return "an AVIF picture"
	case has("heic", "heix", "heim", "heis", "hevc", "hevx"):
		return "an HEIC picture (set the phone's camera to its most compatible format, or share the picture as JPEG)"
	}
	return "a video or another file of its kind"
}
