package documents

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference"
	"github.com/bawab/bawab/inference/describe"
	"github.com/bawab/bawab/inference/documents/egypt"
	"github.com/bawab/bawab/inference/field"
	"github.com/bawab/bawab/inference/form"
	"github.com/bawab/bawab/inference/inferencetest"
	"github.com/bawab/bawab/inference/line"
	"github.com/bawab/bawab/inference/page"
	"github.com/bawab/bawab/inference/text"
	"github.com/bawab/bawab/inference/text/texttest"
)

// card is what a picture shows, and where.
type card struct {
	File      string
	Documents []struct {
		Kind   appliance.Kind
		Quad   [4][2]float64
		Fields map[string]*string
	}
}

// bench reads cards by their true outlines with the product's networks.
type bench struct {
	words    *text.LineReader
	digits   *text.DigitReader
	detector *line.Detector
	by       *form.Calibration
}

func newBench(t *testing.T) bench {
	t.Helper()
	numbers, _ := inferencetest.Product(t, "digits")
	lines, _ := inferencetest.Product(t, "lines")
	wide, _ := inferencetest.Product(t, "lines_wide")
	return bench{texttest.Words(t), text.NewDigitReader(numbers), line.NewDetector(lines, wide), inferencetest.Calibrate[form.Calibration](t)}
}

// page lays the document of a card flat.
func (b bench) page(t *testing.T, folder string, c card, size page.Size) (*page.Page, *inference.Work) {
	t.Helper()
	var q appliance.Quad
	for i, p := range c.Documents[0].Quad {
		q[i] = appliance.Point{X: p[0], Y: p[1]}
	}
	v, ok := page.Lay(inferencetest.Picture(t, folder, c.File), q, size)
	if !ok {
		t.Fatalf("%s has no outline", c.File)
	}
	work := &inference.Work{}
	lines, err := v.Detect(inference.WithWork(t.Context(), work), b.detector)
	if err != nil {
		t.Fatal(err)
	}
	return page.New(v, lines, b.words, b.digits, &b.by.Page), work
}

// now is a day on which the cards of these tests are valid.
func now() time.Time { return time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC) }

// cardsOf reads the truth of a folder, the cards of one kind.
func cardsOf(t *testing.T, folder string, kind appliance.Kind) (out []card) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(folder, "truth.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		var c card
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		if len(c.Documents) == 1 && c.Documents[0].Kind == kind {
			out = append(out, c)
		}
	}
	return out
}

func descriptionOf(t *testing.T, kind appliance.Kind) *form.Description {
	t.Helper()
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(d *form.Description) bool { return d.Kind == kind })
	if i < 0 {
		t.Fatalf("%s is not described", kind)
	}
	return all[i]
}

// doubted reports whether a code of doubt stands on a field.
func doubted(r *form.Reading, name string) bool {
	ofDoubt := func(c appliance.Code) bool { return c != appliance.CodeExpired && c != appliance.CodeCheckDigit }
	return slices.ContainsFunc(r.Codes(name), ofDoubt)
}

// score counts the values that are right and those that are wrong without a flag, and names the others.
func score(t *testing.T, r *form.Reading, c card) (right, all, silent int) {
	t.Helper()
	for name, want := range c.Documents[0].Fields {
		value := ""
		if want != nil {
			value = *want
		}
		all++
		got := r.Field(name).Value
		switch {
		case got == value:
			right++
		case got != "" && !doubted(r, name):
			silent++
			fallthrough
		default:
			t.Logf("%s: %s is %q, read as %q, %v", c.File, name, value, got, r.Codes(name))
		}
	}
	return right, all, silent
}

