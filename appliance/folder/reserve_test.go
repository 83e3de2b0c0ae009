package folder

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// On a disk without a free byte there is the reserve to spend, what is left of it is set aside again, and it is complete when there
// is room.
func TestReserve(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("none", disk, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("this test needs the right to mount a small disk: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	const size, used = 256 << 10, 64 << 10
	r := NewReserve(filepath.Join(disk, "reserve"), size)
	if r.Missing() != size {
		t.Errorf("%d missing at the start", r.Missing())
	}
	if err := r.Fill(); err != nil || r.Missing() != 0 {
		t.Fatalf("%d missing, %v", r.Missing(), err)
	}
	filler := filepath.Join(disk, "filler")
	if err := os.WriteFile(filler, make([]byte, 1<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the disk is not full: %v", err)
	}
	write := func() error { return os.WriteFile(filepath.Join(disk, "important"), make([]byte, used), 0o600) }
	if err := write(); err == nil {
		t.Fatal("there is room: the test did not do its work")
	}
	if err := r.Spend(write); err != nil {
		t.Errorf("with the reserve: %v", err)
	}
	if missing := r.Missing(); missing < used || missing > used+32<<10 {
		t.Errorf("%d missing after %d were used", missing, used)
	}
	if err := r.Fill(); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("filled on a full disk: %v", err)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if err := r.Fill(); err != nil || r.Missing() != 0 {
		t.Errorf("%d missing with room again, %v", r.Missing(), err)
	}
}
