package seal

import (
	"bytes"
	"slices"
	"testing"
	"time"
)

// A sealed value opens with the same key, purpose and place only, and not when any bit of it changed.
func TestSeal(t *testing.T) {
	key, err := New(bytes.Repeat([]byte{7}, KeySize))
	if err != nil {
		t.Fatal(err)
	}
	other, err := New(bytes.Repeat([]byte{8}, KeySize))
	if err != nil {
		t.Fatal(err)
	}
	place := [][]byte{[]byte("0123456789abcdef"), {0, 0, 0, 1}}
	sealed := key.Seal([]byte("secret"), PurposeRecord, place...)
	if plain, err := key.Open(sealed, PurposeRecord, place...); err != nil || string(plain) != "secret" {
		t.Fatalf("got %q, %v", plain, err)
	}
	if again := key.Seal([]byte("secret"), PurposeRecord, place...); bytes.Equal(again, sealed) {
		t.Error("the same content was sealed alike twice: the nonce is not random")
	}
	refused := map[string]func() ([]byte, error){
		"other key":     func() ([]byte, error) { return other.Open(sealed, PurposeRecord, place...) },
		"other purpose": func() ([]byte, error) { return key.Open(sealed, PurposeState, place...) },
		"other place":   func() ([]byte, error) { return key.Open(sealed, PurposeRecord, place[0], []byte{0, 0, 0, 2}) },
		"no place":      func() ([]byte, error) { return key.Open(sealed, PurposeRecord) },
		"nothing":       func() ([]byte, error) { return key.Open(nil, PurposeRecord, place...) },
	}
	for name, open := range refused {
		if plain, err := open(); err == nil {
			t.Errorf("%s: opened as %q", name, plain)
		}
	}
	for i := range sealed {
		spoiled := slices.Clone(sealed)
		spoiled[i] ^= 0x10
		if _, err := key.Open(spoiled, PurposeRecord, place...); err == nil {
			t.Errorf("it opens with byte %d changed", i)
		}
		if _, err := key.Open(sealed[:i], PurposeRecord, place...); err == nil {
			t.Errorf("it opens when cut to %d bytes", i)
		}
	}
}

// Whatever lies in a database in the place of a head or a sealed value, reading it ends with an error or with what was sealed.
func FuzzStored(f *testing.F) {
	key, err := New(bytes.Repeat([]byte{7}, KeySize))
	if err != nil {
		f.Fatal(err)
	}
	id := ID{1, 2, 3}
	data, wrapped, err := key.NewDataKey(id)
	if err != nil {
		f.Fatal(err)
	}
	expires := time.Unix(1_700_000_000, 5).UTC()
	st := State{Records: 3, Created: expires.Add(-time.Hour)}
	good := Header{Expires: expires, Wrapped: wrapped, State: data.SealState(id, st, expires)}.Bytes()
	counted := State{Records: 3, Created: st.Created, Attempts: 2}
	f.Add(good)
	f.Add(Header{Expires: expires, Wrapped: wrapped, State: data.SealState(id, counted, expires)}.Bytes())
	f.Add(good[:20])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		h, err := ParseHeader(b)
		if err != nil {
			return
		}
		if !bytes.Equal(h.Bytes(), b) {
			t.Errorf("%x was read as %x", b, h.Bytes())
		}
		if _, got, err := key.DataKey(id, h); err == nil && (got != st && got != counted || !h.Expires.Equal(expires)) { // only what was sealed opens
			t.Errorf("%x opens with %+v", b, got)
		}
	})
}
