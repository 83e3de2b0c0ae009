package engine

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/bawab/bawab/models"
)

// writeEmbedder writes a set of networks that has the embedder alone, with a threshold "portrait" unless that is 0.
func writeEmbedder(dir string, portrait float64) error {
	set, err := models.Open()
	if err != nil {
		return err
	}
	m, err := set.Model(ModelEmbedder)
	if err != nil {
		return err
	}
	if delete(m.Thresholds, "portrait"); portrait != 0 {
		m.Thresholds["portrait"] = models.Threshold{Value: portrait, DataSet: "none", Date: "2026-11-27", Budget: "none"}
	}
	text, err := json.Marshal(map[string]any{"version": 2999010101, "models": []models.Model{m}})
	return errors.Join(
		err,
		os.WriteFile(filepath.Join(dir, m.File), m.Bytes, 0o600),
		os.WriteFile(filepath.Join(dir, "manifest.json"), text, 0o600),
	)
}

// The similarity from which a picture is the document's own portrait comes from the embedder's threshold "portrait"; a set without
// it has no ceiling, and one that cannot be is refused.
func TestPortraitCeiling(t *testing.T) {
	for name, c := range map[string]struct {
		cosine float64 // 0: none
		least  float64
		fails  bool
	}{
		"none": {0, 0, false}, "high": {0.9, 0.7, false}, "one": {1, 1, false}, "that of a match": {0.3, 0, true}, "beyond all": {1.1, 0, true},
	} {
		dir := t.TempDir()
		if err := writeEmbedder(dir, c.cosine); err != nil {
			t.Fatal(err)
		}
		set, err := models.Load(os.DirFS(dir))
		if err != nil {
			t.Fatal(err)
		}
		got, err := (&Engine{Set: set}).portraitCeiling()
		if (err != nil) != c.fails || got < c.least || c.cosine == 0 && got != 0 {
			t.Errorf("%s: ceiling %g, %v", name, got, err)
		}
	}
}
