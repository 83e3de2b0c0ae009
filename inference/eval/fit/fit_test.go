package fit

import (
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bawab/bawab/inference/documents/egypt"
	"github.com/bawab/bawab/models"
)

// Property: the same pictures and seed give the same numbers, each with its origin, and beside them all those of the program that the
// pictures say nothing about, so that a pack can bring the file; the samples have no truth of their lines' text, so that little is learned.
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
	if err != nil || len(c.Groups) < 9 || c.Groups[0].N < 20 {
		t.Fatalf("%d groups, %v", len(c.Groups), err)
	}
	decoders := map[string]bool{}
	for name := range egypt.Knowledge().Decoders {
		decoders[name] = true
	}
	program, err := models.OpenCalibration()
	if err != nil || maps.Equal(c.Values(), program.Values()) {
		t.Errorf("nothing was learned, %v", err)
	}
	if err := c.Replaces(program, decoders); err != nil {
		t.Errorf("what was learned cannot take the place of the program's: %v", err)
	}
}

// Property: where letters stand is learned from the lines of pictures, and no other number moves.
func TestRunOfLevels(t *testing.T) {
	before, err := models.OpenCalibration()
	if err != nil {
		t.Fatal(err)
	}
	f := Fit{Out: filepath.Join(t.TempDir(), "calibration.json"), Seed: 7, Levels: true}
	if err := f.Run(t.Context(), []string{"../../../models/samples/licences"}); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(f.Out)
	if err != nil {
		t.Fatal(err)
	}
	c, err := models.ParseCalibration(b)
	if err != nil || len(c.Groups) != len(before.Groups) || len(c.Values()) != len(before.Values()) {
		t.Fatalf("%d groups of %d numbers, %v", len(c.Groups), len(c.Values()), err)
	}
	was, is := before.Groups[len(before.Groups)-1], c.Groups[len(c.Groups)-1]
	if diff := cmp.Diff(before.Groups[:len(before.Groups)-1], c.Groups[:len(c.Groups)-1]); diff != "" {
		t.Errorf("others moved: %s", diff)
	}
	if is.Name != "level" || is.N < 100 || maps.Equal(is.Values, was.Values) {
		t.Errorf("%s of %d lines: %s", is.Name, is.N, is.Budget)
	}
}

// Property: what a kind adds is what the program lacks, in groups of the kind's name; the program's own numbers stay as they are.
func TestAdded(t *testing.T) {
	before, err := models.OpenCalibration()
	if err != nil {
		t.Fatal(err)
	}
	numbers := before.Values()
	learned := models.Group{Name: "roles", DataSet: "drawn", N: 9, Values: map[string]float64{"bias ferry": 0.5}}
	for name := range before.Values() {
		learned.Values[name] = 99
	}
	f := Fit{Add: "ferry"}
	c := f.added(before, append([]models.Group{learned, {Name: "doubt", Values: map[string]float64{}}}, before.Groups...))
	if n := len(c.Groups); n != len(before.Groups)+1 || c.Groups[n-1].Name != "ferry roles" || len(c.Groups[n-1].Values) != 1 {
		t.Errorf("%d groups, %d before", n, len(before.Groups))
	}
	after := c.Values()
	if after["bias ferry"] != 0.5 {
		t.Errorf("learned %v", after["bias ferry"])
	}
	for name, v := range numbers {
		if after[name] != v {
			t.Errorf("%s: %v, was %v", name, after[name], v)
		}
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
