package wire

import (
	"bytes"
	"encoding/base64"
	"errors"
	"strings"
	"testing"
)

// TestDecodeBase64: every spelling that the contract allows decodes to the same bytes, everything else is told apart.
func TestDecodeBase64(t *testing.T) {
	for _, tt := range []struct {
		name, text, want string
		err              error
	}{
		{"padding of two", "QQ==", "A", nil},
		{"padding of one", "QUI=", "AB", nil},
		{"no padding needed", "QUJD", "ABC", nil},
		{"two without padding", "QQ", "A", nil},
		{"three without padding", "QUI", "AB", nil},
		{"standard alphabet", "+/+/", "\xfb\xff\xbf", nil},
		{"URL alphabet", "-_-_", "\xfb\xff\xbf", nil},
		{"URL alphabet with padding", "-w==", "\xfb", nil},
		{"blanks and breaks", " Q U\r\nJ\tD \n", "ABC", nil},
		{"blank in the padding", "QQ= =\n", "A", nil},
		{"data prefix", "data:image/jpeg;base64,QUJD", "ABC", nil},
		{"data prefix, capitals, blanks", "\n DATA:IMAGE/PNG;Base64,\n QUJD", "ABC", nil},
		{"data prefix with a parameter", "data:image/svg+xml;charset=utf-8;base64,QQ", "A", nil},
		{"data prefix with blanks inside", "data: image/png; base64, QUJD", "ABC", nil},
		{"mixed alphabets", "+_AA", "", errBase64Mixed},
		{"far mixed alphabets", "+AAAAAAA-AAA", "", errBase64Mixed},
		{"one digit", "Q", "", errBase64Cut},
		{"five digits", "QUJDQ", "", errBase64Cut},
		{"unused bits set, two digits", "QR", "", errBase64Cut},
		{"unused bits set, three digits", "QUJ", "", errBase64Cut},
		{"unused bits set, padded", "QR==", "", errBase64Cut},
		{"padding too short", "QQ=", "", errBase64Pad},
		{"padding too long", "QQ===", "", errBase64Pad},
		{"padding after four", "QUJD=", "", errBase64Pad},
		{"padding after one", "Q===", "", errBase64Pad},
		{"padding alone", "====", "", errBase64Pad},
		{"digits after padding", "QQ==QUJD", "", errBase64Pad},
		{"padding inside", "QQ=Q", "", errBase64Pad},
		{"exclamation mark", "QUJ!", "", errBase64Char},
		{"dot", "QUJD.", "", errBase64Char},
		{"escape of a URL", "QUI%3D", "", errBase64Char},
		{"NUL", "QUJ\x00", "", errBase64Char},
		{"Arabic", "مرحبا", "", errBase64Char},
		{"full-width letter", "ＱUJD", "", errBase64Char},
		{"empty", "", "", errBase64Empty},
		{"blank", " \t\r\n", "", errBase64Empty},
		{"prefix of another type", "data:application/octet-stream;base64,QUJD", "ABC", nil},
		{"prefix without a type", "data:;base64,QUJD", "ABC", nil},
		{"prefix without base64", "data:image/png,QUJD", "", errBase64Prefix},
		{"prefix without comma", "data:image/png;base64QUJD", "", errBase64Prefix},
		{"prefix inside", "QUJDdata:image/png;base64,QUJD", "", errBase64Char},
		{"prefix without end", "data:image/" + strings.Repeat("x", 1000) + ";base64,QUJD", "", errBase64Prefix},
		{"as long as allowed", strings.Repeat("QUJD", 40), strings.Repeat("ABC", 40), nil},
		{"a byte too long", strings.Repeat("QUJD", 40) + "QQ", "", errBase64Long},
		{"too long and wrong at the end", strings.Repeat("QUJD", 90) + "!", "", errBase64Char},
	} {
		got, err := decodeBase64([]byte(tt.text), 120)
		if !errors.Is(err, tt.err) || string(got) != tt.want {
			t.Errorf("%s: %q, %v; want %q, %v", tt.name, got, err, tt.want, tt.err)
		}
	}
}

// TestBase64Lengths: data of every length comes back through every spelling, also with blanks at every place.
func TestBase64Lengths(t *testing.T) {
	data := make([]byte, 70)
	for i := range data {
		data[i] = byte(i*37 + 11)
	}
	for n := 1; n <= len(data); n++ {
		for _, e := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
			text := e.EncodeToString(data[:n])
			for _, spelled := range []string{text, text[:n%len(text)] + "\r\n" + text[n%len(text):]} {
				got, err := decodeBase64([]byte(spelled), 1000)
				if err != nil || !bytes.Equal(got, data[:n]) {
					t.Fatalf("%d bytes as %q: %x, %v", n, spelled, got, err)
				}
			}
		}
	}
}

// TestBase64Allocates: a picture takes the place of its text and no memory of its own.
func TestBase64Allocates(t *testing.T) {
	encoded := []byte(base64.StdEncoding.EncodeToString(make([]byte, 300_000)))
	text := make([]byte, len(encoded))
	if n := testing.AllocsPerRun(20, func() {
		copy(text, encoded)
		if _, err := decodeBase64(text, 1<<20); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
	copy(text, encoded)
	if _, err := decodeBase64(text, 1000); !errors.Is(err, errBase64Long) {
		t.Errorf("beyond the limit: %v", err)
	}
}

// FuzzBase64: what is accepted encodes back to the same text, blanks, prefix and padding aside, and nothing panics.
func FuzzBase64(f *testing.F) {
	for _, s := range []string{"QUJD", "QQ==", "-_-_", "+/+/", " Q U\nJD", "data:image/png;base64,QUI=", "data:", "=", "Q", "QR", "+_AA"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		const limit = 256
		got, err := decodeBase64(bytes.Clone(text), limit)
		if err != nil {
			if got != nil {
				t.Fatalf("an error and %d bytes", len(got))
			}
			return
		}
		if len(got) == 0 || len(got) > limit {
			t.Fatalf("%d bytes", len(got))
		}
		plain := strings.NewReplacer(" ", "", "\t", "", "\r", "", "\n", "", "=", "", "-", "+", "_", "/").Replace(string(text))
		if i := strings.IndexByte(plain, ','); i >= 0 {
			plain = plain[i+1:]
		}
		if want := base64.RawStdEncoding.EncodeToString(got); plain != want {
			t.Fatalf("%q decodes to what is written %q", text, want)
		}
	})
}
