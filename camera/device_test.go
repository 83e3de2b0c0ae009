package camera

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Cameras are listed once each, under the name that follows the camera, and metadata nodes are left out.
func TestList(t *testing.T) {
	root := t.TempDir()
	dev, sys := filepath.Join(root, "dev"), filepath.Join(root, "sys")
	put := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := func(name, target string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, name); err != nil {
			t.Fatal(err)
		}
	}
	put(dev+"/video0", "")
	put(dev+"/video1", "")
	put(dev+"/video2", "")
	put(sys+"/video0/name", "Kiosk Camera\n")
	put(sys+"/video0/index", "0\n")
	put(sys+"/video1/name", "Kiosk Camera\n")
	put(sys+"/video1/index", "1\n")
	put(sys+"/video2/index", "0\n")
	put(sys+"/video3/index", "0\n")
	link(dev+"/v4l/by-path/pci-0-video-index0", "../../video0")
	link(dev+"/v4l/by-id/usb-Kiosk_1234-video-index0", "../../video0")
	link(dev+"/v4l/by-path/pci-1-video-index0", "../../video2")
	got, err := list(dev, sys)
	if err != nil {
		t.Fatal(err)
	}
	want := []Device{
		{Path: dev + "/v4l/by-id/usb-Kiosk_1234-video-index0", Node: dev + "/video0", Name: "Kiosk Camera", Readable: true},
		{Path: dev + "/v4l/by-path/pci-1-video-index0", Node: dev + "/video2", Readable: true},
		{Path: dev + "/video3", Node: dev + "/video3"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A machine without a camera has an empty list, not an error.
func TestListNone(t *testing.T) {
	got, err := list(t.TempDir(), filepath.Join(t.TempDir(), "none"))
	if err != nil || len(got) != 0 {
		t.Fatalf("got %v, %v", got, err)
	}
}