// Property: the committed driving licences are read at least as well as by the engine before this one, nothing wrong without a
// flag, with no more than 36 inferences each.
func TestDrivingLicencesOfTheSamples(t *testing.T) {
	const leastShare, mostRuns = 0.94, 36
	b, d := newBench(t), descriptionOf(t, appliance.DrivingLicense)
	right, all, silent, cards := 0, 0, 0, 0
	for _, folder := range []string{"../../models/samples/licences", "../../models/samples/documents"} {
		for _, c := range cardsOf(t, folder, appliance.DrivingLicense) {
			p, work := b.page(t, folder, c, d.Size)
			r, err := d.Fit(inference.WithWork(t.Context(), work), p, b.by, field.Known{Now: now()})
			if err != nil {
				t.Fatal(err)
			}
			x, y, z := score(t, &r, c)
			right, all, silent, cards = right+x, all+y, silent+z, cards+1
			if runs, _ := work.Total(); runs > mostRuns {
				t.Errorf("%s took %d inferences", c.File, runs)
			}
			if !r.Proved() {
				t.Errorf("%s is not proved", c.File)
			}
		}
	}
	t.Logf("%d of %d values right, %d wrong without a flag, on %d cards", right, all, silent, cards)
	if cards < 4 || float64(right) < leastShare*float64(all) || silent > 0 {
		t.Errorf("%d of %d values right, %d wrong without a flag, on %d cards", right, all, silent, cards)
	}
}

// Property: of the committed fronts and backs of national IDs nearly all is read, nothing wrong without a flag, with no more than 14
// inferences on the mean, and they are proved to be what they are.
func TestIDsOfTheSamples(t *testing.T) {
	const mostRuns = 14
	b := newBench(t)
	for kind, leastShare := range map[appliance.Kind]float64{appliance.NationalIDFront: 0.93, appliance.NationalIDBack: 0.95} {
		d, cards := descriptionOf(t, kind), cardsOf(t, sampleFolder, kind)
		right, all, silent, runs := 0, 0, 0, int64(0)
		for _, c := range cards {
			p, work := b.page(t, sampleFolder, c, d.Size)
			r, err := d.Fit(inference.WithWork(t.Context(), work), p, b.by, field.Known{Now: now()})
			if err != nil {
				t.Fatal(err)
			}
			x, y, z := score(t, &r, c)
			right, all, silent = right+x, all+y, silent+z
			took, _ := work.Total()
			if runs += took; !r.Proved() {
				t.Errorf("%s %s is not proved", kind, c.File)
			}
		}
		if runs > int64(mostRuns*len(cards)) {
			t.Errorf("%d of %s took %d inferences", len(cards), kind, runs)
		}
		if all == 0 || float64(right) < leastShare*float64(all) || silent > 0 {
			t.Errorf("%s: %d of %d values right, %d wrong without a flag", kind, right, all, silent)
		}
	}
}

// Property: what stands above the title of a kind that it heads is not read, and no value is lost by that.
func TestPrintAboveATitle(t *testing.T) {
	b, headed := newBench(t), descriptionOf(t, appliance.NationalIDFront)
	whole := *headed
	whole.Headed = false
	fewer := 0
	for _, c := range cardsOf(t, sampleFolder, appliance.NationalIDFront) {
		var right [2]int
		var runs [2]int64
		for i, d := range []*form.Description{headed, &whole} {
			p, work := b.page(t, sampleFolder, c, d.Size)
			r, err := d.Fit(inference.WithWork(t.Context(), work), p, b.by, field.Known{Now: now()})
			if err != nil {
				t.Fatal(err)
			}
			right[i], _, _ = score(t, &r, c)
			runs[i], _ = work.Total()
		}
		if right[0] < right[1] || runs[0] > runs[1] {
			t.Errorf("%s: %d values in %d inferences, %d in %d with all print", c.File, right[0], runs[0], right[1], runs[1])
		}
		if runs[0] < runs[1] {
			fewer++
		}
	}
	if fewer < 3 {
		t.Errorf("%d cards were read with fewer inferences", fewer)
	}
}

// Property: a page that lies upside down, on which nothing can be read, is read once and not looked at again.
func TestIllegiblePageIsReadOnce(t *testing.T) {
	b, d := newBench(t), descriptionOf(t, appliance.DrivingLicense)
	cards := cardsOf(t, sampleFolder, appliance.DrivingLicense)
	for _, c := range cards {
		q := c.Documents[0].Quad
		c.Documents[0].Quad = [4][2]float64{q[2], q[3], q[0], q[1]}
		p, work := b.page(t, sampleFolder, c, d.Size)
		before, _ := work.Total()
		s, err := d.Survey(inference.WithWork(t.Context(), work), p, b.by)
		if err != nil {
			t.Fatal(err)
		}
		lines := 0
		for _, row := range p.Rows {
			lines += len(row)
		}
		if runs, _ := work.Total(); s.Named || lines == 0 || runs-before > int64(lines) {
			t.Errorf("%s: %d lines in %d inferences, %+v", c.File, lines, runs-before, s)
		}
	}
	if len(cards) == 0 {
		t.Error("there are no cards")
	}
}

