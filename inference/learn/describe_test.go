package learn

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/truth"
	"github.com/bawab/bawab/configs"
	"github.com/bawab/bawab/inference/documents"
	"github.com/bawab/bawab/inference/engine"
	"github.com/bawab/bawab/inference/site"
	"github.com/bawab/bawab/models"
)

// studentCard is where the kind of the exercise lies, with two drawn pictures.
const studentCard = "../documents/testdata/egypt/student"

// kindOfSite is a set with the student card, but for what is cut out of its labels.
func kindOfSite(t *testing.T, without ...string) *models.Set {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "student_card")
	if err := os.CopyFS(dir, os.DirFS(studentCard)); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, models.LabelsFile)
	labels, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range without {
		labels = []byte(strings.Replace(string(labels), w, "", 1))
	}
	if err := os.WriteFile(name, labels, 0o600); err != nil {
		t.Fatal(err)
	}
	base, err := models.Open()
	if err != nil {
		t.Fatal(err)
	}
	set, err := engine.WithKinds(base, filepath.Dir(dir))
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// learningOf is a call on a set with described kinds.
func learningOf(t *testing.T, set *models.Set) *Learning {
	t.Helper()
	l := &Learning{Set: set}
	if err := l.describe(); err != nil {
		t.Fatal(err)
	}
	return l
}

// student is a confirmed card of the n-th person.
func student(n int, university, name string) truth.Line {
	return truth.Line{Person: fmt.Sprint(n), Documents: []truth.Document{{Kind: "student_card", Fields: map[string]string{
		"university": university, "studentNumber": fmt.Sprintf("2021%04d", n), "name": name,
	}}}}
}

// What fewer than five persons have is told of nobody: no whole name ever, no number, and no value or word that is rarer.
func TestDescribedTellsOfNobody(t *testing.T) {
	l := learningOf(t, kindOfSite(t))
	var lines []truth.Line
	rare := []string{"زبرجد", "ياقوت", "مرجان", "لازورد", "عقيق", "فيروز", "زمرد", "كهرمان"}
	for n, own := range rare {
		university := "جامعة الجلالة"
		if n < 4 {
			university = "جامعة العلمين"
		}
		lines = append(lines, student(n, university, "محمد "+own), student(n, university, "محمد "+own)) // two cards of one person
	}
	lines = append(lines, student(8, "جامعة الجلالة", "سعاد "+rare[0]))
	values, words := l.oftenOf(lines)
	want := site.Printed{Kind: "student_card", Field: "university", Text: "جامعة الجلالة"}
	if !slices.Equal(values, []site.Printed{want}) || len(words) != 1 || words[0].Text != "محمد" || words[0].Field != "name" {
		t.Errorf("values %v, words %v", values, words)
	}
	text := fmt.Sprintf("%q", Described{Values: slices.Concat(values, words)}.of(l.Set.Kinds())["kinds/student_card/description.txt"])
	for _, secret := range append(rare, "20210001", "جامعة العلمين") {
		if strings.Contains(text, secret) {
			t.Errorf("the description holds %s", secret)
		}
	}
}

// What was learned stands in the files of the kind as an integrator would write it: they load, keep what they had, comments too, and can
// be learned again; wordings that are spelled like known ones are the error with file, line and reason.
func TestDescribedFiles(t *testing.T) {
	l := learningOf(t, kindOfSite(t))
	at := func(field, text string) site.Printed {
		return site.Printed{Kind: "student_card", Field: field, Text: text}
	}
	once := Described{
		Labels: []site.Printed{at("name", "المقيد باسم"), at("validUntil", "آخر موعد")},
		Values: []site.Printed{at("faculty", "كلية الآثار"), at("name", "محمد")},
	}.of(l.Set.Kinds())
	twice := Described{Labels: []site.Printed{at("name", "حامل البطاقة")}, Values: []site.Printed{at("faculty", "كلية العلوم")}}.of(once)
	all, err := documents.LoadKinds(twice)
	if err != nil || len(all) != 1 {
		t.Fatalf("%v\n%s", err, twice["kinds/student_card/description.txt"])
	}
	for _, f := range all[0].Fields {
		labels := strings.Join(f.Labels, " ")
		switch f.Name {
		case "name":
			if labels != "name learned_name" || !f.Required || !slices.Equal(f.Often, []string{"محمد"}) {
				t.Errorf("%+v", f)
			}
		case "faculty":
			if !slices.Equal(f.Often, []string{"كلية الآثار", "كلية العلوم"}) {
				t.Errorf("%+v", f)
			}
		}
	}
	if text := string(twice["kinds/student_card/labels.txt"]); !strings.Contains(text, "learned_name: المقيد باسم | حامل البطاقة\n") {
		t.Errorf("labels:\n%s", text)
	}
	if string(twice["kinds/student_card/truth.jsonl"]) != string(l.Set.Kinds()["kinds/student_card/truth.jsonl"]) {
		t.Error("the golden set changed")
	}
	bad := Described{Labels: []site.Printed{at("name", "رقم الطالب")}}.of(l.Set.Kinds())
	if _, err := documents.LoadKinds(bad); err == nil || !strings.Contains(err.Error(), "kinds/student_card/labels.txt:") {
		t.Errorf("a known wording: %v", err)
	}
	file, found := appended([]byte("field a line # why\nfield ab line\n"), "field a ", " label b")
	if !found || string(file) != "field a line label b# why\nfield ab line\n" {
		t.Errorf("%q", file)
	}
}

