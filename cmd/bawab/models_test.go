package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/bawab/bawab/models"
)

// scriptModelSet writes the networks of the program as a set of another version: FOLDER VERSION [NETWORK]. Of the network that is
// named it turns the labels around, so that it reads nonsense.
func scriptModelSet(ts *testscript.TestScript, _ bool, args []string) {
	set, err := models.Open()
	ts.Check(err)
	dir := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(dir, 0o700))
	version, err := strconv.ParseUint(args[1], 10, 64)
	ts.Check(err)
	list := set.List()
	for i := range list {
		ts.Check(os.WriteFile(filepath.Join(dir, list[i].File), list[i].Bytes, 0o600))
		if len(args) > 2 && list[i].Name == args[2] {
			labels := []rune(list[i].Labels)
			for a, b := 0, len(labels)-1; a < b; a, b = a+1, b-1 {
				labels[a], labels[b] = labels[b], labels[a]
			}
			list[i].Labels = string(labels)
		}
	}
	text, err := json.Marshal(map[string]any{"version": version, "models": list})
	ts.Check(err)
	ts.Check(os.WriteFile(filepath.Join(dir, "manifest.json"), text, 0o600))
}

// scriptVendor sets VENDOR to the key that `bawab models pack` printed into a file.
func scriptVendor(ts *testscript.TestScript, _ bool, args []string) {
	_, key, found := strings.Cut(ts.ReadFile(args[0]), "models.vendor_key: ")
	if !found {
		ts.Fatalf("%s names no vendor key", args[0])
	}
	ts.Setenv("VENDOR", strings.TrimSpace(key))
}

// The networks of the program read the reference pictures: a pack is held to nothing that they do not do.
func TestReferences(t *testing.T) {
	set, err := openEmbedded()
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := checkSet(t.Context(), &out, set); err != nil {
		t.Errorf("%v\n%s", err, out.String())
	}
}
