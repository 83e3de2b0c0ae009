package wire

import (
	"bytes"
	"errors"
	"strings"
)

// Why a base64 text is refused.
var (
	errBase64Empty  = errors.New("is empty or blank: send the base64 text of a picture")
	errBase64Prefix = errors.New("has a data: prefix that is not data:TYPE;base64,")
	errBase64Mixed  = errors.New("mixes the standard and the URL alphabet of base64: use one of them")
	errBase64Char   = errors.New("holds a character that is not base64")
	errBase64Pad    = errors.New("has base64 padding in a wrong place or of a wrong length")
	errBase64Cut    = errors.New("is not complete base64: the end is missing")
	errBase64Long   = errors.New("is larger than the limit")
)

// base64Place is errBase64Char with the position of the character, counted from 1.
type base64Place struct{ at int }

// Error implements error.
func (p *base64Place) Error() string { return errBase64Char.Error() }

// Unwrap returns errBase64Char.
func (p *base64Place) Unwrap() error { return errBase64Char }

// Classes of characters above the 64 digits in base64Class.
const (
	classBlank   = 64
	classPad     = 65
	classGarbage = 255
)

// base64Class maps a character to its digit in either alphabet, or to its class.
var base64Class = func() (t [256]byte) {
	for i := range t {
		t[i] = classGarbage
	}
	for i, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") {
		t[c] = byte(i)
	}
	t['-'], t['_'] = 62, 63
	t[' '], t['\t'], t['\r'], t['\n'] = classBlank, classBlank, classBlank, classBlank
	t['='] = classPad
	return t
}()

// maxDataPrefix bounds the data: prefix in bytes.
const maxDataPrefix = 256

// decodeBase64 decodes a picture: either alphabet (not both), with or without padding, with or without a
// data:TYPE;base64, prefix of any media type, blanks and line breaks skipped. Everything else is strict, down to the unused bits
// of the last digit. A text of more than limit bytes is read to its end, so that a wrong one is called wrong, but not
// kept; the error is errBase64Long. What is decoded takes the place of the text, which is longer, and is not more than the
// decoder has read.
func decodeBase64(text []byte, limit int) ([]byte, error) {
	src, err := withoutPrefix(bytes.TrimLeft(text, " \t\r\n"))
	if err != nil {
		return nil, err
	}
	if bytes.ContainsAny(src, "+/") && bytes.ContainsAny(src, "-_") {
		return nil, errBase64Mixed
	}
	d := base64Decoder{out: src[:0], limit: limit}
	for i := 0; i < len(src); {
		if d.have == 0 && i+4 <= len(src) {
			a, b, c, e := base64Class[src[i]], base64Class[src[i+1]], base64Class[src[i+2]], base64Class[src[i+3]]
			if a|b|c|e < 64 && d.pads == 0 {
				d.put(uint32(a)<<18|uint32(b)<<12|uint32(c)<<6|uint32(e), 3)
				i += 4
				continue
			}
		}
		if err := d.digit(base64Class[src[i]]); errors.Is(err, errBase64Char) {
			return nil, &base64Place{at: len(text) - len(src) + i + 1}
		} else if err != nil {
			return nil, err
		}
		i++
	}
	if err := d.finish(); err != nil {
		return nil, err
	}
	return d.out, nil
}

// withoutPrefix cuts a data: prefix off; src has no leading blanks.
func withoutPrefix(src []byte) ([]byte, error) {
	if len(src) < 5 || !strings.EqualFold(string(src[:5]), "data:") {
		return src, nil
	}
	head, _, found := bytes.Cut(src[:min(len(src), maxDataPrefix)], []byte(","))
	kind := strings.ToLower(strings.Join(strings.Fields(string(head)), ""))
	if !found || !strings.HasSuffix(kind, ";base64") {
		return nil, errBase64Prefix
	}
	return src[len(head)+1:], nil
}

// base64Decoder takes digits one by one.
type base64Decoder struct {
	out   []byte
	limit int
	total int    // bytes decoded, kept or not
	group uint32 // the digits of the current group of four
	have  int    // how many there are
	pads  int
}

func (d *base64Decoder) digit(class byte) error {
	switch {
	case class == classBlank:
		return nil
	case class == classPad:
		if d.pads++; d.have < 2 || d.have+d.pads > 4 {
			return errBase64Pad
		}
		return nil
	case class > classPad:
		return errBase64Char
	case d.pads > 0:
		return errBase64Pad
	}
	d.group = d.group<<6 | uint32(class)
	if d.have++; d.have == 4 {
		d.put(d.group, 3)
		d.group, d.have = 0, 0
	}
	return nil
}

// put takes the upper n bytes of a group of 24 bits.
func (d *base64Decoder) put(group uint32, n int) {
	d.total += n
	if d.total > d.limit {
		return
	}
	b := [3]byte{byte(group >> 16), byte(group >> 8), byte(group)}
	d.out = append(d.out, b[:n]...)
}

func (d *base64Decoder) finish() error {
	if d.pads > 0 && d.have+d.pads != 4 {
		return errBase64Pad
	}
	switch d.have {
	case 1:
		return errBase64Cut
	case 2, 3:
		n := d.have - 1
		group := d.group << (6 * (4 - d.have))
		if group<<(8+8*n) != 0 { // the bits of the last digit that carry nothing
			return errBase64Cut
		}
		d.put(group, n)
	}
	switch {
	case d.total == 0:
		return errBase64Empty
	case d.total > d.limit:
		return errBase64Long
	}
	return nil
}
