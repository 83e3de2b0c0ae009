package folder

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A file is replaced as a whole, with mode 0600 and past what a crash had left; when it cannot be made durable the old one stays
// and nothing is left beside it.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	for name, content := range map[string]string{path: "old", path + Part: "torn"} {
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	holds := func(want string) {
		t.Helper()
		entries, _ := os.ReadDir(dir)
		if b, err := os.ReadFile(path); err != nil || string(b) != want || len(entries) != 1 {
			t.Errorf("%q, %v among %d files, want %q alone", b, err, len(entries), want)
		}
	}
	if err := Replace(path, []byte("new"), (*os.File).Sync); err != nil {
		t.Fatal(err)
	}
	holds("new")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	broken := func(*os.File) error { return syscall.EIO }
	if err := Replace(path, []byte("lost"), broken); !errors.Is(err, syscall.EIO) {
		t.Errorf("got %v", err)
	}
	holds("new")
	if err := Sync(dir, broken); !errors.Is(err, syscall.EIO) {
		t.Errorf("got %v", err)
	}
}

// What root makes below somebody's folder belongs to that somebody.
func TestGive(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root may give files away")
	}
	dir := t.TempDir()
	if err := os.Chown(dir, 12345, 12346); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "file")
	if err := Replace(path, nil, (*os.File).Sync); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if s := info.Sys().(*syscall.Stat_t); s.Uid != 12345 || s.Gid != 12346 {
		t.Errorf("it belongs to %d:%d", s.Uid, s.Gid)
	}
}
