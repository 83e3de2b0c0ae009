// Package packaging_test examines what the packages are made of. The packages themselves are installed, upgraded and
// purged by `make packagetest`.
package packaging_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
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
	for _, module := range append(strings.Fields(string(list)), "OpenCV", "Go standard library") {
		if licence[module] == "" {
			t.Errorf("%s is in the binary and not in the list", module)
		}
	}
}

// What a network owes to a network of others, by the page beside it, is in the list that the packages ship, under the
// network's name and with the licence.
func TestLicencesOfNetworks(t *testing.T) {
	out, err := exec.Command("./licences.sh", "networks").Output()
	if err != nil {
		t.Fatalf("licences.sh networks: %v\n%s", err, failure(err))
	}
	pages, err := filepath.Glob("../models/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages of networks: %v", err)
	}
	owed := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(page), ".md")
		wants := strings.Count(string(text), "Apache-2.0")
		owed += wants
		got := 0
		for line := range strings.Lines(string(out)) {
			if of, sentence, ok := strings.Cut(line, "\t"); ok && of == name {
				got += strings.Count(sentence, "Apache-2.0")
			}
		}
		if got != wants {
			t.Errorf("%s names Apache-2.0 %d times, the list %d times", page, wants, got)
		}
	}
	if owed == 0 {
		t.Error("no network owes anything: the test proves nothing")
	}
}

// failure is what a command that failed had to say.
func failure(err error) string {
	if e, ok := err.(*exec.ExitError); ok {
		return string(e.Stderr)
	}
	return ""
}

// The bill of materials is JSON that names every part of the list, each once.
func TestBillOfMaterials(t *testing.T) {
	out, err := exec.Command("./sbom.sh", "1.2.3").Output()
	if err != nil {
		t.Fatalf("sbom.sh: %v\n%s", err, failure(err))
	}
	var bill struct {
		BOMFormat  string `json:"bomFormat"`
		Components []struct {
			Name    string `json:"name"`
			Version string `json:"version"`
		} `json:"components"`
	}
	if err := json.Unmarshal(out, &bill); err != nil || bill.BOMFormat != "CycloneDX" {
		t.Fatalf("%v in %s", err, out)
	}
	named := map[string]int{}
	for _, c := range bill.Components {
		named[c.Name]++
	}
	table, err := exec.Command("./licences.sh", "table").Output()
	if err != nil {
		t.Fatalf("licences.sh table: %v\n%s", err, failure(err))
	}
	for line := range strings.Lines(string(table)) {
		if name, _, _ := strings.Cut(line, "\t"); named[name] != 1 {
			t.Errorf("%s is named %d times", name, named[name])
		}
	}
}
