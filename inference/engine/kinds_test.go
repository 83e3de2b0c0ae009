package engine

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/inference/describe"
	"github.com/bawab/bawab/models"
)

// student is the kind of the exercise.
const student appliance.Kind = "student_card"

// studentFiles are the files of the exercise as a set holds them.
func studentFiles(t *testing.T) map[string][]byte {
	t.Helper()
	folder := filepath.Join("..", "documents", "testdata", "egypt", "student")
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, e := range entries {
		if files["kinds/student_card/"+e.Name()], err = os.ReadFile(filepath.Join(folder, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// setWith is the set of the program with kinds.
func setWith(t *testing.T, files map[string][]byte) *models.Set {
	t.Helper()
	set, err := models.Open()
	if err != nil {
		t.Fatal(err)
	}
	c, err := set.Contents(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	c.Kinds = files
	dir := t.TempDir()
	if err := c.Write(dir); err != nil {
		t.Fatal(err)
	}
	if set, err = models.Load(os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return set
}

// openStudent opens the networks of the program with the kind of the exercise.
func openStudent(t *testing.T) *Engine {
	t.Helper()
	e, err := OpenSet(t.Context(), setWith(t, studentFiles(t)), referencePictures(), 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// turned is a picture turned clockwise by so many quarters.
func turned(t *testing.T, raw []byte, quarters int) []byte {
	t.Helper()
	m, err := jpeg.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	for range quarters {
		b := m.Bounds()
		out := image.NewRGBA(image.Rect(0, 0, b.Dy(), b.Dx()))
		for y := range b.Dy() {
			for x := range b.Dx() {
				out.Set(b.Dy()-1-y, x, m.At(b.Min.X+x, b.Min.Y+y))
			}
		}
		m = out
	}
	return encoded(t, m)
}

func encoded(t *testing.T, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Property: a kind of document that comes with a set is read through its own endpoint, however it lies, and is proved; each value is right
// or flagged.
func TestKindOfASet(t *testing.T) {
	e := openStudent(t)
	if kinds := e.Kinds(); len(kinds) != 1 || kinds[0].Kind != student || kinds[0].Title != "بطاقة طالب" || len(kinds[0].Fields) != 5 ||
		kinds[0].Fields[4] != (appliance.FieldSpec{Name: "validUntil", Type: appliance.Date}) {
		t.Fatalf("%+v", kinds)
	}
	files := studentFiles(t)
	all, err := goldenOf(setWith(t, files), e.Kinds())
	if err != nil || len(all) != 2 {
		t.Fatalf("%d pictures, %v", len(all), err)
	}
	for _, g := range all {
		for quarters := range 4 {
			g.picture = turned(t, files[g.name], quarters)
			if err := checkGolden(t.Context(), e, g); err != nil {
				t.Errorf("turned by %d: %v", quarters, err)
			}
			d, err := e.readAs(t.Context(), student, g.picture)
			if err != nil || len(d.Model) != 5 || d.Quad == (appliance.Quad{}) || d.Capture.Sharpness == 0 {
				t.Errorf("turned by %d: %+v, %v", quarters, d, err)
			}
			for name, want := range g.fields {
				if f := d.Field(name); f.Value != *want {
					t.Errorf("turned by %d: %s is %q, want %q", quarters, name, f.Value, *want)
				}
			}
		}
	}
}

// Property: what is no document of the kind is never taken for one, and no value of it comes without a flag.
func TestOtherDocumentsAreNotOfAKind(t *testing.T) {
	e := openStudent(t)
	seen := 0
	for _, pattern := range []string{"*.jpg", "documents/*.jpg", "licences/*.jpg"} {
		names, err := filepath.Glob(filepath.Join("..", "..", "models", "samples", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			raw, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			d, err := e.readAs(t.Context(), student, raw)
			if err != nil || d.Kind != appliance.Unknown {
				t.Errorf("%s: taken for a %s, %v", name, d.Kind, err)
			}
			for _, f := range d.Fields {
				if f.Value != "" && !slices.ContainsFunc(d.Codes(f.Name), appliance.Code.Doubts) {
					t.Errorf("%s: %s is %q without a flag", name, f.Name, f.Value)
				}
			}
			seen++
		}
	}
	if seen < 20 {
		t.Errorf("%d pictures: the samples were not found", seen)
	}
}

// Property: a kind that is wrong is refused with its file, the line and the reason, before anything of it is used.
func TestBadKindsAreRefused(t *testing.T) {
	var labels strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&labels, "l%d: word %d\n", i, i)
	}
	const folder = "kinds/student_card/"
	for name, test := range map[string]struct{ file, content, want string }{
		"a label twice":       {"labels.txt", "title: Card\ntitle: Pass\n", "labels.txt:2: label title stands in line 1 already"},
		"ten thousand labels": {"labels.txt", labels.String(), "labels.txt:201: more than 200 labels"},
		"a place outside": {
			"description.txt", "kind k\ntitle title\nfield f line at 2 0 0.1 0.1\n",
			"description.txt:3: field f: the place 2, 0 lies outside the document, which reaches from 0 to 1",
		},
		"no such decoder": {
			"description.txt", "kind k\ntitle title\nfield f verse\n",
			"description.txt:3: field f: there is no decoder verse",
		},
		"a circle": {
			"description.txt", "kind k\ntitle title\nfield f line follows g\nfield g line follows f\n",
			"description.txt:3: field f follows itself",
		},
		"a kind that is known": {
			"description.txt", "kind passport\n",
			"description.txt:1: passport is the name of something that this program knows: take another",
		},
		"a proof that never comes": {
			"description.txt", "kind k\nfield f line\n",
			"description.txt: nothing can prove the kind: name a title, or 2 fields that prove it",
		},
	} {
		files := studentFiles(t)
		files[folder+test.file] = []byte(test.content)
		_, err := OpenSet(t.Context(), setWith(t, files), referencePictures(), 1)
		var fault describe.Fault
		if !errors.As(err, &fault) || err.Error() != "load kind: "+folder+test.want {
			t.Errorf("%s: %v, want %s", name, err, test.want)
		}
	}
	files := studentFiles(t)
	files["kinds/other/description.txt"], files["kinds/other/labels.txt"] = files[folder+"description.txt"], files[folder+"labels.txt"]
	_, err := OpenSet(t.Context(), setWith(t, files), referencePictures(), 1)
	if want := folder + "description.txt: kind student_card is described in kinds/other/description.txt already"; err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// Property: the golden set of a kind is read before the kind is used. One that does not prove the kind, or says otherwise of a value than
// what is read without a flag, stops it, as does a kind that takes an ID for one of its own; the picture is named.
func TestGoldenSets(t *testing.T) {
	const folder = "kinds/student_card/"
	truth := func(s string) func(map[string][]byte) {
		return func(files map[string][]byte) { files[folder+"truth.jsonl"] = []byte(s) }
	}
	replaced := func(file, from, to string) func(map[string][]byte) {
		return func(files map[string][]byte) {
			before := string(files[folder+file])
			after := strings.Replace(before, from, to, 1)
			if before == after {
				t.Fatalf("%s does not hold %q", file, from)
			}
			files[folder+file] = []byte(after)
		}
	}
	for name, test := range map[string]struct {
		spoil func(map[string][]byte)
		want  []string
	}{
		"as it is": {func(map[string][]byte) {}, nil},
		"without a golden set": {func(files map[string][]byte) {
			maps.DeleteFunc(files, func(name string, _ []byte) bool { return strings.Contains(name, ".j") })
		}, nil},
		"another number": {
			replaced("truth.jsonl", "20214471", "20214477"),
			[]string{
				`read kinds/student_card/00.jpg: studentNumber is wrong, and no code says so: "20214471" was read, and the truth is "20214477"`,
			},
		},
		"another title": {
			replaced("labels.txt", "title: بطاقة طالب | كارنيه طالب | بطاقة طالبة | Student Card", "title: نادي الصيد"),
			[]string{"00.jpg: nothing on it proves that it is of the kind student_card"},
		},
		"the title of IDs": {
			replaced("labels.txt", "title:", "title: بطاقة تحقيق شخصية | "),
			[]string{"read id_front.jpg: it is taken for one of the kind student_card"},
		},
		"no JSON":     {truth("\nno\n"), []string{folder + "truth.jsonl:2: invalid character"}},
		"no picture":  {truth(`{"file": "../../a.jpg"}`), []string{folder + "truth.jsonl:1: there is no picture ../../a.jpg beside it"}},
		"no document": {truth(`{"file": "00.jpg"}`), []string{folder + "truth.jsonl:1: 00.jpg shows 0 documents, want one"}},
		"a picture twice": {
			func(files map[string][]byte) {
				files[folder+"truth.jsonl"] = append(files[folder+"truth.jsonl"], files[folder+"truth.jsonl"]...)
			},
			[]string{folder + "truth.jsonl:3: a line above has 00.jpg already"},
		},
		"a picture without truth": {
			func(files map[string][]byte) { files[folder+"02.png"] = files[folder+"01.jpg"] },
			[]string{folder + "02.png: no line of truth.jsonl names this picture"},
		},
		"another form of dates": {
			truth(`{"file": "00.jpg", "documents": [{"kind": "student_card", "fields": {"validUntil": "31/12/2027"}}]}`),
			[]string{`truth.jsonl:1: validUntil is a date, which is written YYYY-MM-DD, and not "31/12/2027"`},
		},
		"no such kind": {
			truth(`{"file": "00.jpg", "documents": [{"kind": "club_card"}]}`),
			[]string{"truth.jsonl:1: there is no kind club_card in the set"},
		},
		"no such field": {
			truth(`{"file": "00.jpg", "documents": [{"kind": "student_card", "fields": {"age": "7"}}]}`),
			[]string{"truth.jsonl:1: the kind student_card has no field age"},
		},
	} {
		files := studentFiles(t)
		test.spoil(files)
		err := CheckKinds(t.Context(), setWith(t, files), func(string, error) {})
		if len(test.want) == 0 && err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, want := range test.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %s", name, err, want)
			}
		}
	}
}

// Property: the check of a set takes in the kinds that it brings.
func TestCheckSetReadsGoldenSets(t *testing.T) {
	files := studentFiles(t)
	var told []string
	if err := CheckSet(t.Context(), setWith(t, files), func(picture string, err error) { told = append(told, picture) }); err != nil {
		t.Error(err)
	}
	for _, want := range []string{
		"passport.jpg", "kinds/student_card/00.jpg", "kinds/student_card/01.jpg", "kind student_card against the reference pictures",
	} {
		if !slices.Contains(told, want) {
			t.Errorf("%s was not looked at, %q were", want, told)
		}
	}
}

// crowded is a sheet of a few dozen to a few hundred lines of text without a title: those of a card, over and over.
func crowded(t *testing.T, card []byte, columns, rows int) []byte {
	t.Helper()
	m, err := jpeg.Decode(bytes.NewReader(card))
	if err != nil {
		t.Fatal(err)
	}
	const left, top, w, h, rim = 170, 205, 560, 110, 80
	out := image.NewRGBA(image.Rect(0, 0, columns*w+2*rim, rows*h+2*rim))
	draw.Draw(out, out.Bounds(), image.NewUniform(color.Gray{Y: 60}), image.Point{}, draw.Src)
	for y := range rows {
		for x := range columns {
			at := image.Rect(0, 0, w, h).Add(image.Pt(rim+x*w, rim+y*h))
			draw.Draw(out, at, m, image.Pt(left, top), draw.Src)
		}
	}
	return encoded(t, out)
}

// Property: a picture of hundreds of lines, read by a description as large as any may be, costs a bounded number of inferences.
func TestCrowdedPicture(t *testing.T) {
	files := studentFiles(t)
	labels := strings.Builder{}
	labels.Write(files["kinds/student_card/labels.txt"])
	for i := range 138 {
		fmt.Fprintf(&labels, "l%d:", i)
		for k := range 6 {
			fmt.Fprintf(&labels, " %s %d %d|", strings.Repeat("ابجد ", 14), i, k)
		}
		fmt.Fprintf(&labels, " x%d\n", i)
	}
	description := strings.Builder{}
	description.Write(files["kinds/student_card/description.txt"])
	for i := range 59 {
		fmt.Fprintf(&description, "\nfield f%d line lines 6 label l%d", i, i)
	}
	files["kinds/student_card/labels.txt"] = []byte(labels.String())
	files["kinds/student_card/description.txt"] = []byte(description.String())
	e, err := OpenSet(t.Context(), setWith(t, files), referencePictures(), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for _, n := range [][2]int{{1, 3}, {2, 7}, {3, 9}, {5, 16}} {
		p, err := e.Decoder.Decode(t.Context(), crowded(t, files["kinds/student_card/00.jpg"], n[0], n[1]))
		if err != nil {
			t.Fatal(err)
		}
		reading, err := e.Readers()[appliance.KindEndpoint(student)].Read(t.Context(), p, nil)
		if err != nil && appliance.CodeOf(err) != appliance.CodeNoDocument {
			t.Error(err)
		}
		var runs int64
		for _, s := range reading.Stages {
			runs += s.Runs
		}
		t.Logf("%d lines: %d inferences", 3*n[0]*n[1], runs)
		const most = 500
		if runs > most {
			t.Errorf("%d lines took %d inferences", 3*n[0]*n[1], runs)
		}
	}
}
