// Build bundles the pages of package console: TypeScript and style sheets by hand, with scripts of others that are pinned by their
// SHA-256. Run it in the root of the repository: `go run ./appliance/console/build`. It needs neither Node nor a network.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if err := write(filepath.Join("appliance", "console")); err != nil {
		fmt.Fprintln(os.Stderr, "build: error:", err)
		os.Exit(1)
	}
}

// write puts the built files into the folder assets, in place of those that lie there.
func write(dir string) error {
	files, err := bundle(dir)
	if err != nil {
		return err
	}
	out := filepath.Join(dir, "assets")
	if err := os.RemoveAll(out); err != nil {
		return fmt.Errorf("clear assets: %w", err)
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return fmt.Errorf("make assets: %w", err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(out, name), text, 0o644); err != nil {
			return fmt.Errorf("write assets: %w", err)
		}
	}
	return nil
}
