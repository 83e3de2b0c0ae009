package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/bawab/bawab/models"
)

// scriptModelSet writes the networks of the program as a set of another version: FOLDER VERSION [NETWORK]. Of the network that is
// named it turns the labels around, so that it reads nonsense.
func scriptModelSet(ts *testscript.TestScript, _ bool, args []string) {
	version, err := strconv.ParseUint(args[1], 10, 64)
	ts.Check(err)
	ts.Check(writeModelSet(ts.MkAbs(args[0]), version, func(m *models.Model) {
		if len(args) > 2 && m.Name == args[2] {
			labels := []rune(m.Labels)
			slices.Reverse(labels)
			m.Labels = string(labels)
		}
	}))
}

// writeModelSet writes the networks of the program as a set of another version, each after a change.
func writeModelSet(dir string, version uint64, change func(*models.Model)) error {
	set, err := models.Open()
	if err != nil {
		return err
	}
	list := set.List()
	errs := []error{os.MkdirAll(dir, 0o700)}
	for i := range list {
		if len(list[i].Changes) == 0 { // another's file otherwise
			errs = append(errs, os.WriteFile(filepath.Join(dir, list[i].File), list[i].Bytes, 0o600))
		}
		change(&list[i])
	}
	text, err := json.Marshal(map[string]any{"version": version, "models": list})
	return errors.Join(append(errs, err, os.WriteFile(filepath.Join(dir, "manifest.json"), text, 0o600))...)
}

// scriptVendor sets VENDOR to the key that `bawab models pack` printed into a file.
func scriptVendor(ts *testscript.TestScript, _ bool, args []string) {
	_, key, found := strings.Cut(ts.ReadFile(args[0]), "models.vendor_key: ")
	if !found {
		ts.Fatalf("%s names no vendor key", args[0])
	}
	ts.Setenv("VENDOR", strings.TrimSpace(key))
}
