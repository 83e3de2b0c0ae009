package fit

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/bawab/bawab/models"
)

// Property: the same pictures and seed give the same numbers, each with its origin; the samples have no truth of their lines'
// text, so that little is learned.
func TestRunIsReproducible(t *testing.T) {
	var files [2][]byte
	for i := range files {
		f := Fit{Out: filepath.Join(t.TempDir(), "calibration.json"), Budget: 0.05, Seed: 7}
		if err := f.Run(t.Context(), []string{"../../../models/samples/licences"}); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(f.Out)
		if err != nil {
			t.Fatal(err)
		}
		files[i] = b
	}
	if string(files[0]) != string(files[1]) {
		t.Error("two runs differ")
	}
	c, err := models.ParseCalibration(files[0])
	if err != nil || len(c.Groups) != 3 || c.Groups[0].N < 20 || len(c.Values()) < 100 {
		t.Errorf("%d groups, %v", len(c.Groups), err)
	}
}

// Property: a folder without a truth, and one without a document that is described, are refused with what is wrong.
func TestRunRefuses(t *testing.T) {
	for name, truth := range map[string]string{"no truth": "", "no document": `{"file":"a.jpg","documents":[]}` + "\n", "no JSON": "{\n"} {
		dir := t.TempDir()
		if truth != "" {
			if err := os.WriteFile(filepath.Join(dir, "truth.jsonl"), []byte(truth), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		f := Fit{Out: filepath.Join(dir, "out.json"), Seed: 1}
		if err := f.Run(t.Context(), []string{dir}); err == nil {
			t.Errorf("%s: learned", name)
		}
	}
}
