package words

import (
	"testing"
)

// Numbers are told as a person says them: one of a thing in the singular, and a size in the unit in which sizes like it are
// compared.
func TestWords(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{Count(0, "key", "keys"), "0 keys"},
		{Count(1, "key", "keys"), "1 key"},
		{Count(2, "entry", "entries"), "2 entries"},
		{Size(0), "0 KiB"},
		{Size(1), "1 KiB"},
		{Size(131072), "128 KiB"},
		{Size(1 << 20), "1.0 MiB"},
		{Size(57186 << 20), "55.8 GiB"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}

// What came as several lines, as joined errors do, stays told apart in one.
func TestOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"one  line":                          "one line",
		"page 0 is bad\npage 1 is bad\n":     "page 0 is bad; page 1 is bad",
		"two problems:\n  line 1\n\n line 2": "two problems: line 1; line 2",
		"a list,\nb;\nc":                     "a list, b; c",
	} {
		if got := OneLine(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
