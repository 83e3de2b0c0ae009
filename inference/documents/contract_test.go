package documents

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/models"
)

// write lets TestContract write the file that it checks: go generate ./inference/documents.
var write = flag.Bool("write", false, "write appliance/kinds.json anew")

const (
	// kindsFile is what the program and the training know of the kinds of the contract.
	kindsFile = "../../appliance/kinds.json"
	// contractFile stands in the folder of a kind of the contract, and says what the description does not.
	contractFile = "contract.json"
)

// declared is what contractFile says of a kind, which appliance.Facts explains. Of a kind that is described the description says how it is
// named, and which fields are dates.
type declared struct {
	Class     int             `json:"class"` // of the network that finds documents, which is the place in the contract
	Kind      appliance.Kind  `json:"kind"`
	Endpoint  json.RawMessage `json:"endpoint"`
	Identity  json.RawMessage `json:"identity"`
	OtherSide json.RawMessage `json:"other_side"`
	Sizes     json.RawMessage `json:"sizes"`
	Portrait  json.RawMessage `json:"portrait"`
	Beside    json.RawMessage `json:"beside"`
	Cues      json.RawMessage `json:"cues"`
	Fields    []struct {
		Name string `json:"name"`
		Date bool   `json:"date"`
		Text bool   `json:"text"` // the contract has the date as a text
		Says string `json:"says"`
	} `json:"fields"`
}

// text is the kind as kindsFile has it.
func (k *declared) text() string {
	var out strings.Builder
	fmt.Fprintf(&out, "  {\n    \"kind\": %q,\n", k.Kind)
	for _, m := range []struct {
		name  string
		value json.RawMessage
	}{
		{"endpoint", k.Endpoint},
		{"identity", k.Identity},
		{"other_side", k.OtherSide},
		{"sizes", k.Sizes},
		{"portrait", k.Portrait},
		{"beside", k.Beside},
		{"cues", k.Cues},
	} {
		if m.value != nil {
			fmt.Fprintf(&out, "    %q: %s,\n", m.name, m.value)
		}
	}
	fields := make([]string, len(k.Fields))
	for i, f := range k.Fields {
		fields[i] = fmt.Sprintf("      {\"name\": %q", f.Name)
		if f.Date {
			fields[i] += `, "date": true`
		}
		if f.Says != "" {
			fields[i] += fmt.Sprintf(", \"says\": %q", f.Says)
		}
	}
	fmt.Fprintf(&out, "    \"fields\": [\n%s}\n    ]\n  }", strings.Join(fields, "},\n"))
	return out.String()
}

// contract makes kindsFile of the folders of a tree.
func contract(tree fs.FS) ([]byte, error) {
	folders, err := fs.Glob(tree, "*/*/"+contractFile)
	if err != nil {
		return nil, err
	}
	all := make([]string, len(folders))
	for _, name := range folders {
		k, err := declaredIn(tree, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if k.Class < 0 || k.Class >= len(all) || all[k.Class] != "" {
			return nil, fmt.Errorf("%s: class %d is another's, or there are fewer kinds", name, k.Class)
		}
		all[k.Class] = k.text()
	}
	return []byte("[\n" + strings.Join(all, ",\n") + "\n]\n"), nil
}

// declaredIn is what the folder of a kind says of it.
func declaredIn(tree fs.FS, name string) (k declared, err error) {
	text, err := fs.ReadFile(tree, name)
	if err != nil {
		return k, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&k); err != nil {
		return k, err
	}
	if _, err := fs.Stat(tree, path.Join(path.Dir(name), models.DescriptionFile)); err != nil {
		return k, nil // its reader has a way of its own
	}
	folder, err := fs.Sub(tree, path.Dir(name))
	if err != nil {
		return k, err
	}
	all, err := Load(folder)
	if err != nil {
		return k, err
	}
	return k, k.describe(all[0].Kind, all[0].Model())
}

// describe adds what the description of a kind says. Its fields and those of the contract are the same.
func (k *declared) describe(kind appliance.Kind, model []appliance.FieldSpec) error {
	if k.Kind != "" || len(k.Fields) != len(model) {
		return fmt.Errorf("it names the kind %q and has %d fields; the description says %s, and %d", k.Kind, len(k.Fields), kind, len(model))
	}
	k.Kind = kind
	for i := range k.Fields {
		f := &k.Fields[i]
		at := slices.IndexFunc(model, func(s appliance.FieldSpec) bool { return s.Name == f.Name })
		if at < 0 || f.Date {
			return fmt.Errorf("field %s is not described, stands twice, or is said to be a date, which the description says", f.Name)
		}
		f.Date = model[at].Type == appliance.Date && !f.Text
		model = slices.Delete(slices.Clone(model), at, at+1) // it stands once
	}
	return nil
}

// Property: what the program and the training know of the kinds of the contract is what their folders say.
func TestContract(t *testing.T) {
	want, err := contract(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	if *write {
		if err := os.WriteFile(kindsFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(kindsFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is stale: write it anew with `go generate ./inference/documents`", kindsFile)
	}
}