const sampleFolder = "../../models/samples/documents"

// overlooked is the page of a card of which the detector missed a piece of print; ok is false where none says one of some words.
func (b bench) overlooked(t *testing.T, c card, d *form.Description, is func(said string) bool) (p *page.Page, ok bool) {
	t.Helper()
	p, _ = b.page(t, sampleFolder, c, d.Size)
	for i, row := range p.Rows {
		for k := range row {
			ink, err := p.Read(t.Context(), i, k)
			if err != nil {
				t.Fatal(err)
			}
			if is(ink.Text()) {
				p.Rows[i] = slices.Delete(slices.Clone(row), k, k+1)
				return p, true
			}
		}
	}
	return p, false
}

// Property: what the detector missed on a back is read where a word stands between two others, follows from the number where that tells
// it, and is flagged where every card has it; nothing else is taken for it.
func TestOverlookedOnABack(t *testing.T) {
	b, d := newBench(t), descriptionOf(t, appliance.NationalIDBack)
	among := func(words ...string) func(string) bool {
		return func(said string) bool { return slices.Contains(words, said) }
	}
	seen := map[string]int{}
	for name, is := range map[string]func(string) bool{
		"religion": among("مسلم", "مسلمة", "مسلمه", "مسيحي", "مسيحية"),
		"gender":   among("ذكر", "أنثى", "انثى", "أنثي", "انثي"),
		"idExpiry": func(said string) bool {
			return strings.Count(said, "/") == 2 && !strings.ContainsFunc(said, unicode.IsLetter)
		},
	} {
		for _, c := range cardsOf(t, sampleFolder, appliance.NationalIDBack) {
			p, ok := b.overlooked(t, c, d, is)
			if !ok {
				continue
			}
			seen[name]++
			r, err := d.Fit(t.Context(), p, b.by, field.Known{Now: now()})
			if err != nil {
				t.Fatal(err)
			}
			want, f := *c.Documents[0].Fields[name], r.Field(name)
			switch name {
			case "religion":
				if ok = f.Value == want; !ok && doubted(&r, name) { // what else is printed there may look like a word
					ok, seen[name] = true, seen[name]-1
				}
			case "gender":
				ok = f.Value == want && slices.Equal(f.DerivedFrom, []string{"idNumber"})
			default:
				ok = f.Value == "" && slices.Contains(r.Codes(name), appliance.CodeUnreadable)
			}
			if !ok {
				t.Errorf("%s without its %s: %+v, %v, want %s", c.File, name, f, r.Codes(name), want)
			}
			if _, _, silent := score(t, &r, c); silent > 0 {
				t.Errorf("%s without its %s: %d values wrong without a flag", c.File, name, silent)
			}
		}
	}
	if seen["religion"] < 2 || seen["gender"] < 2 || seen["idExpiry"] < 2 {
		t.Errorf("only %v were found", seen)
	}
}

// Property: kinds that the engine was not made for, a card and a sheet of A4, are a folder of data each and are read without learning
// anything for them.
func TestKindsAsData(t *testing.T) {
	all, err := Load(os.DirFS("testdata"))
	if err != nil {
		t.Fatal(err)
	}
	folders := map[appliance.Kind]string{"student_card": "testdata/egypt/student", "certificate": "testdata/egypt/certificate"}
	b := newBench(t)
	for _, d := range all {
		cards := cardsOf(t, folders[d.Kind], d.Kind)
		if len(cards) == 0 {
			t.Errorf("no picture of a %s", d.Kind)
		}
		for _, c := range cards {
			p, _ := b.page(t, folders[d.Kind], c, d.Size)
			t.Log("\n" + d.Explain(t.Context(), p, b.by))
			r, err := d.Fit(t.Context(), p, b.by, field.Known{Now: now()})
			if err != nil {
				t.Fatal(err)
			}
			if right, fields, silent := score(t, &r, c); right != fields || silent > 0 || !r.Named {
				t.Errorf("%s %s: %d of %d right, %d wrong without a flag, named %v", d.Kind, c.File, right, fields, silent, r.Named)
			}
		}
	}
	if len(all) != len(folders) {
		t.Errorf("%d descriptions", len(all))
	}
}

