package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bawab/bawab/cmd/bawab/command"
	"github.com/bawab/bawab/inference/eval/person"
	"github.com/bawab/bawab/inference/injection"
)

// sampleBursts is a folder for eval liveness that holds the burst of the samples.
func sampleBursts(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "live", "sample"), os.DirFS(filepath.Join("..", "..", "models", "samples", "burst"))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// The simulated living burst of the samples is judged live, and of one triple of each family of injected media that is made from its
// stills two thirds and more are not, by the command that gives the figures. The samples are drawn with less grain than cameras have,
// so more pass here than of stills of real persons (models/injection.md).
func TestEvalInjection(t *testing.T) {
	dir := sampleBursts(t)
	measure := func(args ...string) (s person.LivenessScore) {
		t.Helper()
		var out, errs bytes.Buffer
		term := &command.Terminal{In: strings.NewReader(""), Out: &out, Errs: &errs}
		if err := run(t.Context(), term, append(append([]string{"eval", "liveness", "--json"}, args...), dir)); err != nil {
			t.Fatalf("%v: %s", err, errs.String())
		}
		if err := json.Unmarshal(out.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		return s
	}
	if s := measure(); s.BPCER.Of != 1 || s.BPCER.OK != 0 {
		t.Errorf("the living sample: %+v", s)
	}
	keep := filepath.Join(t.TempDir(), "made")
	s := measure("--injection", "all", "--cases", "1", "--keep", keep)
	passed := 0
	for _, f := range injection.Families() {
		a, ok := s.Attacks[f.Name]
		if !ok || a.APCER.Of != 1 {
			t.Errorf("%s: %+v", f.Name, a)
		}
		passed += a.APCER.OK
		if _, err := os.Stat(filepath.Join(keep, f.Name, "0000", "3.jpg")); err != nil {
			t.Error(err)
		}
	}
	if passed > len(injection.Families())/3 {
		t.Errorf("%d of %d made triples are judged live", passed, len(injection.Families()))
	}
}
