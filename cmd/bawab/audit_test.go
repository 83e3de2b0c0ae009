package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/cmd/bawab/command"
)

// An answered request is in the journal though the daemon is killed right after, and is found by the id of its transaction,
// with the daemon and without it, and by no other. Once a bit of it has changed, the doctor says so also while no daemon runs.
func TestJournalOfDaemon(t *testing.T) {
	dir := t.TempDir()
	p := startProgram(t, dir)
	r := p.mustPost(appliance.EndpointPassport, map[string]any{"image": samplePassport(t)})
	id, _ := r.Data["transaction_id"].(string)
	request, _ := r.Data["request_id"].(string)
	if id == "" || request == "" {
		t.Fatalf("got %+v", r)
	}
	export := func(transaction string) string {
		return p.command("audit", "export", "--data", dir, "--transaction", transaction)
	}
	found := export(id)
	if strings.Count(found, "\n") != 0 || !strings.Contains(found, "ocr/passport") || !strings.Contains(found, "request="+request) {
		t.Errorf("found %q", found)
	}
	if other := export(appliance.NewGUID()); other != "" {
		t.Errorf("another transaction finds %q", other)
	}
	p.stop(syscall.SIGKILL)
	if again := export(id); again != found {
		t.Errorf("after the kill %q is found", again)
	}
	text, err := os.ReadFile(filepath.Join(dir, "audit", "00000001.log"))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range r.Data {
		if s, ok := value.(string); ok && len(s) > 4 && name != "request_id" && strings.Contains(string(text), s) {
			t.Errorf("the journal holds the %s of the answer", name)
		}
	}
	p.command("audit", "verify", "--data", dir)
	if page := doctorPage(t, dir); !strings.Contains(page, "ok   journal") {
		t.Errorf("the whole journal is not named in\n%s", page)
	}
	text[len(text)/2] ^= 1
	if err := os.WriteFile(filepath.Join(dir, "audit", "00000001.log"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	if page := doctorPage(t, dir); !strings.Contains(page, "FAIL journal") {
		t.Errorf("the changed journal is not named in\n%s", page)
	}
}

// doctorPage is what the doctor says of a data folder, whether all is well or not.
func doctorPage(t *testing.T, dir string) string {
	t.Helper()
	var out strings.Builder
	_ = run(t.Context(), &command.Terminal{In: strings.NewReader(""), Out: &out, Errs: &out}, []string{"doctor", "--data", dir})
	return out.String()
}
