package truth

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"filippo.io/age"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/appliance/appliancetest"
	"github.com/bawab/bawab/appliance/review"
)

// site is a store of reviews that clerks have decided about.
type site struct {
	store *appliancetest.Reviews
	t     *testing.T
	cards int
}

func newSite(t *testing.T) *site { return &site{store: appliancetest.NewReviews(), t: t} }

// card keeps the review of an ID on a day of March 2027, which clerks confirm, or correct the name of where they are given one.
func (s *site) card(number, name string, day int, says ...string) string {
	s.t.Helper()
	d := appliance.Document{Kind: appliance.NationalIDFront, Fields: []appliance.Field{
		{Name: "idNumber", Value: number, Confidence: 0.99}, {Name: "first_name", Value: name, Confidence: 0.7},
	}}
	d.Flag("first_name", name, appliance.CodeLowConfidence)
	s.cards++
	r := review.Review{
		ID: guid(2 * s.cards), Transaction: guid(2*s.cards + 1), Kind: d.Kind, Document: &d, At: time.Date(2027, 3, day, 9, 0, 0, 0, time.UTC),
		Pictures: 1, Versions: map[string]string{"bawab": "1.0"}, Flagged: true,
	}
	if err := s.store.KeepReview(s.t.Context(), r, [][]byte{[]byte("\xff\xd8 the picture of " + number)}); err != nil {
		s.t.Fatal(err)
	}
	for i, said := range says {
		decision := review.Decision{By: string(rune('a' + i)), Verdict: review.Confirmed}
		if said != "" {
			decision.Verdict, decision.Values = review.Corrected, map[string]string{"first_name": said}
		}
		if _, err := s.store.DecideReview(s.t.Context(), r.ID, decision); err != nil {
			s.t.Fatal(err)
		}
	}
	return r.Transaction
}

// guid is the n-th id of a site: the same in each run.
func guid(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

// unnoted is a journal that nobody reads.
func unnoted(context.Context, int) error { return nil }

func export(t *testing.T, s *site, dir string, people int) Report {
	t.Helper()
	r, err := Export(t.Context(), s.store, dir, people, time.UTC, unnoted)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// filesWith lists the files below a folder that hold a text.
func filesWith(t *testing.T, dir, text string) (found []string) {
	t.Helper()
	if err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if info, err := d.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: mode %v, %v", name, info.Mode(), err)
		}
		b, err := os.ReadFile(name)
		if bytes.Contains(b, []byte(text)) {
			found = append(found, name)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return found
}

const one, two, three = "29001010100017", "29001010100025", "29001010100033"

// What more than half confirmed is written once with its picture, what is open, disputed or decided by too few is counted and left out, and
// what people corrected stands in the truth beside what was read.
func TestExport(t *testing.T) {
	s, dir := newSite(t), filepath.Join(t.TempDir(), "set")
	s.card(one, "منى", 1, "")
	s.card(two, "منا", 1, "منى")
	s.card(three, "على", 1)             // open
	s.card(three, "على", 1, "", "عليّ") // the name is disputed, the number is not
	for range 2 {
		if r := export(t, s, dir, 1); r.Written != 3 || r.Open != 1 {
			t.Errorf("report %+v", r)
		}
	}
	if r := export(t, s, filepath.Join(t.TempDir(), "two"), 2); r.Written != 1 || r.Few != 2 {
		t.Errorf("asked for two people: %+v", r)
	}
	set, err := Open(dir)
	if err != nil || len(set.Lines["fit"])+len(set.Lines["test"]) != 3 || !slices.Equal(set.Manifest.Releases, []string{"1.0"}) {
		t.Fatalf("%+v, %v", set, err)
	}
	for _, l := range slices.Concat(set.Lines["fit"], set.Lines["test"]) {
		d := l.Documents[0]
		number := d.Fields["idNumber"]
		if len(filesWith(t, dir, "the picture of "+number)) != 1 || l.Person != PersonOf(number) {
			t.Errorf("%+v", l)
		}
		switch number {
		case two:
			if d.Fields["first_name"] != "منى" || l.Read["first_name"].Value != "منا" || l.Read["first_name"].Confidence != 0.7 {
				t.Errorf("corrected: %+v", l)
			}
		case three:
			if _, ok := d.Fields["first_name"]; ok || !slices.Contains(d.Covered, "first_name") {
				t.Errorf("disputed: %+v", d)
			}
		}
	}
	var name Count
	for _, c := range set.Stats().Fields {
		if c.Field == "first_name" {
			name = c
		}
	}
	if name.N != 2 || name.RightFlagged != 1 || name.WrongFlagged != 1 {
		t.Errorf("stats %+v", name)
	}
}

// No person and no day is in both halves, however often people come back and in whatever order they are exported and imported.
func TestHalvesNeverMix(t *testing.T) {
	s, dir := newSite(t), filepath.Join(t.TempDir(), "set")
	left := 0
	for day := 1; day <= 28; day++ {
		s.card(one, "منى", day, "")
		s.card(strings.Replace(two, "25", string(rune('0'+day/10))+string(rune('0'+day%10)), 1), "على", day, "")
		left = export(t, s, dir, 1).OtherHalf
	}
	set, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	where := map[string]string{}
	for _, half := range Halves() {
		if n := len(set.Lines[half]); n < 10 {
			t.Errorf("%s has %d lines", half, n)
		}
		for _, l := range set.Lines[half] {
			for _, what := range []string{l.Person, l.Day} {
				if old, ok := where[what]; ok && old != half {
					t.Fatalf("%s is in both halves", what)
				}
				where[what] = half
			}
		}
	}
	if left != 14 {
		t.Errorf("%d of the one who came each day are left out, want 14", left)
	}
}

// Erasing a person removes his lines, and overwrites his pictures, in both halves and in what an import left beside them; the others stay.
func TestErase(t *testing.T) {
	s, dir := newSite(t), filepath.Join(t.TempDir(), "set")
	s.card(one, "منى", 1, "")
	s.card(one, "منى", 3, "")
	s.card(two, "على", 2, "")
	export(t, s, dir, 1)
	if err := os.Mkdir(dir+".import", 0o700); err != nil { // as an import that was killed leaves it
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir+".import", "picture"), []byte(one), 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := Erase(dir, func(l *Line) bool { return l.Mentions("2900101 0100017") })
	if err != nil || e.Lines != 2 {
		t.Errorf("%+v, %v", e, err)
	}
	if left := filesWith(t, filepath.Dir(dir), one); len(left) > 0 {
		t.Errorf("left in %v", left)
	}
	if len(filesWith(t, dir, two)) != 2 {
		t.Error("the other person is gone too")
	}
	if _, err := Erase(t.TempDir(), func(*Line) bool { return true }); err == nil {
		t.Error("a folder without a set was erased")
	}
}

// An archive opens for its recipients alone and joins another set; one that is cut, changed or made by somebody else adds nothing and
// leaves nothing behind.
func TestArchive(t *testing.T) {
	s, dir := newSite(t), filepath.Join(t.TempDir(), "set")
	s.card(one, "منى", 1, "")
	s.card(two, "على", 2, "")
	export(t, s, dir, 1)
	key, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	other, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	var archive bytes.Buffer
	if err := Pack(&archive, dir, key.Recipient()); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(archive.Bytes(), []byte("picture of")) {
		t.Error("the archive is in clear")
	}
	to := filepath.Join(t.TempDir(), "joined")
	if r, err := Import(bytes.NewReader(archive.Bytes()), to, key); err != nil || r.Written != 2 ||
		len(filesWith(t, to, "picture of "+one)) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	flipped := bytes.Clone(archive.Bytes())
	flipped[len(flipped)/2] ^= 1
	for name, c := range map[string]struct {
		text []byte
		key  age.Identity
	}{
		"another key": {archive.Bytes(), other}, "cut": {archive.Bytes()[:archive.Len()-20], key}, "changed": {flipped, key},
		"nothing": {nil, key},
	} {
		parent := t.TempDir()
		if _, err := Import(bytes.NewReader(c.text), filepath.Join(parent, "set"), c.key); appliance.CodeOf(
			err,
		) != appliance.CodeBadRequest {
			t.Errorf("%s: %v", name, err)
		}
		if entries, err := os.ReadDir(parent); err != nil || len(entries) != 0 {
			t.Errorf("%s: left %v, %v", name, entries, err)
		}
	}
}

// A folder that holds something else is left alone, and lines that name files elsewhere are refused.
func TestForeignFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "letter.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Export(context.Background(), newSite(t).store, dir, 1, time.UTC, unnoted); appliance.CodeOf(err) != appliance.CodeBadRequest {
		t.Errorf("exported into it: %v", err)
	}
	for _, line := range []string{`{"file":"../letter.txt"}`, `{"file":"pictures/x.jpg"}`, `{`, `[]`} {
		if _, err := parseLines("x", []byte(line)); err == nil {
			t.Errorf("%s was taken", line)
		}
	}
}

