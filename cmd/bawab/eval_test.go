package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/eval/document"
)

// TestEvalDocuments: the whole command on a folder with a passport, a picture without a document and another truth:
// figures, dump and comparison.
func TestEvalDocuments(t *testing.T) {
	dir := t.TempDir()
	picture, err := os.ReadFile(sampleFile())
	if err != nil {
		t.Fatal(err)
	}
	white, err := whitePNG(400, 300)
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]string{}
	for name, value := range shownFields() {
		fields[name] = value.(string)
	}
	quad := `"quad": [[1,1],[9,1],[9,9],[1,9]]`
	text, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	truth := fmt.Sprintf(`{"file": "a.jpg", "documents": [{"kind": "passport", %s, "fields": %s}]}
{"file": "a.jpg", "documents": [{"kind": "passport", %s, "fields": {"gender": "Female", "passport_no": ""}, "covered": ["passport_no"]}]}

{"file": "white.png", "documents": []}
`, quad, text, quad)
	for name, content := range map[string][]byte{"a.jpg": picture, "truth.jsonl": []byte(truth), "white.png": white} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := program{t: t}
	earlier := filepath.Join(dir, "earlier.json")
	report := p.command("eval", "documents", dir, "--json", "--dump", filepath.Join(dir, "fields.csv"))
	if err := os.WriteFile(earlier, []byte(report), 0o600); err != nil {
		t.Fatal(err)
	}
	var s document.DocumentScore
	if err := json.Unmarshal([]byte(report), &s); err != nil {
		t.Fatal(err)
	}
	k := s.Kinds["passport"]
	if k.KindRight.OK != 2 || k.Fields["gender"].Exact.OK != 1 || k.Fields["passport_no"].Exact.OK != 1 ||
		k.Fields["passport_no"].Covered.OK != 0 ||
		k.Fields["gender"].Silent.OK != 1 {
		t.Errorf("%s", report)
	}
	if !strings.Contains(p.command("eval", "documents", dir, "--compare", earlier), "passport gender") {
		t.Error("the comparison lacks a field")
	}
	f, err := os.Open(filepath.Join(dir, "fields.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) != 1+8+2 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

// TestGoldenDocuments: on the pictures that the repository carries every side of an ID is told from the other and from
// other documents, and no national number is wrong and unflagged.
func TestGoldenDocuments(t *testing.T) {
	p := program{t: t}
	var s document.DocumentScore
	report := p.command("eval", "documents", filepath.Join("..", "..", "models", "samples", "documents"), "--json")
	if err := json.Unmarshal([]byte(report), &s); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []appliance.Kind{appliance.NationalIDFront, appliance.NationalIDBack} {
		k := s.Kinds[string(kind)]
		if k.Pictures < 5 || k.KindRight.OK != k.Pictures || k.Number == nil || k.Number.Silent.OK > 0 {
			t.Errorf("%s: %+v %+v", kind, k, k.Number)
		}
		if reads := k.Number.Right.OK + k.Number.RightFlagged.OK; 2*reads < k.Number.Right.Of {
			t.Errorf("%s: %d of %d numbers right", kind, reads, k.Number.Right.Of)
		}
	}
}
