package models

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// Contents are what a set is written of.
type Contents struct {
	Version uint64
	Models  []Model
	// Site is the content of SiteFile and Calibration that of CalibrationFile, nil for none; Kinds are the files of kinds by their paths.
	Site, Calibration []byte
	Kinds             map[string][]byte
}

// Contents are those of the set under a version that is newer: that of the day, if it can be.
func (s *Set) Contents(now time.Time) (Contents, error) {
	day, err := strconv.ParseUint(now.Format("20060102")+"00", 10, 64)
	if err != nil {
		return Contents{}, fmt.Errorf("number the set: %w", err)
	}
	return Contents{
		Version: max(day, s.version+1), Models: s.List(), Site: s.site, Calibration: s.calibration, Kinds: s.kinds,
	}, nil
}

// Write puts a set into an empty folder, as Load reads it and a pack is made of it.
func (c Contents) Write(dir string) error {
	put := func(name string, content []byte) error {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return fmt.Errorf("write set: %w", err)
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			return fmt.Errorf("write set: %w", err)
		}
		return nil
	}
	manifest := struct {
		Version uint64  `json:"version"`
		Models  []Model `json:"models"`
	}{c.Version, make([]Model, len(c.Models))}
	for i, m := range c.Models {
		// What the model differs from its file by is in its content already.
		m.File, m.Changes = m.Name+".tflite", nil
		manifest.Models[i] = m
		if err := put(m.File, m.Bytes); err != nil {
			return err
		}
	}
	text, err := json.MarshalIndent(manifest, "", " ")
	if err != nil {
		return fmt.Errorf("write set: %w", err)
	}
	if err := put(manifestFile, text); err != nil {
		return err
	}
	for name, content := range map[string][]byte{SiteFile: c.Site, CalibrationFile: c.Calibration} {
		if content == nil {
			continue
		}
		if err := put(name, content); err != nil {
			return err
		}
	}
	for name, content := range c.Kinds {
		if err := put(name, content); err != nil {
			return err
		}
	}
	return nil
}
