package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The built files that the program carries are those of the sources: `go run ./appliance/console/build` writes them.
func TestFresh(t *testing.T) {
	files, err := bundle("..")
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadDir(filepath.Join("..", "assets"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range kept {
		text, err := os.ReadFile(filepath.Join("..", "assets", e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(text, files[e.Name()]) {
			t.Errorf("%s is stale: build again", e.Name())
		}
		delete(files, e.Name())
	}
	for name := range files {
		t.Errorf("%s is missing: build again", name)
	}
}

// A script of others that is not the pinned one is not built in.
func TestPinned(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("..")); err != nil {
		t.Fatal(err)
	}
	if err := check(dir); err != nil {
		t.Fatal(err)
	}
	changed := filepath.Join(dir, "third", scripts()["preact"].file)
	if err := os.WriteFile(changed, []byte("export {}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := bundle(dir); err == nil {
		t.Error("another script was taken")
	}
}
