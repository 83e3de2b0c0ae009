package docs_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The page of speed gives the arithmetic of each sample that a test of the readers holds.
func TestArithmetic(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "inference", "eval", "bench", "testdata", "bench.json"))
	if err != nil {
		t.Fatal(err)
	}
	var kept struct {
		Readings []struct {
			Endpoint string
			MACs     float64
		}
	}
	if err := json.Unmarshal(text, &kept); err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{ // which row an endpoint's figure stands in
		"ocr/passport": "passport", "ocr/id/front": "national ID, front and back", "ocr/id/back": "national ID, front and back",
		"ocr/driving_license": "driving licence", "ocr/car/license/front": "vehicle licence, front and back",
		"ocr/car/license/back": "vehicle licence, front and back", "ocr/license_plate": "plate", "ocr/multi": "three documents",
		"ocr/general": "a page of 26 lines", "ocr/face/match": "face match", "ocr/liveness/multi": "liveness check",
	}
	p := readPage(t, "docs/performance.md")
	for _, r := range kept.Readings {
		cell := ""
		for _, l := range p.lines {
			if figure, ok := strings.CutPrefix(l.text, "| "+rows[r.Endpoint]+" | "); ok {
				cell = figure
			}
		}
		if want := millions(r.MACs); !strings.Contains(cell, want) {
			t.Errorf("%s takes %s MMAC, docs/performance.md says %q", r.Endpoint, want, cell)
		}
	}
	if len(kept.Readings) != len(rows) {
		t.Errorf("%d readings, %d rows", len(kept.Readings), len(rows))
	}
}

// millions writes a number in millions, with a comma behind the thousands of them.
func millions(n float64) string {
	whole := int(math.Round(n / 1e6))
	if whole < 1000 {
		return fmt.Sprint(whole)
	}
	return fmt.Sprintf("%d,%03d", whole/1000, whole%1000)
}
