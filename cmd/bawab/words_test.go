package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/bawab/bawab/appliance"
)

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

// A name of any length leaves what stands beside the names in one column, in checks and in every help text.
func TestColumns(t *testing.T) {
	var out strings.Builder
	printChecks(&out, []appliance.Check{{Name: "disk", OK: true, Detail: "|"}, {Name: "a name that is longer than others", Detail: "|", Hint: "h"}})
	lines := strings.Split(out.String(), "\n")
	if at := strings.Index(lines[0], "|"); at < 0 || strings.Index(lines[1], "|") != at {
		t.Errorf("checks are printed as\n%s", out.String())
	}
	var look func(c *cobra.Command)
	look = func(c *cobra.Command) {
		_, listed, _ := strings.Cut(c.UsageString(), "\ncommands:\n")
		listed, _, _ = strings.Cut(listed, "\n\n")
		at := -1
		for line := range strings.Lines(listed) {
			if name := strings.Fields(line)[0]; at < 0 {
				at = len(line) - len(strings.TrimLeft(line[2+len(name):], " "))
			} else if len(line)-len(strings.TrimLeft(line[2+len(name):], " ")) != at {
				t.Errorf("%s: %q is out of its column", c.CommandPath(), line)
			}
		}
		for _, sub := range c.Commands() {
			look(sub)
		}
	}
	look(commands())
}
