package main

import (
	"strings"
	"testing"

	"github.com/bawab/bawab/daemon/doctor"

	"github.com/spf13/cobra"

	"github.com/bawab/bawab/appliance"
)

// A name of any length leaves what stands beside the names in one column, in checks and in every help text.
func TestColumns(t *testing.T) {
	var out strings.Builder
	doctor.Print(&out, []appliance.Check{{Name: "disk", OK: true, Detail: "|"}, {Name: "a name that is longer than others", Detail: "|", Hint: "h"}})
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
