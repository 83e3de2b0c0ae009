// Package packaging_test examines what the packages are made of. The packages themselves are installed, upgraded and
// purged by `make packagetest`.
package packaging_test

import (
	"os/exec"
	"strings"
	"testing"
)

// Every module in the binary has a licence that allows its use, and is in the list that the packages ship.
func TestLicences(t *testing.T) {
	out, err := exec.Command("./licences.sh", "table").Output()
	if err != nil {
		t.Fatalf("licences.sh table: %v\n%s", err, failure(err))
	}
	list, err := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", "../cmd/bawab").Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, failure(err))
	}
	licence := map[string]string{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if len(fields) != 3 || fields[1] == "" || fields[2] == "" {
			t.Errorf("%q is not name, version and licence", line)
			continue
		}
		licence[fields[0]] = fields[2]
	}
	for _, module := range append(strings.Fields(string(list)), "OpenCV", "zlib", "libjpeg-turbo", "Go standard library") {
		if licence[module] == "" {
			t.Errorf("%s is in the binary and not in the list", module)
		}
	}
}

// failure is what a command that failed had to say.
func failure(err error) string {
	if e, ok := err.(*exec.ExitError); ok {
		return string(e.Stderr)
	}
	return ""
}