// Property: of a field whose values the description lists, a value of the list is read surely, and one that the list lacks as it is
// printed, in doubt, and never as another of the list.
func TestListedValues(t *testing.T) {
	const folder = "testdata/egypt/student"
	description, labels := readText(t, folder+"/description.txt"), readText(t, folder+"/labels.txt")
	description = strings.Replace(description, "field faculty       line  ", "field faculty       phrase", 1)
	b := newBench(t)
	cards := cardsOf(t, folder, "student_card")
	for list, listed := range map[string]bool{"كلية الطب | كلية الهندسة | كلية التجارة": true, "كلية الصيدلة | كلية التربية": false} {
		d, err := describe.Load(strings.NewReader(description+"\nvalues faculty "+list), strings.NewReader(labels), egypt.Knowledge())
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cards {
			p, _ := b.page(t, folder, c, d.Size)
			r, err := d.Fit(t.Context(), p, b.by, field.Known{Now: now()})
			if err != nil {
				t.Fatal(err)
			}
			got := r.Fields[slices.IndexFunc(r.Fields, func(f appliance.Field) bool { return f.Name == "faculty" })]
			if got.Value != *c.Documents[0].Fields["faculty"] || doubted(&r, "faculty") == listed {
				t.Errorf("%s of %q: %q, in doubt: %v", c.File, list, got.Value, doubted(&r, "faculty"))
			}
		}
	}
}

// Property: the short words that stand before a value on many a licence announce its field, also where one word is short for either of two.
func TestShortLabelsAnnounce(t *testing.T) {
	for kind, fields := range map[appliance.Kind]map[string]string{
		appliance.DrivingLicense: {
			"الإصدار": "issuenceDate", "تحرير": "issuenceDate", "انتهاء": "expiryDate", "ينتهي في": "expiryDate",
			"إدارة": "trafficUnit1", "وحدة": "trafficUnit2",
		},
		appliance.CarLicenseBack: {
			"صنع": "model_year", "موديل": "model_year sub_type", "الموديل": "sub_type", "اللتر": "volume", "سم٣": "",
			"Cyl": "cylinder", "Exam": "examination_dt",
		},
	} {
		d := Of(kind)
		for wording, want := range fields {
			var got []string
			for _, f := range d.Fields {
				if slices.ContainsFunc(d.Labels, func(l form.Label) bool {
					return slices.Contains(f.Labels, l.Name) && slices.Contains(l.Wordings, wording)
				}) {
					got = append(got, f.Name)
				}
			}
			slices.Sort(got)
			if strings.Join(got, " ") != want {
				t.Errorf("%s on %s announces %v, want %s", wording, kind, got, want)
			}
		}
	}
}

