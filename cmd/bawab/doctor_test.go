package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/daemon/doctor"

	"github.com/bawab/bawab/appliance"
)

// The page of the doctor fits a phone call: every check is one short line, in words and in JSON alike, a broken configuration
// does not keep the others from being made, and its problems are all told. A check that passes has no hint.
func TestDoctorPage(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "bawab.yaml")
	if err := os.WriteFile(file, []byte("listen: 0.0.0.0:0\nstore:\n  tll: 5m\nqueue:\n  workers: lots\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	page := func(args ...string) (string, error) {
		var out strings.Builder
		err := run(t.Context(), &command.Terminal{In: strings.NewReader(""), Out: &out, Errs: &out}, append([]string{"doctor", "--data", filepath.Join(dir, "d")}, args...))
		return out.String(), err
	}
	broken, err := page("--config", file)
	if err == nil {
		t.Error("a broken configuration is no failure")
	}
	for _, want := range []string{"FAIL configuration", "store.tll is not a configuration key", `queue.workers is "lots"`, "ok   processor", "ok   model lines", "ok   clock"} {
		if !strings.Contains(broken, want) {
			t.Errorf("%q is missing in\n%s", want, broken)
		}
	}
	whole, err := page()
	if err != nil {
		t.Errorf("%v:\n%s", err, whole)
	}
	for line := range strings.Lines(whole) {
		if len(line) > 240 {
			t.Errorf("a line of %d characters: %s", len(line), line)
		}
	}
	if n := strings.Count(whole, "\n"); n > 45 {
		t.Errorf("%d lines are more than a page", n)
	}
	text, err := page("--json")
	if err != nil {
		t.Fatal(err)
	}
	var report struct {
		Form   string
		Checks []struct {
			Name string
			OK   bool
			Hint string
		}
	}
	hints := strings.Count(whole, "\n     hint: ")
	if err := json.Unmarshal([]byte(text), &report); err != nil || report.Form != "bawab-doctor/1" || len(report.Checks) != strings.Count(whole, "\n")-hints {
		t.Errorf("%v: %d checks in %s, %d lines in words", err, len(report.Checks), report.Form, strings.Count(whole, "\n"))
	}
	for _, c := range report.Checks {
		if c.OK && c.Hint != "" {
			t.Errorf("%s passes and has the hint %q", c.Name, c.Hint)
		}
	}
}

// A check that is worth a look is told with its hint, in a word of its own, and breaks nothing.
func TestMinorCheck(t *testing.T) {
	var out strings.Builder
	if !doctor.Print(&out, []appliance.Check{{Name: "time source", Minor: true, Detail: "none", Hint: "compare it with a watch"}}) {
		t.Error("a missing time source breaks the appliance")
	}
	if !strings.HasPrefix(out.String(), "warn time source") || !strings.Contains(out.String(), "hint: ") {
		t.Errorf("printed as %q", out.String())
	}
}
