package main

import "testing"

// Numbers are told as a person says them: one of a thing in the singular, and a size in the unit in which sizes like it are
// compared.
func TestWords(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{count(0, "key", "keys"), "0 keys"},
		{count(1, "key", "keys"), "1 key"},
		{count(2, "entry", "entries"), "2 entries"},
		{size(0), "0 KiB"},
		{size(1), "1 KiB"},
		{size(131072), "128 KiB"},
		{size(1 << 20), "1.0 MiB"},
		{size(57186 << 20), "55.8 GiB"},
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
		if got := oneLine(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
