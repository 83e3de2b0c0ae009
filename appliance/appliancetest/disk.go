package appliancetest

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"testing"
)

// SmallDisk mounts a disk of so many bytes, as "4m", which a test can fill to the last one. The error says that nothing may be mounted.
func SmallDisk(t *testing.T, size string) (dir string, err error) {
	t.Helper()
	dir = t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size="+size+",mode=0700"); err != nil {
		return "", fmt.Errorf("this needs the right to mount a small disk: %w", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir, nil
}

// Fill writes into a file until its disk has no room left.
func Fill(t *testing.T, name string) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, size := range []int{64 << 10, 4 << 10} {
		for err = nil; err == nil; {
			_, err = f.Write(make([]byte, size))
		}
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		}
	}
}
