package models

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// entry is a valid manifest entry for the given file content.
func entry(name, content string) Model {
	sum := sha256.Sum256([]byte(content))
	return Model{
		Name:   name,
		File:   name + ".tflite",
		SHA256: hex.EncodeToString(sum[:]),
		Input:  Tensor{Name: "in", Shape: []int{1, 4, 4, 3}, Type: "int8", Scale: 0.5, ZeroPoint: -128, Channels: RGB},
		Output: Tensor{Name: "out", Shape: []int{1, 7}, Type: "int8", Scale: 0.25, ZeroPoint: 127},
		MACs:   5,
		Thresholds: map[string]Threshold{
			"reject": {Value: 0.75, DataSet: "numbers", Date: "2026-01-31", Budget: "1 in 1,000"},
		},
	}
}

// folder is a models folder with a manifest of the entries and the files given
// as name, content, name, content.
func folder(t *testing.T, entries []Model, files ...string) fstest.MapFS {
	t.Helper()
	text, err := json.Marshal(map[string]any{"models": entries})
	if err != nil {
		t.Fatal(err)
	}
	f := fstest.MapFS{manifestFile: {Data: text}}
	for i := 0; i < len(files); i += 2 {
		f[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	return f
}

// TestEmbedded: the binary's own models are those of its manifest, the set has
// a version, and every model and threshold says where it comes from.
func TestEmbedded(t *testing.T) {
	set, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	if v := set.Version(); v < 2026010100 {
		t.Errorf("the set has version %d: bawab_training.export.manifest writes one", v)
	}
	for _, m := range set.List() {
		if m.Provenance == "" {
			t.Errorf("%s does not say what it was made from: bawab_training.export.manifest --provenance", m.Name)
		}
		if m.MACs < 1 || m.Input.Channels == "" {
			t.Errorf("%s: %d multiply-accumulates, channels %q", m.Name, m.MACs, m.Input.Channels)
		}
		for name, th := range m.Thresholds {
			if th.DataSet == "" || th.Budget == "" || len(th.Date) != len("2026-01-31") {
				t.Errorf("%s: threshold %s has no origin: %+v", m.Name, name, th)
			}
		}
	}
}

// The card of each network says in a table what it was made from and under which licence, and whether a bank may rely on that: a source on
// which it may not rely stands in the cards of networks that are not called clean, and in no other.
func TestProvenanceOfCards(t *testing.T) {
	const head = "| source | what for | licence | may a bank rely on it |"
	set, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	cards, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	tables := map[string]string{} // by the files that a card's title names
	for _, card := range cards {
		text, err := os.ReadFile(card)
		if err != nil {
			t.Fatal(err)
		}
		title, body, _ := strings.Cut(string(text), "\n")
		_, table, _ := strings.Cut(body, head)
		table, _, _ = strings.Cut(table, "\n\n")
		for _, word := range strings.FieldsFunc(title, func(r rune) bool { return r == ' ' || r == ',' || r == ':' }) {
			tables[word] = table
		}
	}
	for _, m := range set.List() {
		table := tables[m.File]
		if strings.Count(table, "\n|") < 2 {
			t.Errorf("%s: the card of %s has no table of sources with a row", m.Name, m.File)
			continue
		}
		if refused := strings.Contains(table, "| no, "); refused == (m.Provenance == Clean) {
			t.Errorf("%s is made from %q, and its card says otherwise:%s", m.Name, m.Provenance, table)
		}
	}
}

// TestSizes: the files of the networks that read IDs, of those for general text, of those for faces, and of those that plates, their surroundings and signs of fraud take beyond
// them, stay below the megabytes that each group may have.
func TestSizes(t *testing.T) {
	set, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	for purpose, group := range map[string]struct {
		files []string
		most  int
	}{
		"general text":      {[]string{"text_general.tflite", "numbers.tflite"}, 2_000_000},
		"IDs":               {[]string{"documents.tflite", "lines.tflite", "baseline.tflite", "text.tflite", "digits.tflite"}, 8_000_000},
		"faces":             {[]string{"faces.tflite", "landmarks.tflite", "embedder.tflite", "embedder_near.tflite", "liveness.tflite", "liveness_wide.tflite"}, 8_000_000},
		"plates and frauds": {[]string{"plates.tflite", "surroundings.tflite", "fraud.tflite"}, 5_000_000},
	} {
		sizes := map[string]int{}
		for _, m := range set.List() {
			sizes[m.File] = len(m.Bytes) // several models of one file share its weights
		}
		total := 0
		for _, file := range group.files {
			if sizes[file] == 0 {
				t.Errorf("%s: %s is no file of the set", purpose, file)
			}
			total += sizes[file]
		}
		if total > group.most {
			t.Errorf("%s: %d bytes in %v, at most %d", purpose, total, group.files, group.most)
		}
	}
}

// TestOpen: a good folder gives its models, sorted, with bytes and thresholds,
// one that is another's file with changes too, which stays as it is; an unknown
// name is ErrUnknown; what is stated of them has no bytes.
func TestOpen(t *testing.T) {
	labelled := entry("a", "aa")
	labelled.Labels, labelled.Provenance = "أبج123", ResearchData
	changed := entry("c", "bcb")
	changed.File, changed.Changes = "b.tflite", map[int]byte{1: 'c'}
	set, err := open(folder(t, []Model{entry("b", "bbb"), labelled, changed}, "a.tflite", "aa", "b.tflite", "bbb", "README", "x"))
	if err != nil {
		t.Fatal(err)
	}
	want := []Model{entry("a", "aa"), entry("b", "bbb"), changed}
	want[0].Labels, want[0].Provenance = "أبج123", ResearchData
	want[0].Bytes, want[1].Bytes, want[2].Bytes = []byte("aa"), []byte("bbb"), []byte("bcb")
	if diff := cmp.Diff(want, set.List()); diff != "" {
		t.Error(diff)
	}
	b, err := set.Model("b")
	if err != nil || b.Name != "b" || b.Input.Len() != 48 {
		t.Errorf("model b: %+v, %v", b, err)
	}
	if v, ok := b.Threshold("reject"); v != 0.75 || !ok {
		t.Errorf("threshold reject: %v, %v", v, ok)
	}
	if _, ok := b.Threshold("accept"); ok {
		t.Error("a threshold that is not there was found")
	}
	if _, err := set.Model("d"); !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), `"d"`) {
		t.Errorf("model d: %v", err)
	}
	for i, m := range set.Stated().List() {
		want[i].Bytes = nil
		if diff := cmp.Diff(want[i], m); diff != "" {
			t.Error(diff)
		}
	}
	if b, err := set.Model("b"); err != nil || string(b.Bytes) != "bbb" {
		t.Errorf("Stated took the bytes of the set: %q, %v", b.Bytes, err)
	}
	set.List()[0].Name = "changed"
	if _, err := set.Model("a"); err != nil {
		t.Errorf("List gives away the set's own slice: %v", err)
	}
}