// readText reads a text file.
func readText(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Property: what stands on fronts of vehicle licences before a date, at either end of a term, beside a unit, and as their title is known; a
// word before a date is none of another field.
func TestWordingsOfFronts(t *testing.T) {
	d := descriptionOf(t, appliance.CarLicenseFront)
	for said, want := range map[string]string{
		"من": "issued", "ابتداء من": "issued", "إلى": "expires", "حتى": "expires", "لغاية": "expires",
		"بيانات المالك": "owner", "إدارة / وحدة": "office", "ترخيص مركبة": "vehicle", "ترخيص تسيير": "vehicle",
	} {
		var by []string
		for _, l := range d.Labels {
			if slices.Contains(l.Wordings, said) {
				by = append(by, l.Name)
			}
		}
		if !slices.Equal(by, []string{want}) {
			t.Errorf("%q: %q, want %q", said, by, want)
		}
	}
}

// Property: a folder without labels, one whose description is wrong and two of one kind are refused, and the folder is named.
func TestLoadNamesTheFolder(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"egypt/a/labels.txt: the file is missing": {"egypt/a/description.txt": "kind k\ntitle l\nfield f line\n"},
		"egypt/a/description.txt:2: field f: there is no decoder verse": {
			"egypt/a/description.txt": "kind k\nfield f verse\n", "egypt/a/labels.txt": "l: Club card\n",
		},
		"egypt/b/description.txt: kind k is described in egypt/a/description.txt already": {
			"egypt/a/description.txt": "kind k\ntitle l\nfield f line\n", "egypt/a/labels.txt": "l: Club card\n",
			"egypt/b/description.txt": "kind k\ntitle l\nfield f line\n", "egypt/b/labels.txt": "l: Club card\n",
		},
	} {
		root := t.TempDir()
		for file, content := range files {
			if err := os.MkdirAll(filepath.Join(root, filepath.Dir(file)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(root, file), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Load(os.DirFS(root)); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want %s", err, name)
		}
	}
}

// Property: the kinds of a tree come together as a set brings them, each under its name, with the pictures that its truth names and nothing
// else; what stays there is listed, and what is wrong is said with the file in the tree.
func TestCollect(t *testing.T) {
	good := func() fstest.MapFS {
		tree := fstest.MapFS{}
		for name, content := range map[string]string{
			"b/description.txt": "kind first\ntitle l\nfield f line\n", "b/labels.txt": "l: Club card\n", "b/draw.py": "print()", "b/9.jpg": "9",
			"a/c/description.txt": "kind second\ntitle l\nfield f line\n",
			"a/c/labels.txt":      "l: Pass card\n", "a/c/README.md": "r", "a/c/0.jpg": "0",
			"a/c/truth.jsonl": "{\"file\": \"0.jpg\"}\n\nnonsense\n",
		} {
			tree[name] = &fstest.MapFile{Data: []byte(content)}
		}
		return tree
	}
	files, err := Collect(good())
	want := []string{
		"kinds/first/description.txt", "kinds/first/labels.txt", "kinds/second/0.jpg", "kinds/second/README.md",
		"kinds/second/description.txt", "kinds/second/labels.txt", "kinds/second/truth.jsonl",
	}
	got := slices.Sorted(maps.Keys(files))
	if err != nil || !slices.Equal(got, want) || string(files["kinds/second/labels.txt"]) != "l: Pass card\n" {
		t.Errorf("%q, %v", got, err)
	}
	if left, err := Left(good()); err != nil || !slices.Equal(left, []string{"b/9.jpg", "b/draw.py"}) {
		t.Errorf("%q stay there, %v", left, err)
	}
	for want, change := range map[string]func(fstest.MapFS){
		"description.txt: no folder has one":  func(m fstest.MapFS) { clear(m) },
		"a/c/labels.txt: the file is missing": func(m fstest.MapFS) { delete(m, "a/c/labels.txt") },
		"b/description.txt:1: passport is the name of something that this program knows: take another": func(m fstest.MapFS) {
			m["b/description.txt"].Data = []byte("kind passport\n")
		},
		"b/labels.txt: it is no regular file, and only such files are read": func(m fstest.MapFS) {
			m["b/labels.txt"].Mode = fs.ModeNamedPipe
		},
		"a/c/truth.jsonl: it is no regular file, and only such files are read": func(m fstest.MapFS) {
			m["a/c/truth.jsonl"].Mode = fs.ModeDevice
		},
		"a/c/0.jpg: it is no regular file, and only such files are read": func(m fstest.MapFS) {
			m["a/c/0.jpg"] = &fstest.MapFile{Data: []byte("../../b/9.jpg"), Mode: fs.ModeSymlink}
		},
		`a/c/truth.jsonl:2: picture "../0.jpg": name it with letters, digits, _ and -, and .jpg or .png behind`: func(m fstest.MapFS) {
			m["a/c/truth.jsonl"].Data = []byte("\n{\"file\": \"../0.jpg\"}\n")
		},
	} {
		tree := good()
		change(tree)
		if _, err := Collect(tree); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Property: the page on adding a document names each decoder, agreement and check that a description may name.
func TestKnowledgeIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/adding-a-document.md")
	if err != nil {
		t.Fatal(err)
	}
	known := egypt.Knowledge()
	names := slices.Concat(slices.Collect(maps.Keys(known.Decoders)), slices.Collect(maps.Keys(known.Lists)),
		slices.Collect(maps.Keys(known.Agreements)), slices.Collect(maps.Keys(known.Checks)))
	for _, name := range names {
		if !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("the page does not name %s", name)
		}
	}
}
