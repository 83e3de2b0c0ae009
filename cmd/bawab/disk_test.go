package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/bawab/bawab/appliance"
)

// A full disk is answered 503 and harms nothing: what was there stays, erasing works with no byte free, and with room again the daemon
// goes on.
func TestDiskFull(t *testing.T) {
	disk, err := smallDisk(t)
	if err != nil {
		t.Skip(err)
	}
	dir := filepath.Join(disk, "data")
	p := startProgram(t, dir)
	ask := map[string]any{"image": samplePassport(t)}
	first := p.mustPost(appliance.EndpointPassport, ask)
	if first.Status != http.StatusOK {
		t.Fatalf("got %+v with room on the disk", first)
	}
	var spare []string
	for range 5 {
		id, _ := p.mustPost(appliance.EndpointPassport, ask).Data["transaction_id"].(string)
		spare = append(spare, id)
	}
	filler := filepath.Join(disk, "filler")
	fill(t, filler)
	// Free pages inside the file serve a few more requests; then there is no room.
	full := false
	for range 2000 {
		r := p.mustPost(appliance.EndpointPassport, ask)
		if r.Status == http.StatusServiceUnavailable && r.Code == 503 {
			full = true
			break
		}
		if r.Status != http.StatusOK {
			t.Fatalf("got %+v on the way to a full disk", r)
		}
	}
	if !full {
		t.Fatal("the disk never got full: the test did not do its work")
	}
	fill(t, filepath.Join(disk, "rest"))
	for _, id := range spare {
		if out := p.command("store", "erase", id, "--data", dir); !strings.HasPrefix(out, "erased: ") {
			t.Errorf("erasing with no byte free: %q", out)
		}
	}
	if out := p.command("audit", "export", "--data", dir); strings.Count(out, "store.erased") != len(spare) {
		t.Errorf("the journal says\n%s", out)
	}
	if err = errors.Join(os.Remove(filler), os.Remove(filepath.Join(disk, "rest"))); err != nil {
		t.Fatal(err)
	}
	if r := p.mustPost(appliance.EndpointPassport, ask); r.Status != http.StatusOK {
		t.Errorf("got %+v with room again", r)
	}
	face := map[string]any{"image": ask["image"], "transaction_id": first.Data["transaction_id"]}
	if r := p.mustPost(appliance.EndpointFaceMatch, face); r.Code != int(appliance.CodeFaceUnclear) {
		t.Errorf("got %+v for the transaction from before", r)
	}
	if out := p.command("store", "check", "--data", dir); !strings.HasPrefix(out, "ok") {
		t.Errorf("store check says %q", out)
	}
}

// smallDisk mounts a disk of 4 MB, which a test can fill to the last byte.
func smallDisk(t *testing.T) (dir string, err error) {
	t.Helper()
	dir = t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=4m"); err != nil {
		return "", fmt.Errorf("this needs the right to mount a small disk: %w", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir, nil
}

// fill writes until the disk has no room left.
func fill(t *testing.T, name string) {
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
