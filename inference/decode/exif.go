package decode

import (
	"bytes"
	"encoding/binary"
	"strings"
	"time"
)

// The tags that are read out of EXIF and TIFF directories.
const (
	tagOrientation      = 0x0112
	tagExifIFD          = 0x8769
	tagDateTimeOriginal = 0x9003
	tagOffsetOriginal   = 0x9011
	tagSubSecOriginal   = 0x9291
)

// tiffBytes is a TIFF structure: a TIFF file or the body of an EXIF block.
type tiffBytes struct {
	b     []byte
	order binary.ByteOrder
}

// entry is one directory entry. val holds the whole value and is nil when the entry points out of the file.
type entry struct {
	tag, typ uint16
	count    int
	val      []byte
	order    binary.ByteOrder
}

// openTIFF reads the 8-byte header and returns the place of the first directory.
func openTIFF(b []byte) (t tiffBytes, first int, ok bool) {
	if len(b) < 8 {
		return t, 0, false
	}
	switch string(b[:4]) {
	case "II*\x00":
		t.order = binary.LittleEndian
	case "MM\x00*":
		t.order = binary.BigEndian
	default:
		return t, 0, false
	}
	t.b = b
	return t, int(t.order.Uint32(b[4:])), true
}

// entries calls each for the entries of the directory at off, as far as they lie within the file, and tells
// whether all of them do. The work is bounded by the file's length: it follows no pointers to other directories.
func (t tiffBytes) entries(off int, each func(entry)) bool {
	if off < 0 || off+2 > len(t.b) {
		return false
	}
	n := int(t.order.Uint16(t.b[off:]))
	for i := range n {
		at := off + 2 + 12*i
		if at+12 > len(t.b) {
			return false
		}
		each(t.entry(t.b[at : at+12]))
	}
	return true
}

// next returns the place of the directory behind the one at off, 0 where there is none.
func (t tiffBytes) next(off int) (int, bool) {
	if off < 0 || off+2 > len(t.b) {
		return 0, false
	}
	at := off + 2 + 12*int(t.order.Uint16(t.b[off:]))
	if at+4 > len(t.b) {
		return 0, false
	}
	return int(t.order.Uint32(t.b[at:])), true
}

func (t tiffBytes) entry(b []byte) entry {
	e := entry{tag: t.order.Uint16(b), typ: t.order.Uint16(b[2:]), order: t.order}
	count := uint64(t.order.Uint32(b[4:]))
	size := count * uint64(e.width())
	if size == 0 || size > uint64(len(t.b)) {
		return e
	}
	e.count = int(count)
	if size <= 4 {
		e.val = b[8 : 8+size]
		return e
	}
	off := uint64(t.order.Uint32(b[8:]))
	if off+size <= uint64(len(t.b)) {
		e.val = t.b[off : off+size]
	}
	return e
}

// width is the number of bytes of one value of the entry's type; 0 for types that are not read.
func (e entry) width() int {
	switch e.typ {
	case 1, 2, 7: // BYTE, ASCII, UNDEFINED
		return 1
	case 3: // SHORT
		return 2
	case 4: // LONG
		return 4
	}
	return 0
}

// uint returns the i-th value of a BYTE, SHORT or LONG entry.
func (e entry) uint(i int) (int, bool) {
	if i >= e.count || e.val == nil {
		return 0, false
	}
	switch e.typ {
	case 1:
		return int(e.val[i]), true
	case 3:
		return int(e.order.Uint16(e.val[2*i:])), true
	case 4:
		return int(e.order.Uint32(e.val[4*i:])), true
	}
	return 0, false
}

// text returns an ASCII value up to its first NUL, without blanks around it.
func (e entry) text() string {
	if e.typ != 2 {
		return ""
	}
	s, _, _ := bytes.Cut(e.val, []byte{0})
	return strings.TrimSpace(string(s[:min(len(s), 64)]))
}

// exif is what this package reads out of an EXIF block.
type exif struct {
	orientation int // 1 to 8; 0 when absent or not sane
	taken       time.Time
}

// parseEXIF reads the body of an EXIF block, which is a TIFF structure, with or without the "Exif\0\0" before it.
// Malformed blocks give the zero exif or what could be read: a picture is not refused for its notes.
func parseEXIF(b []byte) exif {
	t, first, ok := openTIFF(bytes.TrimPrefix(b, []byte("Exif\x00\x00")))
	if !ok {
		return exif{}
	}
	return t.exif(first)
}

// exif reads the directory at off and the EXIF directory that it points to.
func (t tiffBytes) exif(off int) exif {
	var x exif
	sub := -1
	t.entries(off, func(e entry) {
		v, ok := e.uint(0)
		switch {
		case ok && e.tag == tagOrientation && v >= 1 && v <= 8:
			x.orientation = v
		case ok && e.tag == tagExifIFD:
			sub = v
		}
	})
	var date, fraction, zone string
	t.entries(sub, func(e entry) {
		switch e.tag {
		case tagDateTimeOriginal:
			date = e.text()
		case tagSubSecOriginal:
			fraction = e.text()
		case tagOffsetOriginal:
			zone = e.text()
		}
	})
	x.taken = captureTime(date, fraction, zone)
	return x
}

// captureTime joins DateTimeOriginal, SubSecTimeOriginal (the digits of a decimal fraction of a second) and
// OffsetTimeOriginal. It is zero unless date and fraction are both there and sane. Without a zone the time counts as
// UTC: only differences between pictures of one camera are taken from it.
func captureTime(date, fraction, zone string) time.Time {
	if fraction == "" || strings.Trim(fraction, "0123456789") != "" {
		return time.Time{}
	}
	t, err := time.Parse("2006:01:02 15:04:05", date)
	if err != nil || len(date) != 19 || t.Year() < 1970 {
		return time.Time{}
	}
	nanos := 0
	for i := range 9 {
		nanos *= 10
		if i < len(fraction) {
			nanos += int(fraction[i] - '0')
		}
	}
	t = t.Add(time.Duration(nanos))
	if z, err := time.Parse("-07:00", zone); err == nil {
		_, seconds := z.Zone()
		t = t.Add(-time.Duration(seconds) * time.Second)
	}
	return t
}