// many are files of numbered names, as folder takes them.
func many(format string, n int) (files []string) {
	for i := range n {
		files = append(files, fmt.Sprintf(format, i), "x")
	}
	return files
}

// TestKinds: a set brings the kinds that lie in it, and a set written of its
// contents is the same; what is stated of them has no golden set.
func TestKinds(t *testing.T) {
	changed := entry("c", "bcb")
	changed.File, changed.Changes = "b.tflite", map[int]byte{1: 'c'}
	set, err := open(folder(t, []Model{entry("b", "bbb"), changed}, "b.tflite", "bbb", SiteFile, "{}",
		"kinds/k/description.txt", "d", "kinds/k/labels.txt", "l", "kinds/k/README.md", "r", "kinds/k/truth.jsonl", "t", "kinds/k/0.jpg", "p"))
	if err != nil || len(set.Kinds()) != 5 || string(set.Kinds()["kinds/k/0.jpg"]) != "p" {
		t.Fatalf("%v, %v", set.Kinds(), err)
	}
	stated := map[string][]byte{"kinds/k/description.txt": []byte("d"), "kinds/k/labels.txt": []byte("l")}
	if diff := cmp.Diff(stated, set.Stated().Kinds()); diff != "" {
		t.Error(diff)
	}
	day := time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)
	c, err := set.Contents(day)
	if err != nil || c.Version != 2026112800 {
		t.Fatalf("version %d, %v", c.Version, err)
	}
	dir := t.TempDir()
	if err := c.Write(dir); err != nil {
		t.Fatal(err)
	}
	again, err := Load(os.DirFS(dir))
	if err != nil || again.Version() != c.Version || string(again.Site()) != "{}" || len(again.List()) != 2 {
		t.Fatalf("%+v, %v", again, err)
	}
	if diff := cmp.Diff(set.Kinds(), again.Kinds()); diff != "" {
		t.Error(diff)
	}
	if c, err = again.Contents(day); err != nil || c.Version != 2026112801 {
		t.Errorf("the next version is %d, %v", c.Version, err)
	}
	none, err := open(folder(t, []Model{entry("b", "bbb")}, "b.tflite", "bbb"))
	if err != nil || len(none.Kinds()) != 0 {
		t.Errorf("%v, %v", none.Kinds(), err)
	}
}