// What is confirmed of a kind that a model pack brings stands in the set with the fields of its description, also where nothing proved it
// to be of its kind; two documents of one holder are of one person, by the field that the description says.
func TestExportPackKind(t *testing.T) {
	s, dir := newSite(t), filepath.Join(t.TempDir(), "set")
	for i, kind := range []appliance.Kind{"club_card", appliance.Unknown, "club_card"} {
		d := appliance.Document{
			Kind: kind, Model: []appliance.FieldSpec{{Name: "member"}, {Name: "number", Holder: true}},
			Fields: []appliance.Field{{Name: "member", Value: "منى"}, {Name: "number", Value: []string{"77", "77", "78"}[i]}},
		}
		r := review.Review{
			ID: guid(2 * i), Transaction: guid(2*i + 1), Kind: kind, Document: &d, At: time.Date(2027, 3, 1, 9, 0, 0, 0, time.UTC), Pictures: 1,
		}
		if kind == appliance.Unknown {
			r.Asked = "club_card"
		}
		if err := s.store.KeepReview(t.Context(), r, [][]byte{[]byte("\xff\xd8")}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.store.DecideReview(t.Context(), r.ID, review.Decision{By: "a", Verdict: review.Confirmed}); err != nil {
			t.Fatal(err)
		}
	}
	if r := export(t, s, dir, 1); r.Written != 3 {
		t.Fatalf("%+v", r)
	}
	set, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	lines, persons := slices.Concat(set.Lines["fit"], set.Lines["test"]), map[string]bool{}
	for _, l := range lines {
		persons[l.Person] = true
		if d := l.Documents[0]; d.Kind != "club_card" || d.Fields["member"] != "منى" || l.Read["member"].Value != "منى" {
			t.Errorf("%+v", l)
		}
	}
	stats := set.Stats()
	if len(persons) != 2 || !persons[PersonOf("77")] || len(stats.Fields) != 2 || stats.Fields[0].Kind != "club_card" {
		t.Errorf("%d persons, %+v", len(persons), stats)
	}
	if e, err := Erase(dir, func(l *Line) bool { return l.Mentions("77") }); err != nil || e.Lines != 2 {
		t.Errorf("erased %+v, %v", e, err)
	}
}
