package engine

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/bawab/bawab/models"
)

// embedders makes a set of both embedders alone, each as changed leaves it.
func embedders(t *testing.T, change func(*models.Model)) *models.Set {
	t.Helper()
	set, err := models.Open()
	if err != nil {
		t.Fatal(err)
	}
	dir, list := t.TempDir(), []models.Model{}
	for _, name := range []string{ModelEmbedder, ModelNearer} {
		m, err := set.Model(name)
		if err != nil {
			t.Fatal(err)
		}
		m.Bytes = slices.Clone(m.Bytes)
		change(&m)
		m.SHA256 = fmt.Sprintf("%x", sha256.Sum256(m.Bytes))
		if err := os.WriteFile(filepath.Join(dir, m.File), m.Bytes, 0o600); err != nil {
			t.Fatal(err)
		}
		list = append(list, m)
	}
	text, err := json.Marshal(map[string]any{"version": 2999010101, "models": list})
	if err := errors.Join(err, os.WriteFile(filepath.Join(dir, "manifest.json"), text, 0o600)); err != nil {
		t.Fatal(err)
	}
	if set, err = models.Load(os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return set
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
		set := embedders(t, func(m *models.Model) {
			if delete(m.Thresholds, "portrait"); c.cosine != 0 {
				m.Thresholds["portrait"] = models.Threshold{Value: c.cosine, DataSet: "none", Date: "2026-11-27", Budget: "none"}
			}
		})
		got, err := (&Engine{Set: set}).portraitCeiling()
		if (err != nil) != c.fails || got < c.least || c.cosine == 0 && got != 0 {
			t.Errorf("%s: ceiling %g, %v", name, got, err)
		}
	}
}

// Embeddings carry the name of the pair of networks that made them: it changes with either file, so that a portrait of before an
// upgrade is never compared with a face of after it.
func TestEmbeddersOf(t *testing.T) {
	named := func(changed string) string {
		name, err := embeddersOf(embedders(t, func(m *models.Model) {
			if m.Name == changed {
				m.Bytes[len(m.Bytes)-1]++
			}
		}))
		if err != nil {
			t.Fatal(err)
		}
		return name
	}
	now, first, second := named(""), named(ModelEmbedder), named(ModelNearer)
	if len(now) != 2*sha256.Size || named("") != now || first == now || second == now || first == second {
		t.Errorf("%q, %q with another embedder, %q with another second one", now, first, second)
	}
}