// TestOpenRefuses: everything that is wrong with a folder is an error that
// names the model or the file.
func TestOpenRefuses(t *testing.T) {
	tests := map[string]struct {
		spoil func(m *Model)
		files []string
		want  string
	}{
		"cut":           {nil, []string{"a.tflite", "a"}, "file a.tflite (1 bytes) is not the one of the manifest"},
		"flipped":       {nil, []string{"a.tflite", "ab"}, "file a.tflite (2 bytes) is not the one of the manifest"},
		"missing":       {nil, nil, "model a: read file: open a.tflite"},
		"stranger":      {nil, []string{"a.tflite", "aa", "b.tflite", "x"}, "file b.tflite is in no entry"},
		"dynamic batch": {func(m *Model) { m.Input.Shape[0] = -1 }, []string{"a.tflite", "aa"}, "model a: input shape [-1 4 4 3]"},
		"no shape":      {func(m *Model) { m.Output.Shape = nil }, []string{"a.tflite", "aa"}, "model a: output shape []"},
		"float":         {func(m *Model) { m.Output.Type = "float32" }, []string{"a.tflite", "aa"}, `model a: output type "float32"`},
		"no scale":      {func(m *Model) { m.Output.Scale = 0 }, []string{"a.tflite", "aa"}, "model a: output type"},
		"zero point":    {func(m *Model) { m.Input.ZeroPoint = 128 }, []string{"a.tflite", "aa"}, "zero point 128"},
		"channels":      {func(m *Model) { m.Input.Channels = Grey }, []string{"a.tflite", "aa"}, `channels "grey" do not fit`},
		"few labels":    {func(m *Model) { m.Labels = "ab" }, []string{"a.tflite", "aa"}, "model a: labels name 2 symbols for 7 classes"},
		"label twice":   {func(m *Model) { m.Labels = "012344" }, []string{"a.tflite", "aa"}, "model a: labels name a symbol twice"},
		"width": {
			func(m *Model) { m.Widths = []int{4} },
			[]string{"a.tflite", "aa"},
			"model a: width 4 is not above the one before, other than 4",
		},
		"changed": {
			func(m *Model) { m.Changes = map[int]byte{1: 'b'} },
			[]string{"a.tflite", "aa"},
			"file a.tflite (2 bytes) is not the one of the manifest",
		},
		"change": {
			func(m *Model) { m.Changes = map[int]byte{2: 'a'} },
			[]string{"a.tflite", "aa"},
			"model a: change at 2: a.tflite has 2 bytes",
		},
		"kind file":   {nil, []string{"a.tflite", "aa", "kinds/k/draw.py", "x"}, "kinds/k/draw.py: a kind has description.txt, labels.txt"},
		"kind folder": {nil, []string{"a.tflite", "aa", "kinds/k/l/labels.txt", "x"}, "kinds/k/l/labels.txt: a kind has"},
		"kind name":   {nil, []string{"a.tflite", "aa", "kinds/a-b/labels.txt", "x"}, "kinds/a-b/labels.txt: a kind has"},
		"half a kind": {nil, []string{"a.tflite", "aa", "kinds/k/labels.txt", "x"}, "kinds/k/description.txt: the file is missing"},
		"large kind": {
			nil,
			[]string{"a.tflite", "aa", "kinds/k/0.jpg", strings.Repeat("x", mostKindBytes+1)},
			"kinds/k/0.jpg: larger than 8 MiB",
		},
		"many kinds": {
			nil, append([]string{"a.tflite", "aa"}, many("kinds/k%02d/description.txt", MostKinds+1)...),
			"kinds/k16/description.txt: more than 16 kinds",
		},
		"many files": {
			nil, append([]string{"a.tflite", "aa"}, many("kinds/k/%02d.jpg", mostPictures+1)...),
			"kinds/k/16.jpg: a golden set of more than 16 pictures",
		},
		"provenance":   {func(m *Model) { m.Provenance = "bought" }, []string{"a.tflite", "aa"}, `model a: provenance "bought" is neither`},
		"colour order": {func(m *Model) { m.Input.Channels = "bgr" }, []string{"a.tflite", "aa"}, `channels "bgr" do not fit`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			m := entry("a", "aa")
			if tt.spoil != nil {
				tt.spoil(&m)
			}
			_, err := open(folder(t, []Model{m}, tt.files...))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v does not say %q", err, tt.want)
			}
		})
	}
}

// TestOpenManifest: a manifest that is missing, not JSON, misspelt or names a
// model twice is refused.
func TestOpenManifest(t *testing.T) {
	twice := folder(t, []Model{entry("a", "aa"), entry("a", "aa")}, "a.tflite", "aa")
	tests := map[string]struct {
		files fstest.MapFS
		want  string
	}{
		"missing":  {fstest.MapFS{}, "read model manifest"},
		"not JSON": {fstest.MapFS{manifestFile: {Data: []byte("{")}}, "read manifest.json"},
		"misspelt": {fstest.MapFS{manifestFile: {Data: []byte(`{"models":[{"nane":"a"}]}`)}}, `"nane"`},
		"twice":    {twice, "model a is named twice"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if _, err := open(tt.files); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v does not say %q", err, tt.want)
			}
		})
	}
}
