package inferencetest

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/bawab/bawab/appliance"
)

// Card is what a committed photograph truly shows. Quads are top left, top right, bottom right, bottom left of the upright text.
type Card struct {
	File      string
	Documents []struct {
		Kind   appliance.Kind
		Quad   [4][2]float64
		Fields map[string]*string
		Lines  []struct {
			Role string
			Quad [4][2]float64 // of the glyph boxes
		}
	}
}

// Truth reads the truth of a folder of committed photographs.
func Truth(t testing.TB, folder string) (all []Card) {
	t.Helper()
	f, err := os.Open(filepath.Join(folder, "truth.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var c Card
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// Quad is a quad of a truth.
func Quad(q [4][2]float64) (out appliance.Quad) {
	for i, c := range q {
		out[i] = appliance.Point{X: c[0], Y: c[1]}
	}
	return out
}