// siteOfStudents writes a truth set in which each of some persons has one of the two pictures, in both halves.
func siteOfStudents(t *testing.T, persons int) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(studentCard, models.TruthFile))
	if err != nil {
		t.Fatal(err)
	}
	shown := strings.Split(strings.TrimSpace(string(content)), "\n")
	dir := t.TempDir()
	for half, name := range truth.Halves() {
		var lines strings.Builder
		for i := range persons {
			var l truth.Line
			if err := json.Unmarshal([]byte(shown[i%2]), &l); err != nil {
				t.Fatal(err)
			}
			picture, err := os.ReadFile(filepath.Join(studentCard, l.File))
			if err != nil {
				t.Fatal(err)
			}
			l.File = fmt.Sprintf("pictures/00000000-0000-4000-8000-%06d%06d.jpg", half, i)
			l.Person, l.People, l.Release = fmt.Sprint(half, i), []string{"mona"}, "1"
			l.Day = time.Unix(86400*int64(half), 0).UTC().Format(time.DateOnly)
			if err := os.MkdirAll(filepath.Join(dir, name, "pictures"), 0o700); err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(l)
			if err := writeAll(err, filepath.Join(dir, name, l.File), picture); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&lines, "%s\n", text)
		}
		if err := writeAll(nil, filepath.Join(dir, name, "truth.jsonl"), []byte(lines.String())); err != nil {
			t.Fatal(err)
		}
	}
	if err := writeAll(nil, filepath.Join(dir, "truth.json"), []byte(`{"form":"bawab-truth/1","releases":["1"]}`)); err != nil {
		t.Fatal(err)
	}
	return dir
}

func writeAll(err error, name string, content []byte) error {
	if err != nil {
		return err
	}
	return os.WriteFile(name, content, 0o600)
}

// A set of a kind whose pack is gone is refused with what to do, and its documents are left out of readings.
func TestLearnsNoKindThatIsGone(t *testing.T) {
	base, err := models.Open()
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	l := &Learning{
		Dir: siteOfStudents(t, 2), Program: "1", WrongSilent: 0.05, BPCER: 0.02, Fewest: 2, Set: base, Errs: &said,
		Open: func(ctx context.Context, s *models.Set) (*engine.Engine, error) {
			return engine.OpenSet(ctx, s, configs.Picture{MaxBytes: 8 << 20, MaxPixels: 25e6, MinSide: 64}, 1)
		},
	}
	if _, err := l.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "no kind of document that the model set knows") {
		t.Errorf("learned: %v", err)
	}
	set, err := truth.Open(l.Dir)
	if err != nil {
		t.Fatal(err)
	}
	read, err := l.readings(t.Context(), set, "fit", "x", base)
	if err != nil || len(read) != 0 || !strings.Contains(said.String(), "left out: 2 documents of the kind student_card") {
		t.Errorf("%d readings, %v, %q", len(read), err, said.String())
	}
}

// A wording that the description lacks and the site's cards print is learned from what was confirmed of a kind that a pack brings, comes
// with its values into the set, and is told by no number.
func TestLearnsDescribedKind(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 60 pictures")
	}
	set := kindOfSite(t, " | الرقم الجامعي", " | العام الجامعي") // which is like it
	l := &Learning{
		Dir: siteOfStudents(t, 12), Program: "1", WrongSilent: 0.05, BPCER: 0.02, Fewest: 10, Set: set,
		Open: func(ctx context.Context, s *models.Set) (*engine.Engine, error) {
			return engine.OpenSet(ctx, s, configs.Picture{MaxBytes: 8 << 20, MaxPixels: 25e6, MinSide: 64}, 2)
		},
	}
	r, err := l.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	wording := site.Printed{Kind: "student_card", Field: "studentNumber", Text: "الرقم الجامعي"}
	if !slices.Equal(r.Described.Labels, []site.Printed{wording}) || len(r.Described.Values) == 0 {
		t.Errorf("learned %+v, %q", r.Described, r.Said)
	}
	if r.After.N != r.Before.N || r.After.Exact.OK < r.Before.Exact.OK || r.After.Silent.OK > r.Before.Silent.OK {
		t.Errorf("before %+v, after %+v", r.Before, r.After)
	}
	learned, err := l.set(&r)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range learned.Kinds() {
		if strings.HasSuffix(name, ".txt") && strings.Contains(string(content), "19883052") {
			t.Errorf("%s holds a number", name)
		}
	}
	brought, err := engine.KindsOf(learned)
	if err != nil || len(brought) != 1 || !slices.Equal(r.Site.Origin.Kinds, []appliance.Kind{"student_card"}) {
		t.Errorf("%v, %v", brought, err)
	}
}
