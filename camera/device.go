package camera

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Device is one V4L2 capture device.
type Device struct {
	// Path is the name that survives a restart and another plug order, below /dev/v4l/by-id or, for a camera
	// without a serial number, /dev/v4l/by-path; it is the node itself where udev gave no such name.
	Path string
	// Node is the device node behind it, as /dev/video0.
	Node string
	// Name is what the driver calls the camera, "" when it does not say.
	Name string
	// Readable reports whether this process may open the node.
	Readable bool
}

// List returns the capture devices of this machine by Path; none is no error.
func List() ([]Device, error) {
	return list("/dev", "/sys/class/video4linux")
}

func list(dev, sys string) ([]Device, error) {
	entries, err := os.ReadDir(sys)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list cameras: %w", err)
	}
	stable := stablePaths(dev)
	var devices []Device
	for _, e := range entries {
		// A camera has several nodes: number 0 carries pictures, the others metadata.
		if index := attribute(sys, e.Name(), "index"); index != "" && index != "0" {
			continue
		}
		node := filepath.Join(dev, e.Name())
		d := Device{Path: stable[node], Node: node, Name: attribute(sys, e.Name(), "name"), Readable: readable(node)}
		if d.Path == "" {
			d.Path = node
		}
		devices = append(devices, d)
	}
	slices.SortFunc(devices, func(a, b Device) int { return strings.Compare(a.Path, b.Path) })
	return devices, nil
}

// stablePaths maps device nodes to their udev names; by-id wins over by-path because it follows the camera, not
// the socket.
func stablePaths(dev string) map[string]string {
	paths := map[string]string{}
	for _, folder := range []string{"by-path", "by-id"} {
		links, _ := filepath.Glob(filepath.Join(dev, "v4l", folder, "*"))
		for _, link := range links {
			if node, err := filepath.EvalSymlinks(link); err == nil {
				paths[node] = link
			}
		}
	}
	return paths
}

func attribute(sys, node, name string) string {
	text, err := os.ReadFile(filepath.Join(sys, node, name))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

func readable(node string) bool {
	f, err := os.OpenFile(node, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	return f.Close() == nil
}
