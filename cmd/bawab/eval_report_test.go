package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/inference/eval/report"
)

// shortSet is a folder with a passport and its truth.
func shortSet(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	picture, err := os.ReadFile(sampleFile())
	if err != nil {
		t.Fatal(err)
	}
	fields, err := json.Marshal(shownFields())
	if err != nil {
		t.Fatal(err)
	}
	truth := `{"file": "a.jpg", "person": "p", "documents": [{"kind": "passport", "quad": [[1,1],[9,1],[9,9],[1,9]], "fields": ` + string(
		fields,
	) + `}]}`
	for name, content := range map[string][]byte{"a.jpg": picture, "truth.jsonl": []byte(truth)} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The command writes a page that holds no value of the set, and the figures that it prints say what was measured with what.
func TestEvalReport(t *testing.T) {
	dir, out := shortSet(t), filepath.Join(t.TempDir(), "report.html")
	p := program{t: t}
	var f report.Figures
	if err := json.Unmarshal([]byte(p.command("eval", "report", dir, "--data", t.TempDir(), "--out", out, "--json")), &f); err != nil {
		t.Fatal(err)
	}
	if f.Set.Documents != 1 || f.Set.Persons != 1 || len(f.Set.SHA256) != 64 || len(f.Models.List) == 0 || len(f.Kinds) != 1 ||
		f.Kinds[0].Right.OK != 1 {
		t.Errorf("figures %+v", f)
	}
	page, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range shownFields() {
		if v, ok := value.(string); ok && len(v) > 4 && strings.Contains(string(page), v) {
			t.Errorf("the page holds %s", name)
		}
	}
}

// Without a Chromium a PDF is refused before anything is measured, and the hint says what to do instead.
func TestEvalReportWithoutBrowser(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	var out, errs strings.Builder
	term := &command.Terminal{In: strings.NewReader(""), Out: &out, Errs: &errs, Environ: os.Environ()}
	err := run(t.Context(), term, []string{"eval", "report", t.TempDir(), "--data", t.TempDir(), "--out", "a.html", "--pdf"})
	if code := term.Report(err); code != command.ExitFailed || !strings.Contains(errs.String(), "Chromium") ||
		!strings.Contains(errs.String(), "hint: ") {
		t.Errorf("exit code %d: %s", code, errs.String())
	}
}
